//! What filters match, in tables.

use super::*;
use crate::domain::mongodb::arbitrary;
use bson::{Bson, Document, bson, doc};
use proptest::prelude::*;
use rstest::rstest;

fn matches(filter: &Document, document: &Document) -> bool {
    Filter::new(filter).expect("a filter").matches(document)
}

fn regex(pattern: &str, options: &str) -> Bson {
    let (pattern, options) = (pattern.try_into().expect("no NUL"), options.try_into().expect("no NUL"));
    Bson::RegularExpression(bson::Regex { pattern, options })
}

#[rstest]
#[case(doc! {}, true)]
#[case(doc! { "n": 20 }, true)]
#[case(doc! { "n": 20.0 }, true)]
#[case(doc! { "n": Bson::Int64(20) }, true)]
#[case(doc! { "n": Bson::Decimal128("20".parse().expect("a decimal")) }, true)]
#[case(doc! { "n": "20" }, false)]
#[case(doc! { "n": { "$eq": 20 } }, true)]
#[case(doc! { "n": { "$ne": 20 } }, false)]
#[case(doc! { "n": { "$ne": 21 } }, true)]
#[case(doc! { "missing": { "$ne": 20 } }, true)]
#[case(doc! { "n": { "$gt": 19.5, "$lt": 21 } }, true)]
#[case(doc! { "n": { "$gt": 20 } }, false)]
#[case(doc! { "n": { "$gte": 20 } }, true)]
#[case(doc! { "n": { "$lte": 20 } }, true)]
#[case(doc! { "n": { "$gt": "1" } }, false)] // other types never compare
#[case(doc! { "n": { "$lt": "1" } }, false)]
#[case(doc! { "n": { "$gt": Bson::Null } }, false)]
#[case(doc! { "n": { "$gt": Bson::MinKey } }, true)]
#[case(doc! { "s": { "$gte": "abc" } }, true)]
#[case(doc! { "n": { "$in": [1, 20] } }, true)]
#[case(doc! { "n": { "$in": [] } }, false)]
#[case(doc! { "n": { "$nin": [1, 20] } }, false)]
#[case(doc! { "n": { "$nin": [1] } }, true)]
#[case(doc! { "missing": { "$in": [Bson::Null] } }, true)]
#[case(doc! { "s": { "$in": [regex("^A", "i")] } }, true)]
#[case(doc! { "n": { "$not": { "$gt": 20 } } }, true)]
#[case(doc! { "s": { "$not": regex("b", "") } }, false)]
#[case(doc! { "missing": { "$not": { "$gt": 20 } } }, true)]
#[case(doc! { "n": { "$exists": true } }, true)]
#[case(doc! { "missing": { "$exists": false } }, true)]
#[case(doc! { "z": { "$exists": 1 } }, true)] // null is there
#[case(doc! { "z": Bson::Null }, true)]
#[case(doc! { "missing": Bson::Null }, true)]
#[case(doc! { "n": Bson::Null }, false)]
#[case(doc! { "z": { "$gte": Bson::Null } }, true)]
#[case(doc! { "n": { "$type": "int" } }, true)]
#[case(doc! { "n": { "$type": ["string", 16] } }, true)]
#[case(doc! { "a": { "$type": "array" } }, true)]
#[case(doc! { "a": { "$type": "int" } }, true)]
#[case(doc! { "s": regex("^ab", "") }, true)]
#[case(doc! { "s": { "$regex": "^AB", "$options": "i" } }, true)]
#[case(doc! { "s": { "$options": "i", "$regex": "^AB" } }, true)]
#[case(doc! { "s": { "$regex": "^AB" } }, false)]
#[case(doc! { "n": { "$regex": "2" } }, false)]
#[case(doc! { "a": { "$size": 3 } }, true)]
#[case(doc! { "a": { "$size": 2.0 } }, false)]
#[case(doc! { "n": { "$size": 1 } }, false)]
#[case(doc! { "a": { "$all": [1, 2] } }, true)]
#[case(doc! { "a": { "$all": [1, 9] } }, false)]
#[case(doc! { "a": { "$all": [] } }, false)]
#[case(doc! { "n": { "$mod": [6, 2] } }, true)]
#[case(doc! { "n": { "$mod": [6, 3] } }, false)]
#[case(doc! { "a": 2 }, true)] // an element
#[case(doc! { "a": [1, 2, 3] }, true)] // the array as a whole
#[case(doc! { "a": [1, 2] }, false)]
#[case(doc! { "a": { "$ne": 2 } }, false)]
#[case(doc! { "a": { "$gt": 2, "$lt": 2 } }, true)] // different elements
#[case(doc! { "a": { "$elemMatch": { "$gt": 2, "$lt": 2 } } }, false)]
#[case(doc! { "a": { "$elemMatch": { "$gt": 1, "$lt": 3 } } }, true)]
#[case(doc! { "a.1": 2 }, true)]
#[case(doc! { "a.0": 2 }, false)]
#[case(doc! { "a.b": Bson::Null }, false)]
#[case(doc! { "n.b": Bson::Null }, true)]
#[case(doc! { "o.p": 1 }, true)]
#[case(doc! { "o": { "p": 1 } }, true)]
#[case(doc! { "o": { "p": 1.0 } }, true)]
#[case(doc! { "o": {} }, false)]
#[case(doc! { "o.q": { "$exists": false } }, true)]
#[case(doc! { "l.x": 5 }, true)]
#[case(doc! { "l.x": { "$gt": 5 } }, false)]
#[case(doc! { "l.1.x": 5 }, true)]
#[case(doc! { "l.y": Bson::Null }, true)]
#[case(doc! { "l": { "$elemMatch": { "x": 4, "y": 1 } } }, true)]
#[case(doc! { "l": { "$elemMatch": { "x": 5, "y": 1 } } }, false)]
#[case(doc! { "l": { "$elemMatch": { "$or": [{ "x": 9 }, { "y": 1 }] } } }, true)]
#[case(doc! { "l": { "$all": [{ "$elemMatch": { "x": 4 } }, { "$elemMatch": { "x": 5 } }] } }, true)]
#[case(doc! { "$and": [{ "n": 20 }, { "s": "abc" }] }, true)]
#[case(doc! { "$or": [{ "n": 1 }, { "s": "abc" }] }, true)]
#[case(doc! { "$or": [{ "n": 1 }, { "s": "x" }] }, false)]
#[case(doc! { "$nor": [{ "n": 1 }, { "s": "x" }] }, true)]
#[case(doc! { "$comment": "why", "n": 20 }, true)]
#[case(doc! { "ref": { "$ref": "c", "$id": 1 } }, true)]
fn what_matches(#[case] filter: Document, #[case] expected: bool) {
    let document = doc! {
        "n": 20, "s": "abc", "z": Bson::Null, "a": [1, 2, 3], "o": { "p": 1 },
        "l": [{ "x": 4, "y": 1 }, { "x": 5 }], "ref": { "$ref": "c", "$id": 1 },
    };
    assert_eq!(matches(&filter, &document), expected);
}

#[rstest]
#[case(Bson::Int64(9_007_199_254_740_993), bson!({ "$gt": 9_007_199_254_740_992.0 }), true)]
#[case(Bson::Double(f64::NAN), bson!({ "$lt": 5 }), false)]
#[case(Bson::Double(f64::NAN), bson!({ "$gte": f64::NAN }), true)]
#[case(Bson::Double(f64::NAN), bson!(f64::NAN), true)]
#[case(Bson::Int64(i64::MIN), bson!({ "$mod": [-1, 0] }), true)]
#[case(bson!(20.7), bson!({ "$mod": [6, 2] }), true)]
#[case(bson!("20"), bson!({ "$mod": [6, 2] }), false)]
#[case(bson!([[1, 2]]), bson!([1, 2]), true)]
#[case(bson!([[1, 2]]), bson!(1), false)]
#[case(bson!([]), bson!({ "$size": 0 }), true)]
#[case(regex("a", ""), regex("a", ""), true)]
#[case(bson!("a"), bson!({ "$eq": regex("a", "") }), false)]
fn edges(#[case] value: Bson, #[case] condition: Bson, #[case] expected: bool) {
    assert_eq!(matches(&doc! { "v": condition }, &doc! { "v": value }), expected);
}

#[rstest]
#[case(doc! { "$where": "x" }, "unknown top level operator: $where")]
#[case(doc! { "$expr": {} }, "unknown top level operator: $expr")]
#[case(doc! { "a": { "$foo": 1 } }, "unknown operator: $foo")]
#[case(doc! { "a": { "$gt": 1, "b": 1 } }, "unknown operator: b")]
#[case(doc! { "a": { "$near": [] } }, "unknown operator: $near")]
#[case(doc! { "$or": [] }, "$or must be a nonempty array")]
#[case(doc! { "$and": [1] }, "$and entries need to be full objects")]
#[case(doc! { "a": { "$in": 5 } }, "$in needs an array")]
#[case(doc! { "a": { "$in": [{ "$gt": 1 }] } }, "cannot nest $ under $in")]
#[case(doc! { "a": { "$not": 5 } }, "$not needs a regex or a document")]
#[case(doc! { "a": { "$not": {} } }, "$not cannot be empty")]
#[case(doc! { "a": { "$ne": regex("a", "") } }, "Can't have regex as arg to $ne.")]
#[case(doc! { "a": { "$gt": regex("a", "") } }, "Can't have RegEx")]
#[case(doc! { "a": { "$type": "integer" } }, "Unknown type name alias")]
#[case(doc! { "a": { "$size": -1 } }, "$size may not be negative")]
#[case(doc! { "a": { "$size": 1.5 } }, "$size must be a whole number")]
#[case(doc! { "a": { "$size": "1" } }, "$size needs a number")]
#[case(doc! { "a": { "$all": 1 } }, "$all needs an array")]
#[case(doc! { "a": { "$all": [{ "$gt": 1 }] } }, "no $ expressions in $all")]
#[case(doc! { "a": { "$elemMatch": 1 } }, "$elemMatch needs an Object")]
#[case(doc! { "a": { "$mod": [0, 1] } }, "divisor cannot be 0")]
#[case(doc! { "a": { "$mod": [1] } }, "not enough elements")]
#[case(doc! { "a": { "$mod": [1, 2, 3] } }, "too many elements")]
#[case(doc! { "a": { "$mod": ["x", 1] } }, "divisor not a number")]
#[case(doc! { "a": { "$options": "i" } }, "$options needs a $regex")]
#[case(doc! { "a": { "$regex": "(" } }, "Regular expression is invalid: unclosed group")]
#[case(doc! { "a": { "$regex": "(?=a)" } }, "look-around")]
#[case(doc! { "a": { "$regex": "a", "$options": "q" } }, "invalid flag in regex options: q")]
#[case(doc! { "a": { "$regex": regex("a", "i"), "$options": "m" } }, "options set in both")]
fn refused_by_name(#[case] filter: Document, #[case] words: &str) {
    let error = Filter::new(&filter).expect_err("refused");
    assert_eq!((error.code, error.code_name), (2, "BadValue"));
    assert!(error.errmsg.contains(words), "{error}");
}

#[test]
fn what_is_held_to_one_value() {
    let filter = Filter::new(&doc! { "_id": 7, "a": { "$gt": 1 }, "$and": [{ "b": { "$eq": 2 } }] }).expect("a filter");
    assert_eq!(filter.id(), Some(&bson!(7)));
    assert_eq!(filter.equalities(), [("_id".to_owned(), bson!(7)), ("b".to_owned(), bson!(2))]);
    assert_eq!(Filter::new(&doc! { "_id": { "$in": [1] } }).expect("a filter").id(), None);
    assert_eq!(Filter::new(&doc! { "$or": [{ "_id": 1 }] }).expect("a filter").id(), None);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn not_is_the_opposite(document in arbitrary::document(), bound in arbitrary::value(), path in "[a-c_]{1,2}(\\.[a0])?") {
        prop_assume!(!matches!(bound, Bson::RegularExpression(_)));
        for operator in ["$eq", "$gt", "$gte", "$lt", "$lte"] {
            let plain = doc! { &path: { operator: bound.clone() } };
            let negated = doc! { &path: { "$not": { operator: bound.clone() } } };
            prop_assert_ne!(matches(&plain, &document), matches(&negated, &document));
        }
        let (eq, ne) = (doc! { &path: { "$eq": bound.clone() } }, doc! { &path: { "$ne": bound } });
        prop_assert_ne!(matches(&eq, &document), matches(&ne, &document));
    }

    #[test]
    fn no_filter_panics(filter in arbitrary::document(), operator in "\\$(all|in|mod|size|type|regex|elemMatch|not|or)", document in arbitrary::document()) {
        let operand = filter.values().next().cloned().unwrap_or(Bson::Null);
        for filter in [filter.clone(), doc! { "a": { &operator: operand.clone() } }, doc! { &operator: operand }] {
            if let Ok(filter) = Filter::new(&filter) {
                let _ = filter.matches(&document);
            }
        }
    }
}
