//! `export`: all items as files, as far as they can be read.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::engine::{Engine, EngineError};

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

/// Writes `DATABASE.CONTAINER.jsonl` for each container, one document a line. Hidden items are among them: they are
/// still stored. `tell` gets a line for what cannot be read.
pub fn run(engine: &Engine, dir: &Path, mut tell: impl FnMut(&str)) -> Result<Exported, ExportError> {
    let failed = |file: &Path| {
        let file = file.to_owned();
        move |source| ExportError::Write { file, source }
    };
    fs::create_dir_all(dir).map_err(failed(dir))?;
    if fs::read_dir(dir).map_err(failed(dir))?.next().is_some() {
        return Err(ExportError::NotEmpty(dir.to_owned()));
    }
    let mut exported = Exported::default();
    let catalog = engine.catalog();
    for database in catalog.databases.values() {
        for container in database.containers.values() {
            let file = dir.join(format!("{}.{}.jsonl", database.name, container.name));
            let mut out = BufWriter::new(File::create(&file).map_err(failed(&file))?);
            let name = format!("{}/{}", database.name, container.name);
            engine.each_body(container.no, |body| {
                match body {
                    Ok(body) => {
                        let line: String = body.chars().map(|c| if c == '\n' || c == '\r' { ' ' } else { c }).collect();
                        writeln!(out, "{line}").map_err(failed(&file))?;
                        exported.items += 1;
                    }
                    Err(error) => {
                        exported.unreadable += 1;
                        tell(&format!("{name}: {error}"));
                    }
                }
                Ok::<_, ExportError>(())
            })?;
            out.flush().map_err(failed(&file))?;
        }
    }
    Ok(exported)
}
