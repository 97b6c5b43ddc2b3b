//! The clock of a store: the real one, until people move it. It belongs to the store and is kept with it.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::RwLock;
use serde::{Deserialize, Serialize};

use super::Clock;
use crate::domain::Instant;
use crate::domain::clock::Rate;

/// A clock that runs fast is waited for at least this long, so that what comes with every second does not come thousands
/// of times in one.
const SHORTEST_WAIT: Duration = Duration::from_millis(20);

/// How a store's clock runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockState {
    /// It does not show the real time.
    pub moved: bool,
    /// How fast it runs while it is not paused.
    pub rate: Rate,
    /// It stands still.
    pub paused: bool,
}

/// The clock, as it is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockRecord {
    /// What it showed when it was written, in ticks of 100 ns since 1970 UTC; nothing for the real time. It stands still
    /// while the store is closed.
    pub shown: Option<i64>,
    pub rate: Rate,
    pub paused: bool,
    /// What it showed when people went back to the real time: up to here a `_ts` may lie ahead of it.
    pub went_back_from: Option<i64>,
}

/// The clock itself, on a real one.
pub struct StoreClock {
    real: Arc<dyn Clock>,
    moved: RwLock<Moved>,
}

#[derive(Clone, Copy, Default)]
struct Moved {
    /// What the clock showed at an instant of the real one; nothing while it shows the real time.
    anchor: Option<(Instant, Instant)>,
    rate: Rate,
    paused: bool,
    went_back_from: Option<i64>,
}

impl Moved {
    fn shown(&self, real: Instant) -> Instant {
        match self.anchor {
            None => real,
            Some((shown, _)) if self.paused => shown,
            // A real clock that jumps back makes this one wait, not jump.
            Some((shown, since)) => shown.plus_ticks(self.rate.shown(real.ticks_since(since).max(0))),
        }
    }
}

impl StoreClock {
    /// As a record says; it stood still since then.
    pub fn new(real: Arc<dyn Clock>, record: ClockRecord) -> Self {
        let anchor = record.shown.map(|shown| (Instant::from_ticks(shown), real.now()));
        let moved = Moved { anchor, rate: record.rate, paused: record.paused, went_back_from: record.went_back_from };
        StoreClock { real, moved: RwLock::new(moved) }
    }

    /// How it runs.
    pub fn state(&self) -> ClockState {
        let moved = *self.moved.read();
        ClockState { moved: moved.anchor.is_some(), rate: moved.rate, paused: moved.paused }
    }

    /// The real time.
    pub fn real_time(&self) -> Instant {
        self.real.now()
    }

    /// What to store of it now.
    pub fn record(&self) -> ClockRecord {
        let moved = *self.moved.read();
        let shown = moved.anchor.map(|_| moved.shown(self.real.now()).ticks());
        ClockRecord { shown, rate: moved.rate, paused: moved.paused, went_back_from: moved.went_back_from }
    }

    /// Takes a record over, as if it had been written now.
    pub fn set(&self, record: ClockRecord) {
        let fresh = StoreClock::new(self.real.clone(), record);
        *self.moved.write() = *fresh.moved.read();
    }

    /// The instant of a write at `now` over one at `before`: the later one, so that a clock that is set back never makes an
    /// item older; but after people went back to the real time, the real time.
    pub fn of_write(&self, now: Instant, before: Instant) -> Instant {
        match self.moved.read().went_back_from {
            Some(from) if before.ticks() <= from => now,
            _ => now.max(before),
        }
    }
}

impl Clock for StoreClock {
    fn now(&self) -> Instant {
        let moved = self.moved.read();
        moved.shown(self.real.now())
    }

    fn real_time_until(&self, at: Instant) -> Option<Duration> {
        let moved = *self.moved.read();
        let real = self.real.now();
        if moved.anchor.is_none() {
            return self.real.real_time_until(at);
        }
        let left = at.ticks_since(moved.shown(real));
        if left <= 0 {
            return Some(Duration::ZERO);
        }
        if moved.paused {
            return None;
        }
        let wait = self.real.real_time_until(real.plus_ticks(moved.rate.real(left)))?;
        Some(if moved.rate > Rate::REAL { wait.max(SHORTEST_WAIT) } else { wait })
    }
}

#[cfg(test)]
mod tests {
    use super::super::ManualClock;
    use super::*;
    use proptest::prelude::*;

    fn at(secs: i64) -> Instant {
        Instant::from_secs(secs)
    }

    fn clock(record: ClockRecord) -> (Arc<ManualClock>, StoreClock) {
        let real = Arc::new(ManualClock::new(at(1_000)));
        (real.clone(), StoreClock::new(real, record))
    }

    /// A real clock that says how long to wait.
    struct Running(Instant);

    impl Clock for Running {
        fn now(&self) -> Instant {
            self.0
        }

        fn real_time_until(&self, at: Instant) -> Option<Duration> {
            Some(Duration::from_micros(u64::try_from(at.ticks_since(self.0)).unwrap_or(0) / 10))
        }
    }

    #[test]
    fn the_real_time_is_shown_until_it_is_moved() {
        let (real, clock) = clock(ClockRecord::default());
        assert_eq!((clock.now(), clock.state()), (at(1_000), ClockState::default()));
        real.advance(-5);
        assert_eq!(clock.now(), at(995));
    }

    #[test]
    fn a_moved_clock_stands_still_while_the_store_is_closed() {
        let (real, clock) =
            self::clock(ClockRecord { shown: Some(at(9_000).ticks()), rate: Rate::REAL, ..ClockRecord::default() });
        real.advance(7);
        let record = clock.record();
        real.advance(100_000);
        let clock = StoreClock::new(real.clone(), record);
        assert_eq!(clock.now(), at(9_007));
        real.advance(-50);
        assert_eq!(clock.now(), at(9_007), "a real clock that goes back does not move it");
    }

    #[test]
    fn waiting_is_shorter_the_faster_it_runs() {
        let record = ClockRecord { shown: Some(at(0).ticks()), ..ClockRecord::default() };
        let wait = |rate: &str, paused: bool, secs: i64| {
            let rate = Rate::parse(rate).unwrap();
            StoreClock::new(Arc::new(Running(at(5))), ClockRecord { rate, paused, ..record }).real_time_until(at(secs))
        };
        assert_eq!(wait("60", false, 60), Some(Duration::from_secs(1)));
        assert_eq!(wait("0.5", false, 60), Some(Duration::from_secs(120)));
        assert_eq!(wait("3600", false, 1), Some(SHORTEST_WAIT));
        assert_eq!(wait("60", true, 60), None);
        assert_eq!(wait("60", true, 0), Some(Duration::ZERO));
    }

    #[test]
    fn writes_take_the_later_time_until_people_go_back() {
        let (_, clock) = clock(ClockRecord::default());
        assert_eq!(clock.of_write(at(10), at(20)), at(20));
        clock.set(ClockRecord { went_back_from: Some(at(20).ticks()), ..ClockRecord::default() });
        assert_eq!(clock.of_write(at(10), at(20)), at(10));
        assert_eq!(clock.of_write(at(10), at(21)), at(21), "written after that by a clock that was wrong");
    }

    proptest! {
        /// What it shows is what was shown at the last change, plus the real time since then, as often as it runs.
        #[test]
        fn it_runs_as_it_is_set(steps in prop::collection::vec((0i64..10_000, 1u64..5_000, any::<bool>()), 1..20)) {
            let (real, clock) = clock(ClockRecord { shown: Some(0), ..ClockRecord::default() });
            let mut expected = 0;
            for (secs, rate, paused) in steps {
                let rate = Rate::parse(&rate.to_string()).unwrap();
                let record = ClockRecord { rate, paused, ..clock.record() };
                clock.set(record);
                prop_assert_eq!(clock.now(), at(expected), "a change moves nothing");
                real.advance(secs);
                expected += if paused { 0 } else { rate.shown(secs) };
                prop_assert_eq!(clock.now(), at(expected));
            }
        }
    }
}
