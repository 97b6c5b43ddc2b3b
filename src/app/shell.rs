//! The Shell tab: what was printed, what is being typed, what was typed before.

use std::collections::VecDeque;

use crate::domain::Instant;
use crate::shell::{COLLECTION_METHODS, CURSOR_METHODS, DATABASE_METHODS, Kind, Outcome, Session, parse};

use super::Editor;

/// What a line of the output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// A statement, as it was typed.
    Input,
    /// What the shell printed.
    Printed(Kind),
}

/// The shell of the explorer.
#[derive(Clone, Debug)]
pub struct Shell {
    /// What it remembers between statements.
    pub session: Session,
    lines: VecDeque<(LineKind, String)>,
    /// Lines scrolled up from the newest.
    pub scrolled: usize,
    /// What is being typed.
    pub input: Editor,
    /// Statements that were run, the oldest first.
    history: Vec<String>,
    /// The one that is looked at.
    at: Option<usize>,
    /// What was typed before the history was looked at.
    draft: String,
    /// What the history is searched for.
    pattern: Option<String>,
    /// A statement is on its way.
    pub running: bool,
    /// The history was asked for.
    pub asked_history: bool,
}

impl Default for Shell {
    fn default() -> Self {
        Shell {
            session: Session::default(),
            lines: VecDeque::new(),
            scrolled: 0,
            input: Editor::new(""),
            history: Vec::new(),
            at: None,
            draft: String::new(),
            pattern: None,
            running: false,
            asked_history: false,
        }
    }
}

impl Shell {
    /// Lines that are kept.
    const KEPT: usize = 5_000;
    /// Statements that are kept.
    pub const HISTORY: usize = 500;

    /// The `height` lines that are seen, the oldest first.
    pub fn visible(&self, height: usize) -> impl Iterator<Item = &(LineKind, String)> {
        let end = self.lines.len().saturating_sub(self.scrolled);
        self.lines.range(end.saturating_sub(height)..end)
    }

    /// Scrolls; positive is up, to older lines.
    pub fn scroll(&mut self, by: isize) {
        self.scrolled = self.scrolled.saturating_add_signed(by).min(self.lines.len().saturating_sub(1));
    }

    /// Empties the output.
    pub fn clear(&mut self) {
        self.lines.clear();
        self.scrolled = 0;
    }

    /// Lines that the input takes: as many as it has, up to `most`.
    pub fn input_height(&self, most: u16) -> u16 {
        u16::try_from(self.input.lines().len()).unwrap_or(u16::MAX).clamp(1, most.max(1))
    }

    fn push(&mut self, kind: LineKind, text: &str) {
        for line in text.split('\n') {
            if self.lines.len() == Self::KEPT {
                self.lines.pop_front();
            }
            self.lines.push_back((kind, line.to_owned()));
        }
        self.scrolled = 0;
    }

    /// Whether Enter runs what is typed: a text that only ends too early goes on in a new line.
    pub fn is_complete(&self, now: Instant) -> bool {
        !parse(&self.input.text(), now).is_err_and(|fault| fault.incomplete)
    }

    /// Takes what is typed, to run it; `None` when that is nothing.
    pub fn take(&mut self) -> Option<String> {
        let text = self.input.text();
        if text.trim().is_empty() {
            return None;
        }
        self.push(LineKind::Input, text.trim_end());
        self.history.retain(|old| *old != text);
        self.history.push(text.clone());
        if self.history.len() > Self::HISTORY {
            self.history.remove(0);
        }
        self.input = Editor::new("");
        (self.at, self.pattern) = (None, None);
        self.running = true;
        Some(text)
    }

    /// What a text of statements came to.
    pub fn answered(&mut self, outcome: Outcome) {
        self.running = false;
        if outcome.clear {
            self.clear();
        }
        for printed in &outcome.printed {
            self.push(LineKind::Printed(printed.kind), &printed.text);
        }
        self.session = outcome.session;
    }

    /// The history, as it was kept.
    pub fn set_history(&mut self, kept: Vec<String>) {
        let typed = std::mem::replace(&mut self.history, kept);
        self.history.extend(typed);
        self.at = None;
    }

    /// To the statement before, or after, the one that is looked at.
    pub fn recall(&mut self, older: bool) {
        let next = match (self.at, older) {
            (None, true) => self.history.len().checked_sub(1),
            (Some(at), true) => Some(at.saturating_sub(1)),
            (Some(at), false) if at + 1 < self.history.len() => Some(at + 1),
            (_, false) => None,
        };
        if self.at.is_none() {
            if next.is_none() {
                return;
            }
            self.draft = self.input.text();
        }
        self.at = next;
        let text = next.map_or_else(|| self.draft.clone(), |at| self.history[at].clone());
        self.show(&text);
    }

    /// To the newest statement before the one that is looked at that has what was typed in it. Says whether there is one.
    pub fn search(&mut self) -> bool {
        let pattern = self.pattern.clone().unwrap_or_else(|| self.input.text());
        let end = if self.pattern.is_some() { self.at.unwrap_or(self.history.len()) } else { self.history.len() };
        let found = self.history[..end].iter().rposition(|old| old.contains(pattern.trim()));
        if let Some(at) = found {
            if self.at.is_none() {
                self.draft = self.input.text();
            }
            let text = self.history[at].clone();
            self.show(&text);
            (self.at, self.pattern) = (Some(at), Some(pattern));
        }
        found.is_some()
    }

    /// Something was typed: it is a statement of its own from here on.
    pub fn typed(&mut self) {
        (self.at, self.pattern) = (None, None);
    }

    fn show(&mut self, text: &str) {
        self.input.replace_all(text);
        let last = self.input.lines().len();
        let column = self.input.lines().last().map_or(0, |line| line.chars().count());
        self.input.go_to(crate::domain::Place { line: last, column: column + 1 });
    }

    /// Completes the word before the cursor among collections and methods; says all that fit when it is not one.
    pub fn complete(&mut self, collections: &[String], databases: &[String]) {
        let at = self.input.cursor();
        let line: String =
            self.input.lines().get(at.line - 1).map_or("", String::as_str).chars().take(at.column - 1).collect();
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let word: String =
            line.chars().rev().take_while(|c| is_word(*c)).collect::<Vec<_>>().into_iter().rev().collect();
        let before = &line[..line.len() - word.len()];
        let fitting = |all: Vec<&str>| -> Vec<String> {
            all.into_iter().filter(|candidate| candidate.starts_with(&word)).map(str::to_owned).collect()
        };
        let names = |names: &[String]| names.iter().map(String::as_str).collect::<Vec<_>>().join("\n");
        let candidates = if before.trim_end() == "use" || before.ends_with("use ") {
            fitting(names(databases).lines().collect())
        } else if before.ends_with("db.") {
            let mut all: Vec<&str> = collections.iter().map(String::as_str).collect();
            all.extend(DATABASE_METHODS);
            fitting(all)
        } else if before.ends_with(").") {
            fitting(CURSOR_METHODS.to_vec())
        } else if before.ends_with('.') {
            fitting(COLLECTION_METHODS.to_vec())
        } else if before.trim().is_empty() {
            fitting(vec!["db.", "use ", "show dbs", "show collections", "help", "it", "cls", "exit"])
        } else {
            Vec::new()
        };
        let Some(first) = candidates.first() else { return };
        let common = candidates.iter().skip(1).fold(first.clone(), |common, other| {
            common.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c).collect()
        });
        if common.len() > word.len() {
            self.input.paste(&common[word.len()..]);
        } else if candidates.len() > 1 {
            self.push(LineKind::Printed(Kind::Note), &candidates.join("  "));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn typed(text: &str) -> Shell {
        let mut shell = Shell::default();
        shell.input.paste(text);
        shell
    }

    #[rstest]
    #[case("db.coll.find()", true)]
    #[case("db.coll.insert({", false)]
    #[case("db.coll.insert({a: \"}\"", false)]
    #[case("db.coll.insert({a: '{'})", true)]
    #[case("/* a", false)]
    #[case("db // {", true)]
    #[case("db.coll.find({a: ,})", true)]
    fn an_open_bracket_goes_on(#[case] text: &str, #[case] complete: bool) {
        assert_eq!(typed(text).is_complete(Instant::from_secs(0)), complete);
    }

    #[test]
    fn the_history_goes_up_and_down_and_gives_the_draft_back() {
        let mut shell = Shell::default();
        shell.set_history(vec!["one".to_owned(), "two".to_owned()]);
        shell.input.paste("draft");
        for (older, text) in
            [(true, "two"), (true, "one"), (true, "one"), (false, "two"), (false, "draft"), (false, "draft")]
        {
            shell.recall(older);
            assert_eq!(shell.input.text(), text);
        }
    }

    #[test]
    fn the_search_goes_to_older_ones() {
        let mut shell = Shell::default();
        shell.set_history(["db.a.find()", "show dbs", "db.b.find()"].map(str::to_owned).to_vec());
        shell.input.paste("find");
        for text in ["db.b.find()", "db.a.find()"] {
            assert!(shell.search());
            assert_eq!(shell.input.text(), text);
        }
        assert!(!shell.search());
    }

    #[test]
    fn a_statement_is_kept_once() {
        let mut shell = typed("show dbs");
        assert_eq!(shell.take().as_deref(), Some("show dbs"));
        shell.input.paste("show dbs");
        shell.take();
        assert_eq!(shell.history, ["show dbs"]);
        assert_eq!(typed("  ").take(), None);
    }

    #[rstest]
    #[case("db.co", "db.coll")]
    #[case("db.coll.insertM", "db.coll.insertMany")]
    #[case("use glo", "use globaldb")]
    #[case("db.coll.find({a: in", "db.coll.find({a: in")]
    fn words_are_completed(#[case] text: &str, #[case] completed: &str) {
        let mut shell = typed(text);
        shell.complete(&["coll".to_owned(), "other".to_owned()], &["globaldb".to_owned()]);
        assert_eq!(shell.input.text(), completed);
    }
}
