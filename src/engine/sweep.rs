//! The background deletion, as others see it.

use crate::domain::Instant;
use crate::store::ContainerNo;

use super::Position;

/// One run over one container: a line in the console.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepReport {
    /// The container.
    pub container: ContainerNo,
    /// How many items were deleted.
    pub deleted: u64,
    /// The first of them in the order of their expiry, up to [`SweepReport::SAMPLE`]: for showing them go.
    pub sample: Vec<Position>,
    /// When the run ended.
    pub at: Instant,
    /// How long the latest of them waited from its expiry to its deletion, in ticks of 100 ns.
    pub latest: i64,
    /// How long the run worked, in milliseconds.
    pub took_millis: f64,
}

impl SweepReport {
    /// The longest sample.
    pub const SAMPLE: usize = 64;
}

/// The state of the background deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SweeperState {
    /// It deletes nothing until it is resumed, or told to run now.
    pub paused: bool,
    /// Seconds from an item's expiry to its deletion: the service deletes "later".
    pub delay: u32,
    /// When it will delete something next.
    pub next: Option<Instant>,
}
