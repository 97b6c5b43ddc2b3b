//! Instants: the one unit of time that all three systems fit in.

use std::fmt;

use chrono::{DateTime, Utc};

/// Ticks of 100 ns in a second.
pub const TICKS_PER_SECOND: i64 = 10_000_000;

/// A point in time, counted in ticks of 100 ns since 1970-01-01T00:00:00Z.
///
/// RavenDB keeps its `@expires` to 100 ns; Cosmos DB counts whole seconds. All arithmetic saturates, so that a clock
/// set to an absurd date shows an absurd date and nothing else happens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Instant(i64);

impl Instant {
    /// The earliest instant.
    pub const MIN: Instant = Instant(i64::MIN);
    /// The latest instant.
    pub const MAX: Instant = Instant(i64::MAX);

    /// From ticks of 100 ns since 1970 UTC.
    pub const fn from_ticks(ticks: i64) -> Self {
        Instant(ticks)
    }

    /// From whole seconds since 1970 UTC, as in `_ts`.
    pub const fn from_secs(secs: i64) -> Self {
        Instant(secs.saturating_mul(TICKS_PER_SECOND))
    }

    /// From milliseconds since 1970 UTC.
    pub const fn from_millis(millis: i64) -> Self {
        Instant(millis.saturating_mul(TICKS_PER_SECOND / 1000))
    }

    /// Ticks of 100 ns since 1970 UTC.
    pub const fn ticks(self) -> i64 {
        self.0
    }

    /// Whole seconds since 1970 UTC, rounded down: the `_ts` of a write at this instant.
    pub const fn secs(self) -> i64 {
        self.0.div_euclid(TICKS_PER_SECOND)
    }

    /// Whole milliseconds since 1970 UTC, rounded down.
    pub const fn millis(self) -> i64 {
        self.0.div_euclid(TICKS_PER_SECOND / 1000)
    }

    /// This instant moved by `secs` seconds, forwards or backwards.
    #[must_use]
    pub const fn plus_secs(self, secs: i64) -> Self {
        Instant(self.0.saturating_add(secs.saturating_mul(TICKS_PER_SECOND)))
    }

    /// This instant moved by `ticks` of 100 ns, forwards or backwards.
    #[must_use]
    pub const fn plus_ticks(self, ticks: i64) -> Self {
        Instant(self.0.saturating_add(ticks))
    }

    /// Ticks from `earlier` to this instant; negative when `earlier` is the later one.
    pub const fn ticks_since(self, earlier: Instant) -> i64 {
        self.0.saturating_sub(earlier.0)
    }

    /// Whole seconds from `now` to this instant, rounded up: 0 or less once it has passed.
    pub const fn secs_left(self, now: Instant) -> i64 {
        let ticks = self.ticks_since(now);
        ticks.div_euclid(TICKS_PER_SECOND) + (ticks.rem_euclid(TICKS_PER_SECOND) > 0) as i64
    }

    /// The present instant of the machine's clock.
    pub fn of_machine() -> Self {
        Self::from(Utc::now())
    }

    /// The same instant for formatting; `None` where the calendar ends.
    pub fn to_utc(self) -> Option<DateTime<Utc>> {
        let nanos = self.0.rem_euclid(TICKS_PER_SECOND) * 100;
        DateTime::from_timestamp(self.secs(), u32::try_from(nanos).ok()?)
    }
}

impl From<DateTime<Utc>> for Instant {
    fn from(utc: DateTime<Utc>) -> Self {
        let ticks = i64::from(utc.timestamp_subsec_nanos()) / 100;
        Instant(utc.timestamp().saturating_mul(TICKS_PER_SECOND).saturating_add(ticks))
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_utc() {
            Some(utc) => write!(f, "{}.{:07}Z", utc.format("%Y-%m-%dT%H:%M:%S"), self.0.rem_euclid(TICKS_PER_SECOND)),
            None => write!(f, "Instant({})", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_round_down_on_both_sides_of_1970() {
        assert_eq!(Instant::from_ticks(19_999_999).secs(), 1);
        assert_eq!(Instant::from_ticks(-1).secs(), -1);
        assert_eq!(Instant::from_secs(i64::MAX).secs(), i64::MAX / TICKS_PER_SECOND);
    }

    #[test]
    fn a_second_that_has_begun_is_left() {
        let at = Instant::from_secs(20);
        for (ticks, left) in [(0, 20), (105_000_000, 10), (195_000_001, 1), (200_000_000, 0), (225_000_000, -2)] {
            assert_eq!(at.secs_left(Instant::from_ticks(ticks)), left, "{ticks}");
        }
    }

    #[test]
    fn an_instant_survives_the_calendar() {
        let instant = Instant::from_ticks(17_962_480_640_000_007);
        assert_eq!(instant.to_utc().map(Instant::from), Some(instant));
        assert_eq!(format!("{:?}", Instant::from_secs(0)), "1970-01-01T00:00:00.0000000Z");
    }
}
