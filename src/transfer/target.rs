//! Files to write: packed or not, whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::NamedTempFile;

use super::TransferError;

/// What is written, packed where the name of the file says so.
pub enum Packed<W: Write> {
    /// As it is.
    Plain(BufWriter<W>),
    /// With gzip.
    Gzip(GzEncoder<BufWriter<W>>),
}

impl<W: Write> Packed<W> {
    /// Into `inner`, in the form that the name of `file` asks for.
    pub fn new(file: &Path, inner: W) -> Packed<W> {
        let inner = BufWriter::new(inner);
        if file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz")) {
            Packed::Gzip(GzEncoder::new(inner, Compression::default()))
        } else {
            Packed::Plain(inner)
        }
    }

    /// Everything is written, the end of a packed file too.
    pub fn finish(self) -> io::Result<W> {
        let inner = match self {
            Packed::Plain(inner) => inner,
            Packed::Gzip(packer) => packer.finish()?,
        };
        inner.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

impl<W: Write> Write for Packed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Packed::Plain(inner) => inner.write(bytes),
            Packed::Gzip(packer) => packer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Packed::Plain(inner) => inner.flush(),
            Packed::Gzip(packer) => packer.flush(),
        }
    }
}

/// A file that gets its name when it is complete: who looks at the name sees the old file or the new one.
pub struct NewFile {
    part: NamedTempFile,
    name: PathBuf,
    replace: bool,
}

impl NewFile {
    /// Begins it, beside its name.
    ///
    /// # Errors
    /// The name is taken and is not to be replaced, or is that of no regular file; the directory cannot be written.
    pub fn begin(name: &Path, replace: bool) -> Result<NewFile, TransferError> {
        let failed = TransferError::of(name);
        // A link stays a link: what it leads to is replaced.
        let name = fs::canonicalize(name).unwrap_or_else(|_| name.to_owned());
        match fs::symlink_metadata(&name) {
            Ok(data) if data.is_dir() => return Err(failed(io::ErrorKind::IsADirectory.into())),
            Ok(data) if !data.is_file() => {
                let words = "this is no regular file; name a new one";
                return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, words)));
            }
            Ok(_) if !replace => return Err(TransferError::Exists(name)),
            Ok(_) | Err(_) => {}
        }
        let dir = match name.parent() {
            Some(dir) if !dir.as_os_str().is_empty() => dir,
            _ => Path::new("."),
        };
        let part = builder().tempfile_in(dir).map_err(failed)?;
        Ok(NewFile { part, name, replace })
    }

    /// Where to write.
    pub fn file(&self) -> &File {
        self.part.as_file()
    }

    /// It is complete: on the disk, and under its name.
    ///
    /// # Errors
    /// Somebody took the name meanwhile, or the disk refuses.
    pub fn keep(self) -> Result<(), TransferError> {
        let failed = TransferError::of(&self.name);
        self.part.as_file().sync_all().map_err(&failed)?;
        let kept = if self.replace { self.part.persist(&self.name) } else { self.part.persist_noclobber(&self.name) };
        match kept {
            Ok(_) => Ok(()),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(TransferError::Exists(self.name)),
            Err(error) => Err(failed(error.error)),
        }
    }
}

/// A file like any other, with the permissions that new files have.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".ttl-explorer-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(name: &Path, replace: bool, text: &str) -> Result<(), TransferError> {
        let file = NewFile::begin(name, replace)?;
        file.file().write_all(text.as_bytes()).map_err(TransferError::of(name))?;
        file.keep()
    }

    #[test]
    fn a_file_is_whole_or_not_there() {
        let dir = tempfile::tempdir().expect("a directory");
        let name = dir.path().join("a");
        write(&name, false, "one").expect("written");
        assert!(matches!(write(&name, false, "two"), Err(TransferError::Exists(_))));
        assert_eq!(fs::read_to_string(&name).expect("read"), "one");
        // One that is begun and given up leaves nothing, and the old one as it was.
        drop(NewFile::begin(&name, true).expect("begun"));
        assert_eq!(fs::read_dir(dir.path()).expect("read").count(), 1);
        write(&name, true, "two").expect("written");
        assert_eq!(fs::read_to_string(&name).expect("read"), "two");
        assert!(write(dir.path(), true, "x").is_err(), "a directory is not replaced");
        // Somebody is faster.
        let other = dir.path().join("b");
        let late = NewFile::begin(&other, false).expect("begun");
        fs::write(&other, "theirs").expect("written");
        assert!(matches!(late.keep(), Err(TransferError::Exists(_))));
        assert_eq!(fs::read_to_string(&other).expect("read"), "theirs");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_one_and_others_may_read_as_they_may_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().expect("a directory");
        let (plain, real, link) = (dir.path().join("plain"), dir.path().join("real"), dir.path().join("link"));
        fs::write(&plain, "").expect("written");
        fs::write(&real, "old").expect("written");
        std::os::unix::fs::symlink(&real, &link).expect("linked");
        write(&link, true, "new").expect("written");
        assert_eq!(fs::read_to_string(&real).expect("read"), "new");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode();
        assert_eq!(mode(&real), mode(&plain));
    }
}
