//! Find filters of MongoDB collections.

use std::ops::Bound;

use crate::query::mongodb::Filter;
use crate::store::Direction;

use super::{Filtered, GoOn, Way, asked};
use crate::engine::document::row_of;
use crate::engine::mongodb::document_of;
use crate::engine::{Container, Engine, EngineError};

impl Engine {
    pub(super) fn filter_mongodb(
        &self,
        container: &Container,
        filter: &Filter,
        most: usize,
        go_on: GoOn<'_>,
    ) -> Result<Filtered, EngineError> {
        let now = self.now();
        if let Some(id) = filter.id() {
            let found = self.document_by_id(container.no, id)?.filter(|(_, document)| filter.matches(document));
            let rows = match found {
                Some((key, _)) => {
                    self.peek_item(container.no, &key)?.map(|document| document.row).into_iter().collect()
                }
                None => Vec::new(),
            };
            return Ok(Filtered { rows, more: false, read: 1, way: Way::Key, took_millis: 0.0 });
        }
        let (mut rows, mut more, mut read) = (Vec::new(), false, 0);
        let snapshot = self.shared.store.snapshot()?;
        for item in snapshot.items(container.no, Bound::Unbounded, Direction::Forward) {
            let (key, item) = item?;
            asked(&mut read, go_on)?;
            if container.hides(&item.header, now)
                || !document_of(&item.body).is_some_and(|found| filter.matches(&found))
            {
                continue;
            }
            more = rows.len() == most;
            if more {
                break;
            }
            rows.extend(row_of(container, &key, &item.header, &item.body));
        }
        Ok(Filtered { rows, more, read, way: Way::Scan, took_millis: 0.0 })
    }
}
