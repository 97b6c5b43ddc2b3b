//! What the index must know of a container's rules: units, what its entries count for, what is past and what is hidden.
//!
//! Cosmos DB counts whole seconds; RavenDB's instants are kept to 100 ns.

use crate::domain::Instant;
use crate::domain::nosql::{DefaultTtl, Horizon, horizon};
use crate::store::{Half, Header};

use super::{Container, Kind};

impl Container {
    /// The instant that a stored number stands for.
    pub(super) fn instant(&self, stored: i64) -> Instant {
        match self.kind {
            Kind::NoSql { .. } => Instant::from_secs(stored),
            Kind::Documents { .. } | Kind::Collection { .. } => Instant::from_ticks(stored),
        }
    }

    /// The stored number of an instant, rounded down.
    pub(super) fn stored(&self, at: Instant) -> i64 {
        match self.kind {
            Kind::NoSql { .. } => at.secs(),
            Kind::Documents { .. } | Kind::Collection { .. } => at.ticks(),
        }
    }

    /// What is added to the stored instants of a half to make instants of expiration; `None` where its items never
    /// expire.
    pub(super) fn offset(&self, half: Half) -> Option<i64> {
        match (&self.kind, half) {
            (Kind::NoSql { default_ttl: DefaultTtl::Off, .. }, _) => None,
            (Kind::NoSql { default_ttl: DefaultTtl::NoDefault, .. }, Half::Inherit) => None,
            (Kind::NoSql { default_ttl: DefaultTtl::Seconds(secs), .. }, Half::Inherit) => Some(i64::from(*secs)),
            (Kind::Documents { .. } | Kind::Collection { .. }, Half::Inherit) => None,
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
        match self.kind {
            Kind::NoSql { default_ttl, .. } => horizon(default_ttl, now.secs()),
            Kind::Documents { .. } | Kind::Collection { .. } => Horizon { inherit: None, own: Some(now.ticks()) },
        }
    }

    /// Up to where items are hidden at `now`, in stored numbers: RavenDB shows what is expired until it is deleted.
    pub(super) fn hidden(&self, now: Instant) -> Horizon {
        if self.hides_expired() { self.passed(now) } else { Horizon::default() }
    }
}
