//! Items into files, as far as they can be read.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::engine::{Container, Engine, EngineError, Key, Scope, Which};

use super::target::{NewFile, Packed};
use super::{Progress, TransferError};

/// Items between two words about how far it is.
const STEP: u64 = 1_000;

/// What was exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Items written.
    pub items: u64,
    /// Stretches of the store that cannot be read.
    pub unreadable: u64,
}

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Format {
    /// A document a line.
    #[default]
    Jsonl,
    /// One JSON array.
    Json,
    /// CSV with a heading: the fields at the root.
    Csv,
}

impl Format {
    /// The ending of a file in this form.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Jsonl => "jsonl",
            Format::Json => "json",
            Format::Csv => "csv",
        }
    }

    /// The form that the name of a file asks for, `.gz` apart; a document a line where it asks for none.
    pub fn of_name(file: &Path) -> Format {
        let name = file.to_string_lossy().to_lowercase();
        let name = name.trim_end_matches(".gz");
        [Format::Json, Format::Csv]
            .into_iter()
            .find(|format| name.ends_with(&format!(".{}", format.ending())))
            .unwrap_or_default()
    }
}

/// How an export looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Form {
    /// The form of a file.
    pub format: Format,
    /// With what the system adds to a document.
    pub with_system: bool,
}

/// Which items are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// All that are stored, hidden ones too.
    Stored,
    /// Those that reads see.
    Visible,
    /// Of those the ones with these keys.
    These(Vec<Key>),
}

impl What {
    fn which(&self) -> Which<'_> {
        match self {
            What::Stored => Which::Stored,
            What::Visible => Which::Visible,
            What::These(keys) => Which::These(keys),
        }
    }
}

/// What is told while it goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Told<'a> {
    /// So much is written.
    Progress(Progress),
    /// What cannot be read, in words.
    Unreadable(&'a str),
}

/// Told how it goes; whether to go on.
pub type GoOn<'a> = &'a mut dyn FnMut(Told<'_>) -> bool;

/// Writes `DATABASE.CONTAINER` with the form's ending for each container of the scope.
///
/// # Errors
/// The directory is not empty, a file cannot be written. When it is stopped, what was made is removed again.
pub fn all(
    engine: &Engine,
    scope: Scope,
    dir: &Path,
    what: &What,
    form: Form,
    go_on: GoOn<'_>,
) -> Result<Exported, TransferError> {
    let made_here = !dir.exists();
    fs::create_dir_all(dir).map_err(TransferError::of(dir))?;
    if fs::read_dir(dir).map_err(TransferError::of(dir))?.next().is_some() {
        return Err(TransferError::NotEmpty(dir.to_owned()));
    }
    let mut files = Vec::new();
    let exported = each_container(engine, scope, dir, what, form, &mut files, go_on);
    if matches!(exported, Err(TransferError::Stopped)) {
        // What cannot be removed is seen in the directory.
        for file in files {
            let _ = fs::remove_file(file);
        }
        if made_here {
            let _ = fs::remove_dir(dir);
        }
    }
    exported
}

fn each_container(
    engine: &Engine,
    scope: Scope,
    dir: &Path,
    what: &What,
    form: Form,
    files: &mut Vec<PathBuf>,
    go_on: GoOn<'_>,
) -> Result<Exported, TransferError> {
    let mut exported = Exported::default();
    let total = engine.totals(scope).ok().map(|totals| totals.stored);
    let catalog = engine.catalog();
    for database in catalog.databases.values() {
        for container in database.containers.values() {
            let wanted = match scope {
                Scope::Everything => true,
                Scope::Database(no) => database.no == no,
                Scope::Container(no) => container.no == no,
            };
            if !wanted {
                continue;
            }
            let file = dir.join(format!("{}.{}.{}", database.name, container.name, form.format.ending()));
            files.push(file.clone());
            let before = exported.items;
            let some = one(engine, container, &file, what, form, &mut |told| match told {
                Told::Progress(progress) => {
                    let done = before + progress.done;
                    go_on(Told::Progress(Progress { done, read: done, total, ..progress }))
                }
                Told::Unreadable(line) => {
                    go_on(Told::Unreadable(&format!("{}/{}: {line}", database.name, container.name)))
                }
            })?;
            exported.items += some.items;
            exported.unreadable += some.unreadable;
        }
    }
    Ok(exported)
}

/// Writes items of one container or collection into a file; `-` is standard output, `.gz` compresses. A file that is
/// there is written over.
///
/// # Errors
/// The file cannot be written, the container is gone; stopped.
pub fn one(
    engine: &Engine,
    container: &Container,
    file: &Path,
    what: &What,
    form: Form,
    go_on: GoOn<'_>,
) -> Result<Exported, TransferError> {
    let raw: Box<dyn Write> = if file == Path::new("-") {
        Box::new(io::stdout())
    } else {
        Box::new(File::create(file).map_err(TransferError::of(file))?)
    };
    let mut out = Packed::new(file, raw);
    let exported = Export { engine, container, file, what, form }.write(&mut out, go_on)?;
    out.finish().and_then(|mut raw| raw.flush()).map_err(TransferError::of(file))?;
    Ok(exported)
}

/// The same into a file that is there only when it is complete. One that is there already is replaced when that is
/// wanted.
///
/// # Errors
/// The same, and a file that is there and was not to be replaced. In each case nothing is left behind, and what was
/// there is as it was.
pub fn to_new_file(
    engine: &Engine,
    container: &Container,
    file: &Path,
    replace: bool,
    what: &What,
    form: Form,
    go_on: GoOn<'_>,
) -> Result<Exported, TransferError> {
    let new = NewFile::begin(file, replace)?;
    let mut out = Packed::new(file, new.file());
    let exported = Export { engine, container, file, what, form }.write(&mut out, go_on)?;
    out.finish().map_err(TransferError::of(file))?;
    new.keep()?;
    Ok(exported)
}

struct Export<'a> {
    engine: &'a Engine,
    container: &'a Container,
    file: &'a Path,
    what: &'a What,
    form: Form,
}

impl Export<'_> {
    fn write(&self, out: &mut dyn Write, go_on: GoOn<'_>) -> Result<Exported, TransferError> {
        let failed = TransferError::of(self.file);
        let format = self.form.format;
        let passes = if format == Format::Csv { 2 } else { 1 };
        let mut steps = Steps { read: 0, total: self.total().map(|total| total * passes), go_on };
        let names = if format == Format::Csv { self.columns(&mut steps)? } else { Vec::new() };
        match format {
            Format::Csv => record(&names).and_then(|heading| out.write_all(&heading)).map_err(&failed)?,
            Format::Json => out.write_all(b"[").map_err(&failed)?,
            Format::Jsonl => {}
        }
        let mut exported = Exported::default();
        self.texts(|text| {
            match text {
                Ok(text) => {
                    let written = match format {
                        Format::Jsonl => writeln!(out, "{}", on_one_line(&text)),
                        Format::Json => {
                            let comma = if exported.items == 0 { "\n" } else { ",\n" };
                            write!(out, "{comma}{}", on_one_line(&text))
                        }
                        Format::Csv => record(&cells(&text, &names)).and_then(|record| out.write_all(&record)),
                    };
                    written.map_err(&failed)?;
                    exported.items += 1;
                }
                Err(error) => {
                    exported.unreadable += 1;
                    (steps.go_on)(Told::Unreadable(&error.to_string()));
                }
            }
            steps.step(exported.items)
        })?;
        if format == Format::Json {
            out.write_all(b"\n]\n").map_err(&failed)?;
        }
        Ok(exported)
    }

    /// How many items there are; hidden ones among them are passed over quickly.
    fn total(&self) -> Option<u64> {
        match self.what {
            What::These(keys) => Some(keys.len() as u64),
            What::Stored | What::Visible => {
                self.engine.totals(Scope::Container(self.container.no)).ok().map(|totals| totals.stored)
            }
        }
    }

    fn texts(
        &self,
        each: impl FnMut(Result<String, EngineError>) -> Result<(), TransferError>,
    ) -> Result<(), TransferError> {
        let (no, which) = (self.container.no, self.what.which());
        if self.form.with_system {
            self.engine.each_text(no, which, each)
        } else {
            self.engine.each_body(no, which, each)
        }
    }

    /// The names at the root of the documents, in the order in which they are met.
    fn columns(&self, steps: &mut Steps<'_>) -> Result<Vec<String>, TransferError> {
        let mut names: Vec<String> = Vec::new();
        let mut known: HashSet<String> = HashSet::new();
        self.texts(|text| {
            if let Ok(Value::Object(object)) = serde_json::from_str(&text.unwrap_or_default()) {
                for name in object.keys() {
                    if known.insert(name.clone()) {
                        names.push(name.clone());
                    }
                }
            }
            steps.step(0)
        })?;
        Ok(names)
    }
}

/// Tells now and then how far it is.
struct Steps<'a> {
    read: u64,
    total: Option<u64>,
    go_on: GoOn<'a>,
}

impl Steps<'_> {
    fn step(&mut self, done: u64) -> Result<(), TransferError> {
        self.read += 1;
        if !self.read.is_multiple_of(STEP) {
            return Ok(());
        }
        let progress = Progress { done, errors: 0, read: self.read, total: self.total };
        if (self.go_on)(Told::Progress(progress)) { Ok(()) } else { Err(TransferError::Stopped) }
    }
}

/// Line ends stand between the tokens of a document only: inside a string they are escaped.
fn on_one_line(text: &str) -> Cow<'_, str> {
    if !text.contains(['\n', '\r']) {
        return Cow::Borrowed(text.trim_start());
    }
    Cow::Owned(text.lines().map(str::trim_start).collect::<Vec<_>>().join(" "))
}

/// The values of a document in the order of the columns: text as it is, everything else as JSON.
fn cells(text: &str, names: &[String]) -> Vec<String> {
    let object = match serde_json::from_str(text) {
        Ok(Value::Object(object)) => object,
        _ => serde_json::Map::new(),
    };
    let cell = |name: &String| match object.get(name) {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    names.iter().map(cell).collect()
}

fn record(cells: &[String]) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(cells).map_err(io::Error::other)?;
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}
