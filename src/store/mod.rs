//! The embedded store: fjall, and the only module that names it.
//!
//! An item, its entry in the expiry index and the counts of its container are kept by one atomic write.
//! The index has two ordered halves: [`Expiry::Inherit`] entries are keyed by the instant of the last
//! write, so that a container's default never stands in a key and changing it costs nothing;
//! [`Expiry::Own`] entries are keyed by the instant of expiration itself.
//!
//! The store knows no rules and no clock. Instants are opaque, ordered `i64`s whose unit belongs to the
//! container (seconds since 1970 UTC for Cosmos DB, 100 ns ticks for RavenDB).

use serde::{Deserialize, Serialize};

/// Number of a container inside a store. Never reused, not even after the container was deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ContainerNo(pub u32);
