//! What each action does where the focus is.

use crate::domain::nosql::{DefaultTtl, ItemTtl};
use crate::domain::words;
use crate::engine::{Api, ContainerNo, Lifetime, Scope};

use crate::app::console::Kind;
use crate::app::matrix::Matrix;
use crate::app::settings::SettingsForm;
use crate::app::{Action, Command, Editor, Effect, Focus, Intent, Model, Move, Node, Tab};

use super::{
    ask, done, filter, focus, go, note, query, reads, save, selection, shell, timeline, transfer, type_into_editor,
};

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
        Action::Edit if model.tab == Tab::Query => model.focus = Focus::Query,
        Action::Edit => edit(model, effects),
        Action::Save => match model.focus {
            Focus::Query => query::save(model),
            Focus::Settings => save::save_settings(model, effects, None),
            _ => save::save_item(model, effects, None),
        },
        Action::Discard => save::discard_settings(model),
        Action::Mark => selection::mark(model, effects),
        Action::MarkAll => selection::mark_all(model),
        Action::WriteAgain => selection::write_again(model, effects),
        Action::Delete => selection::delete(model),
        Action::FilterItems => filter::open(model),
        Action::Apply => filter::apply(model, effects),
        Action::Older | Action::Newer => {
            let (api, older) = (model.api(), action == Action::Older);
            match model.focus {
                Focus::Query => model.query.recall(api, older),
                _ => model.filter.recall(api, older),
            }
        }
        Action::Undo => undo(model, Editor::undo),
        Action::Redo => undo(model, Editor::redo),
        Action::Find => model.dialogs.push(ask::find(&model.search)),
        Action::FindNext => find_next(model),
        Action::Format => format(model),
        Action::ExpiresIn => expires_in(model),
        Action::AsJson if model.tab == Tab::Query => query::as_json(model),
        Action::AsJson => as_json(model),
        Action::Run => shell::run(model, effects),
        Action::NewLine => shell::new_line(model),
        Action::Complete => shell::complete(model),
        Action::SearchHistory => {
            if !model.shell.search() {
                note(model, "No older statement has that in it.");
            }
        }
        Action::Empty => model.shell.clear(),
        Action::Scope => match model.focus {
            Focus::Timeline => timeline::cycle_scope(model, effects),
            _ => {
                let next = wider(model, model.countdown.scope);
                go::leave(model, effects, Intent::OpenCountdown(next));
            }
        },
        Action::SavedQueries => query::open_saved(model),
        Action::Views => filter::views(model),
        Action::Execute => query::execute(model, effects),
        Action::ColumnsLeft | Action::ColumnsRight => {
            if let Some(results) = &mut model.query.results {
                results.step_left(if action == Action::ColumnsRight { 1 } else { -1 });
            }
        }
        Action::Earlier | Action::Later => {
            model.timeline.step(if action == Action::Later { 1 } else { -1 });
            timeline::list(model, effects);
        }
        Action::Nearer | Action::Farther => timeline::zoom(model, effects, action == Action::Farther),
        Action::Follow => {
            model.countdown.following = true;
            reads::countdown_here(model, effects);
        }
        Action::Filter => model.console.cycle_filter(),
        Action::Clear => model.console.clear(),
        Action::Back => back(model, effects),
        Action::NextPane => focus::cycle_focus(model, true),
        Action::PreviousPane => focus::cycle_focus(model, false),
        Action::ShowItems => show(model, effects, Tab::Items),
        Action::ShowSettings => show(model, effects, Tab::Settings),
        Action::ShowCountdown => show_countdown(model, effects),
        Action::ShowTimeline => {
            let focused = model.focus == Focus::Tree;
            let node = model.tree.current().filter(|_| focused).map(|line| line.node);
            timeline::show(model, effects, node);
        }
        Action::ShowQuery => query::show(model, effects),
        Action::NewItem => new_item(model, effects),
        Action::NewContainer => {
            let database = database_name(model);
            match model.catalog.databases.get(&database) {
                Some(found) if found.api == Api::MongoDb => {
                    let dialog = ask::new_collection(found.no, &database);
                    model.dialogs.push(dialog);
                }
                Some(found) if found.api == Api::RavenDb => note(
                    model,
                    format!(
                        "{database} is a RavenDB database: a collection is made by its first document, n makes one."
                    ),
                ),
                _ => model.dialogs.push(ask::new_container(&database)),
            }
        }
        Action::NewDatabase => model.dialogs.push(ask::new_database()),
        Action::Upload => transfer::upload(model),
        Action::Export => transfer::export(model, effects),
        Action::SweepNow => effects.push(Effect::Do(Command::SweepNow)),
        Action::PauseSweeper => effects.push(Effect::Do(Command::PauseSweeper(!model.sweeper.paused))),
        Action::SweeperSettings => {
            model.dialogs.push(ask::sweeper_settings(model.sweeper.delay, model.sweeper.paused));
        }
        Action::Matrix => matrix(model),
        Action::Clock => model.dialogs.push(ask::clock(model.now, model.clock)),
        Action::ToggleTree => focus::toggle_tree(model),
        Action::ToggleConsole => focus::toggle_console(model),
        Action::Refresh => go::leave(model, effects, Intent::Refresh),
        Action::Help => model.help = Some(0),
        Action::Quit => go::leave(model, effects, Intent::Quit),
        Action::Suspend => effects.push(Effect::Suspend),
    }
}

/// The matrix, on the cell of the item under the cursor.
fn matrix(model: &mut Model) {
    let setting = model.open_container().and_then(|container| match container.api() {
        Api::NoSql | Api::MongoDb => Some(container.default_ttl()),
        Api::RavenDb => None,
    });
    let item = model.items.current().filter(|_| setting.is_some()).and_then(|row| match &row.lifetime {
        Lifetime::Ttl(ttl) => Some(*ttl),
        Lifetime::Typed(ttl) => Some(ttl.clone().effective()),
        Lifetime::Expires(_) => None,
    });
    model.matrix = Some(Matrix::of(setting, item));
}

/// Makes something to try a cell of the matrix with.
pub fn try_cell(model: &mut Model, effects: &mut Vec<Effect>, default: DefaultTtl, item: ItemTtl) {
    model.matrix = None;
    effects.push(Effect::Do(Command::TryTtl(default, item)));
}

fn page(model: &Model) -> isize {
    let layout = model.layout();
    let height = match model.focus {
        Focus::Tree => layout.tree_height(),
        Focus::Console => usize::from(layout.console.height),
        Focus::Shell => usize::from(layout.shell(&model.shell).0.height),
        Focus::Results => usize::from(layout.query(&model.query).2.height),
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
        Focus::Shell => model.shell.scroll(-by),
        Focus::Timeline => model.timeline.step_row(by),
        Focus::Results => {
            if let Some(results) = &mut model.query.results {
                results.step(by);
            }
        }
        Focus::Filter | Focus::Query | Focus::Editor | Focus::Settings => {}
    }
}

fn edge(model: &mut Model, effects: &mut Vec<Effect>, first: bool) {
    match model.focus {
        Focus::Tree => model.tree.select(if first { 0 } else { usize::MAX }),
        Focus::Items => go::leave(model, effects, Intent::MoveTo(if first { Move::First } else { Move::Last })),
        Focus::Countdown => {
            model.countdown.following = false;
            let seek = if first { model.countdown.view.to_first() } else { model.countdown.view.to_last() };
            if let Some(seek) = seek {
                reads::countdown(model, effects, seek);
            }
        }
        Focus::Console => model.console.scroll(if first { isize::MAX } else { isize::MIN }),
        Focus::Timeline => {
            model.timeline.select(if first { 0 } else { usize::MAX });
            timeline::list(model, effects);
        }
        Focus::Results => {
            if let Some(results) = &mut model.query.results {
                results.select(if first { 0 } else { usize::MAX });
            }
        }
        Focus::Filter | Focus::Query | Focus::Shell | Focus::Editor | Focus::Settings => {}
    }
}

fn open(model: &mut Model, effects: &mut Vec<Effect>) {
    match model.focus {
        Focus::Tree => match model.tree.current().map(|line| line.node) {
            Some(Node::Database(_)) => {
                let catalog = model.catalog.clone();
                model.tree.toggle(&catalog);
            }
            Some(Node::Container(no)) if model.api_of(no) == Api::RavenDb => {
                go::leave(model, effects, Intent::OpenContainer(no, Tab::Items));
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
        Focus::Results => query::as_json(model),
        Focus::Timeline => match model.timeline.rows.get(model.timeline.row) {
            Some(row) => {
                let position = row.position.clone();
                go::leave(model, effects, Intent::OpenItem(position.container, position.key));
            }
            None => note(model, "Nothing expires in this step: left and right go to another."),
        },
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

/// To the next match of the last search.
pub fn find_next(model: &mut Model) {
    if model.search.is_empty() {
        return model.dialogs.push(ask::find(""));
    }
    let pattern = model.search.clone();
    let found = model.pane.as_mut().map_or(0, |pane| pane.editor.search(&pattern, true));
    let text = match found {
        0 => format!("`{pattern}` is not in this text."),
        n => format!("`{pattern}`: {}.", words::counted(n as u64, "match").replace("matchs", "matches")),
    };
    note(model, text);
}

/// Takes a step back or makes it again, in the text that has the keys.
fn undo(model: &mut Model, step: fn(&mut Editor)) {
    let json = model.settings.as_mut().and_then(SettingsForm::expiration_mut).and_then(|form| form.json.as_mut());
    match (json, model.focus) {
        (Some(json), Focus::Settings) => step(json),
        (_, Focus::Shell) => step(&mut model.shell.input),
        (_, Focus::Query) => step(&mut model.query.editor),
        _ => type_into_editor(model, step),
    }
}

/// Asks when the open item shall expire.
fn expires_in(model: &mut Model) {
    match &model.pane {
        Some(pane) if pane.editor.read_only().is_none() => {
            let dialog = ask::expires_in(model.api_of(pane.container));
            model.dialogs.push(dialog);
        }
        Some(_) => note(model, "This text cannot be changed here."),
        None => note(model, "No item is open."),
    }
}

/// The setting of a RavenDB database as JSON, or as a form again.
fn as_json(model: &mut Model) {
    let Some(form) = model.settings.as_mut().and_then(SettingsForm::expiration_mut) else {
        return note(model, "Only Document Expiration, of RavenDB databases, has a configuration in JSON.");
    };
    if let Err(refusal) = form.toggle_json() {
        if let (Some(json), Some(place)) = (&mut form.json, refusal.place) {
            json.go_to(place);
        }
        form.refused = Some(refusal);
    }
}

fn format(model: &mut Model) {
    let Some(pane) = &mut model.pane else { return };
    match pane.editor.format() {
        Ok(()) => {
            pane.check(model.now);
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

/// From the open container to its database, to everything, and back.
pub fn wider(model: &Model, scope: Scope) -> Scope {
    match (scope, model.open_container()) {
        (Scope::Container(_), Some(container)) => Scope::Database(container.database),
        (Scope::Everything, Some(container)) => Scope::Container(container.no),
        _ => Scope::Everything,
    }
}

fn back(model: &mut Model, effects: &mut Vec<Effect>) {
    match model.focus {
        Focus::Editor => go::leave(model, effects, Intent::CloseEditor),
        Focus::Filter => filter::back(model, effects),
        Focus::Query | Focus::Results => query::back(model, effects),
        Focus::Items if !model.marked.is_empty() => model.marked.clear(),
        Focus::Items if model.filter.is_on() => filter::clear(model, effects),
        Focus::Console => {
            model.console.open = false;
            focus::focus_tab(model);
        }
        _ => go::to_tree(model),
    }
}

/// The tab of the container under the tree's cursor, when the tree has the focus, else of the open one.
fn show(model: &mut Model, effects: &mut Vec<Effect>, tab: Tab) {
    let in_tree =
        if model.focus == Focus::Tree { model.tree.current().and_then(|line| line.node.container()) } else { None };
    let intent = match in_tree.or(model.container) {
        Some(no) => Intent::OpenContainer(no, tab),
        None => Intent::ShowTab(tab),
    };
    go::leave(model, effects, intent);
}

fn show_countdown(model: &mut Model, effects: &mut Vec<Effect>) {
    let node = if model.focus == Focus::Tree { model.tree.current().map(|line| line.node) } else { None };
    match node {
        Some(Node::Database(no)) => go::leave(model, effects, Intent::OpenCountdown(Scope::Database(no))),
        _ if model.container.is_none() && node.is_none() => {
            go::leave(model, effects, Intent::OpenCountdown(Scope::Everything));
        }
        _ => show(model, effects, Tab::Countdown),
    }
}

/// The container under the tree's cursor, when the tree has the focus: a RavenDB database takes documents itself.
fn container_in_tree(model: &Model) -> Option<ContainerNo> {
    if model.focus != Focus::Tree {
        return None;
    }
    match model.tree.current()?.node {
        Node::Database(no) => model.catalog.database(no)?.documents.as_ref().map(|documents| documents.no),
        node => node.container(),
    }
}

/// The container that a key is about: that under the tree's cursor, else the open one.
pub fn container_here(model: &Model) -> Option<ContainerNo> {
    container_in_tree(model).or(model.container)
}

fn new_item(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(no) = container_in_tree(model).filter(|no| model.container != Some(*no)) {
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

/// A line about what a key did to many items.
pub fn report(model: &mut Model, kind: Kind, text: String) {
    model.console.push(model.now, kind, text);
}
