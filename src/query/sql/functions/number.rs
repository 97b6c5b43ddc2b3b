//! Functions of numbers. Of anything else they are undefined.

use super::super::value::Value;

fn map<'a>(arguments: &[Value<'a>], function: fn(f64) -> f64) -> Value<'a> {
    match arguments[0] {
        Value::Number(number) => Value::number(function(number)),
        _ => Value::Undefined,
    }
}

pub(super) fn abs<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    map(arguments, f64::abs)
}

pub(super) fn floor<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    map(arguments, f64::floor)
}

pub(super) fn ceiling<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    map(arguments, f64::ceil)
}

/// The middle is rounded away from zero.
pub(super) fn round<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    map(arguments, f64::round)
}

pub(super) fn sqrt<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    map(arguments, f64::sqrt)
}

pub(super) fn power<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    match (&arguments[0], &arguments[1]) {
        (Value::Number(base), Value::Number(exponent)) => Value::number(base.powf(*exponent)),
        _ => Value::Undefined,
    }
}
