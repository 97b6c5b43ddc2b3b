//! Items: make, replace, show, list, delete, write again.

use std::fs;
use std::io::{self, Read};

use serde_json::{Value, json};

use crate::domain::mongodb::DocumentTtl;
use crate::domain::nosql::{ItemTtl, PartitionValue};
use crate::domain::ravendb::Expires;
use crate::domain::{Refusal, words};
use crate::engine::{
    Anchor, Api, Container, CountdownAnchor, CountdownRequest, Key, Lifetime, Row, Scope, Way, WindowRequest,
};
use crate::shell;

use super::CliError;
use super::args::{ItemCommand, ItemPlace};
use super::context::{Context, confirm, duration, key_of, rfc_3339};

/// Rows of one question to the engine.
const PAGE: usize = 1_000;

/// `item …`
pub fn run(context: &mut Context<'_>, command: &ItemCommand) -> Result<(), CliError> {
    match command {
        ItemCommand::Create { place, document } => {
            context.writes()?;
            let container = context.place(place)?;
            let row = context.engine.create_item(container.no, &read(document)?)?;
            told(context, &container, &row, "created")
        }
        ItemCommand::Upsert { place, document } => {
            context.writes()?;
            let container = context.place(place)?;
            let (row, made) = context.engine.upsert_item(container.no, &read(document)?)?;
            told(context, &container, &row, if made { "created" } else { "replaced" })
        }
        ItemCommand::Replace { place, document } => {
            context.writes()?;
            let container = context.place(place)?;
            let row = context.engine.replace_named(container.no, &read(document)?)?;
            told(context, &container, &row, "replaced")
        }
        ItemCommand::Show { item, hidden } => {
            let container = context.place(&item.place)?;
            let key = key_of(&container, &item.id, &item.partition_key)?;
            let document = match (context.engine.peek_item(container.no, &key)?, hidden) {
                (Some(document), true) => document,
                _ => context.engine.item(container.no, &key)?,
            };
            Ok(context.out.text(&document.text)?)
        }
        ItemCommand::List { place, expiring_within, filter, limit } => {
            let container = context.place(place)?;
            let rows = match (expiring_within, filter) {
                (Some(within), None) => expiring(context, &container, duration(within)?, *limit)?,
                (None, Some(filter)) => {
                    shell::matching(&context.engine, &container, filter, *limit, &mut |_| true)?.rows
                }
                (None, None) => all(context, &container, *limit)?,
                (Some(_), Some(_)) => {
                    return Err(CliError::Usage("--where and --expiring-within do not go together".to_owned()));
                }
            };
            list(context, &container, &rows)
        }
        ItemCommand::Delete { place, id, partition_key, all: every, filter, yes } => {
            let container = context.place(place)?;
            let name = context.name_of(container.no);
            if let Some(id) = id {
                let key = key_of(&container, id, partition_key)?;
                context.engine.delete_item(container.no, &key, None)?;
                return Ok(context.out.done(&format!("{id} deleted."), &[("deleted", json!(1))])?);
            }
            let rows = match filter {
                Some(filter) => shell::matching(&context.engine, &container, filter, usize::MAX, &mut |_| true)?.rows,
                None => all(context, &container, usize::MAX)?,
            };
            let what = if *every { "Every item".to_owned() } else { words::counted(rows.len() as u64, "item") };
            confirm(*yes, &format!("{what} of {name}"), &container.name)?;
            let keys: Vec<Key> = rows.iter().map(|row| row.key.clone()).collect();
            let deleted = context.engine.delete_items(container.no, &keys)?;
            let words = format!("{} deleted.", words::counted(deleted, "item"));
            Ok(context.out.done(&words, &[("deleted", json!(deleted))])?)
        }
        ItemCommand::Touch { item } => {
            context.writes()?;
            let container = context.place(&item.place)?;
            let key: Key = key_of(&container, &item.id, &item.partition_key)?.into();
            if context.engine.touch_items(container.no, std::slice::from_ref(&key))? == 0 {
                return Err(
                    Refusal::new(404, format!("There is no item {}: it expired, or it never was.", item.id)).into()
                );
            }
            let effect = match container.api() {
                Api::RavenDb => "@expires stays as it is",
                Api::NoSql | Api::MongoDb => "its clock restarts",
            };
            let words = format!("{} written again: {effect}.", item.id);
            Ok(context.out.done(&words, &[("written", json!(1))])?)
        }
    }
}

/// A document: JSON, a file, or `-` for standard input.
fn read(document: &str) -> Result<String, CliError> {
    if document == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map_err(CliError::Input)?;
        return Ok(text);
    }
    if document.trim_start().starts_with('{') {
        return Ok(document.to_owned());
    }
    fs::read_to_string(document).map_err(|source| CliError::File { file: document.into(), source })
}

fn told(context: &mut Context<'_>, container: &Container, row: &Row, verb: &str) -> Result<(), CliError> {
    let now = context.engine.now();
    let why = context.engine.catalog().explain(container.no, &row.lifetime, row.written, &[], None, now);
    let end = row.end(container).map_or(Value::Null, |end| json!(rfc_3339(end.at)));
    let fields = [("id", json!(row.id)), ("result", json!(verb)), ("expiresAt", end), ("why", json!(why))];
    Ok(context.out.done(&format!("{} {verb}: {why}.", row.id), &fields)?)
}

/// The visible items in the order of their keys.
fn all(context: &Context<'_>, container: &Container, limit: usize) -> Result<Vec<Row>, CliError> {
    let mut rows: Vec<Row> = Vec::new();
    while rows.len() < limit {
        // The anchor is the last row of the page before.
        let (anchor, known) = match rows.last() {
            Some(last) => (Anchor::At(last.key.clone()), 1),
            None => (Anchor::First, 0),
        };
        let after = PAGE.min(limit - rows.len()) + known;
        let window = context.engine.window(&WindowRequest { container: container.no, anchor, before: 0, after })?;
        let last = rows.last().map(|row| row.key.clone());
        rows.extend(window.rows.into_iter().filter(|row| last.as_ref().is_none_or(|last| row.key > *last)));
        if window.ends {
            break;
        }
    }
    Ok(rows)
}

/// The items that expire within so many seconds, in that order.
fn expiring(context: &Context<'_>, container: &Container, secs: i64, limit: usize) -> Result<Vec<Row>, CliError> {
    let until = context.engine.now().plus_secs(secs);
    let request = CountdownRequest {
        scope: Scope::Container(container.no),
        anchor: CountdownAnchor::Now,
        before: 0,
        after: limit,
    };
    let rows = context.engine.countdown(&request)?.rows;
    Ok(rows.into_iter().take_while(|row| row.position.at <= until).map(|row| row.row).collect())
}

/// `query …`
pub fn query(context: &mut Context<'_>, place: &ItemPlace, text: &str) -> Result<(), CliError> {
    let container = context.place(place)?;
    let answered = context.engine.query(container.no, text, usize::MAX, &mut |_| true)?;
    context.out.values(&answered.rows)?;
    let rows = words::counted(answered.rows.len() as u64, "row");
    let took = words::span(answered.took_millis);
    match answered.way {
        Way::Key => eprintln!("{rows}, {} in {took}", answered.way.words()),
        way => eprintln!("{rows}, {} {} in {took}", words::counted(answered.read, "item"), way.words()),
    }
    Ok(())
}

fn list(context: &mut Context<'_>, container: &Container, rows: &[Row]) -> Result<(), CliError> {
    let now = context.engine.now();
    let catalog = context.engine.catalog();
    let cells: Vec<Vec<Value>> = rows
        .iter()
        .map(|row| {
            let end = row.end(container);
            let group = match container.api() {
                Api::NoSql => Value::Array(row.partition.iter().map(partition).collect()),
                Api::RavenDb => {
                    row.collection.and_then(|no| catalog.container(no)).map_or(Value::Null, |c| json!(c.name))
                }
                Api::MongoDb => Value::Null,
            };
            vec![
                json!(row.id),
                group,
                own(&row.lifetime),
                json!(rfc_3339(row.written)),
                end.map_or(Value::Null, |end| json!(rfc_3339(end.at))),
                end.map_or(Value::Null, |end| json!(end.at.secs_left(now))),
            ]
        })
        .collect();
    let group = if container.api() == Api::NoSql { "partitionKey" } else { "collection" };
    Ok(context.out.list(&["id", group, "ttl", "written", "expiresAt", "secondsLeft"], &cells)?)
}

fn partition(value: &PartitionValue) -> Value {
    match value {
        PartitionValue::None | PartitionValue::Null => Value::Null,
        PartitionValue::Bool(value) => json!(value),
        PartitionValue::Number(n) => json!(n),
        PartitionValue::Text(text) => json!(text),
    }
}

/// What an item says of its own end.
fn own(lifetime: &Lifetime) -> Value {
    match lifetime {
        Lifetime::Ttl(ItemTtl::Absent) | Lifetime::Typed(DocumentTtl::Absent) => Value::Null,
        Lifetime::Ttl(ItemTtl::Never) | Lifetime::Typed(DocumentTtl::Never) => json!(-1),
        Lifetime::Ttl(ItemTtl::Seconds(secs)) | Lifetime::Typed(DocumentTtl::Seconds(secs)) => json!(secs),
        Lifetime::Typed(DocumentTtl::Ignored(why)) => json!(format!("ignored: {why}")),
        Lifetime::Expires(Expires::At { at, .. }) => json!(rfc_3339(*at)),
        Lifetime::Expires(Expires::Absent) => Value::Null,
        Lifetime::Expires(Expires::Untracked(kind)) => json!(format!("not tracked: {}", kind.words())),
    }
}
