//! What the index must know of a container's rules: units, what its entries count for, what is past and what is hidden.
//!
//! Cosmos DB counts whole seconds; RavenDB's instants are kept to 100 ns.

use crate::domain::Instant;
use crate::domain::nosql::{DefaultTtl, Horizon, horizon};
use crate::store::{Half, Header};

use super::{Api, Container};

impl Container {
    /// Whether its stored instants are whole seconds, not ticks.
    fn counts_seconds(&self) -> bool {
        self.api() != Api::RavenDb
    }

    /// The instant that a stored number stands for.
    pub(super) fn instant(&self, stored: i64) -> Instant {
        if self.counts_seconds() { Instant::from_secs(stored) } else { Instant::from_ticks(stored) }
    }

    /// The stored number of an instant, rounded down.
    pub(super) fn stored(&self, at: Instant) -> i64 {
        if self.counts_seconds() { at.secs() } else { at.ticks() }
    }

    /// What is added to the stored instants of a half to make instants of expiration; `None` where its items never
    /// expire.
    pub(super) fn offset(&self, half: Half) -> Option<i64> {
        match (self.default_ttl(), half) {
            (_, Half::Own) if !self.counts_seconds() => Some(0),
            (DefaultTtl::Off, _) | (DefaultTtl::NoDefault, Half::Inherit) => None,
            (DefaultTtl::Seconds(secs), Half::Inherit) => Some(i64::from(secs)),
            (_, Half::Own) => Some(0),
        }
    }

    /// When an item with this header expires; `None` for one that never does.
    pub(super) fn end(&self, header: &Header) -> Option<Instant> {
        let (half, instant) = header.entry()?;
        Some(self.instant(instant.saturating_add(self.offset(half)?)))
    }

    /// Whether no read sees an item with this header at `now`.
    pub(super) fn hides(&self, header: &Header, now: Instant) -> bool {
        self.hides_expired() && self.end(header).is_some_and(|at| at <= now)
    }

    /// Up to where entries of the index are past their time at `now`, in stored numbers.
    pub(super) fn passed(&self, now: Instant) -> Horizon {
        if self.counts_seconds() {
            horizon(self.default_ttl(), now.secs())
        } else {
            Horizon { inherit: None, own: Some(now.ticks()) }
        }
    }

    /// Up to where items are hidden at `now`, in stored numbers: RavenDB shows what is expired until it is deleted.
    pub(super) fn hidden(&self, now: Instant) -> Horizon {
        if self.hides_expired() { self.passed(now) } else { Horizon::default() }
    }
}
