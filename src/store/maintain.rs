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
        {
            let mut state = self.writer.lock();
            if state.dead < WORTH_IT || state.dead < live {
                return Ok(false);
            }
            state.dead = 0;
        }
        let db = self.current()?;
        for keyspace in [&db.items, &db.inherit, &db.own, &db.meta] {
            keyspace.rotate_memtable_and_wait()?;
            keyspace.major_compact()?;
        }
        Ok(true)
    }
}
