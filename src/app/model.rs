//! The explorer as a value.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::domain::Instant;
use crate::domain::ravendb::Cleaner;
use crate::engine::{
    Api, Catalog, ClockState, Container, ContainerNo, Key, Kind, Row, Run, Scope, SweeperState, Totals,
};

use super::console::Console;
use super::countdown::Countdown;
use super::dialog::Dialog;
use super::filter::FilterBar;
use super::item_pane::ItemPane;
use super::matrix::Matrix;
use super::query::QueryTab;
use super::settings::SettingsForm;
use super::shell::Shell;
use super::timeline::TimelineTab;
use super::transfer::Transfers;
use super::{Context, Keymap, Layout, Tree, Viewport};

/// What is shown of the open container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tab {
    /// Its items.
    Items,
    /// Its settings.
    Settings,
    /// What expires next in it, in its database, in everything.
    Countdown,
    /// The shell of a MongoDB database.
    Shell,
    /// Queries of its documents.
    Query,
    /// When things expire, in steps of time.
    Timeline,
}

impl Tab {
    /// The tabs of a container that speaks like this system, in their order.
    pub fn of(api: Api) -> &'static [Tab] {
        match api {
            Api::NoSql | Api::RavenDb => &[Tab::Items, Tab::Settings, Tab::Countdown, Tab::Query, Tab::Timeline],
            Api::MongoDb => &[Tab::Items, Tab::Settings, Tab::Countdown, Tab::Shell, Tab::Timeline],
        }
    }

    /// Its name, of a container that speaks like this system.
    pub fn title(self, api: Api) -> &'static str {
        match self {
            Tab::Items if api != Api::NoSql => "Documents",
            Tab::Items => "Items",
            Tab::Settings if api == Api::MongoDb => "Indexes",
            Tab::Settings => "Settings",
            Tab::Countdown => "Countdown",
            Tab::Shell => "Shell",
            Tab::Query => "Query",
            Tab::Timeline => "Timeline",
        }
    }
}

/// The pane that has the keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Focus {
    /// The tree.
    Tree,
    /// The list of items.
    Items,
    /// The filter above it.
    Filter,
    /// The editor.
    Editor,
    /// The Settings tab.
    Settings,
    /// The Countdown tab.
    Countdown,
    /// The Shell tab.
    Shell,
    /// The text of the Query tab.
    Query,
    /// The rows of the Query tab.
    Results,
    /// The Timeline tab.
    Timeline,
    /// The console.
    Console,
}

impl Focus {
    /// The context of its keys.
    fn context(self) -> Context {
        match self {
            Focus::Tree => Context::Tree,
            Focus::Items => Context::Items,
            Focus::Filter => Context::Filter,
            Focus::Editor => Context::Editor,
            Focus::Settings => Context::Settings,
            Focus::Countdown => Context::Countdown,
            Focus::Shell => Context::Shell,
            Focus::Query => Context::Query,
            Focus::Results => Context::Results,
            Focus::Timeline => Context::Timeline,
            Focus::Console => Context::Console,
        }
    }
}

/// Everything that the explorer knows.
#[derive(Clone, Debug)]
pub struct Model {
    /// The present, by the engine's clock.
    pub now: Instant,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// The keys.
    pub keymap: Keymap,
    /// The databases and containers.
    pub catalog: Arc<Catalog>,
    /// The tree.
    pub tree: Tree,
    /// The tree is hidden where it would stand beside the panes.
    pub tree_hidden: bool,
    /// The numbers that are known.
    pub totals: BTreeMap<Scope, Totals>,
    /// The numbers that are out of date.
    pub totals_stale: BTreeSet<Scope>,
    /// Numbers are on their way.
    pub totals_waiting: bool,
    /// The background deletion.
    pub sweeper: SweeperState,
    /// How the clock runs.
    pub clock: ClockState,
    /// The last runs of Document Expiration that deleted something, since the explorer was opened.
    pub runs: BTreeMap<ContainerNo, Run>,
    /// The open container.
    pub container: Option<ContainerNo>,
    /// The tab in front.
    pub tab: Tab,
    /// The pane that has the keys.
    pub focus: Focus,
    /// The items of the open container.
    pub items: Viewport<Row>,
    /// The filter of the items.
    pub filter: FilterBar,
    /// Items marked for delete or write again.
    pub marked: BTreeSet<Key>,
    /// The open item.
    pub pane: Option<ItemPane>,
    /// Number of the newest item that was asked for.
    pub item_generation: u64,
    /// Put the focus into the editor when the item that was asked for comes.
    pub edit_when_loaded: bool,
    /// The form of the Settings tab.
    pub settings: Option<SettingsForm>,
    /// The Countdown tab.
    pub countdown: Countdown,
    /// The Shell tab.
    pub shell: Shell,
    /// The Query tab.
    pub query: QueryTab,
    /// The Timeline tab.
    pub timeline: TimelineTab,
    /// The upload or export that is under way.
    pub transfers: Transfers,
    /// The console.
    pub console: Console,
    /// The dialogs; the last one is on top.
    pub dialogs: Vec<Dialog>,
    /// The help is shown, scrolled down by so many lines.
    pub help: Option<usize>,
    /// The matrix lies over the panes.
    pub matrix: Option<Matrix>,
    /// What was searched for last.
    pub search: String,
    /// The program shall end.
    pub ended: bool,
}

impl Model {
    /// The explorer at its start.
    pub fn new(
        keymap: Keymap,
        size: (u16, u16),
        now: Instant,
        catalog: Arc<Catalog>,
        sweeper: SweeperState,
        clock: ClockState,
    ) -> Self {
        let mut tree = Tree::default();
        tree.rebuild(&catalog);
        Model {
            now,
            size,
            keymap,
            catalog,
            tree,
            tree_hidden: false,
            totals: BTreeMap::new(),
            totals_stale: BTreeSet::from([Scope::Everything]),
            totals_waiting: false,
            sweeper,
            clock,
            runs: BTreeMap::new(),
            container: None,
            tab: Tab::Items,
            focus: Focus::Tree,
            items: Viewport::default(),
            filter: FilterBar::default(),
            marked: BTreeSet::new(),
            pane: None,
            item_generation: 0,
            edit_when_loaded: false,
            settings: None,
            countdown: Countdown::default(),
            shell: Shell::default(),
            query: QueryTab::default(),
            timeline: TimelineTab::default(),
            transfers: Transfers::default(),
            console: Console::default(),
            dialogs: Vec::new(),
            help: None,
            matrix: None,
            search: String::new(),
            ended: false,
        }
    }

    /// The open container.
    pub fn open_container(&self) -> Option<&Arc<Container>> {
        self.catalog.container(self.container?)
    }

    /// The system of the open container; NoSQL while none is open.
    pub fn api(&self) -> Api {
        self.open_container().map_or(Api::NoSql, |container| container.api())
    }

    /// The system of a container.
    pub fn api_of(&self, no: ContainerNo) -> Api {
        self.catalog.container(no).map_or(Api::NoSql, |container| container.api())
    }

    /// What one of its items is called: `item`, or in RavenDB `document`.
    pub fn noun(&self, no: ContainerNo) -> &'static str {
        match self.api_of(no) {
            Api::RavenDb | Api::MongoDb => "document",
            Api::NoSql => "item",
        }
    }

    /// Whether two containers hold the same items: one, or a collection and all documents of its database.
    pub fn same_root(&self, one: ContainerNo, other: ContainerNo) -> bool {
        let root = |no: ContainerNo| self.catalog.root(no).map(|root| root.no);
        one == other || (root(one).is_some() && root(one) == root(other))
    }

    /// When the next run comes to a RavenDB database; `None` where none comes, or while the sweeper is paused.
    pub fn next_run(&self, no: ContainerNo) -> Option<Instant> {
        match self.catalog.cleaner(no, self.now) {
            Cleaner::Runs { .. } if self.sweeper.paused => None,
            cleaner => cleaner.next(),
        }
    }

    /// The run that will delete a document of RavenDB that expires at `at`, where it is known without a look at the others:
    /// no run is so full that one has to wait for another.
    pub fn run_for(&self, no: ContainerNo, at: Instant) -> Option<Instant> {
        let Cleaner::Runs { schedule, most } = self.catalog.cleaner(no, self.now) else {
            return None;
        };
        let root = self.catalog.root(no)?.no;
        let tracked = || self.totals_of(Scope::Container(root)).map(|totals| totals.own);
        let room = most.is_none_or(|most| tracked().is_some_and(|tracked| tracked <= most));
        room.then(|| schedule.run_for(at))
    }

    /// The name of a container in messages: `workshop/sessions`; of all documents of a database its own.
    pub fn name_of(&self, no: ContainerNo) -> String {
        match self.catalog.container(no) {
            Some(container) => {
                let database = self.catalog.names.get(&container.database).map_or("", String::as_str);
                match container.kind {
                    Kind::Documents { .. } => database.to_owned(),
                    _ => format!("{database}/{}", container.name),
                }
            }
            None => "a deleted container".to_owned(),
        }
    }

    /// The numbers of a scope, as far as they are known.
    pub fn totals_of(&self, scope: Scope) -> Option<&Totals> {
        self.totals.get(&scope)
    }

    /// Whether characters are typed into a text.
    pub fn is_typing(&self) -> bool {
        match self.focus {
            Focus::Editor | Focus::Shell | Focus::Filter | Focus::Query => true,
            Focus::Settings => self.settings.as_ref().is_some_and(SettingsForm::is_typing),
            _ => false,
        }
    }

    /// The context of the keys.
    pub fn context(&self) -> Context {
        let json = self.settings.as_ref().and_then(SettingsForm::expiration).is_some_and(|form| form.json.is_some());
        match self.focus {
            Focus::Settings if json => Context::Json,
            focus => focus.context(),
        }
    }

    /// The places of the panes.
    pub fn layout(&self) -> Layout {
        Layout::of(self)
    }

    /// When the screen changes by itself: at the next edge of a second while something counts down, else at that of the
    /// minute.
    pub fn next_wake(&self) -> Instant {
        let secs = self.now.secs();
        let step = if self.counts_seconds() { 1 } else { 60 };
        Instant::from_secs(secs.saturating_sub(secs.rem_euclid(step)).saturating_add(step))
    }

    /// Whether something counts down, so that the screen changes with every second.
    pub fn counts_seconds(&self) -> bool {
        let everything = self.totals_of(Scope::Everything);
        let counting = everything
            .is_some_and(|totals| totals.next.is_some() || totals.hidden.n > 0 || totals.waiting.n > 0)
            || self.container.is_some_and(|no| self.next_run(no).is_some());
        counting || self.countdown.has_deleted()
    }
}
