//! A document's own `ttl`: which values count, and why the others do not (rules, section 2).

use std::fmt;

use bson::{Bson, Document};

use crate::domain::nosql::{ItemTtl, MAX_TTL};

use super::{Number, spell_double};

/// What the root field `ttl` of a document says, in seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentTtl {
    /// There is none: the collection's own value applies.
    Absent,
    /// -1: never.
    Never,
    /// 1 to [`MAX_TTL`].
    Seconds(u32),
    /// It is stored, and does not count: the collection's own value applies.
    Ignored(Ignored),
}

impl DocumentTtl {
    /// The `ttl` of a document: the root field of exactly this name.
    pub fn of(document: &Document) -> Self {
        document.get("ttl").map_or(DocumentTtl::Absent, DocumentTtl::from)
    }

    /// What it comes to beside the collection's default.
    pub fn effective(self) -> ItemTtl {
        match self {
            DocumentTtl::Absent | DocumentTtl::Ignored(_) => ItemTtl::Absent,
            DocumentTtl::Never => ItemTtl::Never,
            DocumentTtl::Seconds(secs) => ItemTtl::Seconds(secs),
        }
    }
}

/// It counts when it is an int32, an int64 that fits int32, or a double without a fraction that fits int32, and is positive
/// or -1.
impl From<&Bson> for DocumentTtl {
    fn from(value: &Bson) -> Self {
        let ignored = |reason| DocumentTtl::Ignored(Ignored { value: spelled(value), reason });
        let number = match (value, Number::of(value)) {
            (Bson::Decimal128(_), _) => return ignored(Reason::Type("Decimal128, which does not count")),
            (_, Some(number)) => number,
            (_, None) => return ignored(Reason::Type(kind(value))),
        };
        if let Number::Double(n) = number {
            if !n.is_finite() {
                return ignored(Reason::NotFinite);
            }
            if n.fract() != 0.0 {
                return ignored(Reason::Fraction);
            }
            if n.abs() > f64::from(MAX_TTL) {
                return ignored(if n > 0.0 { Reason::TooLarge } else { Reason::Negative });
            }
        }
        match number.as_integer() {
            Some(-1) => DocumentTtl::Never,
            Some(0) => ignored(Reason::Zero),
            Some(n) if n < 0 => ignored(Reason::Negative),
            Some(n) => match u32::try_from(n) {
                Ok(secs) if secs <= MAX_TTL => DocumentTtl::Seconds(secs),
                _ => ignored(Reason::TooLarge),
            },
            None => ignored(Reason::TooLarge),
        }
    }
}

/// A `ttl` that does not count. It displays as a clause: `20.5 has a fraction`, `"20" is a string`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// The value in short.
    pub value: String,
    /// Why it does not count.
    pub reason: Reason,
}

/// Why a `ttl` does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A double with a fraction.
    Fraction,
    /// Above [`MAX_TTL`].
    TooLarge,
    /// 0.
    Zero,
    /// Below 0, and not -1.
    Negative,
    /// NaN or an infinity.
    NotFinite,
    /// Another type than int32, int64 and double, by its name with what is to be said of it.
    Type(&'static str),
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = &self.value;
        match self.reason {
            Reason::Fraction => write!(f, "{value} has a fraction"),
            Reason::TooLarge => write!(f, "{value} is larger than {MAX_TTL}"),
            Reason::Zero => write!(f, "{value} is not positive"),
            Reason::Negative => write!(f, "{value} is neither positive nor -1"),
            Reason::NotFinite => write!(f, "{value} is not a finite number"),
            Reason::Type("null") => f.write_str("null is not a number"),
            Reason::Type(kind) => {
                let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u', 'O']) { "an" } else { "a" };
                write!(f, "{value} is {article} {kind}")
            }
        }
    }
}

/// A value as it fits into a sentence.
pub(super) fn spelled(value: &Bson) -> String {
    const LONGEST: usize = 24;
    match value {
        Bson::Double(n) => spell_double(*n),
        Bson::Int32(_) | Bson::Int64(_) | Bson::Decimal128(_) | Bson::Boolean(_) => value.to_string(),
        Bson::String(text) if text.chars().count() > LONGEST => {
            format!("\"{}…\"", text.chars().take(LONGEST).collect::<String>())
        }
        Bson::String(text) => format!("\"{text}\""),
        Bson::Array(items) if items.is_empty() => "[]".to_owned(),
        Bson::Array(_) => "[…]".to_owned(),
        Bson::Document(fields) if fields.is_empty() => "{}".to_owned(),
        Bson::Document(_) => "{…}".to_owned(),
        Bson::Null => "null".to_owned(),
        _ => "it".to_owned(),
    }
}

fn kind(value: &Bson) -> &'static str {
    match value {
        Bson::String(_) => "string",
        Bson::Boolean(_) => "boolean",
        Bson::Null => "null",
        Bson::Array(_) => "array",
        Bson::Document(_) => "document",
        Bson::DateTime(_) => "date, and it counts seconds",
        Bson::ObjectId(_) => "ObjectId",
        _ => "value that is no number",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bson::doc;
    use proptest::prelude::*;
    use rstest::rstest;

    #[rstest]
    #[case(Bson::Int32(20), DocumentTtl::Seconds(20))]
    #[case(Bson::Int64(20), DocumentTtl::Seconds(20))]
    #[case(Bson::Double(20.0), DocumentTtl::Seconds(20))]
    #[case(Bson::Int32(2_147_483_647), DocumentTtl::Seconds(2_147_483_647))]
    #[case(Bson::Int64(2_147_483_647), DocumentTtl::Seconds(2_147_483_647))]
    #[case(Bson::Double(2_147_483_647.0), DocumentTtl::Seconds(2_147_483_647))]
    #[case(Bson::Int32(1), DocumentTtl::Seconds(1))]
    #[case(Bson::Int32(-1), DocumentTtl::Never)]
    #[case(Bson::Int64(-1), DocumentTtl::Never)]
    #[case(Bson::Double(-1.0), DocumentTtl::Never)]
    fn counts(#[case] value: Bson, #[case] ttl: DocumentTtl) {
        assert_eq!(DocumentTtl::from(&value), ttl);
        assert_eq!(DocumentTtl::of(&doc! { "id": 1, "ttl": value }), ttl);
    }

    #[rstest]
    #[case(Bson::Double(20.5), "20.5 has a fraction")]
    #[case(Bson::Double(-1.5), "-1.5 has a fraction")]
    #[case(Bson::Int64(2_147_483_648), "2147483648 is larger than 2147483647")]
    #[case(Bson::Int64(2_147_483_649), "2147483649 is larger than 2147483647")]
    #[case(Bson::Int64(i64::MAX), "9223372036854775807 is larger than 2147483647")]
    #[case(Bson::Double(2_147_483_648.0), "2147483648.0 is larger than 2147483647")]
    #[case(Bson::Double(1e300), "1e300 is larger than 2147483647")]
    #[case(Bson::Int32(0), "0 is not positive")]
    #[case(Bson::Double(-0.0), "-0.0 is not positive")]
    #[case(Bson::Int32(-5), "-5 is neither positive nor -1")]
    #[case(Bson::Double(-1e300), "-1e300 is neither positive nor -1")]
    #[case(Bson::Int64(i64::MIN), "-9223372036854775808 is neither positive nor -1")]
    #[case(Bson::String("20".into()), "\"20\" is a string")]
    #[case(Bson::String("x".repeat(100)), "\"xxxxxxxxxxxxxxxxxxxxxxxx…\" is a string")]
    #[case(Bson::Null, "null is not a number")]
    #[case(Bson::Boolean(true), "true is a boolean")]
    #[case(Bson::Double(f64::NAN), "NaN is not a finite number")]
    #[case(Bson::Double(f64::NEG_INFINITY), "-Infinity is not a finite number")]
    #[case(Bson::Decimal128("20".parse().expect("a decimal")), "20 is a Decimal128, which does not count")]
    #[case(Bson::Array(vec![]), "[] is an array")]
    #[case(Bson::Document(doc! { "n": 20 }), "{…} is a document")]
    #[case(Bson::DateTime(bson::DateTime::from_millis(0)), "it is a date, and it counts seconds")]
    #[case(Bson::ObjectId(bson::oid::ObjectId::from_bytes([0; 12])), "it is an ObjectId")]
    #[case(Bson::Undefined, "it is a value that is no number")]
    fn is_ignored_for_a_reason(#[case] value: Bson, #[case] words: &str) {
        let DocumentTtl::Ignored(ignored) = DocumentTtl::from(&value) else { panic!("{value:?} counts") };
        assert_eq!(ignored.to_string(), words);
        assert_eq!(DocumentTtl::Ignored(ignored).effective(), ItemTtl::Absent);
    }

    #[test]
    fn only_the_root_field_of_exactly_this_name_counts() {
        let document = doc! { "TTL": 20, "Ttl": 20, "a": { "ttl": 20 } };
        assert_eq!(DocumentTtl::of(&document), DocumentTtl::Absent);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn the_type_does_not_change_the_value(n in prop_oneof![any::<i64>(), -3i64..4, 2_147_483_640i64..2_147_483_660]) {
            let expected = match n {
                -1 => ItemTtl::Never,
                1..=2_147_483_647 => ItemTtl::Seconds(n as u32),
                _ => ItemTtl::Absent,
            };
            prop_assert_eq!(DocumentTtl::from(&Bson::Int64(n)).effective(), expected);
            if let Ok(small) = i32::try_from(n) {
                prop_assert_eq!(DocumentTtl::from(&Bson::Int32(small)).effective(), expected);
                prop_assert_eq!(DocumentTtl::from(&Bson::Double(f64::from(small))).effective(), expected);
            }
        }
    }
}
