//! The Timeline tab: when it is counted, and what is listed below it.

use crate::domain::Refusal;
use crate::engine::{CountdownAnchor, CountdownRequest, CountdownWindow, GIVEN_UP, Position, Scope, Timeline};

use crate::app::timeline::LISTED;
use crate::app::{AskedTimeline, Effect, Intent, Model, Node, Read, Tab};

use super::{go, refused};

/// Brings it to the front, for the database or container under the cursor of the tree, or what is open.
pub fn show(model: &mut Model, effects: &mut Vec<Effect>, in_tree: Option<Node>) {
    let intent = match (in_tree, in_tree.and_then(Node::container).or(model.container)) {
        (Some(Node::Database(no)), _) => Intent::OpenTimeline(Scope::Database(no)),
        (_, Some(no)) => Intent::OpenContainer(no, Tab::Timeline),
        (_, None) => Intent::OpenTimeline(Scope::Everything),
    };
    go::leave(model, effects, intent);
}

/// Looks at this container, its database, everything.
pub fn cycle_scope(model: &mut Model, effects: &mut Vec<Effect>) {
    let next = super::act::wider(model, model.timeline.scope);
    go::leave(model, effects, Intent::OpenTimeline(next));
}

/// Nearer or farther.
pub fn zoom(model: &mut Model, effects: &mut Vec<Effect>, farther: bool) {
    if model.timeline.zoom(farther) {
        count(model, effects);
    }
}

/// Counts, now.
pub fn count(model: &mut Model, effects: &mut Vec<Effect>) {
    let generation = model.timeline.request();
    let (scope, span) = (model.timeline.scope, model.timeline.span);
    effects.push(Effect::Timeline(AskedTimeline { generation, scope, span }));
}

/// Counts when it is on the screen and out of date.
pub fn settle(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.tab == Tab::Timeline {
        if model.timeline.is_due(model.now) {
            count(model, effects);
        }
    } else if model.timeline.running.is_some() {
        model.timeline.give_up();
        effects.push(Effect::GiveUpTimeline);
    }
}

/// The cursor is on another step: its items are asked for.
pub fn list(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some((start, _)) = model.timeline.stretch() else { return };
    if model.timeline.bucket().is_none_or(|bucket| bucket.all() == 0) {
        model.timeline.rows.clear();
        return;
    }
    // What has expired in the first step is no longer in it.
    let at = start.max(model.now.plus_ticks(1));
    let position = Position { at, container: crate::engine::ContainerNo(0), key: [].as_slice().into() };
    let generation = model.timeline.request_rows();
    let anchor = CountdownAnchor::At(position);
    let request = CountdownRequest { scope: model.timeline.scope, anchor, before: 0, after: LISTED };
    effects.push(Effect::Read(Read::Step { generation, request }));
}

/// It was counted, or not.
pub fn answered(model: &mut Model, effects: &mut Vec<Effect>, generation: u64, result: Result<Timeline, Refusal>) {
    match result {
        Ok(timeline) => {
            if model.timeline.answer(generation, timeline) {
                list(model, effects);
            }
        }
        Err(refusal) => {
            if !model.timeline.fail(generation) || refusal.status == GIVEN_UP {
                return;
            }
            // What it looked at was deleted.
            if refusal.status == 404 && model.timeline.scope != Scope::Everything {
                model.timeline.look_at(Scope::Everything);
            } else {
                refused(model, "The timeline could not be counted", &refusal);
            }
        }
    }
}

/// The items of a step.
pub fn listed(model: &mut Model, generation: u64, result: Result<CountdownWindow, Refusal>) {
    match result {
        Ok(window) => model.timeline.answer_rows(generation, window),
        Err(refusal) => refused(model, "The items could not be read", &refusal),
    }
}
