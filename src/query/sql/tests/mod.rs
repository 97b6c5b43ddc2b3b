//! What queries answer.

mod clauses;
mod functions;
mod members;
mod operators;
mod properties;
mod refusals;

use serde_json::{Value as Json, json};

use super::{Members, Query};
use crate::domain::Instant;

/// The instant that queries take for the present: 2026-03-01T12:00:00.5Z.
fn now() -> Instant {
    Instant::from_millis(1_772_366_400_500)
}

fn parsed(text: &str) -> Query {
    Query::parse(text, now()).unwrap_or_else(|refusal| panic!("{text}: {refusal} at {:?}", refusal.place))
}

/// All rows that a query answers to documents; the same to documents that hold no more than the members it names.
fn rows(text: &str, documents: &[Json]) -> Vec<Json> {
    let query = parsed(text);
    let rows = rows_of(&query, documents);
    if !query.answers_documents() {
        let members = query.members();
        let read = |document: &Json| match document {
            Json::Object(_) => members.read(document.to_string().as_bytes()).unwrap(),
            other => other.clone(),
        };
        let few: Vec<Json> = documents.iter().map(read).collect();
        assert_eq!(rows_of(&query, &few), rows, "{text} with {members:?}");
    }
    rows
}

fn rows_of(query: &Query, documents: &[Json]) -> Vec<Json> {
    let mut run = query.run();
    let mut rows = Vec::new();
    for document in documents {
        let more = run.push(document.clone());
        rows.extend(run.take());
        if !more {
            break;
        }
    }
    rows.extend(run.finish());
    rows
}

/// The value of an expression on one document; none for undefined.
fn value(expression: &str) -> Option<Json> {
    let document = json!({
        "id": "1", "n": 20, "x": 2.5, "s": "Adventure Works", "e": "", "t": true, "f": false, "z": null,
        "big": 9_007_199_254_740_993_i64, "neg": -3, "a": [1, 2, 3], "words": ["a", "b"], "none": [],
        "o": { "p": 1, "q": { "r": "deep" } }, "key": "p", "l": [{ "x": 4, "y": 1 }, { "x": 5 }], "order": 7, "umlaut": "äöü",
    });
    let mut rows = rows(&format!("SELECT VALUE {expression} FROM c"), &[document]);
    assert!(rows.len() <= 1);
    rows.pop()
}
