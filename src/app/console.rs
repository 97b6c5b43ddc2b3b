//! The console: what happened, line by line.

use std::collections::VecDeque;

use crate::domain::Instant;

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Something was done.
    Done,
    /// Items expired, were swept, came back.
    Expiry,
    /// A note: why a key does nothing here, what to know.
    Note,
    /// Something was refused or failed.
    Error,
}

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// When.
    pub at: Instant,
    /// What it is about.
    pub kind: Kind,
    /// The words.
    pub text: String,
}

/// Which lines are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Filter {
    /// All.
    #[default]
    All,
    /// Errors.
    Errors,
    /// Expirations and sweeps.
    Expiry,
}

impl Filter {
    /// Its name in the title.
    pub fn label(self) -> &'static str {
        match self {
            Filter::All => "all",
            Filter::Errors => "errors",
            Filter::Expiry => "expirations",
        }
    }

    fn shows(self, kind: Kind) -> bool {
        match self {
            Filter::All => true,
            Filter::Errors => kind == Kind::Error,
            Filter::Expiry => kind == Kind::Expiry,
        }
    }
}

/// The newest lines, and which of them are seen.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Console {
    lines: VecDeque<Line>,
    /// Unfolded to several lines, or folded to the newest one.
    pub open: bool,
    /// Which lines.
    pub filter: Filter,
    /// Lines scrolled up from the newest.
    pub scrolled: usize,
    done: u64,
    notes: u64,
    errors: u64,
}

impl Console {
    /// Lines that are kept.
    pub const KEPT: usize = 1_000;

    /// Adds a line. What stands scrolled up stays where it is.
    pub fn push(&mut self, at: Instant, kind: Kind, text: impl Into<String>) {
        match kind {
            Kind::Done | Kind::Expiry => self.done += 1,
            Kind::Note => self.notes += 1,
            Kind::Error => self.errors += 1,
        }
        if self.lines.len() == Self::KEPT {
            self.lines.pop_front();
        }
        self.lines.push_back(Line { at, kind, text: text.into() });
        if self.scrolled > 0 && self.filter.shows(kind) {
            self.scrolled += 1;
        }
        self.scroll(0);
    }

    /// The newest line.
    pub fn latest(&self) -> Option<&Line> {
        self.lines.back()
    }

    /// How many lines were added: done, notes, errors.
    pub fn counts(&self) -> (u64, u64, u64) {
        (self.done, self.notes, self.errors)
    }

    /// The `height` lines that are seen, oldest first.
    pub fn visible(&self, height: usize) -> Vec<&Line> {
        let mut lines: Vec<&Line> = self
            .lines
            .iter()
            .rev()
            .filter(|line| self.filter.shows(line.kind))
            .skip(self.scrolled)
            .take(height)
            .collect();
        lines.reverse();
        lines
    }

    /// Scrolls; positive is up, to older lines.
    pub fn scroll(&mut self, by: isize) {
        let shown = self.lines.iter().filter(|line| self.filter.shows(line.kind)).count();
        self.scrolled = self.scrolled.saturating_add_signed(by).min(shown.saturating_sub(1));
    }

    /// The next filter.
    pub fn cycle_filter(&mut self) {
        self.filter = match self.filter {
            Filter::All => Filter::Errors,
            Filter::Errors => Filter::Expiry,
            Filter::Expiry => Filter::All,
        };
        self.scrolled = 0;
    }

    /// Forgets all lines.
    pub fn clear(&mut self) {
        let (open, filter) = (self.open, self.filter);
        *self = Console { open, filter, ..Console::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_and_counts() {
        let mut console = Console::default();
        console.push(Instant::from_secs(1), Kind::Done, "made");
        console.push(Instant::from_secs(2), Kind::Error, "refused");
        console.push(Instant::from_secs(3), Kind::Expiry, "swept");
        assert_eq!(console.counts(), (2, 0, 1));
        console.cycle_filter();
        let texts: Vec<&str> = console.visible(9).iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, ["refused"]);
        console.clear();
        assert_eq!((console.latest(), console.filter), (None, Filter::Errors));
    }

    #[test]
    fn what_is_read_stays_while_lines_come() {
        let mut console = Console::default();
        for n in 0..20 {
            console.push(Instant::from_secs(n), Kind::Done, n.to_string());
        }
        console.scroll(5);
        let before: Vec<String> = console.visible(3).iter().map(|line| line.text.clone()).collect();
        console.push(Instant::from_secs(20), Kind::Done, "20");
        let after: Vec<String> = console.visible(3).iter().map(|line| line.text.clone()).collect();
        assert_eq!(before, after);
        for n in 0..2 * Console::KEPT as i64 {
            console.push(Instant::from_secs(n), Kind::Done, n.to_string());
        }
        assert_eq!(console.visible(usize::MAX).len(), 1);
    }
}
