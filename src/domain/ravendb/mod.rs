//! RavenDB: an absolute `@expires`, runs by the clock, expired documents visible until a run deletes them.

mod configuration;
mod document;
mod expires;
mod explain;
mod id;
mod schedule;

pub use configuration::{Configuration, DEFAULT_FREQUENCY, DEFAULT_MAX_ITEMS};
pub use document::{
    EMPTY_COLLECTION, MAX_DOCUMENT_BYTES, METADATA, NewDocument, SystemMetadata, lookalikes, parse_document,
    render_document, set_expires, with_id,
};
pub use expires::{Expires, Untracked, format_instant, judge_expires};
pub use explain::{Cleaner, explain};
pub use id::{MAX_ID_BYTES, check_id, id_prefix, key_of_id};
pub use schedule::{Queue, Schedule};
