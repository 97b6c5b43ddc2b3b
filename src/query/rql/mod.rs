//! RQL, the query language of RavenDB, on JSON documents: its parser and its evaluator.
//!
//! `from … where … order by … select … limit …`, as RavenDB's pages on querying describe them. What the language has and
//! this does not is refused by its name and place, never ignored.

mod condition;
mod lex;
mod parse;
mod path;
mod query;
mod select;
mod sort;

pub use query::{From, Query, Run};

#[cfg(test)]
mod tests;
