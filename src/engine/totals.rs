//! The numbers of a scope.

use crate::domain::nosql::horizon;
use crate::store::{Half, Snapshot};

use super::databases::{COUNTED, add};
use super::{Container, Engine, EngineError, Scope, Totals};

impl Engine {
    /// The numbers of a scope. Hidden items are counted on the index, exactly up to 100,000.
    ///
    /// # Errors
    /// 404 for a scope that does not exist; the store cannot be read.
    pub fn totals(&self, scope: Scope) -> Result<Totals, EngineError> {
        let snapshot = self.shared.store.snapshot()?;
        let mut totals = Totals::default();
        match scope {
            Scope::Container(no) => {
                let container = self.shared.container(no)?;
                self.add(&mut totals, &snapshot, &container)?;
            }
            Scope::Database(no) => {
                let catalog = self.catalog();
                for container in catalog
                    .database(no)
                    .into_iter()
                    .flat_map(|database| database.containers.values())
                {
                    self.add(&mut totals, &snapshot, container)?;
                }
            }
            Scope::Everything => {
                let catalog = self.catalog();
                for container in catalog.containers.values() {
                    self.add(&mut totals, &snapshot, container)?;
                }
            }
        }
        Ok(totals)
    }

    fn add(&self, totals: &mut Totals, snapshot: &Snapshot, container: &Container) -> Result<(), EngineError> {
        let no = container.no;
        let counts = snapshot.counts(no)?;
        totals.stored += counts.items();
        totals.deleted += self.shared.deleted.lock().get(&no).copied().unwrap_or(0);
        if counts.inherit + counts.own == 0 {
            return Ok(());
        }
        let now = self.now().secs();
        let passed = horizon(container.default_ttl, now);
        for (half, through) in [(Half::Inherit, passed.inherit), (Half::Own, passed.own)] {
            if let Some(through) = through {
                let room = COUNTED.saturating_sub(totals.hidden.n);
                add(
                    &mut totals.hidden,
                    snapshot.count_entries(no, half, None, through, room)?,
                );
            }
        }
        let next = self.shared.next_expiry(no, container.default_ttl, now)?;
        totals.next = totals.next.into_iter().chain(next).min();
        Ok(())
    }
}
