//! Filters and queries of the API for NoSQL.

use std::collections::HashMap;

use serde_json::Value;

use crate::domain::Refusal;
use crate::query::sql::{Members, Query};
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
            let members = query.members();
            let (read, way) = self.each_item(container, query, go_on, |key, item| {
                if query.matches(&value_of(container, item, &members)) {
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
        let members = query.members().with("_rid");
        let mut found: HashMap<String, Row> = HashMap::new();
        let mut run = query.run();
        let mut answer = Vec::new();
        let (read, way) = self.each_item(container, query, go_on, |key, item| {
            let document = value_of(container, item, &members);
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
        let members = query.members();
        let (read, way) = self.each_item(container, query, go_on, |_, item| {
            let mut document = value_of(container, item, &members);
            if query.answers_documents() && members != Members::All {
                if !query.matches(&document) {
                    return true;
                }
                document = value_of(container, item, &Members::All);
            }
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

    /// Hands the visible items over that a query can be about, until one is answered with false. Says how many were read,
    /// and how they were found.
    fn each_item(
        &self,
        container: &Container,
        query: &Query,
        go_on: GoOn<'_>,
        each: impl FnMut(&Key, &StoredItem) -> bool,
    ) -> Result<(u64, Way), EngineError> {
        let (now, snapshot) = (self.now(), self.shared.store.snapshot()?);
        let source = Source::of(container, query, &snapshot)?;
        let way = source.way();
        Ok((source.read(&snapshot, container, now, go_on, each)?, way))
    }
}

/// Members of a document, the system properties among them, for evaluation only.
fn value_of(container: &Container, item: &StoredItem, members: &Members) -> Value {
    const SYSTEM: [&str; 5] = ["_rid", "_self", "_etag", "_attachments", "_ts"];
    let mut document = members.read(&item.body).unwrap_or(Value::Null);
    if let Value::Object(document) = &mut document
        && SYSTEM.iter().any(|name| members.has(name))
    {
        let system = nosql::system(container, &item.header);
        let values = [
            system.rid.into(),
            system.self_link.into(),
            format!("\"{}\"", system.etag).into(),
            "attachments/".into(),
            system.ts.into(),
        ];
        let wanted = SYSTEM.into_iter().zip(values).filter(|(name, _)| members.has(name));
        document.extend(wanted.map(|(name, value): (_, Value)| (name.to_owned(), value)));
    }
    document
}

fn rid(document: &Value) -> Option<String> {
    document.get("_rid")?.as_str().map(str::to_owned)
}
