//! The editor: the one module around the text area, with its own keys, one viewport, and a view for what is too large.

mod columns;
mod cursor;
mod history;
mod keys;
mod limits;
mod search;

use std::ops::Range;

use tui_textarea::TextArea;

use crate::domain::json::{pretty, scan_object};
use crate::domain::{Place, Refusal};

pub use columns::Walk;
use history::{Change, History};
use limits::{clean_lines, lines_of, too_large};
use search::Search;

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
    history: History,
    search: Option<Search>,
    clipboard: String,
    /// The column on the screen that moves over lines keep to.
    goal: Option<usize>,
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
            area.set_max_histories(History::MOST);
            Text::Edited(Box::new(area))
        };
        Editor {
            text,
            saved,
            dirty: false,
            revision: 0,
            read_only: too_large,
            history: History::default(),
            search: None,
            clipboard: String::new(),
            goal: None,
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

    fn line(&self, row: usize) -> &str {
        self.lines().get(row).map_or("", String::as_str)
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
        self.history.close();
        self.changed();
    }

    /// Back to the saved text. It can be undone.
    pub fn discard(&mut self) {
        let saved = self.saved.join("\n");
        let at = self.cursor();
        self.select_all();
        // What was saved is no larger than what was opened, but for the properties that the store makes.
        self.put(&saved, Change::Other);
        self.go_to(at);
    }

    /// Where the selection starts and ends, unless it is empty: row and column, from 0, columns in characters.
    fn selection(&self) -> Option<((usize, usize), (usize, usize))> {
        let Text::Edited(area) = &self.text else { return None };
        area.selection_range().filter(|(from, to)| from != to)
    }

    /// The selected text, and the place where it starts.
    pub fn selected(&self) -> Option<(Place, String)> {
        let ((row, column), (last, _)) = self.selection()?;
        let lines = (row..=last).map(|at| {
            let part = self.selected_in(at).unwrap_or_default();
            self.line(at).chars().skip(part.start).take(part.len()).collect::<String>()
        });
        Some((Place { line: row + 1, column: column + 1 }, lines.collect::<Vec<_>>().join("\n")))
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

    /// Pasted text, as one step: line ends are made one kind, tabs become four blanks, control characters go. Returns
    /// whether it was taken: a text that is too large for the editor is not, nor is any while it is read-only.
    pub fn paste(&mut self, text: &str) -> bool {
        let text = clean_lines(text).join("\n");
        text.is_empty() || self.insert(&text, Change::Other)
    }

    /// Takes the last step back: a word that was typed, a paste, a deletion.
    pub fn undo(&mut self) {
        self.repeat(History::undo, TextArea::undo);
    }

    /// Makes it again.
    pub fn redo(&mut self) {
        self.repeat(History::redo, TextArea::redo);
    }

    fn repeat(&mut self, step: fn(&mut History) -> usize, edit: fn(&mut TextArea<'static>) -> bool) {
        if self.editable().is_none() {
            return;
        }
        let edits = step(&mut self.history);
        for _ in 0..edits {
            self.editable().map(edit);
        }
        if edits > 0 {
            self.changed();
        }
    }

    /// Lays the JSON out, as one step.
    ///
    /// # Errors
    /// The text is no JSON object, or too large to edit once it is laid out.
    pub fn format(&mut self) -> Result<(), Refusal> {
        let text = self.text();
        let document = scan_object(&text)?;
        let laid_out = pretty(document.text.trim());
        if laid_out != text && !self.replace_all(&laid_out) {
            let reason = "Laid out, the text has more lines or bytes than are edited here.";
            return Err(Refusal::new(413, reason));
        }
        Ok(())
    }

    /// Puts another text in place of the whole, as one step. Returns whether it was taken: one that is too large to edit
    /// is not.
    pub fn replace_all(&mut self, text: &str) -> bool {
        let at = self.cursor();
        self.select_all();
        let taken = self.insert(text, Change::Other);
        self.go_to(at);
        taken
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
        self.edit_as(Change::Other, edit);
    }

    fn edit_as(&mut self, change: Change, edit: impl FnOnce(&mut TextArea<'static>) -> bool) {
        let from = self.position();
        if let Some(area) = self.editable()
            && edit(area)
        {
            self.history.push(change, 1, from, self.position());
            self.changed();
        }
    }

    /// Puts text in place of the selection, as one step. Returns whether it was taken: nothing is, and nothing goes,
    /// when the whole would be too large to edit.
    fn insert(&mut self, text: &str, change: Change) -> bool {
        self.fits(text) && self.put(text, change)
    }

    /// The same without a look at the limits.
    fn put(&mut self, text: &str, change: Change) -> bool {
        let (from, selected) = (self.position(), self.selection().is_some());
        let Some(area) = self.editable() else { return false };
        let cut = selected && area.delete_char();
        let inserted = !text.is_empty() && area.insert_str(text);
        let edits = usize::from(cut) + usize::from(inserted);
        if edits > 0 {
            self.history.push(change, edits, from, self.position());
            self.changed();
        }
        true
    }

    fn select_all(&mut self) {
        if let Text::Edited(_) = self.text {
            self.select((0, 0), (usize::MAX, usize::MAX));
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
        self.goal = None;
        self.show_cursor();
    }
}

#[cfg(test)]
mod tests;
