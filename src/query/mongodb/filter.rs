//! Filters: which documents a `find` answers, a `deleteMany` removes, an `updateMany` changes.

use std::cmp::Ordering;

use bson::{Bson, Document};
use regex::Regex;

use crate::domain::mongodb::{MongoError, Number};

use super::compile;
use super::order::{equal, order, rank};
use super::path::{Path, any_at};
use super::types::TypeName;

/// A compiled filter.
#[derive(Clone, Debug)]
pub struct Filter {
    clause: Clause,
    equalities: Vec<(String, Bson)>,
}

impl Filter {
    /// Compiles a filter document; an empty one matches everything.
    ///
    /// # Errors
    /// Code 2, BadValue, for an unknown operator, by its name, and for an operand that an operator does not take.
    pub fn new(filter: &Document) -> Result<Filter, MongoError> {
        Ok(Filter { clause: compile::document(filter)?, equalities: compile::equalities(filter) })
    }

    /// Whether the document matches.
    pub fn matches(&self, document: &Document) -> bool {
        self.clause.matches(document)
    }

    /// The fields at the top that the filter holds to one value: what an upsert starts from.
    pub fn equalities(&self) -> &[(String, Bson)] {
        &self.equalities
    }

    /// The one `_id` that can match, if the filter names it: the document can be read by its key.
    pub fn id(&self) -> Option<&Bson> {
        self.equalities.iter().find(|(path, _)| path == "_id").map(|(_, value)| value)
    }
}

/// A condition on a document.
#[derive(Clone, Debug)]
pub(super) enum Clause {
    All(Vec<Clause>),
    Any(Vec<Clause>),
    Not(Box<Clause>),
    At(Path, Test),
}

impl Clause {
    pub fn matches(&self, document: &Document) -> bool {
        match self {
            Clause::All(clauses) => clauses.iter().all(|clause| clause.matches(document)),
            Clause::Any(clauses) => clauses.iter().any(|clause| clause.matches(document)),
            Clause::Not(clause) => !clause.matches(document),
            Clause::At(path, test) => test.holds_at(document, path),
        }
    }
}

/// A condition on what a path leads to.
#[derive(Clone, Debug)]
pub(super) enum Test {
    /// All of them; each may be met by another element of an array.
    Every(Vec<Test>),
    Not(Box<Test>),
    /// Conditions that look at a value, and at the elements of an array.
    Leaf(Leaf),
    Exists,
    Size(usize),
    /// An element of the array that meets the conditions at once.
    ElementDocument(Box<Clause>),
    ElementValue(Box<Test>),
}

/// A condition on one value. `None` is a missing field.
#[derive(Clone, Debug)]
pub(super) enum Leaf {
    Equal(Bson),
    Compare(Bson, Comparison),
    In(Vec<Leaf>),
    Matches(Regex, bson::Regex),
    Type(Vec<TypeName>),
    Mod { divisor: i64, remainder: i64 },
}

/// `$lt`, `$lte`, `$gt`, `$gte`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Test {
    fn holds_at(&self, document: &Document, path: &[String]) -> bool {
        match self {
            Test::Every(tests) => tests.iter().all(|test| test.holds_at(document, path)),
            Test::Not(test) => !test.holds_at(document, path),
            simple => any_at(document, path, &mut |value| simple.holds(value)),
        }
    }

    /// Whether it holds for one value that a path leads to.
    fn holds(&self, value: Option<&Bson>) -> bool {
        let items = match value {
            Some(Bson::Array(items)) => Some(items),
            _ => None,
        };
        match self {
            Test::Every(tests) => tests.iter().all(|test| test.holds(value)),
            Test::Not(test) => !test.holds(value),
            Test::Leaf(leaf) => {
                leaf.holds(value) || items.is_some_and(|items| items.iter().any(|item| leaf.holds(Some(item))))
            }
            Test::Exists => value.is_some(),
            Test::Size(size) => items.is_some_and(|items| items.len() == *size),
            Test::ElementDocument(clause) => items.is_some_and(|items| {
                items.iter().any(|item| matches!(item, Bson::Document(document) if clause.matches(document)))
            }),
            Test::ElementValue(test) => items.is_some_and(|items| items.iter().any(|item| test.holds(Some(item)))),
        }
    }
}

impl Leaf {
    fn holds(&self, value: Option<&Bson>) -> bool {
        match self {
            // A missing field counts as null.
            Leaf::Equal(Bson::Null) => matches!(value, None | Some(Bson::Null | Bson::Undefined)),
            Leaf::Equal(wanted) => value.is_some_and(|value| equal(value, wanted)),
            Leaf::Compare(bound, comparison) => compare(value, bound, *comparison),
            Leaf::In(any) => any.iter().any(|leaf| leaf.holds(value)),
            Leaf::Matches(regex, itself) => match value {
                Some(Bson::String(text) | Bson::Symbol(text)) => regex.is_match(text),
                Some(Bson::RegularExpression(stored)) => stored == itself,
                _ => false,
            },
            Leaf::Type(types) => value.is_some_and(|value| types.iter().any(|name| name.fits(value))),
            Leaf::Mod { divisor, remainder } => {
                let number = value.and_then(Number::of).and_then(|number| number.truncated());
                // i64::MIN by -1 overflows; its remainder is 0.
                number.is_some_and(|n| n.wrapping_rem(*divisor) == *remainder)
            }
        }
    }
}

/// Values compare with a bound of their own rank of types only; MinKey and MaxKey compare with everything.
fn compare(value: Option<&Bson>, bound: &Bson, comparison: Comparison) -> bool {
    let or_equal = matches!(comparison, Comparison::LessOrEqual | Comparison::GreaterOrEqual);
    if *bound == Bson::Null {
        return or_equal && Leaf::Equal(Bson::Null).holds(value);
    }
    let Some(value) = value else { return false };
    if !matches!(bound, Bson::MinKey | Bson::MaxKey) && rank(value) != rank(bound) {
        return false;
    }
    let is_nan = |value| Number::of(value).is_some_and(|number| number.is_nan());
    if is_nan(value) || is_nan(bound) {
        return or_equal && is_nan(value) && is_nan(bound);
    }
    match (comparison, order(value, bound)) {
        (Comparison::Less | Comparison::LessOrEqual, Ordering::Less) => true,
        (Comparison::Greater | Comparison::GreaterOrEqual, Ordering::Greater) => true,
        (_, Ordering::Equal) => or_equal,
        _ => false,
    }
}

#[cfg(test)]
#[path = "filter_tests.rs"]
mod tests;
