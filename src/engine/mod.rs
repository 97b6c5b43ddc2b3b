//! The database service: what a server would be. Everything that a person can do goes through it.

mod agenda;
mod background;
mod bulk;
mod catalog;
mod clock;
mod countdown;
mod databases;
mod document;
mod draft;
mod error;
mod event;
mod explain;
mod items;
mod mongodb;
mod nosql;
mod query;
mod ravendb;
mod reads;
mod records;
mod row;
mod rules;
mod sample;
mod saved;
mod scratch;
mod service;
mod sweep;
mod sweeper;
mod timeline;
mod totals;
mod view;
mod window;

pub use bulk::{Incoming, Stored};
pub use catalog::{Api, Catalog, Container, Database, DatabaseNo, Index, Kind};
pub use clock::{Clock, ClockSetting, ClockState, JumpPreview, ManualClock, SystemClock};
pub use document::Document;
pub use error::EngineError;
pub use event::Event;
pub use mongodb::Inserted;
pub use query::{Answered, Filtered, GIVEN_UP, GoOn, View, Way};
pub use ravendb::Run;
pub use reads::Which;
pub use row::{End, Key, Lifetime, Row};
pub use saved::SavedQuery;
pub use service::{Engine, EngineOptions};
pub use sweep::{SweepReport, SweeperState};
pub use timeline::{Bucket, Span, Timeline, WhatIf};
pub use view::{
    Anchor, Count, CountdownAnchor, CountdownRequest, CountdownRow, CountdownWindow, Position, Scope, Totals,
    TtlPreview, Window, WindowRequest,
};

pub use crate::store::ContainerNo;
