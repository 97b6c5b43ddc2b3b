//! Looking at the journals before fjall does: it cuts a journal at the first place that it cannot read, without a word
//! of the writes behind it.
//!
//! A journal is a sequence of writes, then zeros that the file was laid out with. A write is a head (its number of
//! entries and its sequence number), the entries, and a trailer that ends in [`MAGIC`]. Checksums are left to fjall,
//! which refuses a write whose checksum is wrong and changes nothing.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// What a write that came to its end ends in.
const MAGIC: [u8; 4] = *b"FJL\x03";
/// How much is read at once.
const BLOCK: usize = 64 * 1024;

/// A place that cannot be read, although a write behind it came to its end.
#[derive(Debug, thiserror::Error)]
#[error(
    "{} cannot be read from byte {at} on, and finished writes follow; cutting a copy of it there gives them up",
    file.display()
)]
pub struct Damage {
    /// The journal.
    file: PathBuf,
    /// Where the first write that cannot be read begins, in bytes.
    at: u64,
}

/// The journals in the directory of the database, oldest first.
pub fn journals(data: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(data)? {
        let path = entry?.path();
        let number = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.parse::<u64>().ok());
        if let Some(number) = number
            && path.extension().is_some_and(|ending| ending == "jnl")
        {
            found.push((number, path));
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

/// The first damage that fjall would pass over in silence. A write that was cut short, with nothing finished behind
/// it, is none: it was never acknowledged.
pub fn damage(data: &Path) -> io::Result<Option<Damage>> {
    let mut last = None;
    for file in journals(data)? {
        let mut journal = Journal::open(&file)?;
        loop {
            let at = journal.at;
            match journal.next()? {
                // fjall counts up: it would take a write with a number that is too low for one that it has already.
                Write::Whole(number) if last.is_none_or(|last| last < number) => last = Some(number),
                Write::CutShort if !journal.ends_a_write_behind(at)? => break,
                Write::Whole(_) | Write::CutShort | Write::Broken => return Ok(Some(Damage { file, at })),
            }
        }
    }
    Ok(None)
}

/// What stands where a write is expected.
enum Write {
    /// A whole one, with its sequence number.
    Whole(u64),
    /// None, or the beginning of one.
    CutShort,
    /// One whose trailer is not what it should be, and no beginning of it either.
    Broken,
}

struct Journal {
    reader: BufReader<File>,
    /// Where the next read begins.
    at: u64,
    len: u64,
}

impl Journal {
    fn open(file: &Path) -> io::Result<Journal> {
        let file = File::open(file)?;
        let len = file.metadata()?.len();
        Ok(Journal { reader: BufReader::with_capacity(BLOCK, file), at: 0, len })
    }

    fn next(&mut self) -> io::Result<Write> {
        match self.read_write() {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(Write::CutShort),
            outcome => outcome,
        }
    }

    fn read_write(&mut self) -> io::Result<Write> {
        const START: u8 = 1;
        const ITEM: u8 = 2;
        const END: u8 = 3;
        const CLEAR: u8 = 4;
        if self.byte()? != START {
            return Ok(Write::CutShort);
        }
        let entries = u32::from_le_bytes(self.field()?);
        let number = u64::from_le_bytes(self.field()?);
        for _ in 0..entries {
            match self.byte()? {
                ITEM => {
                    let (kind, compression) = (self.byte()?, self.byte()?);
                    let _keyspace: [u8; 8] = self.field()?;
                    let key = u64::from(u16::from_le_bytes(self.field()?));
                    let value = u32::from_le_bytes(self.field()?);
                    let stored = u32::from_le_bytes(self.field()?);
                    // Values, two kinds of tombstones, and values that are not compressed.
                    if kind > 2 || compression > 1 || (compression == 0 && value != stored) {
                        return Ok(Write::CutShort);
                    }
                    self.skip(key + u64::from(stored))?;
                }
                CLEAR => self.skip(8)?,
                _ => return Ok(Write::CutShort),
            }
        }
        if self.byte()? != END {
            return Ok(Write::CutShort);
        }
        let _checksum: [u8; 8] = self.field()?;
        let trailer: [u8; 4] = self.field()?;
        match trailer.iter().zip(MAGIC).find(|(found, wanted)| *found != wanted) {
            None => Ok(Write::Whole(number)),
            Some((0, _)) => Ok(Write::CutShort),
            Some(_) => Ok(Write::Broken),
        }
    }

    fn byte(&mut self) -> io::Result<u8> {
        Ok(self.field::<1>()?[0])
    }

    fn field<const LEN: usize>(&mut self) -> io::Result<[u8; LEN]> {
        let mut field = [0; LEN];
        self.reader.read_exact(&mut field)?;
        self.at += LEN as u64;
        Ok(field)
    }

    fn skip(&mut self, len: u64) -> io::Result<()> {
        if len > self.len - self.at {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.reader.seek_relative(i64::try_from(len).unwrap_or(i64::MAX))?;
        self.at += len;
        Ok(())
    }

    /// Whether any trailer stands behind a place. Its bytes are no part of any text.
    fn ends_a_write_behind(&mut self, at: u64) -> io::Result<bool> {
        static ZEROS: [u8; BLOCK + MAGIC.len()] = [0; BLOCK + MAGIC.len()];
        let mut file = self.reader.get_ref();
        file.seek(SeekFrom::Start(at))?;
        let mut block = Vec::with_capacity(BLOCK + MAGIC.len());
        loop {
            // A trailer may lie across two blocks.
            block.drain(..block.len().saturating_sub(MAGIC.len() - 1));
            if file.take(BLOCK as u64).read_to_end(&mut block)? == 0 {
                return Ok(false);
            }
            // Most of a journal is what it was laid out with, and that goes fast.
            if !ZEROS.starts_with(&block) && block.windows(MAGIC.len()).any(|four| four == MAGIC) {
                return Ok(true);
            }
        }
    }
}
