//! The lowest layer of the grammar: faults, white space, comments, names.

use winnow::combinator::opt;
use winnow::error::{ErrMode, ModalResult, ParserError};
use winnow::prelude::*;
use winnow::stream::{LocatingSlice, Location, Stateful};
use winnow::token::{literal, take_till, take_until, take_while};

use crate::domain::Instant;

/// The text with the place in it, and what a parser carries along.
pub(super) type Input<'s> = Stateful<LocatingSlice<&'s str>, State<'s>>;

/// What a parser carries along.
#[derive(Clone, Copy, Debug)]
pub(super) struct State<'s> {
    /// The whole text.
    pub source: &'s str,
    /// How deep the present value is nested.
    pub depth: usize,
    /// The instant that `ISODate()` stands for.
    pub now: Instant,
}

/// What a parser answers. All faults are cuts: the grammar needs no more than one character to see what comes.
pub(super) type Parsed<T> = ModalResult<T, Fault>;

/// What is wrong, and from which byte on.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub at: usize,
    pub words: String,
    pub incomplete: bool,
}

impl<'s> ParserError<Input<'s>> for Fault {
    type Inner = Self;

    fn from_input(input: &Input<'s>) -> Self {
        Fault { at: position(input), words: "this cannot be read".to_owned(), incomplete: false }
    }

    fn into_inner(self) -> Result<Self::Inner, Self> {
        Ok(self)
    }
}

pub(super) fn fault<T>(at: usize, words: impl Into<String>) -> Parsed<T> {
    Err(ErrMode::Cut(Fault { at, words: words.into(), incomplete: false }))
}

/// A fault at the present place: what was expected there.
pub(super) fn expected<T>(input: &Input<'_>, what: &str) -> Parsed<T> {
    let at = position(input);
    let words = match peek(input) {
        None => {
            let words = format!("expected {what}, and the text ends");
            return Err(ErrMode::Cut(Fault { at, words, incomplete: true }));
        }
        Some('“' | '”' | '„' | '‘' | '’') => "typographic quotes are none: write \" or '".to_owned(),
        Some('`') => "the shell knows no templates: write \" or '".to_owned(),
        Some(c @ ('+' | '*' | '%' | '-' | '?' | '&' | '|' | '<' | '>' | '!')) => {
            format!("expected {what}, found `{c}`: the shell calculates nothing, write the result")
        }
        Some(c) if is_name_start(c) => format!("expected {what}, found `{}`", word_ahead(input)),
        Some(c) => format!("expected {what}, found `{}`", c.escape_debug()),
    };
    fault(at, words)
}

/// The byte at which the next character stands.
pub(super) fn position(input: &Input<'_>) -> usize {
    input.current_token_start()
}

/// The text that is left.
pub(super) fn ahead<'s>(input: &Input<'s>) -> &'s str {
    &input.state.source[position(input)..]
}

/// The next character.
pub(super) fn peek(input: &Input<'_>) -> Option<char> {
    ahead(input).chars().next()
}

/// Takes `wanted` if it comes next.
pub(super) fn eat(input: &mut Input<'_>, wanted: char) -> Parsed<bool> {
    Ok(opt(literal(wanted)).parse_next(input)?.is_some())
}

/// White space and comments; true when a line ends among them.
pub(super) fn space(input: &mut Input<'_>) -> Parsed<bool> {
    let mut line_ended = false;
    loop {
        let blank = take_while(0.., is_blank).parse_next(input)?;
        line_ended |= blank.contains(is_line_end);
        let at = position(input);
        if opt(literal("//")).parse_next(input)?.is_some() {
            take_till(0.., is_line_end).parse_next(input)?;
        } else if opt(literal("/*")).parse_next(input)?.is_some() {
            match opt(take_until(0.., "*/")).parse_next(input)? {
                Some(comment) => line_ended |= comment.contains(is_line_end),
                None => {
                    let words = "the comment has no end: */ is missing".to_owned();
                    return Err(ErrMode::Cut(Fault { at, words, incomplete: true }));
                }
            }
            literal("*/").parse_next(input)?;
        } else {
            return Ok(line_ended);
        }
    }
}

/// Blanks on this line.
pub(super) fn blanks(input: &mut Input<'_>) -> Parsed<()> {
    take_while(0.., |c| is_blank(c) && !is_line_end(c)).void().parse_next(input)
}

/// What white space is in a pasted text: also no-break spaces and the mark of byte order.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

pub(super) fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

pub(super) fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | '$')
}

pub(super) fn is_name_part(c: char) -> bool {
    is_name_start(c) || c.is_alphanumeric()
}

/// A bare name.
pub(super) fn name<'s>(input: &mut Input<'s>, what: &str) -> Parsed<&'s str> {
    if !peek(input).is_some_and(is_name_start) {
        return expected(input, what);
    }
    take_while(1.., is_name_part).parse_next(input)
}

/// The bare name that comes next, without taking it; in short.
pub(super) fn word_ahead<'s>(input: &Input<'s>) -> &'s str {
    const LONGEST: usize = 40;
    let text = ahead(input);
    let end = text.char_indices().take(LONGEST).find(|(_, c)| !is_name_part(*c)).map(|(at, _)| at);
    let end = end.or_else(|| text.char_indices().nth(LONGEST).map(|(at, _)| at)).unwrap_or(text.len());
    &text[..end]
}
