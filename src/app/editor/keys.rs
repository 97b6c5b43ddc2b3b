//! The editor's own keys: movement, selection, deletion, what a new line looks like.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_textarea::{CursorMove, TextArea};

use super::{Editor, INDENT, Text};

impl Editor {
    /// A key that is no command of the explorer.
    pub fn input(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        let shift = key.modifiers.contains(KeyModifiers::SHIFT);
        match (key.code, control, alt) {
            (KeyCode::Left, false, false) => self.step(CursorMove::Back, shift),
            (KeyCode::Right, false, false) => self.step(CursorMove::Forward, shift),
            (KeyCode::Left, true, _) => self.step(CursorMove::WordBack, shift),
            (KeyCode::Right, true, _) => self.step(CursorMove::WordForward, shift),
            (KeyCode::Up, _, _) => self.step(CursorMove::Up, shift),
            (KeyCode::Down, _, _) => self.step(CursorMove::Down, shift),
            (KeyCode::Home, true, _) => self.step(CursorMove::Top, shift),
            (KeyCode::End, true, _) => self.step(CursorMove::Bottom, shift),
            (KeyCode::Home, ..) | (KeyCode::Char('a'), true, false) => self.step(CursorMove::Head, shift),
            (KeyCode::End, ..) | (KeyCode::Char('e'), true, false) => self.step(CursorMove::End, shift),
            (KeyCode::PageUp, ..) => self.page(false, shift),
            (KeyCode::PageDown, ..) => self.page(true, shift),
            (KeyCode::Enter, ..) => self.new_line(),
            (KeyCode::Tab, ..) => drop(self.insert(INDENT)),
            (KeyCode::Backspace, false, false) => self.edit(TextArea::delete_char),
            (KeyCode::Backspace, ..) | (KeyCode::Char('w'), true, false) => self.edit(TextArea::delete_word),
            (KeyCode::Delete, ..) | (KeyCode::Char('d'), true, false) => self.edit(TextArea::delete_next_char),
            (KeyCode::Char('k'), true, false) => self.edit(TextArea::delete_line_by_end),
            (KeyCode::Char('a'), false, true) => self.select_all(),
            (KeyCode::Char('w'), false, true) => self.copy(),
            (KeyCode::Char('x'), false, true) => {
                self.copy();
                self.edit(TextArea::cut);
            }
            (KeyCode::Char('v'), true, false) | (KeyCode::Char('v'), false, true) => {
                let text = self.clipboard.clone();
                self.insert(&text);
            }
            (KeyCode::Char(c), false, false) => drop(self.insert(c.encode_utf8(&mut [0; 4]))),
            _ => {}
        }
        self.show_cursor();
    }

    /// A new line, indented like this one, deeper behind an opening bracket.
    fn new_line(&mut self) {
        let (row, column) = self.position();
        let before: String = self.lines().get(row).map_or(String::new(), |line| line.chars().take(column).collect());
        let indent: String = before.chars().take_while(|c| *c == ' ').collect();
        let deeper = if before.trim_end().ends_with(['{', '[']) { INDENT } else { "" };
        self.insert(&format!("\n{indent}{deeper}"));
    }

    fn step(&mut self, to: CursorMove, select: bool) {
        match &mut self.text {
            Text::Edited(area) => {
                if !select {
                    area.cancel_selection();
                } else if !area.is_selecting() {
                    area.start_selection();
                }
                area.move_cursor(to);
            }
            Text::Viewed { lines, row, column } => {
                let length = |row: usize| lines.get(row).map_or(0, |line| line.chars().count());
                let last = lines.len().saturating_sub(1);
                match to {
                    CursorMove::Up => *row = row.saturating_sub(1),
                    CursorMove::Down => *row = (*row + 1).min(last),
                    CursorMove::Back => *column = column.saturating_sub(1),
                    CursorMove::Forward => *column += 1,
                    CursorMove::Head => *column = 0,
                    CursorMove::End => *column = usize::MAX,
                    CursorMove::Top => *row = 0,
                    CursorMove::Bottom => *row = last,
                    _ => {}
                }
                *column = (*column).min(length(*row));
            }
        }
    }

    fn page(&mut self, down: bool, select: bool) {
        for _ in 0..self.height.saturating_sub(1).max(1) {
            self.step(if down { CursorMove::Down } else { CursorMove::Up }, select);
        }
    }
}
