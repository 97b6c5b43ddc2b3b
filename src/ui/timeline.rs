//! The Timeline tab: a bar for every step of time, and the items of the step under the cursor.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::countdown::Falling;
use crate::app::timeline::LISTED;
use crate::app::{Focus, Layout, Model, Target, text};
use crate::domain::words;
use crate::engine::{Scope, Span, Timeline};

use super::chart::{self, Columns, INHERITED, NUMBERS, OWN};
use super::countdown::{falling, scope_name};
use super::theme::Theme;
use super::{Drawn, light_up, put, put_right};

pub fn draw(model: &Model, theme: &Theme, layout: &Layout, buffer: &mut Buffer, drawn: &mut Drawn) {
    let area = layout.list;
    let focused = model.focus == Focus::Timeline;
    drawn.hit(area, Target::TimelinePane);
    let Some(shown) = &model.timeline.shown else {
        let words = match model.timeline.running {
            Some(read) if read > 0 => format!("Counting: {} entries of the index so far.", words::count(read)),
            _ => "Counting.".to_owned(),
        };
        put(buffer, area.x + 2, area.y + 2, area.width.saturating_sub(3), &words, theme.dim);
        return;
    };
    head(model, shown, theme, Rect { height: 1, ..area }, focused, buffer);
    let bars = (area.height.saturating_sub(5) / 2).clamp(2, 12);
    let chart = Rect { y: area.y + 1, height: bars.min(area.height.saturating_sub(3)), ..area };
    let columns = Columns::of(shown, chart, model.timeline.cursor());
    chart_of(shown, &columns, theme, chart, buffer, drawn);
    chart::axis(
        shown,
        &columns,
        Some(model.timeline.cursor()),
        theme,
        Rect { y: chart.bottom(), height: 2, ..area },
        buffer,
    );
    let y = chart.bottom() + 2;
    list(model, theme, Rect { y, height: area.bottom().saturating_sub(y), ..area }, focused, buffer, drawn);
    super::items::why(theme, layout, &sentence(model), buffer);
}

/// `the next hour: 12 · later 88 · never 14 · overdue 3`, and the scope.
fn head(model: &Model, shown: &Timeline, theme: &Theme, line: Rect, focused: bool, buffer: &mut Buffer) {
    let lower = if shown.more { ">" } else { "" };
    let mut numbers = vec![(shown.span.words(), format!("{lower}{}", words::count(shown.counted())))];
    let later = shown.later.map_or("?".to_owned(), words::count);
    numbers.extend([("later", later), ("never", words::count(shown.never))]);
    if shown.overdue.all() > 0 {
        numbers.push(("overdue", format!("{lower}{}", words::count(shown.overdue.all()))));
    }
    let mut x = line.x + 1;
    for (at, (name, value)) in numbers.into_iter().enumerate() {
        let style = if at == 0 && focused { theme.title_focused } else { theme.dim };
        x = put(buffer, x, line.y, line.right().saturating_sub(x), name, style) + 1;
        x = put(buffer, x, line.y, line.right().saturating_sub(x), &value, theme.strong) + 3;
    }
    let legend =
        [("own ttl ", theme.dim), (OWN, theme.bar_own), ("  container ", theme.dim), (INHERITED, theme.bar_inherit)];
    let scope = scope_name(model, model.timeline.scope);
    let width = legend.iter().map(|(words, _)| text::width(words)).sum::<usize>() + text::width(&scope) + 4;
    if usize::from(line.right().saturating_sub(x)) >= width {
        let mut x = line.right() - width as u16;
        for (words, style) in legend {
            x = put(buffer, x, line.y, line.right() - x, words, style);
        }
    }
    if x < line.right() {
        put_right(buffer, Rect { x, width: line.right() - x - 1, ..line }, &scope, theme.dim);
    }
}

fn chart_of(shown: &Timeline, columns: &Columns, theme: &Theme, area: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    let most = chart::most(shown);
    put_right(buffer, Rect { width: NUMBERS - 1, height: 1, ..area }, &chart::short(most), theme.dim);
    if most == 0 {
        let (x, y) = (columns.x + 1, area.y + area.height / 2);
        put(buffer, x, y, area.right().saturating_sub(x), &nothing(shown), theme.dim);
    }
    for bucket in columns.first..columns.first + columns.shown {
        if let Some(x) = columns.place(bucket) {
            drawn.hit(Rect { x, width: columns.width, ..area }, Target::Bucket(bucket));
        }
    }
    chart::bars(shown, columns, most, theme, area, buffer);
}

fn nothing(shown: &Timeline) -> String {
    let expires = format!("Nothing expires in {}.", shown.span.words());
    match (shown.later, shown.span) {
        (Some(0), _) | (_, Span::NinetyDays) => expires,
        _ => format!("{expires} Press - to look farther."),
    }
}

fn list(model: &Model, theme: &Theme, area: Rect, focused: bool, buffer: &mut Buffer, drawn: &mut Drawn) {
    let Some((start, end)) = model.timeline.stretch() else { return };
    let Some(bucket) = model.timeline.bucket() else { return };
    let title = format!("{} – {}", words::instant(start, model.now), words::instant(end, model.now));
    super::ruled_title(buffer, Rect { height: 1, ..area }, &title, theme.title, theme.border);
    let height = usize::from(area.height.saturating_sub(1));
    let rows = &model.timeline.rows;
    if rows.is_empty() {
        let words = if bucket.all() == 0 { "Nothing expires in this step." } else { "" };
        put(buffer, area.x + 2, area.y + 1, area.width.saturating_sub(3), words, theme.dim);
        return;
    }
    let rest = (bucket.all() as usize).saturating_sub(LISTED);
    let height = if rest > 0 { height.saturating_sub(1) } else { height };
    let first = (model.timeline.row + 1).saturating_sub(height);
    for (offset, row) in rows.iter().skip(first).take(height).enumerate() {
        let line = Rect { y: area.y + 1 + offset as u16, height: 1, ..area };
        drawn.hit(line, Target::TimelineRow(first + offset));
        if first + offset == model.timeline.row {
            light_up(buffer, line, focused, theme, drawn);
            put(buffer, line.x, line.y, 1, "▌", theme.accent);
        }
        let row = Falling { item: row.clone(), deleted: None };
        falling(model, model.timeline.scope, theme, &row, line, buffer);
    }
    if rest > 0 && area.height > 0 {
        let words = format!(
            "the first {} of {}; press + to look nearer",
            words::count(LISTED as u64),
            words::count(bucket.all())
        );
        put(buffer, area.x + 2, area.bottom() - 1, area.width.saturating_sub(3), &words, theme.dim);
    }
}

/// What the step under the cursor holds, in words.
fn sentence(model: &Model) -> String {
    let (Some((start, end)), Some(bucket)) = (model.timeline.stretch(), model.timeline.bucket()) else {
        return String::new();
    };
    let noun = match model.timeline.scope {
        Scope::Container(no) => model.noun(no),
        Scope::Everything | Scope::Database(_) => "item",
    };
    let times = format!("{} to {}", words::instant(start, model.now), words::instant(end, model.now));
    match (bucket.all(), bucket.own, bucket.inherited) {
        (0, ..) => format!("{times}: nothing expires"),
        (_, own, 0) => format!("{times}: {} by an end of their own", words::counted(own, noun)),
        (_, 0, inherited) => format!("{times}: {} by the setting of the container", words::counted(inherited, noun)),
        (all, own, inherited) => format!(
            "{times}: {}, {} by an end of their own and {} by the setting of the container",
            words::counted(all, noun),
            words::count(own),
            words::count(inherited)
        ),
    }
}
