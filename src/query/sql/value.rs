//! Values of expressions: those of JSON, borrowed from a document where that is possible, and undefined.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde_json::{Map, Number, Value as Json};

/// A value. All numbers are doubles, as in the service.
#[derive(Clone, Debug, Default)]
pub(super) enum Value<'a> {
    /// A member that is not there, or the result of an operator on types it is not made for.
    #[default]
    Undefined,
    Null,
    Bool(bool),
    Number(f64),
    String(Cow<'a, str>),
    Array(Cow<'a, [Json]>),
    Object(Cow<'a, Map<String, Json>>),
}

impl<'a> Value<'a> {
    /// The value of a member that may be missing.
    pub fn of(json: Option<&'a Json>) -> Value<'a> {
        match json {
            None => Value::Undefined,
            Some(Json::Null) => Value::Null,
            Some(Json::Bool(b)) => Value::Bool(*b),
            Some(Json::Number(number)) => Value::number(number.as_f64().unwrap_or(f64::NAN)),
            Some(Json::String(text)) => Value::String(Cow::Borrowed(text)),
            Some(Json::Array(items)) => Value::Array(Cow::Borrowed(items)),
            Some(Json::Object(members)) => Value::Object(Cow::Borrowed(members)),
        }
    }

    /// A number. What JSON cannot write (the quotient by 0, the root of -1) is undefined.
    pub fn number(number: f64) -> Value<'a> {
        if number.is_finite() { Value::Number(number) } else { Value::Undefined }
    }

    pub fn text(text: String) -> Value<'a> {
        Value::String(Cow::Owned(text))
    }

    pub fn array(items: Vec<Json>) -> Value<'a> {
        Value::Array(Cow::Owned(items))
    }

    /// The same without copying.
    pub fn borrow(&self) -> Value<'_> {
        match self {
            Value::Undefined => Value::Undefined,
            Value::Null => Value::Null,
            Value::Bool(b) => Value::Bool(*b),
            Value::Number(number) => Value::Number(*number),
            Value::String(text) => Value::String(Cow::Borrowed(text)),
            Value::Array(items) => Value::Array(Cow::Borrowed(items)),
            Value::Object(members) => Value::Object(Cow::Borrowed(members)),
        }
    }

    pub fn into_owned(self) -> Value<'static> {
        match self {
            Value::Undefined => Value::Undefined,
            Value::Null => Value::Null,
            Value::Bool(b) => Value::Bool(b),
            Value::Number(number) => Value::Number(number),
            Value::String(text) => Value::String(Cow::Owned(text.into_owned())),
            Value::Array(items) => Value::Array(Cow::Owned(items.into_owned())),
            Value::Object(members) => Value::Object(Cow::Owned(members.into_owned())),
        }
    }

    /// The value as JSON; `None` for undefined.
    pub fn into_json(self) -> Option<Json> {
        Some(match self {
            Value::Undefined => return None,
            Value::Null => Json::Null,
            Value::Bool(b) => Json::Bool(b),
            Value::Number(double) => number(double),
            Value::String(text) => Json::String(text.into_owned()),
            Value::Array(items) => Json::Array(items.into_owned()),
            Value::Object(members) => Json::Object(members.into_owned()),
        })
    }

    pub fn is_defined(&self) -> bool {
        !matches!(self, Value::Undefined)
    }

    /// `=`: of two values of one type whether they are the same, of others undefined.
    pub fn equals(&self, other: &Value<'_>) -> Option<bool> {
        Some(match (self, other) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::String(a), Value::String(b)) => a == b,
            (Value::Array(a), Value::Array(b)) => all_same(a, b),
            (Value::Object(a), Value::Object(b)) => same_members(a, b),
            _ => return None,
        })
    }

    /// `<` and its like: the order of two values of one type; of others, of arrays and of objects undefined.
    pub fn compare(&self, other: &Value<'_>) -> Option<Ordering> {
        match (self, other) {
            (Value::Null, Value::Null) => Some(Ordering::Equal),
            (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
            (Value::Number(a), Value::Number(b)) => a.partial_cmp(b),
            (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
            _ => None,
        }
    }
}

/// A double as JSON: without a fraction where it has none. One that is not finite is null.
pub(super) fn number(double: f64) -> Json {
    const LIMIT: f64 = 9.0e18;
    if double.fract() == 0.0 && double.abs() < LIMIT {
        Json::from(double as i64)
    } else {
        Number::from_f64(double).map_or(Json::Null, Json::Number)
    }
}

/// Whether two values are the same: 1 and 1.0 are.
pub(super) fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => a.as_f64() == b.as_f64(),
        (Json::Array(a), Json::Array(b)) => all_same(a, b),
        (Json::Object(a), Json::Object(b)) => same_members(a, b),
        _ => a == b,
    }
}

fn all_same(a: &[Json], b: &[Json]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

fn same_members(a: &Map<String, Json>, b: &Map<String, Json>) -> bool {
    a.len() == b.len() && a.iter().all(|(name, value)| b.get(name).is_some_and(|other| same(value, other)))
}

/// The order of ORDER BY, MIN and MAX over all types: undefined, null, false, true, numbers, strings, arrays, objects.
pub(super) fn order(a: Option<&Json>, b: Option<&Json>) -> Ordering {
    let (Some(a), Some(b)) = (a, b) else { return a.is_some().cmp(&b.is_some()) };
    match (a, b) {
        (Json::Bool(a), Json::Bool(b)) => a.cmp(b),
        (Json::Number(a), Json::Number(b)) => a.as_f64().partial_cmp(&b.as_f64()).unwrap_or(Ordering::Equal),
        (Json::String(a), Json::String(b)) => a.cmp(b),
        (Json::Array(a), Json::Array(b)) => {
            let pairs = a.iter().zip(b).map(|(a, b)| order(Some(a), Some(b)));
            pairs.into_iter().find(|order| order.is_ne()).unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        (Json::Object(a), Json::Object(b)) => {
            let pair = |((name, a), (other, b)): ((&String, &Json), (&String, &Json))| {
                name.cmp(other).then_with(|| order(Some(a), Some(b)))
            };
            let found = a.iter().zip(b).map(pair).find(|order| order.is_ne());
            found.unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        _ => rank(a).cmp(&rank(b)),
    }
}

fn rank(json: &Json) -> u8 {
    match json {
        Json::Null => 0,
        Json::Bool(_) => 1,
        Json::Number(_) => 2,
        Json::String(_) => 3,
        Json::Array(_) => 4,
        Json::Object(_) => 5,
    }
}

/// Writes bytes that are equal for equal values only: the key of a group, or of a row in DISTINCT.
pub(super) fn write_key(json: Option<&Json>, key: &mut Vec<u8>) {
    let Some(json) = json else { return key.push(b'u') };
    key.push(b'0' + rank(json));
    match json {
        Json::Null => {}
        Json::Bool(b) => key.push(u8::from(*b)),
        // Adding 0 makes 0 of -0.
        Json::Number(number) => key.extend((number.as_f64().unwrap_or(f64::NAN) + 0.0).to_le_bytes()),
        Json::String(text) => write_text(text, key),
        Json::Array(items) => {
            key.extend(items.len().to_le_bytes());
            items.iter().for_each(|item| write_key(Some(item), key));
        }
        Json::Object(members) => {
            key.extend(members.len().to_le_bytes());
            // The members of a map are in the order of their names.
            for (name, value) in members {
                write_text(name, key);
                write_key(Some(value), key);
            }
        }
    }
}

fn write_text(text: &str, key: &mut Vec<u8>) {
    key.extend(text.len().to_le_bytes());
    key.extend(text.as_bytes());
}
