//! What a key can do. The order of the variants is the order of the help.

use serde::Deserialize;

/// Everything that a key can be bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// One row up.
    Up,
    /// One row down.
    Down,
    /// One page up.
    PageUp,
    /// One page down.
    PageDown,
    /// To the first row.
    First,
    /// To the last row.
    Last,
    /// Opens what the cursor is on.
    Open,
    /// Unfolds a branch of the tree.
    Expand,
    /// Folds a branch of the tree.
    Collapse,
    /// Into the editor with the item under the cursor.
    Edit,
    /// Saves: the item or the setting.
    Save,
    /// Takes the change of a setting back.
    Discard,
    /// Marks the row.
    Mark,
    /// Marks all rows that are loaded, or none.
    MarkAll,
    /// Writes items again, unchanged.
    WriteAgain,
    /// Deletes: items, a container, a database.
    Delete,
    /// Filters the items.
    FilterItems,
    /// Applies what is typed into the filter.
    Apply,
    /// An older filter.
    Older,
    /// A newer filter.
    Newer,
    /// Takes the last edit back.
    Undo,
    /// Makes it again.
    Redo,
    /// Searches in the text.
    Find,
    /// The next place of the search.
    FindNext,
    /// Lays the JSON out.
    Format,
    /// Sets when the item expires.
    ExpiresIn,
    /// The setting as JSON, or as a form.
    AsJson,
    /// Runs what is typed into the shell.
    Run,
    /// A new line in the shell.
    NewLine,
    /// Completes the word in the shell.
    Complete,
    /// Searches what was typed into the shell.
    SearchHistory,
    /// Empties the shell.
    Empty,
    /// The countdown of the container, the database, everything.
    Scope,
    /// The countdown follows the present.
    Follow,
    /// Executes the query, or the selected part of it.
    Execute,
    /// The saved queries.
    SavedQueries,
    /// Scrolls the columns to the left.
    ColumnsLeft,
    /// Scrolls the columns to the right.
    ColumnsRight,
    /// One step of the timeline back.
    Earlier,
    /// One step of the timeline on.
    Later,
    /// The timeline looks nearer.
    Nearer,
    /// The timeline looks farther.
    Farther,
    /// Which lines of the console are shown.
    Filter,
    /// Empties the console.
    Clear,
    /// Out of the pane, towards the tree.
    Back,
    /// To the next pane.
    NextPane,
    /// To the previous pane.
    PreviousPane,
    /// The Items tab.
    ShowItems,
    /// The Settings tab.
    ShowSettings,
    /// The Countdown tab.
    ShowCountdown,
    /// The Query tab, or of MongoDB the Shell tab.
    ShowQuery,
    /// The Timeline tab.
    ShowTimeline,
    /// Views of the items that no query expresses.
    Views,
    /// A new item in the container.
    NewItem,
    /// A new container in the database.
    NewContainer,
    /// A new database.
    NewDatabase,
    /// A file into the container.
    Upload,
    /// Items into a file.
    Export,
    /// The sweeper deletes what is expired, at once.
    SweepNow,
    /// The sweeper pauses, or goes on.
    PauseSweeper,
    /// How late the sweeper deletes.
    SweeperSettings,
    /// The clock: how fast it runs, where it jumps to.
    Clock,
    /// The table of what settings and items make together.
    Matrix,
    /// Shows or hides the tree.
    ToggleTree,
    /// Unfolds or folds the console.
    ToggleConsole,
    /// Reads everything again.
    Refresh,
    /// The keys.
    Help,
    /// Leaves the program.
    Quit,
    /// Puts the program into the background of the shell.
    Suspend,
}

impl Action {
    /// One or two words for the footer.
    pub fn label(self) -> &'static str {
        match self {
            Action::Up => "up",
            Action::Down => "down",
            Action::PageUp => "page up",
            Action::PageDown => "page down",
            Action::First => "first",
            Action::Last => "last",
            Action::Open => "open",
            Action::Expand => "unfold",
            Action::Collapse => "fold",
            Action::Edit => "edit",
            Action::Save => "save",
            Action::Discard => "discard",
            Action::Mark => "mark",
            Action::MarkAll => "mark all",
            Action::WriteAgain => "write again",
            Action::Delete => "delete",
            Action::FilterItems => "filter",
            Action::Apply => "apply",
            Action::Older => "older",
            Action::Newer => "newer",
            Action::Undo => "undo",
            Action::Redo => "redo",
            Action::Find => "find",
            Action::FindNext => "find next",
            Action::Format => "format",
            Action::ExpiresIn => "expires in",
            Action::AsJson => "as JSON",
            Action::Run => "run",
            Action::NewLine => "new line",
            Action::Complete => "complete",
            Action::SearchHistory => "history",
            Action::Empty => "clear",
            Action::Scope => "scope",
            Action::Follow => "follow",
            Action::Execute => "execute",
            Action::SavedQueries => "saved",
            Action::ColumnsLeft => "columns left",
            Action::ColumnsRight => "columns right",
            Action::Earlier => "earlier",
            Action::Later => "later",
            Action::Nearer => "nearer",
            Action::Farther => "farther",
            Action::Filter => "filter",
            Action::Clear => "clear",
            Action::Back => "back",
            Action::NextPane => "next pane",
            Action::PreviousPane => "previous pane",
            Action::ShowItems => "items",
            Action::ShowSettings => "settings",
            Action::ShowCountdown => "countdown",
            Action::ShowQuery => "query",
            Action::ShowTimeline => "timeline",
            Action::Views => "views",
            Action::NewItem => "new item",
            Action::NewContainer => "new container",
            Action::NewDatabase => "new database",
            Action::Upload => "upload",
            Action::Export => "export",
            Action::SweepNow => "sweep now",
            Action::PauseSweeper => "pause sweeper",
            Action::SweeperSettings => "sweeper delay",
            Action::Clock => "clock",
            Action::Matrix => "matrix",
            Action::ToggleTree => "tree",
            Action::ToggleConsole => "console",
            Action::Refresh => "refresh",
            Action::Help => "help",
            Action::Quit => "quit",
            Action::Suspend => "suspend",
        }
    }

    /// One line for the help.
    pub fn help(self) -> &'static str {
        match self {
            Action::Up => "one row up",
            Action::Down => "one row down",
            Action::PageUp => "one page up",
            Action::PageDown => "one page down",
            Action::First => "to the first row",
            Action::Last => "to the last row",
            Action::Open => "open what the cursor is on",
            Action::Expand => "unfold a branch",
            Action::Collapse => "fold a branch, or go to its parent",
            Action::Edit => "edit the item under the cursor",
            Action::Save => "save: update the item, save the setting, name the query",
            Action::Discard => "take the change of the setting back",
            Action::Mark => "mark the row for delete or write again",
            Action::MarkAll => "mark all loaded rows, or unmark them",
            Action::WriteAgain => "write again unchanged: the clock of a `ttl` restarts",
            Action::Delete => "delete the item, the marked items, the container or the database",
            Action::FilterItems => "filter by what follows `SELECT * FROM c`, or a find filter",
            Action::Apply => "apply the filter; an empty one shows everything",
            Action::Older => "an older filter or query",
            Action::Newer => "a newer filter or query",
            Action::Undo => "take the last edit back",
            Action::Redo => "make it again",
            Action::Find => "search in the text",
            Action::FindNext => "go to the next match",
            Action::Format => "lay the JSON out, numbers and order untouched",
            Action::ExpiresIn => "set `ttl` or `@expires` by a duration: 5 m, 2 h, 30 d",
            Action::AsJson => {
                "the rows of a query as JSON or a table; the setting of a RavenDB database as JSON or a form"
            }
            Action::Run => "run what is typed; with an open bracket, a new line",
            Action::NewLine => "a new line",
            Action::Complete => "complete a database, a collection, a method",
            Action::SearchHistory => "the last statement that has what is typed in it, and older ones",
            Action::Empty => "empty the shell's output",
            Action::Scope => "look at this container, its database, everything",
            Action::Follow => "follow the present",
            Action::Execute => "execute the query, or the selected part of it",
            Action::SavedQueries => "open or delete a saved query",
            Action::ColumnsLeft => "scroll the columns to the left",
            Action::ColumnsRight => "scroll the columns to the right",
            Action::Earlier => "one step of the timeline back",
            Action::Later => "one step of the timeline on",
            Action::Nearer => "look nearer: the next day, hour, minute",
            Action::Farther => "look farther: the next hour, day, 90 days",
            Action::Filter => "show all lines, errors only, expirations only",
            Action::Clear => "empty the console",
            Action::Back => "back: to the list, to the tree",
            Action::NextPane => "to the next pane",
            Action::PreviousPane => "to the previous pane",
            Action::ShowItems => "the items of the container",
            Action::ShowSettings => "the settings: Time to Live, indexes, Document Expiration",
            Action::ShowCountdown => "the countdown: what expires next",
            Action::ShowQuery => "queries, or the shell of a MongoDB database",
            Action::Views => "views: what expires soon, never, is ignored, is hidden",
            Action::ShowTimeline => "the timeline: when how much expires",
            Action::NewItem => "a new item in this container",
            Action::NewContainer => "a new container in this database",
            Action::NewDatabase => "a new database",
            Action::Upload => "upload a file of documents into this container",
            Action::Export => "export the visible items, the marked or the filtered ones into a file",
            Action::SweepNow => "delete what is expired now, whatever the delay",
            Action::PauseSweeper => "pause the sweeper, or let it go on",
            Action::SweeperSettings => "how long after expiry the sweeper deletes",
            Action::Clock => "the clock: pause it, let it run faster, jump ahead, back to the real time",
            Action::Matrix => "the matrix: container setting by item `ttl`, each cell to try",
            Action::ToggleTree => "show or hide the tree",
            Action::ToggleConsole => "unfold or fold the console",
            Action::Refresh => "read everything again",
            Action::Help => "these keys",
            Action::Quit => "leave; unsaved text is asked about first",
            Action::Suspend => "suspend to the shell; fg comes back",
        }
    }
}
