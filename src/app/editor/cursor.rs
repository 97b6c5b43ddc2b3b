//! The cursor and the part of the text that is on the screen: the cursor is always in it.

use tui_textarea::CursorMove;

use crate::domain::Place;

use super::columns::{before, behind, character_at, column_of, word_before, word_behind};
use super::{Editor, Text};

/// Where a key takes the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// To the character before.
    Left,
    /// To the character behind.
    Right,
    /// To the start of this word, or of the one before.
    WordLeft,
    /// To the start of the next word.
    WordRight,
    /// So many lines up or down, on the same column of the screen as far as the line reaches.
    Lines(isize),
    /// To the start of the line.
    LineStart,
    /// To the end of the line.
    LineEnd,
    /// To the start of the text.
    Start,
    /// To the end of the text.
    End,
}

impl Editor {
    /// Where the cursor is.
    pub fn cursor(&self) -> Place {
        let (row, column) = self.position();
        Place { line: row + 1, column: column + 1 }
    }

    /// Row and column of the cursor, from 0, columns in characters.
    pub fn position(&self) -> (usize, usize) {
        match &self.text {
            Text::Edited(area) => (area.cursor().0, area.cursor().1),
            Text::Viewed { row, column, .. } => (*row, *column),
        }
    }

    /// Puts the cursor on a place, or as near as the text allows.
    pub fn go_to(&mut self, place: Place) {
        self.jump((place.line.saturating_sub(1), place.column.saturating_sub(1)), false);
    }

    /// Moves the cursor; the selection grows with it or ends.
    pub(super) fn step(&mut self, motion: Motion, select: bool) {
        let goal = match motion {
            Motion::Lines(_) => Some(self.goal.unwrap_or_else(|| self.screen_column())),
            _ => None,
        };
        self.jump(self.target(motion, goal.unwrap_or(0)), select);
        self.goal = goal;
    }

    /// A screenful up or down.
    pub(super) fn page(&mut self, down: bool, select: bool) {
        let lines = isize::try_from(self.height.saturating_sub(1).max(1)).unwrap_or(isize::MAX);
        self.step(Motion::Lines(if down { lines } else { -lines }), select);
    }

    fn target(&self, motion: Motion, goal: usize) -> (usize, usize) {
        let (row, column) = self.position();
        let (line, last) = (self.line(row), self.lines().len().saturating_sub(1));
        let line_before = || row.checked_sub(1).map_or((0, 0), |row| (row, usize::MAX));
        let line_behind = || if row < last { (row + 1, 0) } else { (row, usize::MAX) };
        match motion {
            Motion::Left if column == 0 => line_before(),
            Motion::Left => (row, before(line, column)),
            Motion::Right if column >= line.chars().count() => line_behind(),
            Motion::Right => (row, behind(line, column)),
            Motion::WordLeft if column == 0 => line_before(),
            Motion::WordLeft => (row, word_before(line, column).unwrap_or(0)),
            Motion::WordRight => word_behind(line, column).map_or_else(line_behind, |column| (row, column)),
            Motion::Lines(n) => {
                let row = row.saturating_add_signed(n).min(last);
                (row, character_at(self.line(row), goal))
            }
            Motion::LineStart => (row, 0),
            Motion::LineEnd => (row, usize::MAX),
            Motion::Start => (0, 0),
            Motion::End => (last, usize::MAX),
        }
    }

    fn jump(&mut self, (row, column): (usize, usize), select: bool) {
        let row = row.min(self.lines().len().saturating_sub(1));
        let column = column.min(self.line(row).chars().count());
        match &mut self.text {
            Text::Edited(area) => {
                if !select {
                    area.cancel_selection();
                } else if !area.is_selecting() {
                    area.start_selection();
                }
                area.move_cursor(at(row, column));
            }
            Text::Viewed { row: at_row, column: at_column, .. } => (*at_row, *at_column) = (row, column),
        }
        self.goal = None;
        self.show_cursor();
    }

    /// Selects from one position to another, where the cursor is then.
    pub(super) fn select(&mut self, from: (usize, usize), to: (usize, usize)) {
        self.jump(from, false);
        self.jump(to, true);
    }

    /// A click on a cell, counted from the upper left corner of the editor.
    pub fn click(&mut self, line: u16, column: u16) {
        let row = (self.top + usize::from(line)).min(self.lines().len().saturating_sub(1));
        let column = usize::from(column.saturating_sub(self.gutter())) + self.left;
        self.jump((row, character_at(self.line(row), column)), false);
    }

    /// Scrolls by lines; the cursor goes along where it would leave the screen.
    pub fn scroll(&mut self, lines: isize) {
        let last = self.lines().len().saturating_sub(1);
        self.top = self.top.saturating_add_signed(lines).min(last);
        let (row, _) = self.position();
        let shown = row.clamp(self.top, (self.top + self.height - 1).min(last));
        if shown != row {
            let away = shown.cast_signed() - row.cast_signed();
            self.step(Motion::Lines(away), false);
        }
    }

    /// The first line and column on the screen.
    pub fn scrolled(&self) -> (usize, usize) {
        (self.top, self.left)
    }

    /// The columns of the line numbers, their margin included.
    pub fn gutter(&self) -> u16 {
        u16::try_from(self.lines().len().to_string().len()).unwrap_or(u16::MAX).saturating_add(2)
    }

    /// A new size on the screen; the cursor stays in view, and no room is left empty that earlier lines can fill.
    pub fn resize(&mut self, height: u16, width: u16) {
        let size = (usize::from(height).max(1), usize::from(width.saturating_sub(self.gutter())).max(1));
        if size != (self.height, self.width) {
            (self.height, self.width) = size;
            self.top = self.top.min(self.lines().len().saturating_sub(self.height));
            self.show_cursor();
        }
    }

    /// The column of the cursor on the screen, the text counted from its start.
    fn screen_column(&self) -> usize {
        let (row, column) = self.position();
        column_of(self.line(row), column)
    }

    pub(super) fn show_cursor(&mut self) {
        let (row, _) = self.position();
        if row < self.top {
            self.top = row;
        } else if row >= self.top + self.height {
            self.top = row + 1 - self.height;
        }
        self.top = self.top.min(self.lines().len().saturating_sub(1));
        let at = self.screen_column();
        if at < self.left {
            self.left = at.saturating_sub(self.width / 4);
        } else if at >= self.left + self.width {
            self.left = (at + 1 + self.width / 4).saturating_sub(self.width);
        }
    }
}

/// A jump of the text area, which counts in 16 bits; the limits of the editor keep it within them.
pub fn at(row: usize, column: usize) -> CursorMove {
    let narrow = |n| u16::try_from(n).unwrap_or(u16::MAX);
    CursorMove::Jump(narrow(row), narrow(column))
}
