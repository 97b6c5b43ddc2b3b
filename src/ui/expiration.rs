//! The Settings tab of a RavenDB database: Document Expiration, what its runs do, and its JSON.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::expiration::{ExpirationForm, Switch};
use crate::app::{Action, Focus, Layout, Model, Target, text};
use crate::domain::ravendb::Configuration;
use crate::domain::words;
use crate::engine::{Kind, Scope};

use super::settings::{counted, row_of_buttons};
use super::theme::Theme;
use super::{Drawn, editor, field, put};

const FIELD: u16 = 10;
const LABEL: u16 = 10;

pub fn draw(
    model: &Model,
    form: &ExpirationForm,
    theme: &Theme,
    layout: &Layout,
    buffer: &mut Buffer,
    drawn: &mut Drawn,
) {
    let focused = model.focus == Focus::Settings;
    let body = Rect { x: layout.body.x + 1, width: layout.body.width - 2, ..layout.body };
    let mut y = body.y + 1;
    let title = format!("Document Expiration of {}", model.name_of(form.container));
    put(buffer, body.x, y, body.width, &title, if focused { theme.title_focused } else { theme.title });
    y += 1;
    if form.json.is_none() {
        for switch in Switch::ALL {
            self::switch(form, switch, theme, focused, Rect { y, height: 1, ..body }, buffer, drawn);
            y += 1;
            // The numbers stand below their switches where the lines are too short for both.
            if switch != Switch::Enabled && !fits(body.width) {
                y += 1;
            }
        }
    }
    let dirty = form.is_dirty();
    let can_save = dirty && form.value().is_ok() && !form.saving;
    let as_what = if form.json.is_some() { "Form" } else { "JSON" };
    let all = [(Action::Save, "Save", can_save), (Action::Discard, "Discard", dirty), (Action::AsJson, as_what, true)];
    row_of_buttons(model, &all, theme, Rect { y: y + 1, height: 1, ..body }, buffer, drawn);
    // The first line of what is wrong has its place, so that nothing jumps while a number is typed.
    y += 2;
    let below = y + 1;
    for (words, style) in faults(model, form, theme) {
        for line in text::wrap(&words, usize::from(body.width)) {
            if y < body.bottom() {
                put(buffer, body.x, y, body.width, &line, style);
                y += 1;
            }
        }
    }
    y = y.max(below);
    let rest = Rect { y, height: body.bottom().saturating_sub(y), ..body };
    match &form.json {
        Some(json) => {
            let place = form.refused.as_ref().and_then(|refusal| refusal.place);
            let place = place.or_else(|| form.value().err().and_then(|refusal| refusal.place));
            let cursor = editor::draw(buffer, ExpirationForm::json_area(body), json, theme, focused, place);
            if focused {
                drawn.cursor = cursor;
            }
        }
        None => state(model, form, theme, rest, buffer),
    }
    let words =
        "Expired documents stay visible until a run deletes them; a save that changes something restarts the timer";
    super::items::why(theme, layout, words, buffer);
}

/// Whether switches and their numbers stand on one line.
fn fits(width: u16) -> bool {
    width >= 10 + Switch::MaxItems.label().len() as u16 + FIELD + 13
}

/// `[✓] Set custom expiration frequency   [ 60          ] seconds`.
fn switch(
    form: &ExpirationForm,
    switch: Switch,
    theme: &Theme,
    focused: bool,
    line: Rect,
    buffer: &mut Buffer,
    drawn: &mut Drawn,
) {
    let here = focused && form.line == switch;
    let mark = if form.is_on(switch) { "[✓]" } else { "[ ]" };
    let style = match (form.can_switch(switch), here) {
        (false, _) => theme.disabled,
        (true, true) => theme.accent,
        (true, false) => theme.text,
    };
    let words = format!("{mark} {}", switch.label());
    let end = put(buffer, line.x + 2, line.y, line.width.saturating_sub(2), &words, style);
    drawn.hit(Rect { x: line.x + 2, width: end - line.x - 2, ..line }, Target::Switch(switch));
    if here {
        drawn.cursor = Some((line.x + 3, line.y).into());
    }
    let (typed, unit, empty) = match switch {
        Switch::Enabled => return,
        Switch::Frequency => (&form.frequency, "seconds", "Default (60)"),
        Switch::MaxItems => (&form.max_items, "documents", "all that are due"),
    };
    let (x, y) = if fits(line.width) {
        (line.x + 8 + Switch::MaxItems.label().len() as u16, line.y)
    } else {
        (line.x + 6, line.y + 1)
    };
    let place = Rect { x: x + 2, y, width: FIELD.min(line.right().saturating_sub(x + 2)), height: 1 };
    match typed {
        Some(typed) => {
            put(buffer, x, y, 1, "[", theme.dim);
            let cursor = field::draw(buffer, place, typed, theme, here);
            if here {
                drawn.cursor = cursor;
            }
            let end = put(buffer, place.right() + 1, y, 12, &format!("] {unit}"), theme.dim);
            let secs = typed.value().trim().parse::<u64>().ok().filter(|secs| *secs > 0);
            if let Some(secs) = secs.filter(|_| switch == Switch::Frequency) {
                put(buffer, end + 2, y, line.right().saturating_sub(end + 2), &words::duration(secs), theme.accent);
            }
        }
        None => {
            put(buffer, place.x, y, line.right().saturating_sub(place.x), empty, theme.dim);
        }
    }
}

/// What is wrong, and what in the JSON means nothing.
fn faults(model: &Model, form: &ExpirationForm, theme: &Theme) -> Vec<(String, Style)> {
    let in_words = |refusal: &crate::domain::Refusal| {
        let place = refusal.place.map_or(String::new(), |place| format!("{place}: "));
        format!("{place}{}", refusal.message)
    };
    let mut faults = Vec::new();
    let name = model.name_of(form.container);
    if let Some(refused) = &form.refused {
        faults.push((format!("✗ {}", in_words(refused)), theme.error));
    } else if let Err(refusal) = form.value().and_then(|value| value.check(&name)) {
        faults.push((format!("! {}", in_words(&refusal)), theme.warning));
    }
    let remarks = if form.json.is_some() { form.json_remarks() } else { form.remarks.clone() };
    faults.extend(remarks.into_iter().map(|remark| (format!("! {remark}"), theme.warning)));
    if form.value().is_ok_and(|value| !value.disabled && value.most() == Some(0)) {
        let words = "! MaxItemsToProcess is not positive: the server takes it, and its runs delete nothing.";
        faults.push((words.to_owned(), theme.warning));
    }
    faults
}

/// What the runs do, as far as it is saved.
fn state(model: &Model, form: &ExpirationForm, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let mut y = area.y;
    let mut line = |name: &str, words: &str, style: Style| {
        if y < area.bottom() {
            put(buffer, area.x, y, LABEL, name, theme.dim);
            put(buffer, area.x + LABEL, y, area.width.saturating_sub(LABEL), words, style);
            y += 1;
        }
    };
    line("now", &Configuration::words(form.saved.as_ref()), theme.text);
    match form.value() {
        Ok(value) if form.is_dirty() => line("then", &Configuration::words(Some(&value)), theme.strong),
        _ => line("then", "–", theme.dim),
    }
    let next = match model.next_run(form.container) {
        Some(run) => {
            let left = words::countdown(run.secs_left(model.now).max(0));
            format!("in {left}, at {}", words::instant(run, model.now))
        }
        None if model.sweeper.paused => "paused with the sweeper".to_owned(),
        None => "none: no run comes".to_owned(),
    };
    line("next run", &next, theme.text);
    line("last run", &last_run(model, form), theme.text);
    if let Some(totals) = model.totals_of(Scope::Container(form.container)) {
        let waiting = match totals.waiting.n {
            0 => "no document is past its @expires".to_owned(),
            1 => "1 document is past its @expires, still visible".to_owned(),
            _ => format!("{} are past their @expires, still visible", counted(totals.waiting, "document")),
        };
        line("waiting", &waiting, if totals.waiting.n > 0 { theme.warning } else { theme.text });
        let off = form.saved.is_none_or(|saved| saved.disabled);
        let though = if off { ", though expiration is off" } else { "" };
        line("tracked", &format!("{} with an @expires{though}", words::counted(totals.own, "document")), theme.text);
    }
    y += 1;
    let json = form.value().map_or_else(|_| String::new(), |value| value.to_json());
    for json in json.lines() {
        if y < area.bottom() {
            put(buffer, area.x, y, area.width, json, theme.dim);
            y += 1;
        }
    }
}

fn last_run(model: &Model, form: &ExpirationForm) -> String {
    let root = model.catalog.container(form.container);
    let timer = root.and_then(|root| match root.kind {
        Kind::Documents { timer, .. } => timer,
        _ => None,
    });
    let schedule = root.and_then(|root| root.schedule(model.now));
    let latest = schedule.and_then(|schedule| schedule.latest(model.now));
    let run = model.runs.get(&form.container).filter(|run| latest.is_none_or(|latest| run.at >= latest));
    if let Some(run) = run {
        return format!(
            "{}: {} in {}{}",
            words::instant(run.at, model.now),
            words::counted(run.deleted, "document"),
            words::span(run.took_millis),
            if run.stopped { ", more were due" } else { "" }
        );
    }
    match (latest, timer) {
        (Some(latest), _) => format!("{}: nothing was due", words::instant(latest, model.now)),
        (None, Some(start)) => format!("none yet: the timer started at {}", words::instant(start, model.now)),
        (None, None) => "none".to_owned(),
    }
}
