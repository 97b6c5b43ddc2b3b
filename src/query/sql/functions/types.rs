//! Questions about types. Of undefined every answer is false.

use super::super::value::Value;

pub(super) fn is_defined<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    Value::Bool(arguments[0].is_defined())
}

pub(super) fn is_null<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    Value::Bool(matches!(arguments[0], Value::Null))
}

pub(super) fn is_number<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    Value::Bool(matches!(arguments[0], Value::Number(_)))
}

pub(super) fn is_string<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    Value::Bool(matches!(arguments[0], Value::String(_)))
}

pub(super) fn is_bool<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    Value::Bool(matches!(arguments[0], Value::Bool(_)))
}

pub(super) fn is_array<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    Value::Bool(matches!(arguments[0], Value::Array(_)))
}

pub(super) fn is_object<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    Value::Bool(matches!(arguments[0], Value::Object(_)))
}

pub(super) fn is_primitive<'a>(arguments: &[Value<'a>]) -> Value<'a> {
    let primitive = matches!(arguments[0], Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_));
    Value::Bool(primitive)
}
