//! The rules of expiration, as pure functions.
//!
//! `now` is always a parameter: nothing here reads a clock, a file or a store.

pub mod clock;
pub mod json;
pub mod mongodb;
pub mod nosql;
pub mod ravendb;
pub mod refusal;
pub mod time;
pub mod words;

pub use refusal::{Place, Refusal};
pub use time::Instant;
