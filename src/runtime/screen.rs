//! Frames: one at a time, shown at once, and only what differs from the one before.

use std::io::{self, BufWriter, Stdout, Write, stdout};
use std::mem;

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::queue;
use crossterm::terminal::{self, BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate};
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::ui::Drawn;

/// The terminal's screen. ratatui's `Terminal` sends a few bytes for a frame that changes nothing, and asks the
/// terminal where its cursor is when it clears; the answer would go to the thread that waits for keys.
pub struct Screen<W: Write = BufWriter<Stdout>> {
    out: W,
    /// What is on the screen.
    shown: Buffer,
    /// The buffer of the frame before, to be drawn into again.
    spare: Buffer,
    /// Where the cursor is seen; `None` while it is hidden.
    cursor: Option<Position>,
    /// What is on the screen is not known.
    stale: bool,
}

impl Screen {
    /// The screen of standard output, whose cursor is hidden.
    pub fn new() -> Screen {
        Screen::on(BufWriter::new(stdout()))
    }

    /// Columns and rows.
    pub fn size(&self) -> (u16, u16) {
        terminal::size().unwrap_or((80, 24))
    }

    /// Draws a frame inside one synchronized update: only the cells that differ are sent, and nothing when none does.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Buffer) -> Drawn) -> io::Result<Drawn> {
        let (width, height) = self.size();
        self.frame(Rect::new(0, 0, width, height), draw)
    }
}

impl<W: Write> Screen<W> {
    fn on(out: W) -> Self {
        Screen { out, shown: Buffer::default(), spare: Buffer::default(), cursor: None, stale: true }
    }

    /// What is on the screen is not what was drawn last, and its cursor is hidden: the next frame is drawn whole.
    pub fn forget(&mut self) {
        self.stale = true;
        self.cursor = None;
    }

    fn frame(&mut self, area: Rect, draw: impl FnOnce(&mut Buffer) -> Drawn) -> io::Result<Drawn> {
        let mut next = mem::take(&mut self.spare);
        next.resize(area);
        next.reset();
        let drawn = draw(&mut next);
        let whole = mem::take(&mut self.stale) || self.shown.area != area;
        if whole {
            self.shown = Buffer::empty(area);
        }
        let changes = self.shown.diff(&next);
        if whole || !changes.is_empty() || drawn.cursor != self.cursor {
            queue!(self.out, BeginSynchronizedUpdate)?;
            if whole {
                // Not every terminal empties its alternate screen, nor what becomes visible of a larger one.
                queue!(self.out, Clear(ClearType::All))?;
            }
            if !changes.is_empty() {
                CrosstermBackend::new(&mut self.out).draw(changes.into_iter())?;
            }
            match (self.cursor, drawn.cursor) {
                (None, Some(at)) => queue!(self.out, MoveTo(at.x, at.y), Show)?,
                // Drawing has moved it.
                (Some(_), Some(at)) => queue!(self.out, MoveTo(at.x, at.y))?,
                (Some(_), None) => queue!(self.out, Hide)?,
                (None, None) => {}
            }
            queue!(self.out, EndSynchronizedUpdate)?;
            self.out.flush()?;
            self.cursor = drawn.cursor;
        }
        self.spare = mem::replace(&mut self.shown, next);
        Ok(drawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    const AREA: Rect = Rect::new(0, 0, 20, 3);

    /// What is sent for a frame with these words and this cursor.
    fn sent(screen: &mut Screen<Vec<u8>>, area: Rect, words: &str, cursor: Option<Position>) -> String {
        screen.out.clear();
        let draw = |buffer: &mut Buffer| {
            buffer.set_string(0, 1, words, Style::new());
            Drawn { cursor, ..Drawn::default() }
        };
        screen.frame(area, draw).expect("memory takes everything");
        String::from_utf8(screen.out.clone()).expect("text")
    }

    #[test]
    fn nothing_is_sent_when_nothing_changed() {
        let mut screen = Screen::on(Vec::new());
        let at = Some(Position::new(4, 2));
        let first = sent(&mut screen, AREA, "words", at);
        assert!(first.starts_with("\x1b[?2026h\x1b[2J") && first.ends_with("\x1b[?25h\x1b[?2026l"), "{first:?}");
        assert_eq!(sent(&mut screen, AREA, "words", at), "");
        // Two buffers take turns: the third frame is drawn into the first one's.
        assert_eq!(sent(&mut screen, AREA, "words", at), "");
    }

    #[test]
    fn only_what_changed_is_sent_and_the_cursor_goes_back() {
        let mut screen = Screen::on(Vec::new());
        sent(&mut screen, AREA, "words", Some(Position::new(4, 2)));
        let change = sent(&mut screen, AREA, "wards", Some(Position::new(4, 2)));
        assert!(change.contains("\x1b[2;2Ha") && !change.contains('w'), "{change:?}");
        assert!(change.ends_with("\x1b[3;5H\x1b[?2026l"), "{change:?}");
        assert_eq!(sent(&mut screen, AREA, "wards", None), "\x1b[?2026h\x1b[?25l\x1b[?2026l");
        let back = sent(&mut screen, AREA, "wards", Some(Position::new(1, 1)));
        assert_eq!(back, "\x1b[?2026h\x1b[2;2H\x1b[?25h\x1b[?2026l");
    }

    #[test]
    fn a_new_size_and_a_foreign_hand_are_drawn_over() {
        let mut screen = Screen::on(Vec::new());
        sent(&mut screen, AREA, "words", None);
        for area in [Rect::new(0, 0, 9, 2), AREA] {
            let whole = sent(&mut screen, area, "words", None);
            assert!(whole.contains("\x1b[2J") && whole.contains("words"), "{whole:?}");
        }
        screen.forget();
        let whole = sent(&mut screen, AREA, "words", Some(Position::ORIGIN));
        assert!(whole.contains("\x1b[2J") && whole.contains("words") && whole.contains("\x1b[?25h"), "{whole:?}");
        assert_eq!(sent(&mut screen, AREA, "words", Some(Position::ORIGIN)), "");
    }
}
