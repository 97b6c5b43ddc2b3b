//! Uploads, exports and the completion of paths: what touches files for the screen.

use std::convert::Infallible;
use std::path::PathBuf;

use crate::app::Answer;
use crate::app::transfer::{AskedPath, AskedTransfer, Completed, Export, Items, Task, Transferred, Upload};
use crate::domain::Refusal;
use crate::engine::{Container, Engine, EngineError, GIVEN_UP, Scope};
use crate::transfer::{self, Form, Format, Import, Progress, Told, TransferError, What};

use super::long::filter;
use super::newest::Asked;

impl Asked for AskedTransfer {
    const THREAD: &'static str = "transfers";
    type Progress = Progress;

    fn generation(&self) -> u64 {
        self.generation
    }

    fn answer(&self, engine: &Engine, go_on: &mut dyn FnMut(Progress) -> bool) -> Answer {
        let result = match &self.task {
            Task::Upload(asked) => upload(engine, asked, go_on),
            Task::Export(asked) => export(engine, asked, go_on),
        };
        Answer::Transferred { generation: self.generation, result: result.map_err(TransferError::into_refusal) }
    }

    fn progress(&self, progress: Progress) -> Answer {
        Answer::TransferProgress { generation: self.generation, progress }
    }
}

fn upload(
    engine: &Engine,
    asked: &Upload,
    go_on: &mut dyn FnMut(Progress) -> bool,
) -> Result<Transferred, TransferError> {
    let path = absolute(&asked.path);
    transfer::readable(&path)?;
    let catalog = engine.catalog();
    let container = catalog.container(asked.container).ok_or_else(gone)?;
    let mut import = Import::new(engine, container, asked.options.clone());
    let fault = import.file(&path, go_on).err();
    let so_far = import.so_far().clone();
    let fault = fault.or(import.finish().err());
    match fault {
        // Nothing was done: only the fault counts.
        Some(error) if so_far.stored.created + so_far.stored.replaced + so_far.errors == 0 => Err(error),
        fault => Ok(Transferred::Uploaded(so_far, fault.map(TransferError::into_refusal))),
    }
}

fn export(
    engine: &Engine,
    asked: &Export,
    go_on: &mut dyn FnMut(Progress) -> bool,
) -> Result<Transferred, TransferError> {
    let path = absolute(&asked.path);
    let form = Form { format: asked.format.unwrap_or_else(|| Format::of_name(&path)), with_system: asked.with_system };
    let place = path.display().to_string();
    let mut told = |told: Told<'_>| match told {
        Told::Progress(progress) => go_on(progress),
        Told::Unreadable(line) => {
            tracing::warn!("not exported: {line}");
            true
        }
    };
    let exported = match asked.scope {
        Scope::Container(no) => {
            let catalog = engine.catalog();
            let container = catalog.container(no).ok_or_else(gone)?;
            let what = what(engine, container, &asked.items, &mut told)?;
            transfer::to_new_file(engine, container, &path, asked.replace, &what, form, &mut told)
        }
        Scope::Database(_) | Scope::Everything => {
            transfer::all(engine, asked.scope, &path, &What::Visible, form, &mut told)
        }
    };
    match exported {
        Ok(exported) => Ok(Transferred::Exported(exported, place)),
        Err(TransferError::Exists(_)) => Ok(Transferred::Exists(place)),
        Err(error) => Err(error),
    }
}

/// The items in the words of the export: a filter is read again, without a limit.
fn what(
    engine: &Engine,
    container: &Container,
    items: &Items,
    told: &mut dyn FnMut(Told<'_>) -> bool,
) -> Result<What, TransferError> {
    Ok(match items {
        Items::Visible => What::Visible,
        Items::Marked(keys) => What::These(keys.clone()),
        Items::Filtered(text) => {
            let filtered = filter(engine, container.no, text, usize::MAX, &mut |read| {
                told(Told::Progress(Progress { read, ..Progress::default() }))
            });
            match filtered {
                Ok(filtered) => What::These(filtered.rows.into_iter().map(|row| row.key).collect()),
                Err(EngineError::Refused(refusal)) if refusal.status == GIVEN_UP => {
                    return Err(TransferError::Stopped);
                }
                Err(error) => return Err(error.into()),
            }
        }
    })
}

fn absolute(typed: &str) -> PathBuf {
    let path = transfer::expand(typed);
    std::path::absolute(&path).unwrap_or(path)
}

fn gone() -> EngineError {
    Refusal::new(404, "That container is gone.").into()
}

impl Asked for AskedPath {
    const THREAD: &'static str = "paths";
    type Progress = Infallible;

    fn generation(&self) -> u64 {
        self.generation
    }

    fn answer(&self, _: &Engine, _: &mut dyn FnMut(Infallible) -> bool) -> Answer {
        let (path, names) = transfer::complete(&self.typed);
        let completed = Completed { typed: self.typed.clone(), path, names };
        Answer::PathCompleted { generation: self.generation, completed }
    }

    fn progress(&self, never: Infallible) -> Answer {
        match never {}
    }
}
