//! Reading: short-lived views that see whole writes only.

use std::ops::Bound;
use std::sync::Arc;

use fjall::Readable;

use super::db::{Db, record_key, stats_key};
use super::stats::Stats;
use super::{ContainerNo, Counts, Expiry, Half, Store, StoreError, StoredItem, keys};

/// Which way a scan goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Upwards.
    Forward,
    /// Downwards.
    Backward,
}

/// An entry of the expiry index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The half it stands in.
    pub half: Half,
    /// Its instant: of the last write, or of expiration.
    pub instant: i64,
    /// The item's key.
    pub key: Arc<[u8]>,
    /// The collection that lists the item.
    pub collection: Option<ContainerNo>,
}

impl Entry {
    /// The expiry that an item with this entry has.
    pub fn expiry(&self) -> Expiry {
        match self.half {
            Half::Inherit => Expiry::Inherit,
            Half::Own => Expiry::Own { at: self.instant },
        }
    }
}

/// A number counted up to a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counted {
    /// How many were counted.
    pub n: u64,
    /// There are more.
    pub more: bool,
}

/// A view of the store at one moment. Keep it short: it holds disk space, and a database that must be opened again
/// waits for it.
pub struct Snapshot {
    db: Arc<Db>,
    view: fjall::Snapshot,
}

impl Store {
    /// The store as it is now.
    ///
    /// # Errors
    /// The database is being opened again.
    pub fn snapshot(&self) -> Result<Snapshot, StoreError> {
        // The shared side of the lock whose exclusive side is held around a commit: fjall's own snapshots can see half
        // of one.
        let slot = self.db.read();
        let db = slot.as_ref().ok_or(StoreError::Reopening)?.clone();
        let view = db.database.snapshot();
        Ok(Snapshot { db, view })
    }
}

impl Snapshot {
    /// An item.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn get(&self, no: ContainerNo, key: &[u8]) -> Result<Option<StoredItem>, StoreError> {
        if !keys::is_storable(key) {
            return Ok(None);
        }
        Ok(self.view.get(&self.db.items, keys::item(no, key))?.and_then(StoredItem::of))
    }

    /// The items of a container in the order of their keys, from a key on.
    pub fn items(
        &self,
        no: ContainerNo,
        from: Bound<&[u8]>,
        direction: Direction,
    ) -> impl Iterator<Item = Result<(Arc<[u8]>, StoredItem), StoreError>> + use<> {
        let from = from.map(|key| keys::item(no, keys::place(key)));
        let range = bounds(no, from, direction);
        let iter = directed(self.view.range(&self.db.items, range), direction);
        iter.filter_map(|guard| match guard.into_inner() {
            Ok((key, value)) => {
                let (_, key) = keys::of_item(&key)?;
                Some(Ok((Arc::from(key), StoredItem::of(value)?)))
            }
            Err(error) => Some(Err(error.into())),
        })
    }

    /// The entries of one half of a container's index in the order of (instant, key), from a place on. An open start
    /// means the watermark.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn entries(
        &self,
        no: ContainerNo,
        half: Half,
        from: Bound<(i64, &[u8])>,
        direction: Direction,
    ) -> Result<impl Iterator<Item = Result<Entry, StoreError>> + use<>, StoreError> {
        let stats = self.stats(no)?;
        let low = keys::entry(no, stats.from(half), &[]);
        let from = from.map(|(instant, key)| keys::entry(no, instant, keys::place(key)));
        let range = match direction {
            Direction::Forward => {
                let (from, end) = bounds(no, from, direction);
                let start = match from {
                    Bound::Included(key) if key < low => Bound::Included(low),
                    Bound::Unbounded => Bound::Included(low),
                    other => other,
                };
                (start, end)
            }
            Direction::Backward => {
                let (_, end) = bounds(no, from, direction);
                let below = matches!(&end, Bound::Included(key) | Bound::Excluded(key) if *key < low);
                if below { (Bound::Included(low.clone()), Bound::Excluded(low)) } else { (Bound::Included(low), end) }
            }
        };
        let iter = directed(ranged(&self.view, &self.db, half, range), direction);
        Ok(iter.filter_map(move |guard| match guard.into_inner() {
            Ok((key, value)) => {
                let (_, instant, key) = keys::of_entry(&key)?;
                Some(Ok(Entry { half, instant, key: Arc::from(key), collection: keys::collection(&value) }))
            }
            Err(error) => Some(Err(error.into())),
        }))
    }

    /// How many entries of a half have an instant behind `after` (where given) and at most `through`, up to `limit`.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn count_entries(
        &self,
        no: ContainerNo,
        half: Half,
        after: Option<i64>,
        through: i64,
        limit: u64,
    ) -> Result<Counted, StoreError> {
        let mut counted = Counted::default();
        self.each_instant(no, half, after, through, |_| {
            counted.more = counted.n == limit;
            counted.n += u64::from(!counted.more);
            !counted.more
        })?;
        Ok(counted)
    }

    /// Visits the instants of the entries of a half, behind `after` (where given) and at most `through`, in their order,
    /// until one is answered with false.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn each_instant(
        &self,
        no: ContainerNo,
        half: Half,
        after: Option<i64>,
        through: i64,
        mut visit: impl FnMut(i64) -> bool,
    ) -> Result<(), StoreError> {
        let first = after.map_or(Some(i64::MIN), |after| after.checked_add(1));
        let Some(first) = first else {
            return Ok(());
        };
        let start = first.max(self.stats(no)?.from(half));
        if start > through {
            return Ok(());
        }
        let end = match through.checked_add(1) {
            Some(end) => Bound::Excluded(keys::entry(no, end, &[])),
            None => behind(no),
        };
        let range = (Bound::Included(keys::entry(no, start, &[])), end);
        for guard in ranged(&self.view, &self.db, half, range) {
            let key = guard.key()?;
            if keys::of_entry(&key).is_some_and(|(_, instant, _)| !visit(instant)) {
                break;
            }
        }
        Ok(())
    }

    /// The counts of a container.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn counts(&self, no: ContainerNo) -> Result<Counts, StoreError> {
        Ok(self.stats(no)?.counts)
    }

    /// The instant of the newest write to a container, in its unit, also of an item that is gone.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn newest(&self, no: ContainerNo) -> Result<Option<i64>, StoreError> {
        Ok(Some(self.stats(no)?.newest).filter(|newest| *newest > i64::MIN))
    }

    /// A record of the engine.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn record(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.view.get(&self.db.meta, record_key(name))?.map(|bytes| bytes.to_vec()))
    }

    /// The records of the engine whose name starts so: name and value.
    pub fn records(&self, prefix: &str) -> impl Iterator<Item = Result<(String, Vec<u8>), StoreError>> + use<> {
        let skip = record_key("").len();
        self.view.prefix(&self.db.meta, record_key(prefix)).map(move |guard| {
            let (key, value) = guard.into_inner()?;
            Ok((String::from_utf8_lossy(&key[skip..]).into_owned(), value.to_vec()))
        })
    }

    pub(super) fn stats(&self, no: ContainerNo) -> Result<Stats, StoreError> {
        let stored = self.view.get(&self.db.meta, stats_key(no))?;
        Ok(stored.and_then(|bytes| Stats::decode(&bytes)).unwrap_or_default())
    }

    pub(super) fn db(&self) -> &Db {
        &self.db
    }

    pub(super) fn view(&self) -> &fjall::Snapshot {
        &self.view
    }
}

type Range = (Bound<Vec<u8>>, Bound<Vec<u8>>);

/// The keys of a container from a place on, in a direction.
fn bounds(no: ContainerNo, from: Bound<Vec<u8>>, direction: Direction) -> Range {
    let start = Bound::Included(keys::container(no).to_vec());
    match (direction, from) {
        (_, Bound::Unbounded) => (start, behind(no)),
        (Direction::Forward, from) => (from, behind(no)),
        (Direction::Backward, from) => (start, from),
    }
}

fn behind(no: ContainerNo) -> Bound<Vec<u8>> {
    keys::behind_container(no).map_or(Bound::Unbounded, |end| Bound::Excluded(end.to_vec()))
}

/// fjall's range panics on one that ends before it starts; that one is empty.
fn ranged(
    view: &fjall::Snapshot,
    db: &Db,
    half: Half,
    range: Range,
) -> Box<dyn DoubleEndedIterator<Item = fjall::Guard>> {
    let empty = match &range {
        (Bound::Included(start), Bound::Excluded(end)) => start >= end,
        (Bound::Included(start), Bound::Included(end)) => start > end,
        (Bound::Excluded(start), Bound::Included(end) | Bound::Excluded(end)) => start >= end,
        _ => false,
    };
    if empty { Box::new(std::iter::empty()) } else { Box::new(view.range(db.half(half), range)) }
}

fn directed<I>(iter: I, direction: Direction) -> Box<dyn Iterator<Item = fjall::Guard>>
where
    I: DoubleEndedIterator<Item = fjall::Guard> + 'static,
{
    match direction {
        Direction::Forward => Box::new(iter),
        Direction::Backward => Box::new(iter.rev()),
    }
}
