//! An item as a list shows it: made from the stored header and key, without parsing the document.

use std::sync::Arc;

use crate::domain::nosql::{DefaultTtl, Fate, ItemTtl, PartitionValue, fate};

/// The stored key of an item: opaque bytes that order a container.
pub type Key = Arc<[u8]>;

/// An item of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its stored key.
    pub key: Key,
    /// Its id.
    pub id: String,
    /// The values of its partition key, one a level.
    pub partition: Vec<PartitionValue>,
    /// The second of its last write, since 1970 UTC.
    pub ts: i64,
    /// Its own `ttl`.
    pub ttl: ItemTtl,
    /// New with each write.
    pub etag: u64,
    /// It has a property that people take for a `ttl` and that has no effect.
    pub has_lookalike: bool,
}

impl Row {
    /// What becomes of it in a container with this default.
    pub fn fate(&self, default: DefaultTtl) -> Fate {
        fate(default, self.ttl, self.ts)
    }
}
