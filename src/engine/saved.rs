//! Queries that were saved under a name, for each system.

use serde::{Deserialize, Serialize};

use crate::domain::Refusal;
use crate::domain::nosql::check_name;

use super::{Api, Engine, EngineError, records};

/// A query with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedQuery {
    /// The system whose language it is in.
    pub api: Api,
    /// Its name, one in the system.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Engine {
    /// All that are saved, by system and name.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn saved_queries(&self) -> Result<Vec<SavedQuery>, EngineError> {
        let snapshot = self.shared.store.snapshot()?;
        Ok(match snapshot.record(records::SAVED_QUERIES)? {
            Some(bytes) => records::decode(records::SAVED_QUERIES, &bytes)?,
            None => Vec::new(),
        })
    }

    /// Saves a query; one of the same system and name is replaced. Answers with all.
    ///
    /// # Errors
    /// 400 for a name that cannot be one; the disk refuses.
    pub fn save_query(&self, query: SavedQuery) -> Result<Vec<SavedQuery>, EngineError> {
        check_name(&query.name).map_err(|fault| Refusal::bad_request(format!("The name {fault}.")))?;
        self.change_saved(query.api, &query.name.clone(), Some(query))
    }

    /// Deletes a saved query. Answers with those that are left.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn delete_saved_query(&self, api: Api, name: &str) -> Result<Vec<SavedQuery>, EngineError> {
        self.change_saved(api, name, None)
    }

    /// Puts a query in place of that of a name.
    fn change_saved(&self, api: Api, name: &str, query: Option<SavedQuery>) -> Result<Vec<SavedQuery>, EngineError> {
        self.shared.store.write(
            |writer| {
                let mut kept: Vec<SavedQuery> = match writer.record(records::SAVED_QUERIES)? {
                    Some(bytes) => records::decode(records::SAVED_QUERIES, &bytes)?,
                    None => Vec::new(),
                };
                kept.retain(|old| (old.api, old.name.as_str()) != (api, name));
                kept.extend(query);
                kept.sort_by(|a, b| (a.api.to_string(), &a.name).cmp(&(b.api.to_string(), &b.name)));
                writer.put_record(records::SAVED_QUERIES, &records::encode(&kept)?);
                Ok(kept)
            },
            |_| {},
        )
    }
}
