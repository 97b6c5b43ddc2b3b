//! Filters and queries of the API for NoSQL.

use std::collections::HashMap;

use serde_json::Value;

use crate::domain::Refusal;
use crate::query::sql::Query;
use crate::store::StoredItem;

use super::way::Source;
use super::{Answered, Filtered, GoOn, Way};
use crate::engine::document::row_of;
use crate::engine::{Container, Engine, EngineError, Key, Row, nosql};

impl Engine {
    pub(super) fn filter_nosql(
        &self,
        container: &Container,
        query: &Query,
        most: usize,
        go_on: GoOn<'_>,
    ) -> Result<Filtered, EngineError> {
        let mut rows: Vec<Row> = Vec::new();
        let mut more = false;
        if query.is_plain_filter() {
            let (read, way) = self.each_value(container, query, go_on, |key, item, document| {
                if query.matches(&document) {
                    more = rows.len() == most;
                    if !more {
                        rows.extend(row_of(container, key, &item.header, &item.body));
                    }
                }
                !more
            })?;
            return Ok(Filtered { rows, more, read, way, took_millis: 0.0 });
        }
        // Each document of an answer is found again by the one property that no two share.
        let mut found: HashMap<String, Row> = HashMap::new();
        let mut run = query.run();
        let mut answer = Vec::new();
        let (read, way) = self.each_value(container, query, go_on, |key, item, document| {
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
        Ok(Filtered { rows, more, read, way, took_millis: 0.0 })
    }

    pub(super) fn query_nosql(
        &self,
        container: &Container,
        query: &Query,
        most: usize,
        go_on: GoOn<'_>,
    ) -> Result<Answered, EngineError> {
        let (mut run, mut rows) = (query.run(), Vec::new());
        let (read, way) = self.each_value(container, query, go_on, |_, _, document| {
            let wanted = run.push(document);
            rows.append(&mut run.take());
            wanted && rows.len() <= most
        })?;
        if rows.len() <= most {
            rows.append(&mut run.finish());
        }
        let more = rows.len() > most;
        rows.truncate(most);
        Ok(Answered { rows, more, read, way, took_millis: 0.0 })
    }

    /// Hands the visible documents over that a query can be about, with the system properties, until one is answered with
    /// false. Says how many were read, and how they were found.
    fn each_value(
        &self,
        container: &Container,
        query: &Query,
        go_on: GoOn<'_>,
        mut each: impl FnMut(&Key, &StoredItem, Value) -> bool,
    ) -> Result<(u64, Way), EngineError> {
        let (now, snapshot) = (self.now(), self.shared.store.snapshot()?);
        let source = Source::of(container, query, &snapshot)?;
        let way = source.way();
        let read =
            source.read(&snapshot, container, now, go_on, |key, item| each(key, item, value_of(container, item)))?;
        Ok((read, way))
    }
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
