//! The explorer as a value.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::domain::Instant;
use crate::domain::nosql::DefaultTtl;
use crate::engine::{Catalog, Container, ContainerNo, Key, Row, Scope, SweeperState, Totals};

use super::console::Console;
use super::countdown::Countdown;
use super::dialog::Dialog;
use super::item_pane::ItemPane;
use super::settings::SettingsForm;
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
}

impl Tab {
    /// All tabs, in their order.
    pub const ALL: [Tab; 3] = [Tab::Items, Tab::Settings, Tab::Countdown];

    /// Its name.
    pub fn title(self) -> &'static str {
        match self {
            Tab::Items => "Items",
            Tab::Settings => "Settings",
            Tab::Countdown => "Countdown",
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
    /// The editor.
    Editor,
    /// The Settings tab.
    Settings,
    /// The Countdown tab.
    Countdown,
    /// The console.
    Console,
}

impl Focus {
    /// The context of its keys.
    pub fn context(self) -> Context {
        match self {
            Focus::Tree => Context::Tree,
            Focus::Items => Context::Items,
            Focus::Editor => Context::Editor,
            Focus::Settings => Context::Settings,
            Focus::Countdown => Context::Countdown,
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
    /// The open container.
    pub container: Option<ContainerNo>,
    /// The tab in front.
    pub tab: Tab,
    /// The pane that has the keys.
    pub focus: Focus,
    /// The items of the open container.
    pub items: Viewport<Row>,
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
    /// The console.
    pub console: Console,
    /// The dialogs; the last one is on top.
    pub dialogs: Vec<Dialog>,
    /// The help is shown, scrolled down by so many lines.
    pub help: Option<usize>,
    /// What was searched for last.
    pub search: String,
    /// The program shall end.
    pub ended: bool,
}

impl Model {
    /// The explorer at its start.
    pub fn new(keymap: Keymap, size: (u16, u16), now: Instant, catalog: Arc<Catalog>, sweeper: SweeperState) -> Self {
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
            container: None,
            tab: Tab::Items,
            focus: Focus::Tree,
            items: Viewport::default(),
            marked: BTreeSet::new(),
            pane: None,
            item_generation: 0,
            edit_when_loaded: false,
            settings: None,
            countdown: Countdown::default(),
            console: Console::default(),
            dialogs: Vec::new(),
            help: None,
            search: String::new(),
            ended: false,
        }
    }

    /// The open container.
    pub fn open_container(&self) -> Option<&Arc<Container>> {
        self.catalog.container(self.container?)
    }

    /// The default of a container; Off for one that is gone.
    pub fn default_of(&self, no: ContainerNo) -> DefaultTtl {
        self.catalog.container(no).map_or(DefaultTtl::Off, |container| container.default_ttl)
    }

    /// The name of a container in messages: `workshop/sessions`.
    pub fn name_of(&self, no: ContainerNo) -> String {
        match self.catalog.container(no) {
            Some(container) => {
                let database = self.catalog.names.get(&container.database).map_or("", String::as_str);
                format!("{database}/{}", container.name)
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
            Focus::Editor => true,
            Focus::Settings => self.settings.as_ref().is_some_and(SettingsForm::is_typing),
            _ => false,
        }
    }

    /// The places of the panes.
    pub fn layout(&self) -> Layout {
        Layout::of(self)
    }

    /// When the screen changes by itself: at the next edge of a second while something counts down. `None` when
    /// nothing does, so that an idle program sleeps.
    pub fn next_wake(&self) -> Option<Instant> {
        let everything = self.totals_of(Scope::Everything);
        let counting = everything.is_some_and(|totals| totals.next.is_some() || totals.hidden.n > 0);
        if counting || self.countdown.has_deleted() {
            Some(Instant::from_secs(self.now.secs().saturating_add(1)))
        } else {
            None
        }
    }
}
