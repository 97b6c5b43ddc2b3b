//! What happened, told to whoever subscribed, in the order in which it happened.

use std::sync::Arc;

use crate::domain::nosql::DefaultTtl;
use crate::domain::ravendb::Configuration;
use crate::store::ContainerNo;

use super::{Catalog, ClockState, Key, Run, SweepReport, SweeperState};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A database or container was made, changed or deleted.
    CatalogChanged(Arc<Catalog>),
    /// A container's Time to Live was saved. (A [`Event::CatalogChanged`] comes with it.)
    TtlChanged {
        /// The container.
        container: ContainerNo,
        /// Its setting before.
        before: DefaultTtl,
        /// Its setting now.
        now: DefaultTtl,
    },
    /// Items were written: one, or a batch.
    Written {
        /// The container.
        container: ContainerNo,
        /// How many.
        count: u64,
        /// The key, when it was one item.
        key: Option<Key>,
    },
    /// Items were deleted by a person.
    Deleted {
        /// The container.
        container: ContainerNo,
        /// How many.
        count: u64,
        /// The key, when it was one item.
        key: Option<Key>,
    },
    /// Items passed their time: they are hidden, their bytes wait for the background deletion.
    Expired {
        /// The container.
        container: ContainerNo,
        /// How many since the last such event.
        count: u64,
    },
    /// The background deletion ran over a container.
    Swept(SweepReport),
    /// A run of Document Expiration deleted documents of a RavenDB database. ([`Event::Swept`] came before it.)
    Ran {
        /// All documents of the database.
        container: ContainerNo,
        /// The run.
        run: Run,
    },
    /// A configuration of Document Expiration was saved. ([`Event::CatalogChanged`] came before it.)
    ExpirationChanged {
        /// All documents of the database.
        container: ContainerNo,
        /// The configuration before.
        before: Option<Configuration>,
        /// The configuration now.
        now: Configuration,
    },
    /// The background deletion was paused, resumed, delayed or has another next run.
    SweeperChanged(SweeperState),
    /// The clock was moved, paused, or runs at another rate.
    ClockChanged(ClockState),
    /// The store cannot do its work: why, and what to do.
    StoreFailed(String),
}
