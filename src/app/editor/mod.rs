//! The editor: the one module around the text area, with its own keys, one viewport, and a view for what is too large.

mod keys;
mod limits;
mod search;

use std::collections::BTreeSet;
use std::ops::Range;

use tui_textarea::{CursorMove, TextArea};
use unicode_segmentation::UnicodeSegmentation;

use crate::domain::json::{pretty, scan_object};
use crate::domain::{Place, Refusal};

use limits::{clean_lines, lines_of, too_large};
use search::Search;

use super::text;

/// Steps that can be taken back.
const UNDO_STEPS: usize = 10_000;
/// One level of indentation, as in the portal.
const INDENT: &str = "    ";

/// A text that is edited, or one that is too large for that and only looked at.
#[derive(Clone, Debug)]
enum Text {
    Edited(Box<TextArea<'static>>),
    Viewed { lines: Vec<String>, row: usize, column: usize },
}

/// An editor.
#[derive(Clone, Debug)]
pub struct Editor {
    text: Text,
    saved: Vec<String>,
    dirty: bool,
    revision: u64,
    read_only: Option<String>,
    /// Edits that can be taken back now.
    depth: usize,
    /// Depths whose last two edits were one to the person who made them.
    joined: BTreeSet<usize>,
    search: Option<Search>,
    clipboard: String,
    top: usize,
    left: usize,
    height: usize,
    width: usize,
}

impl Editor {
    /// An editor with this text, which counts as saved; the cursor is at its start.
    pub fn new(text: &str) -> Self {
        let lines = lines_of(text);
        let too_large = too_large(text, &lines);
        let saved = lines.clone();
        let text = if too_large.is_some() {
            Text::Viewed { lines, row: 0, column: 0 }
        } else {
            let mut area = TextArea::new(lines);
            area.set_max_histories(UNDO_STEPS);
            Text::Edited(Box::new(area))
        };
        Editor {
            text,
            saved,
            dirty: false,
            revision: 0,
            read_only: too_large,
            depth: 0,
            joined: BTreeSet::new(),
            search: None,
            clipboard: String::new(),
            top: 0,
            left: 0,
            height: 1,
            width: 80,
        }
    }

    /// The text.
    pub fn text(&self) -> String {
        self.lines().join("\n")
    }

    /// The lines; never none.
    pub fn lines(&self) -> &[String] {
        match &self.text {
            Text::Edited(area) => area.lines(),
            Text::Viewed { lines, .. } => lines,
        }
    }

    /// Whether the text differs from the saved one.
    pub fn is_dirty(&self) -> bool {
        self.dirty
    }

    /// Counts changes of the text.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Why the text cannot be changed.
    pub fn read_only(&self) -> Option<&str> {
        self.read_only.as_deref()
    }

    /// Forbids changes.
    pub fn set_read_only(&mut self, reason: &str) {
        self.read_only = Some(reason.to_owned());
    }

    /// Says that this is what is saved now; the text itself stays.
    pub fn set_saved(&mut self, text: &str) {
        self.saved = lines_of(text);
        self.changed();
    }

    /// Back to the saved text. It can be undone.
    pub fn discard(&mut self) {
        let saved = self.saved.join("\n");
        let at = self.cursor();
        self.select_all();
        // What was saved is no larger than what was opened, but for the properties that the store makes.
        self.put(&saved);
        self.go_to(at);
    }

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

    /// Where the selection starts and ends, unless it is empty: row and column, from 0, columns in characters.
    fn selection(&self) -> Option<((usize, usize), (usize, usize))> {
        let Text::Edited(area) = &self.text else { return None };
        area.selection_range().filter(|(from, to)| from != to)
    }

    /// The selected part of a line, in characters.
    pub fn selected_in(&self, row: usize) -> Option<Range<usize>> {
        let ((from_row, from), (to_row, to)) = self.selection()?;
        if row < from_row || row > to_row {
            return None;
        }
        let start = if row == from_row { from } else { 0 };
        let end = if row == to_row { to } else { usize::MAX };
        Some(start..end)
    }

    /// The matches of the search in a line, in characters.
    pub fn found_in(&self, row: usize) -> Vec<Range<usize>> {
        match (&self.search, self.lines().get(row)) {
            (Some(search), Some(line)) => search.matches(line),
            _ => Vec::new(),
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

    /// A new size on the screen; the cursor stays in view.
    pub fn resize(&mut self, height: u16, width: u16) {
        self.height = usize::from(height).max(1);
        self.width = usize::from(width.saturating_sub(self.gutter())).max(1);
        self.show_cursor();
    }

    /// Puts the cursor on a place, or as near as the text allows.
    pub fn go_to(&mut self, place: Place) {
        let row = place.line.saturating_sub(1).min(self.lines().len().saturating_sub(1));
        let longest = self.lines().get(row).map_or(0, |line| line.chars().count());
        let column = place.column.saturating_sub(1).min(longest);
        match &mut self.text {
            Text::Edited(area) => {
                area.cancel_selection();
                area.move_cursor(CursorMove::Jump(narrow(row), narrow(column)));
            }
            Text::Viewed { row: at_row, column: at_column, .. } => (*at_row, *at_column) = (row, column),
        }
        self.show_cursor();
    }

    /// A click on a cell, counted from the upper left corner of the editor.
    pub fn click(&mut self, line: u16, column: u16) {
        let row = (self.top + usize::from(line)).min(self.lines().len().saturating_sub(1));
        let target = usize::from(column.saturating_sub(self.gutter())) + self.left;
        let mut used = 0;
        let mut chars = 0;
        for grapheme in self.lines().get(row).map_or("", String::as_str).graphemes(true) {
            used += text::width(grapheme);
            if used > target {
                break;
            }
            chars += grapheme.chars().count();
        }
        self.go_to(Place { line: row + 1, column: chars + 1 });
    }

    /// Scrolls by lines; the cursor goes along where it would leave the screen.
    pub fn scroll(&mut self, lines: isize) {
        let last = self.lines().len().saturating_sub(1);
        self.top = self.top.saturating_add_signed(lines).min(last);
        let (row, column) = self.position();
        let row = row.clamp(self.top, (self.top + self.height - 1).min(last));
        self.go_to(Place { line: row + 1, column: column + 1 });
    }

    /// Pasted text, as one step: line ends are made one kind, tabs become four blanks, control characters go. Returns
    /// whether it was taken: a text that is too large for the editor is not, nor is any while it is read-only.
    pub fn paste(&mut self, text: &str) -> bool {
        let text = clean_lines(text).join("\n");
        text.is_empty() || self.insert(&text)
    }

    /// Takes the last edit back.
    pub fn undo(&mut self) {
        let steps = if self.joined.contains(&self.depth) { 2 } else { 1 };
        for _ in 0..steps {
            if let Some(area) = self.editable()
                && area.undo()
            {
                self.depth = self.depth.saturating_sub(1);
            }
        }
        self.changed();
    }

    /// Makes it again.
    pub fn redo(&mut self) {
        let steps = if self.joined.contains(&(self.depth + 2)) { 2 } else { 1 };
        for _ in 0..steps {
            if let Some(area) = self.editable()
                && area.redo()
            {
                self.depth += 1;
            }
        }
        self.changed();
    }

    /// Lays the JSON out, as one step.
    ///
    /// # Errors
    /// The text is no JSON object, or too large to edit once it is laid out.
    pub fn format(&mut self) -> Result<(), Refusal> {
        let text = self.text();
        let document = scan_object(&text)?;
        let laid_out = pretty(document.text.trim());
        if laid_out != text {
            let at = self.cursor();
            self.select_all();
            let taken = self.insert(&laid_out);
            self.go_to(at);
            if !taken {
                let reason = "Laid out, the text has more lines or bytes than are edited here.";
                return Err(Refusal::new(413, reason));
            }
        }
        Ok(())
    }

    /// Searches, from behind the cursor on and round the end. Letters of both cases are one unless the pattern has a
    /// capital. Returns how many matches the text has.
    pub fn search(&mut self, pattern: &str, forward: bool) -> usize {
        let search = Search::new(pattern);
        let at = self.position();
        let found = search.next(self.lines(), at, forward);
        let n = search.count(self.lines());
        self.search = Some(search);
        if let Some((row, column)) = found {
            self.go_to(Place { line: row + 1, column: column + 1 });
        }
        n
    }

    fn editable(&mut self) -> Option<&mut TextArea<'static>> {
        match (&mut self.text, &self.read_only) {
            (Text::Edited(area), None) => Some(area),
            _ => None,
        }
    }

    fn edit(&mut self, edit: impl FnOnce(&mut TextArea<'static>) -> bool) {
        if let Some(area) = self.editable()
            && edit(area)
        {
            self.count_edit();
            self.changed();
        }
    }

    fn count_edit(&mut self) {
        self.joined.split_off(&(self.depth + 1));
        self.depth = (self.depth + 1).min(UNDO_STEPS);
    }

    /// Puts text in place of the selection, as one step. Returns whether it was taken: nothing is, and nothing goes,
    /// when the whole would be too large to edit.
    fn insert(&mut self, text: &str) -> bool {
        self.fits(text) && self.put(text)
    }

    /// The same without a look at the limits.
    fn put(&mut self, text: &str) -> bool {
        let selected = self.selection().is_some();
        let Some(area) = self.editable() else { return false };
        let cut = selected && area.delete_char();
        let inserted = !text.is_empty() && area.insert_str(text);
        if cut {
            self.count_edit();
        }
        if inserted {
            self.count_edit();
        }
        if cut && inserted {
            self.joined.insert(self.depth);
        }
        if cut || inserted {
            self.changed();
        }
        true
    }

    fn select_all(&mut self) {
        if let Text::Edited(area) = &mut self.text {
            area.select_all();
        }
    }

    fn copy(&mut self) {
        let Some((from, to)) = self.selection() else { return };
        let lines = self.lines();
        let part = |row: usize| {
            let start = if row == from.0 { from.1 } else { 0 };
            let end = if row == to.0 { to.1 } else { usize::MAX };
            lines[row].chars().take(end).skip(start).collect::<String>()
        };
        self.clipboard = (from.0..=to.0).map(part).collect::<Vec<_>>().join("\n");
    }

    fn changed(&mut self) {
        self.revision += 1;
        self.dirty = self.lines() != self.saved.as_slice();
        self.show_cursor();
    }

    fn show_cursor(&mut self) {
        let (row, column) = self.position();
        if row < self.top {
            self.top = row;
        } else if row >= self.top + self.height {
            self.top = row + 1 - self.height;
        }
        self.top = self.top.min(self.lines().len().saturating_sub(1));
        let at = self.lines().get(row).map_or(0, |line| column_of(line, column));
        if at < self.left {
            self.left = at.saturating_sub(self.width / 4);
        } else if at >= self.left + self.width {
            self.left = at + 1 + self.width / 4 - self.width.min(at + 1 + self.width / 4);
        }
    }
}

/// The column on the screen of a character of a line.
pub fn column_of(line: &str, character: usize) -> usize {
    let end = line.char_indices().nth(character).map_or(line.len(), |(at, _)| at);
    line[..end].graphemes(true).map(text::width).sum()
}

fn narrow(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests;
