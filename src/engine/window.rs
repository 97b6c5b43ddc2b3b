//! Windows of visible items around an anchor.

use std::ops::Bound;

use crate::domain::Instant;
use crate::store::{Direction, Half, Snapshot};

use super::document::row_of;
use super::{Anchor, Container, Engine, EngineError, Row, Window, WindowRequest};

impl Engine {
    /// The visible items of a container around an anchor. The cost follows the rows asked for, not those stored; hidden
    /// items in between are passed over.
    ///
    /// # Errors
    /// 404 for the container; the store cannot be read.
    pub fn window(&self, request: &WindowRequest) -> Result<Window, EngineError> {
        let container = self.shared.container(request.container)?;
        let now = self.now();
        let snapshot = self.shared.store.snapshot()?;
        let scan = |from: Bound<&[u8]>, direction, most| visible(&snapshot, &container, now, from, direction, most);
        let (mut before, mut after, starts, ends);
        match &request.anchor {
            Anchor::First => {
                (before, starts) = (Vec::new(), true);
                (after, ends) = scan(Bound::Unbounded, Direction::Forward, request.after)?;
            }
            Anchor::Last => {
                (before, starts) = scan(Bound::Unbounded, Direction::Backward, request.before + request.after)?;
                (after, ends) = (Vec::new(), true);
            }
            Anchor::At(key) => {
                (after, ends) = scan(Bound::Included(key), Direction::Forward, request.after)?;
                let most = if after.is_empty() { request.before + request.after } else { request.before };
                (before, starts) = scan(Bound::Excluded(key), Direction::Backward, most)?;
            }
        }
        before.reverse();
        let anchor = if after.is_empty() { before.len().saturating_sub(1) } else { before.len() };
        before.append(&mut after);
        Ok(Window { rows: before, anchor, starts, ends })
    }
}

/// Hidden items in a row after which it is worth a look whether anything is visible at all.
const LONG_RUN: usize = 1_000;

/// Up to `most` visible items from a place on, and whether there are no more behind them.
fn visible(
    snapshot: &Snapshot,
    container: &Container,
    now: Instant,
    from: Bound<&[u8]>,
    direction: Direction,
    most: usize,
) -> Result<(Vec<Row>, bool), EngineError> {
    let mut rows = Vec::with_capacity(most.min(1_024));
    let mut hidden = 0;
    for item in snapshot.items(container.no, from, direction) {
        let (key, item) = item?;
        if container.hides(&item.header, now) {
            hidden += 1;
            if hidden == LONG_RUN && !any_visible(snapshot, container, now)? {
                break;
            }
            continue;
        }
        let Some(row) = row_of(container, &key, &item.header, &item.body) else {
            continue;
        };
        if rows.len() == most {
            return Ok((rows, false));
        }
        rows.push(row);
    }
    Ok((rows, true))
}

/// Whether a container in which items are hidden has any that is not: at the cost of a look at the index.
fn any_visible(snapshot: &Snapshot, container: &Container, now: Instant) -> Result<bool, EngineError> {
    let counts = snapshot.counts(container.no)?;
    let passed = container.hidden(now);
    if counts.never > 0 {
        return Ok(true);
    }
    for (half, through, stored) in
        [(Half::Inherit, passed.inherit, counts.inherit), (Half::Own, passed.own, counts.own)]
    {
        let visible = match through {
            None => stored > 0,
            Some(through) => snapshot.count_entries(container.no, half, Some(through), i64::MAX, 1)?.n > 0,
        };
        if visible {
            return Ok(true);
        }
    }
    Ok(false)
}
