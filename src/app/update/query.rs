//! The Query tab: what is executed, where the keys go.

use crossterm::event::KeyEvent;

use crate::domain::Refusal;
use crate::engine::{Answered, Api, GIVEN_UP, SavedQuery};

use crate::app::dialog::Question;
use crate::app::{AskedQuery, Effect, Focus, Intent, Model, Node, Tab};

use super::{ask, done, go, note, refused, shell};

/// Brings the Query tab to the front; of MongoDB its shell.
pub fn show(model: &mut Model, effects: &mut Vec<Effect>) {
    let node = (model.focus == Focus::Tree).then(|| model.tree.current().map(|line| line.node)).flatten();
    let in_tree = node.and_then(Node::container);
    let api = match node {
        Some(Node::Database(no)) => model.catalog.database(no).map(|database| database.api),
        _ => in_tree.or(model.container).map(|no| model.api_of(no)),
    };
    match (api, in_tree.or(model.container)) {
        (Some(Api::MongoDb), _) | (_, None) => shell::show(model, effects),
        (_, Some(no)) => go::leave(model, effects, Intent::OpenContainer(no, Tab::Query)),
    }
}

/// Executes what is typed, or the selected part of it.
pub fn execute(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(container) = model.container else { return };
    let api = model.api();
    match model.query.start(api) {
        Some((generation, text)) => effects.push(Effect::Query(AskedQuery { generation, container, text })),
        None => note(model, "Nothing is typed to execute."),
    }
}

/// A key that is no command.
pub fn type_into(model: &mut Model, key: KeyEvent) {
    let before = model.query.editor.revision();
    model.query.editor.input(key);
    if model.query.editor.revision() != before {
        model.query.error = None;
    }
}

/// Esc: gives up what is being executed, else from the text to the results, else to the tree.
pub fn back(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.query.running.is_some() {
        effects.push(Effect::GiveUpQuery);
    } else if model.focus == Focus::Query && model.query.results.as_ref().is_some_and(|results| !results.is_empty()) {
        model.focus = Focus::Results;
    } else {
        go::to_tree(model);
    }
}

/// Asks for the name under which the text is saved.
pub fn save(model: &mut Model) {
    let text = model.query.editor.text();
    if text.trim().is_empty() {
        return note(model, "Nothing is typed to save.");
    }
    model.dialogs.push(ask::save_query(text));
}

/// The list of the saved queries of this system.
pub fn open_saved(model: &mut Model) {
    let api = model.api();
    let saved: Vec<_> = model.query.saved.iter().filter(|query| query.api == api).cloned().collect();
    if saved.is_empty() {
        note(model, "No query is saved yet: ^S saves what is typed.");
    } else {
        model.dialogs.push(ask::open_query(saved));
    }
}

/// The saved queries as they are now.
pub fn saved(model: &mut Model, what: &str, result: Result<Vec<SavedQuery>, Refusal>) {
    let is_asked = matches!(model.dialogs.last().map(|dialog| &dialog.question), Some(Question::SaveQuery(..)));
    match result {
        Ok(saved) => {
            model.query.saved = saved;
            if is_asked {
                model.dialogs.pop();
            }
            if !what.is_empty() {
                done(model, what);
            }
        }
        Err(refusal) => match model.dialogs.last_mut().filter(|_| is_asked) {
            Some(dialog) => dialog.error = Some(refusal.in_full()),
            None => refused(model, "The saved queries", &refusal),
        },
    }
}

/// The rows as a table, or as JSON.
pub fn as_json(model: &mut Model) {
    match &mut model.query.results {
        Some(results) if !results.is_empty() => results.toggle(),
        _ => note(model, "There are no rows: F5 executes the query."),
    }
}

/// The rows have come, or a refusal.
pub fn answered(model: &mut Model, generation: u64, result: Result<Answered, Refusal>) {
    let failed = result.as_ref().err().cloned();
    if !model.query.answer(generation, result) {
        return;
    }
    match failed {
        Some(refusal) if refusal.status == GIVEN_UP => {
            model.query.error = None;
            note(model, "The query was given up; the rows are as they were.");
        }
        Some(refusal) => refused(model, "Not executed", &refusal),
        None => {}
    }
}

/// Leaves the tab: nobody waits for an answer any more.
pub fn settle(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(container) = model.open_container().cloned() {
        let runs = model.query.running.is_some();
        if model.tab == Tab::Query {
            model.query.look_at(&container);
        }
        if runs && model.query.running.is_none() {
            effects.push(Effect::GiveUpQuery);
        }
    }
}
