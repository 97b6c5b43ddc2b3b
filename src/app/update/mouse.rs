//! The mouse: a click does what the key would do where it points.

use crate::app::dialog::Control;
use crate::app::settings::SettingsForm;
use crate::app::{Action, Effect, Focus, Intent, Model, Move, Node, Target};

use super::{act, decide, go, reads, timeline};

/// A click of the left button.
pub fn click(model: &mut Model, effects: &mut Vec<Effect>, target: Target, double: bool) {
    if model.help.take().is_some() {
        return;
    }
    if let Some(matrix) = &mut model.matrix {
        match target {
            Target::Cell(row, column) => {
                matrix.cursor = (row, column);
                if double {
                    let (default, item) = (matrix.defaults[row], matrix.items[column]);
                    act::try_cell(model, effects, default, item);
                }
            }
            _ => model.matrix = None,
        }
        return;
    }
    if model.dialogs.is_empty() {
        click_pane(model, effects, target, double);
    } else {
        click_dialog(model, effects, target);
    }
}

fn click_dialog(model: &mut Model, effects: &mut Vec<Effect>, target: Target) {
    let Some(dialog) = model.dialogs.last_mut() else { return };
    match target {
        Target::Control(index) => dialog.focus_on(index),
        Target::Option(index, option) => {
            dialog.focus_on(index);
            if let Some(Control::Choice { selected, .. } | Control::List { selected, .. }) =
                dialog.controls.get_mut(index)
            {
                *selected = option;
            }
        }
        Target::Button(index) => {
            if let Some(choice) = dialog.buttons.get(index).map(|button| button.choice) {
                decide::answer(model, effects, choice);
            }
        }
        _ => {}
    }
}

fn click_pane(model: &mut Model, effects: &mut Vec<Effect>, target: Target, double: bool) {
    match target {
        Target::Tree(index) => {
            model.focus = Focus::Tree;
            model.tree.select(index);
            match model.tree.current().map(|line| line.node) {
                Some(Node::Database(_)) if !double => {}
                Some(_) => act::perform(model, effects, Action::Open),
                None => {}
            }
        }
        Target::TreePane => model.focus = Focus::Tree,
        Target::Tab(tab) => match model.container {
            Some(no) => go::leave(model, effects, Intent::OpenContainer(no, tab)),
            None => go::leave(model, effects, Intent::ShowTab(tab)),
        },
        Target::Item(index) => {
            model.focus = Focus::Items;
            go::leave(model, effects, Intent::MoveTo(Move::Row(index)));
            if double {
                act::perform(model, effects, Action::Edit);
            }
        }
        Target::ItemsPane => model.focus = Focus::Items,
        Target::Filter => act::perform(model, effects, Action::FilterItems),
        Target::Editor(line, column) => {
            if let Some(pane) = &mut model.pane {
                model.focus = Focus::Editor;
                pane.editor.click(line, column);
            }
        }
        Target::Ttl(choice) => {
            model.focus = Focus::Settings;
            if let Some(form) = model.settings.as_mut().and_then(SettingsForm::ttl_mut) {
                form.choose(choice);
            }
            reads::preview(model, effects);
        }
        Target::Seconds => {
            model.focus = Focus::Settings;
            if let Some(form) = model.settings.as_mut().and_then(SettingsForm::ttl_mut) {
                form.choose(crate::app::settings::ON);
            }
            reads::preview(model, effects);
        }
        Target::Switch(switch) => {
            model.focus = Focus::Settings;
            if let Some(form) = model.settings.as_mut().and_then(SettingsForm::expiration_mut) {
                form.switch(switch);
            }
        }
        Target::Action(action) => act::perform(model, effects, action),
        Target::Countdown(index) => {
            model.focus = Focus::Countdown;
            model.countdown.following = false;
            model.countdown.view.select(index);
            if double {
                act::perform(model, effects, Action::Open);
            }
        }
        Target::CountdownPane => model.focus = Focus::Countdown,
        Target::QueryInput(line, column) => {
            model.focus = Focus::Query;
            model.query.editor.click(line, column);
        }
        Target::ResultRow(row) => {
            model.focus = Focus::Results;
            if let Some(results) = &mut model.query.results {
                results.select(row);
            }
            if double {
                act::perform(model, effects, Action::Open);
            }
        }
        Target::ResultsPane => {}
        Target::Bucket(bucket) => {
            model.focus = Focus::Timeline;
            model.timeline.select(bucket);
            timeline::list(model, effects);
        }
        Target::TimelineRow(row) => {
            model.focus = Focus::Timeline;
            model.timeline.row = row;
            if double {
                act::perform(model, effects, Action::Open);
            }
        }
        Target::TimelinePane => model.focus = Focus::Timeline,
        Target::ShellPane => model.focus = Focus::Shell,
        Target::ShellInput(line, column) => {
            model.focus = Focus::Shell;
            model.shell.input.click(line, column);
        }
        Target::Console => {
            if model.console.open {
                model.focus = Focus::Console;
            } else {
                act::perform(model, effects, Action::ToggleConsole);
            }
        }
        Target::Control(_) | Target::Option(..) | Target::Button(_) | Target::Dialog | Target::Cell(..) => {}
    }
}

/// The wheel; positive is up. It scrolls what it is over, without taking the focus from where text is typed.
pub fn scroll(model: &mut Model, effects: &mut Vec<Effect>, target: Target, lines: isize) {
    if let Some(scrolled) = model.help {
        model.help = Some(scrolled.saturating_add_signed(-lines));
        return;
    }
    if !model.dialogs.is_empty() || model.matrix.is_some() {
        return;
    }
    match target {
        Target::Tree(_) | Target::TreePane => model.tree.step(-lines),
        Target::Item(_) | Target::ItemsPane => {
            go::leave(model, effects, Intent::MoveTo(Move::Step(-lines)));
        }
        Target::Editor(..) => {
            if let Some(pane) = &mut model.pane {
                pane.editor.scroll(-lines);
            }
        }
        Target::Countdown(_) | Target::CountdownPane => {
            let focus = std::mem::replace(&mut model.focus, Focus::Countdown);
            act::perform(model, effects, if lines > 0 { Action::Up } else { Action::Down });
            model.focus = focus;
        }
        Target::QueryInput(..) => model.query.editor.scroll(-lines),
        Target::ResultRow(_) | Target::ResultsPane => {
            if let Some(results) = &mut model.query.results {
                results.step(-lines);
            }
        }
        Target::Bucket(_) | Target::TimelineRow(_) | Target::TimelinePane => model.timeline.step_row(-lines),
        Target::ShellPane | Target::ShellInput(..) => model.shell.scroll(lines),
        Target::Console => model.console.scroll(lines),
        _ => {}
    }
}
