//! RQL on the documents of a RavenDB database. Expired ones are among them: they are seen until a run deletes them.

use std::ops::Bound;
use std::sync::Arc;

use serde_json::Value;

use crate::domain::ravendb::key_of_id;
use crate::query::rql::{From, Query};
use crate::store::{Direction, StoredItem};

use super::{Answered, Filtered, GoOn, Way, asked};
use crate::engine::document::row_of;
use crate::engine::{Container, Engine, EngineError, Key, Kind, Row, ravendb};

/// Where the documents of a query are.
struct Documents {
    /// All documents of the database.
    root: Arc<Container>,
    /// The collection that lists those that are wanted.
    collection: Option<Arc<Container>>,
}

impl Engine {
    pub(super) fn query_ravendb(
        &self,
        container: &Container,
        query: &Query,
        most: usize,
        go_on: GoOn<'_>,
    ) -> Result<Answered, EngineError> {
        let root = self.shared.root(container.no)?;
        let collection = match query.from() {
            From::All => None,
            From::Collection(name) => {
                let database = self.catalog().database(container.database).cloned();
                match database.and_then(|database| database.collection(name).cloned()) {
                    Some(collection) => Some(collection),
                    // A collection is there while a document is in it.
                    None => {
                        let (rows, way) = (Vec::new(), Way::Collection);
                        return Ok(Answered { rows, more: false, read: 0, way, took_millis: 0.0 });
                    }
                }
            }
        };
        let documents = Documents { root, collection };
        let mut run = query.run();
        let (read, way) = self.each_known(&documents, query, go_on, |_, _, id, document| {
            let row = query.row(document.clone(), id);
            run.push(&document, id, row) && run.ready() <= most
        })?;
        let mut rows = run.finish();
        let more = rows.len() > most;
        rows.truncate(most);
        Ok(Answered { rows, more, read, way, took_millis: 0.0 })
    }

    pub(super) fn filter_ravendb(
        &self,
        container: &Container,
        query: &Query,
        most: usize,
        go_on: GoOn<'_>,
    ) -> Result<Filtered, EngineError> {
        let root = self.shared.root(container.no)?;
        let collection = match container.kind {
            Kind::Collection { .. } => Some(self.shared.container(container.no)?),
            Kind::NoSql { .. } | Kind::MongoDb { .. } | Kind::Documents { .. } => None,
        };
        let mut run = query.run::<Option<Row>>();
        let (read, way) =
            self.each_known(&Documents { root, collection }, query, go_on, |key, item, id, document| {
                run.push(&document, id, row_of(container, key, &item.header, &item.body)) && run.ready() <= most
            })?;
        let mut rows: Vec<Row> = run.finish().into_iter().flatten().collect();
        let more = rows.len() > most;
        rows.truncate(most);
        Ok(Filtered { rows, more, read, way, took_millis: 0.0 })
    }

    /// Hands over the documents that match, as clients see them, until one is answered with false. Says how many were
    /// read, and how they were found.
    fn each_known(
        &self,
        documents: &Documents,
        query: &Query,
        go_on: GoOn<'_>,
        mut each: impl FnMut(&Key, &StoredItem, &str, Value) -> bool,
    ) -> Result<(u64, Way), EngineError> {
        let snapshot = self.shared.store.snapshot()?;
        let Documents { root, collection } = documents;
        let collection = collection.as_ref().map(|collection| collection.no);
        let mut read = 0;
        let mut visit = |key: &Key, item: &StoredItem| {
            let (id, body) = ravendb::split(&item.header, &item.body);
            let shown = ravendb::shown(root, &item.header, &id, &body);
            let document: Value = serde_json::from_str(&shown).unwrap_or(Value::Null);
            !query.matches(&document, &id) || each(key, item, &id, document)
        };
        if let Some(id) = query.id() {
            let key: Key = key_of_id(id).into();
            asked(&mut read, go_on)?;
            let found = if key.is_empty() { None } else { snapshot.get(root.no, &key)? };
            if let Some(item) = found.filter(|item| collection.is_none() || item.header.collection() == collection) {
                visit(&key, &item);
            }
            return Ok((read, Way::Key));
        }
        let (listed, way) = match collection {
            Some(no) => (no, Way::Collection),
            None => (root.no, Way::Scan),
        };
        for item in snapshot.items(listed, Bound::Unbounded, Direction::Forward) {
            let (key, item) = item?;
            asked(&mut read, go_on)?;
            let item = if listed == root.no { Some(item) } else { snapshot.get(root.no, &key)? };
            if item.is_some_and(|item| !visit(&key, &item)) {
                break;
            }
        }
        Ok((read, way))
    }
}
