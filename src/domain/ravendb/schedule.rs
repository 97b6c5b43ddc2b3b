//! When runs come, and which of them deletes what.

use crate::domain::Instant;
use crate::domain::time::TICKS_PER_SECOND;

/// The times of the runs: one period apart, the first one a period after the configuration was saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// When the timer was started.
    pub start: Instant,
    /// Seconds between two runs; at least 1.
    pub period: u32,
    /// The last instant at which a run came, or the start.
    pub last: Instant,
}

impl Schedule {
    /// A timer that starts at `now`.
    pub fn new(now: Instant, period: u32) -> Self {
        Schedule { start: now, period: period.max(1), last: now }
    }

    /// When the next run comes.
    pub fn next(&self) -> Instant {
        self.at_or_after(self.last.plus_ticks(1))
    }

    /// The first run at `at` or later that has not come yet.
    pub fn run_for(&self, at: Instant) -> Instant {
        self.at_or_after(at).max(self.next())
    }

    /// The run that comes `n` runs after the one at `at`.
    pub fn later(&self, at: Instant, n: u64) -> Instant {
        let secs = i64::try_from(n).unwrap_or(i64::MAX).saturating_mul(i64::from(self.period));
        at.plus_secs(secs)
    }

    /// A run came at `now`. One that was missed, because the machine slept or the clock was moved, is not made up for.
    pub fn ran(&mut self, now: Instant) {
        self.last = self.last.max(now);
    }

    /// Counts the runs up to `now` as come if they had nothing to do: nobody wakes for them. `first` is the first expiry of
    /// all that is stored.
    pub fn pass_quiet_runs(&mut self, now: Instant, first: Option<Instant>) {
        if self.latest(now).is_some_and(|latest| first.is_none_or(|first| first > latest)) {
            self.skip_missed_runs(now);
        }
    }

    /// Counts the runs up to `now` as come.
    pub fn skip_missed_runs(&mut self, now: Instant) {
        if let Some(latest) = self.latest(now) {
            self.ran(latest);
        }
    }

    /// Where the clock went back so far that the next run is more than a period away, the timer starts anew. Says
    /// whether it did.
    pub fn turn_back(&mut self, now: Instant) -> bool {
        // Clocks are set by small steps all the time.
        const STEP: i64 = TICKS_PER_SECOND;
        let turned = self.next().ticks_since(now) > self.ticks().saturating_add(STEP);
        if turned {
            *self = Schedule::new(now, self.period);
        }
        turned
    }

    fn ticks(&self) -> i64 {
        i64::from(self.period).saturating_mul(TICKS_PER_SECOND)
    }

    /// The last run that could have come by `now`; `None` before the first.
    pub fn latest(&self, now: Instant) -> Option<Instant> {
        let passed = now.ticks_since(self.start).div_euclid(self.ticks());
        (passed > 0).then(|| self.start.plus_secs(passed.saturating_mul(i64::from(self.period))))
    }

    /// The first instant of the timer at `at` or later, the first run's or a later one.
    fn at_or_after(&self, at: Instant) -> Instant {
        let (since, period) = (at.ticks_since(self.start), self.ticks());
        let periods = since.div_euclid(period).saturating_add(i64::from(since.rem_euclid(period) > 0)).max(1);
        self.start.plus_secs(periods.saturating_mul(i64::from(self.period)))
    }
}

/// The documents in the order in which runs take them, one after another: which run takes each.
#[derive(Clone, Copy, Debug)]
pub struct Queue {
    schedule: Schedule,
    /// How many one run takes; `None` for all that are due.
    most: Option<u64>,
    run: Instant,
    taken: u64,
}

impl Queue {
    /// A queue of which nothing is taken yet. `most` is 1 or more.
    pub fn new(schedule: Schedule, most: Option<u64>) -> Self {
        Queue { schedule, most, run: schedule.next(), taken: 0 }
    }

    /// The run that deletes the next document of the queue, which expires at `at`, not before the one before it.
    pub fn push(&mut self, at: Instant) -> Instant {
        let due = self.schedule.run_for(at);
        if due > self.run {
            (self.run, self.taken) = (due, 0);
        }
        if self.most.is_some_and(|most| self.taken >= most.max(1)) {
            (self.run, self.taken) = (self.schedule.later(self.run, 1), 0);
        }
        self.taken += 1;
        self.run
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn secs(secs: i64) -> Instant {
        Instant::from_secs(secs)
    }

    #[test]
    fn the_first_run_comes_a_period_after_the_save() {
        let mut schedule = Schedule::new(secs(100), 60);
        assert_eq!(schedule.next(), secs(160));
        assert_eq!(schedule.latest(secs(159)), None);
        schedule.ran(secs(160));
        assert_eq!(schedule.next(), secs(220));
        assert_eq!(schedule.latest(secs(221)), Some(secs(220)));
    }

    #[test]
    fn missed_runs_are_not_made_up_for_and_the_clock_may_go_back() {
        let mut schedule = Schedule::new(secs(100), 60);
        schedule.ran(secs(1_000));
        assert_eq!(schedule.next(), secs(1_060));
        assert!(!schedule.turn_back(secs(999)));
        assert!(schedule.turn_back(secs(500)));
        assert_eq!(schedule.next(), secs(560));
    }

    #[test]
    fn a_run_without_work_is_past_and_one_with_work_is_late() {
        let mut schedule = Schedule::new(secs(100), 60);
        schedule.pass_quiet_runs(secs(159), None);
        assert_eq!(schedule.next(), secs(160));
        schedule.pass_quiet_runs(secs(170), Some(secs(160)));
        assert_eq!(schedule.next(), secs(160));
        schedule.pass_quiet_runs(secs(170), Some(secs(161)));
        assert_eq!(schedule.next(), secs(220));
    }

    #[test]
    fn three_at_a_time() {
        // Ten documents one second apart, seen on a real server with 3: 0 1 2, 3 4 5, 6 7 8, 9.
        let mut queue = Queue::new(Schedule::new(secs(0), 60), Some(3));
        let runs: Vec<i64> = (1..=10).map(|at| queue.push(secs(at)).secs()).collect();
        assert_eq!(runs, [60, 60, 60, 120, 120, 120, 180, 180, 180, 240]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn the_queue_is_what_the_runs_do(
            mut instants in prop::collection::vec(0i64..500, 0..40), period in 1u32..90, most in prop::option::of(1u64..6),
        ) {
            instants.sort_unstable();
            let schedule = Schedule::new(secs(0), period);
            let mut queue = Queue::new(schedule, most);
            let told: Vec<Instant> = instants.iter().map(|at| queue.push(secs(*at))).collect();
            let mut waiting: std::collections::VecDeque<(usize, i64)> = instants.iter().copied().enumerate().collect();
            let mut real = vec![secs(0); instants.len()];
            let mut clock = schedule;
            while !waiting.is_empty() {
                let now = clock.next();
                let mut room = most.unwrap_or(u64::MAX);
                while room > 0 && waiting.front().is_some_and(|(_, at)| secs(*at) <= now) {
                    let (index, _) = waiting.pop_front().expect("there");
                    real[index] = now;
                    room -= 1;
                }
                clock.ran(now);
            }
            prop_assert_eq!(told, real);
        }
    }
}
