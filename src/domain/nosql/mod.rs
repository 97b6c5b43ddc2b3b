//! Azure Cosmos DB for NoSQL: container default and item override, relative to the last write.

mod explain;
mod fate;
mod horizon;
mod identity;
mod item;
mod partition;
mod ttl;

pub use explain::explain;
pub use fate::{Fate, NeverBecause, Source, fate};
pub use horizon::{Horizon, horizon};
pub use identity::{IdFault, check_name};
pub use item::{NewItem, SYSTEM_PROPERTIES, SystemProperties, lookalikes, parse_item, render_item};
pub use partition::{ItemKey, PartitionKey, PartitionValue};
pub use ttl::{DefaultTtl, ItemTtl, MAX_TTL, parse_default_seconds, parse_item_ttl};
