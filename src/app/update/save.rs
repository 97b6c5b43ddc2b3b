//! Saving: the open item, the form of the Settings.

use chrono::Datelike;

use crate::domain::json::{scan_object, set_members};
use crate::domain::nosql::MAX_TTL;
use crate::domain::ravendb::{Configuration, set_expires};
use crate::engine::{Api, ContainerNo, Count, Scope};

use crate::app::settings::SettingsForm;
use crate::app::{Command, Effect, Intent, Model};

use super::{ask, go, note, reads};

/// Saves the open item: makes it, replaces it, or asks.
pub fn save_item(model: &mut Model, effects: &mut Vec<Effect>, then: Option<Intent>) {
    let Some(pane) = &mut model.pane else { return };
    if let Some(reason) = pane.editor.read_only() {
        let reason = reason.to_owned();
        return note(model, format!("This text cannot be changed here: {reason}."));
    }
    if !pane.can_save() {
        return note(model, "Nothing is changed. To write it again all the same: w in the list.");
    }
    pane.check(model.now);
    if let Some(problem) = pane.problem.clone() {
        if let Some(place) = problem.place {
            pane.editor.go_to(place);
        }
        let place = problem.place.map_or(String::new(), |place| format!(" ({place})"));
        let what = format!("{} not saved{place}", pane.title());
        pane.refused = Some(problem.clone());
        super::refused(model, &what, &problem);
        return;
    }
    if pane.gone.is_none() && pane.has_other_key(model.now) {
        let dialog = ask::other_key(pane.title());
        model.dialogs.push(dialog);
        return;
    }
    pane.saving = Some(pane.editor.revision());
    pane.then = then;
    let (container, text) = (pane.container, pane.editor.text());
    let command = match pane.row() {
        Some(row) if pane.gone.is_none() => {
            Command::ReplaceItem { container, key: row.key.clone(), text, if_match: Some(row.etag) }
        }
        _ => Command::CreateItem(container, text),
    };
    effects.push(Effect::Do(command));
}

/// Saves the open text as it is, whatever is stored: over it, or beside it as a new item.
pub fn save_item_anyway(model: &mut Model, effects: &mut Vec<Effect>, as_new: bool) {
    let Some(pane) = &mut model.pane else { return };
    pane.saving = Some(pane.editor.revision());
    let (container, text) = (pane.container, pane.editor.text());
    let command = match pane.row() {
        Some(row) if !as_new => Command::ReplaceItem { container, key: row.key.clone(), text, if_match: None },
        _ => Command::CreateItem(container, text),
    };
    effects.push(Effect::Do(command));
}

/// Saves the form of the Settings, after a look at what that does.
pub fn save_settings(model: &mut Model, effects: &mut Vec<Effect>, then: Option<Intent>) {
    match &model.settings {
        Some(SettingsForm::Ttl(_)) => save_ttl(model, effects, then),
        Some(SettingsForm::Expiration(_)) => save_expiration(model, effects, then),
        None => {}
    }
}

fn save_ttl(model: &mut Model, effects: &mut Vec<Effect>, then: Option<Intent>) {
    let Some(form) = model.settings.as_mut().and_then(SettingsForm::ttl_mut) else { return };
    match form.value() {
        Err(refusal) => {
            form.refused = Some(refusal.clone());
            super::refused(model, "Time to Live not saved", &refusal);
        }
        Ok(_) if !form.is_dirty() => note(model, "Nothing is changed."),
        Ok(_) if form.saving => {}
        Ok(_) => {
            form.edited();
            form.saving = true;
            form.then = then;
            reads::preview(model, effects);
        }
    }
}

fn save_expiration(model: &mut Model, effects: &mut Vec<Effect>, then: Option<Intent>) {
    let Some(form) = model.settings.as_mut().and_then(SettingsForm::expiration_mut) else { return };
    let (container, name) = (form.container, model.catalog.container(form.container).map(|c| c.database));
    let name = name.and_then(|database| model.catalog.names.get(&database)).cloned().unwrap_or_default();
    let checked = form.value().and_then(|configuration| configuration.check(&name).map(|()| configuration));
    match checked {
        Err(refusal) => {
            if let (Some(json), Some(place)) = (&mut form.json, refusal.place) {
                json.go_to(place);
            }
            form.refused = Some(refusal.clone());
            super::refused(model, "Document Expiration not saved", &refusal);
        }
        Ok(_) if !form.is_dirty() => note(model, "Nothing is changed."),
        Ok(_) if form.saving => {}
        Ok(configuration) => {
            form.remarks = form.json_remarks();
            let was_off = form.saved.is_none_or(|saved| saved.disabled || saved.most() == Some(0));
            let deletes = !configuration.disabled && configuration.most() != Some(0);
            let waiting =
                model.totals_of(Scope::Container(container)).map_or(Count::default(), |totals| totals.waiting);
            if was_off && deletes && waiting.n > 0 {
                let name = model.name_of(container);
                let dialog = ask::save_expiration(container, &name, configuration, waiting, model.now, then);
                model.dialogs.push(dialog);
            } else {
                set_expiration(model, effects, container, configuration, then);
            }
        }
    }
}

/// Saves a Document Expiration.
pub fn set_expiration(
    model: &mut Model,
    effects: &mut Vec<Effect>,
    container: ContainerNo,
    configuration: Configuration,
    then: Option<Intent>,
) {
    if let Some(form) = model.settings.as_mut().and_then(SettingsForm::expiration_mut) {
        form.saving = true;
        form.then = then;
    }
    effects.push(Effect::Do(Command::SetExpiration(container, configuration)));
}

/// Puts the end of the open item, so many seconds from now, into its text.
///
/// # Errors
/// Why not, in words.
pub fn expire_in(model: &mut Model, secs: u64) -> Result<(), String> {
    let api = model.pane.as_ref().map(|pane| model.api_of(pane.container));
    let now = model.now;
    let Some(pane) = &mut model.pane else { return Ok(()) };
    let text = pane.editor.text();
    let changed = match api {
        Some(Api::RavenDb) => {
            let secs = i64::try_from(secs).map_err(|_| "That is longer than the calendar.".to_owned())?;
            let at = now.plus_secs(secs);
            if at.to_utc().is_none_or(|utc| utc.year() > 9999) {
                return Err("That is behind the year 9999: the server's calendar ends there.".to_owned());
            }
            set_expires(&text, at)
        }
        _ => match u32::try_from(secs).ok().filter(|secs| (1..=MAX_TTL).contains(secs)) {
            Some(secs) => scan_object(&text).map(|item| set_members(&item, &[("ttl", secs.to_string())])),
            None => return Err(format!("A ttl is 1 to {MAX_TTL} seconds.")),
        },
    };
    let changed = changed.map_err(|refusal| {
        let place = refusal.place.map_or(String::new(), |place| format!("{place}: "));
        format!("{place}{} Mend the text first.", refusal.message)
    })?;
    if !pane.editor.replace_all(&changed) {
        return Err("The text is too large for this editor with it.".to_owned());
    }
    pane.check(now);
    Ok(())
}

pub fn discard_settings(model: &mut Model) {
    let Some(form) = &mut model.settings else { return };
    if form.is_dirty() {
        form.discard();
        note(model, "The change of the setting is taken back.");
    } else if form.expiration().is_some_and(|form| form.json.is_some()) {
        form.discard();
    } else {
        go::to_tree(model);
    }
}
