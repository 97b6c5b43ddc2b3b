//! Frames: one at a time, shown at once.

use std::io::{self, BufWriter, Stdout, Write, stdout};

use crossterm::queue;
use crossterm::terminal::{BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;

use crate::ui::Drawn;

/// The terminal's screen.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<BufWriter<Stdout>>>,
}

impl Screen {
    /// The screen of standard output.
    ///
    /// # Errors
    /// Its size cannot be asked.
    pub fn new() -> io::Result<Screen> {
        let mut screen = Screen { terminal: Terminal::new(CrosstermBackend::new(BufWriter::new(stdout())))? };
        // Not every terminal empties its alternate screen, and what was printed before would stand between the cells.
        screen.forget()?;
        Ok(screen)
    }

    /// Columns and rows.
    pub fn size(&self) -> (u16, u16) {
        self.terminal.size().map_or((80, 24), |size| (size.width, size.height))
    }

    /// Draws a frame inside one synchronized update: only the cells that differ are sent.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Buffer) -> Drawn) -> io::Result<Drawn> {
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        let mut drawn = Drawn::default();
        let outcome = self.terminal.draw(|frame| {
            drawn = draw(frame.buffer_mut());
            if let Some(cursor) = drawn.cursor {
                frame.set_cursor_position(cursor);
            }
        });
        let outcome = outcome.map(|_| ());
        queue!(self.terminal.backend_mut(), EndSynchronizedUpdate)?;
        Write::flush(self.terminal.backend_mut())?;
        outcome.map(|()| drawn)
    }

    /// What is on the screen is not what was drawn last: the next frame is drawn whole.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn forget(&mut self) -> io::Result<()> {
        // Terminal::clear asks where the cursor is, and the answer would go to the thread that waits for keys.
        queue!(self.terminal.backend_mut(), Clear(ClearType::All))?;
        self.terminal.swap_buffers();
        Ok(())
    }
}
