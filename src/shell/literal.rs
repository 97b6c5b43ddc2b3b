//! Values: documents, arrays, strings, numbers, words.
//!
//! An integer that fits is an int32 and a number with a point or an exponent a double, so that `20`, `NumberLong(20)` and
//! `20.0` are three types. A larger integer is a double, as in the vendor's shell.

use bson::{Bson, Document};
use winnow::prelude::*;
use winnow::token::{any, take_while};

use crate::domain::mongodb::MAX_DEPTH;

use super::construct;
use super::lex::{
    Input, Parsed, ahead, eat, expected, fault, is_name_part, is_name_start, name, peek, position, space, word_ahead,
};
use super::number::number;
use super::string::{regex, string};

/// One value.
pub(super) fn value(input: &mut Input<'_>) -> Parsed<Bson> {
    match peek(input) {
        Some('{') => nested(input, MAX_DEPTH, document).map(Bson::Document),
        Some('[') => nested(input, MAX_DEPTH, array),
        Some('"' | '\'') => string(input).map(Bson::String),
        Some('/') => regex(input),
        Some('0'..='9' | '.' | '-' | '+') => number(input),
        Some(c) if is_name_start(c) => word(input),
        _ => expected(input, "a value"),
    }
}

/// One level deeper, as long as there are fewer than `limit`.
pub(super) fn nested<'s, T>(input: &mut Input<'s>, limit: usize, inner: fn(&mut Input<'s>) -> Parsed<T>) -> Parsed<T> {
    if input.state.depth >= limit {
        return fault(position(input), format!("values can be nested {MAX_DEPTH} deep"));
    }
    input.state.depth += 1;
    let value = inner(input);
    input.state.depth -= 1;
    value
}

fn document(input: &mut Input<'_>) -> Parsed<Document> {
    any.parse_next(input)?;
    let mut document = Document::new();
    loop {
        space(input)?;
        if eat(input, '}')? {
            return Ok(document);
        }
        let at = position(input);
        let name = field_name(input)?;
        space(input)?;
        if !eat(input, ':')? {
            return match peek(input) {
                Some(',' | '}') => fault(at, format!("the shell knows no variables: `{name}` has no value")),
                Some('.') => fault(at, format!("a name with a dot stands in quotes: \"{name}.…\"")),
                Some('(') => fault(at, "the shell runs no functions"),
                _ => expected(input, "a colon"),
            };
        }
        space(input)?;
        let value = value(input)?;
        if document.contains_key(&name) {
            return fault(at, format!("the name `{name}` stands twice in one document"));
        }
        document.insert(name, value);
        space(input)?;
        if !eat(input, ',')? && peek(input) != Some('}') {
            return expected(input, "a comma or `}`");
        }
    }
}

fn field_name(input: &mut Input<'_>) -> Parsed<String> {
    let at = position(input);
    let name = match peek(input) {
        Some('"' | '\'') => string(input)?,
        Some('0'..='9') => take_while(1.., is_name_part).parse_next(input)?.to_owned(),
        Some('[') => return fault(at, "the shell calculates no names: write the name"),
        Some('.') => return fault(at, "the shell knows no variables to spread"),
        _ => name(input, "a name or `}`")?.to_owned(),
    };
    if name.contains('\0') {
        return fault(at, "a name cannot hold the character NUL");
    }
    Ok(name)
}

fn array(input: &mut Input<'_>) -> Parsed<Bson> {
    any.parse_next(input)?;
    let mut items = Vec::new();
    loop {
        space(input)?;
        if eat(input, ']')? {
            return Ok(Bson::Array(items));
        }
        if items.is_empty() && peek(input).is_none() {
            return expected(input, "a value or `]`");
        }
        items.push(value(input)?);
        space(input)?;
        if !eat(input, ',')? && peek(input) != Some(']') {
            return expected(input, "a comma or `]`");
        }
    }
}

/// A word that is a value, or the constructor of one.
fn word(input: &mut Input<'_>) -> Parsed<Bson> {
    let at = position(input);
    let word = name(input, "a value")?;
    Ok(match word {
        "true" => Bson::Boolean(true),
        "false" => Bson::Boolean(false),
        "null" => Bson::Null,
        "undefined" => Bson::Undefined,
        "NaN" => Bson::Double(f64::NAN),
        "Infinity" => Bson::Double(f64::INFINITY),
        "function" | "async" => return fault(at, "the shell runs no functions"),
        "new" => {
            space(input)?;
            let at = position(input);
            let class = name(input, "the name of a type behind `new`")?;
            return construct::construct(input, at, class, true);
        }
        _ => {
            if matches!(word, "MinKey" | "MaxKey") || ahead(input).trim_start().starts_with('(') {
                return construct::construct(input, at, word, false);
            }
            if ahead(input).trim_start().starts_with("=>") {
                return fault(at, "the shell runs no functions");
            }
            return fault(at, format!("the shell knows no variables: `{}` has no value", short(word)));
        }
    })
}

/// A word that fits into a message.
pub(super) fn short(word: &str) -> String {
    const LONGEST: usize = 40;
    let mut text: String = word.chars().take(LONGEST).collect();
    if text.len() < word.len() {
        text.push('…');
    }
    text
}

/// `(value, value, …)`, each with the bytes that it stands on.
pub(super) fn arguments(input: &mut Input<'_>) -> Parsed<Vec<(Bson, std::ops::Range<usize>)>> {
    let mut found = Vec::new();
    if !eat(input, '(')? {
        return expected(input, "`(`");
    }
    loop {
        space(input)?;
        if eat(input, ')')? {
            return Ok(found);
        }
        let start = position(input);
        if matches!(word_ahead(input), "function" | "async") {
            return fault(start, "the shell runs no functions");
        }
        if found.is_empty() && peek(input).is_none() {
            return expected(input, "a value or `)`");
        }
        let value = value(input)?;
        found.push((value, start..position(input)));
        space(input)?;
        if !eat(input, ',')? && peek(input) != Some(')') {
            return expected(input, "a comma or `)`");
        }
    }
}

#[cfg(test)]
#[path = "literal_tests.rs"]
mod tests;
