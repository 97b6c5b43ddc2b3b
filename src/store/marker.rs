//! The file that marks a directory as a store, and says which format it has.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::StoreError;

const NAME: &str = "ttl-explorer-store";
/// The format that this program writes.
const FORMAT: u32 = 1;

/// The marker of the store that was opened, so that another store in the same place is known as another one.
pub struct Marker {
    path: PathBuf,
    /// Held open: the number of a file that was deleted is given to the next one.
    #[cfg(unix)]
    file: File,
    /// Its format, and an id that no other store has.
    #[cfg(not(unix))]
    content: String,
}

impl Marker {
    /// Finds the marker of `dir`, or makes it in an empty directory. fjall makes its files in any directory without a
    /// word, so whose it is must be known before.
    ///
    /// # Errors
    /// Not a store, a newer format, damaged, or the directory cannot be used.
    pub fn open(dir: &Path) -> Result<Marker, StoreError> {
        let problem = |source| StoreError::Directory { dir: dir.to_owned(), source };
        fs::create_dir_all(dir).map_err(problem)?;
        let path = dir.join(NAME);
        let found = match fs::read(&path) {
            Ok(found) => Some(String::from_utf8_lossy(&found).into_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(problem(error)),
        };
        let is_alone = || {
            fs::read_dir(dir)
                .map(|mut all| all.all(|entry| entry.is_ok_and(|entry| entry.file_name() == NAME)))
                .map_err(problem)
        };
        let content = match found {
            // It is made first of all: without a word and alone, it is one that was not finished.
            Some(found) if !found.is_empty() || !is_alone()? => found,
            None if !is_alone()? => return Err(StoreError::NotAStore { dir: dir.to_owned() }),
            _ => write(&path).map_err(problem)?,
        };
        let format = content.lines().next().unwrap_or_default();
        match format.parse() {
            Ok(FORMAT) => {}
            Ok(_) => {
                let found = format.to_owned();
                return Err(StoreError::NewerFormat { dir: dir.to_owned(), found, known: FORMAT });
            }
            Err(_) => {
                let reason = format!("{} names no format", path.display());
                return Err(StoreError::Damaged { dir: dir.to_owned(), reason });
            }
        }
        Ok(Marker {
            #[cfg(unix)]
            file: File::open(&path).map_err(problem)?,
            #[cfg(not(unix))]
            content,
            path,
        })
    }

    /// Whether the marker is still in its place, and no other one.
    #[cfg(unix)]
    pub fn is_there(&self) -> bool {
        use std::os::unix::fs::MetadataExt;
        match (fs::metadata(&self.path), self.file.metadata()) {
            (Ok(found), Ok(known)) => (found.dev(), found.ino()) == (known.dev(), known.ino()),
            _ => false,
        }
    }

    /// Whether the marker is still in its place, and no other one.
    #[cfg(not(unix))]
    pub fn is_there(&self) -> bool {
        fs::read_to_string(&self.path).is_ok_and(|found| found == self.content)
    }
}

/// Makes a marker, and returns its content.
fn write(path: &Path) -> io::Result<String> {
    let content = if cfg!(unix) { format!("{FORMAT}\n") } else { format!("{FORMAT}\n{}\n", uuid::Uuid::new_v4()) };
    let mut file = File::create(path)?;
    file.write_all(content.as_bytes())?;
    file.sync_all()?;
    Ok(content)
}
