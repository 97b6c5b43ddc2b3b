//! Reading items one by one: as a client sees it, as it is stored, and all of a container for an export.

use std::ops::Bound;

use crate::store::{Direction, StoreError, StoredItem};

use super::document::id_of;
use super::items::missing;
use super::{Container, ContainerNo, Document, Engine, EngineError, Key};

/// Which items of a container are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which<'a> {
    /// All that are stored, hidden ones too.
    Stored,
    /// Those that reads see.
    Visible,
    /// Of those the ones with these keys, in their order.
    These(&'a [Key]),
}

impl Engine {
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

    /// Hands the texts of items of a container or collection over, such that they can be made again from them; an error
    /// stands for a stretch of the store that cannot be read.
    ///
    /// # Errors
    /// Those of `each`; 404 for the container.
    pub fn each_body<E: From<EngineError>>(
        &self,
        no: ContainerNo,
        which: Which<'_>,
        each: impl FnMut(Result<String, EngineError>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.each_stored(no, which, |root, _, item| Some(Document::export(root, item)), each)
    }

    /// The same with what the system adds to a document.
    ///
    /// # Errors
    /// Those of `each`; 404 for the container.
    pub fn each_text<E: From<EngineError>>(
        &self,
        no: ContainerNo,
        which: Which<'_>,
        each: impl FnMut(Result<String, EngineError>) -> Result<(), E>,
    ) -> Result<(), E> {
        let now = self.now();
        let text = |root: &Container, key: &[u8], item: &StoredItem| {
            Document::of(root, key, item, now).map(|document| document.text)
        };
        self.each_stored(no, which, text, each)
    }

    fn each_stored<E: From<EngineError>>(
        &self,
        no: ContainerNo,
        which: Which<'_>,
        text: impl Fn(&Container, &[u8], &StoredItem) -> Option<String>,
        mut each: impl FnMut(Result<String, EngineError>) -> Result<(), E>,
    ) -> Result<(), E> {
        let root = self.shared.root(no).map_err(EngineError::from)?;
        let snapshot = self.shared.store.snapshot().map_err(EngineError::from)?;
        let now = self.now();
        let mut hand_over = |found: Result<Option<(Key, StoredItem)>, StoreError>| match found {
            Ok(Some((_, item))) if which != Which::Stored && root.hides(&item.header, now) => Ok(()),
            Ok(Some((key, item))) => text(&root, &key, &item).map_or(Ok(()), |text| each(Ok(text))),
            Ok(None) => Ok(()),
            Err(error) => each(Err(error.into())),
        };
        let stored = |key: Key| Ok(snapshot.get(root.no, &key)?.map(|item| (key, item)));
        if let Which::These(keys) = which {
            return keys.iter().try_for_each(|key| hand_over(stored(key.clone())));
        }
        for item in snapshot.items(no, Bound::Unbounded, Direction::Forward) {
            // A collection lists its documents; the database has them.
            hand_over(item.and_then(|(key, item)| if root.no == no { Ok(Some((key, item))) } else { stored(key) }))?;
        }
        Ok(())
    }
}
