//! The numbers of a scope.

use crate::domain::nosql::horizon;
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
        let now = self.now().secs();
        let mut totals = Totals { hidden: hidden(&view, now)?, next: view.next(now)?, ..Totals::default() };
        for no in containers(&view, scope) {
            totals.stored += view.snapshot.counts(no)?.items();
            totals.deleted += self.shared.deleted.lock().get(&no).copied().unwrap_or(0);
        }
        Ok(totals)
    }
}

fn containers(view: &View<'_>, scope: Scope) -> Vec<ContainerNo> {
    match scope {
        Scope::Container(no) => vec![no],
        Scope::Database(no) => view
            .catalog
            .database(no)
            .into_iter()
            .flat_map(|database| database.containers.values())
            .map(|container| container.no)
            .collect(),
        Scope::Everything => view.catalog.containers.keys().copied().collect(),
    }
}

/// The expired items that are still stored; only containers that hold any are looked at.
fn hidden(view: &View<'_>, now: i64) -> Result<Count, EngineError> {
    let mut count = Count::default();
    for container in view.passed(now) {
        let passed = horizon(container.default_ttl, now);
        for (half, through) in [(Half::Inherit, passed.inherit), (Half::Own, passed.own)] {
            if let Some(through) = through {
                let room = COUNTED.saturating_sub(count.n);
                add(&mut count, view.snapshot.count_entries(container.no, half, None, through, room)?);
            }
        }
    }
    Ok(count)
}
