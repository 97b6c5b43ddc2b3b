//! The functions of the language. Every one is named here once.

mod array;
mod number;
mod string;
mod types;

use super::value::Value;

type Call = for<'a> fn(&[Value<'a>]) -> Value<'a>;

/// A function of values: its arguments are as many as it takes.
#[derive(Clone, Copy)]
pub(super) struct Function {
    pub call: Call,
    /// The least and the greatest number of arguments.
    pub arity: (usize, usize),
}

impl std::fmt::Debug for Function {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Function{:?}", self.arity)
    }
}

/// The function of a name in capitals.
pub(super) fn find(name: &str) -> Option<Function> {
    let (call, least, most): (Call, usize, usize) = match name {
        "IS_DEFINED" => (types::is_defined, 1, 1),
        "IS_NULL" => (types::is_null, 1, 1),
        "IS_NUMBER" => (types::is_number, 1, 1),
        "IS_STRING" => (types::is_string, 1, 1),
        "IS_BOOL" => (types::is_bool, 1, 1),
        "IS_ARRAY" => (types::is_array, 1, 1),
        "IS_OBJECT" => (types::is_object, 1, 1),
        "IS_PRIMITIVE" => (types::is_primitive, 1, 1),
        "CONTAINS" => (string::contains, 2, 3),
        "STARTSWITH" => (string::starts_with, 2, 3),
        "ENDSWITH" => (string::ends_with, 2, 3),
        "LOWER" => (string::lower, 1, 1),
        "UPPER" => (string::upper, 1, 1),
        "TRIM" => (string::trim, 1, 1),
        "LTRIM" => (string::trim_left, 1, 1),
        "RTRIM" => (string::trim_right, 1, 1),
        "LENGTH" => (string::length, 1, 1),
        "CONCAT" => (string::concat, 2, usize::MAX),
        "SUBSTRING" => (string::substring, 3, 3),
        "INDEX_OF" => (string::index_of, 2, 3),
        "REPLACE" => (string::replace, 3, 3),
        "LEFT" => (string::left, 2, 2),
        "RIGHT" => (string::right, 2, 2),
        "REVERSE" => (string::reverse, 1, 1),
        "ABS" => (number::abs, 1, 1),
        "FLOOR" => (number::floor, 1, 1),
        "CEILING" => (number::ceiling, 1, 1),
        "ROUND" => (number::round, 1, 1),
        "SQRT" => (number::sqrt, 1, 1),
        "POWER" => (number::power, 2, 2),
        "ARRAY_CONTAINS" => (array::contains, 2, 3),
        "ARRAY_LENGTH" => (array::length, 1, 1),
        "ARRAY_CONCAT" => (array::concat, 2, usize::MAX),
        "ARRAY_SLICE" => (array::slice, 2, 3),
        _ => return None,
    };
    Some(Function { call, arity: (least, most) })
}

/// A whole number: a position or a count.
fn integer(value: &Value<'_>) -> Option<i64> {
    const LIMIT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) if number.fract() == 0.0 && number.abs() <= LIMIT => Some(*number as i64),
        _ => None,
    }
}

/// A count of things in memory as a number.
fn count<'a>(count: usize) -> Value<'a> {
    Value::Number(count as f64)
}

/// A position or a count that may be negative: 0 then.
fn at_least_zero(number: i64) -> usize {
    usize::try_from(number.max(0)).unwrap_or(usize::MAX)
}
