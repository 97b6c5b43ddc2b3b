//! When things expire: items counted in buckets of time, over one container or all, on the index alone.

use std::time::Instant as RealInstant;

use crate::domain::nosql::DefaultTtl;
use crate::domain::time::TICKS_PER_SECOND;
use crate::domain::{Instant, Refusal};
use crate::store::{Half, Snapshot};

use super::countdown::View;
use super::query::{GIVEN_UP, GoOn};
use super::totals::containers;
use super::{Container, ContainerNo, Engine, EngineError, Scope};

/// Entries of the index that are looked at at most: up to here the numbers are exact.
pub const MOST: u64 = 1_000_000;
/// Entries of a comparison: it is made while somebody is choosing.
const MOST_COMPARED: u64 = 100_000;
/// Entries between two questions whether to go on.
const STEP: u64 = 10_000;

/// How far a timeline looks, and in how fine steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Span {
    /// 60 seconds, one by one.
    Minute,
    /// 60 minutes, one by one.
    #[default]
    Hour,
    /// 48 half hours.
    Day,
    /// 90 days, one by one.
    NinetyDays,
}

impl Span {
    /// All, the shortest first.
    pub const ALL: [Span; 4] = [Span::Minute, Span::Hour, Span::Day, Span::NinetyDays];

    /// Seconds of one bucket.
    pub fn step(self) -> i64 {
        match self {
            Span::Minute => 1,
            Span::Hour => 60,
            Span::Day => 30 * 60,
            Span::NinetyDays => 24 * 60 * 60,
        }
    }

    /// How many buckets there are.
    pub fn buckets(self) -> usize {
        match self {
            Span::Minute | Span::Hour => 60,
            Span::Day => 48,
            Span::NinetyDays => 90,
        }
    }

    /// In words: `the next hour`.
    pub fn words(self) -> &'static str {
        match self {
            Span::Minute => "the next minute",
            Span::Hour => "the next hour",
            Span::Day => "the next day",
            Span::NinetyDays => "the next 90 days",
        }
    }

    /// The shortest that holds so many seconds; the longest for more.
    pub fn holding(secs: i64) -> Span {
        let holds = |span: &Span| span.step() * span.buckets() as i64 >= secs;
        Span::ALL.into_iter().find(holds).unwrap_or(Span::NinetyDays)
    }
}

/// What expires in one stretch of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Bucket {
    /// Items with an instant of their own.
    pub own: u64,
    /// Items that follow their container.
    pub inherited: u64,
}

impl Bucket {
    /// All of them.
    pub fn all(self) -> u64 {
        self.own + self.inherited
    }

    fn add(&mut self, half: Half) {
        match half {
            Half::Own => self.own += 1,
            Half::Inherit => self.inherited += 1,
        }
    }
}

/// When the items of a scope expire.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Timeline {
    /// When it was counted, by the engine's clock.
    pub now: Instant,
    /// How far it looks.
    pub span: Span,
    /// Where the first bucket starts: the present, rounded down to a whole step since 1970.
    pub from: Instant,
    /// What expires, step by step. The first bucket counts from the present on.
    pub buckets: Vec<Bucket>,
    /// Expired items that are still stored.
    pub overdue: Bucket,
    /// Items that expire behind the last bucket; unknown when counting stopped.
    pub later: Option<u64>,
    /// Items that never expire by themselves.
    pub never: u64,
    /// Counting stopped at a million entries: each number is a lower bound.
    pub more: bool,
    /// How long it took, in milliseconds.
    pub took_millis: f64,
}

impl Timeline {
    fn new(now: Instant, span: Span) -> Timeline {
        let from = Instant::from_secs(now.secs().div_euclid(span.step()).saturating_mul(span.step()));
        Timeline { now, span, from, buckets: vec![Bucket::default(); span.buckets()], ..Timeline::default() }
    }

    /// Where a bucket starts.
    pub fn start(&self, bucket: usize) -> Instant {
        self.from.plus_secs(self.span.step().saturating_mul(i64::try_from(bucket).unwrap_or(i64::MAX)))
    }

    /// Where the last bucket ends.
    pub fn end(&self) -> Instant {
        self.start(self.buckets.len())
    }

    /// Items in all buckets.
    pub fn counted(&self) -> u64 {
        self.buckets.iter().map(|bucket| bucket.all()).sum()
    }

    /// Counts an item that expires at `at`.
    fn add(&mut self, half: Half, at: Instant) {
        if at <= self.now {
            self.overdue.add(half);
            return;
        }
        let bucket = at.ticks_since(self.from) / TICKS_PER_SECOND / self.span.step();
        if let Some(bucket) = usize::try_from(bucket).ok().and_then(|bucket| self.buckets.get_mut(bucket)) {
            bucket.add(half);
        }
    }
}

/// What another Time to Live does to the items of a container, counted up to 100,000 entries of the index.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIf {
    /// When they expire by the setting that is saved.
    pub today: Timeline,
    /// When they would expire.
    pub then: Timeline,
    /// Visible items that would expire sooner than today, but not at once; also those that never expire today.
    pub sooner: u64,
    /// Visible items that would expire later.
    pub later: u64,
    /// Visible items that would never expire any more.
    pub never: u64,
}

impl Engine {
    /// When the items of a scope expire, from the present on.
    ///
    /// # Errors
    /// 404 for a scope that does not exist; 499 when `go_on`, asked with the number of entries read so far, says no.
    pub fn timeline(&self, scope: Scope, span: Span, go_on: GoOn<'_>) -> Result<Timeline, EngineError> {
        let started = RealInstant::now();
        let view = View::of(&self.shared, scope)?;
        let mut timeline = Timeline::new(self.now(), span);
        let mut counting = Counting { read: 0, most: MOST, go_on };
        for container in view.passed(timeline.end()) {
            counting.count(&view.snapshot, container, &mut timeline)?;
        }
        let roots = containers(&view, scope);
        let roots = roots.into_iter().filter_map(|no| view.catalog.container(no));
        tell_rest(&view.snapshot, roots.map(|container| &**container), &mut timeline)?;
        timeline.took_millis = started.elapsed().as_secs_f64() * 1_000.0;
        Ok(timeline)
    }

    /// What another Time to Live would do to a container of the API for NoSQL or of MongoDB.
    ///
    /// # Errors
    /// 404 for the container; 400 for a container without such a setting, or a value that it cannot have.
    pub fn what_if(&self, no: ContainerNo, ttl: DefaultTtl) -> Result<WhatIf, EngineError> {
        DefaultTtl::from_wire(ttl.to_wire())?;
        let before = self.shared.container(no)?;
        let after = before
            .with_default_ttl(ttl)
            .ok_or_else(|| Refusal::bad_request("RavenDB has no Time to Live of a collection."))?;
        let snapshot = self.shared.store.snapshot()?;
        let secs = [before.default_ttl(), ttl].map(|ttl| match ttl {
            DefaultTtl::Seconds(secs) => i64::from(secs),
            DefaultTtl::Off | DefaultTtl::NoDefault => 60 * 60,
        });
        let span = Span::holding(secs[0].max(secs[1]));
        let now = self.now();
        let count = |container: &Container| -> Result<Timeline, EngineError> {
            let mut timeline = Timeline::new(now, span);
            let mut counting = Counting { read: 0, most: MOST_COMPARED, go_on: &mut |_| true };
            counting.count(&snapshot, container, &mut timeline)?;
            tell_rest(&snapshot, [container].into_iter(), &mut timeline)?;
            Ok(timeline)
        };
        let (today, then) = (count(&before)?, count(&after)?);
        let (mut sooner, mut later, mut never) = (0, 0, 0);
        let counts = snapshot.counts(no)?;
        for half in Half::BOTH {
            let (all, hidden, hidden_then) = match half {
                Half::Inherit => (counts.inherit, today.overdue.inherited, then.overdue.inherited),
                Half::Own => (counts.own, today.overdue.own, then.overdue.own),
            };
            // A half keeps its order: what is hidden in one of the two is hidden in the other, up to the smaller number.
            let seen = all.saturating_sub(hidden.max(hidden_then));
            match (before.offset(half), after.offset(half)) {
                (Some(_), None) => never += seen,
                (None, Some(_)) => sooner += seen,
                (Some(old), Some(new)) if new < old => sooner += seen,
                (Some(old), Some(new)) if new > old => later += seen,
                _ => {}
            }
        }
        Ok(WhatIf { today, then, sooner, later, never })
    }
}

/// Counting, with what ends it.
struct Counting<'a> {
    read: u64,
    most: u64,
    go_on: GoOn<'a>,
}

impl Counting<'_> {
    /// Counts the entries of a container up to the end of the timeline.
    fn count(
        &mut self,
        snapshot: &Snapshot,
        container: &Container,
        timeline: &mut Timeline,
    ) -> Result<(), EngineError> {
        // What expires at the very end belongs to the time behind it.
        let passed = container.passed(timeline.end().plus_ticks(-1));
        let mut given_up = false;
        for (half, through) in [(Half::Inherit, passed.inherit), (Half::Own, passed.own)] {
            let (Some(through), Some(offset)) = (through, container.offset(half)) else { continue };
            snapshot.each_instant(container.no, half, None, through, |instant| {
                if self.read == self.most {
                    timeline.more = true;
                    return false;
                }
                self.read += 1;
                timeline.add(half, container.instant(instant.saturating_add(offset)));
                given_up = self.read.is_multiple_of(STEP) && !(self.go_on)(self.read);
                !given_up
            })?;
            if given_up {
                return Err(Refusal::new(GIVEN_UP, "The timeline was given up.").into());
            }
        }
        Ok(())
    }
}

/// What is in no bucket: it follows from the counts that are kept.
fn tell_rest<'c>(
    snapshot: &Snapshot,
    containers: impl Iterator<Item = &'c Container>,
    timeline: &mut Timeline,
) -> Result<(), EngineError> {
    let (mut expire, mut never) = (0, 0);
    for container in containers {
        let counts = snapshot.counts(container.no)?;
        never += counts.never;
        for (half, n) in [(Half::Inherit, counts.inherit), (Half::Own, counts.own)] {
            *if container.offset(half).is_some() { &mut expire } else { &mut never } += n;
        }
    }
    timeline.never = never;
    timeline.later =
        if timeline.more { None } else { Some(expire.saturating_sub(timeline.counted() + timeline.overdue.all())) };
    Ok(())
}
