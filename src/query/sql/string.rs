//! Strings in single or double quotes, with the escapes of JSON.

use winnow::prelude::*;
use winnow::stream::Location;
use winnow::token::{any, take_till, take_while};

use super::lex::{Fault, Input, Parsed, peek};

/// A string, its escapes resolved. The next character is its `quote`.
pub(super) fn string(input: &mut Input<'_>, quote: char) -> Parsed<String> {
    let open = input.current_token_start();
    any.parse_next(input)?;
    let mut text = String::new();
    loop {
        text += take_till(0.., |c| c == quote || c == '\\').parse_next(input)?;
        match peek(input) {
            Some('\\') => text.push(escape(input)?),
            Some(_) => {
                any.parse_next(input)?;
                return Ok(text);
            }
            None => return Err(Fault::new(open, format!("the string has no end: {quote} is missing"))),
        }
    }
}

/// The character that an escape stands for.
fn escape(input: &mut Input<'_>) -> Parsed<char> {
    let at = input.current_token_start();
    any.parse_next(input)?;
    let Some(c) = peek(input) else { return Err(Fault::new(at, "the escape has no end")) };
    any.parse_next(input)?;
    Ok(match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        '"' | '\'' | '\\' | '/' => c,
        'u' => unicode(input, at)?,
        other => return Err(Fault::new(at, format!("there is no escape \\{}", other.escape_debug()))),
    })
}

/// `\uXXXX`, two of which may make one character.
fn unicode(input: &mut Input<'_>, at: usize) -> Parsed<char> {
    let lone = || Fault::new(at, "half a surrogate pair is no character");
    let mut code = hex(input, at)?;
    if (0xD800..0xDC00).contains(&code) {
        if !input.as_ref().starts_with("\\u") {
            return Err(lone());
        }
        (any, any).void().parse_next(input)?;
        let low = hex(input, at)?;
        if !(0xDC00..0xE000).contains(&low) {
            return Err(lone());
        }
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    char::from_u32(code).ok_or_else(lone)
}

fn hex(input: &mut Input<'_>, at: usize) -> Parsed<u32> {
    let digits: &str = take_while(0..=4, |c: char| c.is_ascii_hexdigit()).parse_next(input)?;
    match u32::from_str_radix(digits, 16) {
        Ok(code) if digits.len() == 4 => Ok(code),
        _ => Err(Fault::new(at, "the escape \\u takes 4 hexadecimal digits")),
    }
}
