//! Bars of a timeline: how much expires in each step of time.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::domain::words;
use crate::engine::{Bucket, Span, Timeline};

use super::theme::Theme;
use super::{put, put_right};

/// The column of the numbers beside the bars.
pub const NUMBERS: u16 = 7;
/// The parts of a cell that a bar can fill from below.
const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
/// What has an end of its own.
pub const OWN: &str = "█";
/// What follows its container.
pub const INHERITED: &str = "▒";

/// Where the bars stand: of a chart that is too narrow for all steps, those around the cursor.
pub struct Columns {
    /// The first step that is shown.
    pub first: usize,
    /// How many are shown.
    pub shown: usize,
    /// The width of a step.
    pub width: u16,
    /// Where the first one stands.
    pub x: u16,
}

impl Columns {
    pub fn of(shown: &Timeline, area: Rect, cursor: usize) -> Columns {
        let room = usize::from(area.width.saturating_sub(NUMBERS + 1));
        let all = shown.buckets.len().max(1);
        let fit = room.min(all);
        let first = (cursor + 1).saturating_sub(fit);
        Columns { first, shown: fit, width: (room / all).clamp(1, 3) as u16, x: area.x + NUMBERS }
    }

    /// Where a step stands; `None` when it is not shown.
    pub fn place(&self, bucket: usize) -> Option<u16> {
        let at = bucket.checked_sub(self.first).filter(|at| *at < self.shown)?;
        Some(self.x + at as u16 * self.width)
    }
}

/// The number of the highest bar.
pub fn most(shown: &Timeline) -> u64 {
    shown.buckets.iter().map(|bucket| bucket.all()).max().unwrap_or(0)
}

/// The bars, as high as the area for `most`.
pub fn bars(shown: &Timeline, columns: &Columns, most: u64, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    for bucket in columns.first..columns.first + columns.shown {
        let (Some(x), Some(counted)) = (columns.place(bucket), shown.buckets.get(bucket)) else { continue };
        // One column stays free between wider bars.
        let width = if columns.width > 1 { columns.width - 1 } else { 1 };
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

/// The line under the bars with the cursor, and the times below it.
pub fn axis(
    shown: &Timeline,
    columns: &Columns,
    cursor: Option<usize>,
    theme: &Theme,
    area: Rect,
    buffer: &mut Buffer,
) {
    let width = (columns.shown as u16 * columns.width).min(area.right().saturating_sub(columns.x));
    put_right(buffer, Rect { width: NUMBERS - 1, height: 1, ..area }, "0", theme.dim);
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
    if let Some(x) = cursor.and_then(|cursor| columns.place(cursor)) {
        put(buffer, x, area.y, 1, "▲", theme.accent);
    }
}

/// A number in six columns: `1,204`, `88 k`, `1.2 M`.
pub fn short(n: u64) -> String {
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
