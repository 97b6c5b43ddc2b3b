//! One function: a message changes the model and says what shall be done outside it.

mod act;
mod answers;
mod ask;
mod clock;
mod decide;
mod events;
mod filter;
mod focus;
mod go;
mod mouse;
mod query;
mod reads;
mod save;
mod selection;
mod shell;
mod timeline;
mod transfer;

use crossterm::event::KeyEvent;

use crate::domain::Instant;

use super::console::Kind;
use super::dialog::Outcome;
use super::expiration::ExpirationForm;
use super::matrix;
use super::settings::SettingsForm;
use super::{Action, Editor, Effect, Focus, Intent, Model, Msg};

/// What the model wants first: the numbers of the tree, or a welcome to an empty store.
pub fn start(model: &mut Model) -> Vec<Effect> {
    let mut effects = Vec::new();
    if model.catalog.databases.is_empty() {
        model.dialogs.push(ask::welcome());
    } else if let Some(no) = model.catalog.containers.keys().next().copied() {
        go::to_container(model, &mut effects, no, super::Tab::Items);
        // Where the tree lies over the list, the list comes first.
        if model.layout().divider.height > 0 {
            model.focus = Focus::Tree;
        }
    }
    settle(model, &mut effects);
    effects
}

/// Takes a message at instant `now` of the engine's clock.
pub fn update(model: &mut Model, now: Instant, msg: Msg) -> Vec<Effect> {
    let mut effects = Vec::new();
    let second_before = model.now.secs();
    model.now = now;
    match msg {
        Msg::Key(key) => press(model, &mut effects, key),
        Msg::Paste(text) => paste(model, &text),
        Msg::Click { target, double } => mouse::click(model, &mut effects, target, double),
        Msg::Scroll { target, lines } => mouse::scroll(model, &mut effects, target, lines),
        Msg::Resize(columns, rows) => model.size = (columns, rows),
        Msg::Tick => {}
        Msg::Event(event) => events::take(model, &mut effects, event),
        Msg::Answer(answer) => answers::take(model, &mut effects, answer),
        Msg::Terminate => model.ended = true,
    }
    if now.secs() != second_before {
        pass_time(model, &mut effects);
    }
    settle(model, &mut effects);
    effects
}

/// A key goes to the topmost layer, from there to the text that is typed, last to the table of keys.
fn press(model: &mut Model, effects: &mut Vec<Effect>, key: KeyEvent) {
    if let Some(scrolled) = model.help {
        model.help = scroll_help(model, scrolled, key);
        return;
    }
    if let Some(matrix) = &mut model.matrix {
        match matrix.input(key) {
            matrix::Outcome::Stay => {}
            matrix::Outcome::Close => model.matrix = None,
            matrix::Outcome::Try(default, item) => act::try_cell(model, effects, default, item),
        }
        return;
    }
    if !model.dialogs.is_empty() {
        match model.keymap.resolve(super::Context::Editor, true, key) {
            Some(Action::Suspend) => effects.push(Effect::Suspend),
            // A second wish to leave, while the question about it is open, changes nothing.
            Some(Action::Quit) => go::leave(model, effects, Intent::Quit),
            _ if transfer::completes(model, effects, key) => {}
            _ => {
                if let Some(Outcome::Answered(choice)) = model.dialogs.last_mut().map(|dialog| dialog.input(key)) {
                    decide::answer(model, effects, choice);
                }
            }
        }
        return;
    }
    let context = model.context();
    if let Some(action) = model.keymap.resolve(context, model.is_typing(), key) {
        act::perform(model, effects, action);
        return;
    }
    match model.focus {
        Focus::Editor => type_into_editor(model, |editor| {
            editor.input(key);
        }),
        Focus::Settings => type_into_settings(model, effects, key),
        Focus::Shell => shell::type_into(model, key),
        Focus::Query => query::type_into(model, key),
        Focus::Filter => filter::type_into(model, key),
        _ => {}
    }
}

fn scroll_help(model: &Model, scrolled: usize, key: KeyEvent) -> Option<usize> {
    match model.keymap.resolve(super::Context::Tree, false, key) {
        Some(Action::Up) => Some(scrolled.saturating_sub(1)),
        Some(Action::Down) => Some(scrolled + 1),
        Some(Action::PageUp) => Some(scrolled.saturating_sub(10)),
        Some(Action::PageDown) => Some(scrolled + 10),
        Some(Action::First) => Some(0),
        Some(Action::Last) => Some(usize::MAX / 2),
        _ => None,
    }
}

/// Lets `edit` change the open text and looks at the result.
fn type_into_editor(model: &mut Model, edit: impl FnOnce(&mut Editor)) {
    if let Some(pane) = &mut model.pane {
        let before = pane.editor.revision();
        edit(&mut pane.editor);
        if pane.editor.revision() != before {
            pane.check(model.now);
        }
    }
}

fn type_into_settings(model: &mut Model, effects: &mut Vec<Effect>, key: KeyEvent) {
    use crossterm::event::KeyCode;
    let form = match &mut model.settings {
        Some(SettingsForm::Ttl(form)) => form,
        Some(SettingsForm::Expiration(form)) => return form.input(key),
        None => return,
    };
    match key.code {
        KeyCode::Up => form.choose(form.choice.saturating_sub(1)),
        KeyCode::Down => form.choose(form.choice + 1),
        _ if form.is_typing() => {
            if !form.seconds.input(key) {
                return;
            }
            form.edited();
        }
        KeyCode::Char(' ') => form.choose((form.choice + 1) % 3),
        _ => return,
    }
    reads::preview(model, effects);
}

fn paste(model: &mut Model, text: &str) {
    if model.help.is_some() || model.matrix.is_some() {
        return;
    }
    if let Some(dialog) = model.dialogs.last_mut() {
        dialog.paste(text);
        return;
    }
    match model.focus {
        Focus::Editor => {
            let mut taken = true;
            type_into_editor(model, |editor| taken = editor.paste(text));
            if !taken {
                note(
                    model,
                    "Not pasted: the editor takes texts of up to 20,000 lines and 2 MB, lines of up to 60,000 bytes.",
                );
            }
        }
        Focus::Settings => match &mut model.settings {
            Some(SettingsForm::Ttl(form)) if form.is_typing() => {
                form.seconds.paste(text);
                form.edited();
            }
            Some(SettingsForm::Expiration(form)) => {
                if form.is_typing() && !form.paste(text) {
                    note(model, "Not pasted: that is too much for a setting.");
                }
            }
            Some(SettingsForm::Ttl(_)) | None => {}
        },
        Focus::Shell => {
            if !model.shell.input.paste(text) {
                note(model, "Not pasted: that is too much for the shell's input.");
            }
            model.shell.typed();
        }
        Focus::Query => {
            if !model.query.editor.paste(text) {
                note(model, "Not pasted: that is too much for a query.");
            }
            model.query.error = None;
        }
        Focus::Filter => {
            model.filter.field.paste(text);
            model.filter.error = None;
        }
        // A paste into a list would be a string of commands.
        _ => note(model, "Pasted text goes into the editor or a field: n makes a new item, Enter opens one."),
    }
}

/// A second has begun: what expired leaves the lists, what was deleted leaves the countdown.
fn pass_time(model: &mut Model, effects: &mut Vec<Effect>) {
    let now = model.now;
    if let Some(container) = model.open_container().cloned() {
        // A view of what is hidden shows it.
        let shows_hidden = model.filter.shows_hidden();
        let short = model.items.retain(|row| shows_hidden || !row.is_hidden(&container, now));
        if short {
            reads::items_here(model, effects);
        }
    }
    let short = model.countdown.drop_deleted(now);
    if model.tab == super::Tab::Countdown && (short || reads::following_is_behind(model)) {
        reads::countdown_here(model, effects);
    }
}

/// After every message: sizes follow the layout, numbers that are out of date are asked for.
fn settle(model: &mut Model, effects: &mut Vec<Effect>) {
    let layout = model.layout();
    if layout.list.height > 0 {
        match model.tab {
            super::Tab::Items => {
                if model.items.resize(layout.list_height(super::Tab::Items)) && !model.items.is_waiting() {
                    reads::items_here(model, effects);
                }
            }
            super::Tab::Countdown => {
                if model.countdown.view.resize(layout.list_height(super::Tab::Countdown))
                    && !model.countdown.view.is_waiting()
                {
                    reads::countdown_here(model, effects);
                }
            }
            super::Tab::Settings | super::Tab::Shell | super::Tab::Query | super::Tab::Timeline => {}
        }
    }
    model.tree.show_cursor(layout.tree_height());
    let (now, container) = (model.now, model.open_container().cloned());
    if let (Some(pane), Some(container)) = (&mut model.pane, container)
        && pane.container == container.no
    {
        pane.follow(&container, now);
    }
    if let Some(pane) = &mut model.pane {
        pane.editor.resize(layout.item.height, layout.item.width);
    }
    if model.tab == super::Tab::Shell {
        let (_, _, input) = layout.shell(&model.shell);
        model.shell.input.resize(input.height, input.width);
    }
    query::settle(model, effects);
    if model.tab == super::Tab::Query {
        let (input, _, rows) = layout.query(&model.query);
        model.query.editor.resize(input.height, input.width);
        if let Some(results) = &mut model.query.results {
            let heading = usize::from(results.form == super::results::Form::Table);
            results.resize(usize::from(rows.height).saturating_sub(heading));
        }
    }
    let form = model.settings.as_mut().and_then(SettingsForm::expiration_mut);
    if let Some(json) = form.and_then(|form| form.json.as_mut()) {
        let area = ExpirationForm::json_area(layout.body);
        json.resize(area.height, area.width);
    }
    timeline::settle(model, effects);
    reads::totals(model, effects, layout.tree_height());
}

/// A remark in the console.
fn note(model: &mut Model, text: impl Into<String>) {
    model.console.push(model.now, Kind::Note, text);
}

/// Something done, in the console.
fn done(model: &mut Model, text: impl Into<String>) {
    model.console.push(model.now, Kind::Done, text);
}

/// A refusal in the console, with its hint.
fn refused(model: &mut Model, what: &str, refusal: &crate::domain::Refusal) {
    model.console.push(model.now, Kind::Error, format!("{what}: {}", refusal.in_full()));
}
