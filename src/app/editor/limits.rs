//! What the editor takes in: how large a text may be, and what of a pasted one is kept.

use crate::domain::words;

use super::{Editor, INDENT};

/// The most lines that are edited; more are shown read-only.
const MOST_LINES: usize = 20_000;
/// The most bytes that are edited.
const MOST_BYTES: usize = 2 * 1024 * 1024;
/// The longest line that is edited, in bytes: the text area counts columns in 16 bits.
const LONGEST_LINE: usize = 60_000;

impl Editor {
    /// Whether the whole is within the limits with `text` in place of the selection.
    pub(super) fn fits(&self, text: &str) -> bool {
        let at = self.position();
        let (from, to) = self.selection().unwrap_or((at, at));
        let lines = self.lines();
        let (first, last) = (line_of(lines, from.0), line_of(lines, to.0));
        let (before, behind) = (byte_of(first, from.1), last.len() - byte_of(last, to.1));
        let bytes_of = |lines: &[String]| lines.iter().map(|line| line.len() + 1).sum::<usize>();
        let touched = lines.get(from.0..=to.0).unwrap_or_default();
        let bytes = bytes_of(lines) - bytes_of(touched) + before + text.len() + behind;
        let count = lines.len() - (to.0 - from.0) + text.matches('\n').count();
        let longest = text.split('\n').map(str::len).max().unwrap_or(0);
        count <= MOST_LINES && bytes <= MOST_BYTES && before + longest + behind <= LONGEST_LINE
    }
}

fn line_of(lines: &[String], row: usize) -> &str {
    lines.get(row).map_or("", String::as_str)
}

fn byte_of(line: &str, column: usize) -> usize {
    line.char_indices().nth(column).map_or(line.len(), |(at, _)| at)
}

/// A stored text as lines: nothing of it is lost, but that line ends are of one kind.
pub fn lines_of(text: &str) -> Vec<String> {
    text.replace("\r\n", "\n").split('\n').map(str::to_owned).collect()
}

/// A pasted text as lines: line ends of one kind, tabs as blanks, no control characters.
pub fn clean_lines(text: &str) -> Vec<String> {
    let unified = text.replace("\r\n", "\n").replace('\r', "\n").replace('\t', INDENT);
    unified.split('\n').map(|line| line.chars().filter(|c| !c.is_control()).collect()).collect()
}

pub fn too_large(text: &str, lines: &[String]) -> Option<String> {
    if lines.len() > MOST_LINES {
        Some(format!("{} are too many to edit here", words::counted(lines.len() as u64, "line")))
    } else if text.len() > MOST_BYTES {
        Some(format!("{} are too many to edit here", words::counted(text.len() as u64, "byte")))
    } else if lines.iter().any(|line| line.len() > LONGEST_LINE) {
        Some(format!("a line has more than {} bytes", words::count(LONGEST_LINE as u64)))
    } else {
        None
    }
}
