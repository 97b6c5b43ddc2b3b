//! A line of text to type into: forms, the seconds, the search.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unicode_segmentation::UnicodeSegmentation;

/// The longest text of a field, in characters: more than any name may have.
const LONGEST: usize = 4_096;

/// A line of text and a cursor in it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct TextField {
    value: String,
    /// In bytes, always between two graphemes.
    cursor: usize,
    placeholder: &'static str,
}

impl TextField {
    /// A field with this text, the cursor behind it.
    pub fn new(value: &str) -> Self {
        TextField { value: value.to_owned(), cursor: value.len(), placeholder: "" }
    }

    /// With words that stand in the empty field.
    #[must_use]
    pub fn with_placeholder(mut self, placeholder: &'static str) -> Self {
        self.placeholder = placeholder;
        self
    }

    /// The text.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The words that stand in the empty field.
    pub fn placeholder(&self) -> &'static str {
        self.placeholder
    }

    /// The text before and behind the cursor.
    pub fn halves(&self) -> (&str, &str) {
        self.value.split_at(self.cursor)
    }

    /// A key. Returns whether the text changed.
    pub fn input(&mut self, key: KeyEvent) -> bool {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        match key.code {
            KeyCode::Left => self.cursor = self.before(),
            KeyCode::Right => self.cursor = self.behind(),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.value.len(),
            KeyCode::Char('a') if control => self.cursor = 0,
            KeyCode::Char('e') if control => self.cursor = self.value.len(),
            KeyCode::Char('u') if control => return self.cut(0, self.cursor),
            KeyCode::Char('k') if control => return self.cut(self.cursor, self.value.len()),
            KeyCode::Char('w') if control => return self.cut(self.word_start(), self.cursor),
            KeyCode::Backspace => return self.cut(self.before(), self.cursor),
            KeyCode::Delete => return self.cut(self.cursor, self.behind()),
            KeyCode::Char(c) if !control && !alt => return self.insert(&c.to_string()),
            _ => {}
        }
        false
    }

    /// Pasted text: line breaks become blanks, control characters go.
    pub fn paste(&mut self, text: &str) {
        let line: String = text
            .trim_end_matches(['\r', '\n'])
            .chars()
            .map(|c| if matches!(c, '\n' | '\r' | '\t') { ' ' } else { c })
            .filter(|c| !c.is_control())
            .collect();
        self.insert(&line);
    }

    fn insert(&mut self, text: &str) -> bool {
        let room = LONGEST.saturating_sub(self.value.chars().count());
        let text: String = text.chars().filter(|c| !c.is_control()).take(room).collect();
        self.value.insert_str(self.cursor, &text);
        self.cursor += text.len();
        !text.is_empty()
    }

    fn cut(&mut self, from: usize, to: usize) -> bool {
        self.value.replace_range(from..to, "");
        self.cursor = from;
        from != to
    }

    fn before(&self) -> usize {
        self.value[..self.cursor].grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    fn behind(&self) -> usize {
        self.value[self.cursor..].graphemes(true).next().map_or(self.cursor, |grapheme| self.cursor + grapheme.len())
    }

    fn word_start(&self) -> usize {
        let before = self.value[..self.cursor].trim_end();
        before.rfind(char::is_whitespace).map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn press(field: &mut TextField, keys: &[KeyCode]) {
        for code in keys {
            field.input(KeyEvent::new(*code, KeyModifiers::NONE));
        }
    }

    #[test]
    fn a_cursor_between_whole_characters() {
        let mut field = TextField::new("ae\u{301}日");
        press(&mut field, &[KeyCode::Left, KeyCode::Backspace]);
        assert_eq!(field.halves(), ("a", "日"));
        press(&mut field, &[KeyCode::Home, KeyCode::Delete, KeyCode::End, KeyCode::Char('x')]);
        assert_eq!(field.value(), "日x");
    }

    #[test]
    fn a_paste_is_one_line() {
        let mut field = TextField::new("<>");
        press(&mut field, &[KeyCode::Left]);
        field.paste("a\nb\u{1b}[2J\tc\r\n");
        assert_eq!(field.value(), "<a b[2J c>");
    }

    #[test]
    fn words_and_lines_are_cut() {
        let control = |c| KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL);
        let mut field = TextField::new("one two");
        assert!(field.input(control('w')));
        assert_eq!(field.value(), "one ");
        assert!(field.input(control('u')));
        assert!(!field.input(control('u')));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn no_keys_panic(text in any::<String>(), keys in prop::collection::vec(0usize..8, 0..30)) {
            let codes = [KeyCode::Left, KeyCode::Right, KeyCode::Home, KeyCode::End, KeyCode::Backspace, KeyCode::Delete,
                KeyCode::Char('é'), KeyCode::Char('\u{200d}')];
            let mut field = TextField::default();
            field.paste(&text);
            for key in keys {
                press(&mut field, &[codes[key]]);
            }
            let (left, right) = field.halves();
            prop_assert_eq!(format!("{left}{right}"), field.value());
        }
    }
}
