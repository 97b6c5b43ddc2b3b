//! Opening, closing, and opening again after a failed write.

use std::any::Any;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fjall::PersistMode;
use parking_lot::{Mutex, RwLock};

use super::db::Db;
use super::marker::Marker;
use super::writer::State;
use super::{Options, Store, StoreError, creation, journal, manifest};

/// The directory of the database inside the store's.
const DATA: &str = "data";
/// The file that says which process has the store open; it may be left over, and counts only while the store is in use.
const OWNER: &str = "owner";
/// How long readers may take to let go of a database that must be opened again.
const PATIENCE: Duration = Duration::from_secs(5);

impl Store {
    /// Opens the store in `dir`, which is made if it is missing.
    ///
    /// # Errors
    /// In use, not a store, a newer format, damaged, or the directory cannot be used. Nothing is changed then.
    pub fn open(dir: &Path, options: Options) -> Result<Store, StoreError> {
        let marker = Marker::open(dir)?;
        let db = open_db(dir, &options)?;
        let state = State::load(&db)?;
        // Only a help for people: a store that cannot say who has it open works all the same.
        if let Err(error) = fs::write(dir.join(OWNER), std::process::id().to_string()) {
            tracing::warn!("{}: {error}", dir.join(OWNER).display());
        }
        Ok(Store {
            dir: dir.to_owned(),
            marker,
            options,
            db: RwLock::new(Some(Arc::new(db))),
            writer: Mutex::new(state),
            waiting: AtomicUsize::new(0),
            unsynced: AtomicBool::new(false),
            gone: AtomicBool::new(false),
        })
    }

    /// Makes everything written so far safe from a loss of power. Cheap when nothing was written.
    ///
    /// # Errors
    /// The disk refuses, or the directory is gone.
    pub fn sync(&self) -> Result<(), StoreError> {
        if !self.unsynced.swap(false, Ordering::AcqRel) {
            return Ok(());
        }
        self.still_there()?;
        let db = self.current()?;
        db.database.persist(PersistMode::SyncData).map_err(|error| {
            self.unsynced.store(true, Ordering::Release);
            StoreError::not_written(error)
        })
    }

    /// Whether something was written since the last sync.
    pub fn is_unsynced(&self) -> bool {
        self.unsynced.load(Ordering::Acquire)
    }

    /// Writes the memtables out, so that the next start has no journal to read, and syncs.
    ///
    /// # Errors
    /// The disk refuses; what was acknowledged is in the journal all the same.
    pub fn close(&self) -> Result<(), StoreError> {
        self.still_there()?;
        let mut state = self.lock()?;
        let db = self.current()?;
        self.save_marks(&mut state, &db)?;
        for keyspace in [&db.items, &db.inherit, &db.own, &db.meta] {
            if let Err(error) = db.write_out(keyspace) {
                tracing::warn!("{error}; the next start reads the journal");
                break;
            }
        }
        self.unsynced.store(true, Ordering::Release);
        drop(db);
        drop(state);
        self.sync()
    }

    /// The database as it is now.
    pub(super) fn current(&self) -> Result<Arc<Db>, StoreError> {
        self.db.read().clone().ok_or(StoreError::Reopening)
    }

    /// After a failed write nobody knows what of it is on the disk: the database is opened again, and what is there
    /// counts. The caller holds the writer's lock.
    pub(super) fn reopen(&self, state: &mut State) -> Result<(), StoreError> {
        self.still_there()?;
        let mut slot = self.db.write();
        if let Some(old) = slot.take() {
            let waiting = Instant::now();
            // Snapshots are short; each holds the old database until it ends.
            while Arc::strong_count(&old) > 1 && waiting.elapsed() < PATIENCE {
                std::thread::yield_now();
            }
            if Arc::strong_count(&old) > 1 {
                *slot = Some(old);
                return Err(StoreError::Reopening);
            }
        }
        let db = open_db(&self.dir, &self.options)?;
        *state = State::load(&db)?;
        *slot = Some(Arc::new(db));
        Ok(())
    }

    /// Whether the directory is still this store.
    pub(super) fn still_there(&self) -> Result<(), StoreError> {
        if self.marker.is_there() {
            return Ok(());
        }
        self.gone.store(true, Ordering::Release);
        Err(StoreError::DirectoryGone { dir: self.dir.clone() })
    }
}

/// The process that has the store open, as far as it said so.
fn owner(dir: &Path) -> Option<u32> {
    fs::read_to_string(dir.join(OWNER)).ok()?.trim().parse().ok()
}

fn open_db(dir: &Path, options: &Options) -> Result<Db, StoreError> {
    let data = dir.join(DATA);
    let damaged = |reason| StoreError::Damaged { dir: dir.to_owned(), reason };
    let in_words = |error| match error {
        fjall::Error::Locked => StoreError::InUse { dir: dir.to_owned(), owner: owner(dir) },
        fjall::Error::Io(source) => StoreError::Directory { dir: dir.to_owned(), source },
        other => damaged(other.to_string()),
    };
    let lock = alone(&data).map_err(in_words)?;
    let damage = damage(&data).map_err(|error| in_words(error.into()))?;
    drop(lock);
    if let Some(damage) = damage {
        return Err(damaged(damage));
    }
    // Some bytes that fjall does not expect end in a panic.
    match panic::catch_unwind(AssertUnwindSafe(|| Db::open(&data, options))) {
        Ok(opened) => opened.map_err(in_words),
        Err(cause) => Err(damaged(said(&*cause).to_owned())),
    }
}

/// Damage that fjall would pass over in silence.
fn damage(data: &Path) -> std::io::Result<Option<String>> {
    for look in [creation::clear_unfinished, manifest::damage, journal::damage] {
        if let Some(damage) = look(data)? {
            return Ok(Some(damage));
        }
    }
    Ok(None)
}

/// The words of a panic.
fn said(cause: &(dyn Any + Send)) -> &str {
    let owned = cause.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("for a reason that is not known")
}

/// fjall's lock of a database: another process makes or changes what is looked at here.
fn alone(data: &Path) -> Result<File, fjall::Error> {
    // A process that is ending lets go in a moment; one that stays is told of at once.
    const TRIES: u32 = 4;
    const PAUSE: Duration = Duration::from_millis(25);
    fs::create_dir_all(data)?;
    let lock = OpenOptions::new().write(true).create(true).truncate(false).open(data.join("lock"))?;
    for _ in 0..TRIES {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
    }
    Err(fjall::Error::Locked)
}
