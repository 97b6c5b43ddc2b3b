//! The Query tab: the text, what came of it in numbers, the rows.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::results::{Form, Results};
use crate::app::{Action, Context, Focus, Layout, Model, Target, text};
use crate::domain::words;
use crate::engine::Api;

use super::theme::Theme;
use super::{Drawn, editor, light_up, put, put_right, ruled_title};

pub fn draw(model: &Model, theme: &Theme, layout: &Layout, buffer: &mut Buffer, drawn: &mut Drawn) {
    let (input, title, rows) = layout.query(&model.query);
    let typing = model.focus == Focus::Query;
    drawn.hit(input, Target::QueryInput(0, 0));
    let fault = model.query.error.as_ref().and_then(|refusal| refusal.place);
    let cursor = editor::draw(buffer, input, &model.query.editor, theme, typing, fault);
    if typing {
        drawn.cursor = cursor;
    }
    let focused = model.focus == Focus::Results;
    let (words, style) = match (model.query.running, &model.query.error, &model.query.results) {
        (Some(read), ..) => {
            let back = key(model, Context::Query, Action::Back);
            (format!("executing · {} read so far · {back} gives up", words::count(read)), theme.title)
        }
        (None, Some(refusal), _) => {
            let place = refusal.place.map_or(String::new(), |place| format!("{place}: "));
            (format!("{place}{}", refusal.in_full()), theme.error)
        }
        (None, None, Some(results)) => {
            (numbers(model, results), if focused { theme.title_focused } else { theme.title })
        }
        (None, None, None) => {
            let execute = key(model, Context::Query, Action::Execute);
            (format!("{execute} executes it, or the selected part"), theme.dim)
        }
    };
    ruled_title(buffer, title, &text::fit(&words, usize::from(title.width.saturating_sub(6))), style, theme.border);
    drawn.hit(rows, Target::ResultsPane);
    match &model.query.results {
        Some(results) if results.is_empty() => {
            put(buffer, rows.x + 2, rows.y, rows.width.saturating_sub(3), "No document matches.", theme.dim);
        }
        Some(results) if results.form == Form::Json => json(results, theme, rows, focused, buffer, drawn),
        Some(results) => table(results, theme, rows, focused, buffer, drawn),
        None => {}
    }
    let words = match (focused, typing) {
        (true, _) if model.api() == Api::RavenDb => {
            "← and → scroll the columns, Enter shows a row whole; expired documents are in it until a run deletes them"
        }
        (true, _) => "← and → scroll the columns, Enter shows a row whole; expired items are in no answer",
        (_, true) => {
            "F5 or Alt-Enter executes, Alt-j shows the rows as JSON, Alt-↑ brings an older query, Esc goes to the rows"
        }
        _ => "",
    };
    super::items::why(theme, layout, words, buffer);
}

/// `12 rows · 1,204 items read in 3.2 ms`.
fn numbers(model: &Model, results: &Results) -> String {
    let noun = model.container.map_or("item", |no| model.noun(no));
    let first = if results.more { "the first " } else { "" };
    let found = crate::app::filter::found_words(
        &format!("{first}{}", words::counted(results.rows.len() as u64, "row")),
        results.read,
        noun,
        results.way,
        results.took_millis,
    );
    let part = if results.part { "the selected part: " } else { "" };
    format!("{part}{found}")
}

fn table(results: &Results, theme: &Theme, area: Rect, focused: bool, buffer: &mut Buffer, drawn: &mut Drawn) {
    let shown = &results.columns[results.left.min(results.columns.len())..];
    let places = || {
        let mut x = area.x + 2;
        shown.iter().map_while(move |column| {
            let room = area.right().saturating_sub(x + 1);
            let place = Rect { x, width: (column.width as u16).min(room), height: 1, y: area.y };
            x += column.width as u16 + 2;
            (place.width > 0).then_some((column, place))
        })
    };
    for (column, place) in places() {
        put(buffer, place.x, place.y, place.width, &column.name, theme.dim);
    }
    let height = usize::from(area.height.saturating_sub(1));
    for (offset, row) in results.rows.iter().skip(results.top()).take(height).enumerate() {
        let line = Rect { y: area.y + 1 + offset as u16, height: 1, ..area };
        drawn.hit(line, Target::ResultRow(results.top() + offset));
        if results.top() + offset == results.cursor() {
            light_up(buffer, line, focused, theme, drawn);
            put(buffer, line.x, line.y, 1, "▌", theme.accent);
        }
        let base = buffer[(line.x + 1, line.y)].style();
        for (column, place) in places() {
            let place = Rect { y: line.y, ..place };
            match Results::cell(row, &column.name) {
                Some((words, true)) => put_right(buffer, place, &words, base),
                Some((words, false)) => {
                    put(buffer, place.x, place.y, place.width, &words, base);
                }
                None => {}
            }
        }
    }
}

fn json(results: &Results, theme: &Theme, area: Rect, focused: bool, buffer: &mut Buffer, drawn: &mut Drawn) {
    for (offset, line) in results.json().iter().take(usize::from(area.height)).enumerate() {
        let place = Rect { y: area.y + offset as u16, height: 1, ..area };
        drawn.hit(place, Target::ResultRow(results.top() + offset));
        editor::plain_line(buffer, Rect { x: area.x + 2, width: area.width.saturating_sub(3), ..place }, line, theme);
        if results.top() + offset == results.cursor() {
            light_up(buffer, place, focused, theme, drawn);
            put(buffer, place.x, place.y, 1, "▌", theme.accent);
        }
    }
}

fn key(model: &Model, context: Context, action: Action) -> String {
    model.keymap.key(context, true, action).map_or(String::new(), |key| key.to_string())
}
