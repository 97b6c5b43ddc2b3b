//! Documents into a container, from files of any size, in atomic writes of up to a thousand.

use std::borrow::Cow;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use crate::domain::{Instant, Refusal, words};
use crate::engine::{Container, Engine, Incoming, Stored};

use super::prepare::prepare;
use super::refused::Refused;
use super::source::{Shape, Source};
use super::split::{Piece, Split};
use super::{TransferError, csv};

/// Documents of one atomic write, at most.
const BATCH: usize = 1_000;
/// Bytes of the documents of one atomic write, as soon as they are reached: large documents do not pile up in memory.
const BATCH_BYTES: usize = 8 * 1024 * 1024;

/// What becomes of the import when a document is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OnError {
    /// It ends; what came before is stored.
    Stop,
    /// It goes on.
    #[default]
    Skip,
}

/// How documents are taken in.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ImportOptions {
    /// A document takes the place of one that is there; else it is refused.
    pub replace: bool,
    /// What becomes of the import when a document is refused.
    pub on_error: OnError,
    /// Seconds of time to live for documents without a `ttl`; of RavenDB an `@expires` from now on.
    pub ttl: Option<u32>,
    /// The field that becomes the id.
    pub id_field: Option<String>,
    /// The documents' own `_ts` (of RavenDB `@last-modified`) is kept.
    pub keep_ts: bool,
    /// Where refused documents are written; else beside the source.
    pub refused: Option<PathBuf>,
}

/// How far a source was read, after each write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Progress {
    /// Documents that are stored, or written.
    pub done: u64,
    /// Documents that were refused.
    pub errors: u64,
    /// How much was read: bytes of the source, or items of the container.
    pub read: u64,
    /// How much there is, in the same unit, where that is known.
    pub total: Option<u64>,
}

impl Progress {
    /// How much of the whole was read, in hundredths; at most 100.
    pub fn percent(self) -> Option<u64> {
        let total = self.total.filter(|total| *total > 0)?;
        u64::try_from((u128::from(self.read) * 100 / u128::from(total)).min(100)).ok()
    }
}

/// Why an import ended before its sources did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// A document was refused, and that was to be the end.
    Refused,
    /// Somebody asked for the end.
    Interrupted,
}

/// What an import came to.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Imported {
    /// How many documents were stored.
    pub stored: Stored,
    /// How many were refused.
    pub errors: u64,
    /// The file that has the refused ones.
    pub refused: Option<PathBuf>,
    /// The first refusal, with the line on which its document starts.
    pub first: Option<(u64, Refusal)>,
    /// Why it ended before its sources did.
    pub ended: Option<Ended>,
}

impl Imported {
    /// `1,204 created, 3 replaced, 2 errors; what was refused is in FILE`.
    pub fn words(&self) -> String {
        let mut line = format!(
            "{} created, {} replaced, {}",
            words::count(self.stored.created),
            words::count(self.stored.replaced),
            words::counted(self.errors, "error")
        );
        if let Some(path) = &self.refused {
            line += &format!("; what was refused is in {}", path.display());
        }
        match self.ended {
            Some(Ended::Interrupted) => line += "; interrupted, what was counted is stored",
            Some(Ended::Refused) => line += "; ended at the first refusal, what came before it is stored",
            None => {}
        }
        line
    }
}

/// Told how far it is; whether to go on. What was told is stored.
pub type GoOn<'a> = &'a mut dyn FnMut(Progress) -> bool;

/// An import into one container.
pub struct Import<'a> {
    engine: &'a Engine,
    container: &'a Container,
    options: ImportOptions,
    refused: Refused,
    outcome: Imported,
}

impl<'a> Import<'a> {
    /// Nothing is read yet.
    pub fn new(engine: &'a Engine, container: &'a Container, options: ImportOptions) -> Self {
        let refused = Refused::new(options.refused.clone());
        Import { engine, container, options, refused, outcome: Imported::default() }
    }

    /// Takes a file in; `-` is standard input. Says whether the next one may follow: `false` after a stop.
    ///
    /// # Errors
    /// The file cannot be read to its end, or the store cannot be written; what was told before is stored, and
    /// [`finish`](Self::finish) says how much that is.
    pub fn file(&mut self, path: &Path, go_on: GoOn<'_>) -> Result<bool, TransferError> {
        let Source { text, shape, read, total } = Source::open(path)?;
        let at = move || (read.get(), total);
        match shape {
            Shape::Csv => {
                let pieces = csv::pieces(text).map(|piece| piece.map_err(io::Error::other));
                self.all(path, pieces, &at, go_on)?;
            }
            Shape::Json => {
                let mut split = Split::new(BufReader::with_capacity(1 << 16, text));
                self.all(path, std::iter::from_fn(move || split.next().transpose()), &at, go_on)?;
            }
        }
        Ok(self.outcome.ended.is_none())
    }

    /// What it came to. The file of refusals is complete.
    ///
    /// # Errors
    /// The file of refusals cannot be written.
    pub fn finish(mut self) -> Result<Imported, TransferError> {
        self.refused.flush()?;
        Ok(self.outcome)
    }

    /// What it came to so far.
    pub fn so_far(&self) -> &Imported {
        &self.outcome
    }

    fn all(
        &mut self,
        path: &Path,
        pieces: impl Iterator<Item = io::Result<Piece>>,
        at: &dyn Fn() -> (u64, Option<u64>),
        go_on: GoOn<'_>,
    ) -> Result<(), TransferError> {
        let mut batch: Vec<Piece> = Vec::with_capacity(BATCH);
        let mut bytes = 0;
        for piece in pieces {
            let piece = match piece {
                Ok(piece) => piece,
                Err(source) => {
                    // What was read before the fault is stored.
                    self.store(path, &batch)?;
                    return Err(TransferError::File { file: path.to_owned(), source });
                }
            };
            bytes += piece.text.len();
            batch.push(piece);
            if batch.len() == BATCH || bytes >= BATCH_BYTES {
                self.store(path, &batch)?;
                batch.clear();
                bytes = 0;
                if !go_on(self.progress(at())) {
                    self.outcome.ended.get_or_insert(Ended::Interrupted);
                }
                if self.outcome.ended.is_some() {
                    return Ok(());
                }
            }
        }
        self.store(path, &batch)?;
        // There is nothing left to stop.
        let _ = go_on(self.progress(at()));
        Ok(())
    }

    fn progress(&self, (read, total): (u64, Option<u64>)) -> Progress {
        let Stored { created, replaced } = self.outcome.stored;
        Progress { done: created + replaced, errors: self.outcome.errors, read, total }
    }

    /// Stores a batch; what is refused is written down.
    fn store(&mut self, path: &Path, batch: &[Piece]) -> Result<(), TransferError> {
        let now = self.engine.now();
        let stops = self.options.on_error == OnError::Stop;
        let mut prepared: Vec<(usize, Cow<'_, str>, Option<Instant>)> = Vec::with_capacity(batch.len());
        let mut refusals: Vec<(usize, Refusal)> = Vec::new();
        for (at, piece) in batch.iter().enumerate() {
            match prepare(piece, self.container.api(), &self.options, now) {
                Ok((text, written)) => prepared.push((at, text, written)),
                Err(refusal) => {
                    refusals.push((at, refusal));
                    if stops {
                        break;
                    }
                }
            }
        }
        let items: Vec<Incoming<'_>> =
            prepared.iter().map(|(_, text, written)| Incoming { text, written: *written }).collect();
        // Where the first refusal ends it, nothing behind it may be stored: one by one.
        let step = if stops { 1 } else { items.len().max(1) };
        let mut failed = None;
        for (from, some) in items.chunks(step).enumerate() {
            let before = refusals.len();
            let stored = self.engine.store_items(self.container.no, some, self.options.replace, |at, refusal| {
                refusals.push((prepared[from * step + at].0, refusal));
            });
            let stored = match stored {
                Ok(stored) => stored,
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            };
            self.outcome.stored.created += stored.created;
            self.outcome.stored.replaced += stored.replaced;
            if stops && refusals.len() > before {
                break;
            }
        }
        self.write_down(path, batch, refusals)?;
        failed.map_or(Ok(()), |error| Err(error.into()))
    }

    fn write_down(
        &mut self,
        path: &Path,
        batch: &[Piece],
        mut refusals: Vec<(usize, Refusal)>,
    ) -> Result<(), TransferError> {
        refusals.sort_by_key(|(at, _)| *at);
        if self.options.on_error == OnError::Stop && !refusals.is_empty() {
            refusals.truncate(1);
            self.outcome.ended = Some(Ended::Refused);
        }
        for (at, refusal) in refusals {
            let piece = &batch[at];
            self.outcome.errors += 1;
            self.refused.add(path, piece, &refusal)?;
            self.outcome.refused = self.refused.path().map(Path::to_owned);
            self.outcome.first.get_or_insert((piece.line, refusal));
        }
        Ok(())
    }
}
