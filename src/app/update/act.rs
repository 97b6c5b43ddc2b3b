//! What each action does where the focus is.

use crate::domain::words;
use crate::engine::{ContainerNo, Key, Scope};

use crate::app::console::Kind;
use crate::app::{Action, Command, Effect, Focus, Intent, Model, Move, Node, Tab};

use super::{ask, done, go, note, reads, type_into_editor};

/// Does it, or says why not.
pub fn perform(model: &mut Model, effects: &mut Vec<Effect>, action: Action) {
    match action {
        Action::Up => step(model, effects, -1),
        Action::Down => step(model, effects, 1),
        Action::PageUp => step(model, effects, -page(model)),
        Action::PageDown => step(model, effects, page(model)),
        Action::First => edge(model, effects, true),
        Action::Last => edge(model, effects, false),
        Action::Open => open(model, effects),
        Action::Expand => {
            let catalog = model.catalog.clone();
            model.tree.expand(&catalog);
        }
        Action::Collapse => {
            let catalog = model.catalog.clone();
            model.tree.collapse(&catalog);
        }
        Action::Edit => edit(model, effects),
        Action::Save => match model.focus {
            Focus::Settings => save_settings(model, effects, None),
            _ => save_item(model, effects, None),
        },
        Action::Discard => discard_settings(model),
        Action::Mark => mark(model, effects),
        Action::MarkAll => mark_all(model),
        Action::WriteAgain => write_again(model, effects),
        Action::Delete => delete(model),
        Action::Undo => type_into_editor(model, |editor| editor.undo()),
        Action::Redo => type_into_editor(model, |editor| editor.redo()),
        Action::Find => model.dialogs.push(ask::find(&model.search)),
        Action::FindNext => find_next(model),
        Action::Format => format(model),
        Action::Scope => scope(model, effects),
        Action::Follow => {
            model.countdown.following = true;
            reads::countdown_here(model, effects);
        }
        Action::Filter => model.console.cycle_filter(),
        Action::Clear => model.console.clear(),
        Action::Back => back(model, effects),
        Action::NextPane => cycle_focus(model, true),
        Action::PreviousPane => cycle_focus(model, false),
        Action::ShowItems => show(model, effects, Tab::Items),
        Action::ShowSettings => show(model, effects, Tab::Settings),
        Action::ShowCountdown => show_countdown(model, effects),
        Action::NewItem => new_item(model, effects),
        Action::NewContainer => {
            let dialog = ask::new_container(&database_name(model));
            model.dialogs.push(dialog);
        }
        Action::NewDatabase => model.dialogs.push(ask::new_database()),
        Action::SweepNow => effects.push(Effect::Do(Command::SweepNow)),
        Action::PauseSweeper => effects.push(Effect::Do(Command::PauseSweeper(!model.sweeper.paused))),
        Action::SweeperSettings => {
            model
                .dialogs
                .push(ask::sweeper_settings(model.sweeper.delay, model.sweeper.paused));
        }
        Action::ToggleTree => toggle_tree(model),
        Action::ToggleConsole => toggle_console(model),
        Action::Refresh => go::leave(model, effects, Intent::Refresh),
        Action::Help => model.help = Some(0),
        Action::Quit => go::leave(model, effects, Intent::Quit),
        Action::Suspend => effects.push(Effect::Suspend),
    }
}

fn page(model: &Model) -> isize {
    let layout = model.layout();
    let height = match model.focus {
        Focus::Tree => layout.tree_height(),
        Focus::Console => usize::from(layout.console.height),
        _ => layout.list_height(model.tab),
    };
    isize::try_from(height.saturating_sub(1).max(1)).unwrap_or(1)
}

fn step(model: &mut Model, effects: &mut Vec<Effect>, by: isize) {
    match model.focus {
        Focus::Tree => model.tree.step(by),
        Focus::Items => go::leave(model, effects, Intent::MoveTo(Move::Step(by))),
        Focus::Countdown => {
            model.countdown.following = false;
            if let Some(seek) = model.countdown.view.step(by)
                && !model.countdown.view.is_waiting()
            {
                reads::countdown(model, effects, seek);
            }
        }
        Focus::Console => model.console.scroll(-by),
        Focus::Editor | Focus::Settings => {}
    }
}

fn edge(model: &mut Model, effects: &mut Vec<Effect>, first: bool) {
    match model.focus {
        Focus::Tree => model.tree.select(if first { 0 } else { usize::MAX }),
        Focus::Items => go::leave(
            model,
            effects,
            Intent::MoveTo(if first { Move::First } else { Move::Last }),
        ),
        Focus::Countdown => {
            model.countdown.following = false;
            let seek = if first {
                model.countdown.view.to_first()
            } else {
                model.countdown.view.to_last()
            };
            if let Some(seek) = seek {
                reads::countdown(model, effects, seek);
            }
        }
        Focus::Console => model.console.scroll(if first { isize::MAX } else { isize::MIN }),
        Focus::Editor | Focus::Settings => {}
    }
}

fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    match model.focus {
        Focus::Tree => match model.tree.current().map(|line| line.node) {
            Some(Node::Database(_)) => {
                let catalog = model.catalog.clone();
                model.tree.toggle(&catalog);
            }
            Some(Node::Container(no)) => {
                let catalog = model.catalog.clone();
                model.tree.unfold(&catalog, no);
                go::leave(model, effects, Intent::OpenContainer(no, Tab::Items));
            }
            Some(Node::Items(no)) => go::leave(model, effects, Intent::OpenContainer(no, Tab::Items)),
            Some(Node::Settings(no)) => go::leave(model, effects, Intent::OpenContainer(no, Tab::Settings)),
            None => note(model, "The account is empty: C makes a container, D a database."),
        },
        Focus::Countdown => {
            if let Some(row) = model.countdown.view.current() {
                let position = row.item.position.clone();
                go::leave(model, effects, Intent::OpenItem(position.container, position.key));
            }
        }
        _ => {}
    }
}

fn edit(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.pane.is_some() && !is_behind(model) {
        model.focus = Focus::Editor;
    } else if model.items.current().is_some() {
        model.edit_when_loaded = true;
        reads::item_under_cursor(model, effects);
    } else {
        note(model, "There is no item here: n makes one.");
    }
}

/// Whether the open item is another one than that under the cursor, which is still being read.
fn is_behind(model: &Model) -> bool {
    let Some(pane) = &model.pane else { return true };
    if pane.is_dirty() || pane.gone.is_some() {
        return false;
    }
    match (pane.row(), model.items.current()) {
        (Some(open), Some(row)) => open.key != row.key,
        _ => false,
    }
}

/// Saves the open item: makes it, replaces it, or asks.
pub fn save_item(model: &mut Model, effects: &mut Vec<Effect>, then: Option<Intent>) {
    let Some(pane) = &mut model.pane else { return };
    if let Some(reason) = pane.editor.read_only() {
        let reason = reason.to_owned();
        return note(model, format!("This text cannot be changed here: {reason}."));
    }
    if !pane.can_save() {
        return note(
            model,
            "Nothing is changed. To restart the clock of the item, write it again: w in the list.",
        );
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
        Some(row) if pane.gone.is_none() => Command::ReplaceItem {
            container,
            key: row.key.clone(),
            text,
            if_match: Some(row.etag),
        },
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
        Some(row) if !as_new => Command::ReplaceItem {
            container,
            key: row.key.clone(),
            text,
            if_match: None,
        },
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

fn discard_settings(model: &mut Model) {
    let Some(form) = &mut model.settings else { return };
    if form.is_dirty() {
        form.discard();
        note(model, "The change of the Time to Live is taken back.");
    } else {
        go::to_tree(model);
    }
}

fn mark(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(key) = model.items.current().map(|row| row.key.clone()) else {
        return;
    };
    if !model.marked.remove(&key) {
        model.marked.insert(key);
    }
    step(model, effects, 1);
}

fn mark_all(model: &mut Model) {
    if model.marked.is_empty() {
        model.marked = model.items.rows().iter().map(|row| row.key.clone()).collect();
        let n = model.marked.len() as u64;
        let rest = if model.items.is_whole() {
            ""
        } else {
            " (those that are loaded)"
        };
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

fn write_again(model: &mut Model, effects: &mut Vec<Effect>) {
    match selection(model) {
        Some((container, keys)) => effects.push(Effect::Do(Command::TouchItems(container, keys))),
        None => note(model, "There is no item here to write again."),
    }
}

fn delete(model: &mut Model) {
    let dialog = match model.focus {
        Focus::Items => selection(model).map(|(container, keys)| {
            let id = model
                .items
                .rows()
                .iter()
                .find(|row| keys.first() == Some(&row.key))
                .map_or("", |row| row.id.as_str());
            ask::delete_items(container, keys, id)
        }),
        _ => model.tree.current().and_then(|line| match line.node {
            Node::Database(no) => Some(ask::delete_database(model, no, &line.name)),
            node => {
                let no = node.container()?;
                let name = model.catalog.container(no)?.name.clone();
                Some(ask::delete_container(model, no, &name))
            }
        }),
    };
    match dialog {
        Some(dialog) => model.dialogs.push(dialog),
        None => note(model, "There is nothing here to delete."),
    }
}

/// To the next match of the last search.
pub fn find_next(model: &mut Model) {
    if model.search.is_empty() {
        return model.dialogs.push(ask::find(""));
    }
    let pattern = model.search.clone();
    let found = model.pane.as_mut().map_or(0, |pane| pane.editor.search(&pattern, true));
    let text = match found {
        0 => format!("`{pattern}` is not in this text."),
        n => format!(
            "`{pattern}`: {}.",
            words::counted(n as u64, "match").replace("matchs", "matches")
        ),
    };
    note(model, text);
}

fn format(model: &mut Model) {
    let Some(pane) = &mut model.pane else { return };
    match pane.editor.format() {
        Ok(()) => {
            pane.check();
            done(model, "The text is laid out; numbers and order are untouched.");
        }
        Err(refusal) => {
            if let Some(place) = refusal.place {
                pane.editor.go_to(place);
            }
            pane.refused = Some(refusal.clone());
            super::refused(model, "Not laid out", &refusal);
        }
    }
}

fn scope(model: &mut Model, effects: &mut Vec<Effect>) {
    let next = match (model.countdown.scope, model.open_container()) {
        (Scope::Container(_), Some(container)) => Scope::Database(container.database),
        (Scope::Everything, Some(container)) => Scope::Container(container.no),
        _ => Scope::Everything,
    };
    go::leave(model, effects, Intent::OpenCountdown(next));
}

fn back(model: &mut Model, effects: &mut Vec<Effect>) {
    match model.focus {
        Focus::Editor => go::leave(model, effects, Intent::CloseEditor),
        Focus::Items if !model.marked.is_empty() => model.marked.clear(),
        Focus::Console => {
            model.console.open = false;
            focus_tab(model);
        }
        _ => go::to_tree(model),
    }
}

/// The panes that can have the focus now, in the order of Tab.
fn panes(model: &Model) -> Vec<Focus> {
    let mut panes = Vec::new();
    if !model.tree_hidden || model.focus == Focus::Tree {
        panes.push(Focus::Tree);
    }
    match model.tab {
        Tab::Items => {
            if model.container.is_some() {
                panes.push(Focus::Items);
            }
            if model.pane.is_some() {
                panes.push(Focus::Editor);
            }
        }
        Tab::Settings => panes.push(Focus::Settings),
        Tab::Countdown => panes.push(Focus::Countdown),
    }
    if model.console.open {
        panes.push(Focus::Console);
    }
    panes
}

fn cycle_focus(model: &mut Model, forward: bool) {
    let panes = panes(model);
    let Some(at) = panes.iter().position(|pane| *pane == model.focus) else {
        model.focus = panes.first().copied().unwrap_or(Focus::Tree);
        return;
    };
    let next = if forward { at + 1 } else { at + panes.len() - 1 };
    model.focus = panes[next % panes.len()];
}

/// The keys go to the tab in front.
pub fn focus_tab(model: &mut Model) {
    model.focus = match model.tab {
        _ if model.container.is_none() && model.tab != Tab::Countdown => Focus::Tree,
        Tab::Items => Focus::Items,
        Tab::Settings => Focus::Settings,
        Tab::Countdown => Focus::Countdown,
    };
}

/// The tab of the container under the tree's cursor, when the tree has the focus, else of the open one.
fn show(model: &mut Model, effects: &mut Vec<Effect>, tab: Tab) {
    let in_tree = if model.focus == Focus::Tree {
        model.tree.current().and_then(|line| line.node.container())
    } else {
        None
    };
    let intent = match in_tree.or(model.container) {
        Some(no) => Intent::OpenContainer(no, tab),
        None => Intent::ShowTab(tab),
    };
    go::leave(model, effects, intent);
}

fn show_countdown(model: &mut Model, effects: &mut Vec<Effect>) {
    let node = if model.focus == Focus::Tree {
        model.tree.current().map(|line| line.node)
    } else {
        None
    };
    match node {
        Some(Node::Database(no)) => go::leave(model, effects, Intent::OpenCountdown(Scope::Database(no))),
        _ if model.container.is_none() && node.is_none() => {
            go::leave(model, effects, Intent::OpenCountdown(Scope::Everything));
        }
        _ => show(model, effects, Tab::Countdown),
    }
}

fn new_item(model: &mut Model, effects: &mut Vec<Effect>) {
    let in_tree = if model.focus == Focus::Tree {
        model.tree.current().and_then(|line| line.node.container())
    } else {
        None
    };
    if let Some(no) = in_tree.filter(|no| model.container != Some(*no)) {
        go::leave(model, effects, Intent::OpenContainer(no, Tab::Items));
        if model.container != Some(no) {
            return;
        }
    }
    if model.container.is_none() {
        note(model, "Open a container first: Enter in the tree, or C for a new one.");
    } else {
        go::leave(model, effects, Intent::NewItem);
    }
}

fn database_name(model: &Model) -> String {
    let in_tree = model.tree.current().and_then(|line| match line.node {
        Node::Database(no) => model.catalog.names.get(&no),
        node => model
            .catalog
            .container(node.container()?)
            .and_then(|container| model.catalog.names.get(&container.database)),
    });
    in_tree.cloned().unwrap_or_default()
}

fn toggle_tree(model: &mut Model) {
    if model.layout().tree.width > 0 {
        model.tree_hidden = true;
        if model.focus == Focus::Tree {
            focus_tab(model);
        }
    } else {
        go::to_tree(model);
    }
}

fn toggle_console(model: &mut Model) {
    model.console.open = !model.console.open;
    if model.console.open {
        model.focus = Focus::Console;
    } else if model.focus == Focus::Console {
        focus_tab(model);
    }
}

/// A line about what a key did to many items.
pub fn report(model: &mut Model, kind: Kind, text: String) {
    model.console.push(model.now, kind, text);
}
