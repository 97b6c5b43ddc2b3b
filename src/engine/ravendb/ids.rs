//! Ids that are made: `users/1-A`. Numbers are taken in ranges, as the client does, so that most ids cost no write.

use std::collections::HashMap;

use parking_lot::Mutex;

use crate::domain::Refusal;
use crate::domain::ravendb::{id_prefix, key_of_id};
use crate::engine::{ContainerNo, Engine, EngineError, records};

/// Numbers of one range.
const RANGE: u64 = 32;

/// The ranges that are in use: the next number and the first behind the range.
#[derive(Default)]
pub struct Ids(Mutex<HashMap<String, (u64, u64)>>);

impl Engine {
    /// An id for a new document of a collection, one that no document has.
    ///
    /// # Errors
    /// The store cannot be read or written.
    pub(in crate::engine) fn new_document_id(
        &self,
        documents: ContainerNo,
        collection: &str,
    ) -> Result<String, Refusal> {
        let prefix = id_prefix(collection);
        loop {
            let number = self.next_in_range(documents, &prefix).map_err(EngineError::into_refusal)?;
            let id = format!("{prefix}/{number}-A");
            let taken = self.shared.store.snapshot().and_then(|snapshot| snapshot.get(documents, &key_of_id(&id)));
            if taken.map_err(|error| EngineError::from(error).into_refusal())?.is_none() {
                return Ok(id);
            }
        }
    }

    fn next_in_range(&self, documents: ContainerNo, prefix: &str) -> Result<u64, EngineError> {
        let record = records::ids(documents, &prefix.to_lowercase());
        let mut ranges = self.shared.ids.0.lock();
        let range = ranges.entry(record.clone()).or_insert((1, 1));
        if range.0 == range.1 {
            *range = self.shared.store.write(
                |writer| {
                    let taken: u64 = match writer.record(&record)? {
                        Some(bytes) => records::decode(&record, &bytes)?,
                        None => 0,
                    };
                    writer.put_record(&record, &records::encode(&(taken + RANGE))?);
                    Ok::<_, EngineError>((taken + 1, taken + RANGE + 1))
                },
                |_| {},
            )?;
        }
        range.0 += 1;
        Ok(range.0 - 1)
    }

    /// Forgets the ranges of a database that goes.
    pub(in crate::engine) fn forget_ids(&self, documents: ContainerNo) {
        let prefix = records::ids(documents, "");
        self.shared.ids.0.lock().retain(|record, _| !record.starts_with(&prefix));
    }
}
