//! A database whose making was cut off. fjall makes its journal, then its version, then the keyspaces; it does not go
//! on where only the journal was made.

use std::fs;
use std::io;
use std::path::Path;

use super::{journal, manifest};

/// What the file `version` holds once it is whole.
const VERSION: &[u8] = b"FJL\x03";

/// Clears what was made of a database that has no version yet, so that it can be made anew. Says what is wrong when it
/// holds something: then it had a version, and was not being made.
pub fn clear_unfinished(data: &Path) -> io::Result<Option<String>> {
    let version = data.join("version");
    let found = match fs::read(&version) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        found => found?,
    };
    if found.len() >= VERSION.len() || !VERSION.starts_with(&found) {
        return Ok(None);
    }
    if journal::holds_writes(data)? || manifest::has_tables(data)? {
        return Ok(Some(format!("{} is missing", version.display())));
    }
    let journals = journal::journals(data)?;
    for file in journals.into_iter().chain(version.exists().then_some(version)) {
        fs::remove_file(file)?;
    }
    Ok(None)
}
