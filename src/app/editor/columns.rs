//! Characters of a line and the columns that they take on the screen. Between two graphemes a cursor can stand, inside
//! one it cannot.

use unicode_segmentation::UnicodeSegmentation;

use crate::app::text;

/// A walk along a line, from its start, grapheme by grapheme.
#[derive(Clone, Copy, Debug)]
pub struct Walk<'a> {
    line: &'a str,
    /// Bytes behind it.
    pub byte: usize,
    /// Characters behind it.
    pub character: usize,
    /// Columns of the screen behind it.
    pub column: usize,
}

impl<'a> Walk<'a> {
    fn new(line: &'a str) -> Self {
        Walk { line, byte: 0, character: 0, column: 0 }
    }

    /// To the grapheme that a character belongs to; behind the last one, the end of the line.
    pub fn to_character(line: &'a str, character: usize) -> Self {
        let mut walk = Walk::new(line);
        loop {
            walk.hurry(character - walk.character);
            match walk.ahead() {
                Some((grapheme, _)) if walk.character + grapheme.chars().count() <= character => walk.step(),
                _ => return walk,
            }
        }
    }

    /// To the grapheme that stands on a column; behind the last one, the end of the line.
    pub fn to_column(line: &'a str, column: usize) -> Self {
        let mut walk = Walk::new(line);
        loop {
            walk.hurry(column - walk.column);
            match walk.ahead() {
                Some((_, width)) if walk.column + width <= column => walk.step(),
                _ => return walk,
            }
        }
    }

    /// The next grapheme and its width.
    pub fn ahead(&self) -> Option<(&'a str, usize)> {
        let grapheme = self.line[self.byte..].graphemes(true).next()?;
        Some((grapheme, text::width(grapheme)))
    }

    /// Over the next grapheme.
    pub fn step(&mut self) {
        if let Some((grapheme, width)) = self.ahead() {
            self.byte += grapheme.len();
            self.character += grapheme.chars().count();
            self.column += width;
        }
    }

    /// Over so many characters at most, as long as they are plain ones. The last of them may carry an accent, and is
    /// left.
    fn hurry(&mut self, most: usize) {
        let ahead = &self.line.as_bytes()[self.byte..];
        let looked_at = &ahead[..ahead.len().min(most.saturating_add(1))];
        let plain = looked_at.iter().take_while(|byte| matches!(byte, b' '..=b'~')).count();
        let n = if plain < ahead.len() { plain.saturating_sub(1) } else { plain.min(most) };
        self.byte += n;
        self.character += n;
        self.column += n;
    }
}

/// The column on the screen of a character of a line.
pub fn column_of(line: &str, character: usize) -> usize {
    Walk::to_character(line, character).column
}

/// The character that stands on a column of the screen; behind the last one, the end of the line.
pub fn character_at(line: &str, column: usize) -> usize {
    Walk::to_column(line, column).character
}

/// Where the grapheme before a character starts.
pub fn before(line: &str, character: usize) -> usize {
    Walk::to_character(line, character.saturating_sub(1)).character
}

/// Where the grapheme behind a character starts; behind the last one, the end of the line.
pub fn behind(line: &str, character: usize) -> usize {
    let mut walk = Walk::to_character(line, character);
    walk.step();
    walk.character
}

/// Where the word before a character starts, and `None` when there is none.
pub fn word_before(line: &str, character: usize) -> Option<usize> {
    word_starts(line).take_while(|start| *start < character).last()
}

/// Where the next word starts, and `None` when this is the last one.
pub fn word_behind(line: &str, character: usize) -> Option<usize> {
    word_starts(line).find(|start| *start > character)
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
    #[case(FAMILY, 3, 1)]
    #[case(FAMILY, 6, 3)]
    #[case(FAMILY, 8, 4)]
    #[case(FAMILY, 99, 5)]
    #[case("abce\u{301}", 3, 3)]
    #[case("ab\u{1b}c", 3, 3)]
    fn columns_of_characters(#[case] line: &str, #[case] character: usize, #[case] column: usize) {
        assert_eq!(column_of(line, character), column);
    }

    #[rstest]
    #[case("abc", 9, 3)]
    #[case("日本", 1, 0)]
    #[case("abce\u{301}x", 4, 5)]
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
