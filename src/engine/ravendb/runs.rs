//! Which run deletes which document: with MaxItemsToProcess it can be several runs away.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;

use crate::domain::Instant;
use crate::domain::ravendb::{Cleaner, Queue};
use crate::engine::countdown::View;
use crate::engine::{ContainerNo, CountdownRow, EngineError, Key};
use crate::store::{Direction, Half};

/// How many documents are looked at before a run is given up as unknown.
const LOOKED_AT: usize = 100_000;

impl View<'_> {
    /// Tells of each document of RavenDB the run that will delete it.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(in crate::engine) fn tell_runs(&self, rows: &mut [CountdownRow], now: Instant) -> Result<(), EngineError> {
        let mut queued: BTreeMap<ContainerNo, Vec<usize>> = BTreeMap::new();
        let mut cleaners: HashMap<ContainerNo, Cleaner> = HashMap::new();
        for (at, row) in rows.iter_mut().enumerate() {
            let Some(root) = self.catalog.root(row.position.container) else { continue };
            let cleaner = *cleaners.entry(root.no).or_insert_with(|| self.catalog.cleaner(root.no, now));
            match cleaner {
                Cleaner::Off | Cleaner::TakesNone => {}
                Cleaner::Runs { schedule, most: None } => row.run = Some(schedule.run_for(row.position.at)),
                Cleaner::Runs { .. } => queued.entry(root.no).or_default().push(at),
            }
        }
        for (no, at) in queued {
            let Some(Cleaner::Runs { schedule, most }) = cleaners.get(&no).copied() else { continue };
            let mut wanted: HashMap<Key, usize> = at.iter().map(|at| (rows[*at].position.key.clone(), *at)).collect();
            let mut queue = Queue::new(schedule, most);
            for entry in self.snapshot.entries(no, Half::Own, Bound::Unbounded, Direction::Forward)?.take(LOOKED_AT) {
                let entry = entry?;
                let run = queue.push(Instant::from_ticks(entry.instant));
                if let Some(at) = wanted.remove(&entry.key) {
                    rows[at].run = Some(run);
                    if wanted.is_empty() {
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}
