//! `@metadata.@expires`: which values are instants, which are refused, which are kept and mean nothing.

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, Timelike};

use crate::domain::time::TICKS_PER_SECOND;
use crate::domain::{Instant, Refusal};

/// What a document's `@expires` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expires {
    /// There is none: the document stays.
    Absent,
    /// The document expires at this instant.
    At {
        /// The instant, to 100 ns.
        at: Instant,
        /// The text names no zone. The server would take its own; here it is UTC.
        without_zone: bool,
    },
    /// A value of another type than text: kept, not tracked, the document never expires.
    Untracked(Untracked),
}

/// The type of a value that is kept and not tracked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Untracked {
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// An object.
    Object,
    /// An array.
    Array,
}

impl Untracked {
    /// The type with its article.
    pub fn words(self) -> &'static str {
        match self {
            Untracked::Number => "a number",
            Untracked::Boolean => "a boolean",
            Untracked::Object => "an object",
            Untracked::Array => "an array",
        }
    }
}

impl Expires {
    /// The instant of expiration.
    pub fn at(self) -> Option<Instant> {
        match self {
            Expires::At { at, .. } => Some(at),
            Expires::Absent | Expires::Untracked(_) => None,
        }
    }
}

/// What the server makes of a value of `@expires`, given as JSON text, of the document with this id. It looks at it on
/// every put, whether expiration is on or off.
///
/// # Errors
/// The server's refusal (7.1), for a text that is no date it reads, and for null.
pub fn judge_expires(json: &str, id: &str, now: Instant) -> Result<Expires, Refusal> {
    let untracked = match json.as_bytes().first() {
        Some(b'"') => {
            let text: String = serde_json::from_str(json).map_err(|_| refusal(json, id, now))?;
            let (at, without_zone) = parse(&text).ok_or_else(|| refusal(&text, id, now))?;
            return Ok(Expires::At { at, without_zone });
        }
        Some(b'{') => Untracked::Object,
        Some(b'[') => Untracked::Array,
        Some(b't' | b'f') => Untracked::Boolean,
        Some(b'n') | None => return Err(refusal("", id, now)),
        Some(_) => Untracked::Number,
    };
    Ok(Expires::Untracked(untracked))
}

fn refusal(value: &str, id: &str, now: Instant) -> Refusal {
    Refusal::bad_request(format!(
        "The due date format for document '{}' is not valid: '{value}'. Use the following format: {}",
        id.to_lowercase(),
        format_instant(now)
    ))
}

/// An instant as the server writes it: `2026-11-30T21:48:04.1234567Z`.
pub fn format_instant(at: Instant) -> String {
    match at.to_utc() {
        Some(utc) => {
            format!("{}.{:07}Z", utc.format("%Y-%m-%dT%H:%M:%S"), at.ticks().rem_euclid(TICKS_PER_SECOND))
        }
        None => format!("{at:?}"),
    }
}

/// The instant of a text, and whether it names no zone; `None` for a text that the server does not read.
fn parse(text: &str) -> Option<(Instant, bool)> {
    let (local, offset) = if text.contains(',') { (rfc_1123(text)?, None) } else { iso_8601(text)? };
    let utc = local.0.and_utc().timestamp().checked_sub(offset.unwrap_or(0))?;
    let at = Instant::from_secs(utc).ticks().checked_add(local.1)?;
    let at = Instant::from_ticks(at);
    // The calendar of the server has the years 1 to 9999, in UTC too.
    at.to_utc().filter(|utc| (1..=9999).contains(&utc.year()))?;
    Some((at, offset.is_none()))
}

/// A moment of the calendar to the second, and the ticks beyond.
type Local = (NaiveDateTime, i64);

/// `2099-01-01T00:00:00`, up to seven digits of a fraction, `Z` or an offset such as `+02:00` or nothing. The offset is
/// in seconds.
fn iso_8601(text: &str) -> Option<(Local, Option<i64>)> {
    let (whole, rest) = (text.get(..19)?, text.get(19..)?);
    let shape = b"dddd-dd-ddTdd:dd:dd";
    let fits = whole.bytes().zip(shape).all(|(c, wanted)| match wanted {
        b'd' => c.is_ascii_digit(),
        other => c == *other,
    });
    if !fits {
        return None;
    }
    let number = |from: usize, to: usize| whole.get(from..to)?.parse::<u32>().ok();
    let year = i32::try_from(number(0, 4)?).ok().filter(|year| *year > 0)?;
    let date = NaiveDate::from_ymd_opt(year, number(5, 7)?, number(8, 10)?)?;
    let time = NaiveTime::from_hms_opt(number(11, 13)?, number(14, 16)?, number(17, 19)?)?;
    let (ticks, zone) = match rest.strip_prefix('.') {
        Some(fraction) => {
            let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
            if !(1..=7).contains(&digits) {
                return None;
            }
            let (digits, zone) = fraction.split_at(digits);
            (format!("{digits:0<7}").parse().ok()?, zone)
        }
        None => (0, rest),
    };
    let offset = match zone {
        "" => None,
        "Z" => Some(0),
        zone => Some(offset(zone)?),
    };
    Some(((date.and_time(time), ticks), offset))
}

/// `+02:00`, up to fourteen hours: seconds east of UTC.
fn offset(zone: &str) -> Option<i64> {
    let bytes = zone.as_bytes();
    let sign = match bytes.first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits = [1, 2, 4, 5].iter().all(|at| bytes.get(*at).is_some_and(u8::is_ascii_digit));
    if bytes.len() != 6 || bytes[3] != b':' || !digits {
        return None;
    }
    let (hours, minutes): (i64, i64) = (zone.get(1..3)?.parse().ok()?, zone.get(4..6)?.parse().ok()?);
    let seconds = hours * 3_600 + minutes * 60;
    (minutes < 60 && seconds <= 14 * 3_600).then_some(sign * seconds)
}

/// `Thu, 01 Jan 2099 00:00:00 GMT`, with the right day of the week.
fn rfc_1123(text: &str) -> Option<Local> {
    let moment = NaiveDateTime::parse_from_str(text, "%a, %d %b %Y %H:%M:%S GMT").ok()?;
    // The parser of the library is generous with blanks, digits and leap seconds; the server is not.
    let exact = moment.format("%a, %d %b %Y %H:%M:%S GMT").to_string() == text && moment.nanosecond() == 0;
    exact.then_some((moment, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    const NEW_YEAR_2099: i64 = 4_070_908_800;

    fn now() -> Instant {
        Instant::from_ticks(17_960_752_841_234_567)
    }

    fn judged(json: &str) -> Result<Expires, Refusal> {
        judge_expires(json, "users/1-A", now())
    }

    #[rstest]
    #[case("2099-01-01T00:00:00.0000000Z", 0, false)]
    #[case("2099-01-01T00:00:00.000Z", 0, false)]
    #[case("2099-01-01T00:00:00.5Z", 5_000_000, false)]
    #[case("2099-01-01T00:00:00.0000007Z", 7, false)]
    #[case("2099-01-01T00:00:00Z", 0, false)]
    #[case("2099-01-01T00:00:00", 0, true)]
    #[case("2099-01-01T00:00:00.0000000", 0, true)]
    #[case("2099-01-01T02:00:00+02:00", 0, false)]
    #[case("2098-12-31T19:00:00.0000000-05:00", 0, false)]
    #[case("2099-01-01T14:00:00+14:00", 0, false)]
    #[case("Thu, 01 Jan 2099 00:00:00 GMT", 0, true)]
    fn tracked(#[case] text: &str, #[case] ticks: i64, #[case] without_zone: bool) {
        let at = Instant::from_ticks(Instant::from_secs(NEW_YEAR_2099).ticks() + ticks);
        assert_eq!(judged(&format!("\"{text}\"")), Ok(Expires::At { at, without_zone }));
    }

    #[rstest]
    #[case("0001-01-01T00:00:00.0000000Z", "0001-01-01T00:00:00.0000000Z")]
    #[case("9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.9999999Z")]
    #[case("2020-01-01T00:00:00Z", "2020-01-01T00:00:00.0000000Z")]
    #[case("2024-02-29T23:59:59.12Z", "2024-02-29T23:59:59.1200000Z")]
    fn the_ends_of_the_calendar_are_tracked(#[case] text: &str, #[case] written: &str) {
        let at = judged(&format!("\"{text}\"")).expect("read").at().expect("tracked");
        assert_eq!(format_instant(at), written);
    }

    #[rstest]
    #[case("2099-01-01")]
    #[case("01/02/2099")]
    #[case("tomorrow")]
    #[case("")]
    #[case("2099-01-01 00:00:00")]
    #[case("2099-01-01T00:00:00.123456789Z")]
    #[case("2099-01-01T00:00:00.12345678Z")]
    #[case("2099-01-01T00:00:00.Z")]
    #[case("2099-01-01T00:00:00z")]
    #[case("2099-01-01T00:00:00 Z")]
    #[case(" 2099-01-01T00:00:00Z")]
    #[case("2099-01-01T00:00:00Z ")]
    #[case("2099-13-01T00:00:00Z")]
    #[case("2099-02-29T00:00:00Z")]
    #[case("2099-01-01T24:00:00Z")]
    #[case("2099-01-01T00:00:60Z")]
    #[case("2099-01-01T00:00Z")]
    #[case("2099-01-01T00:00:00+2:00")]
    #[case("2099-01-01T00:00:00+0200")]
    #[case("2099-01-01T00:00:00+14:30")]
    #[case("2099-01-01T00:00:00+02:60")]
    #[case("0000-01-01T00:00:00Z")]
    #[case("0001-01-01T00:00:00+02:00")]
    #[case("9999-12-31T23:59:59-05:00")]
    #[case("Fri, 01 Jan 2099 00:00:00 GMT")]
    #[case("Thu, 1 Jan 2099 00:00:00 GMT")]
    #[case("Thu, 01 Jan 2099 00:00:00 UTC")]
    #[case("Thu,  01 Jan 2099 00:00:00 GMT")]
    #[case("२०९९-01-01T00:00:00Z")]
    fn refused(#[case] text: &str) {
        let refusal = judged(&serde_json::Value::from(text).to_string()).expect_err("refused");
        assert_eq!(
            (refusal.status, refusal.message.as_str()),
            (
                400,
                format!(
                    "The due date format for document 'users/1-a' is not valid: '{text}'. Use the following format: \
                     2026-11-30T21:48:04.1234567Z"
                )
                .as_str()
            )
        );
    }

    #[test]
    fn null_is_refused_and_prints_as_nothing() {
        assert!(judged("null").expect_err("refused").message.contains("is not valid: ''. Use"));
    }

    #[rstest]
    #[case("4070908800", Untracked::Number)]
    #[case("1.5", Untracked::Number)]
    #[case("-1", Untracked::Number)]
    #[case("true", Untracked::Boolean)]
    #[case("false", Untracked::Boolean)]
    #[case("{\"a\": 1}", Untracked::Object)]
    #[case("[1]", Untracked::Array)]
    #[case("[]", Untracked::Array)]
    fn kept_and_not_tracked(#[case] json: &str, #[case] kind: Untracked) {
        assert_eq!(judged(json), Ok(Expires::Untracked(kind)));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn what_is_written_is_read_again(ticks in -621_355_968_000_000_000i64..=2_534_023_007_999_999_999) {
            let at = Instant::from_ticks(ticks);
            let text = format_instant(at);
            prop_assert_eq!(parse(&text), Some((at, false)), "{}", text);
        }

        #[test]
        fn no_text_panics(text: String) {
            let _ = judged(&serde_json::Value::from(text).to_string());
        }
    }
}
