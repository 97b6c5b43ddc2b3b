//! The filter of the item list: typed, applied, given up, taken away.

use std::collections::HashMap;

use crossterm::event::KeyEvent;

use crate::domain::Refusal;
use crate::engine::{Filtered, GIVEN_UP, Key, Row};

use crate::app::{AskedFilter, Effect, Focus, Loaded, Model, Read, Tab, TextField};

use super::{ask, go, note, reads, refused};

/// Puts the keys into the filter.
pub fn open(model: &mut Model) {
    match model.container.map(|no| model.api_of(no)) {
        None => note(model, "Open a container first: its items can be filtered."),
        Some(_) => {
            if !model.filter.is_on() {
                model.filter.restore();
            }
            model.focus = Focus::Filter;
        }
    }
}

/// Asks for a view of the open container.
pub fn views(model: &mut Model) {
    if model.container.is_none() {
        note(model, "Open a container first: its items have views.");
    } else {
        model.dialogs.push(ask::views());
    }
}

/// The filters of the views, in the order of their list.
pub const VIEWS: [(&str, &str); 4] = [
    (":next 1h", "what expires within the next hour"),
    (":never", "what never expires by itself"),
    (":ignored", "what says something of its end that has no effect"),
    (":hidden", "what is expired and not deleted yet"),
];

/// Shows a view in the list of items.
pub fn show_view(model: &mut Model, effects: &mut Vec<Effect>, view: usize) {
    let Some((text, _)) = VIEWS.get(view) else { return };
    if model.tab != Tab::Items {
        go::show_tab(model, effects, Tab::Items);
    }
    model.filter.field = TextField::new(text);
    model.focus = Focus::Filter;
    apply(model, effects);
}

/// A key that is no command.
pub fn type_into(model: &mut Model, key: KeyEvent) {
    if model.filter.field.input(key) {
        model.filter.error = None;
    }
}

/// Applies what is typed; an empty filter is none.
pub fn apply(model: &mut Model, effects: &mut Vec<Effect>) {
    let text = model.filter.field.value().trim().to_owned();
    if text.is_empty() {
        clear(model, effects);
        model.focus = Focus::Items;
    } else {
        let api = model.api();
        model.filter.start(api, &text);
        read(model, effects, text);
    }
}

/// Reads the applied filter again.
pub fn again(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(text) = model.filter.applied.clone() {
        model.filter.running = Some((text.clone(), 0));
        read(model, effects, text);
    }
}

fn read(model: &mut Model, effects: &mut Vec<Effect>, text: String) {
    if let Some(container) = model.container {
        let generation = model.items.request();
        effects.push(Effect::Filter(AskedFilter { generation, container, text }));
    }
}

/// Something changed, and reading the filter again would take long: what the rows say stays true, whether they still
/// match and whether others do is not known.
pub fn changed(model: &mut Model, effects: &mut Vec<Effect>) {
    model.filter.changed = true;
    if let Some(container) = model.container {
        let keys = model.items.rows().iter().map(|row| row.key.clone()).collect();
        let generation = model.items.generation();
        effects.push(Effect::Read(Read::Rows { generation, container, keys }));
    }
}

/// The rows as they are now.
pub fn refreshed(model: &mut Model, effects: &mut Vec<Effect>, generation: u64, rows: Vec<Row>) {
    if !model.items.is_newest(generation) {
        return;
    }
    let mut now: HashMap<Key, Row> = rows.into_iter().map(|row| (row.key.clone(), row)).collect();
    // A filtered list is loaded whole: there are no more rows to ask for.
    model.items.retain(|row| now.contains_key(&row.key));
    model.marked.retain(|key| now.contains_key(key));
    for row in model.items.rows_mut() {
        if let Some(newer) = now.remove(&row.key) {
            *row = newer;
        }
    }
    go::follow_cursor(model, effects);
}

/// Takes the filter away: everything is shown.
pub fn clear(model: &mut Model, effects: &mut Vec<Effect>) {
    forget(model, effects);
    reads::items_here(model, effects);
}

/// Takes the filter away without reading anything; another container is coming.
pub fn forget(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.filter.running.is_some() {
        effects.push(Effect::GiveUpFilter);
    }
    if model.filter.applied.is_some() {
        // What is marked may be out of sight then.
        model.marked.clear();
    }
    model.filter.reset();
    if model.focus == Focus::Filter {
        model.focus = Focus::Items;
    }
}

/// Esc in the filter: gives a running one up, else back to the list with what is applied.
pub fn back(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.filter.running.is_some() {
        effects.push(Effect::GiveUpFilter);
        return;
    }
    model.filter.restore();
    model.focus = Focus::Items;
}

/// The rows have come, or a refusal.
pub fn answered(model: &mut Model, effects: &mut Vec<Effect>, generation: u64, result: Result<Filtered, Refusal>) {
    if !model.items.is_newest(generation) {
        return;
    }
    match result {
        Ok(filtered) => {
            model.filter.finish((&filtered).into());
            // The same row stays under the cursor, wherever it stands now.
            let current = model.items.current().map(|row| row.key.clone());
            let anchor = current.and_then(|key| filtered.rows.iter().position(|row| row.key == key));
            let rows = filtered.rows;
            let anchor = anchor.unwrap_or(model.items.cursor().min(rows.len().saturating_sub(1)));
            model.marked.retain(|key| rows.iter().any(|row| row.key == *key));
            let again = model.items.answer(generation, Loaded { rows, anchor, starts: true, ends: true }, None);
            if again == Some(true) {
                reads::items_changed(model, effects);
            }
            if model.focus == Focus::Filter && model.tab == Tab::Items && model.items.current().is_some() {
                model.focus = Focus::Items;
            }
            go::follow_cursor(model, effects);
        }
        Err(refusal) => {
            model.filter.running = None;
            model.items.abandon();
            if refusal.status == GIVEN_UP {
                note(model, "The filter was given up; the list is as it was.");
            } else {
                refused(model, "Not filtered", &refusal);
                model.filter.error = Some(refusal);
            }
            if model.filter.applied.is_none() {
                reads::items_here(model, effects);
            }
        }
    }
}

/// It is still being read.
pub fn progress(model: &mut Model, generation: u64, read: u64) {
    if model.items.is_newest(generation)
        && let Some((_, so_far)) = &mut model.filter.running
    {
        *so_far = read;
    }
}
