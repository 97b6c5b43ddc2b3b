//! `insert`, `update`, `replace`, `delete`: the engine does each document whole, and says how far it came.

use bson::{Bson, Document, doc};

use crate::domain::Refusal;
use crate::domain::mongodb::{MongoError, shell_text};
use crate::engine::EngineError;
use crate::query::mongodb::{Filter, Update, check_storable};
use crate::shell::{InsertForm, Kind, Removal};

use super::read::number;
use super::{Executor, in_mongodb, not_inserted};

/// What a change of one document came to: an error of the language, or of the engine.
enum Fault {
    Mongo(MongoError),
    Engine(EngineError),
}

impl From<EngineError> for Fault {
    fn from(error: EngineError) -> Self {
        Fault::Engine(error)
    }
}

impl Executor<'_> {
    /// Inserts documents. Those before one that is refused stay; those behind it are inserted when it is not `ordered`.
    pub fn insert(
        &mut self,
        collection: &str,
        documents: Vec<Document>,
        form: InsertForm,
        ordered: bool,
    ) -> Result<(), MongoError> {
        documents.iter().try_for_each(check_storable)?;
        let (no, _) = self.collection_or_new(collection)?;
        let many = documents.len() > 1;
        let mut ids = Vec::with_capacity(documents.len());
        let mut refused: Option<(usize, Refusal)> = None;
        let mut left = documents.into_iter();
        let mut at = 0;
        while left.len() > 0 {
            let batch: Vec<Document> = left.by_ref().take(if ordered { usize::MAX } else { 1 }).collect();
            let length = batch.len();
            let made = self.engine.insert_documents(no, batch).map_err(in_mongodb)?;
            ids.extend(made.ids);
            if let Some((index, refusal)) = made.refused {
                refused.get_or_insert((at + index, refusal));
            }
            at += length;
        }
        let n = i32::try_from(ids.len()).unwrap_or(i32::MAX);
        if refused.is_none() || n > 0 {
            match form {
                InsertForm::Insert if many => {
                    let text = shell_text(&doc! { "writeErrors": [], "nInserted": n }.into());
                    self.print(Kind::Answer, format!("BulkWriteResult({text})"));
                }
                InsertForm::Insert => {
                    let text = shell_text(&doc! { "nInserted": n }.into());
                    self.print(Kind::Answer, format!("WriteResult({text})"));
                }
                InsertForm::One => {
                    let id = ids.into_iter().next().unwrap_or(Bson::Null);
                    self.answer(doc! { "acknowledged": true, "insertedId": id });
                }
                InsertForm::Many => self.answer(doc! { "acknowledged": true, "insertedIds": ids }),
            }
        }
        match refused {
            Some((index, refusal)) => {
                let mut error = not_inserted(&refusal, &self.namespace(collection));
                if many {
                    error.errmsg = format!("document {index}: {}", error.errmsg);
                }
                Err(error)
            }
            None => Ok(()),
        }
    }

    /// Updates the first document that matches, or all; with `upsert` one is made where none does.
    pub fn update(
        &mut self,
        collection: &str,
        filter: &Document,
        update: &Update,
        all: bool,
        upsert: bool,
    ) -> Result<(), MongoError> {
        let filter = Filter::new(filter)?;
        let (mut matched, mut modified) = (0i32, 0i32);
        if let Some(no) = self.collection(collection)? {
            for key in self.matching(no, &filter, all)? {
                let mut changes = false;
                // Under the writer's lock it may be another document than the one that was found.
                let written = self.engine.change_document(no, &key, |document| {
                    if !filter.matches(document) {
                        return Ok(None);
                    }
                    let changed = update.apply(document).map_err(Fault::Mongo)?;
                    changes = changed != *document;
                    Ok(Some(changed))
                });
                match written {
                    Ok(true) => {
                        matched += 1;
                        modified += i32::from(changes);
                    }
                    Ok(false) => {}
                    Err(fault) => {
                        let mut error = match fault {
                            Fault::Mongo(error) => error,
                            Fault::Engine(error) => in_mongodb(error),
                        };
                        if matched > 0 {
                            error.errmsg = format!("{} ({matched} documents were updated before)", error.errmsg);
                        }
                        return Err(error);
                    }
                }
            }
        }
        let mut upserted = None;
        if matched == 0 && upsert {
            let made = update.upsert(&filter)?;
            let (no, _) = self.collection_or_new(collection)?;
            let made = self.engine.insert_documents(no, vec![made]).map_err(in_mongodb)?;
            if let Some((_, refusal)) = made.refused {
                return Err(not_inserted(&refusal, &self.namespace(collection)));
            }
            upserted = made.ids.into_iter().next();
        }
        let count = i32::from(upserted.is_some());
        self.answer(doc! {
            "acknowledged": true,
            "insertedId": upserted.unwrap_or(Bson::Null),
            "matchedCount": matched,
            "modifiedCount": modified,
            "upsertedCount": count,
        });
        Ok(())
    }

    /// Deletes the first document that matches, or all.
    pub fn delete(&mut self, collection: &str, filter: &Document, form: Removal) -> Result<(), MongoError> {
        let all = matches!(form, Removal::Many | Removal::Remove { just_one: false });
        let filter = Filter::new(filter)?;
        let deleted = match self.collection(collection)? {
            Some(no) => {
                let keys = self.matching(no, &filter, all)?;
                self.engine.delete_items(no, &keys).map_err(in_mongodb)?
            }
            None => 0,
        };
        let deleted = number(deleted);
        match form {
            Removal::Remove { .. } => {
                let text = shell_text(&doc! { "nRemoved": deleted }.into());
                self.print(Kind::Answer, format!("WriteResult({text})"));
            }
            Removal::One | Removal::Many => self.answer(doc! { "acknowledged": true, "deletedCount": deleted }),
        }
        Ok(())
    }
}
