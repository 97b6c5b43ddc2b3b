//! The thread that reads filters: beside the other questions, so that a long one keeps nothing waiting, and one at a time:
//! a newer one ends the one before.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant as RealInstant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::app::{Answer, AskedFilter};
use crate::engine::{Api, Engine, EngineError, Filtered};
use crate::shell;

/// Rows that a filter answers at most.
const FILTERED: usize = 10_000;
/// The first word of a long filter comes after this time, and then one each.
const TELLS: Duration = Duration::from_millis(200);

/// Where filters go.
pub struct Filters {
    queue: Sender<AskedFilter>,
    /// The one that somebody waits for; 0 is none.
    newest: Arc<AtomicU64>,
}

impl Filters {
    /// Starts the thread; it ends when this is dropped.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(engine: &Engine, answers: &Sender<Answer>) -> io::Result<Filters> {
        let (queue, asked) = unbounded();
        let newest = Arc::new(AtomicU64::new(0));
        let (engine, answers, wanted) = (engine.clone(), answers.clone(), newest.clone());
        thread::Builder::new().name("filters".to_owned()).spawn(move || serve(&engine, &asked, &wanted, &answers))?;
        Ok(Filters { queue, newest })
    }

    /// Reads this one, and no other.
    pub fn read(&self, asked: AskedFilter) {
        self.newest.store(asked.generation, Ordering::Release);
        // A thread that is gone answers nothing; the loop is ending then.
        let _ = self.queue.send(asked);
    }

    /// Nobody waits any more.
    pub fn give_up(&self) {
        self.newest.store(0, Ordering::Release);
    }
}

impl Drop for Filters {
    fn drop(&mut self) {
        self.give_up();
    }
}

fn serve(engine: &Engine, queue: &Receiver<AskedFilter>, newest: &AtomicU64, answers: &Sender<Answer>) {
    for asked in queue {
        let mut told = RealInstant::now();
        let answer = super::worker::whole(|| {
            answer(engine, &asked, &mut |read| {
                if told.elapsed() >= TELLS {
                    told = RealInstant::now();
                    let _ = answers.send(Answer::FilterReads { generation: asked.generation, read });
                }
                newest.load(Ordering::Acquire) == asked.generation
            })
        });
        if answers.send(answer).is_err() {
            return;
        }
    }
}

/// Reads a filter, asking now and then whether to go on.
pub fn answer(engine: &Engine, asked: &AskedFilter, go_on: &mut dyn FnMut(u64) -> bool) -> Answer {
    let result = filter(engine, asked, go_on).map_err(EngineError::into_refusal);
    Answer::Filtered { generation: asked.generation, result }
}

fn filter(engine: &Engine, asked: &AskedFilter, go_on: &mut dyn FnMut(u64) -> bool) -> Result<Filtered, EngineError> {
    let api = engine.catalog().container(asked.container).map(|container| container.api());
    if api != Some(Api::MongoDb) {
        return engine.filter_items(asked.container, &asked.text, FILTERED, go_on);
    }
    let filter = shell::filter(&asked.text, engine.now())?;
    engine.filter_documents(asked.container, &filter, FILTERED, go_on)
}
