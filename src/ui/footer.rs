//! The keys that matter where the focus is, from the one table of keys.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::settings::SettingsForm;
use crate::app::{Action, Focus, Layout, Model, Tab, Target};
use crate::engine::Api;

use crate::app::text;

use super::theme::Theme;
use super::{Drawn, put};

pub fn draw(model: &Model, theme: &Theme, layout: &Layout, buffer: &mut Buffer, drawn: &mut Drawn) {
    let area = layout.footer;
    let context = model.context();
    let typing = model.is_typing();
    let help = hint(model, Action::Help);
    let reserved = help.as_ref().map_or(0, |(key, label)| text::width(key) + label.len() + 3) as u16;
    let mut x = area.x + 1;
    let mut place = |action: Action, key: &str, label: &str, limit: u16, buffer: &mut Buffer| {
        let width = (text::width(key) + 1 + text::width(label)) as u16;
        if x + width > limit {
            return;
        }
        let end = put(buffer, x, area.y, width, key, theme.key);
        put(buffer, end + 1, area.y, width, label, theme.dim);
        drawn.hit(Rect { x, width, ..area }, Target::Action(action));
        x += width + 2;
    };
    for (action, label) in actions(model) {
        if let Some(key) = model.keymap.key(context, typing, action) {
            let label = label.unwrap_or_else(|| action.label());
            place(action, &key.to_string(), label, area.right().saturating_sub(reserved), buffer);
        }
    }
    if let Some((key, label)) = help {
        place(Action::Help, &key, label, area.right(), buffer);
    }
}

fn hint(model: &Model, action: Action) -> Option<(String, &'static str)> {
    let key = model.keymap.key(model.context(), model.is_typing(), action)?;
    Some((key.to_string(), action.label()))
}

/// What is worth a hint here, most useful first. Only what is possible now.
fn actions(model: &Model) -> Vec<(Action, Option<&'static str>)> {
    let plain = |actions: &[Action]| actions.iter().map(|action| (*action, None)).collect::<Vec<_>>();
    match model.focus {
        Focus::Tree => {
            let mut hints = Vec::new();
            if !model.tree.lines().is_empty() {
                hints.extend([(Action::Open, None)]);
            }
            hints.extend(plain(&[Action::NewContainer, Action::NewDatabase]));
            if !model.tree.lines().is_empty() {
                hints.extend(plain(&[Action::Delete, Action::ShowSettings, Action::ShowCountdown]));
            }
            hints.extend(plain(&[Action::NextPane, Action::Quit]));
            hints
        }
        Focus::Items => {
            let mut hints = Vec::new();
            let new = (Action::NewItem, (model.api() != Api::NoSql).then_some("new document"));
            if model.items.current().is_some() {
                hints.extend([(Action::Edit, None), new]);
                hints.extend(plain(&[Action::WriteAgain, Action::Delete, Action::Mark]));
                if !model.filter.is_on() {
                    hints.push((Action::FilterItems, None));
                }
            } else {
                hints.extend([new, (Action::Upload, None)]);
            }
            if model.filter.is_on() {
                hints.push((Action::FilterItems, Some("edit filter")));
                hints.push((Action::Back, Some("show all")));
            }
            hints.push((Action::ShowSettings, (model.api() == Api::MongoDb).then_some("indexes")));
            hints.push((Action::ShowCountdown, None));
            if model.api() == Api::MongoDb {
                hints.push((Action::ShowQuery, Some("shell")));
            }
            hints.extend(plain(&[Action::NextPane, Action::Quit]));
            hints
        }
        Focus::Filter => {
            let back = if model.filter.running.is_some() { "give up" } else { "back" };
            let mut hints = vec![(Action::Apply, None), (Action::Back, Some(back))];
            hints.extend(plain(&[Action::Older, Action::Newer, Action::NextPane]));
            hints
        }
        Focus::Editor => {
            let mut hints = Vec::new();
            if let Some(pane) = model.pane.as_ref().filter(|pane| pane.can_save()) {
                let label = match (pane.row(), pane.gone) {
                    (Some(_), None) => "update",
                    (Some(_), Some(_)) => "save as new",
                    (None, _) => "save",
                };
                hints.push((Action::Save, Some(label)));
            }
            hints.push((Action::Back, None));
            hints.extend(plain(&[Action::ExpiresIn, Action::Undo, Action::Redo, Action::Find, Action::Format]));
            hints
        }
        Focus::Settings => {
            let dirty = model.settings.as_ref().is_some_and(|form| form.is_dirty());
            let mut hints = Vec::new();
            if dirty {
                hints.push((Action::Save, None));
            }
            hints.push((Action::Discard, if dirty { None } else { Some("back") }));
            if let Some(form) = model.settings.as_ref().and_then(SettingsForm::expiration) {
                hints.push((Action::AsJson, form.json.is_some().then_some("as form")));
            }
            hints.extend(plain(&[Action::ShowItems, Action::ShowCountdown, Action::NextPane]));
            hints
        }
        Focus::Countdown => plain(&[
            Action::Open,
            Action::Scope,
            Action::Follow,
            Action::PauseSweeper,
            Action::SweepNow,
            Action::SweeperSettings,
            Action::ShowItems,
            Action::Quit,
        ]),
        Focus::Query => plain(&[
            Action::Execute,
            Action::AsJson,
            Action::Save,
            Action::SavedQueries,
            Action::Older,
            Action::Undo,
            Action::Back,
        ]),
        Focus::Results => plain(&[
            Action::Open,
            Action::ColumnsLeft,
            Action::ColumnsRight,
            Action::Edit,
            Action::Execute,
            Action::Back,
        ]),
        Focus::Timeline => plain(&[
            Action::Earlier,
            Action::Later,
            Action::Nearer,
            Action::Farther,
            Action::Scope,
            Action::Open,
            Action::ShowItems,
            Action::Quit,
        ]),
        Focus::Shell => plain(&[
            Action::Run,
            Action::NewLine,
            Action::Complete,
            Action::SearchHistory,
            Action::PageUp,
            Action::Empty,
            Action::Back,
        ]),
        Focus::Console => plain(&[Action::Up, Action::Down, Action::Filter, Action::Clear, Action::Back]),
    }
    .into_iter()
    .filter(|(action, _)| *action != Action::ShowItems || model.tab != Tab::Items)
    .collect()
}
