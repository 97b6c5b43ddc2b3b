//! Deleting what is due: the index entry is the proof, no item is read.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;
use std::ops::Bound;
use std::sync::Arc;

use parking_lot::MutexGuard;

use super::db::{Db, stats_key};
use super::writer::State;
use super::{ContainerNo, Entry, Half, Store, StoreError, Writer, keys};

/// Up to where a container is due, inclusive, in its unit; `None` where nothing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SweepRange {
    /// Items that follow the container and were last written at this instant or before.
    pub inherit_through: Option<i64>,
    /// Items with an instant of their own at this one or before.
    pub own_through: Option<i64>,
}

impl SweepRange {
    fn through(&self, half: Half) -> Option<i64> {
        match half {
            Half::Inherit => self.inherit_through,
            Half::Own => self.own_through,
        }
    }
}

/// What one batch deleted.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Swept {
    /// The entries, each half in the order of (instant, key).
    pub entries: Vec<Entry>,
    /// The batch was full: more may be due.
    pub more: bool,
}

impl Store {
    /// Deletes one batch of at most `max` due items of a container. `range` is asked under the writer's lock, so that
    /// it speaks of the settings and the items as they are; `after` runs under it too.
    ///
    /// # Errors
    /// The disk refuses; the batch is deleted as a whole or not at all.
    pub fn sweep(
        &self,
        no: ContainerNo,
        range: impl FnOnce() -> Option<SweepRange>,
        max: usize,
        after: impl FnOnce(&Swept),
    ) -> Result<Swept, StoreError> {
        self.give_way()?;
        let mut state = self.lock()?;
        let Some(range) = range() else {
            return Ok(Swept::default());
        };
        let db = self.current()?;
        let mut swept = Swept::default();
        let mut marks = Vec::new();
        for half in Half::BOTH {
            if let Some(through) = range.through(half) {
                let start = state.start_of(&db, no, half)?;
                let (mark, next) = scan(&db, no, half, start, through, max, &mut swept)?;
                marks.push((half, mark, next));
            }
        }
        if swept.entries.is_empty() {
            for (half, mark, _) in marks {
                state.raise(no, half, mark);
            }
            return Ok(swept);
        }
        delete(self, &db, &mut state, no, &swept, &marks)?;
        for (half, _, next) in marks {
            state.set_cursor(no, half, next);
        }
        after(&swept);
        MutexGuard::unlock_fair(state);
        Ok(swept)
    }
}

/// Gathers what is due of a half. Returns the instant and the key below which nothing is left once it is deleted.
fn scan(
    db: &Db,
    no: ContainerNo,
    half: Half,
    start: Vec<u8>,
    through: i64,
    max: usize,
    swept: &mut Swept,
) -> Result<(i64, Vec<u8>), StoreError> {
    let behind = through.saturating_add(1);
    let end = keys::entry(no, behind, &[]);
    let from = keys::of_entry(&start).map_or(i64::MIN, |(_, instant, _)| instant);
    if start >= end && through < i64::MAX {
        return Ok((from, start));
    }
    let bound = match through.checked_add(1) {
        Some(_) => Bound::Excluded(end.clone()),
        None => keys::behind_container(no).map_or(Bound::Unbounded, |end| Bound::Excluded(end.to_vec())),
    };
    for guard in db.half(half).range((Bound::Included(start), bound)) {
        let (key, value) = guard.into_inner()?;
        let Some((_, instant, item)) = keys::of_entry(&key) else {
            continue;
        };
        if swept.entries.len() == max {
            swept.more = true;
            return Ok((instant, key.to_vec()));
        }
        let collection = keys::collection(&value);
        swept.entries.push(Entry { half, instant, key: Arc::from(item), collection });
    }
    Ok((behind, end))
}

fn delete(
    store: &Store,
    db: &Arc<Db>,
    state: &mut State,
    no: ContainerNo,
    swept: &Swept,
    marks: &[(Half, i64, Vec<u8>)],
) -> Result<(), StoreError> {
    let mut stats = BTreeMap::from([(no, state.stats(db, no)?)]);
    let mut pending = Writer::new(db, state).finish();
    for entry in &swept.entries {
        for place in [Some(no), entry.collection].into_iter().flatten() {
            pending.batch.remove(&db.items, keys::item(place, &entry.key));
            pending.batch.remove(db.half(entry.half), keys::entry(place, entry.instant, &entry.key));
            let of_place = match stats.entry(place) {
                Slot::Occupied(known) => known.into_mut(),
                Slot::Vacant(new) => new.insert(state.stats(db, place)?),
            };
            of_place.remove(entry.expiry());
        }
    }
    for (place, mut stats) in stats {
        for (half, mark, _) in marks {
            // What is gone from the container is gone from its collections.
            stats.raise(*half, stats.from(*half).max(*mark));
        }
        pending.batch.insert(&db.meta, stats_key(place), stats.encode());
        pending.set_stats(place, stats);
    }
    store.commit(state, pending)
}
