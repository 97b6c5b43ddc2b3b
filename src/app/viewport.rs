//! The window of a long list: a few loaded rows around a cursor, whatever the length of the list.
//!
//! Only the rows near the cursor are ever read. Moving to the edge of what is loaded asks for another window around
//! the cursor; until it comes the cursor stands still, so nothing is guessed.

/// A row that can be found again after a reload.
pub trait Listed {
    /// What identifies and orders it.
    type Key: Clone + Ord;
    /// Its key.
    fn key(&self) -> Self::Key;
}

/// Where the next window shall be anchored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seek<K> {
    /// At the first row.
    First,
    /// At the last row.
    Last,
    /// At this row, or the next one behind it.
    At(K),
}

/// Rows that were asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded<R> {
    /// The rows.
    pub rows: Vec<R>,
    /// The index of the row that was asked for.
    pub anchor: usize,
    /// Nothing stands before the first row.
    pub starts: bool,
    /// Nothing stands behind the last row.
    pub ends: bool,
}

/// The loaded rows, the cursor among them, and what of them is on the screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Viewport<R: Listed> {
    rows: Vec<R>,
    /// Index of the cursor's row.
    cursor: usize,
    /// Index of the first row on the screen.
    top: usize,
    /// Rows on the screen.
    height: usize,
    starts: bool,
    ends: bool,
    /// Number of the newest request; answers of older ones are dropped.
    generation: u64,
    waiting: bool,
    stale: bool,
}

impl<R: Listed> Default for Viewport<R> {
    fn default() -> Self {
        Viewport {
            rows: Vec::new(),
            cursor: 0,
            top: 0,
            height: 1,
            starts: true,
            ends: true,
            generation: 0,
            waiting: false,
            stale: false,
        }
    }
}

impl<R: Listed> Viewport<R> {
    /// The loaded rows.
    pub fn rows(&self) -> &[R] {
        &self.rows
    }

    /// The rows on the screen, with the index of the first.
    pub fn visible(&self) -> (usize, &[R]) {
        let end = (self.top + self.height).min(self.rows.len());
        (self.top, &self.rows[self.top.min(end)..end])
    }

    /// The row under the cursor.
    pub fn current(&self) -> Option<&R> {
        self.rows.get(self.cursor)
    }

    /// The index of the cursor's row among [`rows`](Self::rows).
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Rows on the screen.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Whether there is nothing before the loaded rows, and nothing behind them.
    pub fn is_whole(&self) -> bool {
        self.starts && self.ends
    }

    /// Whether an answer is on its way.
    pub fn is_waiting(&self) -> bool {
        self.waiting
    }

    /// How many rows a request shall ask for before and from its anchor.
    pub fn span(&self) -> (usize, usize) {
        (self.height * 2, self.height * 3)
    }

    /// A new number of rows on the screen. Returns whether more rows are needed.
    pub fn resize(&mut self, height: usize) -> bool {
        self.height = height.max(1);
        self.show_cursor();
        self.is_short()
    }

    /// Numbers a new request; answers of earlier ones will be dropped.
    pub fn request(&mut self) -> u64 {
        self.generation += 1;
        self.waiting = true;
        self.stale = false;
        self.generation
    }

    /// Empties the list for another one; answers that are still on their way are dropped.
    pub fn restart(&mut self) {
        *self = Viewport { height: self.height, generation: self.generation + 1, ..Viewport::default() };
    }

    /// The number of the newest request.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Whether the answer of this generation is the one that is waited for.
    pub fn is_newest(&self, generation: u64) -> bool {
        generation == self.generation
    }

    /// No answer will come.
    pub fn abandon(&mut self) {
        self.waiting = false;
    }

    /// Says that the rows are out of date. Returns whether to ask at once; otherwise the answer that is on its way
    /// will say so.
    pub fn invalidate(&mut self) -> bool {
        if self.waiting {
            self.stale = true;
        }
        !self.waiting
    }

    /// Where to ask again for what is seen now.
    pub fn seek_here(&self) -> Seek<R::Key> {
        self.current().map_or(Seek::First, |row| Seek::At(row.key()))
    }

    /// Takes an answer; the cursor goes to its anchor and keeps its line on the screen, or stands on `line` of it.
    /// Returns `None` for one of an old generation, else whether to ask again, since the rows went out of date while it
    /// was on its way.
    pub fn answer(&mut self, generation: u64, loaded: Loaded<R>, line: Option<usize>) -> Option<bool> {
        if generation != self.generation {
            return None;
        }
        self.waiting = false;
        let line = line.unwrap_or(self.cursor.saturating_sub(self.top));
        let Loaded { rows, anchor, starts, ends } = loaded;
        self.rows = rows;
        self.starts = starts;
        self.ends = ends;
        self.cursor = anchor.min(self.rows.len().saturating_sub(1));
        self.top = self.cursor.saturating_sub(line);
        self.show_cursor();
        Some(std::mem::take(&mut self.stale))
    }

    /// Moves the cursor by rows. Returns where to ask for a new window, if the loaded rows end near the cursor.
    pub fn step(&mut self, by: isize) -> Option<Seek<R::Key>> {
        if self.rows.is_empty() {
            return None;
        }
        let last = self.rows.len() - 1;
        self.cursor = self.cursor.saturating_add_signed(by).min(last);
        self.show_cursor();
        if self.is_short() { Some(self.seek_here()) } else { None }
    }

    /// Puts the cursor on a loaded row.
    pub fn select(&mut self, index: usize) {
        self.cursor = index.min(self.rows.len().saturating_sub(1));
        self.show_cursor();
    }

    /// To the first row. Returns where to ask, when it is not loaded.
    pub fn to_first(&mut self) -> Option<Seek<R::Key>> {
        if !self.starts {
            return Some(Seek::First);
        }
        self.select(0);
        None
    }

    /// To the last row. Returns where to ask, when it is not loaded.
    pub fn to_last(&mut self) -> Option<Seek<R::Key>> {
        if !self.ends {
            // The last row belongs at the lower edge, wherever the cursor is now.
            self.top = self.cursor.saturating_sub(self.height - 1);
            return Some(Seek::Last);
        }
        self.select(usize::MAX);
        None
    }

    /// Takes rows out. Returns whether more rows are needed.
    pub fn retain(&mut self, keep: impl Fn(&R) -> bool) -> bool {
        let before = self.rows[..self.cursor.min(self.rows.len())].iter().filter(|row| !keep(row)).count();
        let above = self.rows[..self.top.min(self.rows.len())].iter().filter(|row| !keep(row)).count();
        let len = self.rows.len();
        self.rows.retain(keep);
        if self.rows.len() == len {
            return false;
        }
        self.top = self.top.saturating_sub(above);
        self.cursor = (self.cursor - before).min(self.rows.len().saturating_sub(1));
        self.show_cursor();
        self.is_short()
    }

    /// Changes the loaded rows in place.
    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut R> {
        self.rows.iter_mut()
    }

    /// Whether more rows exist near what is on the screen than are loaded.
    fn is_short(&self) -> bool {
        let near_start = !self.starts && self.top < self.height / 2;
        let near_end = !self.ends && self.top + self.height + self.height / 2 > self.rows.len();
        near_start || near_end
    }

    fn show_cursor(&mut self) {
        if self.cursor < self.top {
            self.top = self.cursor;
        } else if self.cursor >= self.top + self.height {
            self.top = self.cursor + 1 - self.height;
        }
        // No blank lines below the last row while rows above could fill them.
        self.top = self.top.min(self.rows.len().saturating_sub(self.height));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    struct Number(u32);

    impl Listed for Number {
        type Key = u32;
        fn key(&self) -> u32 {
            self.0
        }
    }

    /// Answers as the engine does, from the numbers below `len`.
    fn serve(view: &mut Viewport<Number>, len: u32, seek: Seek<u32>) {
        let (before, after) = view.span();
        let generation = view.request();
        let at = match seek {
            Seek::First => 0,
            Seek::Last => len.saturating_sub(1),
            Seek::At(n) => n.min(len.saturating_sub(1)),
        };
        let from = at.saturating_sub(before as u32);
        let to = at.saturating_add(after as u32).min(len);
        let rows = (from..to).map(Number).collect();
        let loaded = Loaded { rows, anchor: (at - from) as usize, starts: from == 0, ends: to == len };
        assert_eq!(view.answer(generation, loaded, None), Some(false));
    }

    fn view(len: u32, height: usize) -> Viewport<Number> {
        let mut view = Viewport::default();
        view.resize(height);
        serve(&mut view, len, Seek::First);
        view
    }

    #[test]
    fn walking_through_a_million_rows_loads_few() {
        let mut view = view(1_000_000, 10);
        for n in 1..2_000 {
            if let Some(seek) = view.step(1) {
                serve(&mut view, 1_000_000, seek);
            }
            assert_eq!(view.current(), Some(&Number(n)));
            assert!(view.rows().len() <= 50);
            assert_eq!(view.visible().1.len(), 10);
        }
        for n in (0..1_999).rev() {
            if let Some(seek) = view.step(-1) {
                serve(&mut view, 1_000_000, seek);
            }
            assert_eq!(view.current(), Some(&Number(n)));
        }
    }

    #[test]
    fn ends_are_reached_in_one_request() {
        let mut view = view(1_000_000, 10);
        let seek = view.to_last().expect("not loaded");
        serve(&mut view, 1_000_000, seek);
        assert_eq!(view.current(), Some(&Number(999_999)));
        assert_eq!(view.visible().1.last(), Some(&Number(999_999)));
        assert_eq!(view.visible().1.len(), 10);
        let seek = view.to_first().expect("not loaded");
        serve(&mut view, 1_000_000, seek);
        assert_eq!((view.current(), view.visible().0), (Some(&Number(0)), 0));
        assert_eq!(view.to_first(), None);
    }

    #[test]
    fn a_reload_keeps_the_line_of_the_cursor() {
        let mut view = view(100, 10);
        view.step(7);
        view.step(-3);
        let line = view.cursor() - view.visible().0;
        let seek = view.seek_here();
        serve(&mut view, 100, seek);
        assert_eq!((view.current(), view.cursor() - view.visible().0), (Some(&Number(4)), line));
    }

    #[test]
    fn old_answers_are_dropped_and_late_changes_asked_for_again() {
        let mut view = view(100, 10);
        let old = view.request();
        let new = view.request();
        assert!(!view.invalidate());
        let loaded = Loaded { rows: vec![Number(1)], anchor: 0, starts: true, ends: true };
        assert_eq!(view.answer(old, loaded.clone(), None), None);
        assert_eq!(view.answer(new, loaded, None), Some(true));
        assert!(view.invalidate());
    }

    #[test]
    fn an_answer_for_the_list_before_is_dropped() {
        let mut view = view(100, 10);
        let before = view.request();
        view.restart();
        let loaded = Loaded { rows: vec![Number(1)], anchor: 0, starts: true, ends: true };
        assert_eq!(view.answer(before, loaded.clone(), None), None);
        let after = view.request();
        assert_eq!(view.answer(before, loaded.clone(), None), None);
        assert_eq!(view.answer(after, loaded, None), Some(false));
        assert_eq!(view.height(), 10);
    }

    #[test]
    fn rows_that_go_leave_the_cursor_on_its_row_or_the_next() {
        let mut view = view(20, 10);
        view.step(5);
        view.retain(|row| row.0 % 2 == 1);
        assert_eq!(view.current(), Some(&Number(5)));
        view.retain(|row| row.0 != 5);
        assert_eq!(view.current(), Some(&Number(7)));
        view.retain(|_| false);
        assert_eq!(view.current(), None);
        assert_eq!(view.visible().1.len(), 0);
    }
}
