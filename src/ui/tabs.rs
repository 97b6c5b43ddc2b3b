//! The tabs of the open container, and what is open in it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::{Layout, Model, Tab, Target};
use crate::engine::Api;

use crate::app::text;

use super::theme::Theme;
use super::{Drawn, put, put_right};

pub fn draw(model: &Model, theme: &Theme, layout: &Layout, buffer: &mut Buffer, drawn: &mut Drawn) {
    let area = layout.tabs;
    let mut x = area.x + 1;
    // The shell may be open before any collection is.
    let api = if model.tab == Tab::Shell { Api::MongoDb } else { model.api() };
    for tab in Tab::of(api).iter().copied() {
        let title = tab.title(api);
        let width = title.len() as u16;
        let style = if tab == model.tab { theme.tab_active } else { theme.tab };
        put(buffer, x, area.y, width, title, style);
        drawn.hit(Rect { x, width, ..area }, Target::Tab(tab));
        x += width + 3;
    }
    let dirty_item = model.pane.as_ref().is_some_and(|pane| pane.is_dirty());
    let dirty_settings = model.settings.as_ref().is_some_and(|form| form.is_dirty());
    let state = if dirty_item || dirty_settings { "● edited " } else { "" };
    let width = text::width(state) as u16;
    if x + width < area.right() {
        put_right(buffer, Rect { x, width: area.right() - x, ..area }, state, theme.warning);
    }
}
