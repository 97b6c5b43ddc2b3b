//! Functions of strings. Of anything else they are undefined. Positions and lengths count characters.

use super::super::value::Value;
use super::{at_least_zero, count, integer};

/// Applies a test of two strings; the third argument says whether the case of letters is ignored.
fn test<'a>(arguments: &[Value<'a>], test: fn(&str, &str) -> bool) -> Value<'a> {
    let (Value::String(text), Value::String(part)) = (&arguments[0], &arguments[1]) else { return Value::Undefined };
    match arguments.get(2) {
        None | Some(Value::Bool(false)) => Value::Bool(test(text, part)),
        Some(Value::Bool(true)) => Value::Bool(test(&text.to_lowercase(), &part.to_lowercase())),
        Some(_) => Value::Undefined,
    }
}

fn map<'a>(arguments: &[Value<'a>], function: impl FnOnce(&str) -> String) -> Value<'a> {
    match &arguments[0] {
        Value::String(text) => Value::text(function(text)),
        _ => Value::Undefined,
    }
}

pub(super) fn contains<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    test(arguments, |text, part| text.contains(part))
}

pub(super) fn starts_with<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    test(arguments, |text, part| text.starts_with(part))
}

pub(super) fn ends_with<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    test(arguments, |text, part| text.ends_with(part))
}

pub(super) fn lower<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    map(arguments, str::to_lowercase)
}

pub(super) fn upper<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    map(arguments, str::to_uppercase)
}

pub(super) fn trim<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    map(arguments, |text| text.trim().to_owned())
}

pub(super) fn trim_left<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    map(arguments, |text| text.trim_start().to_owned())
}

pub(super) fn trim_right<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    map(arguments, |text| text.trim_end().to_owned())
}

pub(super) fn reverse<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    map(arguments, |text| text.chars().rev().collect())
}

pub(super) fn length<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    match &arguments[0] {
        Value::String(text) => count(text.chars().count()),
        _ => Value::Undefined,
    }
}

pub(super) fn concat<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    let mut all = String::new();
    for argument in arguments {
        let Value::String(text) = argument else { return Value::Undefined };
        all += text;
    }
    Value::text(all)
}

/// From a position, counted from 0, so many characters. In front of the text there are none.
pub(super) fn substring<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    let (Some(start), Some(length)) = (integer(&arguments[1]), integer(&arguments[2])) else {
        return Value::Undefined;
    };
    let length = if start < 0 { 0 } else { at_least_zero(length) };
    map(arguments, |text| text.chars().skip(at_least_zero(start)).take(length).collect())
}

/// The position of a text in another, or -1; searched for from the position in the third argument on.
pub(super) fn index_of<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    let (Value::String(text), Value::String(part)) = (&arguments[0], &arguments[1]) else { return Value::Undefined };
    let start = match arguments.get(2).map(integer) {
        None => 0,
        Some(Some(start)) => at_least_zero(start),
        Some(None) => return Value::Undefined,
    };
    let from = text.char_indices().nth(start).map_or(text.len(), |(at, _)| at);
    match text[from..].find(part.as_ref()) {
        Some(at) => count(text[..from + at].chars().count()),
        None => Value::Number(-1.0),
    }
}

/// Nothing is found where the second argument is empty. A result that no document could hold is undefined: one REPLACE
/// in another would multiply its length without end.
pub(super) fn replace<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    const LONGEST: usize = 16 << 20;
    let (Value::String(text), Value::String(old), Value::String(new)) = (&arguments[0], &arguments[1], &arguments[2])
    else {
        return Value::Undefined;
    };
    if old.is_empty() {
        return arguments[0].clone();
    }
    let found = text.matches(old.as_ref()).count();
    if found.saturating_mul(new.len()) > LONGEST {
        return Value::Undefined;
    }
    Value::text(text.replace(old.as_ref(), new))
}

pub(super) fn left<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    match integer(&arguments[1]) {
        Some(length) => map(arguments, |text| text.chars().take(at_least_zero(length)).collect()),
        None => Value::Undefined,
    }
}

pub(super) fn right<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    match integer(&arguments[1]) {
        Some(length) => map(arguments, |text| {
            let skipped = text.chars().count().saturating_sub(at_least_zero(length));
            text.chars().skip(skipped).collect()
        }),
        None => Value::Undefined,
    }
}
