//! The Countdown tab: what expires next, what is hidden, what has just been deleted.

use crate::domain::Instant;
use crate::engine::{Container, CountdownRow, End, Position, Scope};

use super::Viewport;
use super::viewport::Listed;

/// How long a deleted row stays, struck through, in ticks of 100 ns.
pub const STAYS: i64 = 2 * crate::domain::time::TICKS_PER_SECOND;

/// A row, and when it was deleted.
#[derive(Clone, Debug, PartialEq)]
pub struct Falling {
    /// The item.
    pub item: CountdownRow,
    /// When it was deleted; it leaves soon.
    pub deleted: Option<Instant>,
}

impl Listed for Falling {
    type Key = Position;
    fn key(&self) -> Position {
        self.item.position.clone()
    }
}

/// What a row's item is at this moment, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// More than a fifth of its life is left, or more than a minute.
    Healthy,
    /// It expires soon.
    Soon,
    /// Expired: no client sees it, its bytes wait for the deletion.
    Hidden,
    /// Expired and seen by everybody until a run deletes it: RavenDB.
    Waiting,
    /// The background deletion took it.
    Deleted,
}

/// The list of the Countdown tab.
#[derive(Clone, Debug, PartialEq)]
pub struct Countdown {
    /// Which containers.
    pub scope: Scope,
    /// The rows.
    pub view: Viewport<Falling>,
    /// The cursor stays on what expires next.
    pub following: bool,
}

impl Default for Countdown {
    fn default() -> Self {
        Countdown { scope: Scope::Everything, view: Viewport::default(), following: true }
    }
}

impl Countdown {
    /// The line of the screen for the next to expire, while following: a third is left for what is hidden above it.
    pub fn following_line(&self) -> usize {
        self.view.height() / 3
    }

    /// Marks rows as deleted. Returns whether any of them is loaded.
    pub fn mark_deleted(&mut self, positions: &[Position], at: Instant) -> bool {
        let mut any = false;
        for row in self.view.rows_mut() {
            if row.deleted.is_none() && positions.binary_search(&row.item.position).is_ok() {
                row.deleted = Some(at);
                any = true;
            }
        }
        any
    }

    /// Takes rows out whose time on the screen is over. Returns whether more rows are needed.
    pub fn drop_deleted(&mut self, now: Instant) -> bool {
        self.view.retain(|row| row.deleted.is_none_or(|at| now.ticks_since(at) < STAYS))
    }

    /// Whether deleted rows are still shown.
    pub fn has_deleted(&self) -> bool {
        self.view.rows().iter().any(|row| row.deleted.is_some())
    }

    /// Puts the deleted rows that are still shown among newly loaded ones. Returns the rows and the anchor's index.
    pub fn with_deleted(&self, rows: Vec<CountdownRow>, anchor: usize) -> (Vec<Falling>, usize) {
        let fresh: Vec<Falling> = rows.into_iter().map(|item| Falling { item, deleted: None }).collect();
        let mut deleted: Vec<Falling> = self
            .view
            .rows()
            .iter()
            .filter(|row| row.deleted.is_some() && !fresh.iter().any(|new| new.item.position == row.item.position))
            .cloned()
            .collect();
        let (first, last) = match (fresh.first(), fresh.last()) {
            (Some(first), Some(last)) => (first.key(), last.key()),
            _ => return (deleted, 0),
        };
        // Only those near what is loaded; the others are not on the screen.
        deleted.retain(|row| {
            row.key() <= last && self.view.visible().1.iter().any(|seen| seen.key() == row.key())
                || row.key() >= first && row.key() <= last
        });
        let before =
            fresh.get(anchor).map_or(deleted.len(), |at| deleted.iter().filter(|row| row.key() < at.key()).count());
        let mut all = fresh;
        all.append(&mut deleted);
        all.sort_by(|a, b| a.item.position.cmp(&b.item.position));
        (all, anchor + before)
    }
}

impl Falling {
    /// What it is at this moment.
    pub fn state(&self, container: &Container, now: Instant) -> State {
        if self.deleted.is_some() {
            return State::Deleted;
        }
        match self.item.row.end(container) {
            Some(end) if end.at <= now && container.hides_expired() => State::Hidden,
            Some(end) if end.at <= now => State::Waiting,
            Some(end) if is_soon(end, now) => State::Soon,
            _ => State::Healthy,
        }
    }
}

/// Whether an end is "soon": within the last ten seconds, or the last fifth of a life within the last minute.
pub fn is_soon(end: End, now: Instant) -> bool {
    let (left, life) = (end.at.secs_left(now), i64::from(end.life));
    left <= 10.min(life / 2) || (left <= 60 && left * 5 <= life)
}

/// How much of its life an item has left, from 0 to 1.
pub fn life_left(end: End, now: Instant) -> f64 {
    let left = end.at.ticks_since(now) as f64 / crate::domain::time::TICKS_PER_SECOND as f64;
    (left / f64::from(end.life.max(1))).clamp(0.0, 1.0)
}
