//! The open item: its title, its text, what is wrong with it, what became of it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::item_pane::{Gone, ItemPane};
use crate::app::{Action, Context, Focus, Layout, Model, Target};
use crate::domain::words;

use crate::app::text;

use super::theme::Theme;
use super::{Drawn, editor, put, ruled_title};

pub fn draw(model: &Model, theme: &Theme, layout: &Layout, buffer: &mut Buffer, drawn: &mut Drawn) {
    let Some(pane) = &model.pane else { return };
    if layout.item.height == 0 {
        return;
    }
    let focused = model.focus == Focus::Editor;
    let state = if pane.is_dirty() { "  ● edited" } else { "" };
    let title = format!("{}{state}", pane.title());
    ruled_title(
        buffer,
        layout.item_title,
        &title,
        if focused { theme.title_focused } else { theme.title },
        theme.border,
    );

    let banner = banner(model, pane);
    let lines = banner
        .as_ref()
        .map_or(Vec::new(), |(words, _)| text::wrap(words, usize::from(layout.item.width.saturating_sub(2))));
    let banner_height = (lines.len() as u16).min(layout.item.height.saturating_sub(1)).min(3);
    let area = Rect { height: layout.item.height - banner_height, ..layout.item };
    drawn.hit(area, Target::Editor(0, 0));
    let problem = pane.refused.as_ref().or(pane.problem.as_ref()).and_then(|refusal| refusal.place);
    let cursor = editor::draw(buffer, area, &pane.editor, theme, focused, problem);
    if focused {
        drawn.cursor = cursor;
    }
    if let Some((_, severe)) = banner {
        let style = if severe { theme.error } else { theme.warning };
        for (i, line) in lines.iter().take(usize::from(banner_height)).enumerate() {
            put(buffer, area.x + 1, area.bottom() + i as u16, area.width.saturating_sub(1), line, style);
        }
    }
}

/// What stands below the text: a refusal, a problem while typing, the end of the stored item. `true` for what is
/// already refused.
fn banner(model: &Model, pane: &ItemPane) -> Option<(String, bool)> {
    let save = model.keymap.key(Context::Editor, true, Action::Save).map(|key| key.to_string()).unwrap_or_default();
    let in_words = |refusal: &crate::domain::Refusal| {
        let place = refusal.place.map_or(String::new(), |place| format!("{place}: "));
        format!("{place}{}", refusal.in_full())
    };
    if let Some(refused) = &pane.refused {
        return Some((format!("✗ {} {}", refused.status, in_words(refused)), true));
    }
    match pane.gone {
        Some(Gone::Expired(at)) => {
            let when = words::instant(at, model.now);
            let way_out = if pane.editor.read_only().is_some() {
                ""
            } else {
                &format!(" {save} saves it as new, Esc closes it.")
            };
            return Some((format!("expired at {when}: a client gets 404. The text stays.{way_out}"), false));
        }
        Some(Gone::Deleted) => {
            return Some((
                format!("deleted: a client gets 404. The text stays. {save} saves it as new, Esc closes it."),
                false,
            ));
        }
        None => {}
    }
    match &pane.problem {
        Some(problem) if pane.is_dirty() => Some((format!("! {}", in_words(problem)), false)),
        _ => pane.editor.read_only().map(|reason| (format!("read only: {reason}"), false)),
    }
}
