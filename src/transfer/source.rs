//! Files to read: opened, counted, unpacked; and the names of files as people type them.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use flate2::read::MultiGzDecoder;

use super::TransferError;

/// How a source is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An object, an array, objects one after another.
    Json,
    /// CSV with a heading.
    Csv,
}

/// A source, open for reading.
pub struct Source {
    /// Its text.
    pub text: Box<dyn Read>,
    /// How it is written, by its name.
    pub shape: Shape,
    /// How many of its bytes were read, before they were unpacked.
    pub read: Rc<Cell<u64>>,
    /// How many there are, where that is known.
    pub total: Option<u64>,
}

impl Source {
    /// Opens a file; `-` is standard input.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(path: &Path) -> Result<Source, TransferError> {
        if path == Path::new("-") {
            return Ok(Source::of(path, Box::new(io::stdin()), None));
        }
        let file = File::open(path).map_err(TransferError::of(path))?;
        let total = file.metadata().ok().filter(fs::Metadata::is_file).map(|data| data.len());
        Ok(Source::of(path, Box::new(file), total))
    }

    fn of(path: &Path, input: Box<dyn Read>, total: Option<u64>) -> Source {
        let read = Rc::new(Cell::new(0));
        let counted = Counted { input, read: read.clone() };
        let name = path.to_string_lossy().to_lowercase();
        let text: Box<dyn Read> =
            if name.ends_with(".gz") { Box::new(MultiGzDecoder::new(counted)) } else { Box::new(counted) };
        let shape = if name.trim_end_matches(".gz").ends_with(".csv") { Shape::Csv } else { Shape::Json };
        Source { text, shape, read, total }
    }
}

/// A reader that counts.
struct Counted {
    input: Box<dyn Read>,
    read: Rc<Cell<u64>>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.input.read(buffer)?;
        self.read.set(self.read.get() + n as u64);
        Ok(n)
    }
}

/// Whether a file can be read to its end: it is there, and no directory, pipe or device that nobody may ever end.
///
/// # Errors
/// What it is instead.
pub fn readable(path: &Path) -> Result<(), TransferError> {
    let failed = TransferError::of(path);
    let data = fs::metadata(path).map_err(&failed)?;
    if data.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    if !data.is_file() {
        return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, "this is no regular file; name one")));
    }
    File::open(path).map(|_| ()).map_err(failed)
}

/// The path that was typed; a leading `~` is the home directory.
pub fn expand(typed: &str) -> PathBuf {
    match (typed.strip_prefix('~'), etcetera::home_dir()) {
        (Some(""), Ok(home)) => home,
        (Some(rest), Ok(home)) if rest.starts_with(std::path::is_separator) => {
            home.join(rest.trim_start_matches(std::path::is_separator))
        }
        _ => PathBuf::from(typed),
    }
}

/// Names that a completion looks at, in a directory that is larger than anybody reads.
const LOOKED_AT: usize = 100_000;

/// What a typed path can become: the longest beginning that all matching names share, and those names, directories with
/// a separator behind them. A name that starts with a dot is met only by one that is typed with it.
pub fn complete(typed: &str) -> (String, Vec<String>) {
    let start = typed.rfind(std::path::is_separator).map_or(0, |at| at + 1);
    let (dir, begun) = typed.split_at(start);
    if dir.is_empty() && begun == "~" {
        return ("~/".to_owned(), Vec::new());
    }
    let place = if dir.is_empty() { PathBuf::from(".") } else { expand(dir) };
    let Ok(entries) = fs::read_dir(place) else { return (typed.to_owned(), Vec::new()) };
    let mut names: Vec<String> = entries
        .take(LOOKED_AT)
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let name = entry.file_name().into_string().ok()?;
            if !name.starts_with(begun) || (begun.is_empty() && name.starts_with('.')) {
                return None;
            }
            Some(if entry.path().is_dir() { format!("{name}/") } else { name })
        })
        .collect();
    names.sort_unstable();
    let shared = match (names.first(), names.last()) {
        // What the first and the last share in a sorted list, all share.
        (Some(first), Some(last)) => {
            first.chars().zip(last.chars()).take_while(|(one, other)| one == other).map(|(c, _)| c).collect()
        }
        _ => begun.to_owned(),
    };
    (format!("{dir}{shared}"), names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_completed_as_far_as_they_are_one() {
        let dir = tempfile::tempdir().expect("a directory");
        for name in ["orders.jsonl", "orders.csv", ".hidden"] {
            fs::write(dir.path().join(name), "").expect("written");
        }
        fs::create_dir(dir.path().join("zoo")).expect("made");
        let at = |typed: &str| {
            let (done, names) = complete(&format!("{}/{typed}", dir.path().display()));
            (done.trim_start_matches(&format!("{}/", dir.path().display())).to_owned(), names)
        };
        assert_eq!(at("o"), ("orders.".to_owned(), vec!["orders.csv".to_owned(), "orders.jsonl".to_owned()]));
        assert_eq!(at("orders.j"), ("orders.jsonl".to_owned(), vec!["orders.jsonl".to_owned()]));
        assert_eq!(at("z"), ("zoo/".to_owned(), vec!["zoo/".to_owned()]));
        assert_eq!(at(".h").0, ".hidden");
        assert_eq!(at("none"), ("none".to_owned(), vec![]));
        assert_eq!(at("").1.len(), 3, "hidden names are not met by nothing");
        assert_eq!(complete("/no/such/dir/x"), ("/no/such/dir/x".to_owned(), vec![]));
    }

    #[test]
    fn home_is_a_tilde() {
        let home = etcetera::home_dir().expect("a home");
        assert_eq!(expand("~"), home);
        assert_eq!(expand("~/a"), home.join("a"));
        assert_eq!(expand("~a"), PathBuf::from("~a"));
        assert_eq!(complete("~").0, "~/");
    }

    #[test]
    fn only_files_are_read() {
        let dir = tempfile::tempdir().expect("a directory");
        assert!(readable(dir.path()).is_err());
        assert!(readable(&dir.path().join("none")).is_err());
        let file = dir.path().join("file");
        fs::write(&file, "x").expect("written");
        assert!(readable(&file).is_ok());
        #[cfg(unix)]
        assert!(readable(Path::new("/dev/null")).is_err(), "a device may never end");
    }
}
