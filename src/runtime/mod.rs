//! The one place with side effects on the terminal: its modes, its keys, signals, threads, the loop.

mod event_loop;
mod guard;
mod input;
mod long;
mod newest;
mod screen;
mod signals;
mod transfers;
mod worker;

pub use event_loop::run;
pub use worker::respond;

/// Why the explorer cannot run on this terminal.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    /// The terminal, or the system's threads and signals.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] std::io::Error),
}
