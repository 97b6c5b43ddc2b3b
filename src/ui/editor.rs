//! Drawing the editor: line numbers, JSON colours, selection, matches, the place of a fault.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;

use crate::app::Editor;
use crate::app::editor::column_of;
use crate::domain::Place;

use crate::app::text;

use super::theme::Theme;
use super::{put, put_right};

/// Draws the lines on the screen, and only those. Returns where the terminal's cursor belongs.
pub fn draw(
    buffer: &mut Buffer,
    area: Rect,
    editor: &Editor,
    theme: &Theme,
    focused: bool,
    fault: Option<Place>,
) -> Option<Position> {
    let gutter = editor.gutter();
    if area.width <= gutter || area.height == 0 {
        return None;
    }
    let (top, left) = editor.scrolled();
    let (row, column) = editor.position();
    let lines = editor.lines();
    for (y, index) in (area.top()..area.bottom()).zip(top..lines.len()) {
        let number = Rect { x: area.x, y, width: gutter - 1, height: 1 };
        let at_fault = fault.is_some_and(|place| place.line == index + 1);
        let style = match (at_fault, focused && index == row) {
            (true, _) => theme.error,
            (false, true) => theme.accent,
            (false, false) => theme.dim,
        };
        put_right(buffer, number, &(index + 1).to_string(), style);
        if at_fault {
            put(buffer, area.x, y, 1, "!", theme.error);
        }
        let text_area = Rect { x: area.x + gutter, y, width: area.width - gutter, height: 1 };
        let fault_column = fault.filter(|_| at_fault).map(|place| place.column.saturating_sub(1));
        line(buffer, text_area, left, &lines[index], theme, |character| {
            if editor.selected_in(index).is_some_and(|selected| selected.contains(&character)) {
                Some(theme.selected_text)
            } else if fault_column == Some(character) {
                Some(theme.fault)
            } else {
                None
            }
        });
        for found in editor.found_in(index) {
            let (from, to) = (column_of(&lines[index], found.start), column_of(&lines[index], found.end));
            for at in from.max(left)..to.min(left + usize::from(text_area.width)) {
                if let Some(cell) = buffer.cell_mut((text_area.x + (at - left) as u16, y)) {
                    cell.set_style(theme.found);
                }
            }
        }
    }
    let line = lines.get(row)?;
    let x = column_of(line, column).checked_sub(left)?;
    let (x, y) = (area.x + gutter + u16::try_from(x).ok()?, area.y + u16::try_from(row.checked_sub(top)?).ok()?);
    (focused && area.contains(Position::new(x, y))).then_some(Position::new(x, y))
}

/// One line from column `left` on. `mark` gives the style that overrides the colours of a character.
fn line(
    buffer: &mut Buffer,
    area: Rect,
    left: usize,
    line: &str,
    theme: &Theme,
    mark: impl Fn(usize) -> Option<Style>,
) {
    let tokens = tokens(line);
    let mut token = 0;
    let mut column = 0;
    let mut character = 0;
    for (at, grapheme) in line.grapheme_indices(true) {
        let width = text::width(grapheme);
        if column + width > left + usize::from(area.width) {
            break;
        }
        if column >= left {
            while tokens.get(token).is_some_and(|(end, _)| *end <= at) {
                token += 1;
            }
            let style = tokens.get(token).map_or(theme.text, |(_, kind)| kind.style(theme));
            let style = mark(character).map_or(style, |mark| style.patch(mark));
            buffer.set_stringn(area.x + (column - left) as u16, area.y, text::visible(grapheme), width.max(1), style);
        }
        column += width;
        character += grapheme.chars().count();
    }
}

/// What a part of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Name,
    String,
    Number,
    Word,
    Sign,
    Blank,
}

impl Kind {
    fn style(self, theme: &Theme) -> Style {
        match self {
            Kind::Name => theme.json_name,
            Kind::String => theme.json_string,
            Kind::Number => theme.json_number,
            Kind::Word => theme.json_word,
            Kind::Sign => theme.json_sign,
            Kind::Blank => theme.text,
        }
    }
}

/// The parts of a line, each with its end in bytes. A JSON string cannot go over a line, so every line stands alone.
fn tokens(line: &str) -> Vec<(usize, Kind)> {
    let bytes = line.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&first) = bytes.get(at) {
        let (end, kind) = match first {
            b'"' => {
                let end = string_end(bytes, at);
                let rest = line.get(end..).unwrap_or("").trim_start();
                (end, if rest.starts_with(':') { Kind::Name } else { Kind::String })
            }
            b'-' | b'0'..=b'9' => {
                (run(bytes, at, |b| matches!(b, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')), Kind::Number)
            }
            b'a'..=b'z' | b'A'..=b'Z' => (run(bytes, at, |b| b.is_ascii_alphanumeric()), Kind::Word),
            b'{' | b'}' | b'[' | b']' | b':' | b',' => (at + 1, Kind::Sign),
            _ => (at + 1, Kind::Blank),
        };
        tokens.push((end, kind));
        at = end;
    }
    tokens
}

fn run(bytes: &[u8], from: usize, of: impl Fn(u8) -> bool) -> usize {
    bytes[from..].iter().position(|b| !of(*b)).map_or(bytes.len(), |n| from + n)
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_told_apart() {
        let kinds: Vec<Kind> = tokens(r#"  "a": -1.5e3, "b\"": true, "#)
            .into_iter()
            .map(|(_, kind)| kind)
            .filter(|k| *k != Kind::Blank)
            .collect();
        use Kind::{Name, Number, Sign, Word};
        assert_eq!(kinds, [Name, Sign, Number, Sign, Name, Sign, Word, Sign]);
        assert_eq!(tokens("\"open\\"), [(6, Kind::String)]);
    }

    #[test]
    fn wide_and_hostile_characters_keep_their_columns() {
        let mut editor = Editor::new("\"日本\u{202e}x\": 1");
        let area = Rect::new(0, 0, 20, 1);
        editor.resize(area.height, area.width);
        let mut buffer = Buffer::empty(area);
        draw(&mut buffer, area, &editor, &Theme::dark(), true, None);
        let shown: String = (0..20).map(|x| buffer[(x, 0)].symbol()).collect();
        assert_eq!(shown, " 1 \"日 本 ▯x\": 1      ");
        let end = KeyEvent::new(crossterm::event::KeyCode::End, crossterm::event::KeyModifiers::NONE);
        editor.input(end);
        let cursor = draw(&mut buffer, area, &editor, &Theme::dark(), true, None);
        assert_eq!(cursor, Some(Position::new(14, 0)));
    }

    use crossterm::event::KeyEvent;
}
