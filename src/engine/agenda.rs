//! When something is due next: for each container the first instant of its index, and the first that is still ahead.
//!
//! The instants are lower bounds: an item that was deleted or written again may leave one behind that is too early.
//! Whoever comes at that time finds nothing, looks, and puts it right. Too late it never is.

use std::collections::{BTreeSet, HashMap};

use crate::domain::Instant;
use crate::store::ContainerNo;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Times {
    /// The first expiry of all that is stored.
    first: Option<Instant>,
    /// The first expiry that has not been told yet.
    ahead: Option<Instant>,
    /// Counts what was noted, so that a look that was overtaken is not taken for the truth.
    version: u64,
}

/// The instants of all containers.
#[derive(Debug, Default)]
pub struct Agenda {
    times: HashMap<ContainerNo, Times>,
    first: BTreeSet<(Instant, ContainerNo)>,
    ahead: BTreeSet<(Instant, ContainerNo)>,
}

impl Agenda {
    /// An item of this container expires at this instant. Returns whether that is earlier than anything before.
    pub fn note(&mut self, no: ContainerNo, at: Instant) -> bool {
        let earliest = self.first.first().is_none_or(|(first, _)| at < *first)
            || self.ahead.first().is_none_or(|(ahead, _)| at < *ahead);
        let times = self.times.entry(no).or_insert(Times {
            first: None,
            ahead: None,
            version: 0,
        });
        times.version += 1;
        if times.first.is_none_or(|first| at < first) {
            replace(&mut self.first, no, times.first, Some(at));
            times.first = Some(at);
        }
        if times.ahead.is_none_or(|ahead| at < ahead) {
            replace(&mut self.ahead, no, times.ahead, Some(at));
            times.ahead = Some(at);
        }
        earliest
    }

    /// The version of a container, to be handed to [`settle`](Self::settle).
    pub fn version(&self, no: ContainerNo) -> u64 {
        self.times.get(&no).map_or(0, |times| times.version)
    }

    /// What a look at the index found. Returns `false` when something was noted meanwhile: then look again.
    pub fn settle(&mut self, no: ContainerNo, version: u64, first: Option<Instant>, ahead: Option<Instant>) -> bool {
        if self.version(no) != version {
            return false;
        }
        let times = self.times.entry(no).or_insert(Times {
            first: None,
            ahead: None,
            version,
        });
        replace(&mut self.first, no, times.first, first);
        replace(&mut self.ahead, no, times.ahead, ahead);
        *times = Times { first, ahead, version };
        true
    }

    /// The container is gone.
    pub fn forget(&mut self, no: ContainerNo) {
        if let Some(times) = self.times.remove(&no) {
            replace(&mut self.first, no, times.first, None);
            replace(&mut self.ahead, no, times.ahead, None);
        }
    }

    /// The earliest of all that is stored.
    pub fn first(&self) -> Option<(Instant, ContainerNo)> {
        self.first.first().copied()
    }

    /// The earliest that has not been told.
    pub fn ahead(&self) -> Option<(Instant, ContainerNo)> {
        self.ahead.first().copied()
    }

    /// The containers whose first expiry is this instant or before.
    pub fn due(&self, through: Instant) -> Vec<ContainerNo> {
        self.first
            .iter()
            .take_while(|(at, _)| *at <= through)
            .map(|(_, no)| *no)
            .collect()
    }

    /// The containers whose next expiry to be told is this instant or before.
    pub fn to_tell(&self, through: Instant) -> Vec<ContainerNo> {
        self.ahead
            .iter()
            .take_while(|(at, _)| *at <= through)
            .map(|(_, no)| *no)
            .collect()
    }

    /// The next container in the order of first expiries, behind `last`.
    pub fn first_behind(&self, last: Option<(Instant, ContainerNo)>) -> Option<(Instant, ContainerNo)> {
        use std::ops::Bound;
        let start = last.map_or(Bound::Unbounded, Bound::Excluded);
        self.first.range((start, Bound::Unbounded)).next().copied()
    }

    /// The first expiry of a container: a lower bound.
    pub fn first_of(&self, no: ContainerNo) -> Option<Instant> {
        self.times.get(&no)?.first
    }
}

fn replace(set: &mut BTreeSet<(Instant, ContainerNo)>, no: ContainerNo, old: Option<Instant>, new: Option<Instant>) {
    if let Some(old) = old {
        set.remove(&(old, no));
    }
    if let Some(new) = new {
        set.insert((new, no));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: ContainerNo = ContainerNo(1);
    const B: ContainerNo = ContainerNo(2);

    fn at(secs: i64) -> Instant {
        Instant::from_secs(secs)
    }

    #[test]
    fn the_earliest_comes_first() {
        let mut agenda = Agenda::default();
        assert!(agenda.note(A, at(10)));
        assert!(!agenda.note(B, at(20)));
        assert!(agenda.note(B, at(5)));
        assert_eq!(agenda.first(), Some((at(5), B)));
        assert_eq!(agenda.due(at(10)), [B, A]);
        agenda.forget(B);
        assert_eq!((agenda.first(), agenda.ahead()), (Some((at(10), A)), Some((at(10), A))));
    }

    #[test]
    fn a_look_that_was_overtaken_does_not_count() {
        let mut agenda = Agenda::default();
        agenda.note(A, at(10));
        let version = agenda.version(A);
        agenda.note(A, at(3));
        assert!(!agenda.settle(A, version, None, None));
        assert_eq!(agenda.first(), Some((at(3), A)));
        let version = agenda.version(A);
        assert!(agenda.settle(A, version, Some(at(10)), None));
        assert_eq!((agenda.first(), agenda.ahead()), (Some((at(10), A)), None));
    }
}
