//! Filters and queries on a snapshot: documents that clients see, read once, in the order of their keys.

use std::collections::HashMap;
use std::ops::Bound;
use std::sync::Arc;
use std::time::Instant as RealInstant;

use bson::Document;
use serde_json::Value;

use crate::domain::nosql::{ItemKey, PartitionValue};
use crate::domain::{Instant, Refusal};
use crate::query::mongodb::Filter;
use crate::query::sql::Query;
use crate::store::{Direction, Snapshot, StoredItem};

use super::document::row_of;
use super::mongodb::document_of;
use super::{Container, ContainerNo, Engine, EngineError, Key, Kind, Row, nosql};

/// The status of a query that was given up.
pub const GIVEN_UP: u16 = 499;
/// Documents that are read before somebody is asked whether to go on.
const STEP: u64 = 1_000;

/// What a filter found.
#[derive(Clone, Debug, PartialEq)]
pub struct Filtered {
    /// The rows, in the order of the query, or of their keys.
    pub rows: Vec<Row>,
    /// More match than are answered.
    pub more: bool,
    /// Documents that were read.
    pub read: u64,
    /// How they were found: by their key, or by a scan.
    pub by_key: bool,
    /// How long it took, in milliseconds.
    pub took_millis: f64,
}

/// What a query answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The rows.
    pub rows: Vec<Value>,
    /// Documents that were read.
    pub read: u64,
    /// How they were found: by their key, or by a scan.
    pub by_key: bool,
    /// How long it took, in milliseconds.
    pub took_millis: f64,
}

/// Whether to go on, asked with the number of documents read so far.
pub type GoOn<'a> = &'a mut dyn FnMut(u64) -> bool;

impl Engine {
    /// The visible items, at most so many, of a container of the API for NoSQL that match what stands behind `SELECT * FROM c`.
    ///
    /// # Errors
    /// 400 with the place for a filter that cannot be read or is not supported; 404 for the container; 499 when `go_on`
    /// says no.
    pub fn filter_items(
        &self,
        no: ContainerNo,
        filter: &str,
        most: usize,
        go_on: GoOn<'_>,
    ) -> Result<Filtered, EngineError> {
        let started = RealInstant::now();
        let container = self.queried(no)?;
        let mut filtered = self.filter_nosql(&container, &Query::filter(filter, self.now())?, most, go_on)?;
        filtered.took_millis = started.elapsed().as_secs_f64() * 1_000.0;
        Ok(filtered)
    }

    /// The visible documents, at most so many, of a MongoDB collection that match a find filter.
    ///
    /// # Errors
    /// 400 for an operator that is unknown or not supported; 404 for the collection; 499 when `go_on` says no.
    pub fn filter_documents(
        &self,
        no: ContainerNo,
        filter: &Document,
        most: usize,
        go_on: GoOn<'_>,
    ) -> Result<Filtered, EngineError> {
        let started = RealInstant::now();
        let container = self.shared.container(no)?;
        let filter = Filter::new(filter).map_err(|error| Refusal::bad_request(error.errmsg))?;
        let mut filtered = self.filter_mongodb(&container, &filter, most, go_on)?;
        filtered.took_millis = started.elapsed().as_secs_f64() * 1_000.0;
        Ok(filtered)
    }

    /// The rows of these items as they are now, without those that are gone or hidden.
    ///
    /// # Errors
    /// 404 for the container.
    pub fn rows(&self, no: ContainerNo, keys: &[Key]) -> Result<Vec<Row>, EngineError> {
        let container = self.shared.container(no)?;
        let (now, snapshot) = (self.now(), self.shared.store.snapshot()?);
        let mut rows = Vec::with_capacity(keys.len());
        for key in keys {
            if let Some(item) = seen(&snapshot, &container, key, now)? {
                rows.extend(row_of(&container, key, &item.header, &item.body));
            }
        }
        Ok(rows)
    }

    /// Runs a query over a container of the API for NoSQL.
    ///
    /// # Errors
    /// 400 with the place for a query that cannot be read or is not supported; 404 for the container; 499 when `go_on`
    /// says no.
    pub fn query(&self, no: ContainerNo, query: &str, go_on: GoOn<'_>) -> Result<Answered, EngineError> {
        let started = RealInstant::now();
        let container = self.queried(no)?;
        let query = Query::parse(query, self.now())?;
        let (mut run, mut rows) = (query.run(), Vec::new());
        let (read, by_key) = self.each_value(&container, &query, go_on, |_, _, document| {
            let more = run.push(document);
            rows.append(&mut run.take());
            more
        })?;
        rows.append(&mut run.finish());
        Ok(Answered { rows, read, by_key, took_millis: started.elapsed().as_secs_f64() * 1_000.0 })
    }

    fn queried(&self, no: ContainerNo) -> Result<Arc<Container>, EngineError> {
        let container = self.shared.container(no)?;
        if !matches!(container.kind, Kind::NoSql { .. }) {
            let words = format!("Queries are for containers of NoSQL; this one is of {}.", container.api());
            return Err(Refusal::bad_request(words).into());
        }
        Ok(container)
    }

    fn filter_nosql(
        &self,
        container: &Container,
        query: &Query,
        most: usize,
        go_on: GoOn<'_>,
    ) -> Result<Filtered, EngineError> {
        let mut rows: Vec<Row> = Vec::new();
        let mut more = false;
        if query.is_plain_filter() {
            let (read, by_key) = self.each_value(container, query, go_on, |key, item, document| {
                if query.matches(&document) {
                    more = rows.len() == most;
                    if !more {
                        rows.extend(row_of(container, key, &item.header, &item.body));
                    }
                }
                !more
            })?;
            return Ok(Filtered { rows, more, read, by_key, took_millis: 0.0 });
        }
        // Each document of an answer is found again by the one property that no two share.
        let mut found: HashMap<String, Row> = HashMap::new();
        let mut run = query.run();
        let mut answer = Vec::new();
        let (read, by_key) = self.each_value(container, query, go_on, |key, item, document| {
            if query.matches(&document)
                && let (Some(rid), Some(row)) = (rid(&document), row_of(container, key, &item.header, &item.body))
            {
                found.insert(rid, row);
            }
            let wanted = run.push(document);
            answer.append(&mut run.take());
            wanted
        })?;
        answer.append(&mut run.finish());
        for document in &answer {
            let Some(row) = rid(document).and_then(|rid| found.remove(&rid)) else {
                let words = "A filter answers whole items: SELECT, JOIN and GROUP BY belong into a query.";
                return Err(Refusal::bad_request(words).into());
            };
            more = rows.len() == most;
            if more {
                break;
            }
            rows.push(row);
        }
        Ok(Filtered { rows, more, read, by_key, took_millis: 0.0 })
    }

    fn filter_mongodb(
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
            return Ok(Filtered { rows, more: false, read: 1, by_key: true, took_millis: 0.0 });
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
        Ok(Filtered { rows, more, read, by_key: false, took_millis: 0.0 })
    }

    /// Hands the visible documents over that a query can be about, with the system properties: one when its conditions
    /// name its key, else all. Says how many were read, and whether by key.
    fn each_value(
        &self,
        container: &Container,
        query: &Query,
        go_on: GoOn<'_>,
        mut each: impl FnMut(&Key, &StoredItem, Value) -> bool,
    ) -> Result<(u64, bool), EngineError> {
        let (now, snapshot) = (self.now(), self.shared.store.snapshot()?);
        if let Some(key) = named_key(container, query) {
            if let Some(item) = seen(&snapshot, container, &key, now)? {
                each(&key.into(), &item, value_of(container, &item));
            }
            return Ok((1, true));
        }
        let mut read = 0;
        for item in snapshot.items(container.no, Bound::Unbounded, Direction::Forward) {
            let (key, item) = item?;
            asked(&mut read, go_on)?;
            if !container.hides(&item.header, now) && !each(&key, &item, value_of(container, &item)) {
                break;
            }
        }
        Ok((read, false))
    }
}

/// Counts a document, and now and then asks whether to go on.
fn asked(read: &mut u64, go_on: GoOn<'_>) -> Result<(), Refusal> {
    *read += 1;
    if read.is_multiple_of(STEP) && !go_on(*read) {
        return Err(Refusal::new(GIVEN_UP, "The query was given up."));
    }
    Ok(())
}

fn seen(
    snapshot: &Snapshot,
    container: &Container,
    key: &[u8],
    now: Instant,
) -> Result<Option<StoredItem>, EngineError> {
    Ok(snapshot.get(container.no, key)?.filter(|item| !container.hides(&item.header, now)))
}

/// The key of the one item that can match: the conditions name its id and every level of its partition key.
fn named_key(container: &Container, query: &Query) -> Option<Vec<u8>> {
    let equalities = query.equalities();
    let equal = |path: &str| equalities.iter().find(|(at, _)| at == path).map(|(_, value)| value);
    let id = equal("id")?.as_str()?.to_owned();
    let partition = container
        .partition_key()?
        .paths()
        .iter()
        .map(|path| {
            Some(match equal(&path[1..].replace('/', "."))? {
                Value::Null => PartitionValue::Null,
                Value::Bool(value) => PartitionValue::Bool(*value),
                Value::Number(n) => PartitionValue::Number(n.as_f64()?),
                Value::String(text) => PartitionValue::Text(text.clone()),
                Value::Array(_) | Value::Object(_) => return None,
            })
        })
        .collect::<Option<Vec<_>>>()?;
    Some(ItemKey { partition, id }.encode())
}

/// A document with its system properties, for evaluation only.
fn value_of(container: &Container, item: &StoredItem) -> Value {
    let mut document: Value = serde_json::from_slice(&item.body).unwrap_or(Value::Null);
    if let Value::Object(members) = &mut document {
        let system = nosql::system(container, &item.header);
        members.insert("_rid".to_owned(), system.rid.into());
        members.insert("_self".to_owned(), system.self_link.into());
        members.insert("_etag".to_owned(), format!("\"{}\"", system.etag).into());
        members.insert("_attachments".to_owned(), "attachments/".into());
        members.insert("_ts".to_owned(), system.ts.into());
    }
    document
}

fn rid(document: &Value) -> Option<String> {
    document.get("_rid")?.as_str().map(str::to_owned)
}
