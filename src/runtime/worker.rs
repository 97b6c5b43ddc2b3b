//! Two threads between the model and the engine: one answers questions, one carries commands out, so that a long
//! command never keeps a list from scrolling.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::app::shell::Shell;
use crate::app::transfer::{AskedPath, AskedTransfer};
use crate::app::{Answer, AskedFilter, AskedQuery, AskedTimeline, ClockMove, Command, Effect, Read};
use crate::domain::Refusal;
use crate::engine::{Api, Container, ContainerNo, Document, Engine, EngineError, Row, Scope};
use crate::shell;

use super::newest::{Asked, Newest};

/// Where effects go.
pub struct Workers {
    reads: Sender<Read>,
    commands: Sender<Command>,
    /// Filters.
    pub filters: Newest<AskedFilter>,
    /// Queries.
    pub queries: Newest<AskedQuery>,
    /// Timelines.
    pub timelines: Newest<AskedTimeline>,
    /// Uploads and exports.
    pub transfers: Newest<AskedTransfer>,
    /// Paths that are completed.
    pub paths: Newest<AskedPath>,
}

/// A write that is under way comes to its end before the store is closed.
impl Drop for Workers {
    fn drop(&mut self) {
        self.transfers.end();
    }
}

impl Workers {
    /// Starts the threads; they end when the workers are dropped.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(engine: &Engine, answers: &Sender<Answer>) -> std::io::Result<Workers> {
        let (reads, read_queue) = unbounded();
        let (commands, command_queue) = unbounded();
        let (reader, doer) = (engine.clone(), engine.clone());
        let (read_answers, command_answers) = (answers.clone(), answers.clone());
        thread::Builder::new()
            .name("reader".to_owned())
            .spawn(move || answer_reads(&reader, &read_queue, &read_answers))?;
        thread::Builder::new().name("commands".to_owned()).spawn(move || {
            for command in command_queue {
                if command_answers.send(whole(|| carry_out(&doer, command))).is_err() {
                    return;
                }
            }
        })?;
        Ok(Workers {
            reads,
            commands,
            filters: Newest::start(engine, answers)?,
            queries: Newest::start(engine, answers)?,
            timelines: Newest::start(engine, answers)?,
            transfers: Newest::start(engine, answers)?,
            paths: Newest::start(engine, answers)?,
        })
    }

    /// Asks.
    pub fn read(&self, read: Read) {
        // A thread that is gone answers nothing; the loop is ending then.
        let _ = self.reads.send(read);
    }

    /// Commands.
    pub fn command(&self, command: Command) {
        let _ = self.commands.send(command);
    }
}

/// An answer, even when the work on it panics: the explorer goes on, and says so.
pub(super) fn whole(work: impl FnOnce() -> Answer) -> Answer {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        Answer::Broken("Something went wrong inside the program. The log (--log FILE) says what.".to_owned())
    })
}

/// Does what an effect says, here and now: what the threads do, for tests and scripts. `None` for what only a terminal
/// can do.
pub fn respond(engine: &Engine, effect: Effect) -> Option<Answer> {
    match effect {
        Effect::Read(read) => Some(answer(engine, &read)),
        Effect::Filter(asked) => Some(asked.answer(engine, &mut |_| true)),
        Effect::Timeline(asked) => Some(asked.answer(engine, &mut |_| true)),
        Effect::Query(asked) => Some(asked.answer(engine, &mut |_| true)),
        Effect::Transfer(asked) => Some(asked.answer(engine, &mut |_| true)),
        Effect::CompletePath(asked) => Some(asked.answer(engine, &mut |_| true)),
        Effect::Do(command) => Some(carry_out(engine, command)),
        Effect::GiveUpFilter
        | Effect::GiveUpQuery
        | Effect::GiveUpTimeline
        | Effect::GiveUpTransfer
        | Effect::Suspend => None,
    }
}

/// Answers questions; of several that wait and replace each other only the newest.
fn answer_reads(engine: &Engine, queue: &Receiver<Read>, answers: &Sender<Answer>) {
    while let Ok(first) = queue.recv() {
        let mut waiting = vec![first];
        waiting.extend(queue.try_iter());
        for (at, read) in waiting.iter().enumerate() {
            if waiting[at + 1..].iter().any(|later| replaces(later, read)) {
                continue;
            }
            if answers.send(whole(|| answer(engine, read))).is_err() {
                return;
            }
        }
    }
}

/// Whether nobody waits for the answer to `earlier` once `later` is asked.
fn replaces(later: &Read, earlier: &Read) -> bool {
    matches!(
        (later, earlier),
        (Read::Window { .. }, Read::Window { .. })
            | (Read::Rows { .. }, Read::Rows { .. })
            | (Read::Countdown { .. }, Read::Countdown { .. })
            | (Read::Step { .. }, Read::Step { .. })
            | (Read::Item { .. }, Read::Item { .. })
            | (Read::Preview { .. }, Read::Preview { .. })
            | (Read::WhatIf { .. }, Read::WhatIf { .. })
    )
}

fn answer(engine: &Engine, read: &Read) -> Answer {
    match read {
        Read::Window { generation, request } => {
            Answer::Window { generation: *generation, result: words(engine.window(request)) }
        }
        Read::Countdown { generation, request } => {
            Answer::Countdown { generation: *generation, result: words(engine.countdown(request)) }
        }
        Read::Rows { generation, container, keys } => {
            Answer::Rows { generation: *generation, result: words(engine.rows(*container, keys)) }
        }
        Read::Step { generation, request } => {
            Answer::Step { generation: *generation, result: words(engine.countdown(request)) }
        }
        Read::Jump(to) => {
            let at = match to {
                ClockMove::To(setting) => setting.to.unwrap_or_else(|| engine.now()),
                ClockMove::Real => engine.real_time(),
            };
            Answer::JumpPreviewed(*to, words(engine.preview_jump(at)))
        }
        Read::Totals(scopes) => Answer::Totals(totals(engine, scopes)),
        Read::SavedQueries => Answer::SavedQueries("", words(engine.saved_queries())),
        Read::ShellHistory => Answer::ShellHistory(engine.shell_history().unwrap_or_default()),
        Read::Item { generation, container, key } => {
            Answer::Item { generation: *generation, result: words(engine.peek_item(*container, key)) }
        }
        Read::WhatIf { generation, container, ttl } => {
            Answer::WhatIf { generation: *generation, result: words(engine.what_if(*container, *ttl)) }
        }
        Read::Preview { generation, container, ttl } => {
            Answer::Preview { generation: *generation, result: words(engine.preview_ttl(*container, *ttl)) }
        }
    }
}

/// The numbers of the scopes that still exist.
fn totals(engine: &Engine, scopes: &[Scope]) -> Vec<(Scope, crate::engine::Totals)> {
    scopes.iter().filter_map(|scope| Some((*scope, engine.totals(*scope).ok()?))).collect()
}

fn words<T>(result: Result<T, EngineError>) -> Result<T, Refusal> {
    result.map_err(EngineError::into_refusal)
}

/// The item that was saved, even when its time has passed since: it was saved all the same.
fn stored(engine: &Engine, container: ContainerNo, row: &Row) -> Result<Document, EngineError> {
    match engine.peek_item(container, &row.key)? {
        Some(document) => Ok(document),
        None => engine.item(container, &row.key),
    }
}

fn carry_out(engine: &Engine, command: Command) -> Answer {
    match command {
        Command::CreateDatabase(name, api) => Answer::DatabaseCreated(words(engine.create_database(&name, api))),
        Command::CreateContainer { database, name, partition_key, ttl } => {
            let catalog = engine.catalog();
            let existing = catalog.databases.get(&database).map(|database| database.no);
            let no = existing.map_or_else(|| engine.create_database(&database, Api::NoSql), Ok);
            Answer::ContainerCreated(words(no.and_then(|no| engine.create_container(no, &name, partition_key, ttl))))
        }
        Command::CreateCollection { database, name, ttl } => {
            Answer::ContainerCreated(words(engine.create_collection(database, &name, ttl)))
        }
        Command::SaveQuery(query) => Answer::SavedQueries("The query is saved.", words(engine.save_query(query))),
        Command::DeleteSavedQuery(api, name) => {
            Answer::SavedQueries("The saved query is deleted.", words(engine.delete_saved_query(api, &name)))
        }
        Command::DeleteDatabase(no) => {
            let name = engine.catalog().names.get(&no).cloned().unwrap_or_default();
            Answer::ContainerDeleted(format!("Database {name}"), words(engine.delete_database(no)))
        }
        Command::DeleteContainer(no) => {
            let catalog = engine.catalog();
            let named = |container: &Container| {
                let what = if container.api() == Api::NoSql { "Container" } else { "Collection" };
                format!("{what} {}", container.name)
            };
            let name = catalog.container(no).map_or_else(String::new, |container| named(container));
            Answer::ContainerDeleted(name, words(engine.delete_container(no)))
        }
        Command::SetExpiration(no, configuration) => {
            Answer::ExpirationSaved(no, words(engine.set_expiration(no, configuration)))
        }
        Command::SetTtl(no, ttl) => Answer::TtlSaved(no, words(engine.set_default_ttl(no, ttl))),
        Command::CreateItem(container, text) => {
            let made = engine.create_item(container, &text).and_then(|row| stored(engine, container, &row));
            Answer::Saved { container, created: true, result: words(made) }
        }
        Command::ReplaceItem { container, key, text, if_match } => {
            let replaced = engine.replace_item(container, &key, &text, if_match);
            let replaced = replaced.and_then(|row| stored(engine, container, &row));
            Answer::Saved { container, created: false, result: words(replaced) }
        }
        Command::DeleteItems(container, keys) => {
            let result = words(engine.delete_items(container, &keys));
            Answer::ItemsDeleted(keys, result)
        }
        Command::TouchItems(container, keys) => {
            Answer::ItemsTouched(container, words(engine.touch_items(container, &keys)))
        }
        Command::SetSweepDelay(secs) => Answer::Sweeper(words(engine.set_sweep_delay(secs).map(|()| engine.sweeper()))),
        Command::PauseSweeper(paused) => {
            Answer::Sweeper(words(engine.pause_sweeper(paused).map(|()| engine.sweeper())))
        }
        Command::TryTtl(default, item) => Answer::Tried(words(engine.try_ttl(default, item))),
        Command::MoveClock(ClockMove::To(setting)) => Answer::ClockMoved(words(engine.set_clock(setting))),
        Command::MoveClock(ClockMove::Real) => Answer::ClockMoved(words(engine.reset_clock())),
        Command::SweepNow => {
            let swept = engine.sweep_now().map(|reports| reports.iter().map(|report| report.deleted).sum());
            Answer::SweptNow(words(swept))
        }
        Command::Shell(session, text) => {
            // A history that cannot be kept is no reason not to run it.
            if let Err(error) = engine.keep_statement(&text, Shell::HISTORY) {
                tracing::warn!("the shell's history is not kept: {error}");
            }
            Answer::Shell(shell::run(engine, session, &text))
        }
        Command::LoadSample => Answer::SampleLoaded(words(engine.load_sample().map(|_| ()))),
    }
}
