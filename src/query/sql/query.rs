//! Compiled queries.

use serde_json::Value as Json;

use crate::domain::{Instant, Place, Refusal};

use super::aggregate::Aggregate;
use super::ast::Clauses;
use super::clauses;
use super::compile::compile;
use super::conditions::Conditions;
use super::expr::{Expr, Path, Row};
use super::lex::Parsed;
use super::members::Members;
use super::run::Run;

/// A compiled query.
#[derive(Clone, Debug)]
pub struct Query {
    /// FROM and every JOIN; empty for a query without FROM, which answers one row whatever the documents are.
    pub(super) sources: Vec<Source>,
    pub(super) filter: Option<Expr>,
    /// What the filter says of every match; nothing where the first source is not the document.
    pub(super) conditions: Conditions,
    pub(super) projection: Projection,
    pub(super) grouping: Option<Grouping>,
    pub(super) order: Vec<Key>,
    pub(super) distinct: bool,
    pub(super) offset: usize,
    pub(super) limit: Option<usize>,
}

/// Where the values of a slot come from: a path from the document or from a slot before.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub each: bool,
    pub path: Path,
}

/// What a row is made of.
#[derive(Clone, Debug)]
pub(super) enum Projection {
    /// The value of the only source.
    Whole,
    Value(Expr),
    Object(Vec<(String, Expr)>),
}

/// The keys of GROUP BY and the aggregates of SELECT: in this order they are the slots of a projection.
#[derive(Clone, Debug)]
pub(super) struct Grouping {
    pub keys: Vec<Expr>,
    pub aggregates: Vec<Aggregate>,
}

/// A key of ORDER BY.
#[derive(Clone, Debug)]
pub(super) struct Key {
    pub value: Expr,
    pub descending: bool,
}

impl Query {
    /// Reads a query. `now` is what `GetCurrentTimestamp()` and `GetCurrentDateTime()` answer.
    ///
    /// # Errors
    /// Status 400 with the place in the text: what was expected there, or the name of what is not supported.
    pub fn parse(text: &str, now: Instant) -> Result<Query, Refusal> {
        compiled(text, clauses::query(text), now)
    }

    /// A query `SELECT * FROM c` with this text behind it: WHERE, ORDER BY, OFFSET and LIMIT, or nothing.
    ///
    /// # Errors
    /// As [`Query::parse`]; places are those of the text given.
    pub fn filter(text: &str, now: Instant) -> Result<Query, Refusal> {
        compiled(text, clauses::filter(text), now)
    }

    /// Whether the query answers each matching document as it is: `SELECT * FROM c WHERE …` and nothing else. Its rows
    /// can be shown as items.
    pub fn is_plain_filter(&self) -> bool {
        let one_by_one = self.order.is_empty() && !self.distinct && self.offset == 0 && self.limit.is_none();
        self.answers_documents() && one_by_one
    }

    /// Whether the rows are whole documents: `SELECT *` from the container.
    pub fn answers_documents(&self) -> bool {
        matches!(self.projection, Projection::Whole) && self.is_of_documents()
    }

    /// The members that a document needs for this query, beside those of the rows if it answers documents.
    pub fn members(&self) -> Members {
        Members::of(self)
    }

    /// Whether all documents are needed before the first row can be answered: for ORDER BY, GROUP BY and aggregates.
    /// DISTINCT alone does not need them.
    pub fn needs_all(&self) -> bool {
        !self.order.is_empty() || self.grouping.is_some()
    }

    /// The constant that WHERE holds a member to in every match, by its path from the root: `id`, `address.city`. Numbers
    /// beyond 2^53, which equal their neighbours, are left out, and so are names with a dot in them.
    pub fn equal(&self, path: &str) -> Option<&Json> {
        self.conditions.equal(path)
    }

    /// The whole numbers between which WHERE holds a member in every match, both included; `None` where it does not.
    pub fn whole_range(&self, path: &str) -> Option<(i64, i64)> {
        self.conditions.whole_range(path)
    }

    /// Whether the document, its system properties included, matches WHERE. Where the query joins, one of its rows must.
    pub fn matches(&self, document: &Json) -> bool {
        if self.is_of_documents() {
            return self.passes(&[Some(document)]);
        }
        let mut found = false;
        self.each_row(document, &mut |row| {
            found = self.passes(row);
            !found
        });
        found
    }

    /// An execution: push documents one after another, take rows as they come, then finish.
    pub fn run(&self) -> Run<'_> {
        Run::new(self)
    }

    /// Whether the only source is the document.
    pub(super) fn is_of_documents(&self) -> bool {
        matches!(self.sources.as_slice(), [source] if source.is_document())
    }

    /// Visits every expression whose names stand for the sources.
    pub(super) fn each_expr(&self, visit: &mut dyn FnMut(&Expr)) {
        self.filter.iter().for_each(&mut *visit);
        self.order.iter().for_each(|key| visit(&key.value));
        match (&self.grouping, &self.projection) {
            // The select list of groups is about keys and aggregates.
            (Some(grouping), _) => {
                grouping.keys.iter().for_each(&mut *visit);
                grouping.aggregates.iter().for_each(|aggregate| visit(&aggregate.argument));
            }
            (None, Projection::Whole) => {}
            (None, Projection::Value(value)) => visit(value),
            (None, Projection::Object(members)) => members.iter().for_each(|(_, value)| visit(value)),
        }
    }

    /// Whether a row passes WHERE.
    pub(super) fn passes(&self, row: Row<'_, '_>) -> bool {
        self.filter.as_ref().is_none_or(|filter| filter.is_true(row))
    }

    /// Visits the rows that a document gives, before WHERE, until one answers false.
    pub(super) fn each_row<'d>(&self, document: &'d Json, visit: &mut dyn FnMut(Row<'_, 'd>) -> bool) {
        // The path of the first source starts at the document; its value then takes the slot.
        let mut row = vec![Some(document)];
        if self.sources.is_empty() {
            visit(&[]);
        } else {
            join(&self.sources, 0, &mut row, visit);
        }
    }
}

/// Puts every value of a source in its slot, and goes on with the next source; false when the visitor has enough.
fn join<'d>(
    sources: &[Source],
    slot: usize,
    row: &mut Vec<Option<&'d Json>>,
    visit: &mut dyn FnMut(Row<'_, 'd>) -> bool,
) -> bool {
    let Some(source) = sources.get(slot) else { return visit(row) };
    let values = match source.path.find(row) {
        Some(Json::Array(items)) if source.each => items.as_slice(),
        Some(value) if !source.each => std::slice::from_ref(value),
        _ => return true,
    };
    let before = row.clone();
    let goes_on = values.iter().all(|value| {
        row.truncate(slot);
        row.push(Some(value));
        join(sources, slot + 1, row, visit)
    });
    *row = before;
    goes_on
}

impl Source {
    pub(super) fn is_document(&self) -> bool {
        !self.each && self.path.steps.is_empty() && self.path.slot == 0
    }
}

fn compiled(text: &str, clauses: Parsed<Clauses>, now: Instant) -> Result<Query, Refusal> {
    clauses.and_then(|clauses| compile(clauses, now)).map_err(|fault| {
        let refusal = Refusal::bad_request(fault.words.into_owned()).at(Place::of_offset(text, fault.at));
        match fault.hint {
            Some(hint) => refusal.with_hint(hint),
            None => refusal,
        }
    })
}
