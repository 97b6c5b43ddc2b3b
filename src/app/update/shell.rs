//! The Shell tab: which database, what Enter does.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::engine::Api;

use crate::app::{Command, Effect, Focus, Intent, Model, Node, Tab};

use super::{go, note};

/// Brings the shell to the front, in the database under the cursor of the tree, of the open collection, or the one it was
/// in, or the first of its kind.
pub fn show(model: &mut Model, effects: &mut Vec<Effect>) {
    let database = in_tree(model).or_else(|| {
        let container = model.open_container()?;
        (container.api() == Api::MongoDb).then_some(container.database)
    });
    let named = database.and_then(|no| model.catalog.names.get(&no)).cloned();
    let is_there = |name: &String| model.catalog.databases.get(name).is_some_and(|found| found.api == Api::MongoDb);
    let session = Some(model.shell.session.database.clone()).filter(is_there);
    let first =
        || model.catalog.databases.values().find(|found| found.api == Api::MongoDb).map(|found| found.name.clone());
    match named.or(session).or_else(first) {
        Some(name) => {
            // The tabs beside it are those of a collection of the same database.
            let database = model.catalog.databases.get(&name);
            let is_open = |no| model.open_container().is_some_and(|open| open.database == no);
            let first = database
                .filter(|database| !is_open(database.no))
                .and_then(|database| database.containers.values().next().map(|collection| collection.no));
            if model.shell.session.database != name {
                model.shell.session = crate::shell::Session::new(&name);
            }
            let intent = match first {
                Some(no) => Intent::OpenContainer(no, Tab::Shell),
                None => Intent::ShowTab(Tab::Shell),
            };
            go::leave(model, effects, intent);
        }
        None => note(model, "The shell speaks to MongoDB databases: D makes one."),
    }
}

/// The MongoDB database under the cursor of the tree, when the tree has the focus.
fn in_tree(model: &Model) -> Option<crate::engine::DatabaseNo> {
    if model.focus != Focus::Tree {
        return None;
    }
    let no = match model.tree.current()?.node {
        Node::Database(no) => no,
        node => model.catalog.container(node.container()?)?.database,
    };
    model.catalog.database(no).filter(|database| database.api == Api::MongoDb).map(|database| database.no)
}

/// A key that is no command.
pub fn type_into(model: &mut Model, key: KeyEvent) {
    let shell = &mut model.shell;
    let (line, last) = (shell.input.cursor().line, shell.input.lines().len());
    match key.code {
        KeyCode::Up if line == 1 => shell.recall(true),
        KeyCode::Down if line == last => shell.recall(false),
        _ => {
            let before = shell.input.revision();
            shell.input.input(key);
            if shell.input.revision() != before {
                shell.typed();
            }
        }
    }
}

/// Runs what is typed; with an open bracket it goes on in a new line.
pub fn run(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.shell.running {
        return note(model, "A statement is still running.");
    }
    if !model.shell.is_complete(model.now) {
        return new_line(model);
    }
    if let Some(text) = model.shell.take() {
        effects.push(Effect::Do(Command::Shell(model.shell.session.clone(), text)));
    }
}

/// A new line in what is typed.
pub fn new_line(model: &mut Model) {
    model.shell.input.input(KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE));
}

/// Completes the word before the cursor.
pub fn complete(model: &mut Model) {
    let databases: Vec<String> = model
        .catalog
        .databases
        .values()
        .filter(|database| database.api == Api::MongoDb)
        .map(|database| database.name.clone())
        .collect();
    let collections = model.catalog.databases.get(&model.shell.session.database);
    let collections: Vec<String> =
        collections.into_iter().flat_map(|database| database.containers.keys()).cloned().collect();
    model.shell.complete(&collections, &databases);
}
