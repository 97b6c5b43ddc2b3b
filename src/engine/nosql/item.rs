//! Create, upsert, replace, delete, write again, read.

use std::ops::Bound;
use std::sync::Arc;

use uuid::Uuid;

use crate::domain::nosql::{ItemKey, NewItem, parse_item};
use crate::domain::{Instant, Refusal};
use crate::engine::{Container, ContainerNo, Engine, EngineError, Event, Key, Row};
use crate::store::{Direction, Header, StoredItem, Writer};

use super::Document;
use super::document::{fate_of, header_of, row_of};

/// Items of one atomic write of a long list.
const CHUNK: usize = 1_000;

/// What becomes of an item that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IfThere {
    Refuse,
    Replace,
}

/// An item in its container as it is under the writer's lock.
struct Found {
    stored: Option<StoredItem>,
    /// It is there for a client: stored and not expired.
    visible: bool,
    now: i64,
}

/// What one atomic write changed.
#[derive(Default)]
struct Changed {
    count: u64,
    /// When the first of the items expires.
    first: Option<Instant>,
}

impl Changed {
    fn add(&mut self, at: Option<Instant>) {
        self.count += 1;
        self.first = self.first.into_iter().chain(at).min();
    }
}

impl Found {
    fn header(&self) -> Option<Header> {
        self.stored.as_ref().map(|item| item.header)
    }

    /// The second of a write: the later of the clock's and that of the item's last write, so that a clock that jumped
    /// back never makes an item older.
    fn ts(&self) -> i64 {
        self.header().map_or(self.now, |old| self.now.max(old.ts))
    }

    fn visible(&self) -> Option<&StoredItem> {
        self.stored.as_ref().filter(|_| self.visible)
    }
}

impl Engine {
    /// Makes an item. One that is expired and not deleted yet is no obstacle.
    ///
    /// # Errors
    /// 400 with the place for a document that the service refuses, 409 for an item that is there, 404 for the container.
    pub fn create_item(&self, no: ContainerNo, text: &str) -> Result<Row, EngineError> {
        let container = self.shared.container(no)?;
        let item = self.parse(&container, text)?;
        self.put(&container, &item, IfThere::Refuse).map(|(row, _)| row)
    }

    /// Makes an item, or replaces the one that is there. Says whether it was made.
    ///
    /// # Errors
    /// 400 with the place for a document that the service refuses, 404 for the container.
    pub fn upsert_item(&self, no: ContainerNo, text: &str) -> Result<(Row, bool), EngineError> {
        let container = self.shared.container(no)?;
        let item = self.parse(&container, text)?;
        self.put(&container, &item, IfThere::Replace)
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
        let container = self.shared.container(no)?;
        let item = self.parse(&container, text)?;
        if item.key.encode() != key {
            return Err(Refusal::bad_request(
                "The id or the partition key is not that of the item: they cannot be changed.",
            )
            .with_hint("Save the text as a new item.")
            .into());
        }
        self.shared.store.write(
            |writer| {
                let found = self.find(writer, &container, key)?;
                let old = found.visible().ok_or_else(|| missing(&item.key.id))?.header;
                matches(&old, if_match)?;
                let header = header_of(&item, found.ts(), old.rid, writer.next_number());
                writer.put(no, key, Some(old), header, item.body.as_bytes())?;
                row(&container, key, &header)
            },
            |row| self.written(&container, row),
        )
    }

    /// Deletes one item; with an etag only if it is still the stored one.
    ///
    /// # Errors
    /// 404 when it is not there (or expired), 412 when it has another etag.
    pub fn delete_item(&self, no: ContainerNo, key: &[u8], if_match: Option<u64>) -> Result<(), EngineError> {
        let container = self.shared.container(no)?;
        self.shared.store.write(
            |writer| {
                let found = self.find(writer, &container, key)?;
                let old = found.visible().ok_or_else(|| missing(&id_of(&container, key)))?.header;
                matches(&old, if_match)?;
                writer.delete(no, key, old)?;
                Ok::<_, EngineError>(())
            },
            |()| self.shared.tell(&Event::Deleted { container: no, count: 1, key: Some(key.into()) }),
        )
    }

    /// Deletes items; those that are not there (or expired) are passed over. Says how many were deleted.
    ///
    /// # Errors
    /// The disk refuses: chunks of 1,000 before that are deleted, and told.
    pub fn delete_items(&self, no: ContainerNo, keys: &[Key]) -> Result<u64, EngineError> {
        self.each_chunk(
            no,
            keys,
            |writer, container, key| {
                let found = self.find(writer, container, key)?;
                let Some(old) = found.visible().map(|item| item.header) else {
                    return Ok(None);
                };
                writer.delete(no, key, old)?;
                Ok(Some(None))
            },
            |count, key| Event::Deleted { container: no, count, key },
        )
    }

    /// Writes items again, unchanged: their clocks restart. Those that are not there (or expired) are passed over. Says
    /// how many were written.
    ///
    /// # Errors
    /// The disk refuses: chunks of 1,000 before that are written, and told.
    pub fn touch_items(&self, no: ContainerNo, keys: &[Key]) -> Result<u64, EngineError> {
        self.each_chunk(
            no,
            keys,
            |writer, container, key| {
                let found = self.find(writer, container, key)?;
                let Some(item) = found.visible() else { return Ok(None) };
                let (old, ts) = (item.header, found.ts());
                let expiry = match old.expiry {
                    crate::store::Expiry::Own { at } => {
                        crate::store::Expiry::Own { at: ts.saturating_add(at.saturating_sub(old.ts)) }
                    }
                    other => other,
                };
                let header = Header { ts, expiry, etag: writer.next_number(), ..old };
                writer.put(no, key, Some(old), header, &item.body)?;
                Ok(Some(self.expiry_of(no, &header)))
            },
            |count, key| Event::Written { container: no, count, key },
        )
    }

    /// An item as a client reads it.
    ///
    /// # Errors
    /// 404 when it is not there, or expired.
    pub fn item(&self, no: ContainerNo, key: &[u8]) -> Result<Document, EngineError> {
        match self.peek_item(no, key)? {
            Some(document) if !document.expired => Ok(document),
            _ => Err(missing(&id_of(&*self.shared.container(no)?, key)).into()),
        }
    }

    /// An item whether it is expired or not; `None` when there are no bytes of it any more.
    ///
    /// # Errors
    /// 404 for the container; the store cannot be read.
    pub fn peek_item(&self, no: ContainerNo, key: &[u8]) -> Result<Option<Document>, EngineError> {
        let container = self.shared.container(no)?;
        let stored = self.shared.store.snapshot()?.get(no, key)?;
        Ok(stored.and_then(|item| Document::of(&container, key, &item, self.now())))
    }

    /// Hands the text of every stored item of a container over, hidden ones too; an error stands for a stretch of the
    /// store that cannot be read.
    ///
    /// # Errors
    /// Those of `each`; 404 for the container.
    pub fn each_body<E: From<EngineError>>(
        &self,
        no: ContainerNo,
        mut each: impl FnMut(Result<String, EngineError>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.shared.container(no).map_err(EngineError::from)?;
        let snapshot = self.shared.store.snapshot().map_err(EngineError::from)?;
        for item in snapshot.items(no, Bound::Unbounded, Direction::Forward) {
            each(item.map(|(_, item)| String::from_utf8_lossy(&item.body).into_owned()).map_err(EngineError::from))?;
        }
        Ok(())
    }

    /// Makes items in atomic writes of up to 1,000; a document that is refused is told with its index, the others are
    /// stored. Says how many were made.
    ///
    /// # Errors
    /// The disk refuses: the writes before that are stored.
    pub fn create_items<S: AsRef<str>>(
        &self,
        no: ContainerNo,
        texts: &[S],
        mut refused: impl FnMut(usize, Refusal),
    ) -> Result<u64, EngineError> {
        let container = self.shared.container(no)?;
        let mut made = 0;
        for (chunk_no, chunk) in texts.chunks(CHUNK).enumerate() {
            let mut items = Vec::with_capacity(chunk.len());
            for (at, text) in chunk.iter().enumerate() {
                match self.parse(&container, text.as_ref()) {
                    Ok(item) => items.push((chunk_no * CHUNK + at, item)),
                    Err(refusal) => refused(chunk_no * CHUNK + at, refusal),
                }
            }
            made += self
                .shared
                .store
                .write(
                    |writer| {
                        let mut changed = Changed::default();
                        for (at, item) in &items {
                            let key = item.key.encode();
                            match self.put_one(writer, &container, &key, item, IfThere::Refuse) {
                                Ok((header, _)) => changed.add(self.expiry_of(no, &header)),
                                Err(EngineError::Refused(refusal)) => refused(*at, refusal),
                                Err(error) => return Err(error),
                            }
                        }
                        Ok(changed)
                    },
                    |changed| {
                        let event = |count| Event::Written { container: no, count, key: None };
                        self.changed(no, changed, event);
                    },
                )?
                .count;
        }
        Ok(made)
    }

    fn parse(&self, container: &Container, text: &str) -> Result<NewItem, Refusal> {
        parse_item(text, &container.partition_key, || Uuid::new_v4().to_string())
    }

    /// The item under the writer's lock, by the container's setting of this moment.
    fn find(&self, writer: &Writer<'_>, container: &Container, key: &[u8]) -> Result<Found, EngineError> {
        let stored = writer.get(container.no, key)?;
        let now = self.now().secs();
        let default = self.shared.container(container.no)?.default_ttl;
        let visible = stored.as_ref().is_some_and(|item| !fate_of(&item.header, default).is_expired(now));
        Ok(Found { stored, visible, now })
    }

    fn put(&self, container: &Container, item: &NewItem, if_there: IfThere) -> Result<(Row, bool), EngineError> {
        let key = item.key.encode();
        self.shared.store.write(
            |writer| {
                let (header, made) = self.put_one(writer, container, &key, item, if_there)?;
                Ok((row(container, &key, &header)?, made))
            },
            |(row, _)| self.written(container, row),
        )
    }

    fn put_one(
        &self,
        writer: &mut Writer<'_>,
        container: &Container,
        key: &[u8],
        item: &NewItem,
        if_there: IfThere,
    ) -> Result<(Header, bool), EngineError> {
        let found = self.find(writer, container, key)?;
        let rid = match found.visible() {
            Some(_) if if_there == IfThere::Refuse => {
                return Err(Refusal::new(
                    409,
                    format!("An item with the id {} exists already in this partition.", item.key.id),
                )
                .with_hint("Change the id, or open that item and update it.")
                .into());
            }
            Some(there) => there.header.rid,
            None => writer.next_number(),
        };
        let header = header_of(item, found.ts(), rid, writer.next_number());
        writer.put(container.no, key, found.header(), header, item.body.as_bytes())?;
        Ok((header, !found.visible))
    }

    /// When an item with this header expires, by the container's setting of this moment.
    fn expiry_of(&self, no: ContainerNo, header: &Header) -> Option<Instant> {
        fate_of(header, self.shared.default_of(no)).at().map(Instant::from_secs)
    }

    /// After a write, still under the writer's lock: the agenda follows, everybody is told.
    fn written(&self, container: &Container, row: &Row) {
        let at = row.fate(self.shared.default_of(container.no)).at();
        let changed = Changed { count: 1, first: at.map(Instant::from_secs) };
        self.changed(container.no, &changed, |count| Event::Written {
            container: container.no,
            count,
            key: Some(row.key.clone()),
        });
    }

    /// After a commit, still under the writer's lock: plans the deletion, tells everybody.
    fn changed(&self, no: ContainerNo, changed: &Changed, event: impl FnOnce(u64) -> Event) {
        if let Some(at) = changed.first
            && self.shared.agenda.lock().note(no, at)
        {
            self.shared.background.wake();
        }
        if changed.count > 0 {
            self.shared.tell(&event(changed.count));
        }
    }

    /// Does something with each key, in atomic writes of up to 1,000: `change` says nothing for an item that is not
    /// there, and else when it expires now.
    fn each_chunk(
        &self,
        no: ContainerNo,
        keys: &[Key],
        mut change: impl FnMut(&mut Writer<'_>, &Container, &[u8]) -> Result<Option<Option<Instant>>, EngineError>,
        event: impl Fn(u64, Option<Key>) -> Event,
    ) -> Result<u64, EngineError> {
        let container: Arc<Container> = self.shared.container(no)?;
        let mut total = 0;
        for chunk in keys.chunks(CHUNK) {
            total += self
                .shared
                .store
                .write(
                    |writer| {
                        let mut changed = Changed::default();
                        for key in chunk {
                            if let Some(at) = change(writer, &container, key)? {
                                changed.add(at);
                            }
                        }
                        Ok::<_, EngineError>(changed)
                    },
                    |changed| {
                        let only = if keys.len() == 1 { keys.first().cloned() } else { None };
                        self.changed(no, changed, |count| event(count, only));
                    },
                )?
                .count;
        }
        Ok(total)
    }
}

fn row(container: &Container, key: &[u8], header: &Header) -> Result<Row, EngineError> {
    row_of(container, key, header).ok_or_else(|| Refusal::bad_request("The key of the item cannot be read.").into())
}

fn missing(id: &str) -> Refusal {
    Refusal::new(404, format!("There is no item {id} any more: it expired, or it was deleted."))
}

/// The id in a key, for words.
fn id_of(container: &Container, key: &[u8]) -> String {
    ItemKey::decode(key, container.partition_key.paths().len()).map_or_else(String::new, |key| key.id)
}

fn matches(stored: &Header, if_match: Option<u64>) -> Result<(), Refusal> {
    match if_match {
        Some(etag) if etag != stored.etag => {
            Err(Refusal::new(412, "The item was written since it was read: its _etag is another one."))
        }
        _ => Ok(()),
    }
}
