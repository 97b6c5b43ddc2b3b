//! Conditions, and whether a document meets them.

use std::cmp::Ordering;

use serde_json::Value;

use super::path::Field;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A condition. Texts are compared without their case, unless it is `exact`.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// `true`: every document.
    Always,
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Compare {
        field: Field,
        how: Comparison,
        to: Value,
        exact: bool,
    },
    Between {
        field: Field,
        low: Value,
        high: Value,
        exact: bool,
    },
    /// One of the values stands there.
    In {
        field: Field,
        values: Vec<Value>,
        exact: bool,
    },
    /// All of the values stand there.
    AllIn {
        field: Field,
        values: Vec<Value>,
        exact: bool,
    },
    Exists(Field),
    StartsWith {
        field: Field,
        text: String,
        exact: bool,
    },
    EndsWith {
        field: Field,
        text: String,
        exact: bool,
    },
    Search {
        field: Field,
        words: Vec<String>,
        all: bool,
    },
}

impl Condition {
    /// Whether the document meets it. A field that is missing equals nothing, not even null, so that `!=` and `not` let
    /// such documents through.
    pub fn is_met(&self, document: &Value, id: &str) -> bool {
        let any = |field: &Field, test: &mut dyn FnMut(&Value) -> bool| field.any(document, id, test);
        match self {
            Condition::Always => true,
            Condition::Not(part) => !part.is_met(document, id),
            Condition::All(parts) => parts.iter().all(|part| part.is_met(document, id)),
            Condition::Any(parts) => parts.iter().any(|part| part.is_met(document, id)),
            Condition::Compare { field, how: Comparison::NotEqual, to, exact } => {
                !any(field, &mut |value| compare(value, to, *exact) == Some(Ordering::Equal))
            }
            Condition::Compare { field, how, to, exact } => {
                any(field, &mut |value| compare(value, to, *exact).is_some_and(|order| holds(*how, order)))
            }
            Condition::Between { field, low, high, exact } => any(field, &mut |value| {
                compare(value, low, *exact).is_some_and(Ordering::is_ge)
                    && compare(value, high, *exact).is_some_and(Ordering::is_le)
            }),
            Condition::In { field, values, exact } => {
                any(field, &mut |value| values.iter().any(|one| compare(value, one, *exact) == Some(Ordering::Equal)))
            }
            Condition::AllIn { field, values, exact } => {
                values.iter().all(|one| any(field, &mut |value| compare(value, one, *exact) == Some(Ordering::Equal)))
            }
            // An empty array is there, though nothing stands in it.
            Condition::Exists(field) => field.value(document, id).is_some(),
            Condition::StartsWith { field, text, exact } => {
                any(field, &mut |value| is_text(value, *exact, |found, wanted| found.starts_with(wanted), text))
            }
            Condition::EndsWith { field, text, exact } => {
                any(field, &mut |value| is_text(value, *exact, |found, wanted| found.ends_with(wanted), text))
            }
            Condition::Search { field, words, all } => {
                let mut found = vec![false; words.len()];
                any(field, &mut |value| {
                    if let Value::String(text) = value {
                        search(text, words, &mut found);
                    }
                    false
                });
                if *all { found.iter().all(|word| *word) } else { found.contains(&true) }
            }
        }
    }

    /// The id that every match has.
    pub fn id(&self) -> Option<&str> {
        match self {
            Condition::Compare { field: Field::Id, how: Comparison::Equal, to: Value::String(id), .. } => Some(id),
            Condition::All(parts) => parts.iter().find_map(Condition::id),
            _ => None,
        }
    }
}

fn holds(how: Comparison, order: Ordering) -> bool {
    match how {
        Comparison::Equal => order.is_eq(),
        Comparison::NotEqual => order.is_ne(),
        Comparison::Less => order.is_lt(),
        Comparison::LessOrEqual => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::GreaterOrEqual => order.is_ge(),
    }
}

/// The order of two values of one type; of others there is none. Null and the truth values have equality alone.
fn compare(value: &Value, to: &Value, exact: bool) -> Option<Ordering> {
    match (value, to) {
        (Value::Number(a), Value::Number(b)) => match (a.as_i64(), b.as_i64()) {
            (Some(a), Some(b)) => Some(a.cmp(&b)),
            _ => a.as_f64()?.partial_cmp(&b.as_f64()?),
        },
        (Value::String(a), Value::String(b)) if exact => Some(a.cmp(b)),
        (Value::String(a), Value::String(b)) => Some(a.to_lowercase().cmp(&b.to_lowercase())),
        (Value::Bool(a), Value::Bool(b)) if a == b => Some(Ordering::Equal),
        (Value::Null, Value::Null) => Some(Ordering::Equal),
        _ => None,
    }
}

fn is_text(value: &Value, exact: bool, test: fn(&str, &str) -> bool, wanted: &str) -> bool {
    match value {
        Value::String(text) if exact => test(text, wanted),
        Value::String(text) => test(&text.to_lowercase(), &wanted.to_lowercase()),
        _ => false,
    }
}

/// Ticks the words off that stand in the text; a star at either end stands for the rest of a word.
fn search(text: &str, words: &[String], found: &mut [bool]) {
    let text = text.to_lowercase();
    for token in text.split(|c: char| !c.is_alphanumeric()).filter(|token| !token.is_empty()) {
        for (word, found) in words.iter().zip(found.iter_mut()) {
            let bare = word.trim_matches('*');
            *found |= match (word.starts_with('*'), word.ends_with('*')) {
                (true, true) => token.contains(bare),
                (true, false) => token.ends_with(bare),
                (false, true) => token.starts_with(bare),
                (false, false) => token == bare,
            };
        }
    }
}
