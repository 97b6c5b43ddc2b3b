//! Saving: the open item, the form of the Settings.

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
        return note(model, "Nothing is changed. To restart the clock of the item, write it again: w in the list.");
    }
    pane.check();
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
    if pane.gone.is_none() && pane.has_other_key() {
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
    let Some(form) = &mut model.settings else { return };
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

pub fn discard_settings(model: &mut Model) {
    let Some(form) = &mut model.settings else { return };
    if form.is_dirty() {
        form.discard();
        note(model, "The change of the Time to Live is taken back.");
    } else {
        go::to_tree(model);
    }
}
