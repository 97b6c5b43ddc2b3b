//! The answer to the dialog on top.

use crate::domain::nosql::{DefaultTtl, PartitionKey, check_name, parse_default_seconds};
use crate::domain::words;
use crate::engine::{SavedQuery, Scope};

use crate::app::dialog::{Choice, NewCollection, NewContainer, NewDatabase, Question};
use crate::app::item_pane::ItemPane;
use crate::app::settings::SettingsForm;
use crate::app::{Command, Effect, Focus, Intent, Model};

use super::{act, ask, clock, filter, go, reads, save, transfer};

/// Takes the answer: closes the dialog, or says in it why the answer is not taken.
pub fn answer(model: &mut Model, effects: &mut Vec<Effect>, choice: Choice) {
    let Some(dialog) = model.dialogs.last() else { return };
    let question = dialog.question.clone();
    match (question, choice) {
        (Question::Welcome, Choice::Ok) => effects.push(Effect::Do(Command::LoadSample)),
        (Question::Unsaved(intent), choice) => unsaved(model, effects, intent, choice),
        (Question::Conflict, Choice::Ok) => {
            model.dialogs.pop();
            save::save_item_anyway(model, effects, false)
        }
        (Question::Conflict, Choice::Other) => {
            model.dialogs.pop();
            reload(model, effects)
        }
        (Question::Transferring, Choice::Cancel) => transfer::stop(model, effects),
        (Question::Transferring, _) => transfer::hide(model),
        (_, Choice::Cancel) => {
            model.dialogs.pop();
        }
        (question, _) => {
            if let Err(reason) = form(model, effects, question, choice)
                && let Some(dialog) = model.dialogs.last_mut()
            {
                dialog.error = Some(reason);
            }
        }
    }
}

/// The typed answer of a form. A dialog whose work the engine may still refuse stays until the engine has answered.
fn form(model: &mut Model, effects: &mut Vec<Effect>, question: Question, choice: Choice) -> Result<(), String> {
    let Some(dialog) = model.dialogs.last() else {
        return Ok(());
    };
    let value = |index: usize| dialog.value(index).to_owned();
    match question {
        Question::NewDatabase => {
            let name = value(NewDatabase::NAME);
            named("The database id", &name)?;
            let api = NewDatabase::KINDS[dialog.selected(NewDatabase::KIND).min(NewDatabase::KINDS.len() - 1)].1;
            effects.push(Effect::Do(Command::CreateDatabase(name, api)));
        }
        Question::NewContainer => {
            let (database, name) = (value(NewContainer::DATABASE), value(NewContainer::NAME));
            named("The database id", &database)?;
            named("The container id", &name)?;
            let paths = value(NewContainer::PARTITION_KEY);
            let paths = paths.split(',').map(str::trim).filter(|path| !path.is_empty());
            let partition_key = PartitionKey::new(paths).map_err(|refusal| refusal.message)?;
            let ttl = match dialog.selected(NewContainer::TTL) {
                0 => DefaultTtl::Off,
                1 => DefaultTtl::NoDefault,
                _ => parse_default_seconds(dialog.value(NewContainer::SECONDS)).map_err(|refusal| refusal.message)?,
            };
            effects.push(Effect::Do(Command::CreateContainer { database, name, partition_key, ttl }));
        }
        Question::NewCollection(database) => {
            let name = value(NewCollection::NAME);
            named("The collection id", &name)?;
            let ttl = match dialog.selected(NewCollection::TTL) {
                0 => DefaultTtl::Off,
                1 => DefaultTtl::NoDefault,
                _ => parse_default_seconds(dialog.value(NewCollection::SECONDS)).map_err(|refusal| refusal.message)?,
            };
            effects.push(Effect::Do(Command::CreateCollection { database, name, ttl }));
        }
        Question::DeleteDatabase(no, name) => {
            typed(&value(0), &name)?;
            effects.push(Effect::Do(Command::DeleteDatabase(no)));
        }
        Question::DeleteContainer(no, name) => {
            typed(&value(0), &name)?;
            effects.push(Effect::Do(Command::DeleteContainer(no)));
        }
        Question::DeleteItems(container, keys) => {
            model.dialogs.pop();
            effects.push(Effect::Do(Command::DeleteItems(container, keys)));
        }
        Question::OtherKey => {
            model.dialogs.pop();
            save::save_item_anyway(model, effects, true);
        }
        Question::SaveTtl(container, ttl, then) => {
            model.dialogs.pop();
            if let Some(form) = model.settings.as_mut().and_then(SettingsForm::ttl_mut) {
                form.saving = true;
                form.then = then;
            }
            effects.push(Effect::Do(Command::SetTtl(container, ttl)));
        }
        Question::SaveExpiration(container, configuration, then) => {
            model.dialogs.pop();
            save::set_expiration(model, effects, container, configuration, then);
        }
        Question::ExpiresIn => {
            let typed = value(0);
            let secs = words::parse_duration(&typed).ok_or_else(|| {
                format!("`{typed}` is not a duration: write a number and a unit, such as 5 m, 2 h, 30 d.")
            })?;
            save::expire_in(model, secs)?;
            model.dialogs.pop();
        }
        Question::SweeperSettings => {
            let typed = value(0);
            let delay = typed.trim().parse::<u32>().ok().filter(|secs| *secs <= crate::domain::nosql::MAX_TTL);
            let delay = delay.ok_or_else(|| format!("`{typed}` is not a delay: write whole seconds, 0 or more."))?;
            let paused = dialog.selected(1) == 1;
            model.dialogs.pop();
            if delay != model.sweeper.delay {
                effects.push(Effect::Do(Command::SetSweepDelay(delay)));
            }
            if paused != model.sweeper.paused {
                effects.push(Effect::Do(Command::PauseSweeper(paused)));
            }
        }
        Question::Clock if choice == Choice::Other => clock::ask_real(effects),
        Question::Clock => clock::set(model, effects)?,
        Question::Jump(_) if choice == Choice::Other => {
            model.dialogs.pop();
            go::leave(model, effects, Intent::Export(Scope::Everything));
        }
        Question::Jump(to) => {
            model.dialogs.pop();
            effects.push(Effect::Do(Command::MoveClock(to)));
        }
        Question::Find => {
            model.search = value(0);
            model.dialogs.pop();
            if !model.search.is_empty() {
                act::find_next(model);
            }
        }
        Question::SaveQuery(text, replaces) => {
            let (api, name) = (model.api(), value(0).trim().to_owned());
            named("The name", &name)?;
            let exists = model.query.saved.iter().any(|query| query.api == api && query.name == name);
            if exists && replaces.as_ref() != Some(&name) {
                let words = format!("There is a query `{name}` already: press Save again to replace it.");
                if let Some(dialog) = model.dialogs.last_mut() {
                    dialog.question = Question::SaveQuery(text, Some(name));
                }
                return Err(words);
            }
            effects.push(Effect::Do(Command::SaveQuery(SavedQuery { api, name, text })));
        }
        Question::OpenQuery(saved) => {
            let chosen = dialog.selected(0);
            model.dialogs.pop();
            if let Some(query) = saved.get(chosen) {
                if choice == Choice::Other {
                    model.dialogs.push(ask::delete_query(query.api, &query.name));
                } else {
                    model.query.put(&query.text);
                    model.focus = Focus::Query;
                }
            }
        }
        Question::DeleteQuery(api, name) => {
            model.dialogs.pop();
            effects.push(Effect::Do(Command::DeleteSavedQuery(api, name)));
        }
        Question::Views => {
            let view = dialog.selected(0);
            model.dialogs.pop();
            filter::show_view(model, effects, view);
        }
        Question::Upload(container) => {
            let task = transfer::upload_task(dialog, container)?;
            transfer::start(model, effects, task);
        }
        Question::Export(scope, items) => {
            let task = transfer::export_task(dialog, scope, &items)?;
            transfer::start(model, effects, task);
        }
        Question::Replace(task) => {
            model.dialogs.pop();
            transfer::start(model, effects, task);
        }
        Question::LeaveTransfer => {
            transfer::stop(model, effects);
            model.ended = true;
        }
        Question::Welcome | Question::Unsaved(_) | Question::Conflict | Question::Transferring => {}
    }
    Ok(())
}

fn named(what: &str, name: &str) -> Result<(), String> {
    check_name(name).map_err(|fault| format!("{what} {fault}."))
}

fn typed(typed: &str, name: &str) -> Result<(), String> {
    if typed == name { Ok(()) } else { Err(format!("The id must be typed exactly: {name}")) }
}

fn unsaved(model: &mut Model, effects: &mut Vec<Effect>, intent: Intent, choice: Choice) {
    model.dialogs.pop();
    let about_item = intent.loses_item() && model.pane.as_ref().is_some_and(ItemPane::is_dirty);
    match choice {
        Choice::Cancel => {}
        Choice::Ok if about_item => save::save_item(model, effects, Some(intent)),
        Choice::Ok => save::save_settings(model, effects, Some(intent)),
        Choice::Other => {
            if about_item {
                discard_item(model);
            } else if let Some(form) = &mut model.settings {
                form.discard();
            }
            go::leave(model, effects, intent);
        }
    }
}

/// Gives the edits of the open item up.
fn discard_item(model: &mut Model) {
    match &mut model.pane {
        Some(pane) if pane.row().is_some() && pane.gone.is_none() => {
            pane.editor.discard();
            pane.check(model.now);
        }
        _ => model.pane = None,
    }
}

fn reload(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some((container, key)) = model.pane.as_ref().and_then(|pane| Some((pane.container, pane.row()?.key.clone())))
    else {
        return;
    };
    model.pane = None;
    model.edit_when_loaded = true;
    reads::item(model, effects, container, key);
}
