//! Orders of documents.

use std::cmp::Ordering;

use serde_json::Value;

use super::path::Field;

/// As what values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sorting {
    /// Character by character, numbers too: 1, 10, 2. What RavenDB does when nothing is said.
    Text,
    /// Whole numbers or numbers with a fraction; what is no number comes first.
    Number,
    /// Digits inside a text as the number that they are.
    AlphaNumeric,
}

/// A field that documents are sorted by.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub field: Field,
    pub sorting: Sorting,
    pub descending: bool,
}

/// What a document is sorted by; nothing, where the field is missing or null, comes before everything.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Sorted {
    Nothing,
    Text(String),
    Number(f64),
    Parts(Vec<(String, Option<u128>)>),
}

impl Key {
    pub fn of(&self, document: &Value, id: &str) -> Sorted {
        let mut found = Sorted::Nothing;
        self.field.any(document, id, &mut |value| {
            found = match (self.sorting, value) {
                (_, Value::Null) => Sorted::Nothing,
                (Sorting::Number, Value::Number(n)) => n.as_f64().map_or(Sorted::Nothing, Sorted::Number),
                (Sorting::Number, _) => Sorted::Nothing,
                (Sorting::Text, value) => Sorted::Text(words(value)),
                (Sorting::AlphaNumeric, value) => Sorted::Parts(parts(&words(value))),
            };
            true
        });
        found
    }

    pub fn compare(&self, a: &Sorted, b: &Sorted) -> Ordering {
        let order = match (a, b) {
            (Sorted::Nothing, Sorted::Nothing) => Ordering::Equal,
            (Sorted::Nothing, _) => Ordering::Less,
            (_, Sorted::Nothing) => Ordering::Greater,
            (Sorted::Text(a), Sorted::Text(b)) => a.cmp(b),
            (Sorted::Number(a), Sorted::Number(b)) => a.total_cmp(b),
            (Sorted::Parts(a), Sorted::Parts(b)) => a.cmp(b),
            // One key makes values of one kind.
            _ => Ordering::Equal,
        };
        if self.descending { order.reverse() } else { order }
    }
}

/// Texts in an index have no case.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_lowercase(),
        other => other.to_string(),
    }
}

/// A text as letters and the number behind them, again and again.
fn parts(text: &str) -> Vec<(String, Option<u128>)> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let letters = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let behind = &rest[letters..];
        let digits = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
        parts.push((rest[..letters].to_owned(), behind[..digits].parse().ok()));
        rest = &behind[digits..];
    }
    parts
}
