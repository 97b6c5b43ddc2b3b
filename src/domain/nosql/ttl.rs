//! The two settings: a container's default (`defaultTtl`) and an item's own `ttl`. Both in seconds.

use std::fmt;

use crate::domain::Refusal;

/// The largest number of seconds either setting takes.
pub const MAX_TTL: u32 = 2_147_483_647;

/// A container's Time to Live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum DefaultTtl {
    /// `defaultTtl` absent: nothing expires, whatever the items say.
    #[default]
    Off,
    /// -1, "On (no default)": only items with a `ttl` of their own expire.
    NoDefault,
    /// "On": items without a `ttl` expire this many seconds after their last write. 1 to [`MAX_TTL`].
    Seconds(u32),
}

impl DefaultTtl {
    /// From the number on the wire; `None` is an absent (or null) property.
    ///
    /// # Errors
    /// Status 400 for 0, anything below -1, anything above [`MAX_TTL`].
    pub fn from_wire(value: Option<i64>) -> Result<Self, Refusal> {
        match value {
            None => Ok(DefaultTtl::Off),
            Some(-1) => Ok(DefaultTtl::NoDefault),
            Some(secs) => match u32::try_from(secs) {
                Ok(secs @ 1..=MAX_TTL) => Ok(DefaultTtl::Seconds(secs)),
                _ => Err(default_refused(&secs.to_string())),
            },
        }
    }

    /// The number on the wire; `None` is an absent property.
    pub fn to_wire(self) -> Option<i64> {
        match self {
            DefaultTtl::Off => None,
            DefaultTtl::NoDefault => Some(-1),
            DefaultTtl::Seconds(secs) => Some(i64::from(secs)),
        }
    }
}

/// As the portal names it: `Off`, `On (no default)`, `On, 1200 s`.
impl fmt::Display for DefaultTtl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DefaultTtl::Off => f.write_str("Off"),
            DefaultTtl::NoDefault => f.write_str("On (no default)"),
            DefaultTtl::Seconds(secs) => write!(f, "On, {secs} s"),
        }
    }
}

/// An item's own `ttl`, as far as it is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ItemTtl {
    /// No `ttl`: the container's default applies.
    #[default]
    Absent,
    /// `ttl: -1`: never.
    Never,
    /// `ttl: n`, 1 to [`MAX_TTL`].
    Seconds(u32),
}

/// Judges an item's `ttl` by the numeric value of its JSON token, whatever the spelling: `10`, `10.0` and `1e1` are one.
///
/// # Errors
/// Status 400 with the service's text and the token as written.
pub fn parse_item_ttl(token: &str) -> Result<ItemTtl, Refusal> {
    let value = exact_integer(token);
    match value.and_then(|n| if n == -1 { Some(ItemTtl::Never) } else { positive(n).map(ItemTtl::Seconds) }) {
        Some(ttl) => Ok(ttl),
        None => Err(Refusal::bad_request(format!(
            "The input ttl '{token}' is invalid. Ensure to provide a nonzero positive integer less than or equal to \
             '{MAX_TTL}', or '-1' which means never expire."
        ))
        .with_hint(item_hint(token, value))),
    }
}

/// Judges the text of the field "second(s)".
///
/// # Errors
/// Status 400 with what is wrong and what to write instead.
pub fn parse_default_seconds(text: &str) -> Result<DefaultTtl, Refusal> {
    let text = text.trim();
    let refuse = |message: &str| Err(Refusal::bad_request(message));
    if text.is_empty() {
        return refuse("Seconds are missing: a whole number from 1 to 2147483647.");
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()) {
        return match text.parse::<i64>() {
            Ok(0) => refuse("0 is not allowed: 1 is the shortest time, Off turns it off."),
            Ok(-1) => refuse("-1 is the choice On (no default): select it instead."),
            Ok(n) if n < 0 => refuse("A negative number is not allowed: a whole number from 1 to 2147483647."),
            Ok(n) => match positive(n) {
                Some(secs) => Ok(DefaultTtl::Seconds(secs)),
                None => refuse("Too large: 2147483647 seconds (68 years) is the longest time."),
            },
            Err(_) if text.starts_with('-') => {
                refuse("A negative number is not allowed: a whole number from 1 to 2147483647.")
            }
            Err(_) => refuse("Too large: 2147483647 seconds (68 years) is the longest time."),
        };
    }
    match text.parse::<f64>() {
        Ok(_) if text.contains(['.', ',']) => refuse("Fractions are not allowed: whole seconds from 1 to 2147483647."),
        _ => Err(Refusal::bad_request(format!("`{text}` is not a number: write whole seconds, 1 to 2147483647."))),
    }
}

fn positive(n: i64) -> Option<u32> {
    u32::try_from(n).ok().filter(|secs| (1..=MAX_TTL).contains(secs))
}

fn default_refused(token: &str) -> Refusal {
    Refusal::bad_request(format!(
        "The default time to live '{token}' is invalid: it is -1 (on, no default) or a whole number of seconds from 1 to {MAX_TTL}."
    ))
    .with_hint("Leave it out to turn time to live off.")
}

fn item_hint(token: &str, value: Option<i64>) -> String {
    let first = token.chars().next().unwrap_or(' ');
    match first {
        'n' => "null is not a value of `ttl`: leave `ttl` out to follow the container.".to_owned(),
        '"' => {
            let inside = token.trim_matches('"');
            if exact_integer(inside).is_some() {
                format!("`ttl` is {token}, a string: write it without quotes.")
            } else {
                format!("`ttl` is {token}, a string: write a whole number of seconds.")
            }
        }
        't' | 'f' => "`ttl` is a number of seconds, not true or false: -1 means never.".to_owned(),
        '[' | '{' => "`ttl` is one whole number of seconds, without brackets.".to_owned(),
        _ => match value {
            Some(0) => "0 is not allowed: 1 is the shortest time, -1 means never.".to_owned(),
            Some(n) if n < 0 => "Only -1 is allowed below zero: it means never.".to_owned(),
            Some(_) => format!("Too large: {MAX_TTL} seconds (68 years) is the longest time, -1 means never."),
            None if token.contains(['.', 'e', 'E']) => "`ttl` is a whole number of seconds.".to_owned(),
            None => format!("Out of range: {MAX_TTL} seconds (68 years) is the longest time, -1 means never."),
        },
    }
}

/// The integer that a JSON number token denotes exactly; `None` for a fraction, for what is no number, and for what is
/// far beyond every limit.
fn exact_integer(token: &str) -> Option<i64> {
    let (negative, rest) = match token.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, token),
    };
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.strip_prefix('+').unwrap_or(exponent).parse::<i64>().ok()?),
        None => (rest, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() || !whole.chars().chain(fraction.chars()).all(|c| c.is_ascii_digit()) {
        return None;
    }
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0').trim_end_matches('0');
    if significant.is_empty() {
        return Some(0);
    }
    let dropped = digits.len() - digits.trim_end_matches('0').len();
    let scale = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(i64::try_from(dropped).ok()?)?;
    let magnitude: i64 = significant.parse().ok()?;
    let value = 10i64.checked_pow(u32::try_from(scale).ok()?)?.checked_mul(magnitude)?;
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    #[rstest]
    #[case("10", ItemTtl::Seconds(10))]
    #[case("10.0", ItemTtl::Seconds(10))]
    #[case("1e1", ItemTtl::Seconds(10))]
    #[case("0.1E+2", ItemTtl::Seconds(10))]
    #[case("100e-1", ItemTtl::Seconds(10))]
    #[case("1", ItemTtl::Seconds(1))]
    #[case("2147483647", ItemTtl::Seconds(2_147_483_647))]
    #[case("-1", ItemTtl::Never)]
    #[case("-1.0", ItemTtl::Never)]
    fn judged_by_its_value(#[case] token: &str, #[case] ttl: ItemTtl) {
        assert_eq!(parse_item_ttl(token), Ok(ttl));
    }

    #[rstest]
    #[case("0", "0 is not allowed")]
    #[case("-0", "0 is not allowed")]
    #[case("-2", "Only -1")]
    #[case("2147483648", "Too large")]
    #[case("10.5", "whole number")]
    #[case("1e400", "whole number")]
    #[case("1e-1", "whole number")]
    #[case("99999999999999999999", "Out of range")]
    #[case("\"10\"", "without quotes")]
    #[case("\"ten\"", "write a whole number")]
    #[case("true", "not true or false")]
    #[case("null", "leave `ttl` out")]
    #[case("[]", "without brackets")]
    #[case("{}", "without brackets")]
    fn refused_with_the_services_words(#[case] token: &str, #[case] hint: &str) {
        let refusal = parse_item_ttl(token).expect_err("refused");
        assert_eq!(refusal.status, 400);
        assert_eq!(
            refusal.message,
            format!(
                "The input ttl '{token}' is invalid. Ensure to provide a nonzero positive integer less than or equal to \
                 '2147483647', or '-1' which means never expire."
            )
        );
        let given = refusal.hint.expect("a hint");
        assert!(given.contains(hint), "{given}");
    }

    #[rstest]
    #[case("0", "0 is not allowed")]
    #[case("-5", "negative")]
    #[case("-99999999999999999999", "negative")]
    #[case("-1", "On (no default)")]
    #[case("1.5", "Fractions")]
    #[case("abc", "not a number")]
    #[case("1e3", "not a number")]
    #[case("", "missing")]
    #[case("  ", "missing")]
    #[case("2147483648", "Too large")]
    #[case("99999999999999999999", "Too large")]
    fn the_seconds_field_answers_in_words(#[case] text: &str, #[case] words: &str) {
        let refusal = parse_default_seconds(text).expect_err("refused");
        assert!(refusal.message.contains(words), "{}", refusal.message);
    }

    #[test]
    fn the_seconds_field_takes_its_whole_range() {
        assert_eq!(parse_default_seconds("1"), Ok(DefaultTtl::Seconds(1)));
        assert_eq!(parse_default_seconds(" 2147483647 "), Ok(DefaultTtl::Seconds(MAX_TTL)));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn every_integer_is_judged_alike(n in prop_oneof![any::<i64>(), -3i64..4, 2_147_483_640i64..2_147_483_660]) {
            let expected = match n {
                -1 => Some(ItemTtl::Never),
                1..=2_147_483_647 => Some(ItemTtl::Seconds(n as u32)),
                _ => None,
            };
            prop_assert_eq!(parse_item_ttl(&n.to_string()).ok(), expected);
            prop_assert_eq!(parse_item_ttl(&format!("{n}.000")).ok(), expected);
            let wire = DefaultTtl::from_wire(Some(n)).ok();
            prop_assert_eq!(wire.and_then(DefaultTtl::to_wire), expected.map(|_| n));
        }

        #[test]
        fn no_token_panics(token in "[-+0-9.eE\"ntf\\[{]{0,12}") {
            let _ = parse_item_ttl(&token);
            let _ = parse_default_seconds(&token);
        }
    }
}
