//! Clocks: the machine's, one that only moves when it is told to, and the store's own, which people move.

mod moves;
mod store_clock;

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use crate::domain::Instant;

pub use moves::{ClockSetting, JumpPreview};
pub use store_clock::{ClockRecord, ClockState, StoreClock};

/// What tells the engine the time.
pub trait Clock: Send + Sync {
    /// The present.
    fn now(&self) -> Instant;

    /// Real time until this clock shows `at`; `None` when waiting alone does not bring it there.
    fn real_time_until(&self, at: Instant) -> Option<Duration>;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Instant {
        Instant::of_machine()
    }

    fn real_time_until(&self, at: Instant) -> Option<Duration> {
        let ticks = u64::try_from(at.ticks_since(self.now())).unwrap_or(0);
        Some(Duration::from_micros(ticks.div_ceil(10)))
    }
}

/// A clock that stands still until it is moved.
#[derive(Debug)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// A clock that shows `at`.
    pub fn new(at: Instant) -> Self {
        ManualClock(AtomicI64::new(at.ticks()))
    }

    /// Shows `at` from now on, earlier or later.
    pub fn set(&self, at: Instant) {
        self.0.store(at.ticks(), Ordering::SeqCst);
    }

    /// Moves by `secs` seconds.
    pub fn advance(&self, secs: i64) {
        self.set(self.now().plus_secs(secs));
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Instant {
        Instant::from_ticks(self.0.load(Ordering::SeqCst))
    }

    fn real_time_until(&self, _at: Instant) -> Option<Duration> {
        None
    }
}
