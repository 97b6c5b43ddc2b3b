//! Queries and their executions.

use std::cmp::Ordering;

use serde_json::Value;

use crate::domain::Refusal;

use super::condition::Condition;
use super::parse;
use super::path::Field;
use super::select;
use super::sort::{Key, Sorted};

/// Which documents a query is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum From {
    /// All of the database: `@all_docs`.
    All,
    /// Those of a collection.
    Collection(String),
}

/// A query that was read.
#[derive(Clone, Debug)]
pub struct Query {
    pub(super) from: From,
    pub(super) condition: Condition,
    pub(super) order: Vec<Key>,
    pub(super) select: Vec<(String, Field)>,
    pub(super) skip: usize,
    pub(super) take: Option<usize>,
}

impl Query {
    /// Reads a query.
    ///
    /// # Errors
    /// Status 400 with the place in the text: what was expected there, or the name of what is not supported.
    pub fn parse(text: &str) -> Result<Query, Refusal> {
        parse::query(text).map_err(|fault| fault.refusal(text))
    }

    /// What stands behind `from …`: where, order by, limit, or nothing.
    ///
    /// # Errors
    /// As [`Query::parse`]; places are those of the text given.
    pub fn filter(text: &str) -> Result<Query, Refusal> {
        parse::filter(text).map_err(|fault| fault.refusal(text))
    }

    /// Which documents it is about.
    pub fn from(&self) -> &From {
        &self.from
    }

    /// The id that every match has, where the conditions name one.
    pub fn id(&self) -> Option<&str> {
        self.condition.id()
    }

    /// Whether a document with this id, as clients see it, meets the conditions.
    pub fn matches(&self, document: &Value, id: &str) -> bool {
        self.condition.is_met(document, id)
    }

    /// An execution that hands something over for every row: the row itself, or what it is known by.
    pub fn run<T>(&self) -> Run<'_, T> {
        Run { query: self, sorted: Vec::new(), passed: 0, ready: Vec::new() }
    }

    /// The row of a document.
    pub fn row(&self, document: Value, id: &str) -> Value {
        select::row(&self.select, document, id)
    }
}

/// An execution: push documents that match, then finish.
#[derive(Debug)]
pub struct Run<'q, T> {
    query: &'q Query,
    sorted: Vec<(Vec<Sorted>, T)>,
    passed: usize,
    ready: Vec<T>,
}

impl<T> Run<'_, T> {
    /// A document that matches, and what it hands over. Answers false when no more are needed.
    pub fn push(&mut self, document: &Value, id: &str, row: T) -> bool {
        if self.query.order.is_empty() {
            self.pass(row);
            return self.query.take.is_none_or(|take| self.ready.len() < take);
        }
        self.sorted.push((self.query.order.iter().map(|key| key.of(document, id)).collect(), row));
        true
    }

    /// How many are ready.
    pub fn ready(&self) -> usize {
        self.ready.len()
    }

    /// The rows, after the last document.
    pub fn finish(mut self) -> Vec<T> {
        let order = &self.query.order;
        self.sorted.sort_by(|(a, _), (b, _)| {
            let by_key = order.iter().zip(a.iter().zip(b)).map(|(key, (a, b))| key.compare(a, b));
            by_key.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        });
        for (_, row) in std::mem::take(&mut self.sorted) {
            self.pass(row);
        }
        self.ready
    }

    fn pass(&mut self, row: T) {
        self.passed += 1;
        if self.passed > self.query.skip && self.query.take.is_none_or(|take| self.ready.len() < take) {
            self.ready.push(row);
        }
    }
}
