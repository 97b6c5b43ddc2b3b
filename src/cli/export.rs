//! `export`: items as files, as far as they can be read.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::engine::{Container, Engine, EngineError};

use super::args::ExportFormat;

/// Why nothing more is exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The store cannot be read at all.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The directory holds something.
    #[error("{} is not empty: name a new directory", .0.display())]
    NotEmpty(PathBuf),
    /// A file cannot be written.
    #[error("{}: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// What was exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Items written.
    pub items: u64,
    /// Stretches of the store that cannot be read.
    pub unreadable: u64,
}

/// How an export looks.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The form of a file.
    pub format: ExportFormat,
    /// With what the system adds to a document.
    pub with_system: bool,
}

/// Writes `DATABASE.CONTAINER` with the form's ending for each container. Hidden items are among them: they are still
/// stored. `tell` gets a line for what cannot be read.
pub fn all(engine: &Engine, dir: &Path, form: Form, mut tell: impl FnMut(&str)) -> Result<Exported, ExportError> {
    fs::create_dir_all(dir).map_err(failed(dir))?;
    if fs::read_dir(dir).map_err(failed(dir))?.next().is_some() {
        return Err(ExportError::NotEmpty(dir.to_owned()));
    }
    let ending = match form.format {
        ExportFormat::Jsonl => "jsonl",
        ExportFormat::Json => "json",
        ExportFormat::Csv => "csv",
    };
    let mut exported = Exported::default();
    let catalog = engine.catalog();
    for database in catalog.databases.values() {
        for container in database.containers.values() {
            let file = dir.join(format!("{}.{}.{ending}", database.name, container.name));
            let name = format!("{}/{}", database.name, container.name);
            let some = one(engine, container, &file, form, |line| tell(&format!("{name}: {line}")))?;
            exported.items += some.items;
            exported.unreadable += some.unreadable;
        }
    }
    Ok(exported)
}

/// Writes one container or collection into a file; `-` is standard output, `.gz` compresses.
pub fn one(
    engine: &Engine,
    container: &Container,
    file: &Path,
    form: Form,
    mut tell: impl FnMut(&str),
) -> Result<Exported, ExportError> {
    let mut out: Box<dyn Write> = if file == Path::new("-") {
        Box::new(BufWriter::new(io::stdout()))
    } else {
        let raw = BufWriter::new(File::create(file).map_err(failed(file))?);
        if file.extension().is_some_and(|ending| ending == "gz") {
            Box::new(GzEncoder::new(raw, Compression::default()))
        } else {
            Box::new(raw)
        }
    };
    let names = if form.format == ExportFormat::Csv { columns(engine, container, form)? } else { Vec::new() };
    if form.format == ExportFormat::Csv {
        let heading = record(&names).map_err(failed(file))?;
        out.write_all(&heading).map_err(failed(file))?;
    }
    if form.format == ExportFormat::Json {
        out.write_all(b"[").map_err(failed(file))?;
    }
    let mut exported = Exported::default();
    let each = |text: Result<String, EngineError>| {
        match text {
            Ok(text) => {
                let written = match form.format {
                    ExportFormat::Jsonl => writeln!(out, "{}", on_one_line(&text)),
                    ExportFormat::Json => {
                        let comma = if exported.items == 0 { "\n" } else { ",\n" };
                        write!(out, "{comma}{}", on_one_line(&text))
                    }
                    ExportFormat::Csv => {
                        let cells = cells(&text, &names);
                        record(&cells).and_then(|record| out.write_all(&record))
                    }
                };
                written.map_err(failed(file))?;
                exported.items += 1;
            }
            Err(error) => {
                exported.unreadable += 1;
                tell(&error.to_string());
            }
        }
        Ok::<_, ExportError>(())
    };
    texts(engine, container, form, each)?;
    if form.format == ExportFormat::Json {
        out.write_all(b"\n]\n").map_err(failed(file))?;
    }
    out.flush().map_err(failed(file))?;
    Ok(exported)
}

fn failed(file: &Path) -> impl Fn(io::Error) -> ExportError + use<> {
    let file = file.to_owned();
    move |source| ExportError::Write { file: file.clone(), source }
}

fn texts(
    engine: &Engine,
    container: &Container,
    form: Form,
    each: impl FnMut(Result<String, EngineError>) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    if form.with_system { engine.each_text(container.no, each) } else { engine.each_body(container.no, each) }
}

/// Line ends stand between the tokens of a document only: inside a string they are escaped.
fn on_one_line(text: &str) -> String {
    text.lines().map(str::trim_start).collect::<Vec<_>>().join(" ")
}

/// The names at the root of the documents, in the order in which they are met.
fn columns(engine: &Engine, container: &Container, form: Form) -> Result<Vec<String>, ExportError> {
    let mut names: Vec<String> = Vec::new();
    texts(engine, container, form, |text| {
        if let Ok(Value::Object(object)) = serde_json::from_str(&text.unwrap_or_default()) {
            for name in object.keys() {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
        }
        Ok(())
    })?;
    Ok(names)
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
