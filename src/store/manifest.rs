//! Looking at the manifests before fjall does: it takes the list of a keyspace's tables as it stands, deletes the tables
//! that are missing in it, and a list that is none ends the process.
//!
//! A keyspace is a directory with a file `current`, which names the newest manifest and its checksum.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_128;

/// The first manifest that is not what was written, in the directory of the database.
pub fn damage(data: &Path) -> io::Result<Option<String>> {
    for keyspace in keyspaces(data)? {
        if !is_sound(&keyspace)? {
            return Ok(Some(format!("{}: its list of tables is not what was written", keyspace.display())));
        }
    }
    Ok(None)
}

/// Whether any keyspace has a table.
pub fn has_tables(data: &Path) -> io::Result<bool> {
    for keyspace in keyspaces(data)? {
        if !has_no_tables(&keyspace)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn keyspaces(data: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(data.join("keyspaces")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let paths: io::Result<Vec<PathBuf>> = entries.map(|entry| Ok(entry?.path())).collect();
    Ok(paths?.into_iter().filter(|path| path.is_dir()).collect())
}

fn is_sound(keyspace: &Path) -> io::Result<bool> {
    let missing = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
    let current = match fs::read(keyspace.join("current")) {
        // A keyspace gets it when it is made. fjall deletes one that has none.
        Err(error) if missing(&error) => return has_no_tables(keyspace),
        current => current?,
    };
    // The number, the checksum, and the checksum's kind, of which there is one.
    let Some((number, rest)) = current.split_first_chunk() else { return Ok(false) };
    let Some((checksum, [0])) = rest.split_first_chunk() else { return Ok(false) };
    match fs::read(keyspace.join(format!("v{}", u64::from_le_bytes(*number)))) {
        Err(error) if missing(&error) => Ok(false),
        manifest => Ok(xxh3_128(&manifest?) == u128::from_le_bytes(*checksum)),
    }
}

fn has_no_tables(keyspace: &Path) -> io::Result<bool> {
    match fs::read_dir(keyspace.join("tables")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        tables => Ok(tables?.next().is_none()),
    }
}
