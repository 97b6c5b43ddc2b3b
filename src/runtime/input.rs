//! A thread that waits for keys, pastes, the mouse and new sizes.

use std::io;
use std::thread;

use crossbeam_channel::{Receiver, unbounded};
use crossterm::event::{Event, read};

/// What the terminal sends.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// An event.
    Event(Event),
    /// The terminal is gone.
    Closed,
}

/// Starts the thread. It sleeps until the terminal sends something, and ends with the terminal or the receiver.
///
/// # Errors
/// The system gives no thread.
pub fn start() -> io::Result<Receiver<Input>> {
    let (sender, receiver) = unbounded();
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        loop {
            let input = read().map_or(Input::Closed, Input::Event);
            let closed = input == Input::Closed;
            if sender.send(input).is_err() || closed {
                return;
            }
        }
    })?;
    Ok(receiver)
}
