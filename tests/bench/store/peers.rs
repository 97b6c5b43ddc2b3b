//! The peers: fjall alone, and SQLite in WAL mode with an index on the expiry.

use std::path::Path;

use fjall::{Database, Keyspace, KeyspaceCreateOptions, OwnedWriteBatch, PersistMode};
use rusqlite::{Connection, params};

/// fjall with one keyspace for items and one for an index.
pub struct Fjall {
    pub database: Database,
    pub items: Keyspace,
    pub index: Keyspace,
}

impl Fjall {
    pub fn open(dir: &Path) -> Fjall {
        let database = Database::builder(dir)
            .cache_size(64 << 20)
            .max_journaling_size(64 << 20)
            .manual_journal_persist(true)
            .open()
            .unwrap();
        let keyspace = |name: &str, memtable: u64| {
            database
                .keyspace(name, || {
                    KeyspaceCreateOptions::default().manual_journal_persist(true).max_memtable_size(memtable)
                })
                .unwrap()
        };
        Fjall { items: keyspace("items", 32 << 20), index: keyspace("index", 8 << 20), database }
    }

    pub fn batch(&self, capacity: usize) -> OwnedWriteBatch {
        OwnedWriteBatch::with_capacity(self.database.clone(), capacity).durability(Some(PersistMode::Buffer))
    }
}

/// SQLite with one table.
pub struct Sqlite(pub Connection);

impl Sqlite {
    pub fn open(file: &Path) -> Sqlite {
        let connection = Connection::open(file).unwrap();
        connection.pragma_update(None, "journal_mode", "WAL").unwrap();
        connection.pragma_update(None, "synchronous", "NORMAL").unwrap();
        connection
            .execute_batch(
                "CREATE TABLE items (pk TEXT, id TEXT, body TEXT, expires_at INTEGER, PRIMARY KEY (pk, id)) WITHOUT ROWID;
                 CREATE INDEX expiry ON items (expires_at);",
            )
            .unwrap();
        Sqlite(connection)
    }

    pub fn insert(&self, n: u64, body: &str, expires_at: i64) {
        self.0
            .prepare_cached("INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?)")
            .unwrap()
            .execute(params![format!("p-{:04}", n % 1_000), format!("item-{n:010}"), body, expires_at])
            .unwrap();
    }

    pub fn insert_batch(&self, from: u64, bodies: &[String], expires_at: impl Fn(u64) -> i64) {
        self.0.execute_batch("BEGIN").unwrap();
        for (at, body) in bodies.iter().enumerate() {
            self.insert(from + at as u64, body, expires_at(from + at as u64));
        }
        self.0.execute_batch("COMMIT").unwrap();
    }

    /// Deletes up to `most` due rows; says how many.
    pub fn delete_due(&self, now: i64, most: usize) -> usize {
        self.0
            .prepare_cached(
                "DELETE FROM items WHERE (pk, id) IN (SELECT pk, id FROM items WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)",
            )
            .unwrap()
            .execute(params![now, most as i64])
            .unwrap()
    }
}
