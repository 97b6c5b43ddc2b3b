//! The questions that can take long: filters, queries, timelines.

use crate::app::{Answer, AskedFilter, AskedQuery, AskedTimeline};
use crate::domain::Refusal;
use crate::engine::{ContainerNo, Engine, EngineError, Filtered};
use crate::shell;

use super::newest::Asked;

/// Rows that a filter or a query answers at most.
const ROWS: usize = 10_000;

impl Asked for AskedFilter {
    const THREAD: &'static str = "filters";
    type Progress = u64;

    fn generation(&self) -> u64 {
        self.generation
    }

    fn answer(&self, engine: &Engine, go_on: &mut dyn FnMut(u64) -> bool) -> Answer {
        let result = filter(engine, self.container, &self.text, ROWS, go_on).map_err(EngineError::into_refusal);
        Answer::Filtered { generation: self.generation, result }
    }

    fn progress(&self, read: u64) -> Answer {
        Answer::FilterReads { generation: self.generation, read }
    }
}

/// The rows that a filter lets through, at most so many, in the words of the container's system.
pub(super) fn filter(
    engine: &Engine,
    container: ContainerNo,
    text: &str,
    most: usize,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Filtered, EngineError> {
    let catalog = engine.catalog();
    let container = catalog.container(container).ok_or_else(|| Refusal::new(404, "The container is gone."))?;
    shell::matching(engine, container, text, most, go_on)
}

impl Asked for AskedQuery {
    const THREAD: &'static str = "queries";
    type Progress = u64;

    fn generation(&self) -> u64 {
        self.generation
    }

    fn answer(&self, engine: &Engine, go_on: &mut dyn FnMut(u64) -> bool) -> Answer {
        let result = engine.query(self.container, &self.text, ROWS, go_on).map_err(EngineError::into_refusal);
        Answer::Queried { generation: self.generation, result }
    }

    fn progress(&self, read: u64) -> Answer {
        Answer::QueryReads { generation: self.generation, read }
    }
}

impl Asked for AskedTimeline {
    const THREAD: &'static str = "timelines";
    type Progress = u64;

    fn generation(&self) -> u64 {
        self.generation
    }

    fn answer(&self, engine: &Engine, go_on: &mut dyn FnMut(u64) -> bool) -> Answer {
        let result = engine.timeline(self.scope, self.span, go_on).map_err(EngineError::into_refusal);
        Answer::Timeline { generation: self.generation, result }
    }

    fn progress(&self, read: u64) -> Answer {
        Answer::TimelineReads { generation: self.generation, read }
    }
}
