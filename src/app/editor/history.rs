//! Steps as a person counts them: what one undo takes back. The text area counts single edits.

use std::collections::VecDeque;

/// What kind of change an edit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A character was typed.
    Typed(char),
    /// The character before the cursor was rubbed out.
    Rubbed(char),
    /// Anything else: a step of its own.
    Other,
}

impl Change {
    /// Whether this goes on with what `earlier` began: a word and the blanks behind it are one step.
    fn continues(self, earlier: Change) -> bool {
        match (earlier, self) {
            (Change::Typed(before), Change::Typed(c)) | (Change::Rubbed(before), Change::Rubbed(c)) => {
                c.is_whitespace() || !before.is_whitespace()
            }
            _ => false,
        }
    }
}

/// A cursor: row and column.
type Position = (usize, usize);

/// The steps, each with the number of its edits.
#[derive(Clone, Debug, Default)]
pub struct History {
    done: VecDeque<usize>,
    undone: Vec<usize>,
    /// All edits in `done`.
    edits: usize,
    /// The last change, and where it left the cursor.
    last: Option<(Change, Position)>,
}

impl History {
    /// The most edits that are remembered.
    pub const MOST: usize = 10_000;

    /// Notes a change of so many edits that took the cursor from one position to another.
    pub fn push(&mut self, change: Change, edits: usize, from: Position, to: Position) {
        self.undone.clear();
        let goes_on = self.last.is_some_and(|(earlier, at)| at == from && change.continues(earlier));
        match self.done.back_mut() {
            Some(step) if goes_on => *step += edits,
            _ => self.done.push_back(edits),
        }
        self.last = Some((change, to));
        self.edits += edits;
        while self.edits > Self::MOST {
            self.edits -= self.done.pop_front().unwrap_or(self.edits);
        }
    }

    /// What comes now is a step of its own.
    pub fn close(&mut self) {
        self.last = None;
    }

    /// How many edits the last step has; it counts as undone from now on.
    pub fn undo(&mut self) -> usize {
        self.close();
        let Some(step) = self.done.pop_back() else { return 0 };
        self.edits -= step;
        self.undone.push(step);
        step
    }

    /// How many edits the step has that was undone last; it counts as done again.
    pub fn redo(&mut self) -> usize {
        self.close();
        let Some(step) = self.undone.pop() else { return 0 };
        self.edits += step;
        self.done.push_back(step);
        step
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> History {
        let mut history = History::default();
        for (at, c) in text.chars().enumerate() {
            history.push(Change::Typed(c), 1, (0, at), (0, at + 1));
        }
        history
    }

    #[test]
    fn a_word_with_the_blanks_behind_it_is_a_step() {
        let mut history = typed("one  two");
        assert_eq!([history.undo(), history.undo(), history.undo()], [3, 5, 0]);
        assert_eq!([history.redo(), history.redo(), history.redo()], [5, 3, 0]);
    }

    #[test]
    fn a_move_of_the_cursor_and_a_save_begin_a_step() {
        let mut history = typed("ab");
        history.push(Change::Typed('c'), 1, (0, 0), (0, 1));
        history.close();
        history.push(Change::Typed('d'), 1, (0, 1), (0, 2));
        assert_eq!([history.undo(), history.undo(), history.undo()], [1, 1, 2]);
    }

    #[test]
    fn no_more_is_remembered_than_the_text_area_does() {
        let mut history = typed(&"ab ".repeat(History::MOST));
        let mut edits = 0;
        loop {
            match history.undo() {
                0 => break,
                step => edits += step,
            }
        }
        assert!((History::MOST - 3..=History::MOST).contains(&edits), "{edits}");
    }
}
