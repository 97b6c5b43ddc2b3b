//! The rule of expiration turned around: not "when does this item expire" but "which items are expired now".
//!
//! It is what makes a container's default O(1) to change: the index knows when items were written and when those with
//! a `ttl` of their own expire, and the horizon says up to where either is past.

use super::DefaultTtl;

/// Up to where items are expired, in seconds since 1970 UTC; `None` where nothing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Horizon {
    /// Items without a `ttl` that were last written at this second or before are expired.
    pub inherit: Option<i64>,
    /// Items whose own instant of expiration is this second or before are expired.
    pub own: Option<i64>,
}

/// The horizon of a container at second `now`.
pub fn horizon(default: DefaultTtl, now: i64) -> Horizon {
    match default {
        DefaultTtl::Off => Horizon::default(),
        DefaultTtl::NoDefault => Horizon { inherit: None, own: Some(now) },
        DefaultTtl::Seconds(secs) => Horizon { inherit: Some(now.saturating_sub(i64::from(secs))), own: Some(now) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::nosql::{ItemTtl, fate};
    use proptest::prelude::*;

    fn defaults() -> impl Strategy<Value = DefaultTtl> {
        prop_oneof![
            Just(DefaultTtl::Off),
            Just(DefaultTtl::NoDefault),
            (1u32..=2_147_483_647).prop_map(DefaultTtl::Seconds),
            (1u32..5).prop_map(DefaultTtl::Seconds),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn it_agrees_with_the_fate_of_each_item(
            default in defaults(), own in 1u32..=2_147_483_647,
            ts in prop_oneof![0i64..10, -(1i64 << 40)..1i64 << 40], now in prop_oneof![0i64..10, -(1i64 << 40)..1i64 << 40],
        ) {
            let horizon = horizon(default, now);
            let inherited = fate(default, ItemTtl::Absent, ts).is_expired(now);
            prop_assert_eq!(horizon.inherit.is_some_and(|through| ts <= through), inherited);
            let at = ts + i64::from(own);
            prop_assert_eq!(horizon.own.is_some_and(|through| at <= through), fate(default, ItemTtl::Seconds(own), ts).is_expired(now));
        }
    }
}
