//! Where the panes stand, for every size of the terminal. Drawing and scrolling both follow it.

use ratatui::layout::Rect;

use super::query::QueryTab;
use super::shell::Shell;
use super::{Focus, Model, Tab};

/// From this width on the tree stands beside the panes; below it is a drawer that opens over them.
const TREE_BESIDE: u16 = 100;
/// Below this width one pane is shown at a time.
const ONE_PANE: u16 = 60;
/// From this height of the body on, list and editor stand together even while the editor has the focus.
const BOTH: u16 = 24;
/// From this width on the line that explains is one line.
const ONE_LINE: u16 = 100;
/// The smallest terminal that shows more than a request for a larger one.
pub const SMALLEST: (u16, u16) = (40, 10);

/// The places of all panes. A pane that is not shown has no area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Layout {
    /// The line at the top.
    pub header: Rect,
    /// The tree, with its title.
    pub tree: Rect,
    /// Whether the tree lies over the panes.
    pub drawer: bool,
    /// The line between tree and panes.
    pub divider: Rect,
    /// The tabs.
    pub tabs: Rect,
    /// All below the tabs, above the line that explains.
    pub body: Rect,
    /// The filter above the list of items: the line to type into, and what it found.
    pub filter: Rect,
    /// The list of items or of the countdown, its heading included.
    pub list: Rect,
    /// The title of the open item.
    pub item_title: Rect,
    /// The text of the open item.
    pub item: Rect,
    /// The line that explains.
    pub explain: Rect,
    /// The console.
    pub console: Rect,
    /// The keys.
    pub footer: Rect,
}

impl Layout {
    /// The layout for the model's size, tab and focus.
    pub fn of(model: &Model) -> Layout {
        let (width, height) = model.size;
        let mut layout = Layout::default();
        if width < SMALLEST.0 || height < SMALLEST.1 {
            return layout;
        }
        layout.header = Rect::new(0, 0, width, 1);
        layout.footer = Rect::new(0, height - 1, width, 1);
        let console = if model.console.open { (height / 3).max(3) } else { 1 };
        layout.console = Rect::new(0, height - 1 - console, width, console);
        let middle = Rect::new(0, 1, width, height - 2 - console);

        let right = if width < ONE_PANE {
            if model.focus == Focus::Tree {
                layout.tree = middle;
                return layout;
            }
            middle
        } else if width >= TREE_BESIDE {
            if model.tree_hidden {
                middle
            } else {
                let tree = (width / 4).clamp(30, 40);
                layout.tree = Rect { width: tree, ..middle };
                layout.divider = Rect { x: tree, width: 1, ..middle };
                Rect { x: tree + 1, width: width - tree - 1, ..middle }
            }
        } else {
            if model.focus == Focus::Tree {
                layout.tree = Rect { width: 34.min(width), ..middle };
                layout.drawer = true;
            }
            middle
        };
        layout.tabs = Rect { height: 1, ..right };
        let explain = if right.width < ONE_LINE { 2 } else { 1 };
        layout.explain = Rect { y: right.bottom() - explain, height: explain, ..right };
        layout.body = Rect { y: right.y + 1, height: right.height - 1 - explain, ..right };
        layout.place_body(model);
        layout
    }

    fn place_body(&mut self, model: &Model) {
        let mut body = self.body;
        let editing = model.focus == Focus::Editor;
        let filtering = model.filter.is_on() || model.focus == Focus::Filter;
        if model.tab == Tab::Items && filtering && (!editing || body.height >= BOTH) {
            let height = if body.height < 6 { 1 } else { 2 };
            self.filter = Rect { height, ..body };
            body = Rect { y: body.y + height, height: body.height - height, ..body };
        }
        self.list = body;
        if model.tab != Tab::Items || model.pane.is_none() {
            return;
        }
        let list = if body.height >= BOTH {
            body.height * 2 / 5
        } else if editing {
            0
        } else if body.height >= 12 {
            body.height / 2
        } else {
            return;
        };
        self.list = Rect { height: list, ..body };
        self.item_title = Rect { y: body.y + list, height: 1, ..body };
        self.item = Rect { y: body.y + list + 1, height: body.height - list - 1, ..body };
    }

    /// The places of the Shell tab: what was printed, the title of the input, the input.
    pub fn shell(&self, shell: &Shell) -> (Rect, Rect, Rect) {
        let body = self.body;
        let input = shell.input_height(body.height / 2).min(body.height.saturating_sub(1));
        let output = Rect { height: body.height.saturating_sub(input + 1), ..body };
        let title = Rect { y: output.bottom(), height: 1.min(body.height), ..body };
        (output, title, Rect { y: title.bottom(), height: input, ..body })
    }

    /// The places of the Query tab: the text, the line of its numbers, the rows.
    pub fn query(&self, query: &QueryTab) -> (Rect, Rect, Rect) {
        let body = self.body;
        let input = Rect { height: query.height(body.height / 3).min(body.height.saturating_sub(1)), ..body };
        let title = Rect { y: input.bottom(), height: 1.min(body.height), ..body };
        let rows = Rect { y: title.bottom(), height: body.height.saturating_sub(input.height + 1), ..body };
        (input, title, rows)
    }

    /// Rows of the list on the screen, without its heading.
    pub fn list_height(&self, tab: Tab) -> usize {
        let heading = match tab {
            Tab::Items => 1,
            Tab::Countdown => 2,
            Tab::Settings | Tab::Shell | Tab::Query | Tab::Timeline => 0,
        };
        usize::from(self.list.height.saturating_sub(heading))
    }

    /// Lines of the tree on the screen, without its title.
    pub fn tree_height(&self) -> usize {
        usize::from(self.tree.height.saturating_sub(1))
    }
}
