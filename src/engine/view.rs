//! Questions and answers of the lists: windows of rows, the countdown, totals, previews.

use crate::domain::{Instant, words};
use crate::store::ContainerNo;

use super::{DatabaseNo, Key, Row};

/// A number that was counted up to a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Count {
    /// The number counted.
    pub n: u64,
    /// `true` when counting stopped at the limit and there are more.
    pub more: bool,
}

impl Count {
    /// With its noun: `12 items`, `more than 100,000 items`.
    pub fn words(self, noun: &str) -> String {
        if self.more { format!("more than {} {noun}s", words::count(self.n)) } else { words::counted(self.n, noun) }
    }
}

/// Where a window of items is anchored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// At the first item.
    First,
    /// At the last item.
    Last,
    /// At the item with this key or, when it is gone, at the next one behind it (or, at the end, the last one).
    At(Key),
}

/// Asks for the visible items of a container around an anchor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowRequest {
    /// The container.
    pub container: ContainerNo,
    /// Where.
    pub anchor: Anchor,
    /// How many rows before the anchor.
    pub before: usize,
    /// How many rows from the anchor on, itself included.
    pub after: usize,
}

/// Rows in the order of the container's keys. Expired items are not among them.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Window {
    /// The rows.
    pub rows: Vec<Row>,
    /// The index in `rows` of the anchor's row; 0 when there are no rows.
    pub anchor: usize,
    /// No item stands before the first row.
    pub starts: bool,
    /// No item stands behind the last row.
    pub ends: bool,
}

/// What a countdown looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// All databases.
    Everything,
    /// All containers of a database.
    Database(DatabaseNo),
    /// One container.
    Container(ContainerNo),
}

/// A place in the order of the countdown: by instant of expiration, then container, then key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// When the item expires.
    pub at: Instant,
    /// Its container.
    pub container: ContainerNo,
    /// Its key.
    pub key: Key,
}

/// Where a window of the countdown is anchored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CountdownAnchor {
    /// At the first item that is not expired yet.
    Now,
    /// At the first of all: the one hidden for longest, or the next to expire.
    First,
    /// At the last of all to expire.
    Last,
    /// At this place or behind it.
    At(Position),
}

/// Asks for items around an anchor, in the order in which they expire. Expired ones that wait for their deletion are
/// among them; items that never expire are not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountdownRequest {
    /// Which containers.
    pub scope: Scope,
    /// Where.
    pub anchor: CountdownAnchor,
    /// How many rows before the anchor.
    pub before: usize,
    /// How many rows from the anchor on, itself included.
    pub after: usize,
}

/// A row of the countdown.
#[derive(Clone, Debug, PartialEq)]
pub struct CountdownRow {
    /// Its place in the order.
    pub position: Position,
    /// The item.
    pub row: Row,
    /// The run that will delete it: of RavenDB, where expiration is on and the run is known.
    pub run: Option<Instant>,
}

/// Rows in the order in which they expire.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct CountdownWindow {
    /// The rows.
    pub rows: Vec<CountdownRow>,
    /// The index in `rows` of the anchor's row (`rows.len()` when nothing stands at it or behind it).
    pub anchor: usize,
    /// Nothing stands before the first row.
    pub starts: bool,
    /// Nothing stands behind the last row.
    pub ends: bool,
}

/// The numbers above a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Totals {
    /// Items stored, visible or hidden.
    pub stored: u64,
    /// Expired items whose bytes wait for the background deletion.
    pub hidden: Count,
    /// Expired items that are seen until a run deletes them: RavenDB.
    pub waiting: Count,
    /// Items with an instant of their own: of RavenDB the documents that are tracked.
    pub own: u64,
    /// Items deleted by the background deletion since the store was opened.
    pub deleted: u64,
    /// When the next item expires.
    pub next: Option<Instant>,
}

impl Totals {
    /// Items that reads, queries and counts see; a lower bound when `hidden` has more.
    pub fn alive(&self) -> Count {
        Count { n: self.stored.saturating_sub(self.hidden.n), more: self.hidden.more }
    }
}

/// What saving a container's Time to Live would do at this moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct TtlPreview {
    /// Visible items that the save makes expire at once.
    pub expire_at_once: Count,
    /// Hidden items that the save makes visible again.
    pub come_back: Count,
    /// Items without a `ttl`: they follow the container.
    pub inherit: u64,
    /// Items with their own number of seconds.
    pub own: u64,
    /// Items with `ttl: -1`.
    pub never: u64,
}
