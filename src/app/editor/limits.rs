//! What the editor takes in: how large a text may be, and what of a pasted one is kept.

use crate::domain::words;

use super::{Editor, INDENT};

/// The most lines that are edited; more are shown read-only.
const MOST_LINES: usize = 20_000;
/// The most bytes that are edited.
const MOST_BYTES: usize = 2 * 1024 * 1024;
/// The longest line that is edited, in characters: the text area counts columns in 16 bits.
const LONGEST_LINE: usize = 60_000;

impl Editor {
    /// What of a text still fits the limits of the editor: nothing of one that does not.
    pub(super) fn fitting(&self, text: &str) -> String {
        let lines = self.lines().len() + text.matches('\n').count();
        let bytes: usize = self.lines().iter().map(|line| line.len() + 1).sum::<usize>() + text.len();
        let row = self.lines().get(self.position().0).map_or(0, |line| line.chars().count());
        let longest = text.split('\n').map(|line| line.chars().count()).max().unwrap_or(0);
        if lines > MOST_LINES || bytes > MOST_BYTES || row + longest > LONGEST_LINE {
            String::new()
        } else {
            text.to_owned()
        }
    }
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
        Some(format!("a line has more than {} characters", words::count(LONGEST_LINE as u64)))
    } else {
        None
    }
}
