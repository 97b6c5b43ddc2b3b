//! Numbers of four types compared by their exact value: `20`, `20.0`, `NumberLong(20)` and `NumberDecimal("20")` are equal,
//! and an int64 beyond 2^53 is not rounded to a double first.

use std::cmp::Ordering;

use bson::{Bson, Decimal128};

/// The value of a BSON number.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// An int32 or an int64.
    Int(i64),
    /// A double.
    Double(f64),
    /// A finite Decimal128, digit by digit.
    Decimal(Decimal),
}

/// A finite decimal: `0.digits` times ten to the power of `scale`, negative or not. No digits mean zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    negative: bool,
    digits: String,
    scale: i64,
}

impl Number {
    /// The number in `value`; `None` when it is of another type.
    pub fn of(value: &Bson) -> Option<Number> {
        Some(match value {
            Bson::Int32(n) => Number::Int(i64::from(*n)),
            Bson::Int64(n) => Number::Int(*n),
            Bson::Double(n) => Number::Double(*n),
            Bson::Decimal128(n) => match n.to_string().as_str() {
                "NaN" => Number::Double(f64::NAN),
                "Infinity" => Number::Double(f64::INFINITY),
                "-Infinity" => Number::Double(f64::NEG_INFINITY),
                text => Number::Decimal(Decimal::parse(text)),
            },
            _ => return None,
        })
    }

    /// The same value as an integer, when it is one and fits 64 bits.
    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Number::Int(n) => Some(*n),
            Number::Double(n) => exact_integer(*n),
            Number::Decimal(n) => n.as_integer(),
        }
    }

    /// The integer part, when it fits 64 bits; not of NaN and the infinities.
    pub fn truncated(&self) -> Option<i64> {
        match self {
            Number::Int(n) => Some(*n),
            Number::Double(n) => exact_integer(n.trunc()),
            Number::Decimal(n) => n.truncated().as_integer(),
        }
    }

    /// Whether it is not a number.
    pub fn is_nan(&self) -> bool {
        matches!(self, Number::Double(n) if n.is_nan())
    }

    /// MongoDB's order of numbers: by value, NaN equal to itself and below every other number.
    pub fn order(&self, other: &Number) -> Ordering {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => a.cmp(b),
            (Number::Double(a), Number::Double(b)) => order_doubles(*a, *b),
            (Number::Int(a), Number::Double(b)) => order_int_double(*a, *b),
            (Number::Double(a), Number::Int(b)) => order_int_double(*b, *a).reverse(),
            (Number::Decimal(a), Number::Double(b)) => order_decimal_double(a, *b),
            (Number::Double(a), Number::Decimal(b)) => order_decimal_double(b, *a).reverse(),
            (Number::Decimal(a), Number::Int(b)) => a.order(&Decimal::parse(&b.to_string())),
            (Number::Int(a), Number::Decimal(b)) => Decimal::parse(&a.to_string()).order(b),
            (Number::Decimal(a), Number::Decimal(b)) => a.order(b),
        }
    }
}

/// A Decimal128 from text: plain or scientific notation of at most 34 digits, `NaN`, `Infinity`, `-Infinity`.
///
/// The crate's own reading takes an empty text for 0 and two signs for one, so the form is checked here.
pub fn parse_decimal(text: &str) -> Option<Decimal128> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    (is_decimal(unsigned) || matches!(unsigned, "NaN" | "Infinity")).then(|| text.parse().ok()).flatten()
}

/// A double from text: decimal notation, `NaN`, `Infinity`, `-Infinity`; `None` beyond the largest double.
pub fn parse_double(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    match unsigned {
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(if text.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY }),
        _ if is_decimal(unsigned) => text.parse().ok().filter(|n: &f64| n.is_finite()),
        _ => None,
    }
}

/// A double with a point or an exponent, so that it is not taken for an integer: `20.0`, `1e300`, `NaN`, `-Infinity`.
pub fn spell_double(n: f64) -> String {
    if n.is_finite() {
        format!("{n:?}")
    } else if n.is_nan() {
        "NaN".to_owned()
    } else {
        if n > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
    }
}

/// `12`, `12.5`, `.5`, `1e3`, `1E-3`, without a sign.
fn is_decimal(text: &str) -> bool {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    digits(whole)
        && digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && digits(exponent)
        && !exponent.is_empty()
}

/// 2^63, the first double above every int64.
const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

fn exact_integer(n: f64) -> Option<i64> {
    // In this range the conversion is exact; NaN is outside it.
    ((-TWO_TO_63..TWO_TO_63).contains(&n) && n.fract() == 0.0).then_some(n as i64)
}

fn order_doubles(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| b.is_nan().cmp(&a.is_nan()))
}

fn order_int_double(a: i64, b: f64) -> Ordering {
    if b.is_nan() || b < -TWO_TO_63 {
        return Ordering::Greater;
    }
    if b >= TWO_TO_63 {
        return Ordering::Less;
    }
    let whole = b.trunc() as i64;
    a.cmp(&whole).then_with(|| 0.0.partial_cmp(&b.fract()).unwrap_or(Ordering::Equal))
}

fn order_decimal_double(a: &Decimal, b: f64) -> Ordering {
    if b.is_nan() || b == f64::NEG_INFINITY {
        return Ordering::Greater;
    }
    if b == f64::INFINITY {
        return Ordering::Less;
    }
    a.order(&Decimal::of_double(b))
}

impl Decimal {
    /// From plain or scientific notation, which the callers have checked.
    fn parse(text: &str) -> Decimal {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let exponent: i64 = exponent.parse().unwrap_or(0);
        let all = format!("{whole}{fraction}");
        let significant = all.trim_start_matches('0');
        let leading = all.len() - significant.len();
        let digits = significant.trim_end_matches('0').to_owned();
        let scale = if digits.is_empty() { 0 } else { exponent + whole.len() as i64 - leading as i64 };
        Decimal { negative, digits, scale }
    }

    /// The exact value of a finite double: at most 1,074 decimal places.
    fn of_double(n: f64) -> Decimal {
        Decimal::parse(&format!("{n:.1074}"))
    }

    fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    fn truncated(&self) -> Decimal {
        let kept = usize::try_from(self.scale).unwrap_or(0).min(self.digits.len());
        let digits = self.digits[..kept].trim_end_matches('0').to_owned();
        Decimal { negative: self.negative, scale: if digits.is_empty() { 0 } else { self.scale }, digits }
    }

    fn as_integer(&self) -> Option<i64> {
        const DIGITS_OF_AN_INT64: usize = 19;
        if self.is_zero() {
            return Some(0);
        }
        let width = usize::try_from(self.scale).ok().filter(|width| (1..=DIGITS_OF_AN_INT64).contains(width))?;
        if self.digits.len() > width {
            return None;
        }
        let sign = if self.negative { "-" } else { "" };
        format!("{sign}{:0<width$}", self.digits).parse().ok()
    }

    fn order(&self, other: &Decimal) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => return Ordering::Equal,
            (true, false) => return if other.negative { Ordering::Greater } else { Ordering::Less },
            (false, true) => return if self.negative { Ordering::Less } else { Ordering::Greater },
            (false, false) => {}
        }
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (negative, _) => {
                // Without leading and trailing zeros, equal scales make the order of digits the order of text.
                let magnitude = self.scale.cmp(&other.scale).then_with(|| self.digits.cmp(&other.digits));
                if negative { magnitude.reverse() } else { magnitude }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    fn decimal(text: &str) -> Bson {
        Bson::Decimal128(text.parse().expect("a decimal"))
    }

    #[rstest]
    #[case(Bson::Int32(20), Bson::Double(20.0), Ordering::Equal)]
    #[case(Bson::Int64(20), decimal("20"), Ordering::Equal)]
    #[case(decimal("2E+1"), decimal("20.00"), Ordering::Equal)]
    #[case(Bson::Int64(9_007_199_254_740_993), Bson::Double(9_007_199_254_740_992.0), Ordering::Greater)]
    #[case(Bson::Int64(i64::MAX), Bson::Double(9_223_372_036_854_775_807.0), Ordering::Less)]
    #[case(Bson::Int64(i64::MIN), Bson::Double(-9_223_372_036_854_775_808.0), Ordering::Equal)]
    #[case(Bson::Int32(20), Bson::Double(20.5), Ordering::Less)]
    #[case(Bson::Int32(-20), Bson::Double(-20.5), Ordering::Greater)]
    #[case(Bson::Double(-0.0), Bson::Int32(0), Ordering::Equal)]
    #[case(decimal("0.1"), Bson::Double(0.1), Ordering::Less)] // the double is a little above a tenth
    #[case(decimal("0.5"), Bson::Double(0.5), Ordering::Equal)]
    #[case(decimal("1E+6000"), Bson::Double(f64::MAX), Ordering::Greater)]
    #[case(decimal("1E+6000"), Bson::Double(f64::INFINITY), Ordering::Less)]
    #[case(decimal("-1E-6000"), Bson::Double(0.0), Ordering::Less)]
    #[case(decimal("1E-6000"), Bson::Double(f64::from_bits(1)), Ordering::Less)]
    #[case(decimal("NaN"), Bson::Double(f64::NAN), Ordering::Equal)]
    #[case(Bson::Double(f64::NAN), Bson::Double(f64::NEG_INFINITY), Ordering::Less)]
    #[case(Bson::Double(f64::NAN), decimal("-Infinity"), Ordering::Less)]
    #[case(Bson::Int32(1), Bson::Double(f64::NAN), Ordering::Greater)]
    fn compared_by_exact_value(#[case] a: Bson, #[case] b: Bson, #[case] order: Ordering) {
        let (a, b) = (Number::of(&a).expect("a number"), Number::of(&b).expect("a number"));
        assert_eq!(a.order(&b), order);
        assert_eq!(b.order(&a), order.reverse());
    }

    #[rstest]
    #[case(Bson::Double(20.0), Some(20), Some(20))]
    #[case(Bson::Double(-20.5), None, Some(-20))]
    #[case(Bson::Double(1e300), None, None)]
    #[case(Bson::Double(f64::NAN), None, None)]
    #[case(decimal("20.50"), None, Some(20))]
    #[case(decimal("0.05"), None, Some(0))]
    #[case(decimal("1.2E+3"), Some(1_200), Some(1_200))]
    #[case(decimal("1E+19"), None, None)]
    #[case(decimal("-9223372036854775808"), Some(i64::MIN), Some(i64::MIN))]
    fn integers_in_every_type(#[case] value: Bson, #[case] exact: Option<i64>, #[case] truncated: Option<i64>) {
        let number = Number::of(&value).expect("a number");
        assert_eq!((number.as_integer(), number.truncated()), (exact, truncated));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn a_decimal_agrees_with_the_integer_it_spells(a: i64, b in prop_oneof![any::<i64>(), -100i64..100]) {
            let spelled = Number::of(&decimal(&a.to_string())).expect("a number");
            prop_assert_eq!(spelled.order(&Number::Int(b)), a.cmp(&b));
            prop_assert_eq!(spelled.as_integer(), Some(a));
        }

        #[test]
        fn the_order_is_antisymmetric(a: u64, b: u64, n: i64) {
            let (a, b) = (Number::Double(f64::from_bits(a)), Number::Double(f64::from_bits(b)));
            prop_assert_eq!(a.order(&b), b.order(&a).reverse());
            prop_assert_eq!(a.order(&Number::Int(n)), Number::Int(n).order(&a).reverse());
        }
    }
}
