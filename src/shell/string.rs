//! Strings and regular expressions as JavaScript writes them.

use bson::{Bson, Regex};
use winnow::prelude::*;
use winnow::token::{any, take_till, take_while};

use super::lex::{Input, Parsed, ahead, eat, expected, fault, is_line_end, peek, position};

/// A string in single or double quotes, its escapes resolved.
pub(super) fn string(input: &mut Input<'_>) -> Parsed<String> {
    let open = position(input);
    let quote = match peek(input) {
        Some(quote @ ('"' | '\'')) => quote,
        _ => return expected(input, "a string in quotes"),
    };
    any.parse_next(input)?;
    let mut text = String::new();
    loop {
        text += take_till(0.., |c| c == quote || c == '\\' || is_line_end(c)).parse_next(input)?;
        match peek(input) {
            Some('\\') => text.extend(escape(input)?),
            Some(c) if c == quote => {
                any.parse_next(input)?;
                return Ok(text);
            }
            _ => return fault(open, format!("the string has no end: {quote} is missing on its line")),
        }
    }
}

/// The character that an escape stands for; none for a line that goes on.
fn escape(input: &mut Input<'_>) -> Parsed<Option<char>> {
    let at = position(input);
    any.parse_next(input)?;
    let Some(c) = peek(input) else { return expected(input, "the rest of an escape") };
    any.parse_next(input)?;
    Ok(Some(match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'v' => '\u{b}',
        '0' if !peek(input).is_some_and(|c| c.is_ascii_digit()) => '\0',
        'x' => hex(input, at, 2)?,
        'u' => unicode(input, at)?,
        '\r' => {
            eat(input, '\n')?;
            return Ok(None);
        }
        '\n' => return Ok(None),
        c if c.is_ascii_digit() => return fault(at, "octal escapes are none: write \\x or \\u"),
        other => other,
    }))
}

fn unicode(input: &mut Input<'_>, at: usize) -> Parsed<char> {
    if eat(input, '{')? {
        let digits: &str = take_while(0..=6, |c: char| c.is_ascii_hexdigit()).parse_next(input)?;
        let c = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        return match c {
            Some(c) if eat(input, '}')? => Ok(c),
            _ => fault(at, "the escape \\u{…} takes the number of a character in hexadecimal digits"),
        };
    }
    let lone = "half a surrogate pair is no character";
    let mut code = hex_number(input, at, 4)?;
    if (0xD800..0xDC00).contains(&code) {
        if !ahead(input).starts_with("\\u") {
            return fault(at, lone);
        }
        (any, any).void().parse_next(input)?;
        let low = hex_number(input, at, 4)?;
        if !(0xDC00..0xE000).contains(&low) {
            return fault(at, lone);
        }
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    match char::from_u32(code) {
        Some(c) => Ok(c),
        None => fault(at, lone),
    }
}

fn hex(input: &mut Input<'_>, at: usize, digits: usize) -> Parsed<char> {
    let code = hex_number(input, at, digits)?;
    match char::from_u32(code) {
        Some(c) => Ok(c),
        None => fault(at, "the escape is no character"),
    }
}

fn hex_number(input: &mut Input<'_>, at: usize, digits: usize) -> Parsed<u32> {
    let found: &str = take_while(0..=digits, |c: char| c.is_ascii_hexdigit()).parse_next(input)?;
    match u32::from_str_radix(found, 16) {
        Ok(code) if found.len() == digits => Ok(code),
        _ => fault(at, format!("the escape takes {digits} hexadecimal digits")),
    }
}

/// `/pattern/flags`
pub(super) fn regex(input: &mut Input<'_>) -> Parsed<Bson> {
    let open = position(input);
    any.parse_next(input)?;
    let start = position(input);
    let (mut escaped, mut class) = (false, false);
    loop {
        match peek(input) {
            None | Some('\n' | '\r' | '\u{2028}' | '\u{2029}') => {
                return fault(open, "the regular expression has no end: / is missing on its line");
            }
            Some(_) if escaped => escaped = false,
            Some('\\') => escaped = true,
            Some('[') => class = true,
            Some(']') => class = false,
            Some('/') if !class => break,
            Some(_) => {}
        }
        any.parse_next(input)?;
    }
    let pattern = &input.state.source[start..position(input)];
    any.parse_next(input)?;
    let flags = take_while(0.., |c: char| c.is_alphanumeric()).parse_next(input)?;
    match regex_value(pattern, flags) {
        Ok(value) => Ok(value),
        Err(words) => fault(open, words),
    }
}

/// A regular expression with its options in the order of the alphabet, as BSON wants them. `g` says nothing in a filter.
pub(super) fn regex_value(pattern: &str, flags: &str) -> Result<Bson, String> {
    let mut options: Vec<char> = flags.chars().filter(|flag| *flag != 'g').collect();
    options.sort_unstable();
    options.dedup();
    if let Some(flag) = options.iter().find(|flag| !"ilmsux".contains(**flag)) {
        return Err(format!("a regular expression has no flag `{flag}`: i, m, s, x and u are known"));
    }
    let nul = |_| "a regular expression cannot hold the character NUL".to_owned();
    let options = options.into_iter().collect::<String>().try_into().map_err(nul)?;
    Ok(Bson::RegularExpression(Regex { pattern: pattern.try_into().map_err(nul)?, options }))
}
