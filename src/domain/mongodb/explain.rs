//! Why a document expires when it does, or never, in one sentence.

use crate::domain::nosql::{self, DefaultTtl, Fate, ItemTtl, NeverBecause, Source};
use crate::domain::{Instant, words};

use super::DocumentTtl;

/// The fate of a document last written at second `ts`, in words, at `now`. A `ttl` that does not count is named with its
/// reason.
pub fn explain(default: DefaultTtl, ttl: &DocumentTtl, ts: i64, now: Instant) -> String {
    let time = |secs: i64| words::instant(Instant::from_secs(secs), now);
    let fate = nosql::fate(default, ttl.clone().effective(), ts);
    let verb = if fate.is_expired(now.secs()) { "expired" } else { "expires" };
    match (fate, ttl) {
        (Fate::At { at, ttl: secs, .. }, DocumentTtl::Ignored(why)) => {
            let (at, ts) = (time(at), time(ts));
            format!("{why}: the collection's {secs} s apply; {verb} at {at}, last write {ts}")
        }
        (Fate::At { at, ttl: secs, source }, _) => {
            let whose = match (source, default) {
                (Source::Item, DefaultTtl::Seconds(other)) if other != secs => {
                    format!("its own ttl {secs} s, not the collection's {other} s,")
                }
                (Source::Item, _) => format!("its own ttl {secs} s"),
                (Source::Container, _) => format!("the collection's {secs} s"),
            };
            format!("{verb} at {}: {whose} after the last write {}", time(at), time(ts))
        }
        (Fate::Never(because), DocumentTtl::Ignored(why)) => match because {
            NeverBecause::Off(_) => format!("never, no TTL index: ttl is ignored, and {why}"),
            _ => format!("never: {why}, and the TTL index has no default"),
        },
        (Fate::Never(because), _) => match (because, default) {
            (NeverBecause::Off(ItemTtl::Absent), _) => "never: the collection has no TTL index".to_owned(),
            (NeverBecause::Off(ItemTtl::Never), _) => "never, no TTL index: ttl -1 is ignored".to_owned(),
            (NeverBecause::Off(ItemTtl::Seconds(own)), _) => format!("never, no TTL index: ttl {own} is ignored"),
            (NeverBecause::NoDefault, _) => "never: it has no ttl, and the TTL index has no default".to_owned(),
            (NeverBecause::ItemNever, DefaultTtl::Seconds(secs)) => {
                format!("never: its own ttl is -1, not the collection's {secs} s")
            }
            (NeverBecause::ItemNever, _) => "never: its own ttl is -1".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bson::Bson;
    use rstest::rstest;

    const WRITTEN: i64 = 1_796_248_064; // 21:47:44
    const TEN: DefaultTtl = DefaultTtl::Seconds(10);

    #[rstest]
    #[case(TEN, None, 0, "expires at 21:47:54: the collection's 10 s after the last write 21:47:44")]
    #[case(TEN, None, 10, "expired at 21:47:54: the collection's 10 s after the last write 21:47:44")]
    #[case(
        TEN,
        Some(Bson::Double(20.0)),
        0,
        "expires at 21:48:04: its own ttl 20 s, not the collection's 10 s, after the last write 21:47:44"
    )]
    #[case(TEN, Some(Bson::Int64(-1)), 0, "never: its own ttl is -1, not the collection's 10 s")]
    #[case(
        TEN,
        Some(Bson::Double(20.5)),
        0,
        "20.5 has a fraction: the collection's 10 s apply; expires at 21:47:54, last write 21:47:44"
    )]
    #[case(
        TEN,
        Some(Bson::Int64(2_147_483_649)),
        11,
        "2147483649 is larger than 2147483647: the collection's 10 s apply; expired at 21:47:54, last write 21:47:44"
    )]
    #[case(
        DefaultTtl::NoDefault,
        Some(Bson::Int32(20)),
        0,
        "expires at 21:48:04: its own ttl 20 s after the last write 21:47:44"
    )]
    #[case(DefaultTtl::NoDefault, None, 0, "never: it has no ttl, and the TTL index has no default")]
    #[case(DefaultTtl::NoDefault, Some(Bson::Null), 0, "never: null is not a number, and the TTL index has no default")]
    #[case(DefaultTtl::Off, None, 0, "never: the collection has no TTL index")]
    #[case(DefaultTtl::Off, Some(Bson::Int32(20)), 0, "never, no TTL index: ttl 20 is ignored")]
    #[case(DefaultTtl::Off, Some(Bson::Int32(-1)), 0, "never, no TTL index: ttl -1 is ignored")]
    #[case(DefaultTtl::Off, Some(Bson::Int32(0)), 0, "never, no TTL index: ttl is ignored, and 0 is not positive")]
    fn sentences(#[case] default: DefaultTtl, #[case] ttl: Option<Bson>, #[case] later: i64, #[case] words: &str) {
        let ttl = ttl.as_ref().map_or(DocumentTtl::Absent, DocumentTtl::from);
        assert_eq!(explain(default, &ttl, WRITTEN, Instant::from_secs(WRITTEN + later)), words);
    }
}
