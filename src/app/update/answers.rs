//! Answers of the engine.

use crate::domain::{Refusal, words};
use crate::engine::{Api, CountdownWindow, Document, TtlPreview, Window};

use crate::app::console::Kind;
use crate::app::dialog::Question;
use crate::app::item_pane::{Gone, ItemPane, Origin};
use crate::app::settings::SettingsForm;
use crate::app::{Answer, Command, Editor, Effect, Focus, Intent, Loaded, Model, Seek, Tab};

use super::{act, ask, clock, done, filter, go, query, reads, refused, timeline, transfer};

/// Takes an answer; one of an old generation is dropped.
pub fn take(model: &mut Model, effects: &mut Vec<Effect>, answer: Answer) {
    match answer {
        Answer::Broken(reason) => broken(model, reason),
        Answer::Window { generation, result } => match result {
            Ok(window) => items(model, effects, generation, window),
            Err(refusal) => refused(model, "The items could not be read", &refusal),
        },
        Answer::Filtered { generation, result } => filter::answered(model, effects, generation, result),
        Answer::Rows { generation, result } => match result {
            Ok(rows) => filter::refreshed(model, effects, generation, rows),
            Err(refusal) => refused(model, "The items could not be read", &refusal),
        },
        Answer::FilterReads { generation, read } => filter::progress(model, generation, read),
        Answer::Countdown { generation, result } => match result {
            Ok(window) => countdown(model, effects, generation, window),
            Err(refusal) => refused(model, "The countdown could not be read", &refusal),
        },
        Answer::Queried { generation, result } => query::answered(model, generation, result),
        Answer::SavedQueries(done, result) => query::saved(model, done, result),
        Answer::QueryReads { generation, read } => model.query.progress(generation, read),
        Answer::Timeline { generation, result } => timeline::answered(model, effects, generation, result),
        Answer::TimelineReads { generation, read } => model.timeline.progress(generation, read),
        Answer::Step { generation, result } => timeline::listed(model, generation, result),
        Answer::Transferred { generation, result } => transfer::answered(model, generation, result),
        Answer::TransferProgress { generation, progress } => transfer::progress(model, generation, progress),
        Answer::PathCompleted { generation, completed } => transfer::completed(model, generation, completed),
        Answer::Tried(result) => match result {
            Ok((no, key)) => {
                done(model, "Made in the database scratch: delete it when you are done.");
                go::leave(model, effects, Intent::OpenItem(no, key));
            }
            Err(refusal) => refused(model, "Nothing was made to try it", &refusal),
        },
        Answer::JumpPreviewed(to, result) => clock::previewed(model, effects, to, result),
        Answer::ClockMoved(result) => clock::moved(model, result),
        Answer::Totals(totals) => {
            model.totals_waiting = false;
            model.totals.extend(totals);
        }
        Answer::Item { generation, result } => {
            if generation == model.item_generation {
                item(model, effects, result);
            }
        }
        Answer::WhatIf { generation, result } => {
            let form = model.settings.as_mut().and_then(SettingsForm::ttl_mut);
            // That it could not be counted is said by the preview, which is asked for at the same time.
            if let Some(form) = form.filter(|form| form.generation == generation) {
                form.what_if = result.ok().map(Box::new);
            }
        }
        Answer::Preview { generation, result } => preview(model, effects, generation, result),
        Answer::Saved { container, created, result } => saved(model, effects, container, created, result),
        Answer::ItemsDeleted(keys, result) => match result {
            Ok(n) => {
                model.marked.clear();
                let noun = model.container.map_or("item", |no| model.noun(no));
                done(model, format!("{} deleted.", words::counted(n, noun)));
                let open_is_gone =
                    model.pane.as_ref().and_then(ItemPane::row).is_some_and(|row| keys.contains(&row.key));
                if open_is_gone {
                    match &mut model.pane {
                        Some(pane) if pane.is_dirty() => pane.gone = Some(Gone::Deleted),
                        _ => model.pane = None,
                    }
                }
            }
            Err(refusal) => refused(model, "Not deleted", &refusal),
        },
        Answer::ItemsTouched(container, result) => match result {
            Ok(n) => {
                let effect = match (model.api_of(container), n) {
                    (Api::RavenDb, _) => "@expires is absolute and stays as it is",
                    (_, 1) => "its clock restarts",
                    _ => "their clocks restart",
                };
                let noun = model.noun(container);
                done(model, format!("{} written again: {effect}.", words::counted(n, noun)));
                model.marked.clear();
            }
            Err(refusal) => refused(model, "Not written again", &refusal),
        },
        Answer::DatabaseCreated(result) => match result {
            Ok(no) => {
                let catalog = model.catalog.clone();
                let name = catalog.names.get(&no).cloned().unwrap_or_default();
                model.tree.select_node(&catalog, crate::app::Node::Database(no));
                finish(model, &Question::NewDatabase);
                go::to_tree(model);
                let next = match model.catalog.database(no).map(|database| database.api) {
                    Some(Api::RavenDb) => "n makes a document in it; expiration is off, 2 shows it.",
                    Some(Api::MongoDb) => "C makes a collection in it.",
                    Some(Api::NoSql) | None => "C makes a container in it.",
                };
                done(model, format!("Database {name} created. {next}"));
            }
            Err(refusal) => refuse_in_dialog(model, "Database not created", refusal),
        },
        Answer::ContainerCreated(result) => match result {
            Ok(no) => {
                model
                    .dialogs
                    .retain(|dialog| !matches!(dialog.question, Question::NewContainer | Question::NewCollection(_)));
                let catalog = model.catalog.clone();
                model.tree.unfold(&catalog, no);
                model.tree.select_node(&catalog, crate::app::Node::Container(no));
                let what = if model.api_of(no) == Api::NoSql { "Container" } else { "Collection" };
                done(model, format!("{what} {} created.", model.name_of(no)));
                go::leave(model, effects, crate::app::Intent::OpenContainer(no, Tab::Items));
            }
            Err(refusal) => refuse_in_dialog(model, "Container not created", refusal),
        },
        Answer::ContainerDeleted(name, result) => match result {
            Ok(()) => {
                model
                    .dialogs
                    .retain(|d| !matches!(d.question, Question::DeleteDatabase(..) | Question::DeleteContainer(..)));
                done(model, format!("{name} deleted."));
            }
            Err(refusal) => refuse_in_dialog(model, "Not deleted", refusal),
        },
        Answer::TtlSaved(container, result) => {
            let form = model.settings.as_mut().and_then(SettingsForm::ttl_mut);
            let Some(form) = form.filter(|form| form.container == container) else {
                return;
            };
            form.saving = false;
            match result {
                Ok(()) => {
                    if let Ok(value) = form.value() {
                        form.saved = value;
                    }
                    if let Some(intent) = form.then.take() {
                        go::leave(model, effects, intent);
                    }
                }
                Err(refusal) => {
                    form.refused = Some(refusal.clone());
                    refused(model, "Time to Live not saved", &refusal);
                }
            }
        }
        Answer::ExpirationSaved(container, result) => {
            let form = model.settings.as_mut().and_then(SettingsForm::expiration_mut);
            let Some(form) = form.filter(|form| form.container == container) else {
                return;
            };
            form.saving = false;
            match result {
                Ok(()) => {
                    if let Some(intent) = form.then.take() {
                        go::leave(model, effects, intent);
                    }
                }
                Err(refusal) => {
                    form.refused = Some(refusal.clone());
                    refused(model, "Document Expiration not saved", &refusal);
                }
            }
        }
        Answer::Sweeper(result) => match result {
            Ok(state) => model.sweeper = state,
            Err(refusal) => refused(model, "The sweeper is not changed", &refusal),
        },
        Answer::SweptNow(result) => match result {
            Ok(0) => act::report(model, Kind::Expiry, "Swept on demand: nothing is expired.".to_owned()),
            Ok(_) => {}
            Err(refusal) => refused(model, "Not swept", &refusal),
        },
        Answer::Shell(outcome) => {
            let leave = outcome.leave;
            model.shell.answered(outcome);
            if leave {
                go::leave(model, effects, crate::app::Intent::ShowTab(Tab::Items));
            }
        }
        Answer::ShellHistory(kept) => model.shell.set_history(kept),
        Answer::SampleLoaded(result) => match result {
            Ok(()) => {
                finish(model, &Question::Welcome);
                done(model, "The workshop sample is loaded. Watch the countdown: 3.");
                if model.container.is_none() {
                    let sessions = model.catalog.containers.values().find(|c| c.name == "sessions");
                    if let Some(no) = sessions.or(model.catalog.containers.values().next()).map(|c| c.no) {
                        go::to_container(model, effects, no, Tab::Items);
                    }
                }
            }
            Err(refusal) => refuse_in_dialog(model, "The sample is not loaded", refusal),
        },
    }
}

/// Nobody answers any more: what was waited for is waited for no longer.
fn broken(model: &mut Model, reason: String) {
    model.items.abandon();
    model.filter.running = None;
    model.countdown.view.abandon();
    model.totals_waiting = false;
    model.shell.running = false;
    transfer::end(model);
    if let Some(pane) = &mut model.pane {
        pane.saving = None;
    }
    if let Some(form) = &mut model.settings {
        form.not_saving();
    }
    model.console.push(model.now, Kind::Error, reason);
}

/// The dialog has done its work.
fn finish(model: &mut Model, question: &Question) {
    model.dialogs.retain(|dialog| dialog.question != *question);
}

fn refuse_in_dialog(model: &mut Model, what: &str, refusal: Refusal) {
    if let Some(dialog) = model.dialogs.last_mut() {
        dialog.error = Some(refusal.in_full());
    }
    refused(model, what, &refusal);
}

fn items(model: &mut Model, effects: &mut Vec<Effect>, generation: u64, window: Window) {
    let Window { rows, anchor, starts, ends } = window;
    let Some(again) = model.items.answer(generation, Loaded { rows, anchor, starts, ends }, None) else {
        return;
    };
    if again {
        reads::items_here(model, effects);
    }
    go::follow_cursor(model, effects);
}

fn countdown(model: &mut Model, effects: &mut Vec<Effect>, generation: u64, window: CountdownWindow) {
    let CountdownWindow { rows, anchor, starts, ends } = window;
    let line = model.countdown.following.then(|| model.countdown.following_line());
    let (rows, anchor) = model.countdown.with_deleted(rows, anchor);
    let again = model.countdown.view.answer(generation, Loaded { rows, anchor, starts, ends }, line);
    if again == Some(true) {
        reads::countdown_here(model, effects);
    }
}

fn item(model: &mut Model, effects: &mut Vec<Effect>, result: Result<Option<Document>, Refusal>) {
    let edit = std::mem::take(&mut model.edit_when_loaded);
    if model.pane.as_ref().is_some_and(ItemPane::is_dirty) {
        return;
    }
    match result {
        Ok(Some(document)) => {
            let Some(container) = model.open_container().cloned() else {
                return;
            };
            let mut pane = ItemPane::stored(&container, &document);
            if document.hidden {
                pane.editor.set_read_only("it is expired, a client gets 404");
            }
            if let Some(old) =
                model.pane.as_ref().filter(|old| old.row().map(|row| &row.key) == Some(&document.row.key))
            {
                pane.editor.go_to(old.editor.cursor());
            }
            model.pane = Some(pane);
            if edit {
                model.focus = Focus::Editor;
            }
        }
        Ok(None) => {
            super::note(model, "That item is gone: it expired and was deleted, or somebody deleted it.");
            if model.focus != Focus::Editor {
                model.pane = None;
            }
            reads::items_changed(model, effects);
        }
        Err(refusal) => refused(model, "The item could not be read", &refusal),
    }
}

fn preview(model: &mut Model, effects: &mut Vec<Effect>, generation: u64, result: Result<TtlPreview, Refusal>) {
    let form = model.settings.as_mut().and_then(SettingsForm::ttl_mut);
    let Some(form) = form.filter(|form| form.generation == generation) else {
        return;
    };
    let preview = match result {
        Ok(preview) => preview,
        Err(refusal) => {
            form.saving = false;
            form.refused = Some(refusal.clone());
            return refused(model, "What the save would do could not be counted", &refusal);
        }
    };
    form.preview = Some(preview);
    if !std::mem::take(&mut form.saving) {
        return;
    }
    let Ok(ttl) = form.value() else { return };
    let (container, then) = (form.container, form.then.take());
    if preview.expire_at_once.n + preview.come_back.n > 0 {
        let dialog = ask::save_ttl(container, &model.name_of(container), ttl, &preview, then);
        model.dialogs.push(dialog);
    } else {
        form.saving = true;
        form.then = then;
        effects.push(Effect::Do(Command::SetTtl(container, ttl)));
    }
}

fn saved(
    model: &mut Model,
    effects: &mut Vec<Effect>,
    container: crate::engine::ContainerNo,
    created: bool,
    result: Result<Document, Refusal>,
) {
    let Some(pane) = model.pane.as_mut().filter(|pane| pane.container == container) else {
        return;
    };
    let of_revision = pane.saving.take();
    match result {
        Ok(document) => {
            let then = pane.then.take();
            if of_revision == Some(pane.editor.revision()) {
                let cursor = pane.editor.cursor();
                pane.editor = Editor::new(&document.text);
                pane.editor.go_to(cursor);
            } else {
                // More was typed meanwhile: it stays, as an edit of what is stored now.
                pane.editor.set_saved(&document.text);
            }
            pane.origin = Origin::Stored(document.row.clone());
            pane.gone = None;
            pane.problem = None;
            pane.refused = None;
            pane.lookalikes.clone_from(&document.lookalikes);
            let verb = if created { "created" } else { "updated" };
            let collection = document.row.collection.filter(|collection| *collection != container);
            let place = collection
                .and_then(|collection| model.catalog.container(collection))
                .map_or(String::new(), |collection| format!(" in {}", collection.name));
            done(model, format!("{} {verb}{place}.", document.row.id));
            if created {
                reads::items(model, effects, Seek::At(document.row.key.clone()));
            }
            if let Some(intent) = then {
                go::leave(model, effects, intent);
            }
        }
        Err(refusal) => {
            pane.then = None;
            let title = pane.title().to_owned();
            match refusal.status {
                412 => model.dialogs.push(ask::conflict(&title, "412: its _etag is another one")),
                409 if !created => {
                    model.dialogs.push(ask::conflict(&title, "409: its change vector is another one"));
                }
                404 if pane.gone.is_none() => {
                    let container = model.catalog.container(container).cloned();
                    let now = model.now;
                    if let (Some(pane), Some(container)) = (&mut model.pane, container) {
                        pane.follow(&container, now);
                        if pane.gone.is_none() {
                            pane.gone = Some(Gone::Deleted);
                        }
                    }
                }
                _ => {
                    if let Some(place) = refusal.place {
                        pane.editor.go_to(place);
                    }
                    pane.refused = Some(refusal.clone());
                }
            }
            refused(model, &format!("{title} not saved"), &refusal);
        }
    }
}
