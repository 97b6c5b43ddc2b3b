//! How fast a clock runs, and where it is moved to, as people write it.

use std::fmt;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use super::Instant;
use super::words::{duration, parse_duration};

/// How many seconds a clock shows in one real second, to a thousandth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rate(u64);

impl Rate {
    /// As fast as time.
    pub const REAL: Rate = Rate(THOUSAND);
    /// The fastest: eleven days a second.
    pub const MAX: Rate = Rate(1_000_000 * THOUSAND);

    /// From text: `60`, `×60`, `x 0.5`; `None` for anything else, for 0 and for more than [`Rate::MAX`].
    pub fn parse(text: &str) -> Option<Rate> {
        let number = text.trim().trim_start_matches(['×', 'x', 'X']).trim_start();
        let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(part) || part.len() > 3 {
            return None;
        }
        let part: u64 = format!("{part:0<3}").parse().ok()?;
        let rate = Rate(whole.parse::<u64>().ok()?.checked_mul(THOUSAND)?.checked_add(part)?);
        (rate.0 > 0 && rate <= Rate::MAX).then_some(rate)
    }

    /// In words: `1 m in a second`, `0.5 s in a second`, `real time`.
    pub fn words(self) -> String {
        match (self.0 / THOUSAND, self.0 % THOUSAND) {
            (1, 0) => "real time".to_owned(),
            (secs, 0) => format!("{} in a second", duration(secs)),
            _ => format!("{} s in a second", self.number()),
        }
    }

    /// The number alone: `60`, `0.5`.
    pub fn number(self) -> String {
        let (whole, part) = (self.0 / THOUSAND, self.0 % THOUSAND);
        let text = format!("{whole}.{part:03}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }

    /// What the clock shows of so many ticks of real time.
    pub fn shown(self, real: i64) -> i64 {
        let shown = i128::from(real) * i128::from(self.0) / i128::from(THOUSAND);
        i64::try_from(shown).unwrap_or(if real < 0 { i64::MIN } else { i64::MAX })
    }

    /// The real time, rounded up, until the clock shows so many more ticks.
    pub fn real(self, shown: i64) -> i64 {
        let (shown, rate) = (i128::from(shown) * i128::from(THOUSAND), i128::from(self.0));
        i64::try_from(shown.div_euclid(rate) + i128::from(shown.rem_euclid(rate) > 0)).unwrap_or(i64::MAX)
    }
}

const THOUSAND: u64 = 1_000;

impl Default for Rate {
    fn default() -> Self {
        Rate::REAL
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "×{}", self.number())
    }
}

/// Where a clock is moved to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// So many seconds on.
    Ahead(i64),
    /// To the next expiry.
    NextExpiry,
    /// To an instant.
    At(Instant),
}

impl Target {
    /// From text: `+30 d` (the sign may be missing), `next`, or an instant as [`parse_instant`] reads it with a date.
    pub fn parse(text: &str) -> Option<Target> {
        let text = text.trim();
        if ["next", "next expiry"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
            return Some(Target::NextExpiry);
        }
        if let Some(secs) = parse_duration(text.strip_prefix('+').unwrap_or(text)) {
            return i64::try_from(secs).ok().map(Target::Ahead);
        }
        parse_date(text).map(Target::At)
    }

    /// The instant that is meant; `None` for the next expiry when there is none.
    pub fn instant(self, now: Instant, next: Option<Instant>) -> Option<Instant> {
        match self {
            Target::Ahead(secs) => Some(now.plus_secs(secs)),
            Target::NextExpiry => next,
            Target::At(at) => Some(at),
        }
    }
}

/// An instant from text: RFC 3339, a date (midnight UTC), or seconds since 1970.
pub fn parse_instant(text: &str) -> Option<Instant> {
    text.trim().parse::<i64>().ok().map(Instant::from_secs).or_else(|| parse_date(text.trim()))
}

fn parse_date(text: &str) -> Option<Instant> {
    if let Ok(at) = DateTime::parse_from_rfc3339(text) {
        return Some(at.with_timezone(&Utc).into());
    }
    let midnight = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0)?;
    Some(midnight.and_utc().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    #[rstest]
    #[case("60", "×60")]
    #[case("×3600", "×3600")]
    #[case("x 0.5", "×0.5")]
    #[case(" 1.250 ", "×1.25")]
    #[case("1000000", "×1000000")]
    fn rates_are_read(#[case] text: &str, #[case] shown: &str) {
        assert_eq!(Rate::parse(text).map(|rate| rate.to_string()).as_deref(), Some(shown));
    }

    #[rstest]
    #[case("1", "real time")]
    #[case("60", "1 m in a second")]
    #[case("0.5", "0.5 s in a second")]
    fn rates_have_words(#[case] text: &str, #[case] words: &str) {
        assert_eq!(Rate::parse(text).map(Rate::words).as_deref(), Some(words));
    }

    #[rstest]
    #[case("")]
    #[case("0")]
    #[case("0.000")]
    #[case("-1")]
    #[case("1.2345")]
    #[case("1.")]
    #[case(".5")]
    #[case("1000000.001")]
    #[case("fast")]
    #[case("99999999999999999999")]
    fn other_rates_are_not(#[case] text: &str) {
        assert_eq!(Rate::parse(text), None);
    }

    #[rstest]
    #[case("+30 d", Target::Ahead(2_592_000))]
    #[case("90", Target::Ahead(90))]
    #[case("Next", Target::NextExpiry)]
    #[case("next expiry", Target::NextExpiry)]
    #[case("2027-01-01", Target::At(Instant::from_secs(1_798_761_600)))]
    #[case("2027-01-01T00:00:00+01:00", Target::At(Instant::from_secs(1_798_758_000)))]
    fn targets_are_read(#[case] text: &str, #[case] target: Target) {
        assert_eq!(Target::parse(text), Some(target));
    }

    #[rstest]
    #[case("")]
    #[case("-30 d")]
    #[case("tomorrow")]
    #[case("2027-02-30")]
    #[case("99999999999999999999 d")]
    fn other_targets_are_not(#[case] text: &str) {
        assert_eq!(Target::parse(text), None);
    }

    proptest! {
        #[test]
        fn the_real_time_is_the_shortest_that_shows_it(rate in 1u64..=Rate::MAX.0, shown in 0i64..1 << 60) {
            let rate = Rate(rate);
            let real = rate.real(shown);
            prop_assert!(real == i64::MAX || rate.shown(real) >= shown);
            prop_assert!(real == 0 || rate.shown(real - 1) < shown);
        }

        #[test]
        fn nothing_panics(rate in 1u64..=Rate::MAX.0, ticks: i64, text: String) {
            let _ = (Rate(rate).shown(ticks), Rate(rate).real(ticks), Rate::parse(&text), Target::parse(&text));
        }
    }
}
