//! The Settings tab: Time to Live, and what saving it does.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::dialog::{TTL_OPTIONS, seconds_note};
use crate::app::settings::{ON, SettingsForm, TtlForm};
use crate::app::{Action, Context, Focus, Layout, Model, Target};
use crate::domain::nosql::DefaultTtl;
use crate::domain::words;
use crate::engine::{Api, Count, Kind, Scope, TtlPreview, WhatIf};

use crate::app::text;

use super::chart::{self, Columns, NUMBERS};
use super::theme::Theme;
use super::{Drawn, field, put, put_right};

const FIELD: u16 = 12;

pub fn draw(model: &Model, theme: &Theme, layout: &Layout, buffer: &mut Buffer, drawn: &mut Drawn) {
    let form = match &model.settings {
        Some(SettingsForm::Ttl(form)) => form,
        Some(SettingsForm::Expiration(form)) => {
            return super::expiration::draw(model, form, theme, layout, buffer, drawn);
        }
        None => return,
    };
    let focused = model.focus == Focus::Settings;
    let body = Rect { x: layout.body.x + 1, width: layout.body.width - 2, ..layout.body };
    let mut y = body.y + 1;
    let words = Words::of(model.api_of(form.container));
    put(buffer, body.x, y, body.width, words.title, if focused { theme.title_focused } else { theme.title });
    y += 1;
    for (choice, label) in words.options.iter().enumerate() {
        let chosen = form.choice == choice;
        let line = Rect { y, height: 1, ..body };
        let mark = if chosen { "(●)" } else { "( )" };
        let style = if chosen && focused { theme.accent } else { theme.text };
        put(buffer, line.x + 2, y, line.width - 2, &format!("{mark} {label}"), style);
        drawn.hit(Rect { x: line.x + 2, width: 4 + label.len() as u16, ..line }, Target::Ttl(choice));
        if chosen && focused && choice != ON {
            drawn.cursor = Some((line.x + 3, y).into());
        }
        if choice == ON {
            let x = line.x + 6 + label.len() as u16;
            seconds(form, theme, focused, Rect { x, width: line.right().saturating_sub(x), ..line }, buffer, drawn);
        }
        y += 1;
    }
    // The buttons keep their place whatever is known below them.
    buttons(model, form, theme, Rect { y: y + 1, height: 1, ..body }, buffer, drawn);
    y += 3;
    if let Some((style, words)) = fault(form, theme) {
        for line in text::wrap(&words, usize::from(body.width)) {
            put(buffer, body.x, y, body.width, &line, style);
            y += 1;
        }
        y += 1;
    }
    effect(model, form, words, theme, Rect { y, height: body.bottom().saturating_sub(y), ..body }, buffer);
    let chosen = words.meanings[form.choice.min(ON)];
    super::items::why(theme, layout, chosen, buffer);
}

/// `[ 60         ] second(s)   1 m`, beside On.
fn seconds(form: &TtlForm, theme: &Theme, focused: bool, line: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    if form.choice != ON {
        return;
    }
    let place = Rect { x: line.x + 3, width: FIELD, ..line };
    put(buffer, place.x - 2, line.y, 1, "[", theme.dim);
    let cursor = field::draw(buffer, place, &form.seconds, theme, focused);
    if focused {
        drawn.cursor = cursor;
    }
    let x = put(buffer, place.right() + 1, line.y, 12, "] second(s)", theme.dim);
    drawn.hit(place, Target::Seconds);
    if let Some(note) = seconds_note(form.seconds.value()) {
        put(buffer, x + 3, line.y, line.right().saturating_sub(x + 3), &note, theme.accent);
    }
}

fn fault(form: &TtlForm, theme: &Theme) -> Option<(ratatui::style::Style, String)> {
    if let Some(refused) = &form.refused {
        return Some((theme.error, format!("✗ {}", refused.message)));
    }
    match form.value() {
        // An empty field, just chosen, is no fault yet.
        Err(_) if form.seconds.value().is_empty() => None,
        Err(refusal) => Some((theme.warning, format!("! {}", refusal.message))),
        Ok(_) => None,
    }
}

/// Now, then, and what the save does.
fn effect(model: &Model, form: &TtlForm, words: &Words, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let mut y = area.y;
    let mut line = |words: &str, style| {
        if y < area.bottom() {
            put(buffer, area.x, y, area.width, words, style);
            y += 1;
        }
    };
    line(&format!("now    {}", (words.setting)(form.saved)), theme.text);
    if let (Ok(value), true) = (form.value(), form.is_dirty()) {
        line(&format!("then   {}", (words.setting)(value)), theme.strong);
        if words.indexes && form.saved != DefaultTtl::Off && value != DefaultTtl::Off {
            line("       the service changes no index: _ts_1 is dropped and created again", theme.dim);
        }
        if let Some(preview) = form.preview {
            consequences(&preview, value, |words, warn| line(words, if warn { theme.warning } else { theme.dim }));
        }
        if let Some(what_if) = &form.what_if {
            let n = |n: u64| words::count(n);
            let text = format!(
                "       {} sooner, {} later, {} never any more",
                n(what_if.sooner),
                n(what_if.later),
                n(what_if.never)
            );
            line(&text, theme.dim);
        }
    } else if let Some(totals) = model.totals_of(Scope::Container(form.container)) {
        let hidden = counted(totals.hidden, "hidden item");
        line(
            &format!(
                "       {} visible, {hidden} waiting for deletion",
                counted(totals.alive(), model.noun(form.container))
            ),
            theme.dim,
        );
    }
    if words.indexes {
        line("", theme.dim);
        for (name, key) in indexes(model, form) {
            line(&format!("index  {name:<16} {key}"), theme.dim);
        }
    }
    if let Some(what_if) = form.what_if.as_ref().filter(|_| form.is_dirty()) {
        comparison(what_if, theme, Rect { y, height: area.bottom().saturating_sub(y), ..area }, buffer);
    }
}

/// When the items expire, today and then, one above the other on the same scale.
fn comparison(what_if: &WhatIf, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let height = (area.height.saturating_sub(3) / 2).min(4);
    if height == 0 {
        return;
    }
    let highest = chart::most(&what_if.today).max(chart::most(&what_if.then));
    let mut y = area.y + 1;
    for (name, timeline) in [("today", &what_if.today), ("then", &what_if.then)] {
        let bars = Rect { y, height, ..area };
        let columns = Columns::of(timeline, bars, 0);
        put_right(buffer, Rect { y: y + height - 1, width: NUMBERS - 1, height: 1, ..area }, name, theme.dim);
        chart::bars(timeline, &columns, highest, theme, bars, buffer);
        y += height;
        if name == "then" {
            chart::axis(timeline, &columns, None, theme, Rect { y, height: 2, ..area }, buffer);
        }
    }
}

/// The indexes of a MongoDB collection as they are saved: name, and key with its seconds.
fn indexes(model: &Model, form: &TtlForm) -> Vec<(String, String)> {
    let mut all = vec![("_id_".to_owned(), "{ _id: 1 }".to_owned())];
    if let Some(secs) = form.saved.to_wire() {
        all.push(("_ts_1".to_owned(), format!("{{ _ts: 1 }}   expireAfterSeconds: {secs}")));
    }
    if let Some(Kind::MongoDb { indexes, .. }) = model.catalog.container(form.container).map(|c| &c.kind) {
        let on_one_line = |key: &str| key.split_whitespace().collect::<Vec<_>>().join(" ");
        all.extend(indexes.iter().map(|index| (index.name.clone(), on_one_line(&index.key))));
    }
    all
}

/// The words of the form, by the system of the container.
struct Words {
    title: &'static str,
    options: [&'static str; 3],
    /// What each choice means.
    meanings: [&'static str; 3],
    setting: fn(DefaultTtl) -> String,
    /// The setting is an index.
    indexes: bool,
}

const TIME_TO_LIVE: Words = Words {
    title: "Time to Live",
    options: TTL_OPTIONS,
    meanings: [
        "Off: nothing expires; what is expired and not deleted yet comes back",
        "On (no default): only items with a ttl of their own expire",
        "On: items without a ttl expire so long after their last write, old items too",
    ],
    setting: in_words,
    indexes: false,
};

const TTL_INDEX: Words = Words {
    title: "TTL index on _ts",
    options: ["no TTL index", "expireAfterSeconds: -1", "expireAfterSeconds:"],
    meanings: [
        "no TTL index: nothing expires, a ttl in a document is ignored; what is expired and not deleted yet comes back",
        "-1: only documents with a ttl that counts expire",
        "documents without a ttl that counts expire so long after their last write, old documents too",
    ],
    setting: |ttl| match ttl {
        DefaultTtl::Off => "no TTL index".to_owned(),
        DefaultTtl::NoDefault => "_ts_1 with expireAfterSeconds -1".to_owned(),
        DefaultTtl::Seconds(secs) => {
            format!("_ts_1 with expireAfterSeconds {secs} ({})", words::duration(u64::from(secs)))
        }
    },
    indexes: true,
};

impl Words {
    fn of(api: Api) -> &'static Words {
        match api {
            Api::NoSql | Api::RavenDb => &TIME_TO_LIVE,
            Api::MongoDb => &TTL_INDEX,
        }
    }
}

fn consequences(preview: &TtlPreview, value: DefaultTtl, mut line: impl FnMut(&str, bool)) {
    if preview.expire_at_once.n > 0 {
        line(&format!("!      {} at once", conjugated(preview.expire_at_once, "item", "expires", "expire")), true);
    }
    if preview.come_back.n > 0 {
        line(&format!("!      {} back", conjugated(preview.come_back, "hidden item", "comes", "come")), true);
    }
    if preview.expire_at_once.n + preview.come_back.n == 0 {
        line("       nothing expires at once, nothing comes back", false);
    }
    let (inherit, own, never) = (preview.inherit, preview.own, preview.never);
    let rest = match value {
        DefaultTtl::Off => format!("{} with a ttl of their own stay: it is ignored", words::counted(own, "item")),
        DefaultTtl::NoDefault => {
            format!("{} keep their own ttl, {} never expire", words::count(own), words::count(inherit + never))
        }
        DefaultTtl::Seconds(_) => format!(
            "{} follow the container, {} keep their own ttl, {} never expire",
            words::count(inherit),
            words::count(own),
            words::count(never)
        ),
    };
    line(&format!("       {rest}"), false);
}

fn conjugated(count: Count, noun: &str, one: &str, many: &str) -> String {
    let verb = if count.n == 1 && !count.more { one } else { many };
    format!("{} {verb}", counted(count, noun))
}

pub fn counted(count: Count, noun: &str) -> String {
    if count.more { format!("more than {} {noun}s", words::count(count.n)) } else { words::counted(count.n, noun) }
}

fn in_words(ttl: DefaultTtl) -> String {
    match ttl {
        DefaultTtl::Seconds(secs) => format!("On · {secs} s ({})", words::duration(u64::from(secs))),
        other => other.to_string(),
    }
}

/// Save and Discard, enabled by state.
fn buttons(model: &Model, form: &TtlForm, theme: &Theme, area: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    let dirty = form.is_dirty();
    let can_save = dirty && form.value().is_ok() && !form.saving;
    let buttons = [(Action::Save, "Save", can_save), (Action::Discard, "Discard", dirty)];
    row_of_buttons(model, &buttons, theme, area, buffer, drawn);
}

/// Buttons with their keys: action, words, whether it can be pressed.
pub fn row_of_buttons(
    model: &Model,
    buttons: &[(Action, &str, bool)],
    theme: &Theme,
    area: Rect,
    buffer: &mut Buffer,
    drawn: &mut Drawn,
) {
    if area.y >= model.layout().body.bottom() {
        return;
    }
    let mut x = area.x;
    for (action, label, enabled) in buttons {
        let key = model.keymap.key(model.context(), true, *action);
        let key = key.or_else(|| model.keymap.key(Context::Settings, true, *action));
        let words = format!("[ {label} {} ]", key.map(|key| key.to_string()).unwrap_or_default());
        let width = text::width(&words) as u16;
        put(buffer, x, area.y, width, &words, if *enabled { theme.button } else { theme.disabled });
        if *enabled {
            drawn.hit(Rect { x, width, ..area }, Target::Action(*action));
        }
        x += width + 3;
    }
}
