//! Tokens: names, numbers, strings and symbols, with white space and comments left out.

use std::borrow::Cow;

use winnow::combinator::opt;
use winnow::error::ParserError;
use winnow::prelude::*;
use winnow::stream::{LocatingSlice, Location};
use winnow::token::{any, literal, take_till, take_while};

use super::string::string;

/// The text with the place in it.
pub(super) type Input<'s> = LocatingSlice<&'s str>;

/// What a parser of a token answers.
pub(super) type Parsed<T> = Result<T, Fault>;

/// What is wrong, from which byte on, and the way out.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub at: usize,
    pub words: Cow<'static, str>,
    pub hint: Option<String>,
}

impl Fault {
    pub fn new(at: usize, words: impl Into<Cow<'static, str>>) -> Fault {
        Fault { at, words: words.into(), hint: None }
    }

    /// A part of the language that this does not have.
    pub fn unsupported(at: usize, what: &str) -> Fault {
        let verb = if what.ends_with('s') { "are" } else { "is" };
        Fault::new(at, format!("{what} {verb} not supported here"))
    }

    pub fn with_hint(self, hint: impl Into<String>) -> Fault {
        Fault { hint: Some(hint.into()), ..self }
    }
}

impl<'s> ParserError<Input<'s>> for Fault {
    type Inner = Self;

    fn from_input(input: &Input<'s>) -> Self {
        Fault::new(input.current_token_start(), "this cannot be read")
    }

    fn into_inner(self) -> Result<Self::Inner, Self> {
        Ok(self)
    }
}

/// A token and the byte at which it starts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token<'s> {
    pub at: usize,
    pub kind: TokenKind<'s>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind<'s> {
    /// A name or a word of the language.
    Name(&'s str),
    Number(f64),
    String(String),
    Symbol(&'static str),
    End,
}

/// Longer symbols stand before those that they start with.
const SYMBOLS: [&str; 30] = [
    "!=", "<>", "<=", ">=", "<<", ">>", "||", "??", "=", "<", ">", "+", "-", "*", "/", "%", "?", ":", ",", ".", "(",
    ")", "[", "]", "{", "}", "&", "|", "^", "~",
];

/// The tokens of a text, the last of which is its end.
pub(super) fn tokens(text: &str) -> Parsed<Vec<Token<'_>>> {
    let mut input = LocatingSlice::new(text);
    let mut found = Vec::new();
    loop {
        space(&mut input)?;
        let at = input.current_token_start();
        let kind = token(&mut input, at)?;
        let ended = kind == TokenKind::End;
        found.push(Token { at, kind });
        if ended {
            return Ok(found);
        }
    }
}

/// White space and comments, which run from `--` to the end of the line.
fn space(input: &mut Input<'_>) -> Parsed<()> {
    loop {
        take_while(0.., |c: char| c.is_whitespace() || c == '\u{feff}').parse_next(input)?;
        if opt(literal("--")).parse_next(input)?.is_none() {
            return Ok(());
        }
        take_till(0.., ['\n', '\r']).parse_next(input)?;
    }
}

fn token<'s>(input: &mut Input<'s>, at: usize) -> Parsed<TokenKind<'s>> {
    let Some(first) = peek(input) else { return Ok(TokenKind::End) };
    let dotted = || input.as_ref().as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    match first {
        '"' | '\'' => return Ok(TokenKind::String(string(input, first)?)),
        '0'..='9' => return number(input, at),
        '.' if dotted() => return number(input, at),
        c if is_name_start(c) => return Ok(TokenKind::Name(take_while(1.., is_name_part).parse_next(input)?)),
        '@' => return Err(Fault::unsupported(at, "parameters").with_hint("write the value in place of the parameter")),
        _ => {}
    }
    if let Some(symbol) = SYMBOLS.into_iter().find(|symbol| input.as_ref().starts_with(symbol)) {
        literal(symbol).parse_next(input)?;
        return Ok(TokenKind::Symbol(symbol));
    }
    Err(match first {
        '“' | '”' | '„' | '‘' | '’' => Fault::new(at, "typographic quotes are none: write \" or '"),
        other => Fault::new(at, format!("`{}` is no part of the language", other.escape_debug())),
    })
}

/// A number as JSON writes it, without a sign; also `.5` and `0xFF`.
fn number<'s>(input: &mut Input<'s>, at: usize) -> Parsed<TokenKind<'s>> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
    let mut text = take_while(1.., is_part).take().parse_next(input)?.to_owned();
    if text.ends_with(['e', 'E']) && !text.starts_with("0x") && peek(input).is_some_and(|c| matches!(c, '+' | '-')) {
        text.push(any.parse_next(input)?);
        text += take_while(0.., is_part).parse_next(input)?;
    }
    let value = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok().map(|number| number as f64),
        None if text.contains(|c: char| c.is_ascii_alphabetic() && !matches!(c, 'e' | 'E')) => None,
        None => text.parse().ok(),
    };
    match value {
        Some(number) if number.is_finite() => Ok(TokenKind::Number(number)),
        Some(_) => Err(Fault::new(at, "the number is too large")),
        None => Err(Fault::new(at, format!("`{}` is no number", short(&text)))),
    }
}

/// The next character.
pub(super) fn peek(input: &Input<'_>) -> Option<char> {
    input.as_ref().chars().next()
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_name_part(c: char) -> bool {
    is_name_start(c) || c.is_alphanumeric()
}

/// The start of a long text.
pub(super) fn short(text: &str) -> &str {
    const LONGEST: usize = 40;
    text.char_indices().nth(LONGEST).map_or(text, |(at, _)| &text[..at])
}
