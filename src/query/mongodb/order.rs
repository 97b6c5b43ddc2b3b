//! BSON's order over values of all types, and equality by it: numbers by value, whatever their type.

use std::cmp::Ordering;

use bson::spec::BinarySubtype;
use bson::{Bson, Document};

use crate::domain::mongodb::{Number, pointer_parts};

/// Compares two values as MongoDB sorts them: first by the rank of their types, then by value.
pub fn order(a: &Bson, b: &Bson) -> Ordering {
    rank(a).cmp(&rank(b)).then_with(|| within_rank(a, b))
}

/// Whether two values are equal in a filter: `1`, `1.0` and `NumberLong(1)` are.
pub(super) fn equal(a: &Bson, b: &Bson) -> bool {
    order(a, b) == Ordering::Equal
}

/// The rank of a value's type; types of one rank compare by value.
pub(super) fn rank(value: &Bson) -> u8 {
    match value {
        Bson::MinKey => 0,
        Bson::Undefined => 1,
        Bson::Null => 2,
        Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Decimal128(_) => 3,
        Bson::String(_) | Bson::Symbol(_) => 4,
        Bson::Document(_) => 5,
        Bson::Array(_) => 6,
        Bson::Binary(_) => 7,
        Bson::ObjectId(_) => 8,
        Bson::Boolean(_) => 9,
        Bson::DateTime(_) => 10,
        Bson::Timestamp(_) => 11,
        Bson::RegularExpression(_) => 12,
        Bson::DbPointer(_) => 13,
        Bson::JavaScriptCode(_) => 14,
        Bson::JavaScriptCodeWithScope(_) => 15,
        Bson::MaxKey => 16,
    }
}

fn within_rank(a: &Bson, b: &Bson) -> Ordering {
    match (a, b) {
        (Bson::String(a) | Bson::Symbol(a), Bson::String(b) | Bson::Symbol(b)) => a.cmp(b),
        (Bson::Document(a), Bson::Document(b)) => order_documents(a, b),
        (Bson::Array(a), Bson::Array(b)) => {
            let differing = a.iter().zip(b).map(|(a, b)| order(a, b)).find(|order| order.is_ne());
            differing.unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        (Bson::Binary(a), Bson::Binary(b)) => {
            let key = |subtype: BinarySubtype| u8::from(subtype);
            (a.bytes.len(), key(a.subtype), &a.bytes).cmp(&(b.bytes.len(), key(b.subtype), &b.bytes))
        }
        (Bson::ObjectId(a), Bson::ObjectId(b)) => a.bytes().cmp(&b.bytes()),
        (Bson::Boolean(a), Bson::Boolean(b)) => a.cmp(b),
        (Bson::DateTime(a), Bson::DateTime(b)) => a.cmp(b),
        (Bson::Timestamp(a), Bson::Timestamp(b)) => a.cmp(b),
        (Bson::RegularExpression(a), Bson::RegularExpression(b)) => {
            (a.pattern.as_str(), a.options.as_str()).cmp(&(b.pattern.as_str(), b.options.as_str()))
        }
        (Bson::DbPointer(a), Bson::DbPointer(b)) => pointer_parts(a).cmp(&pointer_parts(b)),
        (Bson::JavaScriptCode(a), Bson::JavaScriptCode(b)) => a.cmp(b),
        (Bson::JavaScriptCodeWithScope(a), Bson::JavaScriptCodeWithScope(b)) => {
            a.code.cmp(&b.code).then_with(|| order_documents(&a.scope, &b.scope))
        }
        (a, b) => match (Number::of(a), Number::of(b)) {
            (Some(a), Some(b)) => a.order(&b),
            _ => Ordering::Equal,
        },
    }
}

/// Field by field in their order: the rank of the value, then the name, then the value.
fn order_documents(a: &Document, b: &Document) -> Ordering {
    for ((a_name, a_value), (b_name, b_value)) in a.iter().zip(b) {
        let field = rank(a_value).cmp(&rank(b_value)).then_with(|| a_name.cmp(b_name));
        let field = field.then_with(|| order(a_value, b_value));
        if field.is_ne() {
            return field;
        }
    }
    a.len().cmp(&b.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::mongodb::arbitrary;
    use bson::{bson, doc};
    use proptest::prelude::*;

    #[test]
    fn types_have_an_order() {
        let ascending = [
            Bson::MinKey,
            Bson::Null,
            Bson::Double(f64::NAN),
            bson!(-1),
            bson!(1.5),
            Bson::Int64(2),
            bson!("a"),
            bson!({ "a": 1 }),
            bson!([1]),
            bson!(false),
            bson!(true),
            Bson::DateTime(bson::DateTime::from_millis(0)),
            Bson::MaxKey,
        ];
        for (i, a) in ascending.iter().enumerate() {
            for (j, b) in ascending.iter().enumerate() {
                assert_eq!(order(a, b), i.cmp(&j), "{a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn documents_compare_field_by_field() {
        let of = |document| Bson::Document(document);
        assert_eq!(order(&of(doc! { "a": 1 }), &of(doc! { "a": 1.0 })), Ordering::Equal);
        assert_eq!(order(&of(doc! { "a": 1, "b": 1 }), &of(doc! { "b": 1, "a": 1 })), Ordering::Less);
        assert_eq!(order(&of(doc! { "a": 1 }), &of(doc! { "a": 1, "b": 1 })), Ordering::Less);
        assert_eq!(order(&of(doc! { "b": 1 }), &of(doc! { "a": "x" })), Ordering::Less);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]
        #[test]
        fn it_is_an_order(mut values in prop::collection::vec(arbitrary::value(), 3)) {
            values.sort_by(order);
            prop_assert!(order(&values[0], &values[2]).is_le());
            prop_assert_eq!(order(&values[0], &values[1]), order(&values[1], &values[0]).reverse());
            prop_assert!(equal(&values[0], &values[0]));
        }
    }
}
