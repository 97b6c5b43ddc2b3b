//! The numbers of a scope.

use std::collections::HashSet;

use crate::domain::Instant;
use crate::domain::nosql::horizon;
use crate::store::{ContainerNo, Half, Snapshot};

use super::databases::{COUNTED, add};
use super::{Container, Engine, EngineError, Scope, Totals};

impl Engine {
    /// The numbers of a scope. Hidden items are counted on the index, exactly up to 100,000; containers in which nothing
    /// is expired are not looked into.
    ///
    /// # Errors
    /// 404 for a scope that does not exist; the store cannot be read.
    pub fn totals(&self, scope: Scope) -> Result<Totals, EngineError> {
        let catalog = self.catalog();
        let now = self.now();
        let snapshot = self.shared.store.snapshot()?;
        let mut totals = Totals::default();
        if let Scope::Container(no) = scope {
            let container = self.shared.container(no)?;
            self.add_stored(&mut totals, &snapshot, no)?;
            self.add_hidden(&mut totals, &snapshot, &container, now)?;
            totals.next = self.shared.next_expiry(no, container.default_ttl, now.secs())?;
            return Ok(totals);
        }
        let in_scope = |container: &Container| match scope {
            Scope::Database(no) => container.database == no,
            Scope::Everything | Scope::Container(_) => true,
        };
        let due: HashSet<ContainerNo> = self.shared.agenda.lock().due(now).into_iter().collect();
        for container in catalog.containers.values().filter(|container| in_scope(container)) {
            self.add_stored(&mut totals, &snapshot, container.no)?;
            if due.contains(&container.no) {
                self.add_hidden(&mut totals, &snapshot, container, now)?;
            }
        }
        // Lower bounds, the earliest first: nothing behind the best one found can be earlier. A bound that has passed says
        // nothing about what is still ahead.
        let mut last = None;
        loop {
            let Some((bound, no)) = self.shared.agenda.lock().first_behind(last) else {
                break;
            };
            last = Some((bound, no));
            if bound > now && totals.next.is_some_and(|next| next <= bound) {
                break;
            }
            if let Some(container) = catalog.container(no).filter(|container| in_scope(container)) {
                let next = self.shared.next_expiry(no, container.default_ttl, now.secs())?;
                totals.next = totals.next.into_iter().chain(next).min();
            }
        }
        Ok(totals)
    }

    fn add_stored(&self, totals: &mut Totals, snapshot: &Snapshot, no: ContainerNo) -> Result<(), EngineError> {
        totals.stored += snapshot.counts(no)?.items();
        totals.deleted += self.shared.deleted.lock().get(&no).copied().unwrap_or(0);
        Ok(())
    }

    fn add_hidden(
        &self,
        totals: &mut Totals,
        snapshot: &Snapshot,
        container: &Container,
        now: Instant,
    ) -> Result<(), EngineError> {
        let passed = horizon(container.default_ttl, now.secs());
        for (half, through) in [(Half::Inherit, passed.inherit), (Half::Own, passed.own)] {
            if let Some(through) = through {
                let room = COUNTED.saturating_sub(totals.hidden.n);
                add(
                    &mut totals.hidden,
                    snapshot.count_entries(container.no, half, None, through, room)?,
                );
            }
        }
        Ok(())
    }
}
