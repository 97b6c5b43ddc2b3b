//! The numbers of a scope.

use crate::domain::Instant;
use crate::store::Half;

use super::countdown::View;
use super::databases::{COUNTED, add};
use super::{ContainerNo, Count, Engine, EngineError, Scope, Totals};

impl Engine {
    /// The numbers of a scope. Hidden items are counted on the index, exactly up to 100,000.
    ///
    /// # Errors
    /// 404 for a scope that does not exist; the store cannot be read.
    pub fn totals(&self, scope: Scope) -> Result<Totals, EngineError> {
        let view = View::of(&self.shared, scope)?;
        let now = self.now();
        let mut totals = Totals { next: view.next(now)?, ..Totals::default() };
        (totals.hidden, totals.waiting) = passed(&view, now)?;
        for no in containers(&view, scope) {
            let counts = view.snapshot.counts(no)?;
            totals.stored += counts.items();
            totals.own += counts.own;
            totals.deleted += self.shared.deleted.lock().get(&no).copied().unwrap_or(0);
        }
        Ok(totals)
    }
}

pub(super) fn containers(view: &View<'_>, scope: Scope) -> Vec<ContainerNo> {
    match scope {
        Scope::Container(no) => vec![no],
        Scope::Database(no) => view
            .catalog
            .database(no)
            .into_iter()
            .flat_map(|database| database.roots())
            .map(|container| container.no)
            .collect(),
        Scope::Everything => view
            .catalog
            .containers
            .values()
            .filter(|container| container.root() == container.no)
            .map(|container| container.no)
            .collect(),
    }
}

/// The expired items that are still stored: those that are hidden, and those that are seen until a run deletes them.
/// Only containers that hold any are looked at.
fn passed(view: &View<'_>, now: Instant) -> Result<(Count, Count), EngineError> {
    let (mut hidden, mut waiting) = (Count::default(), Count::default());
    for container in view.passed(now) {
        let count = if container.hides_expired() { &mut hidden } else { &mut waiting };
        let passed = container.passed(now);
        for (half, through) in [(Half::Inherit, passed.inherit), (Half::Own, passed.own)] {
            if let Some(through) = through {
                let room = COUNTED.saturating_sub(count.n);
                add(count, view.snapshot.count_entries(container.no, half, None, through, room)?);
            }
        }
    }
    Ok((hidden, waiting))
}
