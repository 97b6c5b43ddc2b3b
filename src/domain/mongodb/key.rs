//! The stored key of an `_id`: bytes that order as MongoDB orders values, equal for numbers of all types that are equal.

use bson::{Bson, Document};

use crate::domain::Refusal;

use super::Number;

/// The longest key of an `_id`, in bytes.
const LONGEST: usize = 2_048;

const NULL: u8 = 10;
const NUMBER: u8 = 20;
const TEXT: u8 = 30;
const OBJECT: u8 = 40;
const BINARY: u8 = 50;
const OBJECT_ID: u8 = 60;
const BOOLEAN: u8 = 70;
const DATE: u8 = 80;
const TIMESTAMP: u8 = 90;
const MIN_KEY: u8 = 1;
const MAX_KEY: u8 = 255;

/// The key of an `_id`.
///
/// # Errors
/// A type that an `_id` cannot have, or a value that is too long for a key.
pub fn key_of_id(id: &Bson) -> Result<Vec<u8>, Refusal> {
    let (class, bytes) = match id {
        Bson::MinKey => (MIN_KEY, Vec::new()),
        Bson::Null => (NULL, Vec::new()),
        Bson::Int32(n) => (NUMBER, number(f64::from(*n), 0)),
        Bson::Int64(n) => {
            // What a double cannot hold stands behind it.
            let near = *n as f64;
            let rest = i128::from(*n) - near as i128;
            (NUMBER, number(near, i64::try_from(rest).unwrap_or(0)))
        }
        Bson::Double(n) => (NUMBER, number(*n, 0)),
        Bson::String(text) => (TEXT, text.as_bytes().to_vec()),
        Bson::Document(document) => (OBJECT, equal_in(document).to_vec().map_err(|error| refused(&error.to_string()))?),
        Bson::Binary(binary) => (BINARY, [&[u8::from(binary.subtype)], binary.bytes.as_slice()].concat()),
        Bson::ObjectId(id) => (OBJECT_ID, id.bytes().to_vec()),
        Bson::Boolean(value) => (BOOLEAN, vec![u8::from(*value)]),
        Bson::DateTime(date) => (DATE, signed(date.timestamp_millis()).to_vec()),
        Bson::Timestamp(at) => (TIMESTAMP, [at.time.to_be_bytes(), at.increment.to_be_bytes()].concat()),
        Bson::MaxKey => (MAX_KEY, Vec::new()),
        Bson::Array(_) => return Err(refused("it is an array")),
        Bson::RegularExpression(_) => return Err(refused("it is a regular expression")),
        Bson::Undefined => return Err(refused("it is undefined")),
        Bson::Decimal128(_) => return Err(refused("Decimal128 is not kept as an _id here: use a double or a string")),
        _ => return Err(refused("its type cannot be one")),
    };
    if bytes.len() > LONGEST {
        return Err(refused(&format!("it has {} bytes, and up to {LONGEST} are kept", bytes.len())));
    }
    Ok([&[class], bytes.as_slice()].concat())
}

/// The `_id` in a key as far as words need it.
pub fn id_in_key(key: &[u8]) -> String {
    match key.split_first() {
        Some((&TEXT, text)) => String::from_utf8_lossy(text).into_owned(),
        Some((&OBJECT_ID, bytes)) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        _ => String::new(),
    }
}

fn refused(why: &str) -> Refusal {
    Refusal::bad_request(format!("The _id cannot be stored: {why}."))
}

/// The document with its whole numbers as int64s: those of all types are equal, also inside an `_id`.
fn equal_in(document: &Document) -> Document {
    document.iter().map(|(name, value)| (name.clone(), equal(value))).collect()
}

fn equal(value: &Bson) -> Bson {
    match value {
        Bson::Document(document) => Bson::Document(equal_in(document)),
        Bson::Array(items) => Bson::Array(items.iter().map(equal).collect()),
        other => Number::of(other).and_then(|number| number.as_integer()).map_or_else(|| other.clone(), Bson::Int64),
    }
}

/// A double whose bytes order as its values do, then what it lacks. NaN is below all numbers, both zeros are one.
fn number(n: f64, rest: i64) -> Vec<u8> {
    let bits = if n.is_nan() { return vec![0; 16] } else { (n + 0.0).to_bits() };
    let ordered = if bits >> 63 == 1 { !bits } else { bits | 1 << 63 };
    [ordered.to_be_bytes(), signed(rest)].concat()
}

/// A signed number whose bytes order as its values do.
fn signed(n: i64) -> [u8; 8] {
    (n as u64 ^ 1 << 63).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bson::oid::ObjectId;
    use proptest::prelude::*;

    fn key(id: impl Into<Bson>) -> Vec<u8> {
        key_of_id(&id.into()).expect("a key")
    }

    #[test]
    fn equal_numbers_are_one_id_whatever_their_type() {
        assert_eq!(key(1), key(1.0));
        assert_eq!(key(1), key(1i64));
        assert_eq!(key(0.0), key(-0.0));
        assert_ne!(key(9_007_199_254_740_993i64), key(9_007_199_254_740_992i64));
        assert_eq!(key(9_007_199_254_740_992i64), key(9_007_199_254_740_992.0));
    }

    #[test]
    fn types_order_as_mongodb_orders_them() {
        let ids: Vec<Bson> = vec![
            Bson::MinKey,
            Bson::Null,
            Bson::Double(f64::NAN),
            Bson::Double(f64::NEG_INFINITY),
            (-1).into(),
            0.into(),
            0.5.into(),
            i64::MAX.into(),
            "a".into(),
            "b".into(),
            bson::doc! { "a": 1 }.into(),
            ObjectId::new().into(),
            false.into(),
            true.into(),
            bson::DateTime::from_millis(-5).into(),
            bson::DateTime::from_millis(5).into(),
            Bson::MaxKey,
        ];
        let keys: Vec<Vec<u8>> = ids.iter().map(|id| key_of_id(id).expect("a key")).collect();
        assert!(keys.is_sorted(), "{keys:?}");
    }

    #[test]
    fn what_cannot_be_an_id_says_why() {
        let long = Bson::String("x".repeat(3_000));
        for (id, why) in [(Bson::Array(vec![]), "array"), (Bson::Undefined, "undefined"), (long, "3000 bytes")] {
            let refusal = key_of_id(&id).expect_err("refused");
            assert!(refusal.message.contains(why), "{}", refusal.message);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn integers_order_by_value(a: i64, b: i64) {
            prop_assert_eq!(key(a).cmp(&key(b)), a.cmp(&b));
        }
    }
}
