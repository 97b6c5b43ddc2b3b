//! The tree: databases, containers, and below them Items and Settings.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::{Branch, Focus, Layout, Model, Node, Target};
use crate::domain::nosql::DefaultTtl;
use crate::domain::words;
use crate::engine::{ContainerNo, Kind, Scope};

use crate::app::text;

use super::theme::Theme;
use super::{Drawn, clear, light_up, put, put_right};

pub fn draw(model: &Model, theme: &Theme, layout: &Layout, buffer: &mut Buffer, drawn: &mut Drawn) {
    let area = layout.tree;
    let focused = model.focus == Focus::Tree;
    if layout.drawer {
        clear(buffer, area, theme.text);
        for y in area.top()..area.bottom() {
            put(buffer, area.right() - 1, y, 1, "│", theme.border);
        }
    }
    let area = if layout.drawer { Rect { width: area.width - 1, ..area } } else { area };
    for y in layout.divider.top()..layout.divider.bottom() {
        put(buffer, layout.divider.x, y, 1, "│", theme.border);
    }
    drawn.hit(area, Target::TreePane);
    put(buffer, area.x + 1, area.y, area.width - 1, "Data", if focused { theme.title_focused } else { theme.title });
    let lines = Rect { y: area.y + 1, height: area.height - 1, ..area };
    if model.tree.lines().is_empty() {
        put(buffer, lines.x + 1, lines.y, lines.width - 1, "No databases. D makes one.", theme.dim);
    }
    let shown = model.tree.lines().iter().enumerate().skip(model.tree.top()).take(usize::from(lines.height));
    for (y, (index, branch)) in (lines.y..).zip(shown) {
        let row = Rect { y, height: 1, ..lines };
        let current = index == model.tree.cursor();
        if current {
            light_up(buffer, row, focused, theme, drawn);
        }
        drawn.hit(row, Target::Tree(index));
        line(model, theme, branch, row, buffer);
    }
}

fn line(model: &Model, theme: &Theme, branch: &Branch, row: Rect, buffer: &mut Buffer) {
    let fold = match branch.unfolded {
        Some(true) => "▾",
        Some(false) => "▸",
        None => "·",
    };
    let indent = 1 + branch.depth as u16 * 2;
    let remark = match branch.node {
        Node::Database(_) => branch.api.map(|api| api.to_string()).unwrap_or_default(),
        Node::Container(no) => numbers(model, no),
        Node::Settings(no) => expiration(model, no),
        Node::Items(_) => String::new(),
    };
    let remark_width = text::width(&remark) as u16;
    let open = matches!(branch.node, Node::Container(no) if model.container == Some(no));
    let style = if open { theme.strong } else { buffer[(row.x, row.y)].style() };
    let room = row.width.saturating_sub(indent + 2 + remark_width + 2);
    put(buffer, row.x + indent, row.y, 2, fold, theme.dim);
    put(buffer, row.x + indent + 2, row.y, room, &branch.name, style);
    put_right(buffer, Rect { x: row.x + row.width - remark_width - 1, width: remark_width, ..row }, &remark, theme.dim);
}

/// Of a RavenDB database how its runs come: `a run every 1m`.
fn expiration(model: &Model, no: ContainerNo) -> String {
    match model.catalog.container(no).map(|container| &container.kind) {
        Some(Kind::Documents { configuration: Some(on), .. }) if !on.disabled => {
            format!("run every {}", short_duration(on.frequency()))
        }
        Some(Kind::Documents { .. }) => "expiration off".to_owned(),
        _ => String::new(),
    }
}

/// The number of items and the setting: `  1,204 On 20 m`; of documents the number.
fn numbers(model: &Model, no: ContainerNo) -> String {
    let alive = model.totals_of(Scope::Container(no)).map_or(String::new(), |totals| {
        let alive = totals.alive();
        format!("{}{}", if alive.more { "<" } else { "" }, words::count(alive.n))
    });
    let setting = match model.catalog.container(no).map(|container| &container.kind) {
        Some(Kind::NoSql { default_ttl, .. }) => match default_ttl {
            DefaultTtl::Off => "Off".to_owned(),
            DefaultTtl::NoDefault => "On".to_owned(),
            DefaultTtl::Seconds(secs) => format!("On {}", short_duration(*secs)),
        },
        Some(Kind::MongoDb { ttl_index, .. }) => match ttl_index {
            DefaultTtl::Off => "no TTL".to_owned(),
            DefaultTtl::NoDefault => "TTL -1".to_owned(),
            DefaultTtl::Seconds(secs) => format!("TTL {}", short_duration(*secs)),
        },
        Some(Kind::Documents { .. } | Kind::Collection { .. }) | None => return alive,
    };
    format!("{alive:>6} {setting:<7}")
}

/// The largest unit of a duration, `+` where there is more: `30d`, `20m`, `1m+`.
fn short_duration(secs: u32) -> String {
    let units = [(86_400, 'd'), (3_600, 'h'), (60, 'm'), (1, 's')];
    let (size, unit) = units.into_iter().find(|(size, _)| secs >= *size).unwrap_or((1, 's'));
    let more = if secs.is_multiple_of(size) { "" } else { "+" };
    format!("{}{unit}{more}", secs / size)
}
