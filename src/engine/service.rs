//! The engine itself: what it holds, how it is opened and closed, who listens.

use std::collections::HashMap;
use std::ops::Bound;
use std::path::Path;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, unbounded};
use parking_lot::{Mutex, RwLock};

use crate::domain::{Instant, Refusal};
use crate::store::{self, ContainerNo, Direction, Half, Snapshot, Store, StoreError};

use super::agenda::Agenda;
use super::background::Background;
use super::clock::{Clock, ClockRecord, StoreClock, SystemClock};
use super::ravendb::{Ids, Timers};
use super::records::{self, SweeperRecord};
use super::{Api, Catalog, Container, EngineError, Event};

/// How an engine is opened.
#[derive(Clone)]
pub struct EngineOptions {
    /// What tells the real time.
    pub clock: Arc<dyn Clock>,
    /// Whether the clock that people moved is followed, which the store keeps; without it the real time is the present.
    pub store_clock: bool,
    /// Whether the sweeper and the syncing run by themselves, on threads.
    pub background: bool,
    /// Sizes of the store.
    pub store: store::Options,
}

impl Default for EngineOptions {
    fn default() -> Self {
        EngineOptions {
            clock: Arc::new(SystemClock),
            store_clock: true,
            background: true,
            store: store::Options::default(),
        }
    }
}

/// The database service. Cheap to clone: all clones are one.
#[derive(Clone)]
pub struct Engine {
    pub(super) shared: Arc<Shared>,
}

/// What all clones share.
pub struct Shared {
    pub(super) store: Store,
    pub(super) clock: StoreClock,
    pub(super) catalog: RwLock<Arc<Catalog>>,
    pub(super) agenda: Mutex<Agenda>,
    /// Items that the sweeper deleted, by container, since the engine was opened.
    pub(super) deleted: Mutex<HashMap<ContainerNo, u64>>,
    pub(super) settings: Mutex<SweeperRecord>,
    /// When the runs of RavenDB databases come.
    pub(super) timers: Timers,
    /// Ids of RavenDB documents that may be given.
    pub(super) ids: Ids,
    subscribers: Mutex<Vec<Sender<Event>>>,
    pub(super) background: Background,
}

impl Engine {
    /// Opens the service on the store in `dir`.
    ///
    /// # Errors
    /// The store cannot be opened; see [`StoreError`].
    pub fn open(dir: &Path, options: EngineOptions) -> Result<Engine, EngineError> {
        let store = Store::open(dir, options.store)?;
        let (catalog, settings, clock) = {
            let snapshot = store.snapshot()?;
            let settings = match snapshot.record(records::SWEEPER)? {
                Some(bytes) => records::decode(records::SWEEPER, &bytes)?,
                None => SweeperRecord::default(),
            };
            let mut record: ClockRecord = match snapshot.record(records::CLOCK)?.filter(|_| options.store_clock) {
                Some(bytes) => records::decode(records::CLOCK, &bytes)?,
                None => ClockRecord::default(),
            };
            if let Some(shown) = &mut record.shown {
                // After a kill the record is older than what was written since. What was written ahead, before people
                // went back to the real time, says nothing about it.
                let catalog = records::catalog(&snapshot, options.clock.now())?;
                let newest = newest_write(&catalog, &snapshot)?.map(Instant::ticks);
                *shown =
                    newest.filter(|newest| Some(*newest) > record.went_back_from).map_or(*shown, |at| at.max(*shown));
            }
            let clock = StoreClock::new(options.clock, record);
            (records::catalog(&snapshot, clock.now())?, settings, clock)
        };
        let roots: Vec<ContainerNo> =
            catalog.containers.values().filter(|container| container.root() == container.no).map(|c| c.no).collect();
        let mut agenda = Agenda::new(clock.now());
        let with_runs = catalog.containers.values().filter(|container| container.api() == Api::RavenDb);
        with_runs.for_each(|container| agenda.has_runs(container.no));
        let shared = Shared {
            store,
            clock,
            timers: Timers::of(catalog.containers.values().map(|container| &**container)),
            ids: Ids::default(),
            catalog: RwLock::new(Arc::new(catalog)),
            agenda: Mutex::new(agenda),
            deleted: Mutex::new(HashMap::new()),
            settings: Mutex::new(settings),
            subscribers: Mutex::new(Vec::new()),
            background: Background::default(),
        };
        let engine = Engine { shared: Arc::new(shared) };
        for no in roots {
            engine.shared.look_ahead(no)?;
        }
        if options.background {
            Background::start(&engine.shared)?;
        }
        Ok(engine)
    }

    /// Stops the threads and makes everything safe from a loss of power. Nothing more should be asked then.
    ///
    /// # Errors
    /// The disk refuses; what was acknowledged is in the journal all the same.
    pub fn close(&self) -> Result<(), EngineError> {
        self.shared.background.stop();
        if self.shared.clock.state().moved {
            let record = records::encode(&self.shared.clock.record())?;
            let keep = |writer: &mut store::Writer<'_>| {
                writer.put_record(records::CLOCK, &record);
                Ok::<_, StoreError>(())
            };
            // One that is not kept is where it was at its last change.
            if let Err(error) = self.shared.store.write(keep, |()| {}) {
                tracing::warn!("the clock is not kept: {error}");
            }
        }
        Ok(self.shared.store.close()?)
    }

    /// The present, by the engine's clock.
    pub fn now(&self) -> Instant {
        self.shared.clock.now()
    }

    /// The instant of the newest write to what is stored; `None` for an empty account.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn newest_write(&self) -> Result<Option<Instant>, EngineError> {
        Ok(newest_write(&self.catalog(), &self.shared.store.snapshot()?)?)
    }

    /// What tells the engine the time.
    pub fn clock(&self) -> &dyn Clock {
        &self.shared.clock
    }

    /// The store below, for checking it.
    pub fn store(&self) -> &Store {
        &self.shared.store
    }

    /// The events from now on, in the order in which things happen.
    pub fn subscribe(&self) -> Receiver<Event> {
        let (sender, receiver) = unbounded();
        self.shared.subscribers.lock().push(sender);
        receiver
    }

    /// The real clock was moved by hand: the sweeper looks at it again.
    pub fn clock_changed(&self) {
        self.shared.background.wake();
    }
}

fn newest_write(catalog: &Catalog, snapshot: &Snapshot) -> Result<Option<Instant>, StoreError> {
    let mut newest = None;
    for container in catalog.containers.values() {
        let written = snapshot.newest(container.no)?.map(|stored| container.instant(stored));
        newest = newest.max(written);
    }
    Ok(newest)
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.background.stop();
    }
}

impl Shared {
    /// Tells everybody who still listens.
    pub fn tell(&self, event: &Event) {
        if self.store.is_unsynced() {
            self.background.written();
        }
        self.subscribers.lock().retain(|subscriber| subscriber.send(event.clone()).is_ok());
    }

    /// A container by its number.
    pub fn container(&self, no: ContainerNo) -> Result<Arc<Container>, Refusal> {
        self.catalog.read().container(no).cloned().ok_or_else(Shared::no_container)
    }

    /// 404 for a container.
    pub fn no_container() -> Refusal {
        Refusal::new(404, "The container does not exist: it was deleted.")
    }

    /// 404 for a database.
    pub fn no_database() -> Refusal {
        Refusal::new(404, "The database does not exist.")
    }

    /// The container that holds the items of a container.
    pub fn root(&self, no: ContainerNo) -> Result<Arc<Container>, Refusal> {
        self.catalog.read().root(no).cloned().ok_or_else(Shared::no_container)
    }

    /// Looks at the index of a container and puts its times in the agenda right.
    pub fn look_ahead(&self, no: ContainerNo) -> Result<(), StoreError> {
        let (look, told) = {
            let mut agenda = self.agenda.lock();
            (agenda.look(no), agenda.told(no))
        };
        // Read after the look began: a change of the setting makes a look of its own, which then is the last one.
        let container = self.container(no).ok();
        let (first, ahead) = match &container {
            Some(container) => (self.first_expiry(container)?, self.next_expiry(container, told)?),
            None => (None, None),
        };
        self.agenda.lock().settle(no, look, first, ahead);
        Ok(())
    }

    /// The first expiry of everything stored in a container.
    fn first_expiry(&self, container: &Container) -> Result<Option<Instant>, StoreError> {
        let mut first: Option<Instant> = None;
        for half in Half::BOTH {
            let Some(offset) = container.offset(half) else { continue };
            if let Some(instant) = self.store.first_instant(container.no, half)? {
                let at = container.instant(instant.saturating_add(offset));
                first = Some(first.map_or(at, |first| first.min(at)));
            }
        }
        Ok(first)
    }

    /// The first expiry of a container behind `after`.
    fn next_expiry(&self, container: &Container, after: Instant) -> Result<Option<Instant>, StoreError> {
        let snapshot = self.store.snapshot()?;
        let passed = container.passed(after);
        let mut next: Option<Instant> = None;
        for (half, through) in [(Half::Inherit, passed.inherit), (Half::Own, passed.own)] {
            let Some(offset) = container.offset(half) else { continue };
            let from = through.and_then(|through| through.checked_add(1)).unwrap_or(i64::MIN);
            let mut entries = snapshot.entries(container.no, half, Bound::Included((from, &[])), Direction::Forward)?;
            if let Some(entry) = entries.next() {
                let at = container.instant(entry?.instant.saturating_add(offset));
                next = Some(next.map_or(at, |next| next.min(at)));
            }
        }
        Ok(next)
    }
}
