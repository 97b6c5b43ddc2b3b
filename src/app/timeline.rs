//! The Timeline tab: when things expire, in steps of time, and what is in the step under the cursor.

use crate::domain::Instant;
use crate::domain::time::TICKS_PER_SECOND;
use crate::engine::{Bucket, CountdownRow, CountdownWindow, Scope, Span, Timeline};

/// Items of a step that are listed at most.
pub const LISTED: usize = 500;
/// A timeline that took some time rests this many times as long before it is counted again.
const REST: f64 = 10.0;

/// The Timeline tab.
#[derive(Clone, Debug, PartialEq)]
pub struct TimelineTab {
    /// Which containers.
    pub scope: Scope,
    /// How far it looks.
    pub span: Span,
    /// What was counted last.
    pub shown: Option<Timeline>,
    /// Entries of the index that were read so far, while it is being counted.
    pub running: Option<u64>,
    /// The items of the step under the cursor, at most [`LISTED`].
    pub rows: Vec<CountdownRow>,
    /// The row with the cursor.
    pub row: usize,
    /// Where the step under the cursor starts; `None` for the first, whichever that is.
    at: Option<Instant>,
    /// What it shows is out of date.
    stale: bool,
    /// Number of the newest question, of the timeline and of the rows.
    generation: u64,
    rows_generation: u64,
}

impl Default for TimelineTab {
    fn default() -> Self {
        TimelineTab {
            scope: Scope::Everything,
            span: Span::default(),
            shown: None,
            running: None,
            rows: Vec::new(),
            row: 0,
            at: None,
            stale: false,
            generation: 0,
            rows_generation: 0,
        }
    }
}

impl TimelineTab {
    /// Another scope: nothing is known of it yet.
    pub fn look_at(&mut self, scope: Scope) {
        *self = TimelineTab {
            scope,
            span: self.span,
            generation: self.generation,
            rows_generation: self.rows_generation,
            ..TimelineTab::default()
        };
    }

    /// The step under the cursor.
    pub fn cursor(&self) -> usize {
        let (Some(at), Some(shown)) = (self.at, &self.shown) else { return 0 };
        let step = at.ticks_since(shown.from).div_euclid(TICKS_PER_SECOND) / shown.span.step();
        usize::try_from(step).unwrap_or(0).min(shown.buckets.len().saturating_sub(1))
    }

    /// What is in it.
    pub fn bucket(&self) -> Option<Bucket> {
        self.shown.as_ref()?.buckets.get(self.cursor()).copied()
    }

    /// When it starts and ends.
    pub fn stretch(&self) -> Option<(Instant, Instant)> {
        let shown = self.shown.as_ref()?;
        Some((shown.start(self.cursor()), shown.start(self.cursor() + 1)))
    }

    /// Puts the cursor on a step; behind the last it stays on the last.
    pub fn select(&mut self, bucket: usize) {
        let Some(shown) = &self.shown else { return };
        let bucket = bucket.min(shown.buckets.len().saturating_sub(1));
        // The first step is always the present one.
        self.at = (bucket > 0).then(|| shown.start(bucket));
        self.row = 0;
    }

    /// Moves the cursor by steps.
    pub fn step(&mut self, by: isize) {
        self.select(self.cursor().saturating_add_signed(by));
    }

    /// Moves the cursor in the list.
    pub fn step_row(&mut self, by: isize) {
        self.row = self.row.saturating_add_signed(by).min(self.rows.len().saturating_sub(1));
    }

    /// Looks nearer, or farther. Answers whether that is another span.
    pub fn zoom(&mut self, farther: bool) -> bool {
        let at = Span::ALL.iter().position(|span| *span == self.span).unwrap_or(0);
        let next = if farther { at + 1 } else { at.wrapping_sub(1) };
        let Some(span) = Span::ALL.get(next) else { return false };
        self.span = *span;
        true
    }

    /// It is asked for; the number comes back with the answer.
    pub fn request(&mut self) -> u64 {
        self.stale = false;
        self.running = Some(0);
        self.generation += 1;
        self.generation
    }

    /// Its rows are asked for.
    pub fn request_rows(&mut self) -> u64 {
        self.rows_generation += 1;
        self.rows_generation
    }

    /// Something changed.
    pub fn invalidate(&mut self) {
        self.stale = true;
    }

    /// Whether to ask now: something changed or a step began, nothing is on its way, and what takes long has rested.
    pub fn is_due(&self, now: Instant) -> bool {
        if self.running.is_some() {
            return false;
        }
        let Some(shown) = &self.shown else { return true };
        let rest = (shown.took_millis * REST / 1_000.0) as i64;
        (self.stale || now >= shown.start(1)) && now >= shown.now.plus_secs(rest)
    }

    /// So many entries were read.
    pub fn progress(&mut self, generation: u64, read: u64) {
        if generation == self.generation && self.running.is_some() {
            self.running = Some(read);
        }
    }

    /// Nobody waits any more.
    pub fn give_up(&mut self) {
        self.running = None;
    }

    /// It was counted. Answers whether that is what was asked for last.
    pub fn answer(&mut self, generation: u64, timeline: Timeline) -> bool {
        if generation != self.generation {
            return false;
        }
        self.running = None;
        self.shown = Some(timeline);
        true
    }

    /// It could not be counted. Answers whether that is what was asked for last.
    pub fn fail(&mut self, generation: u64) -> bool {
        let newest = generation == self.generation;
        if newest {
            self.running = None;
        }
        newest
    }

    /// The rows of the step; the same row keeps the cursor.
    pub fn answer_rows(&mut self, generation: u64, window: CountdownWindow) {
        let (Some((start, end)), Some(shown)) = (self.stretch(), &self.shown) else { return };
        if generation != self.rows_generation {
            return;
        }
        // A window that ends early is filled with what stands before it.
        let is_in = |at: Instant| start <= at && at < end && at > shown.now;
        let current = self.rows.get(self.row).map(|row| row.position.clone());
        self.rows = window.rows.into_iter().filter(|row| is_in(row.position.at)).collect();
        let same = current.and_then(|position| self.rows.iter().position(|row| row.position == position));
        self.row = same.unwrap_or(self.row).min(self.rows.len().saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(now: i64, span: Span) -> Timeline {
        let from = Instant::from_secs(now.div_euclid(span.step()) * span.step());
        Timeline {
            now: Instant::from_secs(now),
            span,
            from,
            buckets: vec![Bucket::default(); span.buckets()],
            ..Timeline::default()
        }
    }

    #[test]
    fn the_cursor_stays_on_its_instant_while_time_goes_on() {
        let mut tab = TimelineTab::default();
        let generation = tab.request();
        assert!(tab.answer(generation, shown(7_203, Span::Hour)));
        tab.select(5);
        let start = tab.stretch().map(|(start, _)| start);
        let generation = tab.request();
        tab.answer(generation, shown(7_203 + 120, Span::Hour));
        assert_eq!((tab.cursor(), tab.stretch().map(|(start, _)| start)), (3, start));
        let generation = tab.request();
        tab.answer(generation, shown(7_203 + 3_600, Span::Hour));
        assert_eq!(tab.cursor(), 0);
        tab.select(999);
        assert_eq!(tab.cursor(), 59);
    }

    #[test]
    fn it_is_counted_again_when_a_step_begins_or_something_changed_but_not_all_the_time() {
        let mut tab = TimelineTab::default();
        assert!(tab.is_due(Instant::from_secs(0)));
        let generation = tab.request();
        assert!(!tab.is_due(Instant::from_secs(0)));
        tab.answer(generation, Timeline { took_millis: 500.0, ..shown(120, Span::Hour) });
        assert!(!tab.is_due(Instant::from_secs(150)));
        tab.invalidate();
        assert!(!tab.is_due(Instant::from_secs(124)));
        assert!(tab.is_due(Instant::from_secs(125)));
        let generation = tab.request();
        tab.answer(generation, shown(126, Span::Hour));
        assert!(tab.is_due(Instant::from_secs(180)));
        assert!(!tab.answer(generation - 1, shown(500, Span::Hour)));
    }

    #[test]
    fn zooming_ends_at_both_sides() {
        let mut tab = TimelineTab { span: Span::Day, ..TimelineTab::default() };
        assert!(tab.zoom(true) && !tab.zoom(true));
        assert_eq!(tab.span, Span::NinetyDays);
        assert!(tab.zoom(false) && tab.zoom(false) && tab.zoom(false) && !tab.zoom(false));
        assert_eq!(tab.span, Span::Minute);
    }
}
