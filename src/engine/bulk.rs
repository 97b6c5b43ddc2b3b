//! Many items at once, in atomic writes of up to a thousand: store, delete, write again.

use std::sync::Arc;

use crate::domain::{Instant, Refusal};
use crate::store::{Expiry, Header, Writer};

use super::draft::Draft;
use super::items::{Changed, IfThere};
use super::{Api, Container, ContainerNo, Engine, EngineError, Event, Key};

/// Items of one atomic write of a long list.
const CHUNK: usize = 1_000;

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

impl Engine {
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
