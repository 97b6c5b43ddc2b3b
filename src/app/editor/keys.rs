//! The editor's own keys: movement, selection, deletion, what a new line looks like.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_textarea::TextArea;

use super::columns::{before, behind};
use super::cursor::{Motion, at};
use super::history::Change;
use super::{Editor, INDENT};

impl Editor {
    /// A key that is no command of the explorer.
    pub fn input(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        let shift = key.modifiers.contains(KeyModifiers::SHIFT);
        match (key.code, control, alt) {
            (KeyCode::Left, false, false) => self.step(Motion::Left, shift),
            (KeyCode::Right, false, false) => self.step(Motion::Right, shift),
            (KeyCode::Left, ..) => self.step(Motion::WordLeft, shift),
            (KeyCode::Right, ..) => self.step(Motion::WordRight, shift),
            (KeyCode::Up, _, _) => self.step(Motion::Lines(-1), shift),
            (KeyCode::Down, _, _) => self.step(Motion::Lines(1), shift),
            (KeyCode::Home, true, _) => self.step(Motion::Start, shift),
            (KeyCode::End, true, _) => self.step(Motion::End, shift),
            (KeyCode::Home, ..) | (KeyCode::Char('a'), true, false) => self.step(Motion::LineStart, shift),
            (KeyCode::End, ..) | (KeyCode::Char('e'), true, false) => self.step(Motion::LineEnd, shift),
            (KeyCode::PageUp, ..) => self.page(false, shift),
            (KeyCode::PageDown, ..) => self.page(true, shift),
            (KeyCode::Enter, ..) => self.new_line(),
            (KeyCode::Tab, ..) => self.indent(),
            (KeyCode::Backspace, false, false) => self.rub_out(),
            (KeyCode::Backspace, ..) | (KeyCode::Char('w'), true, false) => self.edit(TextArea::delete_word),
            (KeyCode::Delete, ..) | (KeyCode::Char('d'), true, false) => self.delete_behind(),
            (KeyCode::Char('k'), true, false) => self.edit(TextArea::delete_line_by_end),
            (KeyCode::Char('a'), false, true) => self.select_all(),
            (KeyCode::Char('w'), false, true) => self.copy(),
            (KeyCode::Char('x'), false, true) => {
                self.copy();
                self.edit(TextArea::cut);
            }
            (KeyCode::Char('v'), true, false) | (KeyCode::Char('v'), false, true) => {
                let text = self.clipboard.clone();
                self.insert(&text, Change::Other);
            }
            (KeyCode::Char(c), false, false) => {
                self.insert(c.encode_utf8(&mut [0; 4]), Change::Typed(c));
            }
            _ => {}
        }
    }

    /// A new line, indented like this one, deeper behind an opening bracket.
    fn new_line(&mut self) {
        let (row, column) = self.position();
        let before: String = self.line(row).chars().take(column).collect();
        let indent: String = before.chars().take_while(|c| *c == ' ').collect();
        let deeper = if before.trim_end().ends_with(['{', '[']) { INDENT } else { "" };
        self.insert(&format!("\n{indent}{deeper}"), Change::Other);
    }

    /// Moves the selected lines one level to the right; without a selection over lines, the rest of this line.
    fn indent(&mut self) {
        let Some((from, to)) = self.selection().filter(|(from, to)| from.0 < to.0) else {
            self.insert(INDENT, Change::Other);
            return;
        };
        // A selection that ends before the first character of a line does not mean that line.
        let last = if to.1 == 0 { to.0 - 1 } else { to.0 };
        let lines = self.lines().get(from.0..=last).unwrap_or_default();
        let deeper = |line: &String| if line.is_empty() { String::new() } else { format!("{INDENT}{line}") };
        let text = lines.iter().map(deeper).collect::<Vec<_>>().join("\n");
        self.select((from.0, 0), (last, usize::MAX));
        self.insert(&text, Change::Other);
        self.select((from.0, 0), (last, usize::MAX));
    }

    /// Deletes the selection, or the whole grapheme before the cursor.
    fn rub_out(&mut self) {
        let (row, column) = self.position();
        let line = self.line(row);
        let rubbed = line.chars().nth(column.wrapping_sub(1));
        let start = before(line, column);
        match rubbed {
            Some(c) if self.selection().is_none() => self.edit_as(Change::Rubbed(c), |area| {
                area.move_cursor(at(row, start));
                area.delete_str(column - start)
            }),
            _ => self.edit(TextArea::delete_char),
        }
    }

    /// Deletes the selection, or the whole grapheme behind the cursor.
    fn delete_behind(&mut self) {
        let (row, column) = self.position();
        let line = self.line(row);
        let length = behind(line, column).saturating_sub(column);
        if length > 1 {
            self.edit(|area| area.delete_str(length));
        } else {
            self.edit(TextArea::delete_next_char);
        }
    }
}
