//! The one choke point for text that came from data: nothing in it may reach the terminal as a command, and everything
//! has a known width.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// The text with every character that a terminal would obey, or that nobody would see, as a symbol.
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| symbol(c).is_none()) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().map(|c| symbol(c).unwrap_or(c)).collect())
    }
}

/// What is shown in place of a character; `None` for those that are shown as they are.
fn symbol(c: char) -> Option<char> {
    match c {
        // The pictures of the control characters stand in their order.
        '\u{0}'..='\u{1F}' => char::from_u32(0x2400 + c as u32),
        '\u{7F}' => Some('␡'),
        '\u{80}'..='\u{9F}' => Some('▯'),
        // Direction overrides and isolates, joiners, byte order marks, tags: invisible, and able to lie.
        '\u{AD}'
        | '\u{61C}'
        | '\u{180E}'
        | '\u{200B}'
        | '\u{200E}'
        | '\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}'
        | '\u{FFF9}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E007F}' => Some('▯'),
        _ => None,
    }
}

/// The columns that the text takes when it is shown.
pub fn width(text: &str) -> usize {
    visible(text).graphemes(true).map(grapheme_width).sum()
}

/// The columns of one grapheme.
pub fn grapheme_width(grapheme: &str) -> usize {
    grapheme.width()
}

/// The text as it is shown in at most `columns`, cut with `…` between characters.
pub fn fit(text: &str, columns: usize) -> String {
    let text = visible(text);
    if width(&text) <= columns {
        return text.into_owned();
    }
    let mut cut = String::new();
    let mut used = 0;
    for grapheme in text.graphemes(true) {
        let next = grapheme_width(grapheme);
        // One column is kept for the sign that something is left out.
        if used + next + 1 > columns {
            break;
        }
        cut.push_str(grapheme);
        used += next;
    }
    if columns > 0 {
        cut.push('…');
    }
    cut
}

/// The text in lines of at most `columns`, broken between words where it can be.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_word_bounds() {
        let shown = visible(word);
        let word_width = width(&shown);
        let is_blank = word.chars().all(char::is_whitespace);
        if used + word_width > columns && used > 0 {
            lines.push(String::new());
            used = 0;
        }
        if is_blank && used == 0 && lines.len() > 1 {
            continue;
        }
        for grapheme in shown.graphemes(true) {
            let next = grapheme_width(grapheme);
            if used + next > columns && used > 0 {
                lines.push(String::new());
                used = 0;
            }
            if let Some(line) = lines.last_mut() {
                line.push_str(grapheme);
            }
            used += next;
        }
    }
    for line in &mut lines {
        line.truncate(line.trim_end().len());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    #[rstest]
    #[case("\u{1b}[2J", "␛[2J")]
    #[case("a\tb\nc\r", "a␉b␊c␍")]
    #[case("\u{202E}abc", "▯abc")]
    #[case("\u{9b}31m", "▯31m")]
    #[case("é日本", "é日本")]
    fn commands_become_symbols(#[case] text: &str, #[case] shown: &str) {
        assert_eq!(visible(text), shown);
    }

    #[rstest]
    #[case("abcdef", 6, "abcdef")]
    #[case("abcdef", 5, "abcd…")]
    #[case("日本語", 5, "日本…")]
    #[case("日本語", 4, "日…")]
    #[case("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…")]
    #[case("abc", 0, "")]
    fn cut_between_characters(#[case] text: &str, #[case] columns: usize, #[case] shown: &str) {
        assert_eq!(fit(text, columns), shown);
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("", 4), [""]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn nothing_shown_is_a_command_and_widths_hold(text in any::<String>(), columns in 0usize..40) {
            let shown = fit(&text, columns);
            prop_assert!(width(&shown) <= columns);
            prop_assert!(visible(&text).chars().all(|c| symbol(c).is_none()));
            for line in wrap(&text, columns) {
                prop_assert!(line.chars().all(|c| symbol(c).is_none()));
                // One character can be wider than the line; it stands alone then.
                prop_assert!(width(&line) <= columns.max(1) || line.graphemes(true).count() == 1);
            }
        }

        #[test]
        fn no_control_character_survives(c in prop_oneof![0u32..0x100, 0x2000u32..0x2070, 0xFE00u32..0x10000]) {
            if let Some(c) = char::from_u32(c) {
                let shown = visible(&c.to_string()).into_owned();
                prop_assert!(!shown.chars().any(char::is_control));
            }
        }
    }
}
