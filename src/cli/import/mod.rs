//! `import`: documents from files and standard input, of any size.

mod csv;
mod split;

use std::fs::File;
use std::io::{self, BufReader, BufWriter, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use chrono::{DateTime, Utc};
use flate2::read::MultiGzDecoder;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use crate::domain::json::{scan_object, set_members};
use crate::domain::ravendb::set_expires;
use crate::domain::{Instant, Refusal, words};
use crate::engine::{Api, Container, Incoming, Stored};

use super::CliError;
use super::args::{ImportArgs, OnError};
use super::context::Context;
use super::interrupt::Interrupt;
use split::{Piece, Split};

/// Documents of one atomic write.
const BATCH: usize = 1_000;

/// `import`. Says whether everything was stored.
pub fn run(context: &mut Context<'_>, args: &ImportArgs) -> Result<bool, CliError> {
    context.writes()?;
    let container = context.place(&args.place)?;
    let mut import = Import {
        context,
        container: &container,
        args,
        stored: Stored::default(),
        errors: 0,
        refused: None,
        refused_path: None,
        interrupt: Interrupt::listen()?,
        ended: None,
    };
    for file in &args.files {
        import.file(file)?;
        if import.ended.is_some() {
            break;
        }
    }
    import.finish()
}

/// Why an import ended before its files did.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    Refused,
    Interrupted,
}

struct Import<'a, 'o> {
    context: &'a mut Context<'o>,
    container: &'a Container,
    args: &'a ImportArgs,
    stored: Stored,
    errors: u64,
    refused: Option<BufWriter<File>>,
    refused_path: Option<PathBuf>,
    interrupt: Interrupt,
    ended: Option<Ended>,
}

impl Import<'_, '_> {
    fn file(&mut self, path: &Path) -> Result<(), CliError> {
        let problem = |source| CliError::File { file: path.to_owned(), source };
        let (input, length): (Box<dyn Read>, Option<u64>) = if path == Path::new("-") {
            (Box::new(io::stdin()), None)
        } else {
            let file = File::open(path).map_err(problem)?;
            let length = file.metadata().ok().map(|data| data.len());
            (Box::new(file), length)
        };
        let bar = progress(length);
        let counted = bar.wrap_read(input);
        let name = path.to_string_lossy().to_lowercase();
        let plain: Box<dyn Read> =
            if name.ends_with(".gz") { Box::new(MultiGzDecoder::new(counted)) } else { Box::new(counted) };
        let outcome = if name.trim_end_matches(".gz").ends_with(".csv") {
            self.all(path, csv::pieces(plain).map(|piece| piece.map_err(io::Error::other)))
        } else {
            let mut split = Split::new(BufReader::with_capacity(1 << 16, plain));
            self.all(path, std::iter::from_fn(move || split.next().transpose()))
        };
        bar.finish_and_clear();
        outcome
    }

    fn all(&mut self, path: &Path, pieces: impl Iterator<Item = io::Result<Piece>>) -> Result<(), CliError> {
        let mut batch: Vec<Piece> = Vec::with_capacity(BATCH);
        for piece in pieces {
            let piece = match piece {
                Ok(piece) => piece,
                Err(source) => {
                    // What was read before the fault is stored.
                    self.store(path, &batch)?;
                    return Err(CliError::File { file: path.to_owned(), source });
                }
            };
            batch.push(piece);
            if batch.len() == BATCH {
                self.store(path, &batch)?;
                batch.clear();
                if self.interrupt.was_asked() {
                    self.ended = Some(Ended::Interrupted);
                }
                if self.ended.is_some() {
                    return Ok(());
                }
            }
        }
        self.store(path, &batch)
    }

    /// Stores a batch; what is refused is written down.
    fn store(&mut self, path: &Path, batch: &[Piece]) -> Result<(), CliError> {
        let now = self.context.engine.now();
        let mut prepared: Vec<(usize, String, Option<Instant>)> = Vec::with_capacity(batch.len());
        let mut refusals: Vec<(usize, Refusal)> = Vec::new();
        for (at, piece) in batch.iter().enumerate() {
            match prepare(piece, self.container.api(), self.args, now) {
                Ok((text, written)) => prepared.push((at, text, written)),
                Err(refusal) => {
                    refusals.push((at, refusal));
                    if self.args.on_error == OnError::Stop {
                        break;
                    }
                }
            }
        }
        let items: Vec<Incoming<'_>> =
            prepared.iter().map(|(_, text, written)| Incoming { text, written: *written }).collect();
        // Where the first refusal ends it, nothing behind it may be stored: one by one.
        let step = if self.args.on_error == OnError::Stop { 1 } else { items.len().max(1) };
        for (from, some) in items.chunks(step).enumerate() {
            let before = refusals.len();
            let stored =
                self.context.engine.store_items(self.container.no, some, self.args.upsert, |at, refusal| {
                    refusals.push((prepared[from * step + at].0, refusal));
                })?;
            self.stored.created += stored.created;
            self.stored.replaced += stored.replaced;
            if self.args.on_error == OnError::Stop && refusals.len() > before {
                break;
            }
        }
        refusals.sort_by_key(|(at, _)| *at);
        if self.args.on_error == OnError::Stop && !refusals.is_empty() {
            refusals.truncate(1);
            self.ended = Some(Ended::Refused);
        }
        for (at, refusal) in &refusals {
            self.refuse(path, &batch[*at], refusal)?;
        }
        Ok(())
    }

    fn refuse(&mut self, path: &Path, piece: &Piece, refusal: &Refusal) -> Result<(), CliError> {
        self.errors += 1;
        let target = self.args.refused.clone().unwrap_or_else(|| {
            if path == Path::new("-") {
                PathBuf::from("import.refused.jsonl")
            } else {
                PathBuf::from(format!("{}.refused.jsonl", path.display()))
            }
        });
        let problem = |source| CliError::File { file: target.clone(), source };
        if self.refused.is_none() {
            self.refused = Some(BufWriter::new(File::create(&target).map_err(problem)?));
            self.refused_path = Some(target.clone());
        }
        if let Some(out) = &mut self.refused {
            let line = json!({"file": path.display().to_string(), "line": piece.line, "reason": refusal.in_full(), "document": piece.text});
            writeln!(out, "{line}").map_err(problem)?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<bool, CliError> {
        if let (Some(out), Some(path)) = (&mut self.refused, &self.refused_path) {
            out.flush().map_err(|source| CliError::File { file: path.clone(), source })?;
        }
        let Stored { created, replaced } = self.stored;
        let fields = [
            ("created", json!(created)),
            ("replaced", json!(replaced)),
            ("errors", json!(self.errors)),
            ("interrupted", json!(self.ended == Some(Ended::Interrupted))),
            ("refused", json!(self.refused_path.as_ref().map(|path| path.display().to_string()))),
        ];
        let mut line = format!(
            "{} created, {} replaced, {}",
            words::count(created),
            words::count(replaced),
            words::counted(self.errors, "error")
        );
        if let Some(path) = &self.refused_path {
            line += &format!("; what was refused is in {}", path.display());
        }
        match self.ended {
            Some(Ended::Interrupted) => line += "; interrupted, what was counted is stored",
            Some(Ended::Refused) => line += "; ended at the first refusal, what came before it is stored",
            None => {}
        }
        self.context.out.done(&line, &fields)?;
        Ok(self.errors == 0 && self.ended.is_none())
    }
}

/// A bar on a terminal, nothing elsewhere.
fn progress(length: Option<u64>) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = length.map_or_else(ProgressBar::new_spinner, ProgressBar::new);
    let template = if length.is_some() {
        "{bar:30} {bytes} of {total_bytes}  {bytes_per_sec}  {eta} left"
    } else {
        "{spinner} {bytes}  {bytes_per_sec}"
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// The text that is stored, and when it says that it was written, if that is kept.
fn prepare(piece: &Piece, api: Api, args: &ImportArgs, now: Instant) -> Result<(String, Option<Instant>), Refusal> {
    if piece.too_long {
        return Err(Refusal::new(413, "The document is longer than 20 MB."));
    }
    let mut text = piece.text.clone();
    let written = if args.keep_ts { written(&text, api)? } else { None };
    if let Some(field) = &args.id_field {
        text = with_id(&text, field, api)?;
    }
    if let Some(secs) = args.ttl {
        let object = scan_object(&text)?;
        text = match api {
            Api::RavenDb => {
                let has = object.member("@metadata").is_some_and(|metadata| {
                    scan_object(metadata.value).is_ok_and(|metadata| metadata.member("@expires").is_some())
                });
                if has { text } else { set_expires(&text, now.plus_secs(i64::from(secs)))? }
            }
            Api::NoSql | Api::MongoDb if object.member("ttl").is_some() => text,
            Api::NoSql | Api::MongoDb => set_members(&object, &[("ttl", secs.to_string())]),
        };
    }
    Ok((text, written))
}

/// When a document says that it was written last.
fn written(text: &str, api: Api) -> Result<Option<Instant>, Refusal> {
    let object = scan_object(text)?;
    match api {
        Api::NoSql | Api::MongoDb => {
            let Some(member) = object.member("_ts") else { return Ok(None) };
            let secs = member.value.parse::<i64>().map_err(|_| {
                Refusal::bad_request(format!("`_ts` is {}: whole seconds since 1970 are kept.", member.value))
            })?;
            Ok(Some(Instant::from_secs(secs)))
        }
        Api::RavenDb => {
            let Some(metadata) = object.member("@metadata") else { return Ok(None) };
            let metadata = scan_object(metadata.value)?;
            let Some(member) = metadata.member("@last-modified") else { return Ok(None) };
            let text: String = serde_json::from_str(member.value).unwrap_or_default();
            let at = DateTime::parse_from_rfc3339(&text).map_err(|_| {
                Refusal::bad_request(format!("`@last-modified` is {}: it is no instant.", member.value))
            })?;
            Ok(Some(at.with_timezone(&Utc).into()))
        }
    }
}

/// The document with the id that a field has: a number becomes text where an id is text.
fn with_id(text: &str, field: &str, api: Api) -> Result<String, Refusal> {
    let object = scan_object(text)?;
    let Some(member) = object.member(field) else {
        return Err(Refusal::bad_request(format!("There is no field `{field}` for the id.")));
    };
    let as_text = if member.value.starts_with('"') {
        member.value.to_owned()
    } else {
        serde_json::Value::from(member.value).to_string()
    };
    Ok(match api {
        Api::NoSql => set_members(&object, &[("id", as_text)]),
        Api::MongoDb => set_members(&object, &[("_id", member.value.to_owned())]),
        Api::RavenDb => {
            let id: String = serde_json::from_str(&as_text).unwrap_or_default();
            crate::domain::ravendb::with_id(text, &id)
        }
    })
}

/// Reads a whole text that may come from standard input.
pub fn read_text(path: &Path) -> Result<String, CliError> {
    let problem = |source| CliError::File { file: path.to_owned(), source };
    let mut text = String::new();
    if path == Path::new("-") {
        io::stdin().lock().read_to_string(&mut text).map_err(problem)?;
    } else {
        BufReader::new(File::open(path).map_err(problem)?).read_to_string(&mut text).map_err(problem)?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_becomes_the_id() {
        let text = r#"{"n": 7, "s": "x"}"#;
        assert_eq!(with_id(text, "n", Api::NoSql).expect("made"), r#"{"n": 7, "s": "x", "id": "7"}"#);
        assert_eq!(with_id(text, "n", Api::MongoDb).expect("made"), r#"{"n": 7, "s": "x", "_id": 7}"#);
        assert!(with_id(text, "s", Api::RavenDb).expect("made").contains("\"@id\": \"x\""));
        assert!(with_id(text, "none", Api::NoSql).is_err());
    }

    #[test]
    fn the_instant_of_the_last_write_is_read() {
        assert_eq!(written(r#"{"_ts": 5}"#, Api::NoSql), Ok(Some(Instant::from_secs(5))));
        assert_eq!(written("{}", Api::NoSql), Ok(None));
        assert!(written(r#"{"_ts": "5"}"#, Api::NoSql).is_err());
        let raven = r#"{"@metadata": {"@last-modified": "1970-01-01T00:00:05.0000000Z"}}"#;
        assert_eq!(written(raven, Api::RavenDb), Ok(Some(Instant::from_secs(5))));
    }
}
