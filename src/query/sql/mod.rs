//! The query language of Azure Cosmos DB for NoSQL on JSON documents: its parser and its evaluator.
//!
//! A text becomes tokens (`lex`), clauses and expressions (`clauses`, `expression`), and these are compiled once into
//! paths, constants and functions (`compile`) that are evaluated for every document (`expr`, `run`).
//! What the language has and this does not is refused by its name and place, never ignored.

mod aggregate;
mod ast;
mod clauses;
mod compile;
mod conditions;
mod expr;
mod expression;
mod functions;
mod lex;
mod like;
mod members;
mod parser;
mod query;
mod run;
mod string;
mod value;

pub use members::Members;
pub use query::Query;
pub use run::Run;

#[cfg(test)]
#[path = "tests/mod.rs"]
mod tests;
