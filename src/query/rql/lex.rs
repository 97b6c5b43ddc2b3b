//! Tokens: words, numbers, strings and symbols, with white space and comments left out.

use crate::domain::{Place, Refusal};

/// What is wrong, from which byte on, and the way out.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub at: usize,
    pub words: String,
    pub hint: Option<String>,
}

pub(super) type Parsed<T> = Result<T, Fault>;

impl Fault {
    pub fn new(at: usize, words: impl Into<String>) -> Fault {
        Fault { at, words: words.into(), hint: None }
    }

    /// A part of the language that this does not have.
    pub fn unsupported(at: usize, what: &str) -> Fault {
        Fault::new(at, format!("{what} is not supported here"))
    }

    pub fn hint(self, hint: impl Into<String>) -> Fault {
        Fault { hint: Some(hint.into()), ..self }
    }

    /// As an answer to the text.
    pub fn refusal(self, text: &str) -> Refusal {
        let refusal = Refusal::bad_request(self.words).at(Place::of_offset(text, self.at));
        match self.hint {
            Some(hint) => refusal.with_hint(hint),
            None => refusal,
        }
    }
}

/// A token and the byte at which it starts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub at: usize,
    pub kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A name or a word of the language; `@metadata` is one, too.
    Word(String),
    Number(serde_json::Number),
    Text(String),
    Symbol(&'static str),
    End,
}

/// Longer symbols stand before those that they start with.
const SYMBOLS: [&str; 24] = [
    "==", "!=", "<>", "<=", ">=", "[]", "=", "<", ">", ",", ".", "(", ")", "{", "}", "-", "*", ":", ";", "[", "]", "+",
    "/", "?",
];

/// The tokens of a text, the last of which is its end.
pub(super) fn tokens(text: &str) -> Parsed<Vec<Token>> {
    let mut found = Vec::new();
    let mut at = 0;
    loop {
        at = behind_space(text, at)?;
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else {
            found.push(Token { at, kind: Kind::End });
            return Ok(found);
        };
        let (kind, length) = match first {
            '"' | '\'' => string(rest, at, first)?,
            '0'..='9' => number(rest, at)?,
            '$' => {
                return Err(Fault::unsupported(at, "a parameter").hint("write the value in place of the parameter"));
            }
            c if is_name_start(c) => {
                let length = rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
                (Kind::Word(rest[..length].to_owned()), length)
            }
            _ => match SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol)) {
                Some(symbol) => (Kind::Symbol(symbol), symbol.len()),
                None => {
                    let words = format!("`{}` is no part of the language", first.escape_debug());
                    return Err(Fault::new(at, words));
                }
            },
        };
        found.push(Token { at, kind });
        at += length;
    }
}

/// Where the next token starts: behind blanks, `// …` and `/* … */`.
fn behind_space(text: &str, mut at: usize) -> Parsed<usize> {
    loop {
        let rest = &text[at..];
        at += rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
        let rest = &text[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            at += rest.find("*/").ok_or_else(|| Fault::new(at, "the comment has no end"))? + 2;
        } else {
            return Ok(at);
        }
    }
}

/// A string in either kind of quotes; a backslash takes the next character as it is, but for `\n`, `\r` and `\t`.
fn string(rest: &str, at: usize, quote: char) -> Parsed<(Kind, usize)> {
    let mut text = String::new();
    let mut characters = rest.char_indices().skip(1);
    while let Some((offset, c)) = characters.next() {
        match c {
            '\\' => match characters.next() {
                Some((_, 'n')) => text.push('\n'),
                Some((_, 'r')) => text.push('\r'),
                Some((_, 't')) => text.push('\t'),
                Some((_, other)) => text.push(other),
                None => break,
            },
            c if c == quote => return Ok((Kind::Text(text), offset + c.len_utf8())),
            c => text.push(c),
        }
    }
    Err(Fault::new(at, "the string has no end"))
}

fn number(rest: &str, at: usize) -> Parsed<(Kind, usize)> {
    let mut length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).unwrap_or(rest.len());
    if rest[..length].ends_with(['e', 'E']) && rest[length..].starts_with(['+', '-']) {
        let digits = rest[length + 1..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - length - 1);
        length += 1 + digits;
    }
    let text = &rest[..length];
    match serde_json::from_str(text) {
        Ok(number) => Ok((Kind::Number(number), length)),
        Err(_) => Err(Fault::new(at, format!("`{text}` is no number"))),
    }
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '@'
}

fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '@'
}
