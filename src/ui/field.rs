//! Drawing a line of text to type into.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use unicode_segmentation::UnicodeSegmentation;

use crate::app::TextField;

use crate::app::text;

use super::put;
use super::theme::Theme;

/// Draws the field into one line. Returns where the terminal's cursor belongs.
pub fn draw(buffer: &mut Buffer, area: Rect, field: &TextField, theme: &Theme, focused: bool) -> Option<Position> {
    if area.width == 0 {
        return None;
    }
    for x in area.left()..area.right() {
        put(buffer, x, area.y, 1, "_", theme.dim);
    }
    let (before, behind) = field.halves();
    if before.is_empty() && behind.is_empty() {
        put(buffer, area.x, area.y, area.width, field.placeholder(), theme.dim);
        return focused.then_some(Position::new(area.x, area.y));
    }
    let columns = usize::from(area.width);
    // The end before the cursor is what is seen when the text is longer than the field.
    let shown_before = tail(&text::visible(before), columns - 1);
    let (x, _) = buffer.set_stringn(area.x, area.y, &shown_before, columns, theme.text);
    let room = area.right().saturating_sub(x);
    put(buffer, x, area.y, room, behind, theme.text);
    focused.then_some(Position::new(x.min(area.right() - 1), area.y))
}

/// The longest end of the text that fits.
fn tail(text: &str, columns: usize) -> String {
    let mut used = 0;
    let mut start = text.len();
    for (at, grapheme) in text.grapheme_indices(true).rev() {
        used += text::width(grapheme);
        if used > columns {
            break;
        }
        start = at;
    }
    text[start..].to_owned()
}
