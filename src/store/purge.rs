//! Purging containers that were dropped, in the background.

use parking_lot::MutexGuard;

use super::db::{dropped_key, stats_key};
use super::{Store, StoreError, Writer, keys};

impl Store {
    /// Whether a dropped container still has bytes.
    pub fn has_dropped(&self) -> bool {
        !self.writer.lock().dropped.is_empty()
    }

    /// Deletes up to `max` keys of a dropped container. Returns whether there is more to do.
    ///
    /// # Errors
    /// The disk refuses; the next call goes on where this one stood.
    pub fn purge_step(&self, max: usize) -> Result<bool, StoreError> {
        self.give_way()?;
        let mut state = self.lock()?;
        let Some(no) = state.dropped.first().copied() else {
            return Ok(false);
        };
        let db = self.current()?;
        let mut pending = Writer::new(&db, &mut state).finish();
        let prefix = keys::container(no);
        for keyspace in [&db.items, &db.inherit, &db.own] {
            let room = max.saturating_sub(pending.batch.len());
            for guard in keyspace.prefix(prefix).take(room) {
                pending.batch.remove(keyspace, guard.key()?);
            }
        }
        let emptied = pending.batch.len() < max;
        if emptied {
            pending.batch.remove(&db.meta, stats_key(no));
            pending.batch.remove(&db.meta, dropped_key(no));
        }
        self.commit(&mut state, pending)?;
        if emptied {
            state.dropped.remove(&no);
        }
        let more = !state.dropped.is_empty();
        MutexGuard::unlock_fair(state);
        Ok(more)
    }
}
