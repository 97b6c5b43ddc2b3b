//! What can go wrong with a store, in words.

use std::path::PathBuf;

/// Why the store cannot do its work.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process has it open.
    #[error(
        "the store {} is in use by another process{}: close that one, or name another directory with --data-dir",
        dir.display(),
        owner.map_or(String::new(), |pid| format!(" ({pid})"))
    )]
    InUse {
        /// The directory.
        dir: PathBuf,
        /// The id of the process, where it is known.
        owner: Option<u32>,
    },
    /// The directory holds something else.
    #[error("{} is not empty and not a store of ttl-explorer: name an empty or a new directory", dir.display())]
    NotAStore {
        /// The directory.
        dir: PathBuf,
    },
    /// The store was written by a newer program.
    #[error("the store {} has format {found}; this program reads format {known}: use a newer ttl-explorer", dir.display())]
    NewerFormat {
        /// The directory.
        dir: PathBuf,
        /// The format found.
        found: String,
        /// The format that this program writes.
        known: u32,
    },
    /// The directory cannot be made, read or written.
    #[error("the directory {}: {source}", dir.display())]
    Directory {
        /// The directory.
        dir: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The directory was removed while the store was open.
    #[error("the directory {} was removed under the running program: nothing is written any more", dir.display())]
    DirectoryGone {
        /// The directory.
        dir: PathBuf,
    },
    /// The stored bytes cannot be read.
    #[error(
        "the store {} is damaged ({reason}) and was not opened. Copy the directory before anything else",
        dir.display()
    )]
    Damaged {
        /// The directory.
        dir: PathBuf,
        /// What cannot be read.
        reason: String,
    },
    /// A write failed: the disk is full, or broken.
    #[error("not written: {reason}. Reading goes on; the next write tries again")]
    WriteFailed {
        /// What the system says.
        reason: String,
    },
    /// The database is being opened again after a failed write.
    #[error("the store is being opened again after a failed write: try again in a moment")]
    Reopening,
    /// A key that cannot be stored.
    #[error("a key of {len} bytes cannot be stored: 1 to {max} bytes can", max = super::keys::MAX_ITEM_KEY)]
    Key {
        /// Its length.
        len: usize,
    },
    /// Reading failed.
    #[error("the store could not be read: {0}")]
    Read(String),
}

impl StoreError {
    /// What fjall says of a write that failed.
    pub(super) fn not_written(error: fjall::Error) -> Self {
        let reason = match error {
            fjall::Error::Io(source) => source.to_string(),
            fjall::Error::Poisoned => "the disk refused an earlier write".to_owned(),
            other => other.to_string(),
        };
        StoreError::WriteFailed { reason }
    }
}

impl From<fjall::Error> for StoreError {
    fn from(error: fjall::Error) -> Self {
        StoreError::Read(error.to_string())
    }
}
