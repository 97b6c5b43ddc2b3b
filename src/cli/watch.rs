//! `countdown`, `sweep`, `stats`: what expires, what went, how much there is.

use std::io;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::domain::words;
use crate::engine::{CountdownAnchor, CountdownRequest, Engine, EngineOptions, Event, Scope};

use super::args::{Format, ScopeArgs};
use super::context::{Context, rfc_3339};
use super::interrupt::Interrupt;
use super::{CliError, Output};

/// `countdown`.
pub fn countdown(context: &mut Context<'_>, scope: &ScopeArgs, limit: usize) -> Result<(), CliError> {
    let scope = context.scope(scope)?;
    let request = CountdownRequest { scope, anchor: CountdownAnchor::Now, before: 0, after: limit };
    let (rows, now, catalog) =
        (context.engine.countdown(&request)?.rows, context.engine.now(), context.engine.catalog());
    let cells: Vec<Vec<Value>> = rows
        .iter()
        .map(|row| {
            let no = row.position.container;
            let why = catalog.explain(no, &row.row.lifetime, row.row.written, &[], row.run, now);
            let left = row.position.at.secs_left(now);
            let left = if context.out.format == Format::Table { json!(words::countdown(left)) } else { json!(left) };
            vec![
                left,
                json!(row.row.id),
                json!(context.name_of(no)),
                json!(rfc_3339(row.position.at)),
                row.run.map_or(Value::Null, |run| json!(rfc_3339(run))),
                json!(why),
            ]
        })
        .collect();
    Ok(context.out.list(&["secondsLeft", "id", "container", "expiresAt", "run", "why"], &cells)?)
}

/// `countdown --watch`: a line for each event, in real time, until it is interrupted or nobody reads any more.
pub fn watch(dir: &Path, scope: &ScopeArgs, out: Output<'_>) -> Result<(), CliError> {
    let engine = Engine::open(dir, EngineOptions::default())?;
    let events = engine.subscribe();
    let interrupt = Interrupt::listen()?;
    let mut context = Context::of(engine, out);
    let wanted = context.scope(scope)?;
    let outcome = loop {
        if interrupt.was_asked() {
            break Ok(());
        }
        let Ok(event) = events.recv_timeout(Duration::from_millis(200)) else { continue };
        if let Some((kind, no, count, more)) = told(&event)
            && in_scope(&context, wanted, no)
        {
            let (name, at) = (context.name_of(no), rfc_3339(context.engine.now()));
            let printed = if context.out.format == Format::Json {
                context.out.text(
                    &json!({"at": at, "event": kind, "container": name, "count": count, "latest": more}).to_string(),
                )
            } else {
                let late =
                    more.map_or(String::new(), |ms: f64| format!(", at most {} after their time", words::span(ms)));
                context.out.text(&format!("{at}\t{kind}\t{name}\t{count}{late}"))
            };
            match printed.and_then(|()| context.out.flush()) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break Ok(()),
                Err(error) => break Err(CliError::Output(error)),
            }
        }
    };
    context.engine.close()?;
    outcome
}

/// What an event says: its name, the container, how many, and how late in milliseconds.
fn told(event: &Event) -> Option<(&'static str, crate::engine::ContainerNo, u64, Option<f64>)> {
    match event {
        Event::Written { container, count, .. } => Some(("written", *container, *count, None)),
        Event::Deleted { container, count, .. } => Some(("deleted", *container, *count, None)),
        Event::Expired { container, count } => Some(("expired", *container, *count, None)),
        Event::Swept(report) => {
            let late = report.latest as f64 / (crate::domain::time::TICKS_PER_SECOND as f64 / 1_000.0);
            Some(("swept", report.container, report.deleted, Some(late.max(0.0))))
        }
        _ => None,
    }
}

fn in_scope(context: &Context<'_>, scope: Scope, no: crate::engine::ContainerNo) -> bool {
    let catalog = context.engine.catalog();
    match scope {
        Scope::Everything => true,
        Scope::Database(database) => catalog.container(no).is_some_and(|container| container.database == database),
        Scope::Container(wanted) => catalog.root(wanted).is_some_and(|root| root.no == no) || wanted == no,
    }
}

/// `sweep`.
pub fn sweep(context: &mut Context<'_>) -> Result<(), CliError> {
    let reports = context.engine.sweep_now()?;
    let total: u64 = reports.iter().map(|report| report.deleted).sum();
    let rows: Vec<Vec<Value>> =
        reports.iter().map(|report| vec![json!(context.name_of(report.container)), json!(report.deleted)]).collect();
    if context.out.format == Format::Table && total == 0 {
        return Ok(context.out.text("Nothing is expired.")?);
    }
    Ok(context.out.list(&["container", "deleted"], &rows)?)
}

/// `stats`.
pub fn stats(context: &mut Context<'_>, scope: &ScopeArgs) -> Result<(), CliError> {
    let totals = context.engine.totals(context.scope(scope)?)?;
    let newest = context.engine.newest_write()?;
    let fields = [
        ("stored", json!(totals.stored)),
        ("visible", json!(totals.alive().n)),
        ("hidden", json!(totals.hidden.n)),
        ("waiting", json!(totals.waiting.n)),
        ("next", totals.next.map_or(Value::Null, |at| json!(rfc_3339(at)))),
        ("newestWrite", newest.map_or(Value::Null, |at| json!(rfc_3339(at)))),
    ];
    Ok(context.out.object(&fields)?)
}
