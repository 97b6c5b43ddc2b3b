//! When something is due next: for each container the first instant of its index, and the first that is still ahead.
//!
//! The instants are lower bounds: an item that was deleted or written again may leave one behind that is too early.
//! Whoever comes at that time finds nothing, looks, and puts it right. Too late it never is.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::domain::Instant;
use crate::store::ContainerNo;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Times {
    /// The first expiry of all that is stored.
    first: Option<Instant>,
    /// The first expiry that has not been told yet.
    ahead: Option<Instant>,
    /// Up to where expirations were told.
    told: Instant,
    /// How many looks were begun: only the last one counts.
    looks: u64,
    /// The earliest instant noted since the last look was begun, which may have missed it.
    noted: Option<Instant>,
}

/// The instants of all containers.
#[derive(Debug)]
pub struct Agenda {
    times: HashMap<ContainerNo, Times>,
    first: BTreeSet<(Instant, ContainerNo)>,
    /// Of `first` those that the sweeper deletes; the others have runs of their own.
    swept: BTreeSet<(Instant, ContainerNo)>,
    with_runs: HashSet<ContainerNo>,
    ahead: BTreeSet<(Instant, ContainerNo)>,
    /// No container was told of anything later.
    told: Instant,
}

/// A look at a container's index, begun and not settled yet.
#[derive(Clone, Copy, Debug)]
pub struct Look(u64);

impl Agenda {
    /// An empty one; what expired up to `now` is not told any more.
    pub fn new(now: Instant) -> Self {
        Agenda {
            times: HashMap::new(),
            first: BTreeSet::new(),
            swept: BTreeSet::new(),
            with_runs: HashSet::new(),
            ahead: BTreeSet::new(),
            told: now,
        }
    }

    /// The sweeper leaves this container alone: it has runs of its own.
    pub fn has_runs(&mut self, no: ContainerNo) {
        self.with_runs.insert(no);
    }

    fn times(&self, no: ContainerNo) -> Times {
        let none = Times { first: None, ahead: None, told: self.told, looks: 0, noted: None };
        self.times.get(&no).copied().unwrap_or(none)
    }

    /// An item of this container expires at this instant; called when its write is seen. Returns whether that is
    /// earlier than anything before.
    pub fn note(&mut self, no: ContainerNo, at: Instant) -> bool {
        let earliest = self.first.first().is_none_or(|(first, _)| at < *first)
            || self.ahead.first().is_none_or(|(ahead, _)| at < *ahead);
        let mut times = self.times(no);
        times.noted = earlier(times.noted, Some(at));
        times.first = earlier(times.first, Some(at));
        times.ahead = earlier(times.ahead, Some(at));
        self.set(no, times);
        earliest
    }

    /// A look at the index begins. What is noted from now on is kept beside what the look finds, so that no look is
    /// ever in vain, however busy the container is.
    pub fn look(&mut self, no: ContainerNo) -> Look {
        let mut times = self.times(no);
        times.looks += 1;
        times.noted = None;
        self.set(no, times);
        Look(times.looks)
    }

    /// What a look at the index found. One that a later look overtook counts for nothing.
    pub fn settle(&mut self, no: ContainerNo, look: Look, first: Option<Instant>, ahead: Option<Instant>) {
        let Some(times) = self.times.get(&no).copied() else {
            return;
        };
        if times.looks == look.0 {
            let first = earlier(first, times.noted);
            let ahead = earlier(ahead, times.noted);
            self.set(no, Times { first, ahead, ..times });
        }
    }

    fn set(&mut self, no: ContainerNo, times: Times) {
        let old = self.times(no);
        replace(&mut self.first, no, old.first, times.first);
        replace(&mut self.ahead, no, old.ahead, times.ahead);
        if !self.with_runs.contains(&no) {
            replace(&mut self.swept, no, old.first, times.first);
        }
        self.times.insert(no, times);
    }

    /// The container is gone.
    pub fn forget(&mut self, no: ContainerNo) {
        let old = self.times(no);
        replace(&mut self.first, no, old.first, None);
        replace(&mut self.swept, no, old.first, None);
        replace(&mut self.ahead, no, old.ahead, None);
        self.times.remove(&no);
        self.with_runs.remove(&no);
    }

    /// Up to where expirations of a container were told.
    pub fn told(&self, no: ContainerNo) -> Instant {
        self.times(no).told
    }

    /// Expirations of a container are told up to this instant. Returns up to where they were before.
    pub fn tell(&mut self, no: ContainerNo, through: Instant) -> Instant {
        let times = self.times(no);
        self.set(no, Times { told: through, ..times });
        self.told = self.told.max(through);
        times.told
    }

    /// Where the clock went back behind what was told, everything is ahead again until it is looked at.
    pub fn turn_back(&mut self, now: Instant) {
        if now < self.told {
            self.told = now;
            for times in self.times.values_mut() {
                times.told = times.told.min(now);
                times.ahead = times.first;
            }
            self.ahead = self.first.clone();
        }
    }

    /// The earliest of all that the sweeper deletes.
    pub fn first_to_sweep(&self) -> Option<Instant> {
        self.swept.first().map(|(at, _)| *at)
    }

    /// The earliest that has not been told.
    pub fn ahead(&self) -> Option<Instant> {
        self.ahead.first().map(|(at, _)| *at)
    }

    /// The containers that the sweeper deletes from, whose first expiry is this instant or before.
    pub fn due(&self, through: Instant) -> Vec<ContainerNo> {
        up_to(&self.swept, through).collect()
    }

    /// The containers whose next expiry to be told is this instant or before.
    pub fn to_tell(&self, through: Instant) -> Vec<ContainerNo> {
        up_to(&self.ahead, through).collect()
    }

    /// The containers, whoever deletes from them, whose first expiry is this instant or before.
    pub fn up_to(&self, through: Instant) -> Vec<ContainerNo> {
        up_to(&self.first, through).collect()
    }

    /// The first expiry of a container.
    pub fn first_of(&self, no: ContainerNo) -> Option<Instant> {
        self.times.get(&no)?.first
    }

    /// Every container that may hold an expiry from `from` on, the earliest first, with a lower bound of its first one
    /// there.
    pub fn from(&self, from: Instant) -> impl Iterator<Item = (Instant, ContainerNo)> {
        // What was told lies before `from`: those containers whose rest is far away need not be looked at.
        let set = if self.told < from { &self.ahead } else { &self.first };
        set.iter().copied()
    }
}

fn up_to(set: &BTreeSet<(Instant, ContainerNo)>, through: Instant) -> impl Iterator<Item = ContainerNo> {
    set.iter().take_while(move |(at, _)| *at <= through).map(|(_, no)| *no)
}

fn earlier(a: Option<Instant>, b: Option<Instant>) -> Option<Instant> {
    a.into_iter().chain(b).min()
}

fn replace(set: &mut BTreeSet<(Instant, ContainerNo)>, no: ContainerNo, old: Option<Instant>, new: Option<Instant>) {
    if old == new {
        return;
    }
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
        let mut agenda = Agenda::new(at(0));
        assert!(agenda.note(A, at(10)));
        assert!(!agenda.note(B, at(20)));
        assert!(agenda.note(B, at(5)));
        assert_eq!(agenda.first_to_sweep(), Some(at(5)));
        assert_eq!(agenda.due(at(10)), [B, A]);
        agenda.forget(B);
        assert_eq!((agenda.first_to_sweep(), agenda.ahead()), (Some(at(10)), Some(at(10))));
    }

    #[test]
    fn a_look_keeps_what_was_noted_meanwhile() {
        let mut agenda = Agenda::new(at(0));
        agenda.note(A, at(10));
        let look = agenda.look(A);
        agenda.note(A, at(30));
        agenda.settle(A, look, None, None);
        assert_eq!((agenda.first_to_sweep(), agenda.ahead()), (Some(at(30)), Some(at(30))));
        let look = agenda.look(A);
        agenda.settle(A, look, Some(at(30)), None);
        assert_eq!((agenda.first_to_sweep(), agenda.ahead()), (Some(at(30)), None));
    }

    #[test]
    fn only_the_last_look_counts() {
        let mut agenda = Agenda::new(at(0));
        agenda.note(A, at(10));
        let (early, late) = (agenda.look(A), agenda.look(A));
        agenda.settle(A, early, None, None);
        assert_eq!(agenda.first_to_sweep(), Some(at(10)));
        agenda.settle(A, late, Some(at(20)), None);
        assert_eq!(agenda.first_to_sweep(), Some(at(20)));
        let look = agenda.look(B);
        agenda.forget(B);
        agenda.settle(B, look, Some(at(1)), None);
        assert_eq!(agenda.first_to_sweep(), Some(at(20)), "a container that is gone stays gone");
    }

    #[test]
    fn a_clock_that_goes_back_brings_all_ahead() {
        let mut agenda = Agenda::new(at(0));
        agenda.note(A, at(10));
        assert_eq!(agenda.tell(A, at(15)), at(0));
        let look = agenda.look(A);
        agenda.settle(A, look, Some(at(10)), None);
        assert_eq!(agenda.ahead(), None);
        assert_eq!(agenda.from(at(16)).count(), 0);
        assert_eq!(agenda.from(at(15)).count(), 1);
        agenda.turn_back(at(5));
        assert_eq!((agenda.told(A), agenda.told(B)), (at(5), at(5)));
        assert_eq!((agenda.ahead(), agenda.to_tell(at(10))), (Some(at(10)), vec![A]));
    }
}
