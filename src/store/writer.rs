//! Writing: one closure is one atomic write, and one writer at a time, in turn.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use fjall::OwnedWriteBatch;
use parking_lot::MutexGuard;

use super::db::{DROPPED, Db, NEXT_CONTAINER, NEXT_NUMBER, dropped_key, record_key, stats_key};
use super::stats::Stats;
use super::{ContainerNo, Half, Header, Store, StoreError, StoredItem, keys};

/// A sweep waits no longer than this for fjall.
const PATIENCE: Duration = Duration::from_secs(1);
/// Numbers are taken from the disk in blocks, so that most writes need not say how far they are.
const BLOCK: u64 = 1 << 16;

/// What the writer of the moment knows. It changes only after a commit that went well.
#[derive(Default)]
pub struct State {
    /// Counts and watermarks, as far as they were needed.
    stats: HashMap<ContainerNo, Stats>,
    /// Containers whose watermark rose without a write.
    raised: BTreeSet<ContainerNo>,
    /// Watermarks to the key: no entry of that half stands below. Many items expire in one second, and a watermark of
    /// seconds alone would go over the tombstones of that second again with each batch.
    cursors: HashMap<(ContainerNo, Half), Vec<u8>>,
    next_container: u32,
    next_number: u64,
    /// Numbers below this may be given without a word on the disk.
    reserved: u64,
    /// Containers that are to be purged.
    pub dropped: BTreeSet<ContainerNo>,
    /// A write failed: the database must be opened again before the next one.
    failed: bool,
}

impl State {
    pub fn load(db: &Db) -> Result<State, StoreError> {
        let number = |key: &[u8]| -> Result<u64, StoreError> {
            let stored = db.meta.get(key)?;
            Ok(stored.and_then(|bytes| bytes.as_ref().try_into().ok()).map_or(0, u64::from_le_bytes))
        };
        let reserved = number(NEXT_NUMBER)?;
        let mut dropped = BTreeSet::new();
        for guard in db.meta.prefix(DROPPED) {
            let key = guard.key()?;
            if let Some((no, _)) = keys::of_item(&key[DROPPED.len()..]) {
                dropped.insert(no);
            }
        }
        let next_container = u32::try_from(number(NEXT_CONTAINER)?).unwrap_or(u32::MAX);
        Ok(State { next_container, next_number: reserved, reserved, dropped, ..State::default() })
    }

    /// Counts and watermarks of a container.
    pub fn stats(&mut self, db: &Db, no: ContainerNo) -> Result<Stats, StoreError> {
        if let Some(stats) = self.stats.get(&no) {
            return Ok(*stats);
        }
        let stored = db.meta.get(stats_key(no))?;
        let stats = stored.and_then(|bytes| Stats::decode(&bytes)).unwrap_or_default();
        self.stats.insert(no, stats);
        Ok(stats)
    }

    /// The key from which on a half of a container's index has entries.
    pub fn start_of(&mut self, db: &Db, no: ContainerNo, half: Half) -> Result<Vec<u8>, StoreError> {
        let start = keys::entry(no, self.stats(db, no)?.from(half), &[]);
        Ok(match self.cursors.get(&(no, half)) {
            Some(cursor) if *cursor > start => cursor.clone(),
            _ => start,
        })
    }

    /// No entry of a half stands below this key.
    pub fn set_cursor(&mut self, no: ContainerNo, half: Half, key: Vec<u8>) {
        self.cursors.insert((no, half), key);
    }

    /// A watermark rose by a look alone; it is written with the next write, or at the end.
    pub fn raise(&mut self, no: ContainerNo, half: Half, to: i64) {
        if let Some(stats) = self.stats.get_mut(&no)
            && stats.from(half) < to
        {
            stats.raise(half, to);
            self.raised.insert(no);
        }
    }
}

impl Store {
    /// Runs `f` under the writer's lock, commits what it wrote as one atomic write that is then with the operating
    /// system, and runs `after` still under the lock, so that events leave in the order of commits. When `f` fails,
    /// nothing is written.
    ///
    /// # Errors
    /// Those of `f`; the disk refuses, or the directory is gone.
    pub fn write<T, E: From<StoreError>>(
        &self,
        f: impl FnOnce(&mut Writer<'_>) -> Result<T, E>,
        after: impl FnOnce(&T),
    ) -> Result<T, E> {
        self.waiting.fetch_add(1, Ordering::AcqRel);
        let locked = self.lock();
        self.waiting.fetch_sub(1, Ordering::AcqRel);
        let mut state = locked?;
        let db = self.current()?;
        let mut writer = Writer::new(&db, &mut state);
        let answer = f(&mut writer)?;
        let pending = writer.finish();
        self.commit(&mut state, pending)?;
        after(&answer);
        // Whoever waits is next: a sweep in small batches must not overtake a person.
        MutexGuard::unlock_fair(state);
        Ok(answer)
    }

    /// Lets people's writes go first: a thread that has just let go of the lock would else take it again before they
    /// wake. And lets fjall write its memtables out: with too many of them sealed it halts whoever writes, for a tenth of
    /// a second, under the lock.
    pub(super) fn give_way(&self) -> Result<(), StoreError> {
        const SEALED: usize = 2;
        const PAUSE: Duration = Duration::from_millis(1);
        while self.waiting.load(Ordering::Acquire) > 0 {
            std::thread::yield_now();
        }
        let db = self.current()?;
        let started = Instant::now();
        while db.sealed_memtables() >= SEALED && started.elapsed() < PATIENCE {
            std::thread::sleep(PAUSE);
        }
        Ok(())
    }

    /// The writer's lock, with a database that can be written.
    pub(super) fn lock(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        if self.gone.load(Ordering::Acquire) {
            return Err(StoreError::DirectoryGone { dir: self.dir.clone() });
        }
        let mut state = self.writer.lock();
        if state.failed {
            self.reopen(&mut state)?;
        }
        Ok(state)
    }

    /// Commits; no snapshot is taken meanwhile. Only then the state follows.
    pub(super) fn commit(&self, state: &mut State, pending: Pending) -> Result<(), StoreError> {
        if pending.batch.is_empty() {
            return Ok(());
        }
        let outcome = {
            let _no_snapshot = self.db.write();
            pending.batch.commit()
        };
        if let Err(error) = outcome {
            state.failed = true;
            self.still_there()?;
            return Err(StoreError::not_written(error));
        }
        self.unsynced.store(true, Ordering::Release);
        for (no, stats) in pending.stats {
            state.raised.remove(&no);
            state.stats.insert(no, stats);
        }
        for (at, lowest) in pending.lowest {
            if state.cursors.get(&at).is_some_and(|cursor| lowest < *cursor) {
                state.cursors.remove(&at);
            }
        }
        for no in &pending.dropped {
            state.stats.remove(no);
            for half in Half::BOTH {
                state.cursors.remove(&(*no, half));
            }
        }
        state.dropped.extend(pending.dropped);
        state.next_container = pending.next_container;
        state.next_number = pending.next_number;
        state.reserved = pending.reserved;
        Ok(())
    }

    /// Writes the watermarks that rose by a look alone.
    pub(super) fn save_marks(&self, state: &mut State, db: &Arc<Db>) -> Result<(), StoreError> {
        let mut batch = db.batch(state.raised.len());
        for no in std::mem::take(&mut state.raised) {
            if let Some(stats) = state.stats.get(&no) {
                batch.insert(&db.meta, stats_key(no), stats.encode());
            }
        }
        if batch.is_empty() {
            return Ok(());
        }
        let _no_snapshot = self.db.write();
        batch.commit().map_err(StoreError::not_written)
    }
}

/// What a writer has gathered.
pub struct Pending {
    pub batch: OwnedWriteBatch,
    stats: BTreeMap<ContainerNo, Stats>,
    /// The lowest key put into each half.
    lowest: BTreeMap<(ContainerNo, Half), Vec<u8>>,
    dropped: BTreeSet<ContainerNo>,
    next_container: u32,
    next_number: u64,
    reserved: u64,
}

impl Pending {
    /// Counts and watermarks as they are once this is committed.
    pub fn set_stats(&mut self, no: ContainerNo, stats: Stats) {
        self.stats.insert(no, stats);
    }
}

/// Writes of one closure. Its reads see its own writes.
pub struct Writer<'a> {
    db: &'a Arc<Db>,
    state: &'a mut State,
    pending: Pending,
    items: HashMap<Vec<u8>, Option<StoredItem>>,
    records: HashMap<Vec<u8>, Option<Vec<u8>>>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(db: &'a Arc<Db>, state: &'a mut State) -> Self {
        let pending = Pending {
            batch: db.batch(4),
            stats: BTreeMap::new(),
            lowest: BTreeMap::new(),
            dropped: BTreeSet::new(),
            next_container: state.next_container,
            next_number: state.next_number,
            reserved: state.reserved,
        };
        Writer { db, state, pending, items: HashMap::new(), records: HashMap::new() }
    }

    pub(super) fn finish(mut self) -> Pending {
        for (no, stats) in &self.pending.stats {
            self.pending.batch.insert(&self.db.meta, stats_key(*no), stats.encode());
        }
        self.pending
    }

    /// An item.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn get(&self, no: ContainerNo, key: &[u8]) -> Result<Option<StoredItem>, StoreError> {
        if !keys::is_storable(key) {
            return Ok(None);
        }
        let key = keys::item(no, key);
        match self.items.get(&key) {
            Some(item) => Ok(item.clone()),
            None => Ok(self.db.items.get(key)?.and_then(StoredItem::of)),
        }
    }

    /// Puts an item; its entry in the index, the counts, the watermarks and its listing in a collection follow. `old` is the header of the item as
    /// [`get`](Self::get) told it.
    ///
    /// # Errors
    /// A key that cannot be stored.
    pub fn put(
        &mut self,
        no: ContainerNo,
        key: &[u8],
        old: Option<Header>,
        header: Header,
        body: &[u8],
    ) -> Result<(), StoreError> {
        if !keys::is_storable(key) {
            return Err(StoreError::Key { len: key.len() });
        }
        if let Some((old, collection)) = old.and_then(|old| Some((old, old.collection()?)))
            && header.collection() != Some(collection)
        {
            self.remove(collection, key, old)?;
        }
        if let Some((collection, listing, shown)) = header.listing(no, body) {
            let listed_before = old.filter(|old| old.collection() == Some(collection));
            self.set(collection, key, listed_before, listing, None, shown)?;
        }
        self.set(no, key, old, header, header.collection(), body)
    }

    /// Sets the item, its entry and the counts of one container or collection.
    fn set(
        &mut self,
        no: ContainerNo,
        key: &[u8],
        old: Option<Header>,
        header: Header,
        collection: Option<ContainerNo>,
        body: &[u8],
    ) -> Result<(), StoreError> {
        let item_key = keys::item(no, key);
        let value = fjall::Slice::from(header.with_body(body));
        let (before, after) = (old.and_then(|old| old.entry()), header.entry());
        if before != after || old.is_some_and(|old| old.collection() != header.collection()) {
            if let Some((half, instant)) = before {
                self.pending.batch.remove(self.db.half(half), keys::entry(no, instant, key));
            }
            if let Some((half, instant)) = after {
                let entry = keys::entry(no, instant, key);
                let lowest = self.pending.lowest.entry((no, half)).or_insert_with(|| entry.clone());
                if entry < *lowest {
                    lowest.clone_from(&entry);
                }
                self.pending.batch.insert(self.db.half(half), entry, keys::of_collection(collection));
            }
        }
        self.pending.batch.insert(&self.db.items, item_key.as_slice(), value.clone());
        let stats = self.stats(no)?;
        if let Some(old) = old {
            stats.remove(old.expiry);
        }
        stats.add(header.expiry, header.ts);
        self.items.insert(item_key, StoredItem::of(value));
        Ok(())
    }

    /// Deletes an item whose header [`get`](Self::get) told, and its listing.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn delete(&mut self, no: ContainerNo, key: &[u8], old: Header) -> Result<(), StoreError> {
        if let Some(collection) = old.collection() {
            self.remove(collection, key, old)?;
        }
        self.remove(no, key, old)
    }

    /// Removes the item, its entry and its count from one container or collection.
    fn remove(&mut self, no: ContainerNo, key: &[u8], old: Header) -> Result<(), StoreError> {
        let item_key = keys::item(no, key);
        self.pending.batch.remove(&self.db.items, item_key.as_slice());
        if let Some((half, instant)) = old.entry() {
            self.pending.batch.remove(self.db.half(half), keys::entry(no, instant, key));
        }
        self.stats(no)?.remove(old.expiry);
        self.items.insert(item_key, None);
        Ok(())
    }

    /// A number that no other call returns, larger than all before.
    pub fn next_number(&mut self) -> u64 {
        let number = self.pending.next_number;
        self.pending.next_number += 1;
        if self.pending.next_number > self.pending.reserved {
            self.pending.reserved = self.pending.next_number + BLOCK;
            self.pending.batch.insert(&self.db.meta, NEXT_NUMBER, self.pending.reserved.to_le_bytes());
        }
        number
    }

    /// A number for a new container.
    pub fn new_container(&mut self) -> ContainerNo {
        let no = ContainerNo(self.pending.next_container);
        self.pending.next_container += 1;
        self.pending.batch.insert(&self.db.meta, NEXT_CONTAINER, u64::from(self.pending.next_container).to_le_bytes());
        no
    }

    /// Gives a container up. Its items are purged in the background; nobody may ask for them any more.
    pub fn drop_container(&mut self, no: ContainerNo) {
        self.pending.batch.insert(&self.db.meta, dropped_key(no), Vec::new());
        self.pending.dropped.insert(no);
    }

    /// A record of the engine.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn record(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let key = record_key(name);
        match self.records.get(&key) {
            Some(record) => Ok(record.clone()),
            None => Ok(self.db.meta.get(key)?.map(|bytes| bytes.to_vec())),
        }
    }

    /// Writes a record of the engine.
    pub fn put_record(&mut self, name: &str, value: &[u8]) {
        let key = record_key(name);
        self.pending.batch.insert(&self.db.meta, key.as_slice(), value);
        self.records.insert(key, Some(value.to_vec()));
    }

    /// Deletes a record of the engine.
    pub fn delete_record(&mut self, name: &str) {
        let key = record_key(name);
        self.pending.batch.remove(&self.db.meta, key.as_slice());
        self.records.insert(key, None);
    }

    fn stats(&mut self, no: ContainerNo) -> Result<&mut Stats, StoreError> {
        let stats = match self.pending.stats.get(&no) {
            Some(stats) => *stats,
            None => self.state.stats(self.db, no)?,
        };
        Ok(self.pending.stats.entry(no).or_insert(stats))
    }
}

impl Store {
    /// The first instant of a half of a container's index. Under the writer's lock, so that what is seen also raises
    /// the watermark: entries that were rewritten leave tombstones at the front, and the next look starts behind them.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn first_instant(&self, no: ContainerNo, half: Half) -> Result<Option<i64>, StoreError> {
        let mut state = self.lock()?;
        let db = self.current()?;
        let start = state.start_of(&db, no, half)?;
        let mut entries = match keys::behind_container(no) {
            Some(end) => db.half(half).range(start..end.to_vec()),
            None => db.half(half).range(start..),
        };
        let first = match entries.next() {
            Some(guard) => keys::of_entry(&guard.key()?).map(|(_, instant, _)| instant),
            None => None,
        };
        state.raise(no, half, first.unwrap_or(i64::MAX));
        MutexGuard::unlock_fair(state);
        Ok(first)
    }
}
