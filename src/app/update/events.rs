//! What the engine tells: somebody wrote, something expired, the sweeper ran.

use crate::domain::ravendb::Configuration;
use crate::domain::words;
use crate::engine::{Api, ContainerNo, Event, Scope, SweepReport};

use crate::app::console::Kind;
use crate::app::item_pane::Gone;
use crate::app::{Effect, Focus, Model, Tab};

use super::{ask, clock, reads};

/// Takes an event.
pub fn take(model: &mut Model, effects: &mut Vec<Effect>, event: Event) {
    match event {
        Event::CatalogChanged(catalog) => {
            model.catalog = catalog;
            model.timeline.invalidate();
            let catalog = model.catalog.clone();
            model.tree.rebuild(&catalog);
            model.totals.retain(|scope, _| !matches!(scope, Scope::Container(no) if catalog.container(*no).is_none()));
            model.totals_stale.insert(Scope::Everything);
            if model.container.is_some() && model.open_container().is_none() {
                close_container(model, effects);
            }
            if let Some(form) = &mut model.settings {
                form.follow(&catalog);
            }
        }
        Event::TtlChanged { container, before, now } => {
            let text = format!("Time to Live of {}: {before} → {now}.", model.name_of(container));
            model.console.push(model.now, Kind::Done, text);
            changed(model, effects, container);
        }
        Event::Written { container, .. } | Event::Deleted { container, .. } => changed(model, effects, container),
        Event::Expired { container, count } => {
            let until = match (model.api_of(container), model.next_run(container)) {
                (Api::RavenDb, Some(run)) => format!("visible, next run at {}", words::instant(run, model.now)),
                (Api::RavenDb, None) => "visible, no run comes".to_owned(),
                _ => "hidden until deleted".to_owned(),
            };
            let what = words::counted(count, model.noun(container));
            let text = format!("{what} expired in {}: {until}", model.name_of(container));
            model.console.push(model.now, Kind::Expiry, text);
            changed(model, effects, container);
        }
        Event::Swept(report) => swept(model, effects, &report),
        Event::Ran { container, run } => {
            let limit = if run.stopped { ", as many as one run may" } else { "" };
            let text = format!(
                "the run at {} deleted {} of {}{limit}, in {}, at most {} after their time",
                words::instant(run.at, model.now),
                words::counted(run.deleted, "document"),
                model.name_of(container),
                words::span(run.took_millis),
                late(run.latest),
            );
            model.console.push(model.now, Kind::Expiry, text);
            model.runs.insert(container, run);
        }
        Event::ExpirationChanged { container, before, now } => {
            let (before, now) = (Configuration::words(before.as_ref()), Configuration::words(Some(&now)));
            let text = format!("Document Expiration of {}: {before} → {now}.", model.name_of(container));
            model.console.push(model.now, Kind::Done, text);
            model.runs.remove(&container);
            changed(model, effects, container);
        }
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
        Event::ClockChanged(state) => clock::changed(model, effects, state),
        Event::StoreFailed(reason) => model.console.push(model.now, Kind::Error, reason),
    }
}

/// The items of a container are not what they were.
fn changed(model: &mut Model, effects: &mut Vec<Effect>, container: ContainerNo) {
    reads::totals_changed(model, container);
    if model.container.is_some_and(|open| model.same_root(open, container)) {
        reads::items_changed(model, effects);
    }
    model.timeline.invalidate();
    if in_countdown(model, container) {
        reads::countdown_changed(model, effects);
    }
}

fn in_countdown(model: &Model, container: ContainerNo) -> bool {
    match model.countdown.scope {
        Scope::Everything => true,
        Scope::Database(no) => model.catalog.container(container).is_some_and(|c| c.database == no),
        Scope::Container(no) => model.same_root(no, container),
    }
}

fn swept(model: &mut Model, effects: &mut Vec<Effect>, report: &SweepReport) {
    // Of RavenDB the run tells it.
    if model.api_of(report.container) != Api::RavenDb {
        let text = format!(
            "swept {} of {} in {}, at most {} after their time",
            words::counted(report.deleted, "item"),
            model.name_of(report.container),
            words::span(report.took_millis),
            late(report.latest),
        );
        model.console.push(model.now, Kind::Expiry, text);
    }
    if in_countdown(model, report.container) {
        let mut positions = report.sample.clone();
        if let Scope::Container(no) = model.countdown.scope {
            // A collection shows the documents under its own number.
            positions.iter_mut().for_each(|position| position.container = no);
        }
        positions.sort_unstable();
        model.countdown.mark_deleted(&positions, model.now);
    }
    changed(model, effects, report.container);
}

/// A wait in ticks of 100 ns, in words.
fn late(ticks: i64) -> String {
    let millis = ticks as f64 / (crate::domain::time::TICKS_PER_SECOND as f64 / 1000.0);
    words::span(millis.max(0.0))
}

/// The open container was deleted. A text that is edited stays until its owner leaves it, and the shell goes on.
fn close_container(model: &mut Model, effects: &mut Vec<Effect>) {
    model.container = None;
    model.items.restart();
    model.filter.reset();
    model.marked.clear();
    match &mut model.pane {
        Some(pane) if pane.is_dirty() => pane.gone = Some(Gone::Deleted),
        _ => model.pane = None,
    }
    model.settings = None;
    model.countdown.scope = Scope::Everything;
    model.timeline.look_at(Scope::Everything);
    if model.tab == Tab::Query && model.query.running.take().is_some() {
        effects.push(Effect::GiveUpQuery);
    }
    if model.tab != Tab::Shell {
        model.tab = Tab::Items;
        let stays = model.focus == Focus::Console || (model.focus == Focus::Editor && model.pane.is_some());
        if !stays {
            model.focus = Focus::Tree;
        }
    }
    if model.catalog.databases.is_empty() && model.dialogs.is_empty() {
        model.dialogs.push(ask::welcome());
    }
}
