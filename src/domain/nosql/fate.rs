//! When an item expires: the vendor's table, as one function.

use super::{DefaultTtl, ItemTtl};

/// Where the number of seconds comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The item's own `ttl`.
    Item,
    /// The container's default.
    Container,
}

/// Why an item never expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NeverBecause {
    /// Time to Live is Off for the container; the item's own `ttl`, if any, is kept and ignored.
    Off(ItemTtl),
    /// The container is On without a default and the item has no `ttl`.
    NoDefault,
    /// The item's own `ttl` is -1.
    ItemNever,
}

/// What becomes of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    /// It stays until somebody deletes it.
    Never(NeverBecause),
    /// It expires.
    At {
        /// The first second (since 1970 UTC) at which it is expired.
        at: i64,
        /// The seconds that count from its last write.
        ttl: u32,
        /// Where they come from.
        source: Source,
    },
}

/// The fate of an item last written at second `ts`. An item's own number of seconds may be larger or smaller than the
/// default alike.
pub fn fate(default: DefaultTtl, item: ItemTtl, ts: i64) -> Fate {
    let at = |ttl: u32, source| Fate::At { at: ts.saturating_add(i64::from(ttl)), ttl, source };
    match (default, item) {
        (DefaultTtl::Off, item) => Fate::Never(NeverBecause::Off(item)),
        (_, ItemTtl::Never) => Fate::Never(NeverBecause::ItemNever),
        (_, ItemTtl::Seconds(own)) => at(own, Source::Item),
        (DefaultTtl::NoDefault, ItemTtl::Absent) => Fate::Never(NeverBecause::NoDefault),
        (DefaultTtl::Seconds(secs), ItemTtl::Absent) => at(secs, Source::Container),
    }
}

impl Fate {
    /// Whether the item is expired at second `now`: `_ts + ttl <= now`.
    pub fn is_expired(self, now: i64) -> bool {
        matches!(self, Fate::At { at, .. } if at <= now)
    }

    /// The second of expiry.
    pub fn at(self) -> Option<i64> {
        match self {
            Fate::At { at, .. } => Some(at),
            Fate::Never(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    const TS: i64 = 1_000;

    #[rstest]
    #[case(DefaultTtl::Off, ItemTtl::Absent, None)]
    #[case(DefaultTtl::Off, ItemTtl::Never, None)]
    #[case(DefaultTtl::Off, ItemTtl::Seconds(2_000), None)]
    #[case(DefaultTtl::NoDefault, ItemTtl::Absent, None)]
    #[case(DefaultTtl::NoDefault, ItemTtl::Never, None)]
    #[case(DefaultTtl::NoDefault, ItemTtl::Seconds(2_000), Some(3_000))]
    #[case(DefaultTtl::Seconds(1_000), ItemTtl::Absent, Some(2_000))]
    #[case(DefaultTtl::Seconds(1_000), ItemTtl::Never, None)]
    #[case(DefaultTtl::Seconds(1_000), ItemTtl::Seconds(2_000), Some(3_000))]
    #[case(DefaultTtl::Seconds(1_000), ItemTtl::Seconds(1), Some(1_001))]
    fn the_vendors_table(#[case] default: DefaultTtl, #[case] item: ItemTtl, #[case] at: Option<i64>) {
        assert_eq!(fate(default, item, TS).at(), at);
    }

    #[test]
    fn gone_at_the_second_itself() {
        let fate = fate(DefaultTtl::Seconds(120), ItemTtl::Absent, 0);
        assert!(!fate.is_expired(119));
        assert!(fate.is_expired(120));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn expired_is_ts_plus_ttl_at_most_now(ts: i64, own in 1u32..=2_147_483_647, default in 1u32..=2_147_483_647, now: i64) {
            let due = |ttl: u32| i128::from(ts) + i128::from(ttl) <= i128::from(now);
            // Beyond the end of time both sides saturate; nothing real is there.
            prop_assume!(ts < i64::MAX - 4_294_967_296);
            prop_assert_eq!(fate(DefaultTtl::NoDefault, ItemTtl::Seconds(own), ts).is_expired(now), due(own));
            prop_assert_eq!(fate(DefaultTtl::Seconds(default), ItemTtl::Absent, ts).is_expired(now), due(default));
            prop_assert_eq!(fate(DefaultTtl::Seconds(default), ItemTtl::Seconds(own), ts).is_expired(now), due(own));
            prop_assert!(!fate(DefaultTtl::Off, ItemTtl::Seconds(own), ts).is_expired(now));
            prop_assert!(!fate(DefaultTtl::Seconds(default), ItemTtl::Never, ts).is_expired(now));
        }
    }
}
