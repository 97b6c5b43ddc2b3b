//! What expires next, over one container or all: a merge of the halves of their indexes.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::ops::Bound;
use std::sync::Arc;

use crate::domain::Instant;
use crate::store::{ContainerNo, Direction, Half, Snapshot};

use super::agenda::Agenda;
use super::document::row_of;
use super::service::Shared;
use super::{
    Catalog, Container, CountdownAnchor, CountdownRequest, CountdownRow, CountdownWindow, Engine, EngineError,
    Position, Scope,
};

/// Containers that are looked at beyond those that must be, before more are asked for.
const ROOM: usize = 16;
/// A database with no more containers than this is looked through; of a larger one those that come first are picked.
const FEW: usize = 256;

impl Engine {
    /// Items in the order in which they expire, around an anchor; expired ones that wait for their deletion are among
    /// them. Going forward only those containers are opened whose next expiry can matter.
    ///
    /// # Errors
    /// 404 for a scope that does not exist; the store cannot be read.
    pub fn countdown(&self, request: &CountdownRequest) -> Result<CountdownWindow, EngineError> {
        let view = View::of(&self.shared, request.scope)?;
        let (before, starts, after, ends);
        match &request.anchor {
            CountdownAnchor::First => {
                (before, starts) = (Vec::new(), true);
                (after, ends) = view.forward(None, request.after)?;
            }
            CountdownAnchor::Last => {
                (before, starts) = view.backward(None, request.before + request.after)?;
                (after, ends) = (Vec::new(), true);
            }
            CountdownAnchor::Now | CountdownAnchor::At(_) => {
                let place = match &request.anchor {
                    CountdownAnchor::At(position) => position.clone(),
                    _ => behind(self.now()),
                };
                (after, ends) = view.forward(Some(&place), request.after)?;
                let most = request.before + request.after - after.len();
                (before, starts) = view.backward(Some(&place), most)?;
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
            if let Some(container) = view.catalog.container(position.container)
                && let Some(item) = view.snapshot.get(position.container, &position.key)?
                && let Some(row) = row_of(container, &position.key, &item.header, &item.body)
            {
                rows.push(CountdownRow { position, row, run: None });
            }
        }
        view.tell_runs(&mut rows, self.now())?;
        let anchor = anchor.min(rows.len());
        Ok(CountdownWindow { rows, anchor, starts, ends })
    }
}

/// Before everything that expires after `now`: an item that expires at this very instant is expired.
fn behind(now: Instant) -> Position {
    before_all(now.plus_ticks(1))
}

/// Before everything that expires at an instant.
fn before_all(at: Instant) -> Position {
    Position { at, container: ContainerNo(0), key: Arc::from([].as_slice()) }
}

/// A scope as it is at one moment.
pub struct View<'a> {
    shared: &'a Shared,
    pub catalog: Arc<Catalog>,
    pub snapshot: Snapshot,
    scope: Scope,
}

impl<'a> View<'a> {
    /// The scope as it is now.
    ///
    /// # Errors
    /// 404 for a scope that does not exist; the store cannot be read.
    pub fn of(shared: &'a Shared, scope: Scope) -> Result<Self, EngineError> {
        let catalog = shared.catalog.read().clone();
        match scope {
            Scope::Everything => {}
            Scope::Database(no) => drop(catalog.database(no).ok_or_else(Shared::no_database)?),
            Scope::Container(no) => drop(catalog.container(no).ok_or_else(Shared::no_container)?),
        }
        Ok(View { shared, catalog, snapshot: shared.store.snapshot()?, scope })
    }

    /// When the first item of the scope expires after `now`.
    pub fn next(&self, now: Instant) -> Result<Option<Instant>, EngineError> {
        let (found, _) = self.forward(Some(&behind(now)), 1)?;
        Ok(found.first().map(|position| position.at))
    }

    /// The containers of the scope that hold items with a `first` expiry up to `now`.
    pub fn passed(&self, now: Instant) -> Vec<&Container> {
        let (containers, _) = self.containers(Instant::MIN, |at, _| at <= now);
        containers.into_iter().map(|(container, _)| container).collect()
    }

    /// Up to `most` places from one on, and whether there are no more behind them.
    fn forward(&self, from: Option<&Position>, most: usize) -> Result<(Vec<Position>, bool), EngineError> {
        let start = from.map_or(Instant::MIN, |from| from.at);
        let mut room = most.saturating_add(ROOM);
        loop {
            // Those that may come before the start must be looked at, and of the others as many as there is room for.
            let (containers, left) = self.containers(start, |at, n| at <= start || n < room);
            let (found, ends) = merge(&self.snapshot, &containers, from, Direction::Forward, most)?;
            match left {
                // One that was left out may hold what belongs here.
                Some(left) if ends || found.last().is_some_and(|last| last.at >= left) => room = room.saturating_mul(8),
                _ => return Ok((found, ends)),
            }
        }
    }

    /// Up to `most` places before one, the last first, and whether there are no more before them.
    fn backward(&self, before: Option<&Position>, most: usize) -> Result<(Vec<Position>, bool), EngineError> {
        if most == 0 {
            // Whether anything stands before it the first of all tells, without opening every container.
            let (first, _) = self.forward(None, 1)?;
            let starts = first.first().is_none_or(|first| before.is_some_and(|before| first >= before));
            return Ok((Vec::new(), starts));
        }
        let end = before.map_or(Instant::MAX, |before| before.at);
        let (containers, _) = self.containers(Instant::MIN, |at, _| at <= end);
        merge(&self.snapshot, &containers, before, Direction::Backward, most)
    }

    /// The containers of the scope that may hold an expiry from `from` on, the earliest first, each with a lower bound of
    /// its first one there, as long as `wanted` says so of the bound and the number taken before; and the bound of the
    /// first that was left out.
    fn containers(
        &self,
        from: Instant,
        wanted: impl Fn(Instant, usize) -> bool,
    ) -> (Vec<(&Container, Instant)>, Option<Instant>) {
        let agenda = self.shared.agenda.lock();
        let few = match self.scope {
            Scope::Everything => None,
            Scope::Container(no) => self.catalog.container(no).map(|container| vec![container]),
            Scope::Database(no) => self
                .catalog
                .database(no)
                .filter(|database| database.containers.len() <= FEW)
                .map(|database| database.roots().collect()),
        };
        if let Some(few) = few {
            let mut bounds: Vec<(&Container, Instant)> =
                few.into_iter().filter_map(|container| Some((&**container, first_of(&agenda, container)?))).collect();
            bounds.sort_unstable_by_key(|(_, at)| *at);
            return (bounds, None);
        }
        let mut taken = Vec::new();
        for (at, no) in agenda.from(from) {
            let Some(container) = self.catalog.container(no) else {
                continue;
            };
            if matches!(self.scope, Scope::Database(database) if container.database != database) {
                continue;
            }
            if !wanted(at, taken.len()) {
                return (taken, Some(at));
            }
            taken.push((&**container, at));
        }
        (taken, None)
    }
}

/// A lower bound of the first expiry in a container; of a collection, whose index nobody keeps in mind, any.
fn first_of(agenda: &Agenda, container: &Container) -> Option<Instant> {
    if container.root() == container.no { agenda.first_of(container.no) } else { Some(Instant::MIN) }
}

type Stream = Box<dyn Iterator<Item = Result<Position, EngineError>>>;

/// Up to `most` places from `edge` on, or going backward before it, and whether there are no more behind them. Each
/// container comes with a lower bound of its first expiry; going forward it is opened only when that can matter.
fn merge(
    snapshot: &Snapshot,
    containers: &[(&Container, Instant)],
    edge: Option<&Position>,
    direction: Direction,
    most: usize,
) -> Result<(Vec<Position>, bool), EngineError> {
    let mut waiting = containers.iter().peekable();
    let mut streams: Vec<Stream> = Vec::new();
    // The order of a heap is turned around for going forward.
    let mut forward: BinaryHeap<Reverse<(Position, usize)>> = BinaryHeap::new();
    let mut backward: BinaryHeap<(Position, usize)> = BinaryHeap::new();
    let mut found = Vec::with_capacity(most.min(1_024));
    loop {
        while let Some((container, first)) = waiting.peek() {
            let needed = match direction {
                Direction::Backward => true,
                Direction::Forward => forward.peek().is_none_or(|Reverse((top, _))| *first <= top.at),
            };
            if !needed {
                break;
            }
            waiting.next();
            // Nothing of it counts before its bound: whatever is written or swept meanwhile, the merge stays in order.
            let bound = before_all(*first);
            let edge = match direction {
                Direction::Forward => edge.filter(|edge| edge.at >= *first).or(Some(&bound)),
                Direction::Backward => edge,
            };
            for half in Half::BOTH {
                let Some(mut stream) = stream(snapshot, container, half, edge, direction)? else {
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

/// One half of a container's index as places of the countdown, from `edge` on or going backward before it; `None` where
/// it counts for nothing.
fn stream(
    snapshot: &Snapshot,
    container: &Container,
    half: Half,
    edge: Option<&Position>,
    direction: Direction,
) -> Result<Option<Stream>, EngineError> {
    let Some(offset) = container.offset(half) else {
        return Ok(None);
    };
    let no = container.no;
    let edge = edge.map(|edge| {
        // Rounded up: what expires in the middle of its unit stands behind the edge.
        let unit = container.stored(edge.at);
        let behind = i64::from(container.instant(unit) < edge.at);
        let instant = unit.saturating_add(behind).saturating_sub(offset);
        if behind > 0 {
            return (instant, [].as_slice());
        }
        // A place of another container lies before or behind all of this one's at the same instant.
        match edge.container.cmp(&no) {
            Ordering::Equal => (instant, &*edge.key),
            Ordering::Less => (instant, [].as_slice()),
            Ordering::Greater => (instant.saturating_add(1), [].as_slice()),
        }
    });
    let bound = match (edge, direction) {
        (None, _) => Bound::Unbounded,
        (Some(edge), Direction::Forward) => Bound::Included(edge),
        (Some(edge), Direction::Backward) => Bound::Excluded(edge),
    };
    let entries = snapshot.entries(no, half, bound, direction)?;
    let container = container.clone();
    Ok(Some(Box::new(entries.map(move |entry| {
        let entry = entry?;
        let at = container.instant(entry.instant.saturating_add(offset));
        Ok(Position { at, container: no, key: entry.key })
    }))))
}
