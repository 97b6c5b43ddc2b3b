//! The keys, by context, from the one table.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::{Context, Model};

use super::theme::Theme;
use super::{overlay, put};

/// The width of the keys.
const KEYS: u16 = 22;

pub fn draw(model: &Model, theme: &Theme, scrolled: usize, screen: Rect, buffer: &mut Buffer) {
    let width = screen.width.saturating_sub(4).min(88);
    let area = Rect {
        x: screen.x + (screen.width - width) / 2,
        y: screen.y + 1,
        width,
        height: screen.height.saturating_sub(2),
    };
    overlay(buffer, area, "Keys", theme);
    let foot = " ↑↓ PgUp PgDn scroll · any other key closes ";
    put(buffer, area.x + 2, area.bottom() - 1, area.width - 4, foot, theme.dim);
    let lines = lines(model);
    let height = usize::from(area.height.saturating_sub(2));
    let top = scrolled.min(lines.len().saturating_sub(height));
    let inner = Rect { x: area.x + 2, y: area.y + 1, width: area.width - 4, height: area.height - 2 };
    for (y, line) in (inner.y..inner.bottom()).zip(lines.iter().skip(top)) {
        match line {
            Entry::Heading(title) => {
                put(buffer, inner.x, y, inner.width, title, theme.title);
            }
            Entry::Key(keys, what) => {
                put(buffer, inner.x + 1, y, KEYS - 2, keys, theme.key);
                put(buffer, inner.x + KEYS, y, inner.width.saturating_sub(KEYS), what, theme.text);
            }
            Entry::Blank => {}
        }
    }
}

enum Entry {
    Heading(&'static str),
    Key(String, &'static str),
    Blank,
}

/// The context of the focus comes first.
fn lines(model: &Model) -> Vec<Entry> {
    let here = model.context();
    let mut contexts = vec![here];
    contexts.extend(Context::ALL.into_iter().filter(|context| *context != here));
    let mut lines = Vec::new();
    for context in contexts {
        if !lines.is_empty() {
            lines.push(Entry::Blank);
        }
        lines.push(Entry::Heading(context.title()));
        for (action, keys) in model.keymap.of_context(context) {
            let keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
            lines.push(Entry::Key(keys.join("  "), action.help()));
        }
    }
    lines
}
