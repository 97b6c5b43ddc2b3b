//! Create, upsert, replace, delete one item: the same for all systems, whose differences are in [`Draft`].

use crate::domain::{Instant, Refusal};
use crate::store::{Header, StoredItem, Writer};

use super::document::{id_of, row_of};
use super::draft::Draft;
use super::{Api, Container, ContainerNo, Engine, EngineError, Event, Row};

/// What becomes of an item that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IfThere {
    Refuse,
    Replace,
}

/// An item in its container as it is under the writer's lock.
pub(super) struct Found {
    pub(super) stored: Option<StoredItem>,
    /// It is there for a client: stored and not hidden.
    visible: bool,
    /// When a version that is written now says that it was written, in the container's unit: see
    /// [`StoreClock::of_write`](super::clock::StoreClock::of_write).
    ts: i64,
    /// When the new version says that it was written, if that is to be kept.
    written: Option<i64>,
}

/// Why a write with a caller's own part did not happen.
enum Write<E> {
    Engine(EngineError),
    Caller(E),
}

impl<E, F: Into<EngineError>> From<F> for Write<E> {
    fn from(error: F) -> Self {
        Write::Engine(error.into())
    }
}

/// What one atomic write changed.
#[derive(Default)]
pub(super) struct Changed {
    pub(super) count: u64,
    /// When the first of the items expires.
    first: Option<Instant>,
    /// Collections that came into being.
    collections: Vec<Container>,
}

impl Changed {
    pub(super) fn add(&mut self, at: Option<Instant>) {
        self.count += 1;
        self.first = self.first.into_iter().chain(at).min();
    }
}

impl Found {
    pub(super) fn header(&self) -> Option<Header> {
        self.stored.as_ref().map(|item| item.header)
    }

    /// The instant of a write.
    pub(super) fn ts(&self) -> i64 {
        self.written.unwrap_or(self.ts)
    }

    pub(super) fn visible(&self) -> Option<&StoredItem> {
        self.stored.as_ref().filter(|_| self.visible)
    }
}

impl Engine {
    /// Makes an item. One that is expired and not deleted yet is no obstacle.
    ///
    /// # Errors
    /// 400 with the place for a document that the service refuses, 409 for an item that is there, 404 for the container.
    pub fn create_item(&self, no: ContainerNo, text: &str) -> Result<Row, EngineError> {
        let container = self.shared.root(no)?;
        let draft = Draft::parse(self, &container, text, None)?;
        self.put(&container, &draft, IfThere::Refuse).map(|(row, _)| row)
    }

    /// Makes an item, or replaces the one that is there. Says whether it was made.
    ///
    /// # Errors
    /// 400 with the place for a document that the service refuses, 404 for the container.
    pub fn upsert_item(&self, no: ContainerNo, text: &str) -> Result<(Row, bool), EngineError> {
        let container = self.shared.root(no)?;
        let draft = Draft::parse(self, &container, text, None)?;
        self.put(&container, &draft, IfThere::Replace)
    }

    /// Replaces an item; with an etag only if it is still the stored one.
    ///
    /// # Errors
    /// 400 for a refused document or another id or partition key, 404 when the item is not there (or expired), 412 when
    /// it has another etag.
    pub fn replace_item(
        &self,
        no: ContainerNo,
        key: &[u8],
        text: &str,
        if_match: Option<u64>,
    ) -> Result<Row, EngineError> {
        let container = self.shared.root(no)?;
        let stored = self.shared.store.snapshot()?.get(container.no, key)?;
        let draft = Draft::parse(self, &container, text, stored.as_ref())?;
        if draft.key() != key {
            return Err(draft.other_key().into());
        }
        let changed = self.shared.store.write(
            |writer| {
                let found = self.find(writer, &container, key)?;
                let old = found.visible().ok_or_else(|| missing(&draft.id()))?.header;
                matches(&container, &old, if_match)?;
                let mut changed = Changed::default();
                let header = self.write_draft(writer, &container, key, &draft, &found, &mut changed)?;
                changed.add(container.end(&header));
                Ok::<_, EngineError>((changed, row(&container, key, &header, &draft.bytes())?))
            },
            |(changed, row)| self.written(&container, changed, Some(row)),
        )?;
        Ok(changed.1)
    }

    /// Replaces the item that the text names by its own id and partition key.
    ///
    /// # Errors
    /// 400 for a refused document, 404 when the item is not there (or expired).
    pub fn replace_named(&self, no: ContainerNo, text: &str) -> Result<Row, EngineError> {
        let container = self.shared.root(no)?;
        let key = Draft::parse(self, &container, text, None)?.key();
        self.replace_item(no, &key, text, None)
    }

    /// Writes a draft as a new item.
    pub(super) fn put_draft(&self, no: ContainerNo, draft: &Draft) -> Result<(), EngineError> {
        let container = self.shared.root(no)?;
        self.put(&container, draft, IfThere::Refuse).map(|_| ())
    }

    /// Puts what `change` makes of a visible item's bytes in its place; nothing leaves it alone. Says whether it was
    /// written.
    pub(super) fn change_draft<E: From<EngineError>>(
        &self,
        no: ContainerNo,
        key: &[u8],
        change: impl FnOnce(&[u8]) -> Result<Option<Draft>, E>,
    ) -> Result<bool, E> {
        let container = self.shared.root(no).map_err(EngineError::from)?;
        let written = self.shared.store.write(
            |writer| {
                let found = self.find(writer, &container, key)?;
                let Some(item) = found.visible() else { return Ok(None) };
                let Some(draft) = change(&item.body).map_err(Write::Caller)? else { return Ok(None) };
                if draft.key() != key {
                    return Err(Write::Engine(draft.other_key().into()));
                }
                let mut changed = Changed::default();
                let header = self.write_draft(writer, &container, key, &draft, &found, &mut changed)?;
                changed.add(container.end(&header));
                let row = row(&container, key, &header, &draft.bytes())?;
                Ok(Some((changed, row)))
            },
            |written| {
                if let Some((changed, row)) = written {
                    self.written(&container, changed, Some(row));
                }
            },
        );
        match written {
            Ok(written) => Ok(written.is_some()),
            Err(Write::Engine(error)) => Err(error.into()),
            Err(Write::Caller(error)) => Err(error),
        }
    }

    /// Deletes one item; with an etag only if it is still the stored one.
    ///
    /// # Errors
    /// 404 when it is not there (or expired), 412 when it has another etag.
    pub fn delete_item(&self, no: ContainerNo, key: &[u8], if_match: Option<u64>) -> Result<(), EngineError> {
        let container = self.shared.root(no)?;
        let no = container.no;
        self.shared.store.write(
            |writer| {
                let found = self.find(writer, &container, key)?;
                let old = found.visible().ok_or_else(|| missing(&id_of(&container, key)))?.header;
                matches(&container, &old, if_match)?;
                writer.delete(no, key, old)?;
                Ok::<_, EngineError>(())
            },
            |()| self.shared.tell(&Event::Deleted { container: no, count: 1, key: Some(key.into()) }),
        )
    }

    /// The item under the writer's lock, by the container's setting of this moment.
    pub(super) fn find(&self, writer: &Writer<'_>, container: &Container, key: &[u8]) -> Result<Found, EngineError> {
        let stored = writer.get(container.no, key)?;
        let present = self.shared.container(container.no)?;
        let now = self.now();
        let visible = stored.as_ref().is_some_and(|item| !present.hides(&item.header, now));
        let at = stored.as_ref().map_or(now, |item| self.shared.clock.of_write(now, container.instant(item.header.ts)));
        Ok(Found { stored, visible, ts: container.stored(at), written: None })
    }

    fn put(&self, container: &Container, draft: &Draft, if_there: IfThere) -> Result<(Row, bool), EngineError> {
        let key = draft.key();
        let (_, row, made) = self.shared.store.write(
            |writer| {
                let mut changed = Changed::default();
                let (header, made) = self.put_one(writer, container, &key, draft, if_there, None, &mut changed)?;
                changed.add(container.end(&header));
                Ok::<_, EngineError>((changed, row(container, &key, &header, &draft.bytes())?, made))
            },
            |(changed, row, _)| self.written(container, changed, Some(row)),
        )?;
        Ok((row, made))
    }

    #[expect(clippy::too_many_arguments, reason = "what is written, where, and what may be there")]
    pub(super) fn put_one(
        &self,
        writer: &mut Writer<'_>,
        container: &Container,
        key: &[u8],
        draft: &Draft,
        if_there: IfThere,
        written: Option<Instant>,
        changed: &mut Changed,
    ) -> Result<(Header, bool), EngineError> {
        let mut found = self.find(writer, container, key)?;
        found.written = written.map(|at| container.stored(at));
        if found.visible && if_there == IfThere::Refuse {
            return Err(draft.taken().into());
        }
        let header = self.write_draft(writer, container, key, draft, &found, changed)?;
        Ok((header, !found.visible))
    }

    /// Writes a draft over what was found.
    fn write_draft(
        &self,
        writer: &mut Writer<'_>,
        container: &Container,
        key: &[u8],
        draft: &Draft,
        found: &Found,
        changed: &mut Changed,
    ) -> Result<Header, EngineError> {
        let collection = match draft.collection() {
            Some(name) => {
                let there = found.header().and_then(|header| header.collection());
                Some(self.collection(writer, container, name, there, &mut changed.collections)?)
            }
            None => None,
        };
        let rid = found.visible().map_or_else(|| writer.next_number(), |there| there.header.rid);
        let header = draft.header(found.ts(), rid, writer.next_number(), collection);
        writer.put(container.no, key, found.header(), header, &draft.bytes())?;
        Ok(header)
    }

    /// After a write, still under the writer's lock: the agenda follows, everybody is told.
    pub(super) fn written(&self, container: &Container, changed: &Changed, row: Option<&Row>) {
        for collection in &changed.collections {
            self.change_catalog(|catalog| catalog.put_container(collection.clone()));
        }
        let key = row.map(|row| row.key.clone());
        self.changed(container.no, changed, |count| Event::Written { container: container.no, count, key });
    }

    /// After a commit, still under the writer's lock: plans the deletion, tells everybody.
    pub(super) fn changed(&self, no: ContainerNo, changed: &Changed, event: impl FnOnce(u64) -> Event) {
        if let Some(at) = changed.first
            && self.shared.note_expiry(no, at)
        {
            self.shared.background.wake();
        }
        if changed.count > 0 {
            self.shared.tell(&event(changed.count));
        }
    }
}

fn row(container: &Container, key: &[u8], header: &Header, bytes: &[u8]) -> Result<Row, EngineError> {
    row_of(container, key, header, bytes)
        .ok_or_else(|| Refusal::bad_request("The key of the item cannot be read.").into())
}

pub(super) fn missing(id: &str) -> Refusal {
    Refusal::new(404, format!("There is no item {id} any more: it expired, or it was deleted."))
}

fn matches(container: &Container, stored: &Header, if_match: Option<u64>) -> Result<(), Refusal> {
    match (if_match, container.api()) {
        (Some(etag), _) if etag == stored.etag => Ok(()),
        (None, _) => Ok(()),
        (Some(_), Api::RavenDb) => {
            Err(Refusal::new(409, "The document was written since it was read: its change vector is another one."))
        }
        (Some(_), _) => Err(Refusal::new(412, "The item was written since it was read: its _etag is another one.")),
    }
}
