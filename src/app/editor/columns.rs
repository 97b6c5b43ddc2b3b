//! Characters of a line and the columns that they take on the screen. Between two graphemes a cursor can stand, inside
//! one it cannot.

use unicode_segmentation::UnicodeSegmentation;

use crate::app::text;

/// The column on the screen of a character of a line.
pub fn column_of(line: &str, character: usize) -> usize {
    if text::is_plain(line) {
        return character.min(line.len());
    }
    let end = line.char_indices().nth(character).map_or(line.len(), |(at, _)| at);
    line[..end].graphemes(true).map(text::width).sum()
}

/// The character that stands on a column of the screen; behind the last one, the end of the line.
pub fn character_at(line: &str, column: usize) -> usize {
    if text::is_plain(line) {
        return column.min(line.len());
    }
    let mut used = 0;
    let mut characters = 0;
    for grapheme in line.graphemes(true) {
        used += text::width(grapheme);
        if used > column {
            break;
        }
        characters += grapheme.chars().count();
    }
    characters
}

/// Where the grapheme before a character starts.
pub fn before(line: &str, character: usize) -> usize {
    if text::is_plain(line) {
        return character.saturating_sub(1);
    }
    starts(line).take_while(|start| *start < character).last().unwrap_or(0)
}

/// Where the grapheme behind a character starts; behind the last one, the end of the line.
pub fn behind(line: &str, character: usize) -> usize {
    if text::is_plain(line) {
        return line.len().min(character + 1);
    }
    starts(line).find(|start| *start > character).unwrap_or_else(|| line.chars().count())
}

/// Where the word before a character starts, and `None` when there is none.
pub fn word_before(line: &str, character: usize) -> Option<usize> {
    word_starts(line).take_while(|start| *start < character).last()
}

/// Where the next word starts, and `None` when this is the last one.
pub fn word_behind(line: &str, character: usize) -> Option<usize> {
    word_starts(line).find(|start| *start > character)
}

/// Where the graphemes start, in characters.
fn starts(line: &str) -> impl Iterator<Item = usize> {
    line.graphemes(true).scan(0, |at, grapheme| {
        let start = *at;
        *at += grapheme.chars().count();
        Some(start)
    })
}

/// Where words and runs of signs start, in characters.
fn word_starts(line: &str) -> impl Iterator<Item = usize> {
    let mut before = Kind::Blank;
    line.chars().enumerate().filter_map(move |(at, c)| {
        let kind = Kind::of(c);
        let starts = kind != Kind::Blank && kind != before;
        before = kind;
        starts.then_some(at)
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Blank,
    Sign,
    Letter,
}

impl Kind {
    fn of(c: char) -> Kind {
        match c {
            _ if c.is_whitespace() => Kind::Blank,
            '_' => Kind::Letter,
            _ if c.is_ascii_punctuation() => Kind::Sign,
            _ => Kind::Letter,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const FAMILY: &str = "a👨\u{200D}👩\u{200D}👧e\u{301}\u{1b}";

    #[rstest]
    #[case("abc", 2, 2)]
    #[case("日本", 1, 2)]
    #[case(FAMILY, 6, 3)]
    #[case(FAMILY, 8, 4)]
    #[case(FAMILY, 99, 5)]
    fn columns_of_characters(#[case] line: &str, #[case] character: usize, #[case] column: usize) {
        assert_eq!(column_of(line, character), column);
    }

    #[rstest]
    #[case("abc", 9, 3)]
    #[case("日本", 1, 0)]
    #[case(FAMILY, 2, 1)]
    #[case(FAMILY, 3, 6)]
    #[case(FAMILY, 9, 9)]
    fn characters_at_columns(#[case] line: &str, #[case] column: usize, #[case] character: usize) {
        assert_eq!(character_at(line, column), character);
    }

    #[test]
    fn steps_go_over_whole_graphemes() {
        assert_eq!([0, 1, 6, 8].map(|at| behind(FAMILY, at)), [1, 6, 8, 9]);
        assert_eq!([9, 8, 6, 1, 0].map(|at| before(FAMILY, at)), [8, 6, 1, 0, 0]);
    }

    #[test]
    fn words_and_signs() {
        let line = r#"  "a_b": 10"#;
        assert_eq!([0, 2, 3, 6].map(|at| word_behind(line, at)), [Some(2), Some(3), Some(6), Some(9)]);
        assert_eq!(word_behind(line, 9), None);
        assert_eq!([11, 9, 3, 2].map(|at| word_before(line, at)), [Some(9), Some(6), Some(2), None]);
    }
}
