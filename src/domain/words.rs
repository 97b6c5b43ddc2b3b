//! Times and numbers in words: durations, countdowns, instants, counts.

use super::Instant;

const DAY: u64 = 86_400;
const HOUR: u64 = 3_600;
const MINUTE: u64 = 60;

/// A duration in seconds as people say it: `41 d 16 h`, `20 m`, `1 m 30 s`, `0 s`. Exact: no unit is rounded away.
pub fn duration(secs: u64) -> String {
    let parts = [(secs / DAY, "d"), (secs % DAY / HOUR, "h"), (secs % HOUR / MINUTE, "m"), (secs % MINUTE, "s")];
    let words: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, unit)| format!("{n} {unit}")).collect();
    if words.is_empty() { "0 s".to_owned() } else { words.join(" ") }
}

/// The seconds of a duration as people write it: `90`, `5 m`, `2h`, `1 d 12 h`, `30 days`; `None` for anything else.
pub fn parse_duration(text: &str) -> Option<u64> {
    let mut rest = text.trim();
    if rest.is_empty() {
        return None;
    }
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, behind) = rest.split_at(digits);
        let behind = behind.trim_start();
        let letters = behind.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(behind.len());
        let (unit, behind) = behind.split_at(letters);
        let size = match unit.to_ascii_lowercase().as_str() {
            "" | "s" | "sec" | "secs" | "second" | "seconds" => 1,
            "m" | "min" | "mins" | "minute" | "minutes" => MINUTE,
            "h" | "hour" | "hours" => HOUR,
            "d" | "day" | "days" => DAY,
            _ => return None,
        };
        total = total.checked_add(number.parse::<u64>().ok()?.checked_mul(size)?)?;
        rest = behind.trim_start();
    }
    Some(total)
}

/// Seconds left as a countdown: `00:07`, `18:42`, `3:05:10`, `29 d 23:59:58`; with `-` when the time has passed.
pub fn countdown(secs: i64) -> String {
    let sign = if secs < 0 { "-" } else { "" };
    let left = secs.unsigned_abs();
    let (days, hours, minutes, seconds) = (left / DAY, left % DAY / HOUR, left % HOUR / MINUTE, left % MINUTE);
    match (days, hours) {
        (0, 0) => format!("{sign}{minutes:02}:{seconds:02}"),
        (0, _) => format!("{sign}{hours}:{minutes:02}:{seconds:02}"),
        _ => format!("{sign}{days} d {hours:02}:{minutes:02}:{seconds:02}"),
    }
}

/// A span of milliseconds for reports: `0.4 ms`, `12 ms`, `5.0 s`, `2 m 5 s`.
pub fn span(millis: f64) -> String {
    if millis < 10.0 {
        format!("{millis:.1} ms")
    } else if millis < 1_000.0 {
        format!("{millis:.0} ms")
    } else if millis < 60_000.0 {
        format!("{:.1} s", millis / 1_000.0)
    } else {
        // Saturating on purpose: a span of 500 million years is shown as the largest number.
        duration((millis / 1_000.0) as u64)
    }
}

/// An instant in UTC, its date left out when it is the date of `now`: `21:48:04`, `2026-12-30 21:48:04`.
pub fn instant(at: Instant, now: Instant) -> String {
    match (at.to_utc(), now.to_utc()) {
        (Some(at), Some(now)) if at.date_naive() == now.date_naive() => at.format("%H:%M:%S").to_string(),
        (Some(at), _) => at.format("%Y-%m-%d %H:%M:%S").to_string(),
        (None, _) => format!("second {} of 1970 UTC", at.secs()),
    }
}

/// A count with thousands apart: `1,204`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 item`, `1,204 items`.
pub fn counted(n: u64, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(0, "0 s")]
    #[case(60, "1 m")]
    #[case(90, "1 m 30 s")]
    #[case(1_200, "20 m")]
    #[case(2_592_000, "30 d")]
    #[case(3_600_000, "41 d 16 h")]
    #[case(2_147_483_647, "24855 d 3 h 14 m 7 s")]
    fn durations_are_exact(#[case] secs: u64, #[case] words: &str) {
        assert_eq!(duration(secs), words);
        assert_eq!(parse_duration(words), Some(secs));
    }

    #[rstest]
    #[case("90", Some(90))]
    #[case(" 5 m ", Some(300))]
    #[case("2h", Some(7_200))]
    #[case("1d12h", Some(129_600))]
    #[case("30 Days", Some(2_592_000))]
    #[case("", None)]
    #[case("soon", None)]
    #[case("5 x", None)]
    #[case("m", None)]
    #[case("-5", None)]
    #[case("1.5 h", None)]
    #[case("99999999999999999999 d", None)]
    fn durations_are_read(#[case] text: &str, #[case] secs: Option<u64>) {
        assert_eq!(parse_duration(text), secs);
    }

    #[rstest]
    #[case(7, "00:07")]
    #[case(0, "00:00")]
    #[case(-2, "-00:02")]
    #[case(1_122, "18:42")]
    #[case(11_110, "3:05:10")]
    #[case(2_591_998, "29 d 23:59:58")]
    #[case(i64::MIN, "-106751991167300 d 15:30:08")]
    fn countdowns_keep_their_form(#[case] secs: i64, #[case] words: &str) {
        assert_eq!(countdown(secs), words);
    }

    #[rstest]
    #[case(0, "0")]
    #[case(999, "999")]
    #[case(1_204, "1,204")]
    #[case(1_000_000, "1,000,000")]
    fn thousands_stand_apart(#[case] n: u64, #[case] words: &str) {
        assert_eq!(count(n), words);
    }

    #[test]
    fn an_instant_of_today_has_no_date() {
        let now = Instant::from_secs(1_796_248_064);
        assert_eq!(instant(now, now), "21:47:44");
        assert_eq!(instant(now.plus_secs(2_592_000), now), "2027-01-01 21:47:44");
    }
}
