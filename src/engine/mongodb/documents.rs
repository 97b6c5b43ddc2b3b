//! Operations on typed documents: what the shell and the command line ask for.

use std::ops::{Bound, ControlFlow};

use bson::oid::ObjectId;
use bson::{Bson, Document};

use crate::domain::Refusal;
use crate::domain::mongodb::key_of_id;
use crate::engine::draft::Draft;
use crate::engine::{ContainerNo, Engine, EngineError, Key, Kind};
use crate::store::Direction;

use super::MongoDocument;
use super::stored::document_of;

/// What an insert came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Inserted {
    /// The ids of those that were inserted, in their order.
    pub ids: Vec<Bson>,
    /// The index of the one that was refused, and why.
    pub refused: Option<(usize, Refusal)>,
}

impl Engine {
    /// Inserts documents one after another; those without an `_id` get one. The first
    /// that is refused ends it: those before it are stored.
    ///
    /// # Errors
    /// The disk refuses: writes before that are stored.
    pub fn insert_documents(&self, no: ContainerNo, documents: Vec<Document>) -> Result<Inserted, EngineError> {
        self.collection_of_mongodb(no)?;
        let mut inserted = Inserted { ids: Vec::with_capacity(documents.len()), refused: None };
        for (index, document) in documents.into_iter().enumerate() {
            let made = MongoDocument::new(document, || self.new_object_id()).map_err(EngineError::from);
            let made = made.and_then(|document| {
                let id = document.id.clone();
                self.put_draft(no, &Draft::MongoDb(document)).map(|()| id)
            });
            match made {
                Ok(id) => inserted.ids.push(id),
                Err(EngineError::Refused(refusal)) => {
                    inserted.refused = Some((index, refusal));
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(inserted)
    }

    /// Hands the visible documents over in the order of their ids, with their keys, until `each` breaks off.
    ///
    /// # Errors
    /// 404 for the collection; the store cannot be read.
    pub fn each_document<B>(
        &self,
        no: ContainerNo,
        mut each: impl FnMut(Key, Document) -> ControlFlow<B>,
    ) -> Result<Option<B>, EngineError> {
        let container = self.collection_of_mongodb(no)?;
        let now = self.now();
        let snapshot = self.shared.store.snapshot()?;
        for item in snapshot.items(no, Bound::Unbounded, Direction::Forward) {
            let (key, item) = item?;
            if container.hides(&item.header, now) {
                continue;
            }
            if let Some(document) = document_of(&item.body)
                && let ControlFlow::Break(result) = each(key, document)
            {
                return Ok(Some(result));
            }
        }
        Ok(None)
    }

    /// A visible document by its `_id`, with its key.
    ///
    /// # Errors
    /// 404 for the collection; the store cannot be read.
    pub fn document_by_id(&self, no: ContainerNo, id: &Bson) -> Result<Option<(Key, Document)>, EngineError> {
        let container = self.collection_of_mongodb(no)?;
        // What cannot be an `_id` is none.
        let Ok(key) = key_of_id(id) else { return Ok(None) };
        let stored = self.shared.store.snapshot()?.get(no, &key)?;
        let seen = stored.filter(|item| !container.hides(&item.header, self.now()));
        Ok(seen.and_then(|item| Some((Key::from(key), document_of(&item.body)?))))
    }

    /// Changes a document: `change` gets it as it is under the writer's lock and returns what shall be in its place, or
    /// nothing to leave it alone. Says whether it was written; a document that is not there (or expired) is not.
    ///
    /// # Errors
    /// Those of `change`; a document that cannot be stored; the disk refuses.
    pub fn change_document<E: From<EngineError>>(
        &self,
        no: ContainerNo,
        key: &[u8],
        change: impl FnOnce(&Document) -> Result<Option<Document>, E>,
    ) -> Result<bool, E> {
        self.change_draft(no, key, |body| {
            let Some(document) = document_of(body) else { return Ok(None) };
            let Some(changed) = change(&document)? else { return Ok(None) };
            let id = document.get("_id").cloned().unwrap_or(Bson::Null);
            let changed = MongoDocument::new(changed, || id).map_err(EngineError::from)?;
            Ok(Some(Draft::MongoDb(changed)))
        })
    }

    /// A new ObjectId; the second in it is the engine's.
    pub(in crate::engine) fn new_object_id(&self) -> Bson {
        let mut bytes = ObjectId::new().bytes();
        let second = u32::try_from(self.now().secs()).unwrap_or(0);
        bytes[..4].copy_from_slice(&second.to_be_bytes());
        ObjectId::from_bytes(bytes).into()
    }

    fn collection_of_mongodb(&self, no: ContainerNo) -> Result<std::sync::Arc<crate::engine::Container>, Refusal> {
        let container = self.shared.container(no)?;
        match container.kind {
            Kind::MongoDb { .. } => Ok(container),
            _ => Err(Refusal::bad_request("This is no collection of MongoDB.")),
        }
    }
}
