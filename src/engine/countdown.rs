//! What expires next, over one container or all: a merge of the halves of their indexes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Bound;
use std::sync::Arc;

use crate::domain::Instant;
use crate::domain::nosql::DefaultTtl;
use crate::store::{ContainerNo, Direction, Half, Snapshot};

use super::nosql::row_of;
use super::{
    Catalog, Container, CountdownAnchor, CountdownRequest, CountdownRow, CountdownWindow, Engine, EngineError,
    Position, Scope,
};

impl Engine {
    /// Items in the order in which they expire, around an anchor; expired ones that wait for their deletion are among
    /// them.
    ///
    /// # Errors
    /// 404 for a scope that does not exist; the store cannot be read.
    pub fn countdown(&self, request: &CountdownRequest) -> Result<CountdownWindow, EngineError> {
        let catalog = self.catalog();
        if let Scope::Container(no) = request.scope {
            self.shared.container(no)?;
        }
        let snapshot = self.shared.store.snapshot()?;
        let merge = |from: Bound<&Position>, direction, most| {
            self.merge(&snapshot, &catalog, request.scope, from, direction, most)
        };
        let (before, starts, after, ends);
        match &request.anchor {
            CountdownAnchor::First => {
                (before, starts) = (Vec::new(), true);
                (after, ends) = merge(Bound::Unbounded, Direction::Forward, request.after)?;
            }
            CountdownAnchor::Last => {
                (before, starts) = merge(Bound::Unbounded, Direction::Backward, request.before + request.after)?;
                (after, ends) = (Vec::new(), true);
            }
            CountdownAnchor::Now => {
                // An item that expires in this very second is expired: the place is behind all of them.
                let at = Instant::from_secs(self.now().secs());
                let present = Position {
                    at,
                    container: ContainerNo(u32::MAX),
                    key: Arc::from([0xFF].as_slice()),
                };
                (after, ends) = merge(Bound::Excluded(&present), Direction::Forward, request.after)?;
                let most = request.before + request.after - after.len();
                (before, starts) = merge(Bound::Included(&present), Direction::Backward, most)?;
            }
            CountdownAnchor::At(position) => {
                (after, ends) = merge(Bound::Included(position), Direction::Forward, request.after)?;
                let most = request.before + request.after - after.len();
                (before, starts) = merge(Bound::Excluded(position), Direction::Backward, most)?;
            }
        }
        let mut positions = before;
        positions.reverse();
        let anchor = match &request.anchor {
            CountdownAnchor::Last => positions.len().saturating_sub(1),
            _ => positions.len(),
        };
        positions.extend(after);
        let mut rows = Vec::with_capacity(positions.len());
        for position in positions {
            // One snapshot: an entry of the index has its item.
            if let Some(container) = catalog.container(position.container)
                && let Some(item) = snapshot.get(position.container, &position.key)?
                && let Some(row) = row_of(container, &position.key, &item.header)
            {
                rows.push(CountdownRow { position, row });
            }
        }
        let anchor = anchor.min(rows.len());
        Ok(CountdownWindow {
            rows,
            anchor,
            starts,
            ends,
        })
    }

    /// The container of a scope whose first expiry comes next behind `last`, and that expiry: a lower bound for all that
    /// is in it.
    fn next_container(
        &self,
        catalog: &Catalog,
        scope: Scope,
        last: Option<(Instant, ContainerNo)>,
    ) -> Option<(Instant, Arc<Container>)> {
        let agenda = self.shared.agenda.lock();
        if let Scope::Container(no) = scope {
            let first = agenda.first_of(no).filter(|_| last.is_none())?;
            return Some((first, catalog.container(no)?.clone()));
        }
        let mut last = last;
        loop {
            let (first, no) = agenda.first_behind(last)?;
            last = Some((first, no));
            match (catalog.container(no), scope) {
                (Some(container), Scope::Database(database)) if container.database != database => {}
                (Some(container), _) => return Some((first, container.clone())),
                (None, _) => {}
            }
        }
    }

    /// Up to `most` places from one on, and whether there are no more behind them. A container is opened only when its
    /// first expiry can matter.
    fn merge(
        &self,
        snapshot: &Snapshot,
        catalog: &Catalog,
        scope: Scope,
        from: Bound<&Position>,
        direction: Direction,
        most: usize,
    ) -> Result<(Vec<Position>, bool), EngineError> {
        let mut waiting = self.next_container(catalog, scope, None);
        let mut streams: Vec<Stream> = Vec::new();
        // The order of a heap is turned around for going forward.
        let mut forward: BinaryHeap<Reverse<(Position, usize)>> = BinaryHeap::new();
        let mut backward: BinaryHeap<(Position, usize)> = BinaryHeap::new();
        let mut found = Vec::with_capacity(most.min(1_024));
        loop {
            while let Some((first, container)) = &waiting {
                let needed = match (direction, from) {
                    (Direction::Forward, _) => forward.peek().is_none_or(|Reverse((top, _))| *first <= top.at),
                    (Direction::Backward, Bound::Included(place) | Bound::Excluded(place)) => *first <= place.at,
                    (Direction::Backward, Bound::Unbounded) => true,
                };
                if !needed {
                    break;
                }
                for half in Half::BOTH {
                    let Some(mut stream) = stream(snapshot, container, half, from, direction)? else {
                        continue;
                    };
                    if let Some(position) = stream.next() {
                        let entry = (position?, streams.len());
                        match direction {
                            Direction::Forward => forward.push(Reverse(entry)),
                            Direction::Backward => backward.push(entry),
                        }
                        streams.push(stream);
                    }
                }
                waiting = self.next_container(catalog, scope, Some((*first, container.no)));
            }
            let next = match direction {
                Direction::Forward => forward.pop().map(|Reverse(entry)| entry),
                Direction::Backward => backward.pop(),
            };
            let Some((position, index)) = next else {
                return Ok((found, true));
            };
            if found.len() == most {
                return Ok((found, false));
            }
            if let Some(following) = streams.get_mut(index).and_then(Iterator::next) {
                let entry = (following?, index);
                match direction {
                    Direction::Forward => forward.push(Reverse(entry)),
                    Direction::Backward => backward.push(entry),
                }
            }
            found.push(position);
        }
    }
}

type Stream = Box<dyn Iterator<Item = Result<Position, EngineError>>>;

/// One half of a container's index as places of the countdown; `None` where it counts for nothing.
fn stream(
    snapshot: &Snapshot,
    container: &Container,
    half: Half,
    from: Bound<&Position>,
    direction: Direction,
) -> Result<Option<Stream>, EngineError> {
    let secs = match (half, container.default_ttl) {
        (_, DefaultTtl::Off) | (Half::Inherit, DefaultTtl::NoDefault) => return Ok(None),
        (Half::Inherit, DefaultTtl::Seconds(secs)) => i64::from(secs),
        (Half::Own, _) => 0,
    };
    let no = container.no;
    // A place of another container lies before or behind all of this one's at the same instant.
    let place = |position: &Position| {
        let instant = position.at.secs().saturating_sub(secs);
        match position.container.cmp(&no) {
            std::cmp::Ordering::Equal => (instant, position.key.clone()),
            std::cmp::Ordering::Less => (instant, Arc::from([].as_slice())),
            std::cmp::Ordering::Greater => (instant.saturating_add(1), Arc::from([].as_slice())),
        }
    };
    let (position, included) = match from {
        Bound::Unbounded => (None, true),
        Bound::Included(position) => (Some(position), true),
        Bound::Excluded(position) => (Some(position), false),
    };
    let edge = position.map(|position| (place(position), position.container == no));
    let bound = match &edge {
        None => Bound::Unbounded,
        Some(((instant, key), true)) if included => Bound::Included((*instant, &**key)),
        Some(((instant, key), true)) => Bound::Excluded((*instant, &**key)),
        // No entry stands at the edge between two containers: it is open towards the scan.
        Some(((instant, key), false)) => match direction {
            Direction::Forward => Bound::Included((*instant, &**key)),
            Direction::Backward => Bound::Excluded((*instant, &**key)),
        },
    };
    let entries = snapshot.entries(no, half, bound, direction)?;
    Ok(Some(Box::new(entries.map(move |entry| {
        let entry = entry?;
        let at = Instant::from_secs(entry.instant.saturating_add(secs));
        Ok(Position {
            at,
            container: no,
            key: entry.key,
        })
    }))))
}
