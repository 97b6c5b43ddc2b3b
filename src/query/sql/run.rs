//! Executions: documents in, rows out.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use serde_json::Value as Json;

use super::aggregate::State;
use super::expr::{self, Row};
use super::query::{Grouping, Projection, Query};
use super::value::{order, write_key};

/// An execution of a query.
#[derive(Debug)]
pub struct Run<'q> {
    query: &'q Query,
    ready: Vec<Json>,
    sorted: Vec<Sorted>,
    groups: Groups,
    /// The rows that DISTINCT has let pass.
    seen: HashSet<Vec<u8>>,
    /// How many rows OFFSET has left out, and how many were let pass.
    skipped: usize,
    passed: usize,
}

/// A row and what it is sorted by.
#[derive(Debug)]
struct Sorted {
    keys: Vec<Option<Json>>,
    row: Json,
}

/// The groups in the order of their first documents.
#[derive(Debug, Default)]
struct Groups {
    places: HashMap<Vec<u8>, usize>,
    groups: Vec<Group>,
}

#[derive(Debug)]
struct Group {
    keys: Vec<Option<Json>>,
    states: Vec<State>,
}

impl<'q> Run<'q> {
    pub(super) fn new(query: &'q Query) -> Self {
        let mut run = Run {
            query,
            ready: Vec::new(),
            sorted: Vec::new(),
            groups: Groups::default(),
            seen: HashSet::new(),
            skipped: 0,
            passed: 0,
        };
        match &query.grouping {
            // Without GROUP BY there is one group, of no documents perhaps.
            Some(grouping) if grouping.keys.is_empty() => run.groups.add_group(Vec::new(), grouping),
            _ => {}
        }
        if query.sources.is_empty() {
            run.document(&Json::Null);
        }
        run
    }

    /// Gives a document in, its system properties included. Answers false when no more are needed: TOP or LIMIT is
    /// reached, or the query has no FROM.
    pub fn push(&mut self, document: Json) -> bool {
        if !self.needs_more() {
            return false;
        }
        let query = self.query;
        if query.answers_documents() {
            // The document itself is the row: it is not copied.
            if query.passes(&[Some(&document)]) {
                let keys = self.keys(&[Some(&document)]);
                self.give(keys, document);
            }
        } else {
            self.document(&document);
        }
        self.needs_more()
    }

    /// The rows that are ready.
    pub fn take(&mut self) -> Vec<Json> {
        std::mem::take(&mut self.ready)
    }

    /// The rest, after the last document.
    pub fn finish(mut self) -> Vec<Json> {
        let query = self.query;
        if let Some(grouping) = &query.grouping {
            for group in std::mem::take(&mut self.groups.groups) {
                let results = group.states.into_iter().zip(&grouping.aggregates);
                let results = results.map(|(state, aggregate)| state.result(aggregate.kind));
                let values: Vec<Option<Json>> = group.keys.into_iter().chain(results).collect();
                let row: Vec<Option<&Json>> = values.iter().map(Option::as_ref).collect();
                if let Some(row) = project(&query.projection, &row) {
                    self.pass(row);
                }
            }
        }
        self.sort();
        for sorted in std::mem::take(&mut self.sorted) {
            self.pass(sorted.row);
        }
        self.ready
    }

    fn needs_more(&self) -> bool {
        let full = self.query.limit.is_some_and(|limit| limit == 0 || self.passed >= limit);
        !full && !self.query.sources.is_empty()
    }

    /// The rows of one document.
    fn document(&mut self, document: &Json) {
        let query = self.query;
        query.each_row(document, &mut |row| {
            if query.passes(row) {
                match &query.grouping {
                    Some(grouping) => self.groups.add(grouping, row),
                    None => {
                        if let Some(projected) = project(&query.projection, row) {
                            let keys = self.keys(row);
                            self.give(keys, projected);
                        }
                    }
                }
            }
            query.sources.is_empty() || self.needs_more()
        });
    }

    fn keys(&self, row: Row<'_, '_>) -> Vec<Option<Json>> {
        self.query.order.iter().map(|key| key.value.eval(row).into_json()).collect()
    }

    /// Takes a row in: it passes at once, or waits for its place.
    fn give(&mut self, keys: Vec<Option<Json>>, row: Json) {
        if keys.is_empty() {
            return self.pass(row);
        }
        self.sorted.push(Sorted { keys, row });
        // Rows that cannot be among the first ones are dropped from time to time.
        const SPARE: usize = 1024;
        if let (Some(limit), false) = (self.query.limit, self.query.distinct) {
            let wanted = self.query.offset.saturating_add(limit);
            if self.sorted.len() >= wanted.saturating_mul(2).saturating_add(SPARE) {
                self.sort();
                self.sorted.truncate(wanted);
            }
        }
    }

    /// Sorts the rows that wait. Those that are equal stay as they came.
    ///
    /// A document without the key comes first in ascending order. The service answers so when its index covers the
    /// path, and leaves such documents out when it does not.
    fn sort(&mut self) {
        let directions = &self.query.order;
        self.sorted.sort_by(|a, b| {
            let pairs = a.keys.iter().zip(&b.keys).zip(directions);
            let by_key = |((a, b), key): ((&Option<Json>, &Option<Json>), &super::query::Key)| {
                let order = order(a.as_ref(), b.as_ref());
                if key.descending { order.reverse() } else { order }
            };
            pairs.map(by_key).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        });
    }

    /// Lets a row pass DISTINCT, OFFSET and LIMIT, in this order.
    fn pass(&mut self, row: Json) {
        if self.query.distinct {
            let mut key = Vec::new();
            write_key(Some(&row), &mut key);
            if !self.seen.insert(key) {
                return;
            }
        }
        if self.skipped < self.query.offset {
            self.skipped += 1;
        } else if self.query.limit.is_none_or(|limit| self.passed < limit) {
            self.passed += 1;
            self.ready.push(row);
        }
    }
}

/// The row that SELECT makes; none where the value is undefined.
fn project(projection: &Projection, row: Row<'_, '_>) -> Option<Json> {
    match projection {
        Projection::Whole => row.first().copied().flatten().cloned(),
        Projection::Value(value) => value.eval(row).into_json(),
        Projection::Object(members) => expr::object(members, row).into_json(),
    }
}

impl Groups {
    fn add(&mut self, grouping: &Grouping, row: Row<'_, '_>) {
        let keys: Vec<Option<Json>> = grouping.keys.iter().map(|key| key.eval(row).into_json()).collect();
        let mut written = Vec::new();
        keys.iter().for_each(|key| write_key(key.as_ref(), &mut written));
        let place = match self.places.get(&written) {
            Some(place) => *place,
            // The group without keys is there already.
            None if keys.is_empty() => 0,
            None => {
                self.places.insert(written, self.groups.len());
                self.add_group(keys, grouping);
                self.groups.len() - 1
            }
        };
        for (state, aggregate) in self.groups[place].states.iter_mut().zip(&grouping.aggregates) {
            state.add(aggregate, row);
        }
    }

    fn add_group(&mut self, keys: Vec<Option<Json>>, grouping: &Grouping) {
        self.groups.push(Group { keys, states: vec![State::default(); grouping.aggregates.len()] });
    }
}
