//! An item as a list shows it: made from the stored header and key, without parsing the document.

use std::sync::Arc;

use crate::domain::Instant;
use crate::domain::mongodb::DocumentTtl;
use crate::domain::nosql::{Fate, ItemTtl, PartitionValue, Source, fate};
use crate::domain::ravendb::Expires;
use crate::domain::time::TICKS_PER_SECOND;
use crate::store::ContainerNo;

use super::Container;

/// The stored key of an item: opaque bytes that order a container.
pub type Key = Arc<[u8]>;

/// What an item says of its own end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// NoSQL: its own `ttl`, counted from its last write.
    Ttl(ItemTtl),
    /// MongoDB: the same, or a typed value that does not count.
    Typed(DocumentTtl),
    /// RavenDB: its `@expires`.
    Expires(Expires),
}

/// An item of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its stored key.
    pub key: Key,
    /// Its id.
    pub id: String,
    /// The values of its partition key, one a level.
    pub partition: Vec<PartitionValue>,
    /// The collection that lists it.
    pub collection: Option<ContainerNo>,
    /// When it was written last; in Cosmos DB a whole second.
    pub written: Instant,
    /// What it says of its own end.
    pub lifetime: Lifetime,
    /// New with each write.
    pub etag: u64,
    /// It has a property that people take for a time to live and that has no effect.
    pub has_lookalike: bool,
}

/// The end of an item that has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The first instant at which it is expired.
    pub at: Instant,
    /// Seconds from its last write to that instant.
    pub life: u32,
    /// Who says so.
    pub source: Source,
}

impl Row {
    /// Its end in this container; `None` for an item that never expires.
    pub fn end(&self, container: &Container) -> Option<End> {
        let ttl = match &self.lifetime {
            Lifetime::Ttl(ttl) => *ttl,
            Lifetime::Typed(ttl) => ttl.clone().effective(),
            Lifetime::Expires(expires) => {
                let at = expires.at()?;
                let life = at.ticks_since(self.written) / TICKS_PER_SECOND;
                let life = u32::try_from(life.max(0)).unwrap_or(u32::MAX);
                return Some(End { at, life, source: Source::Item });
            }
        };
        match fate(container.default_ttl(), ttl, self.written.secs()) {
            Fate::At { at, ttl, source } => Some(End { at: Instant::from_secs(at), life: ttl, source }),
            Fate::Never(_) => None,
        }
    }

    /// Whether its time has passed at `now`.
    pub fn is_expired(&self, container: &Container, now: Instant) -> bool {
        self.end(container).is_some_and(|end| end.at <= now)
    }

    /// Whether no read sees it at `now`.
    pub fn is_hidden(&self, container: &Container, now: Instant) -> bool {
        container.hides_expired() && self.is_expired(container, now)
    }
}
