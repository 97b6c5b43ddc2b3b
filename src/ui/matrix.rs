//! The vendor's table: the container's setting down, the item's `ttl` across.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::matrix::Matrix;
use crate::app::{Model, Target, text};

use super::theme::Theme;
use super::{Drawn, overlay, put};

/// The width of the headings of the rows.
const HEADING: u16 = 20;
/// The width of a cell.
const CELL: u16 = 17;

pub fn draw(model: &Model, matrix: &Matrix, theme: &Theme, screen: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    let width = (HEADING + 3 * CELL + 5).min(screen.width);
    let why = text::wrap(&matrix.why(model.now), usize::from(width.saturating_sub(4)));
    let height = (12 + why.len() as u16).min(screen.height);
    let area =
        Rect { x: screen.x + (screen.width - width) / 2, y: screen.y + (screen.height - height) / 3, width, height };
    drawn.hit(screen, Target::Dialog);
    overlay(buffer, area, "When an item expires", theme);
    let foot = " ←↑↓→ cell · Enter try it · any other key closes ";
    put(buffer, area.x + 2, area.bottom() - 1, area.width.saturating_sub(4), foot, theme.dim);
    let inner = Rect { x: area.x + 2, y: area.y + 1, width: area.width.saturating_sub(4), height: area.height - 2 };
    let column_at = |column: usize| inner.x + HEADING + CELL * column as u16;
    put(buffer, inner.x, inner.y, HEADING, "container", theme.dim);
    for column in 0..matrix.items.len() {
        put(buffer, column_at(column), inner.y, CELL, &format!("item: {}", matrix.item_words(column)), theme.dim);
    }
    for row in 0..matrix.defaults.len() {
        let y = inner.y + 2 + 2 * row as u16;
        put(buffer, inner.x, y, HEADING - 1, &matrix.default_words(row), theme.text);
        for column in 0..matrix.items.len() {
            let here = matrix.cursor == (row, column);
            let mark = if matrix.of_item == Some((row, column)) { "● " } else { "  " };
            let words = matrix.cell(row, column);
            let style = if words == "never" { theme.dim } else { theme.strong };
            let place = Rect { x: column_at(column).saturating_sub(2), y, width: CELL - 1, height: 1 };
            put(buffer, place.x, y, place.width, &format!("{mark}{words}"), style);
            drawn.hit(place, Target::Cell(row, column));
            if here {
                buffer.set_style(place, theme.selection);
                drawn.cursor = Some((place.x, place.y).into());
            }
        }
    }
    let mut y = inner.y + 8;
    if matrix.of_item.is_some() {
        put(buffer, inner.x, y, inner.width, "● the item under the cursor of the list", theme.dim);
    }
    y += 1;
    for line in why {
        if y < inner.bottom() {
            put(buffer, inner.x, y, inner.width, &line, theme.why);
        }
        y += 1;
    }
}
