//! The list of items: id, partition key, TTL and where it comes from, what is left.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::countdown::{is_soon, life_left};
use crate::app::item_pane::ItemPane;
use crate::app::{Action, Context, Focus, Layout, Model, Target};
use crate::domain::mongodb::DocumentTtl;
use crate::domain::nosql::{DefaultTtl, ItemTtl, Source};
use crate::domain::ravendb::Expires;
use crate::domain::{Instant, words};
use crate::engine::{Api, Container, End, Kind, Lifetime, Row};

use super::bar::{self, bar};
use crate::app::text;

use super::theme::Theme;
use super::{Drawn, light_up, put, put_right};

/// The widths of the columns, for a list of this width: id, partition key, TTL, source, left, bar.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    pub id: u16,
    pub partition: u16,
    pub ttl: u16,
    pub source: u16,
    pub left: u16,
    pub bar: u16,
}

impl Columns {
    /// Id and time are always there; TTL, partition key and bar where there is room.
    pub fn of(width: u16) -> Columns {
        // On a narrow screen the line that explains says the TTL.
        let (ttl, source) = if width >= 52 { (12, 6) } else { (0, 0) };
        let left = 17;
        let bar = if width >= 78 { bar::WIDTH as u16 + 2 } else { 0 };
        let fixed = 2 + ttl + source + left + bar;
        let rest = width.saturating_sub(fixed);
        let partition = if rest >= 24 { rest * 2 / 5 } else { 0 };
        Columns { id: rest - partition, partition, ttl, source, left, bar }
    }
}

pub fn draw(model: &Model, theme: &Theme, layout: &Layout, buffer: &mut Buffer, drawn: &mut Drawn) {
    let area = layout.list;
    let Some(container) = model.open_container() else {
        put(
            buffer,
            area.x + 2,
            area.y + 1,
            area.width.saturating_sub(3),
            "No container is open. Enter opens one in the tree, C makes one.",
            theme.dim,
        );
        return;
    };
    explanation(model, theme, layout, buffer);
    if area.height == 0 {
        return;
    }
    drawn.hit(area, Target::ItemsPane);
    let mut columns = Columns::of(area.width);
    if let Kind::MongoDb { .. } = container.kind
        && columns.partition > 0
    {
        // Why a ttl does not count wants more room than an id.
        let rest = columns.id + columns.partition;
        columns = Columns { id: rest * 2 / 5, partition: rest - rest * 2 / 5, ..columns };
    }
    let focused = model.focus == Focus::Items;
    let second = match &container.kind {
        Kind::NoSql { partition_key, .. } => partition_key.to_string(),
        Kind::MongoDb { .. } => "own ttl".to_owned(),
        Kind::Documents { .. } => "collection".to_owned(),
        Kind::Collection { .. } => String::new(),
    };
    let raven = container.api() == Api::RavenDb;
    heading(theme, columns, area, &second, if raven { "@expires" } else { "TTL" }, focused, buffer);
    let (first, rows) = model.items.visible();
    if rows.is_empty() && !model.items.is_waiting() {
        let key =
            model.keymap.key(Context::Items, false, Action::NewItem).map(|key| key.to_string()).unwrap_or_default();
        put(
            buffer,
            area.x + 2,
            area.y + 2,
            area.width.saturating_sub(3),
            &if model.filter.applied.is_some() {
                format!("No {} matches the filter.", model.noun(container.no))
            } else {
                format!("No {}s. {key} makes one.", model.noun(container.no))
            },
            theme.dim,
        );
    }
    for (offset, row) in rows.iter().enumerate() {
        let index = first + offset;
        let line = Rect { y: area.y + 1 + offset as u16, height: 1, ..area };
        if line.y >= area.bottom() {
            break;
        }
        drawn.hit(line, Target::Item(index));
        let current = index == model.items.cursor();
        if current {
            light_up(buffer, line, focused, theme, drawn);
        }
        let mark = match (model.marked.contains(&row.key), current) {
            (true, _) => "✓",
            (false, true) => "▌",
            (false, false) => " ",
        };
        put(buffer, line.x, line.y, 1, mark, if current { theme.accent } else { theme.text });
        item(model, theme, columns, container, row, line, buffer);
    }
}

fn heading(
    theme: &Theme,
    columns: Columns,
    area: Rect,
    partition: &str,
    ttl: &str,
    focused: bool,
    buffer: &mut Buffer,
) {
    let style = if focused { theme.title_focused } else { theme.dim };
    let mut x = area.x + 2;
    put(buffer, x, area.y, columns.id.saturating_sub(1), "id", style);
    x += columns.id;
    put(buffer, x, area.y, columns.partition.saturating_sub(1), partition, theme.dim);
    x += columns.partition;
    put_right(buffer, Rect { x, width: columns.ttl.saturating_sub(1), ..area }, ttl, theme.dim);
    x += columns.ttl + columns.source;
    put_right(buffer, Rect { x, width: columns.left - 1, ..area }, "expires in", theme.dim);
}

fn item(
    model: &Model,
    theme: &Theme,
    columns: Columns,
    container: &Container,
    row: &Row,
    line: Rect,
    buffer: &mut Buffer,
) {
    let base = buffer[(line.x + 1, line.y)].style();
    let over = Over::of(base, theme);
    let mut x = line.x + 2;
    let room = columns.id.saturating_sub(1);
    match container.kind {
        // What tells ObjectIds apart is their end.
        Kind::MongoDb { .. } => put(buffer, x, line.y, room, &text::fit_end(&row.id, usize::from(room)), base),
        _ => put(buffer, x, line.y, room, &row.id, base),
    };
    x += columns.id;
    if columns.partition > 0 {
        let second = match container.kind {
            Kind::NoSql { .. } => row.partition.iter().map(ToString::to_string).collect::<Vec<String>>().join(", "),
            Kind::MongoDb { .. } => typed_ttl(container, &row.lifetime),
            Kind::Documents { .. } => row
                .collection
                .and_then(|no| model.catalog.container(no))
                .map_or(String::new(), |collection| collection.name.clone()),
            Kind::Collection { .. } => String::new(),
        };
        put(buffer, x, line.y, columns.partition - 1, &second, base);
    }
    x += columns.partition;
    let end = row.end(container);
    if let Some(end) = end.filter(|end| end.at <= model.now && !container.hides_expired()) {
        let width = line.right().saturating_sub(x + 1);
        put_right(buffer, Rect { x, width, ..line }, &waiting(model, container, end, width), over.style(theme.gone));
        return;
    }
    let (ttl, source) = lifetime_words(container.default_ttl(), &row.lifetime, model.now);
    put_right(buffer, Rect { x, width: columns.ttl.saturating_sub(1), ..line }, &ttl, base);
    x += columns.ttl;
    put(buffer, x, line.y, columns.source.saturating_sub(1), source, over.style(theme.dim));
    x += columns.source;
    remaining(model, theme, columns, row, end, Rect { x, ..line }, over, buffer);
}

/// A document that is expired and seen until a run deletes it: as much as there is room for.
fn waiting(model: &Model, container: &Container, end: End, width: u16) -> String {
    let ago = words::countdown(end.at.secs_left(model.now).saturating_neg());
    let run = match model.next_run(container.no) {
        Some(run) => format!("next run in {}", words::countdown(run.secs_left(model.now).max(0))),
        None if model.sweeper.paused => "runs are paused".to_owned(),
        None => "no run comes".to_owned(),
    };
    let whole = format!("expired {ago} ago · {run}");
    if text::width(&whole) <= usize::from(width) { whole } else { format!("expired {ago}") }
}

/// The style of a row, and what may be laid over it: on the row under the cursor nothing, so that it is one piece.
#[derive(Clone, Copy, Debug)]
pub struct Over {
    /// The row's own style.
    pub base: Style,
    selected: bool,
}

impl Over {
    /// Over a row that is drawn in this style.
    pub fn of(base: Style, theme: &Theme) -> Over {
        Over { base, selected: base.add_modifier.contains(theme.selection.add_modifier) }
    }

    /// The style of a part of the row.
    pub fn style(self, style: Style) -> Style {
        if self.selected { self.base } else { self.base.patch(style) }
    }
}

/// Whether the `ttl` of a document of MongoDB counts, and if not, why.
fn typed_ttl(container: &Container, lifetime: &Lifetime) -> String {
    match lifetime {
        Lifetime::Typed(DocumentTtl::Ignored(why)) => why.to_string(),
        Lifetime::Typed(DocumentTtl::Absent) => String::new(),
        Lifetime::Typed(_) if container.default_ttl() == DefaultTtl::Off => "no TTL index".to_owned(),
        Lifetime::Typed(_) => "counts".to_owned(),
        Lifetime::Ttl(_) | Lifetime::Expires(_) => String::new(),
    }
}

/// What counts and where it comes from: a number of seconds, or an instant.
fn lifetime_words(default: DefaultTtl, lifetime: &Lifetime, now: Instant) -> (String, &'static str) {
    let (ttl, own) = match lifetime {
        Lifetime::Ttl(ttl) => (*ttl, "item"),
        Lifetime::Typed(ttl) => (ttl.clone().effective(), "doc."),
        Lifetime::Expires(Expires::At { at, .. }) => {
            let words = words::instant(*at, now);
            // Of another day the day is what counts.
            return (words.split_once(' ').map_or(words.as_str(), |(day, _)| day).to_owned(), "");
        }
        Lifetime::Expires(Expires::Untracked(_)) => return ("not tracked".to_owned(), ""),
        Lifetime::Expires(Expires::Absent) => return ("none".to_owned(), ""),
    };
    match (default, ttl) {
        (_, ItemTtl::Never) => ("-1".to_owned(), own),
        (_, ItemTtl::Seconds(secs)) => (format!("{secs} s"), own),
        (DefaultTtl::Seconds(secs), ItemTtl::Absent) => {
            (format!("{secs} s"), if own == "item" { "cont." } else { "coll." })
        }
        (DefaultTtl::Off | DefaultTtl::NoDefault, ItemTtl::Absent) => ("none".to_owned(), ""),
    }
}

#[expect(clippy::too_many_arguments, reason = "a cell needs its place, its style and what it shows")]
fn remaining(
    model: &Model,
    theme: &Theme,
    columns: Columns,
    row: &Row,
    end: Option<End>,
    place: Rect,
    over: Over,
    buffer: &mut Buffer,
) {
    let cell = Rect { width: columns.left - 1, ..place };
    match end {
        Some(end) => {
            let left = end.at.secs_left(model.now);
            let soon = is_soon(end, model.now);
            let style = if soon { over.style(theme.warning) } else { over.base };
            let words = if soon { format!("soon {:>5}", words::countdown(left)) } else { words::countdown(left) };
            put_right(buffer, cell, &words, style);
            if columns.bar > 0 {
                let (full, empty) = bar(life_left(end, model.now), end.source);
                let fill = if end.source == Source::Item { theme.bar_own } else { theme.bar_inherit };
                let x = place.x + columns.left + 1;
                let end =
                    put(buffer, x, place.y, columns.bar, &full, over.style(if soon { theme.warning } else { fill }));
                put(buffer, end, place.y, columns.bar, &empty, over.style(theme.dim));
            }
        }
        None => {
            let words = if row.has_lookalike { "never ?" } else { "never" };
            put_right(buffer, cell, words, over.style(theme.dim));
        }
    }
}

/// The line that explains: the item under the cursor, or what the text in the editor would become.
fn explanation(model: &Model, theme: &Theme, layout: &Layout, buffer: &mut Buffer) {
    let Some(container) = model.open_container() else {
        return;
    };
    let editing = model.pane.as_ref().filter(|_| model.focus == Focus::Editor);
    if let Some(pane) = editing.filter(|pane| pane.is_dirty() || pane.row().is_none()) {
        if let Some(lifetime) = &pane.draft {
            let run = run_of(model, container, lifetime);
            let words = model.catalog.explain(container.no, lifetime, model.now, &[], run, model.now);
            why(theme, layout, &format!("saved now: {words}{}", today(model, container, pane)), buffer);
        }
        return;
    }
    let Some(row) = editing.map_or(model.items.current(), |pane| pane.row()) else {
        return;
    };
    let lookalikes = match &model.pane {
        Some(pane) if pane.row().is_some_and(|open| open.key == row.key) => pane.lookalikes.as_slice(),
        _ => &[],
    };
    let run = run_of(model, container, &row.lifetime);
    let mut words = model.catalog.explain(container.no, &row.lifetime, row.written, lookalikes, run, model.now);
    // The open item can be another one: its row is gone, its text stays.
    if model.pane.as_ref().is_some_and(|pane| pane.row().is_none_or(|open| open.key != row.key)) {
        words = format!("{}: {words}", row.id);
    }
    why(theme, layout, &words, buffer);
}

/// What becomes of the stored item as it is, beside what a save would make of it.
fn today(model: &Model, container: &Container, pane: &ItemPane) -> String {
    match pane.row().map(|row| row.end(container)) {
        Some(Some(end)) if end.at <= model.now => "; as stored it is expired".to_owned(),
        Some(Some(end)) => format!("; as stored at {}", words::instant(end.at, model.now)),
        Some(None) => "; as stored never".to_owned(),
        None => String::new(),
    }
}

/// The run that will delete a document, where it is known.
fn run_of(model: &Model, container: &Container, lifetime: &Lifetime) -> Option<Instant> {
    match lifetime {
        Lifetime::Expires(expires) => model.run_for(container.no, expires.at()?),
        Lifetime::Ttl(_) | Lifetime::Typed(_) => None,
    }
}

/// Draws the line that explains, or two where one is too short.
pub fn why(theme: &Theme, layout: &Layout, words: &str, buffer: &mut Buffer) {
    let area = layout.explain;
    let width = area.width.saturating_sub(2);
    let lines = if area.height == 1 { vec![words.to_owned()] } else { text::wrap(words, usize::from(width)) };
    for (y, line) in (area.top()..area.bottom()).zip(lines) {
        put(buffer, area.x + 1, y, width, &line, theme.why);
    }
}
