//! Documents of RavenDB: what is stored of them, their collections, their ids, and the runs that delete them.

mod cleaner;
mod collections;
mod ids;
mod runs;
mod stored;

pub use cleaner::Run;
pub(super) use cleaner::Timers;
pub(super) use ids::Ids;
pub(super) use stored::{bytes_of, header_of, row_of, shown, split};
