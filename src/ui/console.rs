//! The console: the newest line, or many.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::console::{Kind, Line};
use crate::app::{Focus, Layout, Model, Target};

use crate::app::text;

use super::theme::Theme;
use super::{Drawn, put, put_right, ruled_title};

pub fn draw(model: &Model, theme: &Theme, layout: &Layout, buffer: &mut Buffer, drawn: &mut Drawn) {
    let area = layout.console;
    drawn.hit(area, Target::Console);
    let (done, notes, errors) = model.console.counts();
    let running = model.transfers.running.as_ref().map_or(String::new(), |running| format!("{}  ", running.short()));
    let counts = format!("{running}✓ {done}  ! {notes}  ✗ {errors} ");
    let counts_width = text::width(&counts) as u16;
    if model.console.open {
        let focused = model.focus == Focus::Console;
        let title = format!("Console · {}", model.console.filter.label());
        let head = Rect { height: 1, ..area };
        ruled_title(buffer, head, &title, if focused { theme.title_focused } else { theme.title }, theme.border);
        put_right(buffer, head, &counts, theme.dim);
        let height = area.height - 1;
        for (i, message) in model.console.visible(usize::from(height)).into_iter().enumerate() {
            line(theme, message, Rect { y: area.y + 1 + i as u16, height: 1, ..area }, buffer);
        }
        if focused {
            drawn.cursor = Some((area.x, area.bottom() - 1).into());
        }
    } else {
        if let Some(message) = model.console.latest() {
            line(theme, message, Rect { width: area.width.saturating_sub(counts_width + 1), ..area }, buffer);
        }
        put_right(buffer, area, &counts, theme.dim);
    }
}

fn line(theme: &Theme, message: &Line, area: Rect, buffer: &mut Buffer) {
    let (mark, style) = match message.kind {
        Kind::Done => ("✓", theme.success),
        Kind::Expiry => ("◷", theme.gone),
        Kind::Note => ("!", theme.warning),
        Kind::Error => ("✗", theme.error),
    };
    let time = message.at.to_utc().map_or(String::new(), |utc| utc.format("%H:%M:%S").to_string());
    put(buffer, area.x + 1, area.y, 1, mark, style);
    let x = put(buffer, area.x + 3, area.y, area.width.saturating_sub(3), &time, theme.dim);
    put(buffer, x + 1, area.y, area.right().saturating_sub(x + 1), &message.text, theme.text);
}
