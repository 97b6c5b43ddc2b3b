//! The threads: the sweeper waits for the next expiry and never polls; the housekeeper syncs, purges and compacts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use super::service::Shared;
use super::{Clock, EngineError, Event};

/// Machines sleep and clocks jump: the sweeper looks at the clock at least this often while something is pending.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// What was written is synced to the disk this much later.
const SYNC_AFTER: Duration = Duration::from_secs(1);
/// After a failure the sweeper tries again this much later.
const RETRY_AFTER: Duration = Duration::from_secs(1);
/// Keys that one step of a purge deletes.
const PURGE_STEP: usize = 1_000;

/// A bell for one thread.
#[derive(Default)]
struct Bell {
    state: Mutex<BellState>,
    wakes: Condvar,
}

#[derive(Default)]
struct BellState {
    rung: bool,
    /// The thread sleeps without a limit.
    idle: bool,
    /// It is not to sleep any more.
    closed: bool,
}

impl Bell {
    /// Wakes the thread at once.
    fn ring(&self) {
        self.state.lock().rung = true;
        self.wakes.notify_one();
    }

    /// Wakes the thread for the last time.
    fn close(&self) {
        self.state.lock().closed = true;
        self.wakes.notify_one();
    }

    /// Wakes the thread if it sleeps without a limit; one that will wake by itself is left alone.
    fn nudge(&self) {
        let mut state = self.state.lock();
        state.rung = true;
        if state.idle {
            self.wakes.notify_one();
        }
    }

    /// Waits until it rings, or so long.
    fn wait(&self, limit: Option<Duration>) {
        let mut state = self.state.lock();
        if !state.rung && !state.closed {
            state.idle = limit.is_none();
            match limit {
                Some(limit) => {
                    self.wakes.wait_for(&mut state, limit);
                }
                None => self.wakes.wait(&mut state),
            }
        }
        (state.rung, state.idle) = (false, false);
    }

    /// Waits so long, whoever rings; only the end ends it early.
    fn rest(&self, limit: Duration) {
        let mut state = self.state.lock();
        self.wakes.wait_while_for(&mut state, |state| !state.closed, limit);
    }
}

/// The threads of an engine, or none.
#[derive(Default)]
pub struct Background {
    sweeper: Arc<Bell>,
    housekeeper: Arc<Bell>,
    stopping: Arc<AtomicBool>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Background {
    /// Starts the threads. They hold the engine only while they work, so that the last clone can go.
    pub fn start(shared: &Arc<Shared>) -> Result<(), EngineError> {
        let background = &shared.background;
        let sweeper = spawn("sweeper", shared, background.sweeper.clone(), sweep, Bell::wait)?;
        let housekeeper =
            spawn("housekeeper", shared, background.housekeeper.clone(), keep_house, |bell, limit| match limit {
                // A burst of writes is synced once a second, not once a write.
                Some(limit) => bell.rest(limit),
                None => bell.wait(None),
            })?;
        background.threads.lock().extend([sweeper, housekeeper]);
        Ok(())
    }

    /// Something is due earlier than before, or a setting or the clock changed.
    pub fn wake(&self) {
        self.sweeper.ring();
    }

    /// Something was written or dropped.
    pub fn written(&self) {
        self.housekeeper.nudge();
    }

    /// Whether the threads are to end.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    /// Ends the threads and waits for them.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        self.sweeper.close();
        self.housekeeper.close();
        let here = std::thread::current().id();
        for thread in self.threads.lock().drain(..) {
            // The last clone may be dropped by one of the threads itself.
            if thread.thread().id() != here && thread.join().is_err() {
                tracing::error!("a background thread ended in a panic");
            }
        }
    }
}

/// How long a thread may sleep; `None` until it is woken.
type Work = fn(&Shared) -> Result<Option<Duration>, EngineError>;

fn spawn(
    name: &str,
    shared: &Arc<Shared>,
    bell: Arc<Bell>,
    work: Work,
    sleep: fn(&Bell, Option<Duration>),
) -> Result<JoinHandle<()>, EngineError> {
    let weak: Weak<Shared> = Arc::downgrade(shared);
    let stopping = shared.background.stopping.clone();
    let run = move || {
        let mut failed_before = false;
        while !stopping.load(Ordering::SeqCst) {
            let wait = match weak.upgrade() {
                Some(shared) => {
                    let outcome = catch_unwind(AssertUnwindSafe(|| work(&shared)));
                    let (wait, failure) = match outcome {
                        Ok(Ok(wait)) => (wait, None),
                        Ok(Err(error)) => (Some(RETRY_AFTER), Some(error.to_string())),
                        Err(_) => (None, Some("an internal error stopped the background work: see the log".to_owned())),
                    };
                    // A failure that lasts is told once.
                    if let Some(reason) = failure.as_ref().filter(|_| !failed_before) {
                        tracing::error!("{reason}");
                        shared.tell(&Event::StoreFailed(reason.clone()));
                    }
                    failed_before = failure.is_some();
                    wait
                }
                None => return,
            };
            sleep(&bell, wait);
        }
    };
    std::thread::Builder::new().name(name.to_owned()).spawn(run).map_err(|error| {
        EngineError::Store(crate::store::StoreError::Read(format!("no thread could be started: {error}")))
    })
}

/// Deletes what is due, and says how long nothing is.
fn sweep(shared: &Shared) -> Result<Option<Duration>, EngineError> {
    shared.run_due()?;
    Ok(shared.next_work().and_then(|at| shared.clock.real_time_until(at)).map(|until| until.min(LONGEST_WAIT)))
}

/// Purges what was dropped, syncs what was written, compacts at rest.
fn keep_house(shared: &Shared) -> Result<Option<Duration>, EngineError> {
    while shared.store.purge_step(PURGE_STEP)? {
        if shared.background.is_stopping() {
            return Ok(None);
        }
    }
    if shared.store.is_unsynced() {
        shared.store.sync()?;
        return Ok(Some(SYNC_AFTER));
    }
    // Nothing was written for a second: a moment of rest.
    let live = {
        let snapshot = shared.store.snapshot()?;
        let containers: Vec<_> = shared.catalog.read().containers.keys().copied().collect();
        let mut live = 0;
        for no in containers {
            live += snapshot.counts(no)?.items();
        }
        live
    };
    shared.store.maintain(live)?;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn nothing_sleeps_once_it_is_closed() {
        let bell = Bell::default();
        bell.close();
        let started = Instant::now();
        bell.rest(Duration::from_secs(60));
        bell.wait(Some(Duration::from_secs(60)));
        bell.wait(None);
        assert!(started.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn a_ring_before_the_sleep_is_not_lost() {
        let bell = Bell::default();
        bell.ring();
        bell.wait(None);
        bell.nudge();
        bell.rest(Duration::from_millis(1));
        bell.wait(None);
    }
}
