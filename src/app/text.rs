//! The one choke point for text that came from data: nothing in it may reach the terminal as a command, nothing in it
//! is invisible, and everything has a known width.

use std::borrow::Cow;

use ratatui::buffer::CellWidth;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

/// What stands for a character that has no picture of its own.
const HIDDEN: char = '▯';
/// What carries a combining mark that has no letter to stand on.
const CARRIER: char = '◌';

/// The text with every character that a terminal would obey, or that nobody would see, as a symbol.
pub fn visible(text: &str) -> Cow<'_, str> {
    if is_plain(text) || text.graphemes(true).all(is_visible) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for grapheme in text.graphemes(true) {
        if is_visible(grapheme) {
            shown.push_str(grapheme);
        } else {
            show(grapheme, &mut shown);
        }
    }
    Cow::Owned(shown)
}

/// Letters, digits and signs of ASCII only: one column for each byte, nothing to replace.
pub fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

fn is_visible(grapheme: &str) -> bool {
    let seen = grapheme.chars().all(|c| symbol(c).is_none() && !is_joiner(c));
    seen && grapheme_width(grapheme) > 0 || joins(grapheme)
}

/// Whether the joiners in a grapheme stand between two characters that are seen, as in the emoji of a family.
fn joins(grapheme: &str) -> bool {
    let mut before = 0;
    let mut chars = grapheme.chars().peekable();
    while let Some(c) = chars.next() {
        let behind = chars.peek().and_then(|c| c.width()).unwrap_or(0);
        if symbol(c).is_some() || is_joiner(c) && (before == 0 || behind == 0) {
            return false;
        }
        before = before.max(c.width().unwrap_or(0));
    }
    before > 0
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}')
}

fn show(grapheme: &str, shown: &mut String) {
    for (at, c) in grapheme.char_indices() {
        match symbol(c).unwrap_or(if is_joiner(c) { HIDDEN } else { c }) {
            mark if mark.width() == Some(0) && !combines(mark) => shown.push(HIDDEN),
            mark if mark.width() == Some(0) && at == 0 => shown.extend([CARRIER, mark]),
            c => shown.push(c),
        }
    }
}

/// Whether a character stands on the one before it.
fn combines(mark: char) -> bool {
    String::from_iter([CARRIER, mark]).graphemes(true).count() == 1
}

/// What is shown in place of a character; `None` for those that are shown as they are.
fn symbol(c: char) -> Option<char> {
    match c {
        // The pictures of the control characters stand in their order.
        '\u{0}'..='\u{1F}' => char::from_u32(0x2400 + c as u32),
        '\u{7F}' => Some('␡'),
        '\u{80}'..='\u{9F}' => Some(HIDDEN),
        // What Unicode calls format characters and default ignorable: direction overrides and isolates, fillers, byte
        // order marks, tags, selectors of variants. Invisible, and able to lie or to hide a text in another. The two
        // selectors between text and emoji are kept, and joiners where they join.
        '\u{AD}'
        | '\u{34F}'
        | '\u{61C}'
        | '\u{115F}'
        | '\u{1160}'
        | '\u{17B4}'
        | '\u{17B5}'
        | '\u{180B}'..='\u{180F}'
        | '\u{200B}'
        | '\u{200E}'
        | '\u{200F}'
        | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{3164}'
        | '\u{FE00}'..='\u{FE0D}'
        | '\u{FEFF}'
        | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}'
        | '\u{13430}'..='\u{1343F}'
        | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}' => Some(HIDDEN),
        _ => None,
    }
}

/// The columns that the text takes when it is shown.
pub fn width(text: &str) -> usize {
    if is_plain(text) {
        return text.len();
    }
    visible(text).graphemes(true).map(grapheme_width).sum()
}

/// The columns of one grapheme that is shown as it is: those that the screen's buffer gives it.
fn grapheme_width(grapheme: &str) -> usize {
    usize::from(grapheme.cell_width())
}

/// The text as it is shown in at most `columns`, cut with `…` between characters. Only what is shown is looked at.
pub fn fit(text: &str, columns: usize) -> String {
    let mut fitting = String::new();
    let mut used = 0;
    // How much of it leaves a column for the sign that something is left out.
    let mut kept = 0;
    for grapheme in text.graphemes(true) {
        let shown = visible(grapheme);
        used += width(&shown);
        if used > columns {
            fitting.truncate(kept);
            if columns > 0 {
                fitting.push('…');
            }
            return fitting;
        }
        fitting.push_str(&shown);
        if used < columns {
            kept = fitting.len();
        }
    }
    fitting
}

/// The end of the text that fits into so many columns, with `…` before it where it does not fit whole.
pub fn fit_end(text: &str, columns: usize) -> String {
    let shown = visible(text);
    if width(&shown) <= columns {
        return shown.into_owned();
    }
    let mut left = columns.saturating_sub(1);
    let mut end: Vec<&str> = Vec::new();
    for grapheme in shown.graphemes(true).rev() {
        let Some(rest) = left.checked_sub(grapheme_width(grapheme)) else { break };
        left = rest;
        end.push(grapheme);
    }
    end.push("…");
    end.reverse();
    if columns == 0 { String::new() } else { end.concat() }
}

/// The text in lines of at most `columns`, broken between words where it can be.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = vec![String::new()];
    let mut used = 0;
    // Only blanks are between words: a time such as 21:48:04 stays in one piece.
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_blank = first.is_whitespace();
        let end = rest.find(|c: char| c.is_whitespace() != is_blank).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        rest = behind;
        let shown = visible(word);
        let word_width = width(&shown);
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
    #[case("\r\n", "␍␊")]
    #[case("\u{202E}abc", "▯abc")]
    #[case("\u{9b}31m", "▯31m")]
    #[case("é日本", "é日本")]
    #[case("ad\u{200B}min", "ad▯min")]
    #[case("ad\u{200D}min", "ad▯min")]
    #[case("a\u{E0041}\u{FE01}", "a▯▯")]
    #[case("\u{3164}", "▯")]
    fn commands_and_what_hides_become_symbols(#[case] text: &str, #[case] shown: &str) {
        assert_eq!(visible(text), shown);
    }

    #[rstest]
    #[case("👨\u{200D}👩\u{200D}👧")]
    #[case("e\u{301}")]
    #[case("क\u{94D}\u{200D}ष")]
    #[case("❤\u{FE0F}")]
    fn what_belongs_together_stays_together(#[case] text: &str) {
        assert!(matches!(visible(text), Cow::Borrowed(_)));
    }

    #[rstest]
    #[case("\u{301}x", "◌\u{301}x", 2)]
    #[case("\u{1b}\u{301}", "␛◌\u{301}", 2)]
    #[case("👨\u{200D}", "👨▯", 3)]
    fn everything_takes_a_column(#[case] text: &str, #[case] shown: &str, #[case] columns: usize) {
        assert_eq!((visible(text).as_ref(), width(text)), (shown, columns));
    }

    #[rstest]
    #[case("abcdef", 6, "abcdef")]
    #[case("abcdef", 5, "abcd…")]
    #[case("日本語", 5, "日本…")]
    #[case("日本語", 4, "日…")]
    #[case("日本語", 6, "日本語")]
    #[case("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…")]
    #[case("a\u{202E}\u{301}b", 3, "a▯…")]
    #[case("abc", 1, "…")]
    #[case("abc", 0, "")]
    fn cut_between_characters(#[case] text: &str, #[case] columns: usize, #[case] shown: &str) {
        assert_eq!(fit(text, columns), shown);
    }

    /// Every character there is (the other planes are empty or private), alone and between letters: none comes through
    /// that a terminal obeys or nobody sees.
    #[test]
    fn no_character_is_obeyed_or_hidden() {
        let hidden = |c: char| c.is_control() || (c.width() == Some(0) && symbol(c).is_some());
        for c in (0..0x3_2000).chain(0xE_0000..0xE_1000).filter_map(char::from_u32) {
            for text in [format!("{c}"), format!("a{c}b")] {
                let shown = visible(&text);
                assert!(!shown.chars().any(hidden), "{c:?}");
                assert!(
                    !shown.chars().any(|c| matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')),
                    "{c:?}"
                );
                assert_eq!(visible(&shown), shown, "{c:?}");
                assert_eq!(width(&text), width(&shown), "{c:?}");
            }
            assert!(width(&c.to_string()) > 0, "{c:?}");
        }
    }

    #[rstest]
    #[case("abcdef", 6, "abcdef")]
    #[case("abcdef", 4, "…def")]
    #[case("日本語", 4, "…語")]
    #[case("abc", 1, "…")]
    #[case("abc", 0, "")]
    fn ends_are_cut_between_characters(#[case] text: &str, #[case] columns: usize, #[case] shown: &str) {
        assert_eq!(fit_end(text, columns), shown);
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("", 4), [""]);
        assert_eq!(wrap("at 21:48:04.", 6), ["at", "21:48:", "04."]);
        assert_eq!(wrap("go at 21:48:04.", 10), ["go at", "21:48:04."]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn nothing_shown_is_a_command_and_widths_hold(text in any::<String>(), columns in 0usize..40) {
            let shown = fit(&text, columns);
            prop_assert!(width(&shown) <= columns);
            prop_assert_eq!(width(&text) <= columns, visible(&text) == shown);
            prop_assert_eq!(width(&text), text.graphemes(true).map(width).sum::<usize>());
            prop_assert!(visible(&text).chars().all(|c| symbol(c).is_none()));
            for line in wrap(&text, columns) {
                prop_assert!(line.chars().all(|c| symbol(c).is_none()));
                prop_assert!(width(&line) <= columns || line.graphemes(true).count() <= 1);
            }
        }
    }
}
