//! The Shell tab: what was printed, and below it what is being typed.

use ratatui::buffer::Buffer;

use crate::app::shell::LineKind;
use crate::app::{Focus, Layout, Model, Target, text};
use crate::shell::Kind;

use super::theme::Theme;
use super::{Drawn, editor, put, ruled_title};

pub fn draw(model: &Model, theme: &Theme, layout: &Layout, buffer: &mut Buffer, drawn: &mut Drawn) {
    let focused = model.focus == Focus::Shell;
    let (output, title, input) = layout.shell(&model.shell);
    drawn.hit(output, Target::ShellPane);
    let width = usize::from(output.width.saturating_sub(4));
    let lines = model.shell.visible(usize::from(output.height));
    let rows: Vec<(LineKind, bool, String)> = lines
        .flat_map(|(kind, line)| text::wrap(line, width).into_iter().enumerate().map(|(at, row)| (*kind, at == 0, row)))
        .collect();
    let shown = &rows[rows.len().saturating_sub(usize::from(output.height))..];
    let first = output.bottom().saturating_sub(shown.len() as u16);
    for (y, (kind, starts, line)) in (first..output.bottom()).zip(shown) {
        let (mark, style) = match kind {
            LineKind::Input => ("> ", theme.accent),
            LineKind::Printed(Kind::Answer) => ("  ", theme.text),
            LineKind::Printed(Kind::Error) => ("✗ ", theme.error),
            LineKind::Printed(Kind::Note) => ("  ", theme.dim),
        };
        put(buffer, output.x + 1, y, 2, if *starts { mark } else { "" }, theme.dim);
        put(buffer, output.x + 3, y, output.width.saturating_sub(4), line, style);
    }
    let state = if model.shell.running { "  · running" } else { "" };
    let words = format!("{}{state}", model.shell.session.database);
    ruled_title(buffer, title, &words, if focused { theme.title_focused } else { theme.title }, theme.border);
    drawn.hit(input, Target::ShellInput(0, 0));
    let cursor = editor::draw(buffer, input, &model.shell.input, theme, focused, None);
    if focused {
        drawn.cursor = cursor;
    }
    let words = "Enter runs, Alt-Enter makes a line, Tab completes, ↑ and ^R go through what was typed; help lists the statements";
    super::items::why(theme, layout, words, buffer);
}
