//! What is known of a container without looking: counts by kind of expiry, and where its index begins.

use super::{Expiry, Half};

/// Exact counts of a container, kept with every write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counts {
    /// Items that follow the container.
    pub inherit: u64,
    /// Items with an instant of their own.
    pub own: u64,
    /// Items that never expire by themselves.
    pub never: u64,
}

impl Counts {
    /// All items.
    pub fn items(&self) -> u64 {
        self.inherit + self.own + self.never
    }
}

/// Counts and watermarks of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stats {
    pub counts: Counts,
    /// No entry of the inherit half stands below this instant.
    pub inherit_from: i64,
    /// No entry of the own half stands below this instant.
    pub own_from: i64,
    /// The instant of the newest write, also of an item that is gone.
    pub newest: i64,
}

impl Default for Stats {
    fn default() -> Self {
        Stats { counts: Counts::default(), inherit_from: i64::MAX, own_from: i64::MAX, newest: i64::MIN }
    }
}

impl Stats {
    /// The watermark of a half.
    pub fn from(&self, half: Half) -> i64 {
        match half {
            Half::Inherit => self.inherit_from,
            Half::Own => self.own_from,
        }
    }

    /// Raises the watermark of a half: the caller has seen that no entry stands below.
    pub fn raise(&mut self, half: Half, to: i64) {
        let (mark, count) = match half {
            Half::Inherit => (&mut self.inherit_from, self.counts.inherit),
            Half::Own => (&mut self.own_from, self.counts.own),
        };
        *mark = if count == 0 { i64::MAX } else { to };
    }

    /// An item came.
    pub fn add(&mut self, expiry: Expiry, ts: i64) {
        self.newest = self.newest.max(ts);
        match expiry {
            Expiry::Never => self.counts.never += 1,
            Expiry::Inherit => {
                self.counts.inherit += 1;
                self.inherit_from = self.inherit_from.min(ts);
            }
            Expiry::Own { at } => {
                self.counts.own += 1;
                self.own_from = self.own_from.min(at);
            }
        }
    }

    /// An item went.
    pub fn remove(&mut self, expiry: Expiry) {
        let count = match expiry {
            Expiry::Never => &mut self.counts.never,
            Expiry::Inherit => &mut self.counts.inherit,
            Expiry::Own { .. } => &mut self.counts.own,
        };
        *count = count.saturating_sub(1);
        if self.counts.inherit == 0 {
            self.inherit_from = i64::MAX;
        }
        if self.counts.own == 0 {
            self.own_from = i64::MAX;
        }
    }

    pub fn encode(&self) -> Vec<u8> {
        let counts = self.counts;
        let mut bytes = Vec::with_capacity(48);
        for n in [counts.inherit, counts.own, counts.never] {
            bytes.extend_from_slice(&n.to_le_bytes());
        }
        for mark in [self.inherit_from, self.own_from, self.newest] {
            bytes.extend_from_slice(&mark.to_le_bytes());
        }
        bytes
    }

    pub fn decode(bytes: &[u8]) -> Option<Stats> {
        let word = |n: usize| bytes.get(n * 8..n * 8 + 8)?.try_into().ok().map(u64::from_le_bytes);
        Some(Stats {
            counts: Counts { inherit: word(0)?, own: word(1)?, never: word(2)? },
            inherit_from: word(3)? as i64,
            own_from: word(4)? as i64,
            // Stores that were written before this was kept do not have it.
            newest: word(5).map_or(i64::MIN, |newest| newest as i64),
        })
    }
}
