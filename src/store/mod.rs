//! The embedded store: fjall, and the only module that names it.
//!
//! An item, its entry in the expiry index and the counts of its container are kept by one atomic write.
//! The index has two ordered halves: [`Half::Inherit`] entries are keyed by the instant of the last write, so that a
//! container's default never stands in a key and changing it costs nothing; [`Half::Own`] entries are keyed by the
//! instant of expiration itself.
//!
//! A container may have collections ([`Listed`]): each is a container of its own that lists some of the items, so that
//! it has their order, an index and counts, while the documents and the order of expiration stay in one place.
//!
//! The store knows no rules and no clock. Instants are opaque, ordered `i64`s whose unit belongs to the container
//! (seconds since 1970 UTC for Cosmos DB, 100 ns ticks for RavenDB).
//!
//! One writer at a time, in turn: whoever holds the writer's lock sees the newest state, so a sweep needs no proof but
//! the index entry. Readers take [`Snapshot`]s, which see whole writes only.

mod check;
mod creation;
mod db;
mod error;
mod header;
mod journal;
mod keys;
mod maintain;
mod manifest;
mod marker;
mod open;
mod options;
mod purge;
mod snapshot;
mod stats;
mod sweep;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use parking_lot::{Mutex, RwLock};
use serde::{Deserialize, Serialize};

use db::Db;
use marker::Marker;
use writer::State;

pub use check::Finding;
pub use error::StoreError;
pub use header::{Body, Expiry, Half, Header, Listed, StoredItem};
pub use options::Options;
pub use snapshot::{Counted, Direction, Entry, Snapshot};
pub use stats::Counts;
pub use sweep::{SweepRange, Swept};
pub use writer::Writer;

/// Number of a container inside a store. Never reused, not even after the container was deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ContainerNo(pub u32);

/// An open store.
pub struct Store {
    dir: PathBuf,
    marker: Marker,
    options: Options,
    /// The database. Its exclusive side is held around each commit, so that no snapshot sees half of one; `None` only
    /// while it is being opened again after a failed write.
    db: RwLock<Option<Arc<Db>>>,
    /// What only the writer of the moment knows and changes.
    writer: Mutex<State>,
    /// People's writes that wait for the lock: a sweep gives way to them.
    waiting: AtomicUsize,
    /// Something was written since the last sync.
    unsynced: AtomicBool,
    /// The directory was removed, or another store is in its place: nothing is written any more.
    gone: AtomicBool,
}

impl Store {
    /// The directory of the store.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}
