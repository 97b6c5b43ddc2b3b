//! Pixels: reads the model, changes nothing, and says where things stand for the mouse.

mod bar;
mod chart;
mod console;
mod countdown;
mod dialog;
pub mod editor;
mod expiration;
pub mod field;
mod filter;
mod footer;
mod header;
mod help;
mod items;
mod matrix;
mod pane;
mod query;
mod settings;
mod shell;
mod tabs;
pub mod theme;
mod timeline;
mod tree;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Widget};

use crate::app::{Model, SMALLEST, Tab, Target, text};

pub use theme::Theme;

/// What drawing found out.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// Where the terminal's cursor belongs.
    pub cursor: Option<Position>,
    /// What stands where; later ones lie on top.
    pub hits: Vec<(Rect, Target)>,
}

impl Drawn {
    /// What stands at a cell.
    pub fn target(&self, column: u16, row: u16) -> Option<(Rect, Target)> {
        self.hits.iter().rev().find(|(area, _)| area.contains(Position::new(column, row))).copied()
    }

    fn hit(&mut self, area: Rect, target: Target) {
        self.hits.push((area, target));
    }
}

/// Draws the model.
pub fn draw(model: &Model, theme: &Theme, buffer: &mut Buffer) -> Drawn {
    let mut drawn = Drawn::default();
    let (width, height) = model.size;
    let area = buffer.area.intersection(Rect::new(0, 0, width, height));
    buffer.set_style(buffer.area, theme.text);
    if area.width < width || area.height < height {
        // The terminal shrank a moment ago: the message that says so is on its way, and the next frame fits.
        return drawn;
    }
    if width < SMALLEST.0 || height < SMALLEST.1 {
        let text =
            format!("ttl-explorer needs {} × {} cells; this terminal has {width} × {height}.", SMALLEST.0, SMALLEST.1);
        for (line, words) in
            text::wrap(&text, usize::from(area.width)).iter().take(usize::from(area.height)).enumerate()
        {
            put(buffer, area.x, area.y + line as u16, area.width, words, theme.text);
        }
        return drawn;
    }
    let layout = model.layout();
    header::draw(model, theme, &layout, buffer);
    if layout.body.width > 0 {
        tabs::draw(model, theme, &layout, buffer, &mut drawn);
        match model.tab {
            Tab::Items => {
                filter::draw(model, theme, &layout, buffer, &mut drawn);
                items::draw(model, theme, &layout, buffer, &mut drawn);
                pane::draw(model, theme, &layout, buffer, &mut drawn);
            }
            Tab::Settings => settings::draw(model, theme, &layout, buffer, &mut drawn),
            Tab::Countdown => countdown::draw(model, theme, &layout, buffer, &mut drawn),
            Tab::Shell => shell::draw(model, theme, &layout, buffer, &mut drawn),
            Tab::Query => query::draw(model, theme, &layout, buffer, &mut drawn),
            Tab::Timeline => timeline::draw(model, theme, &layout, buffer, &mut drawn),
        }
    }
    if layout.tree.width > 0 {
        tree::draw(model, theme, &layout, buffer, &mut drawn);
    }
    console::draw(model, theme, &layout, buffer, &mut drawn);
    footer::draw(model, theme, &layout, buffer, &mut drawn);
    for (level, dialog) in model.dialogs.iter().enumerate() {
        if level + 1 == model.dialogs.len() {
            dialog::draw(dialog, theme, area, buffer, &mut drawn);
        }
    }
    if let Some(matrix) = &model.matrix {
        matrix::draw(model, matrix, theme, area, buffer, &mut drawn);
    }
    if let Some(scrolled) = model.help {
        drawn.cursor = None;
        help::draw(model, theme, scrolled, area, buffer);
    }
    drawn
}

/// Writes text that may come from data, cut to its place. Returns the column behind it.
fn put(buffer: &mut Buffer, x: u16, y: u16, width: u16, words: &str, style: Style) -> u16 {
    if width == 0 || y >= buffer.area.bottom() {
        return x;
    }
    let cut = text::fit(words, usize::from(width));
    buffer.set_stringn(x, y, &cut, usize::from(width), style).0
}

/// Writes text so that it ends at the right edge of its place.
fn put_right(buffer: &mut Buffer, area: Rect, words: &str, style: Style) {
    let cut = text::fit(words, usize::from(area.width));
    let width = text::width(&cut) as u16;
    buffer.set_stringn(area.right().saturating_sub(width), area.y, &cut, usize::from(area.width), style);
}

/// Empties a place.
fn clear(buffer: &mut Buffer, area: Rect, style: Style) {
    for y in area.top()..area.bottom() {
        for x in area.left()..area.right() {
            if let Some(cell) = buffer.cell_mut((x, y)) {
                cell.reset();
                cell.set_style(style);
            }
        }
    }
}

/// The frame of something that lies over the panes: empty, with its title.
fn overlay(buffer: &mut Buffer, area: Rect, title: &str, theme: &Theme) {
    clear(buffer, area, theme.text);
    Block::bordered().border_type(BorderType::Rounded).border_style(theme.accent).render(area, buffer);
    put(buffer, area.x + 2, area.y, area.width - 4, &format!(" {title} "), theme.title_focused);
}

/// Lights the row under a cursor up; where the keys go to it, the terminal's cursor goes too.
fn light_up(buffer: &mut Buffer, line: Rect, focused: bool, theme: &Theme, drawn: &mut Drawn) {
    buffer.set_style(line, if focused { theme.selection } else { theme.selection_unfocused });
    if focused {
        drawn.cursor = Some(Position::new(line.x, line.y));
    }
}

/// A title with a line behind it: `─ s-0002 ──────`.
fn ruled_title(buffer: &mut Buffer, area: Rect, title: &str, style: Style, rule: Style) {
    Line::styled("─".repeat(usize::from(area.width)), rule).render(area, buffer);
    let end = put(buffer, area.x + 2, area.y, area.width.saturating_sub(4), &format!(" {title} "), style);
    debug_assert!(end <= area.right());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The width that the model counts with is the one that the terminal library draws with, for every character
    /// that Unicode has given a meaning.
    #[test]
    fn widths_are_those_of_the_screen() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 12, 1));
        for c in (0..0x3_2000).chain(0xE_0000..0xE_1000).filter_map(char::from_u32) {
            let words = format!("a{c}b");
            let end = put(&mut buffer, 0, 0, 12, &words, Style::default());
            assert_eq!(usize::from(end), text::width(&words), "{c:?}");
        }
    }
}
