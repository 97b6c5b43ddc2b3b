//! Document Expiration: its configuration, and the runs that come by the clock.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use crate::domain::ravendb::{Configuration, Schedule};
use crate::domain::{Instant, Refusal};
use crate::engine::records::{self, ContainerRecord};
use crate::engine::service::Shared;
use crate::engine::sweeper::{BATCH, Part};
use crate::engine::{Clock, Container, ContainerNo, Engine, EngineError, Event, Kind, SweepReport};
use crate::store::SweepRange;

/// One run over the documents of a database that found something to delete.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// When it began: what expired up to here was due.
    pub at: Instant,
    /// How many documents it deleted.
    pub deleted: u64,
    /// MaxItemsToProcess stopped it: more were due.
    pub stopped: bool,
    /// How long the latest of them waited from its expiry, in ticks of 100 ns.
    pub latest: i64,
    /// How long it worked, in milliseconds.
    pub took_millis: f64,
}

/// The timers of all databases whose expiration is on.
#[derive(Default)]
pub struct Timers(Mutex<BTreeMap<ContainerNo, Schedule>>);

impl Timers {
    /// The timers of these containers, started when their databases were opened.
    pub fn of<'a>(containers: impl Iterator<Item = &'a Container>) -> Timers {
        let schedules = containers.filter_map(|container| Some((container.no, container.schedule(Instant::MIN)?)));
        Timers(Mutex::new(schedules.collect()))
    }

    /// The database goes.
    pub fn forget(&self, no: ContainerNo) {
        self.0.lock().remove(&no);
    }
}

impl Engine {
    /// Saves the configuration of Document Expiration of a RavenDB database, given by the number of all its documents or
    /// of a collection. An equal one changes nothing; a different one starts the timer anew, so that the first run comes
    /// one period from now.
    ///
    /// # Errors
    /// 400 for a frequency that is not positive; 404 when the database does not exist, 400 when it is of another kind.
    pub fn set_expiration(&self, no: ContainerNo, configuration: Configuration) -> Result<(), EngineError> {
        let no = self.shared.root(no)?.no;
        let saved = self.shared.store.write(
            |writer| {
                let before = self.shared.container(no)?;
                let Kind::Documents { configuration: old, replica, .. } = &before.kind else {
                    let words = "Document Expiration is a setting of RavenDB databases; this one has a Time to Live.";
                    return Err(EngineError::from(Refusal::bad_request(words)));
                };
                let name = self.shared.catalog.read().names.get(&before.database).cloned().unwrap_or_default();
                configuration.check(&name)?;
                if *old == Some(configuration) {
                    return Ok(None);
                }
                let timer = (!configuration.disabled).then(|| self.now());
                let kind = Kind::Documents { configuration: Some(configuration), timer, replica: replica.clone() };
                let container = Container { kind, ..(*before).clone() };
                writer.put_record(&records::container(no), &records::encode(&ContainerRecord::from(&container))?);
                Ok(Some((*old, container)))
            },
            |saved| {
                let Some((before, container)) = saved else { return };
                match container.schedule(Instant::MIN) {
                    Some(schedule) => self.shared.timers.0.lock().insert(no, schedule),
                    None => self.shared.timers.0.lock().remove(&no),
                };
                self.change_catalog(|catalog| catalog.put_container(container.clone()));
                let event = Event::ExpirationChanged { container: no, before: *before, now: configuration };
                self.shared.tell(&event);
            },
        )?;
        if saved.is_some() {
            self.shared.background.wake();
        }
        Ok(())
    }
}

impl Shared {
    /// When the next run comes that finds something to delete.
    pub fn next_run(&self) -> Option<Instant> {
        let timers = self.timers.0.lock();
        let agenda = self.agenda.lock();
        let runs = timers.iter().filter_map(|(no, schedule)| {
            self.most(*no).filter(|most| *most != Some(0))?;
            Some(schedule.run_for(agenda.first_of(*no)?))
        });
        runs.min()
    }

    /// Whether a run has come over what is stored of a database by the time that the clock shows `at`.
    pub fn run_by(&self, no: ContainerNo, at: Instant) -> bool {
        let Some(first) = self.agenda.lock().first_of(no) else { return false };
        self.most(no).is_some_and(|most| most != Some(0))
            && self.timers.0.lock().get(&no).is_some_and(|schedule| schedule.run_for(first) <= at)
    }

    /// Notes in the agenda that something that was written expires at `at`, and says whether that is earlier than anything
    /// before. Runs that had nothing to do are past then: a document put behind them waits for the next one.
    pub fn note_expiry(&self, no: ContainerNo, at: Instant) -> bool {
        let mut timers = self.timers.0.lock();
        let mut agenda = self.agenda.lock();
        if let Some(schedule) = timers.get_mut(&no) {
            schedule.pass_quiet_runs(self.clock.now(), agenda.first_of(no));
        }
        agenda.note(no, at)
    }

    /// The runs whose time has come.
    ///
    /// # Errors
    /// The disk refuses; what was deleted before that stays deleted.
    pub fn run_cleaners(&self, reports: &mut Vec<SweepReport>) -> Result<(), EngineError> {
        let now = self.clock.now();
        self.turn_timers_back(now);
        let due: Vec<ContainerNo> = {
            let mut timers = self.timers.0.lock();
            let agenda = self.agenda.lock();
            timers.iter_mut().for_each(|(no, schedule)| schedule.pass_quiet_runs(now, agenda.first_of(*no)));
            timers.iter().filter(|(_, schedule)| schedule.next() <= now).map(|(no, _)| *no).collect()
        };
        for no in due {
            if let Some(schedule) = self.timers.0.lock().get_mut(&no) {
                schedule.ran(now);
            }
            self.run_cleaner(no, now, reports)?;
        }
        Ok(())
    }

    /// The runs that would have come during a pause are not made up for.
    pub fn skip_missed_runs(&self) {
        let now = self.clock.now();
        for schedule in self.timers.0.lock().values_mut() {
            schedule.skip_missed_runs(now);
        }
    }

    /// A run on demand over each database whose expiration is on; the timers are not touched.
    ///
    /// # Errors
    /// The disk refuses; what was deleted before that stays deleted.
    pub fn run_cleaners_now(&self, reports: &mut Vec<SweepReport>) -> Result<(), EngineError> {
        let all: Vec<ContainerNo> = self.timers.0.lock().keys().copied().collect();
        let now = self.clock.now();
        for no in all {
            self.run_cleaner(no, now, reports)?;
        }
        Ok(())
    }

    /// How many documents one run of a database deletes at most; `None` while its expiration is off.
    fn most(&self, no: ContainerNo) -> Option<Option<u64>> {
        match self.catalog.read().container(no)?.kind {
            Kind::Documents { configuration: Some(saved), .. } if !saved.disabled => Some(saved.most()),
            _ => None,
        }
    }

    fn run_cleaner(&self, no: ContainerNo, now: Instant, reports: &mut Vec<SweepReport>) -> Result<(), EngineError> {
        let Some(most) = self.most(no) else { return Ok(()) };
        if self.agenda.lock().first_of(no).is_none_or(|first| first > now) {
            return Ok(());
        }
        let mut left = most.unwrap_or(u64::MAX);
        let mut part = Part::new(no);
        let mut stopped = false;
        while left > 0 {
            let swept = self.store.sweep(
                no,
                // Expiration may be switched off in the middle of a run.
                || self.most(no).map(|_| SweepRange { inherit_through: None, own_through: Some(now.ticks()) }),
                usize::try_from(left).map_or(BATCH, |left| left.min(BATCH)),
                |swept| self.went(&mut part, &swept.entries),
            )?;
            left = left.saturating_sub(swept.entries.len() as u64);
            stopped = swept.more && left == 0;
            if !swept.more || self.background.is_stopping() {
                break;
            }
        }
        self.look_ahead(no)?;
        if part.deleted() > 0 {
            let report = part.report(self.clock.now());
            let (deleted, latest, took_millis) = (report.deleted, report.latest, report.took_millis);
            self.tell(&Event::Swept(report.clone()));
            self.tell(&Event::Ran { container: no, run: Run { at: now, deleted, stopped, latest, took_millis } });
            reports.push(report);
        }
        Ok(())
    }

    /// Timers that the clock went back behind start anew.
    fn turn_timers_back(&self, now: Instant) {
        // The lock is held: a configuration that is saved meanwhile has the last word in both places.
        for (no, schedule) in self.timers.0.lock().iter_mut() {
            if !schedule.turn_back(now) {
                continue;
            }
            let start = schedule.start;
            self.change_catalog(|catalog| {
                if let Some(container) = catalog.container(*no).cloned()
                    && let Kind::Documents { configuration, replica, .. } = &container.kind
                {
                    let (configuration, replica) = (*configuration, replica.clone());
                    let kind = Kind::Documents { configuration, timer: Some(start), replica };
                    catalog.put_container(Container { kind, ..(*container).clone() });
                }
            });
        }
    }
}
