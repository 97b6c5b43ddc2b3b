//! Which pane has the keys, and which panes are there.

use crate::app::{Focus, Model, Tab};

use super::go;

/// The panes that can have the focus now, in the order of Tab.
fn panes(model: &Model) -> Vec<Focus> {
    let mut panes = Vec::new();
    if !model.tree_hidden || model.focus == Focus::Tree {
        panes.push(Focus::Tree);
    }
    match model.tab {
        Tab::Items => {
            if model.filter.is_on() || model.focus == Focus::Filter {
                panes.push(Focus::Filter);
            }
            if model.container.is_some() {
                panes.push(Focus::Items);
            }
            if model.pane.is_some() {
                panes.push(Focus::Editor);
            }
        }
        Tab::Settings => panes.push(Focus::Settings),
        Tab::Countdown => panes.push(Focus::Countdown),
        Tab::Shell => panes.push(Focus::Shell),
        Tab::Timeline => panes.push(Focus::Timeline),
        Tab::Query => {
            panes.push(Focus::Query);
            if model.query.results.as_ref().is_some_and(|results| !results.is_empty()) {
                panes.push(Focus::Results);
            }
        }
    }
    if model.console.open {
        panes.push(Focus::Console);
    }
    panes
}

pub fn cycle_focus(model: &mut Model, forward: bool) {
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
        _ if model.container.is_none() && !matches!(model.tab, Tab::Countdown | Tab::Shell | Tab::Timeline) => {
            Focus::Tree
        }
        Tab::Items => Focus::Items,
        Tab::Settings => Focus::Settings,
        Tab::Countdown => Focus::Countdown,
        Tab::Shell => Focus::Shell,
        Tab::Timeline => Focus::Timeline,
        Tab::Query => Focus::Query,
    };
}

pub fn toggle_tree(model: &mut Model) {
    if model.layout().tree.width > 0 {
        model.tree_hidden = true;
        if model.focus == Focus::Tree {
            focus_tab(model);
        }
    } else {
        go::to_tree(model);
    }
}

pub fn toggle_console(model: &mut Model) {
    model.console.open = !model.console.open;
    if model.console.open {
        model.focus = Focus::Console;
    } else if model.focus == Focus::Console {
        focus_tab(model);
    }
}
