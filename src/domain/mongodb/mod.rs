//! Azure Cosmos DB for MongoDB: typed documents, a TTL index on `_ts` as the collection's default, and `ttl` in a document.
//!
//! The engine behind is the one of the NoSQL accounts, so the default and its instants are those of
//! [`nosql`](crate::domain::nosql); what differs is which values count and how refusals are worded.

#[cfg(test)]
pub(crate) mod arbitrary;
mod error;
mod explain;
mod index;
mod key;
mod number;
mod pointer;
mod shell_text;
pub mod text;
mod ttl;

pub use error::MongoError;
pub use explain::explain;
pub use index::{
    Creation, TTL_INDEX_NAME, coll_mod, create_ttl_index, expire_after_seconds, id_index, index_name, requested_ttl,
    ttl_index,
};
pub use key::{id_in_key, key_of_id};
pub use number::{Decimal, Number, parse_decimal, parse_double, spell_double};
pub use pointer::{parts as pointer_parts, pointer};
pub use shell_text::{shell_pretty, shell_text};
pub use ttl::{DocumentTtl, Ignored, Reason};

/// How deep documents and arrays may be nested, the document itself counted.
pub const MAX_DEPTH: usize = 128;
