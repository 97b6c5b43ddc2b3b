//! Threads for questions that can take long: one for each kind, beside the others so that nothing waits for it, and one
//! question at a time: a newer one ends the one before.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant as RealInstant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::app::Answer;
use crate::engine::Engine;

/// The first word of a long answer comes after this time, and then one each.
const TELLS: Duration = Duration::from_millis(200);

/// A question that a newer one of its kind ends.
pub trait Asked: Send + 'static {
    /// The name of the thread.
    const THREAD: &'static str;

    /// How far an answer is.
    type Progress;

    /// Comes back with the answer.
    fn generation(&self) -> u64;

    /// The answer. `go_on` is asked now and then, with how far it is.
    fn answer(&self, engine: &Engine, go_on: &mut dyn FnMut(Self::Progress) -> bool) -> Answer;

    /// It is so far.
    fn progress(&self, progress: Self::Progress) -> Answer;
}

/// Where questions of a kind go.
pub struct Newest<Q> {
    /// Gone when the thread is to end.
    queue: Option<Sender<Q>>,
    thread: Option<JoinHandle<()>>,
    /// The one that somebody waits for; 0 is none.
    newest: Arc<AtomicU64>,
}

impl<Q: Asked> Newest<Q> {
    /// Starts the thread; it ends when this is dropped.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(engine: &Engine, answers: &Sender<Answer>) -> io::Result<Newest<Q>> {
        let (queue, asked) = unbounded();
        let newest = Arc::new(AtomicU64::new(0));
        let (engine, answers, wanted) = (engine.clone(), answers.clone(), newest.clone());
        let thread = thread::Builder::new()
            .name(Q::THREAD.to_owned())
            .spawn(move || serve(&engine, &asked, &wanted, &answers))?;
        Ok(Newest { queue: Some(queue), thread: Some(thread), newest })
    }

    /// Answers this one, and no other.
    pub fn ask(&self, asked: Q) {
        self.newest.store(asked.generation(), Ordering::Release);
        if let Some(queue) = &self.queue {
            // A thread that is gone answers nothing; the loop is ending then.
            let _ = queue.send(asked);
        }
    }
}

impl<Q> Newest<Q> {
    /// Nobody waits any more.
    pub fn give_up(&self) {
        self.newest.store(0, Ordering::Release);
    }

    /// Gives up what is under way, and waits until that has come to its end.
    pub fn end(&mut self) {
        self.give_up();
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            // One that panicked has ended too.
            let _ = thread.join();
        }
    }
}

impl<Q> Drop for Newest<Q> {
    fn drop(&mut self) {
        self.give_up();
    }
}

fn serve<Q: Asked>(engine: &Engine, queue: &Receiver<Q>, newest: &AtomicU64, answers: &Sender<Answer>) {
    for asked in queue {
        let mut told = RealInstant::now();
        let answer = super::worker::whole(|| {
            asked.answer(engine, &mut |progress| {
                if told.elapsed() >= TELLS {
                    told = RealInstant::now();
                    let _ = answers.send(asked.progress(progress));
                }
                newest.load(Ordering::Acquire) == asked.generation()
            })
        });
        if answers.send(answer).is_err() {
            return;
        }
    }
}
