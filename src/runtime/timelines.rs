//! The thread that counts timelines, beside the other questions: one at a time, a newer one ends the one before.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant as RealInstant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::app::{Answer, AskedTimeline};
use crate::engine::{Engine, EngineError};

/// The first word of a long one comes after this time, and then one each.
const TELLS: Duration = Duration::from_millis(200);

/// Where timelines are asked for.
pub struct Timelines {
    queue: Sender<AskedTimeline>,
    /// The one that somebody waits for; 0 is none.
    newest: Arc<AtomicU64>,
}

impl Timelines {
    /// Starts the thread; it ends when this is dropped.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(engine: &Engine, answers: &Sender<Answer>) -> io::Result<Timelines> {
        let (queue, asked) = unbounded();
        let newest = Arc::new(AtomicU64::new(0));
        let (engine, answers, wanted) = (engine.clone(), answers.clone(), newest.clone());
        thread::Builder::new().name("timelines".to_owned()).spawn(move || serve(&engine, &asked, &wanted, &answers))?;
        Ok(Timelines { queue, newest })
    }

    /// Counts this one, and no other.
    pub fn count(&self, asked: AskedTimeline) {
        self.newest.store(asked.generation, Ordering::Release);
        // A thread that is gone answers nothing; the loop is ending then.
        let _ = self.queue.send(asked);
    }

    /// Nobody waits any more.
    pub fn give_up(&self) {
        self.newest.store(0, Ordering::Release);
    }
}

impl Drop for Timelines {
    fn drop(&mut self) {
        self.give_up();
    }
}

fn serve(engine: &Engine, queue: &Receiver<AskedTimeline>, newest: &AtomicU64, answers: &Sender<Answer>) {
    for asked in queue {
        let mut told = RealInstant::now();
        let answer = super::worker::whole(|| {
            answer(engine, &asked, &mut |read| {
                if told.elapsed() >= TELLS {
                    told = RealInstant::now();
                    let _ = answers.send(Answer::TimelineReads { generation: asked.generation, read });
                }
                newest.load(Ordering::Acquire) == asked.generation
            })
        });
        if answers.send(answer).is_err() {
            return;
        }
    }
}

/// Counts, asking now and then whether to go on.
pub fn answer(engine: &Engine, asked: &AskedTimeline, go_on: &mut dyn FnMut(u64) -> bool) -> Answer {
    let result = engine.timeline(asked.scope, asked.span, go_on).map_err(EngineError::into_refusal);
    Answer::Timeline { generation: asked.generation, result }
}
