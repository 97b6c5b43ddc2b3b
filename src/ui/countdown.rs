//! The Countdown tab: what expires next, what is hidden, what has just gone.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::countdown::{Falling, State, life_left};
use crate::app::{Focus, Layout, Model, Target};
use crate::domain::nosql::Source;
use crate::domain::ravendb::Cleaner;
use crate::domain::{Instant, words};
use crate::engine::{Api, ContainerNo, Count, Kind, Scope};

use super::bar::{self, bar};
use super::items::Over;
use crate::app::text;

use super::theme::Theme;
use super::{Drawn, light_up, put, put_right};

/// The width of the column of times: `-29 d 23:59:58`.
const TIME: u16 = 16;
/// On a wide screen the columns stay together.
const WIDEST_ID: u16 = 48;

pub fn draw(model: &Model, theme: &Theme, layout: &Layout, buffer: &mut Buffer, drawn: &mut Drawn) {
    let area = layout.list;
    let focused = model.focus == Focus::Countdown;
    drawn.hit(area, Target::CountdownPane);
    totals(model, theme, area, buffer);
    heading(model, theme, Rect { y: area.y + 1, height: 1, ..area }, focused, buffer);
    let (first, rows) = model.countdown.view.visible();
    if rows.is_empty() && !model.countdown.view.is_waiting() {
        let words =
            "Nothing expires here: no item has a time to live that counts. 2 sets one, o looks at more containers.";
        put(buffer, area.x + 2, area.y + 3, area.width.saturating_sub(3), words, theme.dim);
    }
    for (offset, row) in rows.iter().enumerate() {
        let index = first + offset;
        let line = Rect { y: area.y + 2 + offset as u16, height: 1, ..area };
        if line.y >= area.bottom() {
            break;
        }
        drawn.hit(line, Target::Countdown(index));
        let current = index == model.countdown.view.cursor();
        if current {
            light_up(buffer, line, focused, theme, drawn);
            put(buffer, line.x, line.y, 1, "▌", theme.accent);
        }
        falling(model, model.countdown.scope, theme, row, line, buffer);
    }
    if let Some(row) = model.countdown.view.current() {
        let item = &row.item;
        let (no, row) = (item.position.container, &item.row);
        let words = model.catalog.explain(no, &row.lifetime, row.written, &[], item.run, model.now);
        super::items::why(theme, layout, &words, buffer);
    }
}

fn totals(model: &Model, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let Some(totals) = model.totals_of(model.countdown.scope) else {
        return;
    };
    let number = |count: Count| format!("{}{}", if count.more { ">" } else { "" }, words::count(count.n));
    let next = match totals.next {
        Some(at) => words::countdown(at.secs_left(model.now).max(0)),
        None => "–".to_owned(),
    };
    let mut x = area.x + 1;
    let alive = totals.alive();
    let alive = format!("{}{}", if alive.more { "<" } else { "" }, words::count(alive.n));
    let mut numbers = vec![("alive", alive)];
    // Of RavenDB nothing is hidden, of Cosmos DB nothing waits in sight: only what can be is named.
    let raven = match model.countdown.scope {
        Scope::Everything => None,
        Scope::Database(no) => model.catalog.database(no).map(|database| database.api == Api::RavenDb),
        Scope::Container(no) => Some(model.api_of(no) == Api::RavenDb),
    };
    if raven != Some(true) {
        numbers.push(("hidden", number(totals.hidden)));
    }
    if raven == Some(true) || totals.waiting.n > 0 {
        numbers.push(("waiting", number(totals.waiting)));
    }
    numbers.extend([("deleted", words::count(totals.deleted)), ("next", next)]);
    for (name, value) in numbers {
        x = put(buffer, x, area.y, area.right().saturating_sub(x), &format!("{name} "), theme.dim);
        x = put(buffer, x, area.y, area.right().saturating_sub(x), &value, theme.strong) + 3;
    }
    let scope = scope_name(model, model.countdown.scope);
    let follow = if model.countdown.following { " · following" } else { "" };
    if x < area.right() {
        put_right(
            buffer,
            Rect { x, width: area.right() - x - 1, height: 1, y: area.y },
            &format!("{scope}{follow}"),
            theme.dim,
        );
    }
}

/// The name of what is looked at.
pub fn scope_name(model: &Model, scope: Scope) -> String {
    match scope {
        Scope::Everything => "everything".to_owned(),
        Scope::Database(no) => model.catalog.names.get(&no).cloned().unwrap_or_default(),
        Scope::Container(no) => name(model, no),
    }
}

/// The name of a container without its database: the column is narrow.
fn name(model: &Model, no: ContainerNo) -> String {
    model.catalog.container(no).map_or(String::new(), |container| match container.kind {
        Kind::Documents { .. } => model.name_of(no),
        _ => container.name.clone(),
    })
}

fn heading(model: &Model, theme: &Theme, line: Rect, focused: bool, buffer: &mut Buffer) {
    let style = if focused { theme.title_focused } else { theme.dim };
    put_right(buffer, Rect { width: TIME, ..line }, "expires in", style);
    let (id, container, _) = columns(model.countdown.scope, line.width);
    put(buffer, line.x + TIME + 2, line.y, id, "id", theme.dim);
    if container > 0 {
        put(buffer, line.x + TIME + 2 + id, line.y, container, "container", theme.dim);
    }
}

/// The widths of id, container and bar.
fn columns(scope: Scope, width: u16) -> (u16, u16, u16) {
    let state = match width {
        76.. => 36,
        56.. => 22,
        _ => 8,
    };
    let bar = if width >= 70 { bar::WIDTH as u16 + 2 } else { 0 };
    let rest = width.saturating_sub(TIME + 2 + state + bar);
    let several = !matches!(scope, Scope::Container(_));
    let container = if several && rest >= 20 { rest / 2 } else { 0 };
    ((rest - container).min(WIDEST_ID), container, bar)
}

/// A line of an item in a scope: when, which, how much of its life is left, in words.
pub fn falling(model: &Model, scope: Scope, theme: &Theme, row: &Falling, line: Rect, buffer: &mut Buffer) {
    let base = buffer[(line.x + 1, line.y)].style();
    let over = Over::of(base, theme);
    let position = &row.item.position;
    let Some(holder) = model.catalog.container(position.container) else { return };
    let state = row.state(holder, model.now);
    let left = position.at.secs_left(model.now);
    let style = match state {
        State::Healthy => base,
        State::Soon => over.style(theme.warning),
        State::Hidden | State::Waiting => over.style(theme.gone),
        State::Deleted => base.patch(theme.deleted),
    };
    put_right(buffer, Rect { width: TIME, ..line }, &words::countdown(left), style);
    let (id, container, bar_width) = columns(scope, line.width);
    let mut x = line.x + TIME + 2;
    let shown = match holder.kind {
        // What tells ObjectIds apart is their end.
        Kind::MongoDb { .. } => text::fit_end(&row.item.row.id, usize::from(id.saturating_sub(1))),
        _ => row.item.row.id.clone(),
    };
    put(buffer, x, line.y, id.saturating_sub(1), &shown, style);
    x += id;
    if container > 0 {
        put(buffer, x, line.y, container - 1, &name(model, position.container), over.style(theme.dim));
    }
    x += container;
    if bar_width > 0 {
        let (share, source) = match row.item.row.end(holder) {
            Some(end) if row.deleted.is_none() => (life_left(end, model.now), end.source),
            _ => (0.0, Source::Item),
        };
        let (full, empty) = bar(share, source);
        let fill = match (state, source) {
            (State::Soon, _) => theme.warning,
            (_, Source::Item) => theme.bar_own,
            (_, Source::Container) => theme.bar_inherit,
        };
        let end = put(buffer, x, line.y, bar_width, &full, over.style(fill));
        put(buffer, end, line.y, bar_width, &empty, over.style(theme.dim));
    }
    x += bar_width;
    put(buffer, x, line.y, line.right().saturating_sub(x), &text::fit(&in_words(model, row, state), 40), style);
}

fn in_words(model: &Model, row: &Falling, state: State) -> String {
    match state {
        State::Healthy | State::Soon => {
            let word = if state == State::Soon { "soon" } else { "healthy" };
            match run_in_words(model, row) {
                Some(run) => format!("{word} · {run}"),
                None => word.to_owned(),
            }
        }
        State::Waiting => match run_in_words(model, row) {
            Some(run) => format!("expired, visible · {run}"),
            None => "expired, visible".to_owned(),
        },
        State::Hidden if model.sweeper.paused => "expired, hidden · sweeper paused".to_owned(),
        State::Hidden => {
            let at = row.item.position.at.plus_secs(i64::from(model.sweeper.delay));
            let left = at.secs_left(model.now);
            if left > 0 {
                format!("expired, hidden · deleted in {}", words::countdown(left))
            } else {
                "expired, hidden · being deleted".to_owned()
            }
        }
        State::Deleted => {
            let ago = row.deleted.map_or(0, |at: Instant| model.now.ticks_since(at));
            format!("deleted {:.1} s ago", ago as f64 / crate::domain::time::TICKS_PER_SECOND as f64)
        }
    }
}

/// The run that deletes a document of RavenDB: `run in 00:48`; `None` for anything else.
fn run_in_words(model: &Model, row: &Falling) -> Option<String> {
    let no = row.item.position.container;
    if model.api_of(no) != Api::RavenDb {
        return None;
    }
    Some(match (row.item.run, model.catalog.cleaner(no, model.now)) {
        _ if model.sweeper.paused => "runs paused".to_owned(),
        (Some(run), _) => format!("run in {}", words::countdown(run.secs_left(model.now).max(0))),
        (None, Cleaner::Runs { .. }) => "a later run".to_owned(),
        (None, Cleaner::TakesNone) => "runs delete nothing".to_owned(),
        (None, Cleaner::Off) => "no run: off".to_owned(),
    })
}
