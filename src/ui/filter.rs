//! The filter above the list of items: the line to type into, and what it found or what is wrong with it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::filter::FilterBar;
use crate::app::{Action, Context, Focus, Layout, Model, Target, text};
use crate::domain::words;

use super::theme::Theme;
use super::{Drawn, field, put};

pub fn draw(model: &Model, theme: &Theme, layout: &Layout, buffer: &mut Buffer, drawn: &mut Drawn) {
    let area = layout.filter;
    if area.height == 0 {
        return;
    }
    drawn.hit(area, Target::Filter);
    let focused = model.focus == Focus::Filter;
    let style = if focused { theme.title_focused } else { theme.dim };
    let prefix = model.open_container().map(|container| FilterBar::prefix(container)).unwrap_or_default();
    let x = put(buffer, area.x + 1, area.y, area.width.saturating_sub(2), &prefix, style);
    let line = Rect { x: x + 1, width: area.right().saturating_sub(x + 2), height: 1, ..area };
    let bar = model.filter.field.clone().with_placeholder(FilterBar::placeholder(model.api()));
    let cursor = field::draw(buffer, line, &bar, theme, focused);
    if focused {
        drawn.cursor = cursor;
    }
    if area.height < 2 {
        return;
    }
    let room = usize::from(area.width.saturating_sub(2));
    let (words, style) = match (&model.filter.running, &model.filter.error, model.filter.found) {
        (Some((_, read)), ..) => {
            let back = key(model, Context::Filter, Action::Back);
            (format!("reading · {} so far · {back} gives up", words::count(*read)), theme.text)
        }
        (None, Some(refusal), _) => {
            let place = refusal.place.map_or(String::new(), |place| format!("column {}: ", place.column));
            let whole = format!("{place}{}", refusal.in_full());
            // Where it is too long, the way out says more than what is wrong; the console has all of it.
            let words = match &refusal.hint {
                Some(hint) if text::width(&whole) > room => format!("{place}{hint}"),
                _ => whole,
            };
            (words, theme.error)
        }
        (None, None, Some(found)) => {
            let noun = model.container.map_or("item", |no| model.noun(no));
            let refresh = key(model, Context::Items, Action::Refresh);
            let changed =
                if model.filter.changed { format!(" · changed since, {refresh} reads again") } else { String::new() };
            (format!("{}{changed}", found.words(noun)), theme.dim)
        }
        (None, None, None) => {
            let apply = key(model, Context::Filter, Action::Apply);
            (format!("{apply} applies it; an empty one shows everything"), theme.dim)
        }
    };
    put(buffer, area.x + 1, area.y + 1, area.width.saturating_sub(2), &text::fit(&words, room), style);
}

fn key(model: &Model, context: Context, action: Action) -> String {
    model.keymap.key(context, context == Context::Filter, action).map_or(String::new(), |key| key.to_string())
}
