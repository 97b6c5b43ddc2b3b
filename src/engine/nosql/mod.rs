//! Operations on the items of a container of the API for NoSQL.

mod document;
mod item;

pub use document::Document;
pub(super) use document::{fate_of, row_of};
