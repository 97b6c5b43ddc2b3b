//! The database service: what a server would be. Everything that a person can do goes through it.

mod agenda;
mod background;
mod catalog;
mod clock;
mod countdown;
mod databases;
mod error;
mod event;
mod nosql;
mod records;
mod row;
mod sample;
mod service;
mod sweep;
mod sweeper;
mod totals;
mod view;
mod window;

pub use catalog::{Api, Catalog, Container, Database, DatabaseNo};
pub use clock::{Clock, ManualClock, SystemClock};
pub use error::EngineError;
pub use event::Event;
pub use nosql::Document;
pub use row::{Key, Row};
pub use service::{Engine, EngineOptions};
pub use sweep::{SweepReport, SweeperState};
pub use view::{
    Anchor, Count, CountdownAnchor, CountdownRequest, CountdownRow, CountdownWindow, Position, Scope, Totals,
    TtlPreview, Window, WindowRequest,
};

pub use crate::store::ContainerNo;
