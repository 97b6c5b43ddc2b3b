//! What the engine tells: somebody wrote, something expired, the sweeper ran.

use crate::domain::words;
use crate::engine::{ContainerNo, Event, Scope, SweepReport};

use crate::app::console::Kind;
use crate::app::{Effect, Focus, Model, Tab};

use super::{ask, reads};

/// Takes an event.
pub fn take(model: &mut Model, effects: &mut Vec<Effect>, event: Event) {
    match event {
        Event::CatalogChanged(catalog) => {
            model.catalog = catalog;
            let catalog = model.catalog.clone();
            model.tree.rebuild(&catalog);
            model.totals.retain(|scope, _| !matches!(scope, Scope::Container(no) if catalog.container(*no).is_none()));
            model.totals_stale.insert(Scope::Everything);
            if model.container.is_some() && model.open_container().is_none() {
                close_container(model);
            }
            if let (Some(form), Some(container)) =
                (&mut model.settings, model.container.and_then(|no| catalog.container(no)))
            {
                form.set_saved(container.default_ttl);
            }
        }
        Event::TtlChanged { container, before, now } => {
            let text = format!("Time to Live of {}: {before} → {now}.", model.name_of(container));
            model.console.push(model.now, Kind::Done, text);
            changed(model, effects, container);
        }
        Event::Written { container, .. } | Event::Deleted { container, .. } => changed(model, effects, container),
        Event::Expired { container, count } => {
            let text = format!(
                "{} expired in {}: hidden until deleted",
                words::counted(count, "item"),
                model.name_of(container)
            );
            model.console.push(model.now, Kind::Expiry, text);
            changed(model, effects, container);
        }
        Event::Swept(report) => swept(model, effects, &report),
        Event::SweeperChanged(state) => {
            if state.paused != model.sweeper.paused {
                let text = if state.paused {
                    "The sweeper is paused: expired items stay hidden, not deleted."
                } else {
                    "The sweeper goes on."
                };
                model.console.push(model.now, Kind::Done, text);
            }
            if state.delay != model.sweeper.delay {
                let text = format!("The sweeper deletes {} after expiry.", words::duration(u64::from(state.delay)));
                model.console.push(model.now, Kind::Done, text);
            }
            model.sweeper = state;
        }
        Event::StoreFailed(reason) => model.console.push(model.now, Kind::Error, reason),
    }
}

/// The items of a container are not what they were.
fn changed(model: &mut Model, effects: &mut Vec<Effect>, container: ContainerNo) {
    reads::totals_changed(model, container);
    if model.container == Some(container) {
        reads::items_changed(model, effects);
    }
    if in_countdown(model, container) {
        reads::countdown_changed(model, effects);
    }
}

fn in_countdown(model: &Model, container: ContainerNo) -> bool {
    match model.countdown.scope {
        Scope::Everything => true,
        Scope::Database(no) => model.catalog.container(container).is_some_and(|c| c.database == no),
        Scope::Container(no) => no == container,
    }
}

fn swept(model: &mut Model, effects: &mut Vec<Effect>, report: &SweepReport) {
    let late = report.latest as f64 / (crate::domain::time::TICKS_PER_SECOND as f64 / 1000.0);
    let text = format!(
        "swept {} of {} in {}, at most {} after their time",
        words::counted(report.deleted, "item"),
        model.name_of(report.container),
        words::span(report.took_millis),
        words::span(late.max(0.0)),
    );
    model.console.push(model.now, Kind::Expiry, text);
    if in_countdown(model, report.container) {
        let mut positions = report.sample.clone();
        positions.sort_unstable();
        model.countdown.mark_deleted(&positions, model.now);
    }
    changed(model, effects, report.container);
}

/// The open container was deleted.
fn close_container(model: &mut Model) {
    model.container = None;
    model.items = crate::app::Viewport::default();
    model.marked.clear();
    model.pane = None;
    model.settings = None;
    model.tab = Tab::Items;
    model.countdown.scope = Scope::Everything;
    if model.focus != Focus::Console {
        model.focus = Focus::Tree;
    }
    if model.catalog.databases.is_empty() && model.dialogs.is_empty() {
        model.dialogs.push(ask::welcome());
    }
}
