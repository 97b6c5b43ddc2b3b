//! What is done with the marked items, or the one under the cursor; and what a delete means in the tree.

use crate::domain::words;
use crate::engine::{ContainerNo, Key, Kind};

use crate::app::{Command, Effect, Focus, Intent, Model, Move, Node};

use super::{ask, go, note};

pub fn mark(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(key) = model.items.current().map(|row| row.key.clone()) else {
        return;
    };
    if !model.marked.remove(&key) {
        model.marked.insert(key);
    }
    go::leave(model, effects, Intent::MoveTo(Move::Step(1)));
}

pub fn mark_all(model: &mut Model) {
    if model.marked.is_empty() {
        model.marked = model.items.rows().iter().map(|row| row.key.clone()).collect();
        let n = model.marked.len() as u64;
        let rest = if model.items.is_whole() { "" } else { " (those that are loaded)" };
        note(model, format!("{} marked{rest}.", words::counted(n, "item")));
    } else {
        model.marked.clear();
    }
}

/// The marked items, or the one under the cursor.
fn selection(model: &Model) -> Option<(ContainerNo, Vec<Key>)> {
    let container = model.container?;
    let keys = if model.marked.is_empty() {
        vec![model.items.current()?.key.clone()]
    } else {
        model.marked.iter().cloned().collect()
    };
    Some((container, keys))
}

pub fn write_again(model: &mut Model, effects: &mut Vec<Effect>) {
    match selection(model) {
        Some((container, keys)) => effects.push(Effect::Do(Command::TouchItems(container, keys))),
        None => note(model, "There is no item here to write again."),
    }
}

pub fn delete(model: &mut Model) {
    let dialog = match model.focus {
        Focus::Items => selection(model).map(|(container, keys)| {
            let id =
                model.items.rows().iter().find(|row| keys.first() == Some(&row.key)).map_or("", |row| row.id.as_str());
            ask::delete_items(container, keys, id)
        }),
        _ => model.tree.current().and_then(|line| match line.node {
            Node::Database(no) => Some(ask::delete_database(model, no, &line.name)),
            node => {
                let container = model.catalog.container(node.container()?)?;
                match container.kind {
                    // All documents go with their database.
                    Kind::Documents { .. } => {
                        let name = model.catalog.names.get(&container.database)?;
                        Some(ask::delete_database(model, container.database, name))
                    }
                    _ => Some(ask::delete_container(model, container.no, &container.name)),
                }
            }
        }),
    };
    match dialog {
        Some(dialog) => model.dialogs.push(dialog),
        None => note(model, "There is nothing here to delete."),
    }
}
