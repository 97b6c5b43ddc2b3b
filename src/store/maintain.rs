//! Giving disk space back: tombstones take room until a compaction.

use super::{Store, StoreError};

/// Fewer dead entries than this are left to fjall's own compactions.
const WORTH_IT: u64 = 100_000;

impl Store {
    /// Compacts when the dead outweigh the living. For a moment of rest: it takes a second or so. Returns whether it
    /// did anything.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn maintain(&self, live: u64) -> Result<bool, StoreError> {
        let db = self.current()?;
        // Entries on the disk and in memory, tombstones and what they hide included.
        let entries = db.items.approximate_len() as u64;
        let dead = entries.saturating_sub(live);
        if dead < WORTH_IT || dead < live {
            return Ok(false);
        }
        for keyspace in [&db.items, &db.inherit, &db.own, &db.meta] {
            db.write_out(keyspace)?;
            keyspace.major_compact()?;
        }
        Ok(true)
    }
}
