//! What people do to the clock: pause it, let it run faster, jump, go back to the real time.

use super::store_clock::{ClockRecord, ClockState};
use crate::domain::clock::Rate;
use crate::domain::{Instant, Refusal, words};
use crate::engine::databases::COUNTED;
use crate::engine::service::Shared;
use crate::engine::{Api, Container, Count, Engine, EngineError, Event, records};
use crate::store::{Half, Snapshot};

/// How the clock shall run, and from where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockSetting {
    /// How fast it runs.
    pub rate: Rate,
    /// Whether it stands still.
    pub paused: bool,
    /// What it shows first; from the present on, when nothing is given.
    pub to: Option<Instant>,
}

/// What a move of the clock does to what is stored. Counted to 100,000 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JumpPreview {
    /// What the clock shows.
    pub from: Instant,
    /// What it shall show.
    pub to: Instant,
    /// Items that expire in between.
    pub expire: Count,
    /// Items that are deleted in the background then, and do not come back. Of RavenDB some of them may need more than one
    /// run.
    pub delete: Count,
    /// Items that are expired by the clock as it is, and are not any more.
    pub come_back: Count,
    /// The newest write, if the clock shall show an earlier time.
    pub newest: Option<Instant>,
}

impl JumpPreview {
    /// In words: `12 items expire; 10 items are deleted.`
    pub fn words(&self) -> String {
        let verb = |count: Count, one: &'static str, many: &'static str| if count.n == 1 { one } else { many };
        let mut parts = Vec::new();
        let parts_of = [
            (self.expire, "expires", "expire"),
            (self.delete, "is deleted", "are deleted"),
            (self.come_back, "comes back", "come back"),
        ];
        for (count, one, many) in parts_of {
            if count.n > 0 {
                parts.push(format!("{} {}", count.words("item"), verb(count, one, many)));
            }
        }
        if let Some(newest) = self.newest {
            parts.push(format!("the newest write lies ahead, at {}", words::instant(newest, Instant::MIN)));
        }
        if parts.is_empty() { "Nothing expires in between.".to_owned() } else { format!("{}.", parts.join("; ")) }
    }
}

impl Engine {
    /// How the clock runs.
    pub fn clock_state(&self) -> ClockState {
        self.shared.clock.state()
    }

    /// The real time.
    pub fn real_time(&self) -> Instant {
        self.shared.clock.real_time()
    }

    /// Pauses the clock, changes how fast it runs, moves it on. Kept in the store.
    ///
    /// # Errors
    /// 400 for an instant before the present: time runs forward, and back only to the real time; for one behind the year
    /// 9999. The disk refuses.
    pub fn set_clock(&self, setting: ClockSetting) -> Result<(), EngineError> {
        self.change_clock(|record, now| {
            let to = setting.to.unwrap_or(now);
            if to < now {
                return Err(earlier());
            }
            if to > LAST {
                return Err(too_far());
            }
            let was_real = record.shown.is_none();
            if was_real && setting.to.is_none() && setting.rate == Rate::REAL && !setting.paused {
                return Ok(record);
            }
            Ok(ClockRecord { shown: Some(to.ticks()), rate: setting.rate, paused: setting.paused, ..record })
        })
    }

    /// Lets the clock show the real time again. Items that were written later than that keep their `_ts`, and are counted
    /// from there; the next write gives them the real time.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn reset_clock(&self) -> Result<(), EngineError> {
        self.change_clock(|record, now| {
            let from = record.shown.map(|_| now.ticks());
            Ok(ClockRecord { went_back_from: from.max(record.went_back_from), ..ClockRecord::default() })
        })
    }

    fn change_clock(
        &self,
        change: impl FnOnce(ClockRecord, Instant) -> Result<ClockRecord, Refusal>,
    ) -> Result<(), EngineError> {
        // Under the writer's lock: no write is stamped by one clock and planned by another.
        self.shared.store.write(
            |writer| {
                let record = self.shared.clock.record();
                let now = record.shown.map_or_else(|| self.now(), Instant::from_ticks);
                let record = change(record, now)?;
                writer.put_record(records::CLOCK, &records::encode(&record)?);
                Ok::<_, EngineError>(record)
            },
            |record| {
                self.shared.clock.set(*record);
                self.shared.tell(&Event::ClockChanged(self.shared.clock.state()));
            },
        )?;
        self.shared.background.wake();
        Ok(())
    }

    /// What a move of the clock to `to` would do; forward, or back to the real time.
    ///
    /// # Errors
    /// 400 for an instant before the present that is not the real time or later, and for one behind the year 9999. The
    /// store cannot be read.
    pub fn preview_jump(&self, to: Instant) -> Result<JumpPreview, EngineError> {
        let from = self.now();
        if to < from && to < self.real_time().plus_secs(-1) {
            return Err(earlier().into());
        }
        if to > LAST {
            return Err(too_far().into());
        }
        let mut preview = JumpPreview {
            from,
            to,
            expire: Count::default(),
            delete: Count::default(),
            come_back: Count::default(),
            newest: None,
        };
        let settings = *self.shared.settings.lock();
        let catalog = self.catalog();
        let due = self.shared.agenda.lock().up_to(from.max(to));
        let snapshot = self.shared.store.snapshot()?;
        for no in due {
            let Some(container) = catalog.container(no) else { continue };
            count(&snapshot, container, Some(from), to, &mut preview.expire)?;
            count(&snapshot, container, Some(to), from, &mut preview.come_back)?;
            if !settings.paused
                && let Some(through) = self.shared.deleted_through(container, to, settings.delay)
            {
                count(&snapshot, container, None, through, &mut preview.delete)?;
            }
        }
        if to < from {
            preview.newest = self.newest_write()?.filter(|newest| *newest > to);
        }
        Ok(preview)
    }
}

impl Shared {
    /// Up to where what is expired in a container will be deleted when the clock shows `at`.
    fn deleted_through(&self, container: &Container, at: Instant, delay: u32) -> Option<Instant> {
        match container.api() {
            Api::RavenDb => self.run_by(container.no, at).then_some(at),
            Api::NoSql | Api::MongoDb => Some(at.plus_secs(-i64::from(delay))),
        }
    }
}

/// Adds the items that expire behind `after` and at most at `through`.
fn count(
    snapshot: &Snapshot,
    container: &Container,
    after: Option<Instant>,
    through: Instant,
    counted: &mut Count,
) -> Result<(), EngineError> {
    if after.is_some_and(|after| after >= through) || counted.more {
        return Ok(());
    }
    let old = after.map(|after| container.passed(after));
    let new = container.passed(through);
    let halves = [
        (Half::Inherit, old.and_then(|old| old.inherit), new.inherit),
        (Half::Own, old.and_then(|old| old.own), new.own),
    ];
    for (half, after, through) in halves {
        let Some(through) = through else { continue };
        let found = snapshot.count_entries(container.no, half, after, through, COUNTED)?;
        counted.n += found.n;
        counted.more |= found.more || counted.n > COUNTED;
        counted.n = counted.n.min(COUNTED);
    }
    Ok(())
}

/// The end of the year 9999: behind it dates have no form that all systems read.
const LAST: Instant = Instant::from_secs(253_402_300_799);

fn too_far() -> Refusal {
    Refusal::bad_request("The clock ends with the year 9999.")
}

fn earlier() -> Refusal {
    Refusal::bad_request("The clock only goes forward: what was deleted would not come back.")
        .with_hint("Back is only the way to the real time.")
}
