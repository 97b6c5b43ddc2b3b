//! Windows of visible items around an anchor.

use std::ops::Bound;

use crate::store::{ContainerNo, Direction, Snapshot};

use super::nosql::row_of;
use super::{Anchor, Container, Engine, EngineError, Row, Window, WindowRequest};

impl Engine {
    /// The visible items of a container around an anchor. The cost follows the rows asked for, not those stored; hidden
    /// items in between are passed over.
    ///
    /// # Errors
    /// 404 for the container; the store cannot be read.
    pub fn window(&self, request: &WindowRequest) -> Result<Window, EngineError> {
        let container = self.shared.container(request.container)?;
        let now = self.now().secs();
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
                let most = if after.is_empty() {
                    request.before + request.after
                } else {
                    request.before
                };
                (before, starts) = scan(Bound::Excluded(key), Direction::Backward, most)?;
            }
        }
        before.reverse();
        let anchor = if after.is_empty() {
            before.len().saturating_sub(1)
        } else {
            before.len()
        };
        before.append(&mut after);
        Ok(Window {
            rows: before,
            anchor,
            starts,
            ends,
        })
    }
}

/// Up to `most` visible items from a place on, and whether there are no more behind them.
fn visible(
    snapshot: &Snapshot,
    container: &Container,
    now: i64,
    from: Bound<&[u8]>,
    direction: Direction,
    most: usize,
) -> Result<(Vec<Row>, bool), EngineError> {
    let no: ContainerNo = container.no;
    let mut rows = Vec::with_capacity(most.min(1_024));
    for item in snapshot.items(no, from, direction) {
        let (key, item) = item?;
        let Some(row) = row_of(container, &key, &item.header) else {
            continue;
        };
        if row.fate(container.default_ttl).is_expired(now) {
            continue;
        }
        if rows.len() == most {
            return Ok((rows, false));
        }
        rows.push(row);
    }
    Ok((rows, true))
}
