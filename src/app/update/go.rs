//! Going somewhere else, with one guard for unsaved work on every way out.

use crate::engine::{ContainerNo, Scope};

use crate::app::countdown::Countdown;
use crate::app::item_pane::ItemPane;
use crate::app::settings::SettingsForm;
use crate::app::{Effect, Focus, Intent, Model, Move, Node, Read, Seek, Tab};

use super::{ask, filter, note, reads, transfer};

/// Goes there, or asks first about what would be lost.
pub fn leave(model: &mut Model, effects: &mut Vec<Effect>, intent: Intent) {
    let intent = simplified(model, intent);
    let item_is_dirty = model.pane.as_ref().is_some_and(ItemPane::is_dirty);
    let settings_are_dirty = model.settings.as_ref().is_some_and(SettingsForm::is_dirty);
    if intent.loses_item() && item_is_dirty {
        // The text is shown beside the question.
        if model.tab != Tab::Items {
            show_tab(model, effects, Tab::Items);
        }
        push_once(model, ask::unsaved_item(model, intent));
    } else if intent.loses_settings() && settings_are_dirty {
        push_once(model, ask::unsaved_settings(model, intent));
    } else {
        go(model, effects, intent);
    }
}

/// The same question is not asked twice.
fn push_once(model: &mut Model, dialog: crate::app::dialog::Dialog) {
    if model.dialogs.last().is_none_or(|top| top.question != dialog.question) {
        model.dialogs.push(dialog);
    }
}

/// The open container again is only another tab of it.
fn simplified(model: &Model, intent: Intent) -> Intent {
    match intent {
        Intent::OpenContainer(no, tab) if model.container == Some(no) => Intent::ShowTab(tab),
        other => other,
    }
}

/// Goes there; what is open has been saved or given up.
pub fn go(model: &mut Model, effects: &mut Vec<Effect>, intent: Intent) {
    match intent {
        Intent::MoveTo(to) => move_to(model, effects, to),
        Intent::OpenContainer(no, tab) => to_container(model, effects, no, tab),
        Intent::OpenItem(no, key) => {
            if model.container != Some(no) {
                to_container(model, effects, no, Tab::Items);
            } else {
                model.pane = None;
                // The item may be one that the filter hides.
                filter::forget(model, effects);
                show_tab(model, effects, Tab::Items);
            }
            reads::items(model, effects, Seek::At(key.clone()));
            reads::item(model, effects, no, key);
        }
        Intent::OpenCountdown(scope) => {
            let mut view = std::mem::take(&mut model.countdown.view);
            view.restart();
            model.countdown = Countdown { scope, view, ..Countdown::default() };
            show_tab(model, effects, Tab::Countdown);
        }
        Intent::OpenTimeline(scope) => {
            if model.timeline.scope != scope {
                model.timeline.look_at(scope);
            }
            show_tab(model, effects, Tab::Timeline);
        }
        Intent::ShowTab(tab) => show_tab(model, effects, tab),
        Intent::NewItem => {
            let Some(container) = model.open_container().cloned() else {
                return;
            };
            // An item that is still being read must not take its place.
            model.item_generation += 1;
            model.pane = Some(ItemPane::new_item(&container, model.now));
            model.tab = Tab::Items;
            model.settings = None;
            model.focus = Focus::Editor;
        }
        Intent::CloseEditor => {
            let was_new = model.pane.as_ref().is_some_and(|pane| pane.row().is_none() || pane.gone.is_some());
            model.focus = Focus::Items;
            if was_new {
                model.pane = None;
                reads::item_under_cursor(model, effects);
            }
        }
        Intent::LeaveSettings => {
            model.settings = None;
            to_tree(model);
            model.tab = Tab::Items;
        }
        Intent::Refresh => refresh(model, effects),
        Intent::Export(scope) => transfer::export_of(model, scope),
        Intent::Quit if model.transfers.running.is_some() => push_once(model, ask::leave_transfer()),
        Intent::Quit => model.ended = true,
    }
}

/// The keys go to the tree.
pub fn to_tree(model: &mut Model) {
    model.tree_hidden = false;
    model.focus = Focus::Tree;
}

/// Opens a container.
pub fn to_container(model: &mut Model, effects: &mut Vec<Effect>, no: ContainerNo, tab: Tab) {
    if model.catalog.container(no).is_none() {
        note(model, "That container is gone.");
        return;
    }
    filter::forget(model, effects);
    model.container = Some(no);
    model.items.restart();
    model.marked.clear();
    model.pane = None;
    model.settings = None;
    if model.tree.current().is_none_or(|line| line.node.container() != Some(no)) {
        let catalog = model.catalog.clone();
        model.tree.select_node(&catalog, Node::Container(no));
    }
    model.countdown.scope = Scope::Container(no);
    model.timeline.look_at(Scope::Container(no));
    show_tab(model, effects, tab);
    if tab != Tab::Items {
        reads::items(model, effects, Seek::First);
    }
}

/// Brings a tab of the open container to the front.
pub fn show_tab(model: &mut Model, effects: &mut Vec<Effect>, tab: Tab) {
    let is_text_left = tab == Tab::Items && model.pane.is_some();
    if model.container.is_none() && !matches!(tab, Tab::Countdown | Tab::Shell | Tab::Timeline) && !is_text_left {
        note(model, "No container is open: choose one in the tree, or make one with C.");
        return;
    }
    model.tab = tab;
    if tab != Tab::Settings {
        model.settings = None;
    }
    match tab {
        Tab::Items => {
            model.focus = Focus::Items;
            reads::items_here(model, effects);
        }
        Tab::Settings => {
            model.focus = Focus::Settings;
            if let Some(root) = model.container.and_then(|no| model.catalog.root(no)).map(|root| root.no)
                && model.settings.as_ref().is_none_or(|form| form.container() != root)
            {
                model.settings = SettingsForm::of(&model.catalog, root);
                model.totals_stale.insert(Scope::Container(root));
            }
        }
        Tab::Shell => {
            model.focus = Focus::Shell;
            if !std::mem::replace(&mut model.shell.asked_history, true) {
                effects.push(Effect::Read(Read::ShellHistory));
            }
        }
        Tab::Query => {
            model.focus = Focus::Query;
            if !std::mem::replace(&mut model.query.asked_saved, true) {
                effects.push(Effect::Read(Read::SavedQueries));
            }
            if let Some(container) = model.open_container().cloned() {
                model.query.look_at(&container);
            }
        }
        Tab::Timeline => {
            model.focus = Focus::Timeline;
            model.timeline.invalidate();
        }
        Tab::Countdown => {
            model.focus = Focus::Countdown;
            let scope = model.countdown.scope;
            model.totals_stale.insert(scope);
            reads::countdown_here(model, effects);
        }
    }
}

/// Moves in the list of items; the item under the cursor opens.
fn move_to(model: &mut Model, effects: &mut Vec<Effect>, to: Move) {
    let seek = match to {
        Move::Step(by) => model.items.step(by),
        Move::First => model.items.to_first(),
        Move::Last => model.items.to_last(),
        Move::Row(index) => {
            model.items.select(index);
            None
        }
    };
    if let Some(seek) = seek
        && !model.items.is_waiting()
    {
        reads::items(model, effects, seek);
    }
    // What was open belongs to the row that was left.
    if model.pane.as_ref().is_some_and(|pane| pane.row().is_none() || pane.gone.is_some()) {
        model.pane = None;
    }
    reads::item_under_cursor(model, effects);
}

/// What is open follows the cursor: the item under it is asked for, unless a text is to stay.
pub fn follow_cursor(model: &mut Model, effects: &mut Vec<Effect>) {
    let follows = match &model.pane {
        None => true,
        // A text that is edited, new, or of an item that is gone stays until its owner leaves it.
        Some(pane) => !pane.is_dirty() && pane.row().is_some() && pane.gone.is_none() && model.focus != Focus::Editor,
    };
    if model.items.current().is_none() {
        if follows {
            model.pane = None;
        }
    } else if follows {
        reads::item_under_cursor(model, effects);
    }
}

fn refresh(model: &mut Model, effects: &mut Vec<Effect>) {
    model.totals.clear();
    match model.tab {
        Tab::Items => {
            reads::items_here(model, effects);
            model.pane = None;
            reads::item_under_cursor(model, effects);
        }
        Tab::Countdown => reads::countdown_here(model, effects),
        Tab::Timeline => super::timeline::count(model, effects),
        Tab::Query => super::query::execute(model, effects),
        Tab::Settings | Tab::Shell => {}
    }
}
