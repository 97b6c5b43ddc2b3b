//! Predicates, projections, orders and changes on documents: pure functions, called by the engine alone.

pub mod mongodb;
pub mod rql;
pub mod sql;
