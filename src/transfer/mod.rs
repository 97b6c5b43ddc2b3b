//! Documents in and out of files: what the command line and the screen share of import and export.

mod csv;
mod error;
mod export;
mod import;
mod prepare;
mod refused;
mod source;
mod split;
mod target;

pub use error::TransferError;
pub use export::{Exported, Form, Format, Told, What, all, one, to_new_file};
pub use import::{Ended, Import, ImportOptions, Imported, OnError, Progress};
pub use source::{complete, expand, readable};
