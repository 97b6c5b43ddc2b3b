//! Why an item expires when it does, or never, in one sentence.

use crate::domain::{Instant, words};

use super::{DefaultTtl, Fate, ItemTtl, NeverBecause, Source, fate};

/// The fate of an item in words, at `now`. `lookalikes` are properties of the item that people take for a `ttl`.
pub fn explain(default: DefaultTtl, item: ItemTtl, ts: i64, lookalikes: &[String], now: Instant) -> String {
    let time = |secs: i64| words::instant(Instant::from_secs(secs), now);
    let fate = fate(default, item, ts);
    let sentence = match fate {
        Fate::At { at, ttl, source } => {
            let verb = if fate.is_expired(now.secs()) { "expired" } else { "expires" };
            let whose = match (source, default) {
                (Source::Item, DefaultTtl::Seconds(other)) if other != ttl => {
                    format!("its own ttl {ttl} s, not the container's {other} s,")
                }
                (Source::Item, _) => format!("its own ttl {ttl} s"),
                (Source::Container, _) => format!("the container's {ttl} s"),
            };
            format!("{verb} at {}: {whose} after the last write {}", time(at), time(ts))
        }
        Fate::Never(NeverBecause::Off(ItemTtl::Absent)) => "never: Time to Live is Off for this container".to_owned(),
        Fate::Never(NeverBecause::Off(ItemTtl::Never)) => {
            "never: Time to Live is Off for this container, and its own ttl is -1".to_owned()
        }
        Fate::Never(NeverBecause::Off(ItemTtl::Seconds(own))) => {
            format!("never: ttl {own} is ignored, Time to Live is Off for this container")
        }
        Fate::Never(NeverBecause::NoDefault) => {
            "never: it has no ttl, and the container is On without a default".to_owned()
        }
        Fate::Never(NeverBecause::ItemNever) => match default {
            DefaultTtl::Seconds(secs) => format!("never: its own ttl is -1, not the container's {secs} s"),
            _ => "never: its own ttl is -1".to_owned(),
        },
    };
    match lookalikes.first() {
        Some(name) if item == ItemTtl::Absent => match fate {
            Fate::Never(_) if default != DefaultTtl::Off => {
                format!("never: `{name}` has no effect; did you mean `ttl`?")
            }
            _ => format!("{sentence}. `{name}` has no effect; did you mean `ttl`?"),
        },
        _ => sentence,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const WRITTEN: i64 = 1_796_248_064; // 21:47:44

    #[rstest]
    #[case(
        DefaultTtl::NoDefault,
        ItemTtl::Seconds(10),
        0,
        "expires at 21:47:54: its own ttl 10 s after the last write 21:47:44"
    )]
    #[case(
        DefaultTtl::Seconds(10),
        ItemTtl::Seconds(10),
        0,
        "expires at 21:47:54: its own ttl 10 s after the last write 21:47:44"
    )]
    #[case(
        DefaultTtl::Seconds(60),
        ItemTtl::Seconds(10),
        0,
        "expires at 21:47:54: its own ttl 10 s, not the container's 60 s, after the last write 21:47:44"
    )]
    #[case(
        DefaultTtl::Seconds(60),
        ItemTtl::Absent,
        0,
        "expires at 21:48:44: the container's 60 s after the last write 21:47:44"
    )]
    #[case(
        DefaultTtl::Seconds(60),
        ItemTtl::Absent,
        60,
        "expired at 21:48:44: the container's 60 s after the last write 21:47:44"
    )]
    #[case(DefaultTtl::Off, ItemTtl::Absent, 0, "never: Time to Live is Off for this container")]
    #[case(
        DefaultTtl::Off,
        ItemTtl::Seconds(2_000),
        0,
        "never: ttl 2000 is ignored, Time to Live is Off for this container"
    )]
    #[case(
        DefaultTtl::NoDefault,
        ItemTtl::Absent,
        0,
        "never: it has no ttl, and the container is On without a default"
    )]
    #[case(DefaultTtl::Seconds(60), ItemTtl::Never, 0, "never: its own ttl is -1, not the container's 60 s")]
    fn sentences(#[case] default: DefaultTtl, #[case] item: ItemTtl, #[case] later: i64, #[case] words: &str) {
        let now = Instant::from_secs(WRITTEN + later);
        assert_eq!(explain(default, item, WRITTEN, &[], now), words);
    }

    #[rstest]
    #[case(DefaultTtl::NoDefault, ItemTtl::Absent, "never: `TimeToLive` has no effect; did you mean `ttl`?")]
    #[case(
        DefaultTtl::Off,
        ItemTtl::Absent,
        "never: Time to Live is Off for this container. `TimeToLive` has no effect; did you mean `ttl`?"
    )]
    #[case(DefaultTtl::NoDefault, ItemTtl::Never, "never: its own ttl is -1")]
    fn lookalikes_are_named(#[case] default: DefaultTtl, #[case] item: ItemTtl, #[case] words: &str) {
        let now = Instant::from_secs(WRITTEN);
        assert_eq!(explain(default, item, WRITTEN, &["TimeToLive".to_owned()], now), words);
    }
}
