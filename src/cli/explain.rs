//! `explain` and `matrix`: the rules, without a screen.

use serde_json::{Value, json};

use crate::domain::Instant;
use crate::domain::nosql::{DefaultTtl, ItemTtl, explain, fate, parse_item_ttl};
use crate::engine::{CountdownAnchor, CountdownRequest, Scope};

use super::args::{ExplainArgs, Format, ItemPlace};
use super::context::{Context, instant, key_of, rfc_3339, ttl};
use super::{CliError, Output};

/// `explain` of a stored item.
pub fn stored(context: &mut Context<'_>, args: &ExplainArgs) -> Result<(), CliError> {
    let (Some(database), Some(id)) = (&args.database, &args.id) else {
        return Err(CliError::Usage("name the item with -d, -c and -i, or describe one with --ts".to_owned()));
    };
    let place = ItemPlace { database: database.clone(), container: args.container.clone() };
    let container = context.place(&place)?;
    let key = key_of(&container, id, &args.partition_key)?;
    let Some(document) = context.engine.peek_item(container.no, &key)? else {
        // The words of a client that reads it.
        context.engine.item(container.no, &key)?;
        return Ok(());
    };
    let (row, now) = (&document.row, context.engine.now());
    // With a limit the run that deletes a document of RavenDB depends on the others.
    let run = match document.at {
        Some(at) => {
            let position = crate::engine::Position { at, container: container.no, key: row.key.clone() };
            let request = CountdownRequest {
                scope: Scope::Container(container.no),
                anchor: CountdownAnchor::At(position.clone()),
                before: 0,
                after: 1,
            };
            let rows = context.engine.countdown(&request)?.rows;
            rows.into_iter().find(|found| found.position.key == position.key).and_then(|found| found.run)
        }
        None => None,
    };
    let why =
        context.engine.catalog().explain(container.no, &row.lifetime, row.written, &document.lookalikes, run, now);
    print(&mut context.out, &why, document.at, row.is_expired(&container, now), document.hidden, now)
}

/// `explain` of an item that is only described.
pub fn described(out: &mut Output<'_>, args: &ExplainArgs, now: Instant) -> Result<(), CliError> {
    let default = args.default_ttl.as_deref().map_or(Ok(DefaultTtl::Off), ttl)?;
    let item = args.ttl.as_deref().map_or(Ok(ItemTtl::Absent), parse_item_ttl)?;
    let written = args.ts.as_deref().map_or(Ok(now), instant)?.secs();
    let fate = fate(default, item, written);
    let why = explain(default, item, written, &[], now);
    let expired = fate.is_expired(now.secs());
    print(out, &why, fate.at().map(Instant::from_secs), expired, expired, now)
}

fn print(
    out: &mut Output<'_>,
    why: &str,
    at: Option<Instant>,
    expired: bool,
    hidden: bool,
    now: Instant,
) -> Result<(), CliError> {
    let fields = [
        ("expiresAt", at.map_or(Value::Null, |at| json!(rfc_3339(at)))),
        ("secondsLeft", at.map_or(Value::Null, |at| json!(at.secs_left(now)))),
        ("expired", json!(expired)),
        ("hidden", json!(hidden)),
        ("why", json!(why)),
    ];
    Ok(out.done(why, &fields)?)
}

/// `matrix`: nine cells, each computed.
pub fn matrix(out: &mut Output<'_>, default_secs: u32, item_secs: u32) -> Result<(), CliError> {
    let defaults = [ttl("off")?, ttl("-1")?, ttl(&default_secs.to_string())?];
    let items = [ItemTtl::Absent, parse_item_ttl("-1")?, parse_item_ttl(&item_secs.to_string())?];
    let named = |item: ItemTtl| match item {
        ItemTtl::Absent => "no ttl".to_owned(),
        ItemTtl::Never => "ttl -1".to_owned(),
        ItemTtl::Seconds(secs) => format!("ttl {secs}"),
    };
    let cell = |default: DefaultTtl, item: ItemTtl| fate(default, item, 0).at();
    if out.format == Format::Table {
        let columns = ["container".to_owned(), named(items[0]), named(items[1]), named(items[2])];
        let rows: Vec<Vec<Value>> = defaults
            .iter()
            .map(|default| {
                let words = |item| match cell(*default, item) {
                    Some(secs) => json!(format!("_ts + {secs} s")),
                    None => json!("never"),
                };
                vec![json!(default.to_string()), words(items[0]), words(items[1]), words(items[2])]
            })
            .collect();
        return Ok(out.list(&columns.iter().map(String::as_str).collect::<Vec<_>>(), &rows)?);
    }
    let mut rows = Vec::new();
    for default in defaults {
        for item in items {
            let wire = match item {
                ItemTtl::Absent => Value::Null,
                ItemTtl::Never => json!(-1),
                ItemTtl::Seconds(secs) => json!(secs),
            };
            rows.push(vec![default.to_wire().map_or(json!("off"), Value::from), wire, json!(cell(default, item))]);
        }
    }
    Ok(out.list(&["defaultTtl", "ttl", "secondsAfterWrite"], &rows)?)
}
