//! The terminal's modes: set at the start, undone on every way out.

use std::io::{self, Write, stdout};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::style::{Print, ResetColor, force_color_output};
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{execute, queue};

/// Clicks, wheel and drag; crossterm's own capture asks for every motion.
const MOUSE_ON: &str = "\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l";

/// Whether the modes are set now. A panic of the loop must undo them before its message is printed.
static ACTIVE: AtomicBool = AtomicBool::new(false);

/// Holds the modes; dropping it undoes them.
#[derive(Debug)]
pub struct TerminalGuard {
    /// The process was stopped here, and the signal that continued it is still to come.
    continues: bool,
}

impl TerminalGuard {
    /// Sets the modes.
    ///
    /// # Errors
    /// Standard output is no terminal that can do it.
    pub fn enter() -> io::Result<TerminalGuard> {
        install_hook();
        // NO_COLOR is the theme's business: crossterm's own handling of it would cancel reversed text too.
        force_color_output(true);
        set()?;
        Ok(TerminalGuard { continues: false })
    }

    /// Gives the terminal back, stops the process until it is continued, and sets the modes again.
    ///
    /// # Errors
    /// The terminal cannot be set.
    pub fn suspend(&mut self) -> io::Result<()> {
        unset();
        self.continues = stop_process();
        set()
    }

    /// Sets the modes again after the process was stopped by another hand: a shell had the terminal meanwhile. Returns
    /// whether it was so.
    ///
    /// # Errors
    /// The terminal cannot be set.
    pub fn continued(&mut self) -> io::Result<bool> {
        if std::mem::take(&mut self.continues) {
            return Ok(false);
        }
        unset();
        set()?;
        Ok(true)
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        unset();
    }
}

fn set() -> io::Result<()> {
    enable_raw_mode()?;
    ACTIVE.store(true, Ordering::SeqCst);
    execute!(stdout(), EnterAlternateScreen, EnableBracketedPaste, Print(MOUSE_ON), Hide)
}

fn unset() {
    if !ACTIVE.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = stdout();
    // Nobody is left to tell when the terminal is gone.
    let _ = queue!(out, Print(MOUSE_OFF), DisableBracketedPaste, ResetColor, LeaveAlternateScreen, Show);
    let _ = out.flush();
    let _ = disable_raw_mode();
}

/// A panic of the loop's thread ends the program: the terminal first. One of another thread is caught there; its
/// message must not go over the screen.
fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        let main = std::thread::current().id();
        panic::set_hook(Box::new(move |info| {
            tracing::error!("{info}");
            if std::thread::current().id() == main {
                unset();
                before(info);
            }
        }));
    });
}

/// Stops the process until it is continued. Returns whether it was.
#[cfg(unix)]
fn stop_process() -> bool {
    let stop = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP);
    if let Err(error) = &stop {
        tracing::error!("the process could not be stopped: {error}");
    }
    stop.is_ok()
}

#[cfg(not(unix))]
fn stop_process() -> bool {
    false
}
