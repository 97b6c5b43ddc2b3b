//! Making, changing and deleting databases and containers.

use std::ops::Bound;
use std::sync::Arc;

use uuid::Uuid;

use crate::domain::nosql::{DefaultTtl, PartitionKey, check_name, horizon};
use crate::domain::{Instant, Refusal};
use crate::store::{ContainerNo, Direction, Half, Writer};

use super::records::{self, ContainerRecord, DatabaseRecord};
use super::service::Shared;
use super::{Api, Catalog, Container, Count, DatabaseNo, Engine, EngineError, Event, Kind, TtlPreview, nosql};

/// How far a preview counts.
pub const COUNTED: u64 = 100_000;

impl Engine {
    /// All databases and containers at this moment.
    pub fn catalog(&self) -> Arc<Catalog> {
        self.shared.catalog.read().clone()
    }

    /// Makes a database.
    ///
    /// # Errors
    /// 400 for a name that cannot be, 409 for one that is taken.
    pub fn create_database(&self, name: &str, api: Api) -> Result<DatabaseNo, EngineError> {
        named("database", name)?;
        let made = self.shared.store.write(
            |writer| {
                if self.shared.catalog.read().databases.contains_key(name) {
                    return Err(EngineError::from(Refusal::new(409, format!("A database {name} exists already."))));
                }
                let no = next_database(writer)?;
                let record = DatabaseRecord { name: name.to_owned(), api };
                writer.put_record(&records::database(no), &records::encode(&record)?);
                let documents = (api == Api::RavenDb).then(|| all_documents(writer.new_container(), no));
                if let Some(documents) = &documents {
                    let record = records::encode(&ContainerRecord::from(documents))?;
                    writer.put_record(&records::container(documents.no), &record);
                }
                Ok((no, documents))
            },
            |(no, documents)| {
                if let Some(documents) = documents {
                    self.shared.agenda.lock().has_runs(documents.no);
                }
                self.change_catalog(|catalog| {
                    catalog.put_database(*no, name.to_owned(), api);
                    documents.iter().for_each(|documents| catalog.put_container(documents.clone()));
                });
            },
        )?;
        Ok(made.0)
    }

    /// Deletes a database with all its containers, as one write.
    ///
    /// # Errors
    /// 404 when it does not exist.
    pub fn delete_database(&self, no: DatabaseNo) -> Result<(), EngineError> {
        let containers = self.shared.store.write(
            |writer| {
                let catalog = self.catalog();
                let database = catalog.database(no).ok_or_else(Shared::no_database)?;
                let containers: Vec<ContainerNo> = database.all().map(|container| container.no).collect();
                for no in database.documents.iter().map(|documents| documents.no) {
                    for record in self.shared.store.snapshot()?.records(&records::ids(no, "")) {
                        writer.delete_record(&record?.0);
                    }
                }
                containers.iter().for_each(|container| drop_container(writer, *container));
                writer.delete_record(&records::database(no));
                Ok::<_, EngineError>(containers)
            },
            |_| self.change_catalog(|catalog| catalog.remove_database(no)),
        )?;
        self.forget(&containers);
        Ok(())
    }

    /// Makes a container.
    ///
    /// # Errors
    /// 400 for a name or a number of seconds that cannot be, 404 for a database that does not exist, 409 for a name that is taken.
    pub fn create_container(
        &self,
        database: DatabaseNo,
        name: &str,
        partition_key: PartitionKey,
        default_ttl: DefaultTtl,
    ) -> Result<ContainerNo, EngineError> {
        named("container", name)?;
        DefaultTtl::from_wire(default_ttl.to_wire())?;
        self.make_container(database, name, Kind::NoSql { partition_key, default_ttl })
    }

    /// Makes a container of a kind in a database of the same system.
    pub(super) fn make_container(
        &self,
        database: DatabaseNo,
        name: &str,
        kind: Kind,
    ) -> Result<ContainerNo, EngineError> {
        let made = self.shared.store.write(
            |writer| {
                {
                    let catalog = self.shared.catalog.read();
                    let database = catalog.database(database).ok_or_else(Shared::no_database)?;
                    let fits = match kind {
                        Kind::NoSql { .. } => database.api == Api::NoSql,
                        Kind::MongoDb { .. } => database.api == Api::MongoDb,
                        Kind::Documents { .. } | Kind::Collection { .. } => false,
                    };
                    if !fits {
                        let words = format!(
                            "{} is a {} database: no such container belongs to it.",
                            database.name, database.api
                        );
                        let hint = match database.api {
                            Api::RavenDb => {
                                "A collection is made by its first document: write its name in `@collection`."
                            }
                            Api::MongoDb => "It has collections, without a partition key.",
                            Api::NoSql => "It has containers, with a partition key.",
                        };
                        return Err(Refusal::bad_request(words).with_hint(hint).into());
                    }
                    if database.containers.contains_key(name) {
                        let taken = format!("A container {name} exists already in {}.", database.name);
                        return Err(EngineError::from(Refusal::new(409, taken)));
                    }
                }
                let no = writer.new_container();
                let container = Container { no, database, name: name.to_owned(), kind: kind.clone() };
                writer.put_record(&records::container(no), &records::encode(&ContainerRecord::from(&container))?);
                Ok(container)
            },
            |container| self.change_catalog(|catalog| catalog.put_container(container.clone())),
        )?;
        Ok(made.no)
    }

    /// Deletes a container. Its items are gone at once; their bytes go in the background. Of a collection the documents
    /// are deleted first, in atomic writes of up to 1,000.
    ///
    /// # Errors
    /// 404 when it does not exist; 400 for all documents of a database. When the disk refuses, a part of the documents of
    /// a collection may be deleted already, and is told.
    pub fn delete_container(&self, no: ContainerNo) -> Result<(), EngineError> {
        match self.shared.container(no)?.kind {
            Kind::NoSql { .. } | Kind::MongoDb { .. } => self.shared.store.write(
                |writer| {
                    self.shared.container(no)?;
                    drop_container(writer, no);
                    Ok::<_, EngineError>(())
                },
                |()| self.change_catalog(|catalog| catalog.remove_container(no)),
            )?,
            Kind::Collection { documents } => while !self.delete_collection_step(no, documents)? {},
            Kind::Documents { .. } => {
                return Err(Refusal::bad_request("All documents go with their database: delete that.").into());
            }
        }
        self.forget(&[no]);
        Ok(())
    }

    /// Saves a container's Time to Live, and nothing else of it. It counts for all items at once, whatever their
    /// number.
    ///
    /// # Errors
    /// 400 for a number of seconds that cannot be, 404 when the container does not exist.
    pub fn set_default_ttl(&self, no: ContainerNo, ttl: DefaultTtl) -> Result<(), EngineError> {
        DefaultTtl::from_wire(ttl.to_wire())?;
        self.shared.store.write(
            |writer| {
                let before = self.shared.container(no)?;
                let Some(container) = before.with_default_ttl(ttl) else {
                    let words = "RavenDB has no Time to Live: documents expire by their own `@expires`.";
                    return Err(EngineError::from(Refusal::bad_request(words)));
                };
                writer.put_record(&records::container(no), &records::encode(&ContainerRecord::from(&container))?);
                Ok((before.default_ttl(), container))
            },
            |(before, container)| {
                {
                    // What the save hides at once is told by the change itself, not as an expiration. What comes next
                    // nobody knows until the index is looked at; until then it may be anything.
                    let mut agenda = self.shared.agenda.lock();
                    agenda.tell(no, Instant::from_secs(self.now().secs()));
                    agenda.note(no, Instant::MIN);
                }
                self.change_catalog(|catalog| catalog.put_container(container.clone()));
                self.shared.tell(&Event::TtlChanged { container: no, before: *before, now: ttl });
            },
        )?;
        self.shared.look_ahead(no)?;
        self.shared.background.wake();
        Ok(())
    }

    /// What saving this Time to Live would do now: exact to 100,000.
    ///
    /// # Errors
    /// 400 for a number of seconds that cannot be, 404 when the container does not exist.
    pub fn preview_ttl(&self, no: ContainerNo, ttl: DefaultTtl) -> Result<TtlPreview, EngineError> {
        DefaultTtl::from_wire(ttl.to_wire())?;
        let container = self.shared.container(no)?;
        let now = self.now().secs();
        let (before, after) = (horizon(container.default_ttl(), now), horizon(ttl, now));
        let snapshot = self.shared.store.snapshot()?;
        let counts = snapshot.counts(no)?;
        let mut preview =
            TtlPreview { inherit: counts.inherit, own: counts.own, never: counts.never, ..TtlPreview::default() };
        for (half, old, new) in [(Half::Inherit, before.inherit, after.inherit), (Half::Own, before.own, after.own)] {
            if new > old {
                let through = new.unwrap_or(i64::MIN);
                add(&mut preview.expire_at_once, snapshot.count_entries(no, half, old, through, COUNTED)?);
            } else if old > new {
                let through = old.unwrap_or(i64::MIN);
                add(&mut preview.come_back, snapshot.count_entries(no, half, new, through, COUNTED)?);
            }
        }
        Ok(preview)
    }

    /// Deletes some documents of a collection; the last ones in one write with the collection, so that none can come into it
    /// in between. Says whether it is gone.
    fn delete_collection_step(&self, no: ContainerNo, documents: ContainerNo) -> Result<bool, EngineError> {
        const STEP: usize = 1_000;
        let (_, is_last) = self.shared.store.write(
            |writer| {
                self.shared.container(no)?;
                // Under the writer's lock a snapshot is the present.
                let snapshot = self.shared.store.snapshot()?;
                let mut count = 0;
                for item in snapshot.items(no, Bound::Unbounded, Direction::Forward).take(STEP) {
                    let (key, _) = item?;
                    count += 1;
                    if let Some(document) = writer.get(documents, &key)? {
                        writer.delete(documents, &key, document.header)?;
                    }
                }
                let is_last = count < STEP;
                if is_last {
                    drop_container(writer, no);
                }
                Ok::<_, EngineError>((count as u64, is_last))
            },
            |(count, is_last)| {
                if *count > 0 {
                    self.shared.tell(&Event::Deleted { container: documents, count: *count, key: None });
                }
                if *is_last {
                    self.change_catalog(|catalog| catalog.remove_container(no));
                }
            },
        )?;
        Ok(is_last)
    }

    pub(super) fn change_catalog(&self, change: impl FnOnce(&mut Catalog)) {
        self.shared.change_catalog(change);
    }

    fn forget(&self, containers: &[ContainerNo]) {
        for no in containers {
            self.shared.agenda.lock().forget(*no);
            self.shared.timers.forget(*no);
            self.shared.deleted.lock().remove(no);
            self.forget_ids(*no);
        }
        self.shared.background.written();
    }
}

impl Shared {
    /// Changes the catalog and tells everybody.
    pub fn change_catalog(&self, change: impl FnOnce(&mut Catalog)) {
        let changed = {
            let mut catalog = self.catalog.write();
            change(Arc::make_mut(&mut catalog));
            catalog.clone()
        };
        self.tell(&Event::CatalogChanged(changed));
    }
}

/// All documents of a new RavenDB database.
fn all_documents(no: ContainerNo, database: DatabaseNo) -> Container {
    let replica = nosql::base64(Uuid::new_v4().as_bytes()).trim_end_matches('=').replace('-', "/");
    let kind = Kind::Documents { configuration: None, timer: None, replica };
    Container { no, database, name: Container::ALL_DOCUMENTS.to_owned(), kind }
}

/// Adds what was counted to a number that may already be a lower bound.
pub fn add(count: &mut Count, counted: crate::store::Counted) {
    count.n += counted.n;
    count.more |= counted.more;
}

/// Checks the id of a container or database.
pub fn named(what: &str, name: &str) -> Result<(), Refusal> {
    check_name(name).map_err(|fault| Refusal::bad_request(format!("The id of the {what} {fault}.")))
}

fn drop_container(writer: &mut Writer<'_>, no: ContainerNo) {
    writer.delete_record(&records::container(no));
    writer.drop_container(no);
}

fn next_database(writer: &mut Writer<'_>) -> Result<DatabaseNo, EngineError> {
    let no = match writer.record(records::NEXT_DATABASE)? {
        Some(bytes) => records::decode(records::NEXT_DATABASE, &bytes)?,
        None => 0u32,
    };
    writer.put_record(records::NEXT_DATABASE, &records::encode(&(no + 1))?);
    Ok(DatabaseNo(no))
}
