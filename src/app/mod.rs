//! The explorer as a value: a model, messages, and one function that takes a message and says what to do.
//!
//! No store, no thread, no clock, no terminal: tests press keys and compare effects.

pub mod console;
pub mod countdown;
pub mod dialog;
pub mod expiration;
pub mod filter;
pub mod item_pane;
pub mod matrix;
pub mod query;
pub mod results;
pub mod settings;
pub mod shell;
pub mod text;
pub mod timeline;
pub mod transfer;

mod action;
pub mod editor;
mod field;
mod intent;
mod keymap;
mod layout;
mod model;
mod msg;
mod tree;
mod update;
mod viewport;

pub use action::Action;
pub use editor::Editor;
pub use field::TextField;
pub use intent::{Intent, Move};
pub use keymap::{Context, Keymap, KeymapError};
pub use layout::{Layout, SMALLEST};
pub use model::{Focus, Model, Tab};
pub use msg::{Answer, AskedFilter, AskedQuery, AskedTimeline, ClockMove, Command, Effect, Msg, Read, Target};
pub use tree::{Branch, Node, Tree};
pub use update::{start, update};
pub use viewport::{Listed, Loaded, Seek, Viewport};
