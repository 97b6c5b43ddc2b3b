//! Reading items one by one: as a client sees it, as it is stored, and all of a container for an export.

use std::ops::Bound;

use crate::store::{Direction, StoredItem};

use super::document::id_of;
use super::items::missing;
use super::{Container, ContainerNo, Document, Engine, EngineError};

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
}
