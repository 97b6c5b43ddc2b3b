//! Functions of arrays. Of anything else they are undefined.

use serde_json::Value as Json;

use super::super::value::{Value, same};
use super::{at_least_zero, count, integer};

/// With true as third argument an object matches one that has its members among others.
pub(super) fn contains<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    let partial = match arguments.get(2) {
        None => false,
        Some(Value::Bool(partial)) => *partial,
        Some(_) => return Value::Undefined,
    };
    let Value::Array(items) = &arguments[0] else { return Value::Undefined };
    match &arguments[1] {
        Value::Undefined => Value::Undefined,
        Value::Object(wanted) if partial => {
            let has_all = |item: &Json| {
                wanted.iter().all(|(name, value)| item.get(name).is_some_and(|member| same(member, value)))
            };
            Value::Bool(items.iter().any(|item| item.is_object() && has_all(item)))
        }
        wanted => Value::Bool(items.iter().any(|item| Value::of(Some(item)).equals(wanted) == Some(true))),
    }
}

pub(super) fn length<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    match &arguments[0] {
        Value::Array(items) => count(items.len()),
        _ => Value::Undefined,
    }
}

pub(super) fn concat<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    let mut all = Vec::new();
    for argument in arguments {
        let Value::Array(items) = argument else { return Value::Undefined };
        all.extend_from_slice(items);
    }
    Value::array(all)
}

/// From a position on, counted from the end when it is negative; so many elements, or all that follow.
pub(super) fn slice<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    let Value::Array(items) = &arguments[0] else { return Value::Undefined };
    let Some(start) = integer(&arguments[1]) else { return Value::Undefined };
    let start = match start {
        0.. => at_least_zero(start),
        _ => items.len().saturating_sub(at_least_zero(-start)),
    };
    let wanted = match arguments.get(2).map(integer) {
        None => usize::MAX,
        Some(Some(wanted)) => at_least_zero(wanted),
        Some(None) => return Value::Undefined,
    };
    Value::array(items.iter().skip(start).take(wanted).cloned().collect())
}
