//! What comes into the model, and what goes out of it. Effects are data: tests compare them.

use crossterm::event::KeyEvent;

use crate::domain::Refusal;
use crate::domain::nosql::{DefaultTtl, ItemTtl, PartitionKey};
use crate::domain::ravendb::Configuration;
use crate::engine::{
    Answered, Api, ClockSetting, ContainerNo, CountdownRequest, CountdownWindow, DatabaseNo, Document, Event, Filtered,
    JumpPreview, Key, Row, SavedQuery, Scope, Span, SweeperState, Timeline, Totals, TtlPreview, WhatIf, Window,
    WindowRequest,
};

use crate::shell::{Outcome, Session};
use crate::transfer::Progress;

use super::expiration::Switch;
use super::transfer::{AskedPath, AskedTransfer, Completed, Transferred};

/// Something that happened to the explorer.
#[derive(Clone, Debug, PartialEq)]
pub enum Msg {
    /// A key was pressed.
    Key(KeyEvent),
    /// Text was pasted.
    Paste(String),
    /// Something on the screen was clicked.
    Click {
        /// What.
        target: Target,
        /// The second click of a double click.
        double: bool,
    },
    /// The wheel was turned over something; positive is up.
    Scroll {
        /// What.
        target: Target,
        /// Lines.
        lines: isize,
    },
    /// The terminal has another size: columns, rows.
    Resize(u16, u16),
    /// Time went on.
    Tick,
    /// The engine tells something.
    Event(Event),
    /// The engine answers.
    Answer(Answer),
    /// The terminal or the system asks the program to end.
    Terminate,
}

/// What stands under the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A line of the tree.
    Tree(usize),
    /// The empty part of the tree.
    TreePane,
    /// A tab.
    Tab(super::Tab),
    /// A row of the item list, by its index among the loaded ones.
    Item(usize),
    /// The empty part of the item list.
    ItemsPane,
    /// The filter above it.
    Filter,
    /// A cell of the editor: line and column from its upper left corner.
    Editor(u16, u16),
    /// A cell of the matrix: row, column.
    Cell(usize, usize),
    /// A choice of the Time to Live.
    Ttl(usize),
    /// The field of the seconds.
    Seconds,
    /// A switch of the Document Expiration.
    Switch(Switch),
    /// A key of the footer or a button: as if the key had been pressed.
    Action(super::Action),
    /// A row of the countdown, by its index among the loaded ones.
    Countdown(usize),
    /// The empty part of the countdown.
    CountdownPane,
    /// A cell of the text of the query: line and column from its upper left corner.
    QueryInput(u16, u16),
    /// A line of its rows.
    ResultRow(usize),
    /// The rest of its rows.
    ResultsPane,
    /// A step of the timeline.
    Bucket(usize),
    /// A row of the list below it.
    TimelineRow(usize),
    /// The rest of the timeline.
    TimelinePane,
    /// The output of the shell.
    ShellPane,
    /// A cell of the shell's input: line and column from its upper left corner.
    ShellInput(u16, u16),
    /// The console.
    Console,
    /// A control of the dialog on top.
    Control(usize),
    /// An option of a choice in the dialog on top.
    Option(usize, usize),
    /// A button of the dialog on top.
    Button(usize),
    /// Anywhere else in the dialog on top.
    Dialog,
}

/// What shall be done outside the model.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Ask the engine; an answer of an old generation is dropped.
    Read(Read),
    /// Ask for the rows that a filter lets through; a newer one ends the one before.
    Filter(AskedFilter),
    /// Nobody waits for the filter any more.
    GiveUpFilter,
    /// Execute a query; a newer one ends the one before.
    Query(AskedQuery),
    /// Nobody waits for the query any more.
    GiveUpQuery,
    /// Count a timeline; a newer one ends the one before.
    Timeline(AskedTimeline),
    /// Nobody waits for the timeline any more.
    GiveUpTimeline,
    /// Take documents in, or write items out; only one at a time.
    Transfer(AskedTransfer),
    /// The transfer ends with the write that is under way.
    GiveUpTransfer,
    /// Complete a path.
    CompletePath(AskedPath),
    /// Let the engine do something.
    Do(Command),
    /// Put the program into the background of the shell.
    Suspend,
}

/// A filter of the items of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedFilter {
    /// Comes back with the answer.
    pub generation: u64,
    /// The container.
    pub container: ContainerNo,
    /// The filter, as typed.
    pub text: String,
}

/// A query of the documents of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedQuery {
    /// Comes back with the answer.
    pub generation: u64,
    /// The container.
    pub container: ContainerNo,
    /// The query, as typed.
    pub text: String,
}

/// A timeline of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AskedTimeline {
    /// Comes back with the answer.
    pub generation: u64,
    /// Which containers.
    pub scope: Scope,
    /// How far it looks.
    pub span: Span,
}

/// A question to the engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Read {
    /// Rows of a container.
    Window {
        /// Comes back with the answer.
        generation: u64,
        /// The question.
        request: WindowRequest,
    },
    /// These rows of a filtered list as they are now.
    Rows {
        /// Comes back with the answer.
        generation: u64,
        /// The container.
        container: ContainerNo,
        /// The keys of the rows.
        keys: Vec<Key>,
    },
    /// Rows of a countdown.
    Countdown {
        /// Comes back with the answer.
        generation: u64,
        /// The question.
        request: CountdownRequest,
    },
    /// The saved queries.
    SavedQueries,
    /// The items of a step of the timeline.
    Step {
        /// Comes back with the answer.
        generation: u64,
        /// The question.
        request: CountdownRequest,
    },
    /// What a move of the clock would do.
    Jump(ClockMove),
    /// The numbers of these scopes.
    Totals(Vec<Scope>),
    /// What was typed into the shell.
    ShellHistory,
    /// One item, hidden ones too.
    Item {
        /// Comes back with the answer.
        generation: u64,
        /// Its container.
        container: ContainerNo,
        /// Its key.
        key: Key,
    },
    /// What saving a Time to Live would do.
    Preview {
        /// Comes back with the answer.
        generation: u64,
        /// The container.
        container: ContainerNo,
        /// The setting.
        ttl: DefaultTtl,
    },
    /// When the items of a container would expire by another Time to Live, beside when they do.
    WhatIf {
        /// Comes back with the answer.
        generation: u64,
        /// The container.
        container: ContainerNo,
        /// The setting.
        ttl: DefaultTtl,
    },
}

/// Something for the engine to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Makes a database that speaks like this system.
    CreateDatabase(String, Api),
    /// Makes a container, and its database when there is none of that name.
    CreateContainer {
        /// The id of the database.
        database: String,
        /// The id of the container.
        name: String,
        /// Its partition key.
        partition_key: PartitionKey,
        /// Its Time to Live.
        ttl: DefaultTtl,
    },
    /// Makes a collection in a MongoDB database.
    CreateCollection {
        /// The database.
        database: DatabaseNo,
        /// The id of the collection.
        name: String,
        /// Its TTL index.
        ttl: DefaultTtl,
    },
    /// Deletes a database with its containers.
    DeleteDatabase(DatabaseNo),
    /// Deletes a container with its items.
    DeleteContainer(ContainerNo),
    /// Saves a container's Time to Live.
    SetTtl(ContainerNo, DefaultTtl),
    /// Saves the Document Expiration of a RavenDB database.
    SetExpiration(ContainerNo, Configuration),
    /// Makes an item.
    CreateItem(ContainerNo, String),
    /// Replaces an item; with an etag only if it is still the stored one.
    ReplaceItem {
        /// Its container.
        container: ContainerNo,
        /// Its key.
        key: Key,
        /// The new text.
        text: String,
        /// The etag that the stored item must have.
        if_match: Option<u64>,
    },
    /// Deletes items.
    DeleteItems(ContainerNo, Vec<Key>),
    /// Writes items again, unchanged.
    TouchItems(ContainerNo, Vec<Key>),
    /// Seconds from expiry to deletion.
    SetSweepDelay(u32),
    /// Pauses the sweeper or lets it go on.
    PauseSweeper(bool),
    /// Makes a container and an item to try a cell of the matrix with.
    TryTtl(DefaultTtl, ItemTtl),
    /// Moves the clock, or changes how it runs.
    MoveClock(ClockMove),
    /// Deletes what is expired now.
    SweepNow,
    /// Runs statements of the shell.
    Shell(Session, String),
    /// Saves a query.
    SaveQuery(SavedQuery),
    /// Deletes a saved query.
    DeleteSavedQuery(Api, String),
    /// Loads the workshop sample.
    LoadSample,
}

/// Where the clock goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockMove {
    /// On, or it runs another way.
    To(ClockSetting),
    /// Back to the real time.
    Real,
}

/// An answer of the engine. Refusals carry the words that the screen shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The work on a question or command broke off: a fault of the program, told as it is.
    Broken(String),
    /// To [`Read::Window`].
    Window {
        /// Of the question.
        generation: u64,
        /// The rows.
        result: Result<Window, Refusal>,
    },
    /// To [`Effect::Filter`].
    Filtered {
        /// Of the question.
        generation: u64,
        /// The rows.
        result: Result<Filtered, Refusal>,
    },
    /// To [`Read::Rows`]: those that are still seen.
    Rows {
        /// Of the question.
        generation: u64,
        /// The rows.
        result: Result<Vec<Row>, Refusal>,
    },
    /// A filter is still being read: so many documents so far.
    FilterReads {
        /// Of the question.
        generation: u64,
        /// Documents that were read.
        read: u64,
    },
    /// To [`Read::Countdown`].
    Countdown {
        /// Of the question.
        generation: u64,
        /// The rows.
        result: Result<CountdownWindow, Refusal>,
    },
    /// To [`Effect::Query`].
    Queried {
        /// Of the question.
        generation: u64,
        /// The rows.
        result: Result<Answered, Refusal>,
    },
    /// A query is still being executed: so many documents so far.
    QueryReads {
        /// Of the question.
        generation: u64,
        /// Documents that were read.
        read: u64,
    },
    /// The saved queries, and what was done to them.
    SavedQueries(&'static str, Result<Vec<SavedQuery>, Refusal>),
    /// To [`Effect::Timeline`].
    Timeline {
        /// Of the question.
        generation: u64,
        /// The numbers.
        result: Result<Timeline, Refusal>,
    },
    /// A timeline is still being counted: so many entries so far.
    TimelineReads {
        /// Of the question.
        generation: u64,
        /// Entries of the index that were read.
        read: u64,
    },
    /// To [`Effect::Transfer`].
    Transferred {
        /// Of the question.
        generation: u64,
        /// What it came to.
        result: Result<Transferred, Refusal>,
    },
    /// A transfer goes on: so far.
    TransferProgress {
        /// Of the question.
        generation: u64,
        /// How far it is.
        progress: Progress,
    },
    /// To [`Effect::CompletePath`].
    PathCompleted {
        /// Of the question.
        generation: u64,
        /// What the path can become.
        completed: Completed,
    },
    /// To [`Read::Step`].
    Step {
        /// Of the question.
        generation: u64,
        /// The rows.
        result: Result<CountdownWindow, Refusal>,
    },
    /// To [`Read::Totals`].
    Totals(Vec<(Scope, Totals)>),
    /// To [`Read::Item`]; `None` when it is gone.
    Item {
        /// Of the question.
        generation: u64,
        /// The item.
        result: Result<Option<Document>, Refusal>,
    },
    /// To [`Read::WhatIf`].
    WhatIf {
        /// Of the question.
        generation: u64,
        /// The comparison.
        result: Result<WhatIf, Refusal>,
    },
    /// To [`Read::Preview`].
    Preview {
        /// Of the question.
        generation: u64,
        /// The numbers.
        result: Result<TtlPreview, Refusal>,
    },
    /// An item was made or replaced, or not.
    Saved {
        /// Its container.
        container: ContainerNo,
        /// Whether it was new.
        created: bool,
        /// The item as stored.
        result: Result<Document, Refusal>,
    },
    /// Items were deleted: these were to go, so many were there.
    ItemsDeleted(Vec<Key>, Result<u64, Refusal>),
    /// Items of this container were written again.
    ItemsTouched(ContainerNo, Result<u64, Refusal>),
    /// A database was made.
    DatabaseCreated(Result<DatabaseNo, Refusal>),
    /// A container was made.
    ContainerCreated(Result<ContainerNo, Refusal>),
    /// A database or container was deleted, by name.
    ContainerDeleted(String, Result<(), Refusal>),
    /// A Time to Live was saved.
    TtlSaved(ContainerNo, Result<(), Refusal>),
    /// A Document Expiration was saved.
    ExpirationSaved(ContainerNo, Result<(), Refusal>),
    /// The sweeper is set so.
    Sweeper(Result<SweeperState, Refusal>),
    /// A cell of the matrix can be tried: where the item is.
    Tried(Result<(ContainerNo, Key), Refusal>),
    /// To [`Read::Jump`].
    JumpPreviewed(ClockMove, Result<JumpPreview, Refusal>),
    /// The clock was moved, or not.
    ClockMoved(Result<(), Refusal>),
    /// The sweeper ran on demand: how many items went.
    SweptNow(Result<u64, Refusal>),
    /// What statements of the shell came to.
    Shell(Outcome),
    /// What was typed into the shell, the oldest first.
    ShellHistory(Vec<String>),
    /// The sample is loaded.
    SampleLoaded(Result<(), Refusal>),
}

/// Rows are identified by their key.
impl super::Listed for Row {
    type Key = Key;
    fn key(&self) -> Key {
        self.key.clone()
    }
}
