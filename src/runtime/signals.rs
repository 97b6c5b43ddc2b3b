//! Signals of the system, as messages to the loop.

use std::io;

use crossbeam_channel::Receiver;

/// What the system asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// The end: SIGTERM, SIGINT, or SIGHUP of a closed terminal.
    Terminate,
    /// The background: SIGTSTP from outside.
    Suspend,
    /// The foreground again, after whatever stopped the process: SIGCONT.
    Continue,
}

/// The signals of the process.
pub struct Signals {
    receiver: Receiver<Signal>,
    #[cfg(unix)]
    handle: signal_hook::iterator::Handle,
}

impl Signals {
    /// Where they come.
    pub fn receiver(&self) -> &Receiver<Signal> {
        &self.receiver
    }
}

#[cfg(unix)]
impl Signals {
    /// Listens from now on.
    ///
    /// # Errors
    /// The system refuses.
    pub fn start() -> io::Result<Signals> {
        use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
        let mut signals = signal_hook::iterator::Signals::new([SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT])?;
        let handle = signals.handle();
        let (sender, receiver) = crossbeam_channel::unbounded();
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                let signal = match signal {
                    SIGTSTP => Signal::Suspend,
                    SIGCONT => Signal::Continue,
                    _ => Signal::Terminate,
                };
                if sender.send(signal).is_err() {
                    return;
                }
            }
        })?;
        Ok(Signals { receiver, handle })
    }
}

#[cfg(unix)]
impl Drop for Signals {
    fn drop(&mut self) {
        self.handle.close();
    }
}

#[cfg(not(unix))]
impl Signals {
    /// Ctrl-C comes as a key; there is nothing else to listen to.
    ///
    /// # Errors
    /// None.
    pub fn start() -> io::Result<Signals> {
        Ok(Signals { receiver: crossbeam_channel::never() })
    }
}
