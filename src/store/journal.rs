//! Looking at the journals before fjall does: it cuts a journal at the first place that it cannot read, without a word
//! of the writes behind it.
//!
//! A journal is a sequence of writes, then zeros that the file was laid out with. A write is a head (its number of
//! entries and its sequence number), the entries, and a trailer: their checksum, and [`MAGIC`].

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

/// What a write that came to its end ends in.
const MAGIC: [u8; 4] = *b"FJL\x03";
/// How much is read at once.
const BLOCK: usize = 64 * 1024;

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

/// Whether any write came to its end.
pub fn holds_writes(data: &Path) -> io::Result<bool> {
    for file in journals(data)? {
        if Journal::open(&file)?.ends_a_write_behind(0)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The first damage that fjall would pass over in silence. A write that was cut short, with nothing finished behind
/// it, is none: it was never acknowledged.
pub fn damage(data: &Path) -> io::Result<Option<String>> {
    let mut last = None;
    for file in journals(data)? {
        let mut journal = Journal::open(&file)?;
        loop {
            let at = journal.at;
            match journal.next()? {
                // fjall counts up: it would take a write with a number that is too low for one that it has already.
                Write::Whole(number) if last.is_none_or(|last| last < number) => last = Some(number),
                Write::CutShort if !journal.ends_a_write_behind(at)? => break,
                Write::Whole(_) | Write::CutShort | Write::Broken => {
                    return Ok(Some(format!(
                        "{} cannot be read from byte {at} on, and finished writes stand there; cut at that byte, it opens \
                         without them",
                        file.display()
                    )));
                }
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
    /// A finished one that is not what was written.
    Broken,
}

struct Journal {
    reader: BufReader<File>,
    /// Where the next read begins.
    at: u64,
    /// Of what was read since the head of the write.
    checksum: Xxh3,
}

impl Journal {
    fn open(file: &Path) -> io::Result<Journal> {
        let reader = BufReader::with_capacity(BLOCK, File::open(file)?);
        Ok(Journal { reader, at: 0, checksum: Xxh3::new() })
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
        self.checksum.reset();
        for _ in 0..entries {
            match self.byte()? {
                ITEM => {
                    // The kind, the compression and the keyspace; the length of the value before its compression.
                    let _about: [u8; 10] = self.field()?;
                    let key = u64::from(u16::from_le_bytes(self.field()?));
                    let _value: [u8; 4] = self.field()?;
                    let stored = u64::from(u32::from_le_bytes(self.field()?));
                    self.pass(key + stored)?;
                }
                CLEAR => self.pass(8)?,
                _ => return Ok(Write::CutShort),
            }
        }
        let checksum = self.checksum.digest();
        if self.byte()? != END {
            return Ok(Write::CutShort);
        }
        let found = u64::from_le_bytes(self.field()?);
        let magic: [u8; 4] = self.field()?;
        match magic.iter().zip(MAGIC).find(|(found, wanted)| *found != wanted) {
            None if found == checksum => Ok(Write::Whole(number)),
            Some((0, _)) => Ok(Write::CutShort),
            None | Some(_) => Ok(Write::Broken),
        }
    }

    fn byte(&mut self) -> io::Result<u8> {
        Ok(self.field::<1>()?[0])
    }

    fn field<const LEN: usize>(&mut self) -> io::Result<[u8; LEN]> {
        let mut field = [0; LEN];
        self.reader.read_exact(&mut field)?;
        self.checksum.update(&field);
        self.at += LEN as u64;
        Ok(field)
    }

    fn pass(&mut self, len: u64) -> io::Result<()> {
        let mut left = len;
        while left > 0 {
            let block = self.reader.fill_buf()?;
            if block.is_empty() {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let taken = block.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            self.checksum.update(&block[..taken]);
            self.reader.consume(taken);
            left -= taken as u64;
        }
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
