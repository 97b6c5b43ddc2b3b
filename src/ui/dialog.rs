//! A dialog: what there is to know, controls, buttons, and why an answer was not taken.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::Target;
use crate::app::dialog::{Control, Dialog, LIST_LINES};

use crate::app::text;

use super::theme::Theme;
use super::{Drawn, field, overlay, put};

/// The width of the labels.
const LABEL: u16 = 16;

pub fn draw(dialog: &Dialog, theme: &Theme, screen: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    let width = screen.width.saturating_sub(4).min(72);
    let inner_width = width.saturating_sub(4);
    let wrap = |words: &str| text::wrap(words, usize::from(inner_width));
    let mut paragraphs: Vec<String> = Vec::new();
    for (i, paragraph) in dialog.text.iter().enumerate() {
        if i > 0 {
            paragraphs.push(String::new());
        }
        paragraphs.extend(wrap(paragraph));
    }
    if !paragraphs.is_empty() {
        paragraphs.push(String::new());
    }
    let error = dialog.error.as_deref().map_or(Vec::new(), |error| wrap(&format!("✗ {error}")));
    let controls: usize = dialog.controls.iter().map(Control::height).sum();
    let stacked = text::width(&buttons_line(dialog)) > usize::from(inner_width);
    let buttons = if stacked { dialog.buttons.len() } else { 1 };
    let remark = dialog.remark.as_deref().map_or(Vec::new(), wrap);
    let lines = |words: &[String]| if words.is_empty() { 0 } else { words.len() + 1 };
    let gap = usize::from(controls > 0) + lines(&remark) + lines(&error);
    let height = (paragraphs.len() + controls + gap + buttons + 2).min(usize::from(screen.height)) as u16;
    let area =
        Rect { x: screen.x + (screen.width - width) / 2, y: screen.y + (screen.height - height) / 3, width, height };
    drawn.hit(screen, Target::Dialog);
    overlay(buffer, area, &dialog.title, theme);
    let inner = Rect { x: area.x + 2, y: area.y + 1, width: inner_width, height: area.height.saturating_sub(2) };
    drawn.cursor = None;
    let mut y = inner.y;
    for line in &paragraphs {
        if y < inner.bottom() {
            put(buffer, inner.x, y, inner.width, line, theme.text);
        }
        y += 1;
    }
    for (index, control) in dialog.controls.iter().enumerate() {
        if y < inner.bottom() {
            self::control(dialog, index, control, theme, Rect { y, height: 1, ..inner }, buffer, drawn);
        }
        y += control.height() as u16;
    }
    y += u16::from(controls > 0);
    for (words, style) in [(&remark, theme.dim), (&error, theme.error)] {
        for line in words {
            if y < inner.bottom() {
                put(buffer, inner.x, y, inner.width, line, style);
            }
            y += 1;
        }
        y += u16::from(!words.is_empty());
    }
    self::buttons(dialog, theme, Rect { y, height: inner.bottom().saturating_sub(y), ..inner }, stacked, buffer, drawn);
}

fn control(
    dialog: &Dialog,
    index: usize,
    control: &Control,
    theme: &Theme,
    line: Rect,
    buffer: &mut Buffer,
    drawn: &mut Drawn,
) {
    let focused = dialog.focus == index;
    drawn.hit(line, Target::Control(index));
    let label_style = if focused { theme.title_focused } else { theme.dim };
    match control {
        Control::Text { label, field } => {
            put(buffer, line.x, line.y, LABEL - 1, label, label_style);
            let note = dialog.note(index);
            let note_width = note.as_deref().map_or(0, text::width) as u16;
            let width = line.width.saturating_sub(LABEL + if note_width > 0 { note_width + 2 } else { 0 });
            let place = Rect { x: line.x + LABEL, width, ..line };
            let cursor = field::draw(buffer, place, field, theme, focused);
            if focused {
                drawn.cursor = cursor;
            }
            if let Some(note) = note {
                put(buffer, place.right() + 2, line.y, note_width, &note, theme.accent);
            }
        }
        Control::List { entries, selected } => {
            let first = (selected + 1).saturating_sub(LIST_LINES);
            for (at, entry) in entries.iter().enumerate().skip(first).take(LIST_LINES) {
                let place = Rect { y: line.y + (at - first) as u16, ..line };
                drawn.hit(place, Target::Option(index, at));
                let (mark, style) = match (at == *selected, focused) {
                    (true, true) => ("▌ ", theme.accent),
                    (true, false) => ("▌ ", theme.strong),
                    _ => ("  ", theme.text),
                };
                put(buffer, place.x, place.y, place.width, &format!("{mark}{entry}"), style);
                if at == *selected && focused {
                    drawn.cursor = Some((place.x, place.y).into());
                }
            }
        }
        Control::Choice { label, options, selected } => {
            put(buffer, line.x, line.y, LABEL - 1, label, label_style);
            let mut x = line.x + LABEL;
            for (option, name) in options.iter().enumerate() {
                let chosen = option == *selected;
                let words = format!("{} {name}", if chosen { "(●)" } else { "( )" });
                let style = match (chosen, focused) {
                    (true, true) => theme.accent,
                    (true, false) => theme.strong,
                    _ => theme.text,
                };
                let end = put(buffer, x, line.y, line.right().saturating_sub(x), &words, style);
                drawn.hit(Rect { x, width: end - x, ..line }, Target::Option(index, option));
                if chosen && focused {
                    drawn.cursor = Some((x + 1, line.y).into());
                }
                x = end + 2;
            }
        }
    }
}

fn button_words(dialog: &Dialog, index: usize) -> String {
    dialog.buttons.get(index).map_or(String::new(), |button| {
        let hint = if dialog.controls.is_empty() { format!(" {}", button.letter) } else { String::new() };
        format!("[ {}{hint} ]", button.label)
    })
}

fn buttons_line(dialog: &Dialog) -> String {
    (0..dialog.buttons.len()).map(|index| button_words(dialog, index)).collect::<Vec<_>>().join("  ")
}

fn buttons(dialog: &Dialog, theme: &Theme, area: Rect, stacked: bool, buffer: &mut Buffer, drawn: &mut Drawn) {
    let (mut x, mut y) = (area.x, area.y);
    for index in 0..dialog.buttons.len() {
        if y >= area.bottom() {
            return;
        }
        let words = button_words(dialog, index);
        let width = text::width(&words) as u16;
        let focused = dialog.focus == dialog.controls.len() + index;
        put(
            buffer,
            x,
            y,
            area.right().saturating_sub(x),
            &words,
            if focused { theme.button_focused } else { theme.button },
        );
        drawn.hit(Rect { x, y, width, height: 1 }, Target::Button(index));
        if focused {
            drawn.cursor = Some((x + 2, y).into());
        }
        if stacked {
            y += 1;
        } else {
            x += width + 2;
        }
    }
}
