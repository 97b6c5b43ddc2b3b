//! The filter above the list of items: what is typed, what is applied, what it found.

use std::borrow::Cow;

use crate::domain::Refusal;
use crate::domain::words;
use crate::engine::{Api, Container, Filtered, Kind, View, Way};

use super::TextField;

/// A filter that takes longer is not run again by itself when an item changes, in milliseconds.
const QUICK: f64 = 50.0;
/// Filters that are remembered.
const HISTORY: usize = 100;

/// The filter of the open container.
#[derive(Clone, Debug, Default)]
pub struct FilterBar {
    /// What is typed.
    pub field: TextField,
    /// What the list is filtered by.
    pub applied: Option<String>,
    /// What is being read now, and how many documents were read so far.
    pub running: Option<(String, u64)>,
    /// What the applied filter found.
    pub found: Option<Found>,
    /// What is wrong with what was typed.
    pub error: Option<Refusal>,
    /// Items changed since the applied filter was run.
    pub changed: bool,
    history: Vec<(Api, String)>,
    recalled: Option<usize>,
}

/// The numbers of a filter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// Rows that were found.
    pub rows: usize,
    /// There are more than those.
    pub more: bool,
    /// Documents that were read.
    pub read: u64,
    /// How they were found.
    pub way: Way,
    /// How long it took, in milliseconds.
    pub took_millis: f64,
}

impl From<&Filtered> for Found {
    fn from(filtered: &Filtered) -> Found {
        Found {
            rows: filtered.rows.len(),
            more: filtered.more,
            read: filtered.read,
            way: filtered.way,
            took_millis: filtered.took_millis,
        }
    }
}

impl Found {
    /// `12 items · 1,204 read in 3.2 ms`.
    pub fn words(self, noun: &str) -> String {
        let first = if self.more { "the first " } else { "" };
        let rows = format!("{first}{}", words::counted(self.rows as u64, noun));
        found_words(&rows, self.read, noun, self.way, self.took_millis)
    }
}

/// `12 rows · 1,204 items read in 3.2 ms`: how what was found was found.
pub fn found_words(rows: &str, read: u64, noun: &str, way: Way, took_millis: f64) -> String {
    let took = words::span(took_millis);
    match way {
        Way::Key => format!("{rows} · {} in {took}", way.words()),
        _ => format!("{rows} · {} {} in {took}", words::counted(read, noun), way.words()),
    }
}

impl FilterBar {
    /// What stands before what is typed.
    pub fn prefix(container: &Container) -> Cow<'static, str> {
        match &container.kind {
            Kind::NoSql { .. } => "SELECT * FROM c".into(),
            Kind::MongoDb { .. } => "find".into(),
            Kind::Documents { .. } => "from @all_docs".into(),
            Kind::Collection { .. } => format!("from {}", container.name).into(),
        }
    }

    /// What may be typed, for the empty field.
    pub fn placeholder(api: Api) -> &'static str {
        match api {
            Api::NoSql => "WHERE c.ttl > 60",
            Api::MongoDb => "{ ttl: { $gt: 60 } }",
            Api::RavenDb => "where exists(@metadata.@expires)",
        }
    }

    /// Whether expired items are shown.
    pub fn shows_hidden(&self) -> bool {
        self.applied.as_deref().is_some_and(|text| View::of(text) == Ok(Some(View::Hidden)))
    }

    /// Whether a filter is in force or being read.
    pub fn is_on(&self) -> bool {
        self.applied.is_some() || self.running.is_some()
    }

    /// Without a filter, of another container; what was typed before is remembered.
    pub fn reset(&mut self) {
        let history = std::mem::take(&mut self.history);
        *self = FilterBar { history, ..FilterBar::default() };
    }

    /// What is typed is to be what is applied again.
    pub fn restore(&mut self) {
        self.field = TextField::new(self.applied.as_deref().unwrap_or_default());
        self.error = None;
        self.recalled = None;
    }

    /// It is read now; kept for later, too.
    pub fn start(&mut self, api: Api, text: &str) {
        self.running = Some((text.to_owned(), 0));
        self.error = None;
        self.recalled = None;
        self.history.retain(|kept| (kept.0, kept.1.as_str()) != (api, text));
        self.history.push((api, text.to_owned()));
        if self.history.len() > HISTORY {
            self.history.remove(0);
        }
    }

    /// It found this.
    pub fn finish(&mut self, found: Found) {
        if let Some((text, _)) = self.running.take() {
            self.applied = Some(text);
        }
        self.found = Some(found);
        self.changed = false;
    }

    /// Whether to read it again for each change.
    pub fn is_quick(&self) -> bool {
        self.found.is_none_or(|found| found.took_millis <= QUICK)
    }

    /// Puts an older filter of this system, or a newer one, into the field.
    pub fn recall(&mut self, api: Api, older: bool) {
        let kept: Vec<&str> = self.history.iter().filter(|(of, _)| *of == api).map(|(_, text)| text.as_str()).collect();
        let at = match (self.recalled, older) {
            (None, true) => kept.len().checked_sub(1),
            (Some(at), true) => Some(at.saturating_sub(1)),
            (Some(at), false) => Some(at + 1).filter(|at| *at < kept.len()),
            (None, false) => None,
        };
        if let Some(at) = at {
            self.field = TextField::new(kept[at]);
        } else if self.recalled.is_some() {
            self.field = TextField::default();
        }
        self.recalled = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_history_is_of_the_same_system() {
        let mut bar = FilterBar::default();
        for (api, text) in [(Api::NoSql, "one"), (Api::MongoDb, "{}"), (Api::NoSql, "two"), (Api::NoSql, "one")] {
            bar.start(api, text);
        }
        let mut seen = Vec::new();
        for older in [true, true, true, false, false] {
            bar.recall(Api::NoSql, older);
            seen.push(bar.field.value().to_owned());
        }
        assert_eq!(seen, ["one", "two", "two", "one", ""]);
    }

    #[test]
    fn numbers_in_words() {
        let found = Found { rows: 10_000, more: true, read: 12_345, way: Way::Scan, took_millis: 3.2 };
        assert_eq!(found.words("item"), "the first 10,000 items · 12,345 items read in 3.2 ms");
        let found = Found { rows: 1, more: false, read: 1, way: Way::Key, took_millis: 3.2 };
        assert_eq!(found.words("item"), "1 item · found by its key in 3.2 ms");
    }
}
