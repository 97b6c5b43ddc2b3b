//! The background deletion: small atomic batches, one report for a container and run.

use std::time::{Duration, Instant as RealInstant};

use crate::domain::Instant;
use crate::domain::nosql::MAX_TTL;
use crate::store::{ContainerNo, Entry, Half, SweepRange};

use super::records::{self, SweeperRecord};
use super::service::Shared;
use super::{Clock, Container, Engine, EngineError, Event, Position, SweepReport, SweeperState};

/// Items of one batch: small, so that a person who writes waits for a few milliseconds at most.
pub const BATCH: usize = 200;
/// A run that takes longer than this is reported in parts.
const REPORT_EVERY: Duration = Duration::from_millis(500);

impl Engine {
    /// The state of the background deletion.
    pub fn sweeper(&self) -> SweeperState {
        self.shared.sweeper_state()
    }

    /// Seconds from an item's expiry to its deletion. Kept in the store; 5 at first.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn set_sweep_delay(&self, secs: u32) -> Result<(), EngineError> {
        self.change_sweeper(|settings| settings.delay = secs.min(MAX_TTL))
    }

    /// Pauses the background deletion, or lets it go on. Kept in the store.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn pause_sweeper(&self, paused: bool) -> Result<(), EngineError> {
        self.change_sweeper(|settings| settings.paused = paused)
    }

    fn change_sweeper(&self, change: impl FnOnce(&mut SweeperRecord)) -> Result<(), EngineError> {
        self.shared.store.write(
            |writer| {
                let mut settings = *self.shared.settings.lock();
                change(&mut settings);
                writer.put_record(records::SWEEPER, &records::encode(&settings)?);
                Ok::<_, EngineError>(settings)
            },
            |settings| {
                let before = std::mem::replace(&mut *self.shared.settings.lock(), *settings);
                if before.paused && !settings.paused {
                    self.shared.skip_missed_runs();
                }
                self.shared.tell(&Event::SweeperChanged(self.shared.sweeper_state()));
            },
        )?;
        self.shared.background.wake();
        Ok(())
    }

    /// Deletes everything that is expired now, whatever the delay and whether paused or not. RavenDB databases get a run
    /// on demand where their expiration is on, with their limit.
    ///
    /// # Errors
    /// The disk refuses; what was deleted before that stays deleted.
    pub fn sweep_now(&self) -> Result<Vec<SweepReport>, EngineError> {
        let mut reports = self.shared.sweep_due(0)?;
        self.shared.run_cleaners_now(&mut reports)?;
        Ok(reports)
    }

    /// What the sweeper does when it wakes: tells what has expired, deletes what is due.
    ///
    /// # Errors
    /// The disk refuses; what was deleted before that stays deleted.
    pub fn run_due(&self) -> Result<Vec<SweepReport>, EngineError> {
        self.shared.run_due()
    }
}

impl Shared {
    pub fn sweeper_state(&self) -> SweeperState {
        let settings = *self.settings.lock();
        let first = self.agenda.lock().first_to_sweep();
        let next =
            first.filter(|at| !settings.paused && *at > Instant::MIN).map(|at| at.plus_secs(i64::from(settings.delay)));
        SweeperState { paused: settings.paused, delay: settings.delay, next }
    }

    /// When something is to be told or deleted next.
    pub fn next_work(&self) -> Option<Instant> {
        let state = self.sweeper_state();
        let ahead = self.agenda.lock().ahead();
        let run = if state.paused { None } else { self.next_run() };
        ahead.into_iter().chain(state.next).chain(run).min()
    }

    pub fn run_due(&self) -> Result<Vec<SweepReport>, EngineError> {
        let settings = *self.settings.lock();
        if settings.paused {
            self.tell_expired()?;
            Ok(Vec::new())
        } else if settings.delay == 0 {
            // Deleted in time: the sweep says it, and what is counted first would make it late.
            let mut reports = self.sweep_due(0)?;
            self.tell_expired()?;
            self.run_cleaners(&mut reports)?;
            Ok(reports)
        } else {
            self.tell_expired()?;
            let mut reports = self.sweep_due(settings.delay)?;
            self.run_cleaners(&mut reports)?;
            Ok(reports)
        }
    }

    /// Tells of each container how many items passed their time since it was told last, and are still there.
    fn tell_expired(&self) -> Result<(), EngineError> {
        let now = self.clock.now();
        let containers = {
            let mut agenda = self.agenda.lock();
            agenda.turn_back(now);
            agenda.to_tell(now)
        };
        for no in containers {
            let Ok(container) = self.container(no) else { continue };
            let before = self.agenda.lock().tell(no, now);
            let (old, new) = (container.passed(before), container.passed(now));
            let mut count = 0;
            let snapshot = self.store.snapshot()?;
            for (half, after, through) in [(Half::Inherit, old.inherit, new.inherit), (Half::Own, old.own, new.own)] {
                if let Some(through) = through {
                    count += snapshot.count_entries(no, half, after, through, super::databases::COUNTED)?.n;
                }
            }
            drop(snapshot);
            if count > 0 {
                self.tell(&Event::Expired { container: no, count });
            }
            self.look_ahead(no)?;
        }
        Ok(())
    }

    fn sweep_due(&self, delay: u32) -> Result<Vec<SweepReport>, EngineError> {
        let through = self.clock.now().plus_secs(-i64::from(delay));
        let containers = self.agenda.lock().due(through);
        let mut reports = Vec::new();
        for no in containers {
            self.sweep_container(no, delay, &mut reports)?;
            self.look_ahead(no)?;
        }
        Ok(reports)
    }

    fn sweep_container(&self, no: ContainerNo, delay: u32, reports: &mut Vec<SweepReport>) -> Result<(), EngineError> {
        let mut part = Part::new(no);
        loop {
            let swept = self.store.sweep(
                no,
                || {
                    let now = self.clock.now().plus_secs(-i64::from(delay));
                    let passed = self.container(no).ok()?.passed(now);
                    Some(SweepRange { inherit_through: passed.inherit, own_through: passed.own })
                },
                BATCH,
                |swept| {
                    self.went(&mut part, &swept.entries);
                    // Under the writer's lock: nobody hears of an item that was written again before its deletion.
                    if !swept.more || part.started.elapsed() >= REPORT_EVERY {
                        self.report(&mut part, reports);
                    }
                },
            )?;
            if !swept.more || self.background.is_stopping() {
                // What is left when the last batch found nothing, or is none.
                self.report(&mut part, reports);
                return Ok(());
            }
        }
    }

    /// Counts what a batch deleted.
    pub fn went(&self, part: &mut Part, entries: &[Entry]) {
        let mut deleted = self.deleted.lock();
        for entry in entries {
            for no in [Some(part.container), entry.collection].into_iter().flatten() {
                *deleted.entry(no).or_default() += 1;
            }
        }
        if let Ok(container) = self.container(part.container) {
            part.add(&container, entries, self.clock.now());
        }
    }

    fn report(&self, part: &mut Part, reports: &mut Vec<SweepReport>) {
        let next = Part::new(part.container);
        if part.deleted > 0 {
            let report = std::mem::replace(part, next).report(self.clock.now());
            self.tell(&Event::Swept(report.clone()));
            reports.push(report);
        }
    }
}

/// What a report gathers.
pub struct Part {
    container: ContainerNo,
    started: RealInstant,
    deleted: u64,
    sample: Vec<Position>,
    /// The longest wait from an expiry to its deletion, in ticks.
    latest: i64,
}

impl Part {
    pub fn new(container: ContainerNo) -> Self {
        Part { container, started: RealInstant::now(), deleted: 0, sample: Vec::new(), latest: 0 }
    }

    /// How many were deleted.
    pub fn deleted(&self) -> u64 {
        self.deleted
    }

    fn add(&mut self, container: &Container, entries: &[Entry], now: Instant) {
        for entry in entries {
            let offset = container.offset(entry.half).unwrap_or(0);
            let at = container.instant(entry.instant.saturating_add(offset));
            self.latest = self.latest.max(now.ticks_since(at));
            if self.sample.len() < SweepReport::SAMPLE {
                self.sample.push(Position { at, container: self.container, key: entry.key.clone() });
            }
        }
        self.deleted += entries.len() as u64;
    }

    /// The report of a run that ends now.
    pub fn report(self, now: Instant) -> SweepReport {
        SweepReport {
            container: self.container,
            deleted: self.deleted,
            sample: self.sample,
            at: now,
            latest: self.latest,
            took_millis: self.started.elapsed().as_secs_f64() * 1_000.0,
        }
    }
}
