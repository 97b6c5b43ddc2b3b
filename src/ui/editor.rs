//! Drawing the editor: line numbers, JSON colours, selection, matches, the place of a fault.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use crate::app::Editor;
use crate::app::editor::Walk;
use crate::domain::{Place, json};

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
        let marks = Marks {
            selected: editor.selected_in(index),
            found: editor.found_in(index),
            fault: fault.filter(|_| at_fault).map(|place| place.column.saturating_sub(1)),
        };
        line(buffer, text_area, left, &lines[index], theme, &marks);
    }
    let x = Walk::to_character(lines.get(row)?, column).column.checked_sub(left)?;
    let (x, y) = (area.x + gutter + u16::try_from(x).ok()?, area.y + u16::try_from(row.checked_sub(top)?).ok()?);
    (focused && area.contains(Position::new(x, y))).then_some(Position::new(x, y))
}

/// What stands out in a line, in characters.
struct Marks {
    selected: Option<Range<usize>>,
    /// In the order of the line.
    found: Vec<Range<usize>>,
    fault: Option<usize>,
}

impl Marks {
    /// The style of a character that has `style` without them.
    fn on(&self, character: usize, style: Style, theme: &Theme) -> Style {
        let mut style = style;
        if self.fault == Some(character) {
            style = style.patch(theme.fault);
        }
        let next = self.found.partition_point(|found| found.end <= character);
        if self.found.get(next).is_some_and(|found| found.contains(&character)) {
            style = style.patch(theme.found);
        }
        if self.selected.as_ref().is_some_and(|selected| selected.contains(&character)) {
            style = style.patch(theme.selected_text);
        }
        style
    }
}

/// One line from column `left` on; what stands to the right of the area is not looked at.
fn line(buffer: &mut Buffer, area: Rect, left: usize, line: &str, theme: &Theme, marks: &Marks) {
    let right = left + usize::from(area.width);
    let mut tokens = Tokens { line, at: 0 };
    let mut token = (0, Kind::Blank);
    let mut walk = Walk::to_column(line, left);
    if walk.column < left {
        // The left half of a wide character is off the screen, so the right one is left blank.
        walk.step();
    }
    while let Some((grapheme, width)) = walk.ahead()
        && walk.column + width <= right
    {
        while token.0 <= walk.byte {
            let Some(next) = tokens.next() else { break };
            token = next;
        }
        let style = marks.on(walk.character, token.1.style(theme), theme);
        let x = area.x + (walk.column - left) as u16;
        buffer.set_stringn(x, area.y, text::visible(grapheme), width, style);
        walk.step();
    }
    // Behind the last character stand the end of the line, which can be selected, and faults like a missing bracket.
    if walk.ahead().is_none() && (left..right).contains(&walk.column) {
        let cell = Rect { x: area.x + (walk.column - left) as u16, width: 1, ..area };
        buffer.set_style(cell, marks.on(walk.character, Style::new(), theme));
    }
}

/// A line of JSON that is only looked at.
pub fn plain_line(buffer: &mut Buffer, area: Rect, text: &str, theme: &Theme) {
    line(buffer, area, 0, text, theme, &Marks { selected: None, found: Vec::new(), fault: None });
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
struct Tokens<'a> {
    line: &'a str,
    at: usize,
}

impl Iterator for Tokens<'_> {
    type Item = (usize, Kind);

    fn next(&mut self) -> Option<(usize, Kind)> {
        let (bytes, at) = (self.line.as_bytes(), self.at);
        let (end, kind) = match *bytes.get(at)? {
            b'"' => {
                let end = json::string_end(bytes, at);
                let rest = self.line.get(end..).unwrap_or("").trim_start();
                (end, if rest.starts_with(':') { Kind::Name } else { Kind::String })
            }
            b'-' | b'0'..=b'9' => {
                (run(bytes, at, |b| matches!(b, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9')), Kind::Number)
            }
            b'a'..=b'z' | b'A'..=b'Z' => (run(bytes, at, |b| b.is_ascii_alphanumeric()), Kind::Word),
            b'{' | b'}' | b'[' | b']' | b':' | b',' => (at + 1, Kind::Sign),
            _ => (at + 1, Kind::Blank),
        };
        self.at = end;
        Some((end, kind))
    }
}

fn run(bytes: &[u8], from: usize, of: impl Fn(u8) -> bool) -> usize {
    bytes[from..].iter().position(|b| !of(*b)).map_or(bytes.len(), |n| from + n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
    use std::time::{Duration, Instant};

    fn shown(editor: &mut Editor, width: u16, height: u16, fault: Option<Place>) -> (Buffer, Option<Position>) {
        let area = Rect::new(0, 0, width, height);
        editor.resize(height, width);
        let mut buffer = Buffer::empty(area);
        let cursor = draw(&mut buffer, area, editor, &Theme::monochrome(), true, fault);
        (buffer, cursor)
    }

    fn words(buffer: &Buffer, y: u16) -> String {
        (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect()
    }

    /// The columns of a line that have this style.
    fn styled(buffer: &Buffer, y: u16, style: Style) -> Vec<u16> {
        (0..buffer.area.width).filter(|x| buffer[(*x, y)].modifier.contains(style.add_modifier)).collect()
    }

    fn press(editor: &mut Editor, code: KeyCode, modifiers: KeyModifiers) {
        editor.input(KeyEvent::new(code, modifiers));
    }

    #[test]
    fn a_line_is_told_apart() {
        let line = r#"  "a": -1.5e3, "b\"": true, "#;
        let kinds: Vec<Kind> =
            Tokens { line, at: 0 }.map(|(_, kind)| kind).filter(|kind| *kind != Kind::Blank).collect();
        use Kind::{Name, Number, Sign, Word};
        assert_eq!(kinds, [Name, Sign, Number, Sign, Name, Sign, Word, Sign]);
        assert_eq!(Tokens { line: "\"open\\", at: 0 }.collect::<Vec<_>>(), [(6, Kind::String)]);
    }

    #[test]
    fn wide_and_hostile_characters_keep_their_columns() {
        let mut editor = Editor::new("\"日本\u{202e}x\": 1");
        let (buffer, _) = shown(&mut editor, 20, 1, None);
        assert_eq!(words(&buffer, 0), " 1 \"日 本 ▯x\": 1      ");
        press(&mut editor, KeyCode::End, KeyModifiers::NONE);
        let (_, cursor) = shown(&mut editor, 20, 1, None);
        assert_eq!(cursor, Some(Position::new(14, 0)));
    }

    #[test]
    fn half_a_wide_character_at_the_edge_is_a_blank() {
        let mut editor = Editor::new(&"日".repeat(40));
        press(&mut editor, KeyCode::End, KeyModifiers::NONE);
        for width in 12..16 {
            let (buffer, cursor) = shown(&mut editor, width, 1, None);
            let (_, left) = editor.scrolled();
            let text = words(&buffer, 0);
            assert!(text[3..].starts_with(if left % 2 == 1 { " 日" } else { "日" }), "{text:?}");
            assert_eq!(cursor.map(|cursor| usize::from(cursor.x)), Some(3 + 80 - left));
        }
    }

    #[test]
    fn selection_matches_and_faults_are_seen_where_they_are() {
        let mut editor = Editor::new("日ab\n\nab");
        editor.search("b", true);
        let (buffer, _) = shown(&mut editor, 12, 3, Some(Place { line: 2, column: 1 }));
        let theme = Theme::monochrome();
        assert_eq!([0, 1, 2].map(|y| styled(&buffer, y, theme.found)), [vec![6], vec![0, 1, 3], vec![4]]);
        assert!(words(&buffer, 1).starts_with("!2 "));
        editor.go_to(Place { line: 1, column: 2 });
        press(&mut editor, KeyCode::Down, KeyModifiers::SHIFT);
        press(&mut editor, KeyCode::Down, KeyModifiers::SHIFT);
        let (buffer, _) = shown(&mut editor, 12, 3, None);
        // The ends of the lines are selected too.
        assert_eq!([0, 1, 2].map(|y| styled(&buffer, y, theme.selected_text)), [vec![5, 6, 7], vec![3], vec![3, 4]]);
    }

    /// A document of one long line, far to the right, with thousands of matches: only what is shown costs anything.
    #[test]
    fn a_long_line_is_drawn_at_once() {
        let text = format!("{{{}\"é\": 1}}", "\"name\": \"value\", ".repeat(100_000));
        let mut editor = Editor::new(&text);
        editor.search("a", true);
        press(&mut editor, KeyCode::End, KeyModifiers::NONE);
        let started = Instant::now();
        let (buffer, cursor) = shown(&mut editor, 80, 24, None);
        assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
        assert!(words(&buffer, 0).contains("\"name\": \"value\", \"é\": 1}"));
        assert!(cursor.is_some());
    }
}
