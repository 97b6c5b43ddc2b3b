//! The query language of MongoDB on BSON documents: filters, projections, sort orders, updates.
//!
//! What the language has and this does not is refused by its name, never ignored.

mod compile;
mod document;
mod filter;
mod modify;
mod order;
mod path;
mod projection;
mod sort;
mod types;
mod update;

pub use document::{check_storable, with_id};
pub use filter::Filter;
pub use order::order;
pub use path::values_at;
pub use projection::Projection;
pub use sort::Sort;
pub use update::Update;
