//! Questions to the engine: which rows, which numbers, and when to ask again.

use crate::engine::{Anchor, CountdownAnchor, CountdownRequest, Key, Position, Scope, WindowRequest};

use crate::app::settings::SettingsForm;
use crate::app::{Effect, Model, Read, Seek, Tab};

use super::filter;

/// Asks for the items of the open container around a row; of a filtered one for all that match.
pub fn items(model: &mut Model, effects: &mut Vec<Effect>, seek: Seek<Key>) {
    let Some(container) = model.container else { return };
    if model.filter.applied.is_some() {
        return filter::again(model, effects);
    }
    let (before, after) = model.items.span();
    let anchor = match seek {
        Seek::First => Anchor::First,
        Seek::Last => Anchor::Last,
        Seek::At(key) => Anchor::At(key),
    };
    let generation = model.items.request();
    effects
        .push(Effect::Read(Read::Window { generation, request: WindowRequest { container, anchor, before, after } }));
}

/// Asks again for the items that are seen.
pub fn items_here(model: &mut Model, effects: &mut Vec<Effect>) {
    let seek = model.items.seek_here();
    items(model, effects, seek);
}

/// The items are out of date: asks for them, now or when the answer that is on its way has come.
pub fn items_changed(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.filter.applied.is_some() && !model.filter.is_quick() {
        filter::changed(model, effects);
    } else if model.container.is_some() && model.items.invalidate() {
        items_here(model, effects);
    }
}

/// Asks for the countdown around a row.
pub fn countdown(model: &mut Model, effects: &mut Vec<Effect>, seek: Seek<Position>) {
    let anchor = match seek {
        _ if model.countdown.following => CountdownAnchor::Now,
        Seek::First => CountdownAnchor::First,
        Seek::Last => CountdownAnchor::Last,
        Seek::At(position) => CountdownAnchor::At(position),
    };
    let (before, after) = model.countdown.view.span();
    let generation = model.countdown.view.request();
    let request = CountdownRequest { scope: model.countdown.scope, anchor, before, after };
    effects.push(Effect::Read(Read::Countdown { generation, request }));
}

/// Asks again for the countdown that is seen.
pub fn countdown_here(model: &mut Model, effects: &mut Vec<Effect>) {
    let seek = model.countdown.view.seek_here();
    countdown(model, effects, seek);
}

/// The countdown is out of date.
pub fn countdown_changed(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.tab == Tab::Countdown && model.countdown.view.invalidate() {
        countdown_here(model, effects);
    }
}

/// Whether the countdown follows the present and the row under its cursor has expired, though later ones are there.
pub fn following_is_behind(model: &Model) -> bool {
    let view = &model.countdown.view;
    model.countdown.following
        && !view.is_waiting()
        && view.current().is_some_and(|row| row.item.position.at <= model.now)
        && view.rows().last().is_some_and(|row| row.item.position.at > model.now)
}

/// Asks for the item under the cursor, unless it is the open one.
pub fn item_under_cursor(model: &mut Model, effects: &mut Vec<Effect>) {
    let (Some(container), Some(row)) = (model.container, model.items.current()) else {
        return;
    };
    let is_open = model
        .pane
        .as_ref()
        .and_then(|pane| pane.row())
        .is_some_and(|open| open.key == row.key && open.etag == row.etag);
    if !is_open {
        let key = row.key.clone();
        item(model, effects, container, key);
    }
}

/// Asks for an item.
pub fn item(model: &mut Model, effects: &mut Vec<Effect>, container: crate::engine::ContainerNo, key: Key) {
    model.item_generation += 1;
    effects.push(Effect::Read(Read::Item { generation: model.item_generation, container, key }));
}

/// Asks what saving the form of the Settings would do, when it holds a changed and valid setting.
pub fn preview(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(form) = model.settings.as_ref().and_then(SettingsForm::ttl) else { return };
    if let Ok(ttl) = form.value()
        && form.is_dirty()
    {
        let (generation, container) = (form.generation, form.container);
        effects.push(Effect::Read(Read::Preview { generation, container, ttl }));
        effects.push(Effect::Read(Read::WhatIf { generation, container, ttl }));
    }
}

/// The numbers of a container changed, and with them those of all scopes that hold it.
pub fn totals_changed(model: &mut Model, container: crate::engine::ContainerNo) {
    model.totals_stale.insert(Scope::Everything);
    model.totals_stale.insert(Scope::Container(container));
    // A document counts in its collection, too.
    let same: Vec<Scope> = model
        .totals
        .keys()
        .copied()
        .filter(|scope| matches!(scope, Scope::Container(no) if *no != container && model.same_root(*no, container)))
        .collect();
    model.totals_stale.extend(same);
    if let Scope::Database(no) = model.countdown.scope
        && model.catalog.container(container).is_none_or(|container| container.database == no)
    {
        model.totals_stale.insert(model.countdown.scope);
    }
}

/// Asks for the numbers that are on the screen and unknown or out of date, one question at a time.
pub fn totals(model: &mut Model, effects: &mut Vec<Effect>, tree_height: usize) {
    if model.totals_waiting {
        return;
    }
    let lines = model.tree.lines().iter().skip(model.tree.top()).take(tree_height);
    let mut wanted: Vec<_> = lines
        .filter_map(|line| match line.node {
            crate::app::Node::Container(no) => Some(Scope::Container(no)),
            _ => None,
        })
        .collect();
    wanted.push(Scope::Everything);
    wanted.extend(model.container.map(Scope::Container));
    // Of a collection those of all documents, too: what a run deletes depends on them.
    let root = model.container.and_then(|no| model.catalog.root(no));
    wanted.extend(root.map(|root| Scope::Container(root.no)));
    if model.tab == Tab::Countdown {
        wanted.push(model.countdown.scope);
    }
    wanted.retain(|key| !model.totals.contains_key(key) || model.totals_stale.contains(key));
    wanted.sort_unstable();
    wanted.dedup();
    if !wanted.is_empty() {
        for key in &wanted {
            model.totals_stale.remove(key);
        }
        model.totals_waiting = true;
        effects.push(Effect::Read(Read::Totals(wanted)));
    }
}
