//! Ctrl-C, noted: long work ends between two writes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::CliError;

/// Whether somebody asked for the end.
#[derive(Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for Ctrl-C and for the end that a system asks for.
    ///
    /// # Errors
    /// The system does not let it.
    #[cfg(unix)]
    pub fn listen() -> Result<Interrupt, CliError> {
        let interrupt = Interrupt::default();
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            signal_hook::flag::register(signal, interrupt.0.clone()).map_err(CliError::Input)?;
        }
        Ok(interrupt)
    }

    /// Elsewhere Ctrl-C ends the process at once; what was acknowledged is stored all the same.
    ///
    /// # Errors
    /// None.
    #[cfg(not(unix))]
    pub fn listen() -> Result<Interrupt, CliError> {
        Ok(Interrupt::default())
    }

    /// Whether it was asked for.
    pub fn was_asked(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
