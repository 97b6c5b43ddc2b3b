//! Where a person wants to go. Kept as a value, so that it can wait for an answer about unsaved work.

use crate::engine::{ContainerNo, Key, Scope};

use super::Tab;

/// A movement in the list of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// By so many rows.
    Step(isize),
    /// To the first row.
    First,
    /// To the last row.
    Last,
    /// To a loaded row.
    Row(usize),
}

/// Something that leaves what is open.
#[derive(Clone, Debug, PartialEq)]
pub enum Intent {
    /// Another row, and with it another item.
    MoveTo(Move),
    /// A container, in one of its tabs.
    OpenContainer(ContainerNo, Tab),
    /// One item of a container.
    OpenItem(ContainerNo, Key),
    /// The countdown of a scope.
    OpenCountdown(Scope),
    /// The timeline of a scope.
    OpenTimeline(Scope),
    /// Another tab of the open container.
    ShowTab(Tab),
    /// A new item.
    NewItem,
    /// Out of the editor, to the list.
    CloseEditor,
    /// Out of the Settings, to the tree.
    LeaveSettings,
    /// Where the items of a scope go: an export, also before something that takes them away.
    Export(Scope),
    /// Reads everything again.
    Refresh,
    /// The end.
    Quit,
}

impl Intent {
    /// Whether it takes the open item from the screen for good.
    pub fn loses_item(&self) -> bool {
        match self {
            Intent::MoveTo(_)
            | Intent::OpenContainer(..)
            | Intent::OpenItem(..)
            | Intent::NewItem
            | Intent::CloseEditor
            | Intent::Refresh
            | Intent::Quit => true,
            Intent::OpenCountdown(_)
            | Intent::OpenTimeline(_)
            | Intent::ShowTab(_)
            | Intent::LeaveSettings
            | Intent::Export(_) => false,
        }
    }

    /// Whether it takes the form of the Settings from the screen.
    pub fn loses_settings(&self) -> bool {
        !matches!(self, Intent::MoveTo(_) | Intent::CloseEditor | Intent::ShowTab(Tab::Settings) | Intent::Export(_))
    }
}
