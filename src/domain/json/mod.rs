//! JSON as text: documents are kept as they were typed, so that numbers, order of keys and spacing survive.
//!
//! A [`serde_json::Value`] is made only where something is evaluated.

mod format;
mod scan;
mod splice;

pub use format::{pretty, string_end};
pub use scan::{Member, Scanned, scan_object};
pub use splice::{append_members, insert_member_first, remove_members, set_members};

/// How deep arrays and objects may be nested: serde_json's own limit.
pub const MAX_DEPTH: usize = 128;
