//! The Timeline tab: a bar for every step of time, and the items of the step under the cursor.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::countdown::Falling;
use crate::app::timeline::LISTED;
use crate::app::{Focus, Layout, Model, Target, text};
use crate::domain::words;
use crate::engine::{Bucket, Scope, Span, Timeline};

use super::countdown::{falling, scope_name};
use super::theme::Theme;
use super::{Drawn, light_up, put, put_right};

/// The column of the numbers beside the bars.
const NUMBERS: u16 = 7;
/// The parts of a cell that a bar can fill from below.
const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const OWN: &str = "█";
const INHERITED: &str = "▒";

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
    axis(shown, &columns, model.timeline.cursor(), theme, Rect { y: chart.bottom(), height: 2, ..area }, buffer);
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

/// Where the bars stand: of a chart that is too narrow for all steps, those around the cursor.
struct Columns {
    first: usize,
    shown: usize,
    width: u16,
    x: u16,
}

impl Columns {
    fn of(shown: &Timeline, area: Rect, cursor: usize) -> Columns {
        let room = usize::from(area.width.saturating_sub(NUMBERS + 1));
        let all = shown.buckets.len().max(1);
        let fit = room.min(all);
        let first = (cursor + 1).saturating_sub(fit);
        Columns { first, shown: fit, width: (room / all).clamp(1, 3) as u16, x: area.x + NUMBERS }
    }

    fn place(&self, bucket: usize) -> Option<u16> {
        let at = bucket.checked_sub(self.first).filter(|at| *at < self.shown)?;
        Some(self.x + at as u16 * self.width)
    }
}

fn chart_of(shown: &Timeline, columns: &Columns, theme: &Theme, area: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    let most = shown.buckets.iter().map(|bucket| bucket.all()).max().unwrap_or(0);
    put_right(buffer, Rect { width: NUMBERS - 1, height: 1, ..area }, &short(most), theme.dim);
    if most == 0 {
        let words = nothing(shown);
        put(
            buffer,
            columns.x + 1,
            area.y + area.height / 2,
            area.right().saturating_sub(columns.x + 1),
            &words,
            theme.dim,
        );
    }
    for bucket in columns.first..columns.first + columns.shown {
        let (Some(x), Some(counted)) = (columns.place(bucket), shown.buckets.get(bucket)) else { continue };
        // One column stays free between wider bars.
        let width = if columns.width > 1 { columns.width - 1 } else { 1 };
        drawn.hit(Rect { x, width: columns.width, ..area }, Target::Bucket(bucket));
        let cells = bar(*counted, most, usize::from(area.height), theme);
        for (row, (cell, style)) in cells.into_iter().enumerate() {
            put(buffer, x, area.bottom() - 1 - row as u16, width, &cell.repeat(usize::from(width)), style);
        }
    }
}

/// The cells of a bar from below: what has a ttl of its own, then what inherits. Something is never drawn as nothing.
fn bar(counted: Bucket, most: u64, height: usize, theme: &Theme) -> Vec<(&'static str, Style)> {
    if counted.all() == 0 || most == 0 {
        return Vec::new();
    }
    let eighths = |n: u64| (n as f64 / most as f64 * height as f64 * 8.0).round() as usize;
    let all = eighths(counted.all()).max(1);
    let mut own = eighths(counted.own) / 8;
    if counted.own > 0 && (own == 0 || counted.inherited == 0) {
        own = if counted.inherited == 0 { height } else { 1 };
    }
    if counted.inherited > 0 && own >= all.div_ceil(8) {
        own = all.div_ceil(8) - 1;
    }
    (0..all.div_ceil(8))
        .map(|row| {
            let filled = (all - row * 8).min(8);
            match (row < own, filled) {
                (true, 8) => (OWN, theme.bar_own),
                (true, filled) => (EIGHTHS[filled], theme.bar_own),
                // A pattern has no lower part: half a cell or more is one.
                (false, 4..) => (INHERITED, theme.bar_inherit),
                (false, filled) => (EIGHTHS[filled], theme.bar_inherit),
            }
        })
        .collect()
}

fn nothing(shown: &Timeline) -> String {
    let expires = format!("Nothing expires in {}.", shown.span.words());
    match (shown.later, shown.span) {
        (Some(0), _) | (_, Span::NinetyDays) => expires,
        _ => format!("{expires} Press - to look farther."),
    }
}

/// The line under the bars with the cursor, and the times below it.
fn axis(shown: &Timeline, columns: &Columns, cursor: usize, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let width = (columns.shown as u16 * columns.width).min(area.right().saturating_sub(columns.x));
    put(buffer, area.x, area.y, NUMBERS - 1, &format!("{:>6}", 0), theme.dim);
    put(buffer, columns.x, area.y, width, &"─".repeat(usize::from(width)), theme.border);
    let marks = if shown.span == Span::NinetyDays { 3 } else { 4 };
    for mark in 0..marks {
        let bucket = shown.buckets.len() * mark / marks;
        let Some(x) = columns.place(bucket) else { continue };
        let away = shown.span.step() * bucket as i64;
        let words = if mark == 0 { "now".to_owned() } else { format!("+{}", words::duration(away.unsigned_abs())) };
        put(buffer, x, area.y, 1, "┬", theme.border);
        put(buffer, x, area.y + 1, area.right().saturating_sub(x), &words, theme.dim);
    }
    if let Some(x) = columns.place(cursor) {
        put(buffer, x, area.y, 1, "▲", theme.accent);
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

/// A number in six columns: `1,204`, `88 k`, `1.2 M`.
fn short(n: u64) -> String {
    match n {
        0..10_000 => words::count(n),
        10_000..1_000_000 => format!("{} k", n / 1_000),
        _ => format!("{:.1} M", n as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_shows_both_kinds_and_never_nothing_for_something() {
        let theme = Theme::dark();
        let cells = |own, inherited, most| -> String {
            bar(Bucket { own, inherited }, most, 4, &theme).into_iter().map(|(cell, _)| cell).collect()
        };
        assert_eq!(cells(0, 0, 9), "");
        assert_eq!(cells(4, 0, 4), "████");
        assert_eq!(cells(0, 4, 4), "▒▒▒▒");
        assert_eq!(cells(2, 2, 4), "██▒▒");
        assert_eq!(cells(1, 0, 1_000_000), "▁");
        assert_eq!(cells(1, 999_999, 1_000_000), "█▒▒▒");
        assert_eq!(cells(999_999, 1, 1_000_000), "███▒");
        assert_eq!(cells(3, 0, 8), "█▄");
    }

    #[test]
    fn numbers_fit_beside_the_bars() {
        for (n, words) in [(0, "0"), (9_999, "9,999"), (10_000, "10 k"), (999_999, "999 k"), (1_234_567, "1.2 M")] {
            assert_eq!(short(n), words);
            assert!(words.len() < usize::from(NUMBERS));
        }
    }
}
