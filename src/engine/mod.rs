//! The database service: what a server would be. Everything that a person can do goes through it.

mod catalog;
mod event;
mod row;
mod sweep;
mod view;

pub use catalog::{Api, Catalog, Container, Database, DatabaseNo};
pub use event::Event;
pub use row::{Key, Row};
pub use sweep::{SweepReport, SweeperState};
pub use view::{
    Anchor, Count, CountdownAnchor, CountdownRequest, CountdownRow, CountdownWindow, Position, Scope, Totals, TtlPreview,
    Window, WindowRequest,
};

pub use crate::store::ContainerNo;
