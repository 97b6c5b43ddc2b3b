//! Upload and export: what is asked, started, told, stopped.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::domain::nosql::MAX_TTL;
use crate::domain::{Refusal, words};
use crate::engine::{ContainerNo, GIVEN_UP, Scope};
use crate::transfer::{Ended, ImportOptions, Imported, OnError, Progress};

use crate::app::console::Kind;
use crate::app::dialog::{Control, Dialog, ExportForm, Question, UploadForm};
use crate::app::transfer::{Completed, Export, Items, Running, Task, Transferred, Upload};
use crate::app::{Effect, Focus, Intent, Model, Node, TextField};

use super::{act, ask, done, go, note, refused};

/// Asks for a file to upload; while one goes on, shows how far it is.
pub fn upload(model: &mut Model) {
    if shows_running(model) {
        return;
    }
    match act::container_here(model) {
        Some(no) => {
            let dialog = ask::upload(model, no);
            model.dialogs.push(dialog);
        }
        None => note(model, "Upload goes into a container: open one, or choose it in the tree."),
    }
}

/// Asks where the items go: of the container under the tree's cursor, its database there, or the open container.
pub fn export(model: &mut Model, effects: &mut Vec<Effect>) {
    let node = (model.focus == Focus::Tree).then(|| model.tree.current().map(|line| line.node)).flatten();
    let scope = match (act::container_here(model), node) {
        // RavenDB keeps all documents of a database together, the others do not.
        (_, Some(Node::Database(no))) if model.catalog.database(no).is_some_and(|one| one.documents.is_none()) => {
            Some(Scope::Database(no))
        }
        (Some(no), _) => Some(Scope::Container(no)),
        (None, _) => None,
    };
    match scope {
        Some(scope) => go::leave(model, effects, Intent::Export(scope)),
        None => note(model, "Nothing to export: open a container, or choose a database in the tree."),
    }
}

/// Asks where the items of a scope go.
pub fn export_of(model: &mut Model, scope: Scope) {
    if !shows_running(model) {
        let dialog = ask::export(model, scope);
        model.dialogs.push(dialog);
    }
}

/// Only one goes on at a time: it is shown instead of a new one.
fn shows_running(model: &mut Model) -> bool {
    let Some(running) = &model.transfers.running else { return false };
    let dialog = ask::transferring(running, &place_of(model, running));
    model.dialogs.push(dialog);
    true
}

/// Where it goes, in words.
fn place_of(model: &Model, running: &Running) -> String {
    match &running.task {
        Task::Upload(Upload { container, path, .. }) => format!("{path} into {}", model.name_of(*container)),
        Task::Export(Export { scope, path, .. }) => format!("{} into {path}", ask::scope_name(model, *scope)),
    }
}

/// What the form of an upload says.
///
/// # Errors
/// Why it cannot be done so.
pub fn upload_task(dialog: &Dialog, container: ContainerNo) -> Result<Task, String> {
    let path = typed_path(dialog, UploadForm::PATH)?;
    let ttl = dialog.value(UploadForm::TTL).trim();
    let secs = words::parse_duration(ttl).and_then(|secs| u32::try_from(secs).ok());
    let ttl = match secs.filter(|secs| (1..=MAX_TTL).contains(secs)) {
        _ if ttl.is_empty() => None,
        Some(secs) => Some(secs),
        None => return Err(format!("`{ttl}` is no time to live: write 1 to {MAX_TTL} seconds, or 5 m, 2 h, 30 d.")),
    };
    let options = ImportOptions {
        replace: dialog.selected(UploadForm::EXISTING) == 1,
        on_error: if dialog.selected(UploadForm::ERRORS) == 1 { OnError::Stop } else { OnError::Skip },
        ttl,
        ..ImportOptions::default()
    };
    Ok(Task::Upload(Upload { container, path, options }))
}

/// What the form of an export says.
///
/// # Errors
/// Why it cannot be done so.
pub fn export_task(dialog: &Dialog, scope: Scope, items: &[Items]) -> Result<Task, String> {
    Ok(Task::Export(Export {
        scope,
        path: typed_path(dialog, ExportForm::PATH)?,
        items: items.get(dialog.selected(ExportForm::ITEMS)).cloned().unwrap_or(Items::Visible),
        format: ExportForm::FORMATS[dialog.selected(ExportForm::FORMAT).min(ExportForm::FORMATS.len() - 1)].1,
        with_system: dialog.selected(ExportForm::SYSTEM) == 1,
        replace: false,
    }))
}

fn typed_path(dialog: &Dialog, index: usize) -> Result<String, String> {
    let path = dialog.value(index).trim();
    if path.is_empty() { Err("Write the path of a file: Tab completes it.".to_owned()) } else { Ok(path.to_owned()) }
}

/// Starts it; the form stays below until it is known that the file can be used.
pub fn start(model: &mut Model, effects: &mut Vec<Effect>, task: Task) {
    let asked = model.transfers.start(task);
    effects.push(Effect::Transfer(asked));
    shows_running(model);
}

/// It ends with the write that is under way.
pub fn stop(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(running) = &mut model.transfers.running
        && !std::mem::replace(&mut running.stopping, true)
    {
        effects.push(Effect::GiveUpTransfer);
    }
    tell(model);
}

/// It goes on beside everything else.
pub fn hide(model: &mut Model) {
    model.dialogs.retain(|dialog| !is_form(dialog) && dialog.question != Question::Transferring);
    note(model, "It goes on; U or E shows how far it is.");
}

fn is_form(dialog: &Dialog) -> bool {
    matches!(dialog.question, Question::Upload(_) | Question::Export(..) | Question::Replace(_))
}

/// How far it is.
pub fn progress(model: &mut Model, generation: u64, progress: Progress) {
    if model.transfers.is_newest(generation)
        && let Some(running) = &mut model.transfers.running
    {
        running.progress = progress;
        tell(model);
    }
}

fn tell(model: &mut Model) {
    let Some(running) = &model.transfers.running else { return };
    let words = running.words();
    for dialog in model.dialogs.iter_mut().filter(|dialog| dialog.question == Question::Transferring) {
        if let Some(last) = dialog.text.last_mut() {
            last.clone_from(&words);
        }
    }
}

/// It came to this.
pub fn answered(model: &mut Model, generation: u64, result: Result<Transferred, Refusal>) {
    if !model.transfers.is_newest(generation) {
        return;
    }
    let Some(running) = end(model) else { return };
    match result {
        Ok(Transferred::Uploaded(imported, fault)) => {
            model.dialogs.retain(|dialog| !is_form(dialog));
            uploaded(model, &imported, fault);
        }
        Ok(Transferred::Exported(exported, place)) => {
            model.dialogs.retain(|dialog| !is_form(dialog));
            let items = words::counted(exported.items, "item");
            if exported.unreadable > 0 {
                let stretches = words::counted(exported.unreadable, "stretch").replace("stretchs", "stretches");
                let text = format!("{items} written to {place}; {stretches} of the store cannot be read.");
                model.console.push(model.now, Kind::Error, text);
            } else {
                done(model, format!("{items} written to {place}."));
            }
        }
        Ok(Transferred::Exists(place)) => {
            if let Task::Export(export) = running.task {
                let task = Task::Export(Export { replace: true, ..export });
                model.dialogs.push(ask::replace_file(&place, task));
            }
        }
        Err(refusal) if refusal.status == GIVEN_UP => note(model, refusal.in_full()),
        Err(refusal) => {
            model.dialogs.retain(|dialog| !matches!(dialog.question, Question::Replace(_)));
            if let Some(form) = model.dialogs.iter_mut().find(|dialog| is_form(dialog)) {
                form.error = Some(refusal.in_full());
                form.focus_on(UploadForm::PATH);
            }
            let what = if matches!(running.task, Task::Upload(_)) { "Not uploaded" } else { "Not exported" };
            refused(model, what, &refusal);
        }
    }
}

fn uploaded(model: &mut Model, imported: &Imported, fault: Option<Refusal>) {
    if let Some((line, refusal)) = &imported.first {
        let text = format!("The first that was refused, of line {line}: {}", refusal.in_full());
        model.console.push(model.now, Kind::Error, text);
    }
    match fault {
        Some(refusal) => {
            let text = format!("{} before it broke off: {}", imported.words(), refusal.in_full());
            model.console.push(model.now, Kind::Error, text);
        }
        None if imported.ended == Some(Ended::Interrupted) => note(model, format!("Stopped: {}.", imported.words())),
        None if imported.errors > 0 || imported.ended.is_some() => note(model, format!("{}.", imported.words())),
        None => done(model, format!("{}.", imported.words())),
    }
}

/// Nothing is under way any more; the dialogs about it go.
pub fn end(model: &mut Model) -> Option<Running> {
    model.dialogs.retain(|dialog| !matches!(dialog.question, Question::Transferring | Question::LeaveTransfer));
    model.transfers.running.take()
}

/// Whether Tab completes a path in the dialog on top; it asks for that then.
pub fn completes(model: &mut Model, effects: &mut Vec<Effect>, key: KeyEvent) -> bool {
    let Some(dialog) = model.dialogs.last() else { return false };
    let is_path =
        matches!(dialog.question, Question::Upload(_) | Question::Export(..)) && dialog.focus == UploadForm::PATH;
    if key.code != KeyCode::Tab || key.modifiers != KeyModifiers::NONE || !is_path {
        return false;
    }
    let asked = model.transfers.complete(dialog.value(UploadForm::PATH));
    effects.push(Effect::CompletePath(asked));
    true
}

/// Names that are shown at once.
const SHOWN: usize = 8;

/// What the path can become. Where there is nothing to add, Tab goes on.
pub fn completed(model: &mut Model, generation: u64, completed: Completed) {
    if !model.transfers.is_newest_path(generation) {
        return;
    }
    let Some(dialog) = model.dialogs.last_mut() else { return };
    let Some(Control::Text { field, .. }) = dialog.controls.get_mut(UploadForm::PATH) else { return };
    if field.value() != completed.typed {
        return;
    }
    let listed = (completed.names.len() > 1).then(|| {
        let mut listed = completed.names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("  ");
        if completed.names.len() > SHOWN {
            listed += &format!("  and {} more", words::count((completed.names.len() - SHOWN) as u64));
        }
        listed
    });
    if completed.path != completed.typed {
        *field = TextField::new(&completed.path);
        dialog.error = None;
        dialog.remark = listed;
    } else if listed.is_none() || dialog.remark == listed {
        dialog.remark = None;
        dialog.focus_on(UploadForm::PATH + 1);
    } else {
        dialog.remark = listed;
    }
}
