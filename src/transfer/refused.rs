//! The file of refusals: a line for each document that was refused, with its place and the reason.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::domain::Refusal;

use super::TransferError;
use super::split::Piece;

/// Where refusals go; the file is made with the first one.
pub struct Refused {
    named: Option<PathBuf>,
    open: Option<(PathBuf, BufWriter<File>)>,
}

impl Refused {
    /// In this file; else beside the source of the first refusal, with `.refused.jsonl` behind its name.
    pub fn new(named: Option<PathBuf>) -> Refused {
        Refused { named, open: None }
    }

    /// The file, once there is one.
    pub fn path(&self) -> Option<&Path> {
        self.open.as_ref().map(|(path, _)| path.as_path())
    }

    /// Writes a refusal down.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, source: &Path, piece: &Piece, refusal: &Refusal) -> Result<(), TransferError> {
        let (path, out) = match &mut self.open {
            Some(open) => open,
            closed => {
                let path = self.named.clone().unwrap_or_else(|| beside(source));
                let file = File::create(&path).map_err(TransferError::of(&path))?;
                closed.insert((path, BufWriter::new(file)))
            }
        };
        let line = json!({
            "file": source.display().to_string(),
            "line": piece.line,
            "reason": refusal.in_full(),
            "document": piece.text
        });
        writeln!(out, "{line}").map_err(TransferError::of(path))
    }

    /// Everything is in the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn flush(&mut self) -> Result<(), TransferError> {
        match &mut self.open {
            Some((path, out)) => out.flush().map_err(TransferError::of(path)),
            None => Ok(()),
        }
    }
}

fn beside(source: &Path) -> PathBuf {
    if source == Path::new("-") {
        return PathBuf::from("import.refused.jsonl");
    }
    let mut name = source.as_os_str().to_owned();
    name.push(".refused.jsonl");
    PathBuf::from(name)
}
