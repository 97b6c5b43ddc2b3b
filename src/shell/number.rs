//! Number literals.

use bson::Bson;
use winnow::prelude::*;
use winnow::token::{any, take_while};

use super::lex::{
    Input, Parsed, ahead, eat, expected, fault, is_name_part, is_name_start, name, peek, position, space,
};
use super::literal::short;

/// A number with or without a sign; also `Infinity` and `NaN` behind one.
pub(super) fn number(input: &mut Input<'_>) -> Parsed<Bson> {
    let negative = peek(input) == Some('-');
    if negative || peek(input) == Some('+') {
        any.parse_next(input)?;
        space(input)?;
    }
    let unsigned = if peek(input).is_some_and(is_name_start) {
        word(input)?
    } else if ahead(input).starts_with("0x") || ahead(input).starts_with("0X") {
        hexadecimal(input)?
    } else {
        decimal(input)?
    };
    Ok(match unsigned {
        // An int32 has one number more below 0 than above.
        Unsigned::Integer(n) => integer(if negative { -n } else { n }),
        Unsigned::Double(n) => Bson::Double(if negative { -n } else { n }),
    })
}

enum Unsigned {
    Integer(i64),
    Double(f64),
}

fn integer(n: i64) -> Bson {
    // A larger one is rounded to the nearest double, as the vendor's shell does: NumberLong keeps it.
    i32::try_from(n).map_or(Bson::Double(n as f64), Bson::Int32)
}

fn word(input: &mut Input<'_>) -> Parsed<Unsigned> {
    let at = position(input);
    match name(input, "a number")? {
        "Infinity" => Ok(Unsigned::Double(f64::INFINITY)),
        "NaN" => Ok(Unsigned::Double(f64::NAN)),
        other => fault(at, format!("expected a number behind the sign, found `{}`", short(other))),
    }
}

fn hexadecimal(input: &mut Input<'_>) -> Parsed<Unsigned> {
    let start = position(input);
    (any, any).void().parse_next(input)?;
    let digits: &str = take_while(0.., |c: char| c.is_ascii_hexdigit()).parse_next(input)?;
    ends_here(input, start)?;
    match i64::from_str_radix(digits, 16) {
        Ok(n) => Ok(Unsigned::Integer(n)),
        Err(_) => fault(start, "a hexadecimal number has 1 to 15 digits: 0x1F"),
    }
}

/// `20`, `20.0`, `5.`, `.5`, `1e-3`
fn decimal(input: &mut Input<'_>) -> Parsed<Unsigned> {
    let start = position(input);
    let whole = digits(input)?;
    let point = eat(input, '.')?;
    let fraction = if point { digits(input)? } else { "" };
    if whole.is_empty() && fraction.is_empty() {
        return expected(input, "a digit");
    }
    let exponent = matches!(peek(input), Some('e' | 'E'));
    if exponent {
        any.parse_next(input)?;
        if matches!(peek(input), Some('+' | '-')) {
            any.parse_next(input)?;
        }
        if digits(input)?.is_empty() {
            return expected(input, "the digits of an exponent");
        }
    }
    ends_here(input, start)?;
    if whole.len() > 1 && whole.starts_with('0') {
        return fault(start, "a decimal number does not start with 0");
    }
    let text = &input.state.source[start..position(input)];
    match (text.parse(), text.parse::<f64>()) {
        (Ok(n), _) if !point && !exponent => Ok(Unsigned::Integer(n)),
        (_, Ok(n)) if n.is_finite() => Ok(Unsigned::Double(n)),
        _ => fault(start, format!("the number {} is beyond a double", short(text))),
    }
}

fn digits<'s>(input: &mut Input<'s>) -> Parsed<&'s str> {
    take_while(0.., |c: char| c.is_ascii_digit()).parse_next(input)
}

/// Refuses a number that goes on with something else: `12abc`, `1.2.3`, `1_000`.
fn ends_here(input: &Input<'_>, start: usize) -> Parsed<()> {
    match peek(input) {
        Some(c) if is_name_part(c) || c == '.' => {
            let text = &input.state.source[start..position(input) + c.len_utf8()];
            fault(start, format!("`{}` is no number", short(text)))
        }
        _ => Ok(()),
    }
}
