//! Documents of every type and shape, for the tests of what writes and reads them.

use bson::oid::ObjectId;
use bson::{Binary, Bson, DateTime, Document, JavaScriptCodeWithScope, Regex, Timestamp};
use proptest::prelude::*;

use super::pointer;

/// A document, some levels deep. Names do not collide with the wrappers of extended JSON.
pub fn document() -> impl Strategy<Value = Document> {
    prop::collection::vec((name(), value()), 0..5).prop_map(|fields| fields.into_iter().collect())
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-zA-Z_][a-z0-9_]{0,5}", "[^\u{0}$]{0,6}", Just("$set".to_owned()), "[0-9]{1,3}"]
}

/// A value of any type.
pub fn value() -> impl Strategy<Value = Bson> {
    leaf().prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Bson::Array),
            prop::collection::vec((name(), inner.clone()), 0..4)
                .prop_map(|fields| Bson::Document(fields.into_iter().collect())),
            ("\\PC{0,8}", prop::collection::vec((name(), inner), 0..3)).prop_map(|(code, fields)| {
                let scope = fields.into_iter().collect();
                Bson::JavaScriptCodeWithScope(JavaScriptCodeWithScope { code, scope })
            }),
        ]
    })
}

fn leaf() -> impl Strategy<Value = Bson> {
    let text = || prop_oneof!["\\PC{0,8}", any::<String>()];
    prop_oneof![
        Just(Bson::Null),
        Just(Bson::Undefined),
        Just(Bson::MinKey),
        Just(Bson::MaxKey),
        any::<bool>().prop_map(Bson::Boolean),
        any::<i32>().prop_map(Bson::Int32),
        prop_oneof![any::<i64>(), -5i64..5].prop_map(Bson::Int64),
        prop_oneof![any::<u64>().prop_map(f64::from_bits), (-5i32..5).prop_map(f64::from), Just(f64::INFINITY)]
            .prop_map(|n| Bson::Double(if n.is_nan() { f64::NAN } else { n })),
        ("-?[0-9]{1,30}", -6000i32..6000)
            .prop_filter_map("a decimal", |(digits, e)| Some(Bson::Decimal128(format!("{digits}E{e}").parse().ok()?))),
        text().prop_map(Bson::String),
        text().prop_map(Bson::Symbol),
        text().prop_map(Bson::JavaScriptCode),
        any::<[u8; 12]>().prop_map(|bytes| Bson::ObjectId(ObjectId::from_bytes(bytes))),
        prop_oneof![any::<i64>(), 0i64..253_402_300_800_000].prop_map(|ms| Bson::DateTime(DateTime::from_millis(ms))),
        any::<(u32, u32)>().prop_map(|(time, increment)| Bson::Timestamp(Timestamp { time, increment })),
        (any::<u8>(), prop::collection::vec(any::<u8>(), 0..20))
            .prop_map(|(subtype, bytes)| Bson::Binary(Binary { subtype: subtype.into(), bytes })),
        any::<[u8; 16]>().prop_map(|bytes| Bson::Binary(Binary { subtype: 4.into(), bytes: bytes.to_vec() })),
        ("[^\u{0}]{0,6}|[a-z/\\\\\\[\\]]{0,6}", "i?m?s?x?").prop_filter_map("a regex", |(pattern, options)| {
            let (pattern, options) = (pattern.try_into().ok()?, options.try_into().ok()?);
            Some(Bson::RegularExpression(Regex { pattern, options }))
        }),
        ("[a-z.]{0,8}", any::<[u8; 12]>())
            .prop_filter_map("a pointer", |(ns, id)| pointer::pointer(&ns, ObjectId::from_bytes(id))),
    ]
}
