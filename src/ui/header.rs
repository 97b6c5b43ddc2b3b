//! The line at the top: where we are, what the sweeper does, what is next, what time it is.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::{Layout, Model, Tab};
use crate::domain::words;
use crate::engine::{Api, ClockState, Scope};

use crate::app::text;

use super::theme::Theme;
use super::{put, put_right};

pub fn draw(model: &Model, theme: &Theme, layout: &Layout, buffer: &mut Buffer) {
    let area = layout.header;
    buffer.set_style(area, theme.header);
    let place = match model.open_container() {
        _ if model.tab == Tab::Shell => format!("{} › shell", model.shell.session.database),
        Some(container) => {
            let database = model.catalog.names.get(&container.database).map_or("", String::as_str);
            format!("{database} › {}", container.name)
        }
        None => String::new(),
    };
    let (left, time) = (format!("{}   {}   ", sweeper(model, area.width), next(model)), format!("{} ", clock(model)));
    let (left_width, time_width) = (text::width(&left) as u16, text::width(&time) as u16);
    let right_width = left_width + time_width;
    let name = if area.width < 60 { "" } else { " ttl-explorer  " };
    let x = put(buffer, area.x, area.y, area.width, name, theme.accent);
    let room = area.width.saturating_sub(right_width).saturating_sub(x - area.x);
    put(buffer, x + 1, area.y, room.saturating_sub(3), &place, theme.strong);
    let time_style = if model.clock.moved { theme.warning } else { theme.header };
    let room = area.width.saturating_sub(time_width);
    put_right(buffer, area, &time, time_style);
    put_right(buffer, Rect { width: room, ..area }, &left, theme.header);
}

fn sweeper(model: &Model, width: u16) -> String {
    if let Some(no) = model.container.filter(|no| model.api_of(*no) == Api::RavenDb && width >= 60) {
        return match model.next_run(no) {
            Some(run) => format!("● run in {}", words::countdown(run.secs_left(model.now).max(0))),
            None if model.sweeper.paused => "‖ runs paused".to_owned(),
            None => "expiration off".to_owned(),
        };
    }
    let word = if width < 100 { "" } else { "sweeper " };
    if width < 60 {
        String::new()
    } else if model.sweeper.paused {
        format!("{word}‖ paused")
    } else if model.sweeper.delay == 0 {
        format!("{word}● at once")
    } else {
        format!("{word}● {} delay", words::duration(u64::from(model.sweeper.delay)))
    }
}

fn next(model: &Model) -> String {
    match model.totals_of(Scope::Everything).and_then(|totals| totals.next) {
        Some(at) => format!("next {:>5}", words::countdown(at.secs_left(model.now).max(0))),
        None => "nothing expires".to_owned(),
    }
}

/// The time, to the minute while nothing counts seconds; of a clock that was moved the date, and how it runs.
fn clock(model: &Model) -> String {
    let Some(utc) = model.now.to_utc() else { return String::new() };
    match model.clock {
        ClockState { moved: true, paused: true, .. } => utc.format("%Y-%m-%d %H:%M:%SZ ‖ paused").to_string(),
        ClockState { moved: true, rate, .. } => format!("{} {rate}", utc.format("%Y-%m-%d %H:%M:%SZ")),
        _ if model.counts_seconds() => utc.format("%H:%M:%SZ").to_string(),
        _ => utc.format("%H:%MZ").to_string(),
    }
}
