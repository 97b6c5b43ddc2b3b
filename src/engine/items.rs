//! Create, upsert, replace, delete, write again, read: the same for all systems, whose differences are in [`Draft`].

use std::ops::Bound;
use std::sync::Arc;

use crate::domain::{Instant, Refusal};
use crate::store::{Direction, Expiry, Header, StoredItem, Writer};

use super::document::{id_of, row_of};
use super::draft::Draft;
use super::{Api, Container, ContainerNo, Document, Engine, EngineError, Event, Key, Row};

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
    /// It is there for a client: stored and not hidden.
    visible: bool,
    /// The present, in the container's unit.
    now: i64,
    /// When the new version says that it was written, if that is to be kept.
    written: Option<i64>,
}

/// A document on its way in.
#[derive(Clone, Copy, Debug)]
pub struct Incoming<'a> {
    /// Its text.
    pub text: &'a str,
    /// When it was written, where that is to be kept; else it is written now.
    pub written: Option<Instant>,
}

/// What storing documents came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Stored {
    /// How many were made.
    pub created: u64,
    /// How many took the place of another.
    pub replaced: u64,
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
struct Changed {
    count: u64,
    /// When the first of the items expires.
    first: Option<Instant>,
    /// Collections that came into being.
    collections: Vec<Container>,
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

    /// The instant of a write: the later of the clock's and that of the item's last write, so that a clock that jumped
    /// back never makes an item older.
    fn ts(&self) -> i64 {
        self.written.unwrap_or_else(|| self.header().map_or(self.now, |old| self.now.max(old.ts)))
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
                writer.delete(container.no, key, old)?;
                Ok(Some(None))
            },
            |container, count, key| Event::Deleted { container, count, key },
        )
    }

    /// Writes items again, unchanged: the clock of a `ttl` restarts, an absolute `@expires` stays. Those that are not
    /// there (or expired) are passed over. Says how many were written.
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
                let expiry = match (old.expiry, container.api()) {
                    (Expiry::Own { at }, Api::NoSql | Api::MongoDb) => {
                        Expiry::Own { at: ts.saturating_add(at.saturating_sub(old.ts)) }
                    }
                    (other, _) => other,
                };
                let header = Header { ts, expiry, etag: writer.next_number(), ..old };
                writer.put(container.no, key, Some(old), header, &item.body)?;
                Ok(Some(container.end(&header)))
            },
            |container, count, key| Event::Written { container, count, key },
        )
    }

    /// An item as a client reads it.
    ///
    /// # Errors
    /// 404 when it is not there, or expired.
    pub fn item(&self, no: ContainerNo, key: &[u8]) -> Result<Document, EngineError> {
        match self.peek_item(no, key)? {
            Some(document) if !document.hidden => Ok(document),
            _ => Err(missing(&id_of(&*self.shared.container(no)?, key)).into()),
        }
    }

    /// An item whether it is expired or not; `None` when there are no bytes of it any more.
    ///
    /// # Errors
    /// 404 for the container; the store cannot be read.
    pub fn peek_item(&self, no: ContainerNo, key: &[u8]) -> Result<Option<Document>, EngineError> {
        let container = self.shared.root(no)?;
        let stored = self.shared.store.snapshot()?.get(container.no, key)?;
        Ok(stored.and_then(|item| Document::of(&container, key, &item, self.now())))
    }

    /// Hands the text of every stored item of a container or collection over, hidden ones too, such that it can be made
    /// again from it; an error stands for a stretch of the store that cannot be read.
    ///
    /// # Errors
    /// Those of `each`; 404 for the container.
    pub fn each_body<E: From<EngineError>>(
        &self,
        no: ContainerNo,
        each: impl FnMut(Result<String, EngineError>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.each_stored(no, |root, _, item| Some(Document::export(root, item)), each)
    }

    /// The same with what the system adds to a document.
    ///
    /// # Errors
    /// Those of `each`; 404 for the container.
    pub fn each_text<E: From<EngineError>>(
        &self,
        no: ContainerNo,
        each: impl FnMut(Result<String, EngineError>) -> Result<(), E>,
    ) -> Result<(), E> {
        let now = self.now();
        self.each_stored(no, |root, key, item| Document::of(root, key, item, now).map(|document| document.text), each)
    }

    fn each_stored<E: From<EngineError>>(
        &self,
        no: ContainerNo,
        text: impl Fn(&Container, &[u8], &StoredItem) -> Option<String>,
        mut each: impl FnMut(Result<String, EngineError>) -> Result<(), E>,
    ) -> Result<(), E> {
        let root = self.shared.root(no).map_err(EngineError::from)?;
        let snapshot = self.shared.store.snapshot().map_err(EngineError::from)?;
        for item in snapshot.items(no, Bound::Unbounded, Direction::Forward) {
            let whole = item.and_then(|(key, item)| {
                let item = if root.no == no { Some(item) } else { snapshot.get(root.no, &key)? };
                Ok(item.and_then(|item| text(&root, &key, &item)))
            });
            match whole {
                Ok(Some(text)) => each(Ok(text))?,
                Ok(None) => {}
                Err(error) => each(Err(error.into()))?,
            }
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
        refused: impl FnMut(usize, Refusal),
    ) -> Result<u64, EngineError> {
        let items: Vec<Incoming<'_>> =
            texts.iter().map(|text| Incoming { text: text.as_ref(), written: None }).collect();
        Ok(self.store_items(no, &items, false, refused)?.created)
    }

    /// Makes items, or with `replace` puts them in the place of those that are there, in atomic writes of up to 1,000; a
    /// document that is refused is told with its index, the others are stored.
    ///
    /// # Errors
    /// The disk refuses: the writes before that are stored.
    pub fn store_items(
        &self,
        no: ContainerNo,
        items: &[Incoming<'_>],
        replace: bool,
        mut refused: impl FnMut(usize, Refusal),
    ) -> Result<Stored, EngineError> {
        let container = self.shared.root(no)?;
        let if_there = if replace { IfThere::Replace } else { IfThere::Refuse };
        let mut stored = Stored::default();
        for (chunk_no, chunk) in items.chunks(CHUNK).enumerate() {
            let mut drafts = Vec::with_capacity(chunk.len());
            for (at, item) in chunk.iter().enumerate() {
                match Draft::parse(self, &container, item.text, None) {
                    Ok(draft) => drafts.push((chunk_no * CHUNK + at, draft, item.written)),
                    Err(refusal) => refused(chunk_no * CHUNK + at, refusal),
                }
            }
            self.shared.store.write(
                |writer| {
                    let (mut changed, mut created) = (Changed::default(), 0);
                    for (at, draft, written) in &drafts {
                        let key = draft.key();
                        match self.put_one(writer, &container, &key, draft, if_there, *written, &mut changed) {
                            Ok((header, made)) => {
                                changed.add(container.end(&header));
                                created += u64::from(made);
                            }
                            Err(EngineError::Refused(refusal)) => refused(*at, refusal),
                            Err(error) => return Err(error),
                        }
                    }
                    Ok((changed, created))
                },
                |(changed, created)| {
                    stored.created += created;
                    stored.replaced += changed.count - created;
                    self.written(&container, changed, None);
                },
            )?;
        }
        Ok(stored)
    }

    /// The item under the writer's lock, by the container's setting of this moment.
    fn find(&self, writer: &Writer<'_>, container: &Container, key: &[u8]) -> Result<Found, EngineError> {
        let stored = writer.get(container.no, key)?;
        let present = self.shared.container(container.no)?;
        let now = self.now();
        let visible = stored.as_ref().is_some_and(|item| !present.hides(&item.header, now));
        Ok(Found { stored, visible, now: container.stored(now), written: None })
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
    fn put_one(
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
    fn written(&self, container: &Container, changed: &Changed, row: Option<&Row>) {
        for collection in &changed.collections {
            self.change_catalog(|catalog| catalog.put_container(collection.clone()));
        }
        let key = row.map(|row| row.key.clone());
        self.changed(container.no, changed, |count| Event::Written { container: container.no, count, key });
    }

    /// After a commit, still under the writer's lock: plans the deletion, tells everybody.
    fn changed(&self, no: ContainerNo, changed: &Changed, event: impl FnOnce(u64) -> Event) {
        if let Some(at) = changed.first
            && self.shared.note_expiry(no, at)
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
        event: impl Fn(ContainerNo, u64, Option<Key>) -> Event,
    ) -> Result<u64, EngineError> {
        let container: Arc<Container> = self.shared.root(no)?;
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
                        self.changed(container.no, changed, |count| event(container.no, count, only));
                    },
                )?
                .count;
        }
        Ok(total)
    }
}

fn row(container: &Container, key: &[u8], header: &Header, bytes: &[u8]) -> Result<Row, EngineError> {
    row_of(container, key, header, bytes)
        .ok_or_else(|| Refusal::bad_request("The key of the item cannot be read.").into())
}

fn missing(id: &str) -> Refusal {
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
