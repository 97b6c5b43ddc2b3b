//! The engine itself: what it holds, how it is opened and closed, who listens.

use std::collections::HashMap;
use std::ops::Bound;
use std::path::Path;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, unbounded};
use parking_lot::{Mutex, RwLock};

use crate::domain::Instant;
use crate::domain::Refusal;
use crate::domain::nosql::{DefaultTtl, horizon};
use crate::store::{self, ContainerNo, Direction, Half, Store, StoreError};

use super::agenda::Agenda;
use super::background::Background;
use super::clock::{Clock, SystemClock};
use super::records::{self, SweeperRecord};
use super::{Catalog, Container, EngineError, Event};

/// How an engine is opened.
#[derive(Clone)]
pub struct EngineOptions {
    /// What tells the time.
    pub clock: Arc<dyn Clock>,
    /// Whether the sweeper and the syncing run by themselves, on threads.
    pub background: bool,
    /// Sizes of the store.
    pub store: store::Options,
}

impl Default for EngineOptions {
    fn default() -> Self {
        EngineOptions { clock: Arc::new(SystemClock), background: true, store: store::Options::default() }
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
    pub(super) clock: Arc<dyn Clock>,
    pub(super) catalog: RwLock<Arc<Catalog>>,
    pub(super) agenda: Mutex<Agenda>,
    /// Items that the sweeper deleted, by container, since the engine was opened.
    pub(super) deleted: Mutex<HashMap<ContainerNo, u64>>,
    pub(super) settings: Mutex<SweeperRecord>,
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
        let (catalog, settings) = {
            let snapshot = store.snapshot()?;
            let settings = match snapshot.record(records::SWEEPER)? {
                Some(bytes) => records::decode(records::SWEEPER, &bytes)?,
                None => SweeperRecord::default(),
            };
            (records::catalog(&snapshot)?, settings)
        };
        let containers: Vec<ContainerNo> = catalog.containers.keys().copied().collect();
        let now = Instant::from_secs(options.clock.now().secs());
        let shared = Shared {
            store,
            clock: options.clock,
            catalog: RwLock::new(Arc::new(catalog)),
            agenda: Mutex::new(Agenda::new(now)),
            deleted: Mutex::new(HashMap::new()),
            settings: Mutex::new(settings),
            subscribers: Mutex::new(Vec::new()),
            background: Background::default(),
        };
        let engine = Engine { shared: Arc::new(shared) };
        for no in containers {
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
        Ok(self.shared.store.close()?)
    }

    /// The present, by the engine's clock.
    pub fn now(&self) -> Instant {
        self.shared.clock.now()
    }

    /// What tells the engine the time.
    pub fn clock(&self) -> &Arc<dyn Clock> {
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

    /// The clock was moved by hand: the sweeper looks at it again.
    pub fn clock_changed(&self) {
        self.shared.background.wake();
    }
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

    /// The setting of a container; Off for one that is gone.
    pub fn default_of(&self, no: ContainerNo) -> DefaultTtl {
        self.catalog.read().container(no).map_or(DefaultTtl::Off, |container| container.default_ttl)
    }

    /// Looks at the index of a container and puts its times in the agenda right.
    pub fn look_ahead(&self, no: ContainerNo) -> Result<(), StoreError> {
        let (look, told) = {
            let mut agenda = self.agenda.lock();
            (agenda.look(no), agenda.told(no))
        };
        // Read after the look began: a change of the setting makes a look of its own, which then is the last one.
        let default = self.default_of(no);
        let first = self.first_expiry(no, default)?;
        let ahead = self.next_expiry(no, default, told.secs())?;
        self.agenda.lock().settle(no, look, first, ahead);
        Ok(())
    }

    /// The first expiry of everything stored in a container.
    fn first_expiry(&self, no: ContainerNo, default: DefaultTtl) -> Result<Option<Instant>, StoreError> {
        let own = match default {
            DefaultTtl::Off => None,
            _ => self.store.first_instant(no, Half::Own)?,
        };
        let inherited = match default {
            DefaultTtl::Seconds(secs) => {
                self.store.first_instant(no, Half::Inherit)?.map(|ts| ts.saturating_add(i64::from(secs)))
            }
            _ => None,
        };
        Ok(own.into_iter().chain(inherited).min().map(Instant::from_secs))
    }

    /// The first expiry of a container behind second `after`.
    fn next_expiry(&self, no: ContainerNo, default: DefaultTtl, after: i64) -> Result<Option<Instant>, StoreError> {
        let snapshot = self.store.snapshot()?;
        let passed = horizon(default, after);
        let mut next: Option<i64> = None;
        for half in Half::BOTH {
            let (through, secs) = match (half, default) {
                (_, DefaultTtl::Off) | (Half::Inherit, DefaultTtl::NoDefault) => continue,
                (Half::Inherit, DefaultTtl::Seconds(secs)) => (passed.inherit, i64::from(secs)),
                (Half::Own, _) => (passed.own, 0),
            };
            let from = through.and_then(|through| through.checked_add(1)).unwrap_or(i64::MIN);
            let mut entries = snapshot.entries(no, half, Bound::Included((from, &[])), Direction::Forward)?;
            if let Some(entry) = entries.next() {
                let at = entry?.instant.saturating_add(secs);
                next = Some(next.map_or(at, |next| next.min(at)));
            }
        }
        Ok(next.map(Instant::from_secs))
    }
}
