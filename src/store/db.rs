//! The fjall database and its four keyspaces.

use std::path::Path;
use std::time::{Duration, Instant};

use fjall::config::CompressionPolicy;
use fjall::{CompressionType, Database, Keyspace, KeyspaceCreateOptions, OwnedWriteBatch, PersistMode};

use super::{ContainerNo, Half, Options, StoreError, keys};

/// How long fjall may take to write one memtable out.
const PATIENCE: Duration = Duration::from_secs(5);

/// The database, open.
pub struct Db {
    pub database: Database,
    /// Records of the engine, counts, marks: small.
    pub meta: Keyspace,
    /// Header and document by container and item.
    pub items: Keyspace,
    /// The half of the index of items that follow their container.
    pub inherit: Keyspace,
    /// The half of the index of items with an instant of their own.
    pub own: Keyspace,
}

impl Db {
    pub fn open(dir: &Path, options: &Options) -> fjall::Result<Db> {
        let database = Database::builder(dir)
            .cache_size(options.cache)
            .max_journaling_size(options.journals)
            .worker_threads(2)
            .manual_journal_persist(true)
            .open()?;
        let keyspace = |name: &str, memtable: u64| {
            database.keyspace(name, || {
                KeyspaceCreateOptions::default()
                    .manual_journal_persist(true)
                    .max_memtable_size(memtable)
                    .data_block_compression_policy(CompressionPolicy::all(CompressionType::Lz4))
            })
        };
        Ok(Db {
            meta: keyspace("meta", 1024 * 1024)?,
            items: keyspace("items", options.items_memtable)?,
            inherit: keyspace("inherit", options.index_memtable)?,
            own: keyspace("own", options.index_memtable)?,
            database,
        })
    }

    /// The keyspace of a half of the index.
    pub fn half(&self, half: Half) -> &Keyspace {
        match half {
            Half::Inherit => &self.inherit,
            Half::Own => &self.own,
        }
    }

    /// The most memtables that wait to be written out, of any keyspace.
    pub fn sealed_memtables(&self) -> usize {
        [&self.items, &self.inherit, &self.own, &self.meta]
            .map(|keyspace| keyspace.sealed_memtable_count())
            .into_iter()
            .max()
            .unwrap_or(0)
    }

    /// Writes the memtable of a keyspace out. fjall's own waiting has no end when its worker died, as on a full disk.
    ///
    /// # Errors
    /// The disk refuses, or takes too long; what was acknowledged is in the journal all the same.
    pub fn write_out(&self, keyspace: &Keyspace) -> Result<(), StoreError> {
        const PAUSE: Duration = Duration::from_millis(1);
        keyspace.rotate_memtable().map_err(StoreError::not_written)?;
        let mut waiting = keyspace.sealed_memtable_count();
        let mut progress = Instant::now();
        while waiting > 0 {
            // Syncs nothing, and tells whether a worker died.
            self.database.persist(PersistMode::Buffer).map_err(StoreError::not_written)?;
            if progress.elapsed() > PATIENCE {
                return Err(StoreError::WriteFailed { reason: format!("the disk took more than {PATIENCE:?}") });
            }
            std::thread::sleep(PAUSE);
            let left = keyspace.sealed_memtable_count();
            if left != waiting {
                (waiting, progress) = (left, Instant::now());
            }
        }
        Ok(())
    }

    /// A batch that is with the operating system when it is committed: safe from a kill of the process.
    pub fn batch(&self, capacity: usize) -> OwnedWriteBatch {
        OwnedWriteBatch::with_capacity(self.database.clone(), capacity).durability(Some(PersistMode::Buffer))
    }
}

/// Keys of `meta`. The engine's records have a prefix of their own.
pub fn stats_key(no: ContainerNo) -> Vec<u8> {
    [b"s/".as_slice(), &keys::container(no)].concat()
}

/// The mark of a container that was dropped and is not purged yet.
pub fn dropped_key(no: ContainerNo) -> Vec<u8> {
    [DROPPED, &keys::container(no)].concat()
}

/// The prefix of those marks.
pub const DROPPED: &[u8] = b"d/";
/// The number of the next container.
pub const NEXT_CONTAINER: &[u8] = b"next-container";
/// Numbers below this may have been given.
pub const NEXT_NUMBER: &[u8] = b"next-number";

/// A record of the engine.
pub fn record_key(name: &str) -> Vec<u8> {
    [b"r/".as_slice(), name.as_bytes()].concat()
}
