//! What a service answers when it refuses: a status, its words, the place in the text, a way out.

use std::fmt;

/// A place in a text that a person wrote. Both counted from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

impl Place {
    /// The place of the byte at `offset` in `text`; an offset inside a character means that character.
    pub fn of_offset(text: &str, offset: usize) -> Place {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let is_char_start = |b: &&u8| **b & 0xC0 != 0x80;
        let column = before[line_start..].iter().filter(is_char_start).count() + 1;
        Place { line, column }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A refused operation: nothing was stored, nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The HTTP-like status of the service: 400, 404, 409, 412, 413.
    pub status: u16,
    /// What is wrong, in the service's words where they are known.
    pub message: String,
    /// What to do instead.
    pub hint: Option<String>,
    /// Where in the text.
    pub place: Option<Place>,
}

impl Refusal {
    /// A refusal without a hint and a place.
    pub fn new(status: u16, message: impl Into<String>) -> Self {
        Refusal { status, message: message.into(), hint: None, place: None }
    }

    /// Status 400: what was sent is not valid.
    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(400, message)
    }

    /// The same with a way out.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with the place in the text.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// What is wrong, and the way out where there is one.
    pub fn in_full(&self) -> String {
        match &self.hint {
            Some(hint) if self.message.ends_with(['.', '?']) => format!("{} {hint}", self.message),
            Some(hint) => format!("{}; {hint}", self.message),
            None => self.message.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_out_stands_behind_what_is_wrong() {
        let plain = Refusal::bad_request("expected a value");
        assert_eq!(plain.in_full(), "expected a value");
        assert_eq!(plain.with_hint("write one").in_full(), "expected a value; write one");
        assert_eq!(Refusal::bad_request("It is empty.").with_hint("Write one.").in_full(), "It is empty. Write one.");
    }

    #[test]
    fn places_count_characters_not_bytes() {
        let text = "{\n  \"é\": 1\n}";
        let offset = text.find('1').expect("there");
        assert_eq!(Place::of_offset(text, offset), Place { line: 2, column: 8 });
        assert_eq!(Place::of_offset("", 9), Place { line: 1, column: 1 });
    }
}
