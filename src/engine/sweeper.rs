//! The background deletion: small atomic batches, one report for a container and run.

use std::time::{Duration, Instant as RealInstant};

use crate::domain::Instant;
use crate::domain::nosql::{DefaultTtl, MAX_TTL, horizon};
use crate::store::{ContainerNo, Entry, Half, SweepRange};

use super::records::{self, SweeperRecord};
use super::service::Shared;
use super::{Engine, EngineError, Event, Position, SweepReport, SweeperState};

/// Items of one batch: small, so that a person who writes waits for a few milliseconds at most.
const BATCH: usize = 200;
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
                *self.shared.settings.lock() = *settings;
                self.shared.tell(&Event::SweeperChanged(self.shared.sweeper_state()));
            },
        )?;
        self.shared.background.wake();
        Ok(())
    }

    /// Deletes everything that is expired now, whatever the delay and whether paused or not.
    ///
    /// # Errors
    /// The disk refuses; what was deleted before that stays deleted.
    pub fn sweep_now(&self) -> Result<Vec<SweepReport>, EngineError> {
        self.shared.sweep_due(0)
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
        let first = self.agenda.lock().first();
        let next = first
            .filter(|_| !settings.paused)
            .map(|(at, _)| at.plus_secs(i64::from(settings.delay)));
        SweeperState {
            paused: settings.paused,
            delay: settings.delay,
            next,
        }
    }

    /// When something is to be told or deleted next.
    pub fn next_work(&self) -> Option<Instant> {
        let state = self.sweeper_state();
        let ahead = self.agenda.lock().ahead().map(|(at, _)| at);
        ahead.into_iter().chain(state.next).min()
    }

    pub fn run_due(&self) -> Result<Vec<SweepReport>, EngineError> {
        let settings = *self.settings.lock();
        self.tell_expired(settings.paused || settings.delay > 0)?;
        if settings.paused {
            Ok(Vec::new())
        } else {
            self.sweep_due(settings.delay)
        }
    }

    /// Tells of each container how many items passed their time since it was told last; `aloud` unless their deletion
    /// says it anyway.
    fn tell_expired(&self, aloud: bool) -> Result<(), EngineError> {
        let now = self.clock.now().secs();
        let containers = self.agenda.lock().to_tell(Instant::from_secs(now));
        for no in containers {
            let default = self.default_of(no);
            let before = self.told.lock().insert(no, now).unwrap_or(now);
            let (old, new) = (horizon(default, before), horizon(default, now));
            let mut count = 0;
            let snapshot = self.store.snapshot()?;
            for (half, after, through) in [(Half::Inherit, old.inherit, new.inherit), (Half::Own, old.own, new.own)] {
                if let Some(through) = through {
                    count += snapshot
                        .count_entries(no, half, after, through, super::databases::COUNTED)?
                        .n;
                }
            }
            drop(snapshot);
            if count > 0 && aloud {
                self.tell(&Event::Expired { container: no, count });
            }
            self.look_ahead(no)?;
        }
        Ok(())
    }

    fn sweep_due(&self, delay: u32) -> Result<Vec<SweepReport>, EngineError> {
        let through = self.clock.now().plus_secs(-i64::from(delay));
        let containers = self.agenda.lock().due(Instant::from_secs(through.secs()));
        let mut reports = Vec::new();
        for no in containers {
            self.sweep_container(no, delay, &mut reports)?;
            self.look_ahead(no)?;
        }
        Ok(reports)
    }

    fn sweep_container(&self, no: ContainerNo, delay: u32, reports: &mut Vec<SweepReport>) -> Result<(), EngineError> {
        let mut part = Part::new();
        loop {
            let swept = self.store.sweep(
                no,
                || {
                    let now = self.clock.now().plus_secs(-i64::from(delay)).secs();
                    let passed = horizon(self.default_of(no), now);
                    Some(SweepRange {
                        inherit_through: passed.inherit,
                        own_through: passed.own,
                    })
                },
                BATCH,
                |swept| part.add(no, self.default_of(no), &swept.entries),
            )?;
            *self.deleted.lock().entry(no).or_default() += swept.entries.len() as u64;
            let stop = self.background.is_stopping();
            if !swept.more || stop || part.started.elapsed() >= REPORT_EVERY {
                let report = std::mem::replace(&mut part, Part::new()).report(no, self.clock.now());
                if report.deleted > 0 {
                    self.tell(&Event::Swept(report.clone()));
                    reports.push(report);
                }
            }
            if !swept.more || stop {
                return Ok(());
            }
        }
    }
}

/// What a report gathers.
struct Part {
    started: RealInstant,
    deleted: u64,
    sample: Vec<Position>,
    earliest: Instant,
}

impl Part {
    fn new() -> Self {
        Part {
            started: RealInstant::now(),
            deleted: 0,
            sample: Vec::new(),
            earliest: Instant::MAX,
        }
    }

    fn add(&mut self, no: ContainerNo, default: DefaultTtl, entries: &[Entry]) {
        let secs = match default {
            DefaultTtl::Seconds(secs) => i64::from(secs),
            _ => 0,
        };
        for entry in entries {
            let at = match entry.half {
                Half::Inherit => entry.instant.saturating_add(secs),
                Half::Own => entry.instant,
            };
            let at = Instant::from_secs(at);
            self.earliest = self.earliest.min(at);
            if self.sample.len() < SweepReport::SAMPLE {
                self.sample.push(Position {
                    at,
                    container: no,
                    key: entry.key.clone(),
                });
            }
        }
        self.deleted += entries.len() as u64;
    }

    fn report(self, no: ContainerNo, now: Instant) -> SweepReport {
        SweepReport {
            container: no,
            deleted: self.deleted,
            sample: self.sample,
            at: now,
            latest: if self.deleted == 0 {
                0
            } else {
                now.ticks_since(self.earliest)
            },
            took_millis: self.started.elapsed().as_secs_f64() * 1_000.0,
        }
    }
}
