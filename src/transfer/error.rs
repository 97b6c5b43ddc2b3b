//! Why documents did not go in or out.

use std::io;
use std::path::{Path, PathBuf};

use crate::domain::Refusal;
use crate::engine::{EngineError, GIVEN_UP};

/// What ends a transfer before its end.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// The engine refuses, or the store cannot do its work.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A file cannot be read or written.
    #[error("{}: {source}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The directory holds something.
    #[error("{} is not empty: name a new directory", .0.display())]
    NotEmpty(PathBuf),
    /// The file is there already, and was not to be replaced.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// Nobody wants it any more; nothing was left behind.
    #[error("stopped")]
    Stopped,
}

impl TransferError {
    /// Names the file in what the system says.
    pub(super) fn of(file: &Path) -> impl Fn(io::Error) -> TransferError + use<> {
        let file = file.to_owned();
        move |source| TransferError::File { file: file.clone(), source }
    }

    /// The words for a screen: what, where, and what to do instead. 409 is a file that is there, 499 one that was stopped.
    pub fn into_refusal(self) -> Refusal {
        match self {
            TransferError::Engine(error) => error.into_refusal(),
            TransferError::File { file, source } => file_words(&file, &source),
            TransferError::NotEmpty(dir) => Refusal::new(409, format!("{} is not empty.", dir.display()))
                .with_hint("Name a new directory, or an empty one."),
            TransferError::Exists(file) => Refusal::new(409, format!("{} exists already.", file.display())),
            TransferError::Stopped => Refusal::new(GIVEN_UP, "Stopped; no file was left behind."),
        }
    }
}

fn file_words(file: &Path, source: &io::Error) -> Refusal {
    let name = file.display();
    match source.kind() {
        io::ErrorKind::NotFound => match file.parent().filter(|dir| !dir.as_os_str().is_empty() && !dir.exists()) {
            Some(dir) => Refusal::new(404, format!("There is no directory {}.", dir.display()))
                .with_hint("Make it, or name another: Tab completes a path."),
            None => Refusal::new(404, format!("There is no file {name}.")).with_hint("Tab completes the path to one."),
        },
        io::ErrorKind::IsADirectory => {
            Refusal::bad_request(format!("{name} is a directory.")).with_hint("Name a file in it.")
        }
        io::ErrorKind::NotADirectory => Refusal::bad_request(format!("A part of {name} is a file, not a directory."))
            .with_hint("Tab completes the path."),
        io::ErrorKind::PermissionDenied => Refusal::new(403, format!("{name}: permission denied."))
            .with_hint("Change its permissions, or name another file."),
        io::ErrorKind::StorageFull => {
            Refusal::new(507, format!("{name}: the disk is full.")).with_hint("Make room, or name another place.")
        }
        _ => Refusal::new(500, format!("{name}: {source}.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_used_has_a_way_out() {
        let words = |path: &str, kind: io::ErrorKind| TransferError::of(Path::new(path))(kind.into()).into_refusal();
        let missing = words("no-such-file", io::ErrorKind::NotFound);
        assert_eq!((missing.status, missing.message.as_str()), (404, "There is no file no-such-file."));
        let nowhere = words("/no/such/place", io::ErrorKind::NotFound);
        assert_eq!(nowhere.message, "There is no directory /no/such.");
        for kind in [io::ErrorKind::IsADirectory, io::ErrorKind::PermissionDenied, io::ErrorKind::StorageFull] {
            let refusal = words("/tmp/x", kind);
            assert!(refusal.message.contains("/tmp/x") && refusal.hint.is_some(), "{refusal:?}");
        }
    }
}
