//! The look: few meanings, each one style. Sixteen colours, so that it follows the palette of the terminal.

use ratatui::style::{Color, Modifier, Style};

/// A style for each meaning. One accent (focus), one warning (soon, edited), one for what is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// Ordinary text, in the terminal's own colours.
    pub text: Style,
    /// Secondary text.
    pub dim: Style,
    /// Text that stands out.
    pub strong: Style,
    /// Lines that separate.
    pub border: Style,
    /// The focus.
    pub accent: Style,
    /// Soon, edited, to be thought about.
    pub warning: Style,
    /// Refused, failed.
    pub error: Style,
    /// Done.
    pub success: Style,
    /// Expired and hidden.
    pub gone: Style,
    /// Deleted.
    pub deleted: Style,
    /// The line at the top.
    pub header: Style,
    /// A title.
    pub title: Style,
    /// The title of the pane that has the keys.
    pub title_focused: Style,
    /// The row under the cursor, where the keys go.
    pub selection: Style,
    /// The row under the cursor, in a pane without the keys.
    pub selection_unfocused: Style,
    /// A tab.
    pub tab: Style,
    /// The tab in front.
    pub tab_active: Style,
    /// A key in the footer.
    pub key: Style,
    /// A button.
    pub button: Style,
    /// The button that Enter presses.
    pub button_focused: Style,
    /// Something that cannot be used now.
    pub disabled: Style,
    /// The line that explains.
    pub why: Style,
    /// A bar of an item's own ttl.
    pub bar_own: Style,
    /// A bar of the container's.
    pub bar_inherit: Style,
    /// A name in JSON.
    pub json_name: Style,
    /// A string in JSON.
    pub json_string: Style,
    /// A number in JSON.
    pub json_number: Style,
    /// true, false, null.
    pub json_word: Style,
    /// Brackets, colons, commas.
    pub json_sign: Style,
    /// Selected text.
    pub selected_text: Style,
    /// A match of the search.
    pub found: Style,
    /// Where something is wrong in a text.
    pub fault: Style,
}

/// What differs between the themes.
struct Palette {
    accent: Color,
    warning: Color,
    error: Color,
    success: Color,
    gone: Color,
    dim: Style,
    string: Color,
    number: Color,
    word: Color,
}

const fn plain() -> Style {
    Style::new()
}

impl Theme {
    /// For dark backgrounds.
    pub fn dark() -> Theme {
        Theme::of(&Palette {
            accent: Color::Cyan,
            warning: Color::Yellow,
            error: Color::LightRed,
            success: Color::Green,
            gone: Color::Magenta,
            dim: plain().fg(Color::DarkGray),
            string: Color::Green,
            number: Color::LightYellow,
            word: Color::Magenta,
        })
    }

    /// For light backgrounds: no yellow, no bright colours.
    pub fn light() -> Theme {
        Theme::of(&Palette {
            accent: Color::Blue,
            warning: Color::Red,
            error: Color::Red,
            success: Color::Green,
            gone: Color::Magenta,
            dim: plain().add_modifier(Modifier::DIM),
            string: Color::Green,
            number: Color::Blue,
            word: Color::Magenta,
        })
    }

    /// Without colours: bold, underlined, reversed, dim.
    pub fn monochrome() -> Theme {
        let with = |modifier| plain().add_modifier(modifier);
        let bold = with(Modifier::BOLD);
        Theme {
            text: plain(),
            dim: with(Modifier::DIM),
            strong: bold,
            border: with(Modifier::DIM),
            accent: bold,
            warning: bold,
            error: with(Modifier::BOLD | Modifier::UNDERLINED),
            success: plain(),
            gone: with(Modifier::DIM | Modifier::ITALIC),
            deleted: with(Modifier::DIM | Modifier::CROSSED_OUT),
            header: plain(),
            title: bold,
            title_focused: with(Modifier::BOLD | Modifier::UNDERLINED),
            selection: with(Modifier::REVERSED),
            selection_unfocused: bold,
            tab: with(Modifier::DIM),
            tab_active: with(Modifier::BOLD | Modifier::UNDERLINED),
            key: bold,
            button: plain(),
            button_focused: with(Modifier::REVERSED),
            disabled: with(Modifier::DIM),
            why: with(Modifier::ITALIC),
            bar_own: plain(),
            bar_inherit: with(Modifier::DIM),
            json_name: bold,
            json_string: plain(),
            json_number: plain(),
            json_word: plain(),
            json_sign: with(Modifier::DIM),
            selected_text: with(Modifier::REVERSED),
            found: with(Modifier::UNDERLINED),
            fault: with(Modifier::BOLD | Modifier::UNDERLINED),
        }
    }

    fn of(palette: &Palette) -> Theme {
        let color = |color| plain().fg(color);
        let bold = |style: Style| style.add_modifier(Modifier::BOLD);
        let accent = color(palette.accent);
        Theme {
            text: plain(),
            dim: palette.dim,
            strong: bold(plain()),
            border: palette.dim,
            accent: bold(accent),
            warning: color(palette.warning),
            error: bold(color(palette.error)),
            success: color(palette.success),
            gone: color(palette.gone),
            deleted: palette.dim.add_modifier(Modifier::CROSSED_OUT),
            header: plain(),
            title: bold(plain()),
            title_focused: bold(accent),
            selection: plain().add_modifier(Modifier::REVERSED),
            selection_unfocused: bold(plain()),
            tab: palette.dim,
            tab_active: bold(accent).add_modifier(Modifier::UNDERLINED),
            key: bold(plain()),
            button: plain(),
            button_focused: bold(accent).add_modifier(Modifier::REVERSED),
            disabled: palette.dim,
            why: accent,
            bar_own: accent,
            bar_inherit: color(palette.success),
            json_name: accent,
            json_string: color(palette.string),
            json_number: color(palette.number),
            json_word: color(palette.word),
            json_sign: palette.dim,
            selected_text: plain().add_modifier(Modifier::REVERSED),
            found: color(palette.warning).add_modifier(Modifier::UNDERLINED),
            fault: color(palette.error).add_modifier(Modifier::UNDERLINED),
        }
    }

    /// The theme that the environment asks for: NO_COLOR, and the background as far as COLORFGBG tells it.
    pub fn detect(env: impl Fn(&str) -> Option<String>) -> Theme {
        if env("NO_COLOR").is_some_and(|value| !value.is_empty()) {
            return Theme::monochrome();
        }
        let background =
            env("COLORFGBG").and_then(|value| value.rsplit(';').next().and_then(|bg| bg.parse::<u8>().ok()));
        match background {
            Some(7 | 15) => Theme::light(),
            _ => Theme::dark(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_decides() {
        let env = |pairs: &'static [(&str, &str)]| {
            move |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        };
        assert_eq!(Theme::detect(env(&[])), Theme::dark());
        assert_eq!(Theme::detect(env(&[("COLORFGBG", "0;15")])), Theme::light());
        assert_eq!(Theme::detect(env(&[("NO_COLOR", "1"), ("COLORFGBG", "0;15")])), Theme::monochrome());
        assert_eq!(Theme::detect(env(&[("NO_COLOR", "")])), Theme::dark());
    }

    #[test]
    fn without_colours_there_are_none_and_the_cursor_is_still_seen() {
        let theme = Theme::monochrome();
        for style in [theme.text, theme.warning, theme.error, theme.selection, theme.json_string, theme.gone, theme.why]
        {
            assert_eq!((style.fg, style.bg), (None, None));
        }
        for theme in [Theme::dark(), Theme::light(), Theme::monochrome()] {
            assert_ne!(theme.selection, theme.text);
            assert_ne!(theme.selection, theme.selection_unfocused);
            assert!(theme.deleted.add_modifier.contains(Modifier::CROSSED_OUT));
        }
    }
}
