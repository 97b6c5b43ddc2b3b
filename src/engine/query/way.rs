//! Ways to the documents of a query: the key of one, the keys of a partition, the expiry index, or a scan of all.

use std::ops::Bound;

use serde_json::Value;

use crate::domain::Instant;
use crate::domain::nosql::{ItemKey, PartitionValue};
use crate::query::sql::Query;
use crate::store::{Direction, Half, Snapshot, StoredItem};

use super::{GoOn, asked, seen};
use crate::engine::{Container, EngineError, Key};

/// A point read costs as much as this many items of a scan.
const POINT_READ: u64 = 8;
/// Keys that are taken from the expiry index at most, so that memory stays small.
const MOST_KEYS: u64 = 100_000;

/// How the documents of an answer were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By the key of the only one that can match.
    Key,
    /// Among those of one partition, or of some levels of a partition key.
    Partition,
    /// Among those that a collection lists: RavenDB.
    Collection,
    /// By the expiry index, which knows when each was written.
    ExpiryIndex,
    /// By reading all.
    Scan,
}

impl Way {
    /// In words, behind the number of documents that were read: `read in one partition`.
    pub fn words(self) -> &'static str {
        match self {
            Way::Key => "found by its key",
            Way::Partition => "read within the partition",
            Way::Collection => "read in the collection",
            Way::ExpiryIndex => "read by the expiry index",
            Way::Scan => "read",
        }
    }
}

/// A way with what it needs.
pub(super) enum Source {
    Key(Vec<u8>),
    /// Keys that start so.
    Partition(Vec<u8>),
    /// Keys in their order.
    Keys(Vec<Key>),
    All,
}

impl Source {
    /// The shortest way to everything that a query can match.
    pub fn of(container: &Container, query: &Query, snapshot: &Snapshot) -> Result<Source, EngineError> {
        let (partition, whole) = partition(container, query);
        if let (true, Some(Value::String(id))) = (whole, query.equal("id")) {
            return Ok(Source::Key(ItemKey { partition, id: id.clone() }.encode()));
        }
        if !partition.is_empty() {
            return Ok(Source::Partition(ItemKey { partition, id: String::new() }.encode()));
        }
        Ok(written_within(container, query, snapshot)?.map_or(Source::All, Source::Keys))
    }

    pub fn way(&self) -> Way {
        match self {
            Source::Key(_) => Way::Key,
            Source::Partition(_) => Way::Partition,
            Source::Keys(_) => Way::ExpiryIndex,
            Source::All => Way::Scan,
        }
    }

    /// Hands the visible ones over in the order of their keys, until one is answered with false. Says how many were read.
    pub fn read(
        self,
        snapshot: &Snapshot,
        container: &Container,
        now: Instant,
        go_on: GoOn<'_>,
        mut each: impl FnMut(&Key, &StoredItem) -> bool,
    ) -> Result<u64, EngineError> {
        let mut read = 0;
        let (from, prefix) = match self {
            Source::Key(key) => {
                asked(&mut read, go_on)?;
                if let Some(item) = seen(snapshot, container, &key, now)? {
                    each(&key.into(), &item);
                }
                return Ok(read);
            }
            Source::Keys(keys) => {
                for key in keys {
                    asked(&mut read, go_on)?;
                    if seen(snapshot, container, &key, now)?.is_some_and(|item| !each(&key, &item)) {
                        break;
                    }
                }
                return Ok(read);
            }
            Source::Partition(prefix) => (Bound::Included(prefix.clone()), prefix),
            Source::All => (Bound::Unbounded, Vec::new()),
        };
        for item in snapshot.items(container.no, from.as_ref().map(Vec::as_slice), Direction::Forward) {
            let (key, item) = item?;
            if !key.starts_with(&prefix) {
                break;
            }
            asked(&mut read, go_on)?;
            if !container.hides(&item.header, now) && !each(&key, &item) {
                break;
            }
        }
        Ok(read)
    }
}

/// The first levels of the partition key that the conditions name, and whether they are all of them.
fn partition(container: &Container, query: &Query) -> (Vec<PartitionValue>, bool) {
    let paths = container.partition_key().map_or(&[][..], |key| key.paths());
    let named = paths.iter().map_while(|path| match query.equal(&path[1..].replace('/', "."))? {
        Value::Null => Some(PartitionValue::Null),
        Value::Bool(value) => Some(PartitionValue::Bool(*value)),
        Value::Number(n) => n.as_f64().map(|n| PartitionValue::Number(n + 0.0)),
        Value::String(text) => Some(PartitionValue::Text(text.clone())),
        Value::Array(_) | Value::Object(_) => None,
    });
    let named: Vec<PartitionValue> = named.collect();
    let whole = named.len() == paths.len();
    (named, whole)
}

/// The keys of what was written in the time that the conditions allow. The half of the index that has `_ts` in it knows
/// all items only while none has a ttl of its own; and where most would be read, a scan is faster.
fn written_within(container: &Container, query: &Query, snapshot: &Snapshot) -> Result<Option<Vec<Key>>, EngineError> {
    let Some((low, high)) = query.whole_range("_ts") else { return Ok(None) };
    let counts = snapshot.counts(container.no)?;
    if counts.inherit != counts.items() {
        return Ok(None);
    }
    let most = (counts.items() / POINT_READ).min(MOST_KEYS);
    let counted = snapshot.count_entries(container.no, Half::Inherit, low.checked_sub(1), high, most)?;
    if counted.more {
        return Ok(None);
    }
    let mut keys = Vec::new();
    for entry in snapshot.entries(container.no, Half::Inherit, Bound::Included((low, &[])), Direction::Forward)? {
        let entry = entry?;
        if entry.instant > high {
            break;
        }
        keys.push(entry.key);
    }
    keys.sort_unstable();
    Ok(Some(keys))
}
