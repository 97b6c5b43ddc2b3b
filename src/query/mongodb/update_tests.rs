//! What updates make of documents, in tables.

use super::*;
use crate::domain::mongodb::arbitrary;
use bson::{Bson, bson, doc};
use proptest::prelude::*;
use rstest::rstest;

#[rstest]
#[case(doc! { "$set": { "a": 2 } }, doc! { "_id": 1, "a": 2, "o": { "p": 3 }, "l": [1, { "x": 4 }] })]
#[case(doc! { "$set": { "b": 2.0 } }, doc! { "_id": 1, "a": 1, "o": { "p": 3 }, "l": [1, { "x": 4 }], "b": 2.0 })]
#[case(doc! { "$set": { "o.q.r": 5 } }, doc! { "_id": 1, "a": 1, "o": { "p": 3, "q": { "r": 5 } }, "l": [1, { "x": 4 }] })]
#[case(doc! { "$set": { "l.1.x": 5 } }, doc! { "_id": 1, "a": 1, "o": { "p": 3 }, "l": [1, { "x": 5 }] })]
#[case(doc! { "$set": { "l.3": 5 } }, doc! { "_id": 1, "a": 1, "o": { "p": 3 }, "l": [1, { "x": 4 }, Bson::Null, 5] })]
#[case(doc! { "$set": { "_id": 1.0 } }, doc! { "_id": 1, "a": 1, "o": { "p": 3 }, "l": [1, { "x": 4 }] })]
#[case(doc! { "$unset": { "a": "", "o.p": 1 } }, doc! { "_id": 1, "o": {}, "l": [1, { "x": 4 }] })]
#[case(doc! { "$unset": { "l.0": "", "no.way": "" } }, doc! { "_id": 1, "a": 1, "o": { "p": 3 }, "l": [Bson::Null, { "x": 4 }] })]
#[case(doc! { "$inc": { "a": 1, "c": 5 } }, doc! { "_id": 1, "a": 2, "o": { "p": 3 }, "l": [1, { "x": 4 }], "c": 5 })]
#[case(doc! { "$rename": { "a": "o.z" } }, doc! { "_id": 1, "o": { "p": 3, "z": 1 }, "l": [1, { "x": 4 }] })]
#[case(doc! { "$push": { "l": 2 } }, doc! { "_id": 1, "a": 1, "o": { "p": 3 }, "l": [1, { "x": 4 }, 2] })]
#[case(doc! { "$push": { "n": { "$each": [1, 2] } } }, doc! { "_id": 1, "a": 1, "o": { "p": 3 }, "l": [1, { "x": 4 }], "n": [1, 2] })]
#[case(doc! { "$setOnInsert": { "a": 9 } }, doc! { "_id": 1, "a": 1, "o": { "p": 3 }, "l": [1, { "x": 4 }] })]
fn operators_change(#[case] update: Document, #[case] expected: Document) {
    let document = doc! { "_id": 1, "a": 1, "o": { "p": 3 }, "l": [1, { "x": 4 }] };
    let changed = Update::operators(&update).expect("an update").apply(&document).expect("applies");
    assert_eq!(changed, expected);
}

#[rstest]
#[case(bson!(1), bson!(2), bson!(3))]
#[case(bson!(i32::MAX), bson!(1), Bson::Int64(2_147_483_648))]
#[case(bson!(1), Bson::Int64(2), Bson::Int64(3))]
#[case(Bson::Int64(1), bson!(2), Bson::Int64(3))]
#[case(bson!(1), bson!(0.5), bson!(1.5))]
#[case(bson!(1.5), bson!(1), bson!(2.5))]
#[case(bson!(-5), bson!(-5), bson!(-10))]
fn the_type_of_a_sum(#[case] value: Bson, #[case] amount: Bson, #[case] sum: Bson) {
    let update = Update::operators(&doc! { "$inc": { "v": amount } }).expect("an update");
    assert_eq!(update.apply(&doc! { "v": value }), Ok(doc! { "v": sum }));
}

#[rstest]
#[case(doc! { "a": 1 }, 9, "must contain atomic operators")]
#[case(doc! {}, 9, "must contain atomic operators")]
#[case(doc! { "$set": { "a": 1 }, "b": 1 }, 9, "Unknown modifier: b")]
#[case(doc! { "$mul": { "a": 1 } }, 9, "Unknown modifier: $mul")]
#[case(doc! { "$set": 5 }, 9, "we found type int instead")]
#[case(doc! { "$set": {} }, 9, "'$set' is empty")]
#[case(doc! { "$set": { "a": 1, "a.b": 2 } }, 40, "Updating the path 'a.b' would create a conflict at 'a'")]
#[case(doc! { "$set": { "a": 1 }, "$inc": { "a": 2 } }, 40, "conflict at 'a'")]
#[case(doc! { "$set": { "b": 1 }, "$rename": { "a": "b" } }, 40, "conflict at 'b'")]
#[case(doc! { "$set": { "a..b": 1 } }, 56, "'a..b'")]
#[case(doc! { "$set": { "": 1 } }, 56, "empty field name")]
#[case(doc! { "$set": { "a.$x": 1 } }, 52, "'$x'")]
#[case(doc! { "$set": { "a": { "$x": 1 } } }, 52, "'$x'")]
#[case(doc! { "$set": { "a.$": 1 } }, 2, "positional")]
#[case(doc! { "$set": { "a.$[].b": 1 } }, 2, "positional")]
#[case(doc! { "$inc": { "a": "1" } }, 14, "non-numeric argument: {a: \"1\"}")]
#[case(doc! { "$push": { "a": { "$each": [1], "$slice": 2 } } }, 2, "Unrecognized clause in $push: $slice")]
#[case(doc! { "$push": { "a": { "$each": 1 } } }, 2, "must be an array")]
#[case(doc! { "$rename": { "a": 1 } }, 2, "must be a string")]
#[case(doc! { "$rename": { "a": "a" } }, 2, "must differ")]
fn refused_when_compiled(#[case] update: Document, #[case] code: i32, #[case] words: &str) {
    let error = Update::operators(&update).expect_err("refused");
    assert_eq!(error.code, code, "{error}");
    assert!(error.errmsg.contains(words), "{error}");
}

#[rstest]
#[case(doc! { "$set": { "_id": 2 } }, 66, "immutable field '_id'")]
#[case(doc! { "$unset": { "_id": 1 } }, 66, "immutable")]
#[case(doc! { "$rename": { "_id": "b" } }, 66, "immutable")]
#[case(doc! { "$set": { "a.b": 1 } }, 28, "Cannot create field 'b' in element 'a' of type int")]
#[case(doc! { "$set": { "l.b": 1 } }, 28, "in element 'l' of type array")]
#[case(doc! { "$set": { "l.99999999": 1 } }, 2, "backfill")]
#[case(doc! { "$inc": { "s": 1 } }, 14, "'s' of non-numeric type string")]
#[case(doc! { "$inc": { "big": 1 } }, 2, "(NumberLong(\"9223372036854775807\"))")]
#[case(doc! { "$inc": { "d": 1 } }, 2, "Decimal128")]
#[case(doc! { "$push": { "a": 1 } }, 2, "must be an array but is of type int")]
fn refused_by_the_document(#[case] update: Document, #[case] code: i32, #[case] words: &str) {
    let decimal = Bson::Decimal128("1".parse().expect("a decimal"));
    let document = doc! { "_id": 1, "a": 1, "l": [], "s": "x", "big": i64::MAX, "d": decimal };
    let error = Update::operators(&update).expect("an update").apply(&document).expect_err("refused");
    assert_eq!(error.code, code, "{error}");
    assert!(error.errmsg.contains(words), "{error}");
}

#[test]
fn a_replacement_keeps_the_id() {
    let document = doc! { "_id": 1, "a": 1 };
    let replaced = |new: Document| Update::replacement(&new).expect("a document").apply(&document);
    assert_eq!(replaced(doc! { "b": 2 }), Ok(doc! { "_id": 1, "b": 2 }));
    let moved = replaced(doc! { "b": 2, "_id": 1.0 }).expect("equal by value");
    assert_eq!(moved.iter().next(), Some((&"_id".to_owned(), &bson!(1))));
    assert_eq!(replaced(doc! { "_id": 2 }).expect_err("refused").code, 66);
    assert_eq!(Update::replacement(&doc! { "$set": { "a": 1 } }).expect_err("refused").code, 9);
    assert_eq!(Update::replacement(&doc! { "a": { "$b": 1 } }).expect_err("refused").code, 52);
}

#[test]
fn an_upsert_starts_from_the_filter() {
    let filter = Filter::new(&doc! { "a.b": 1, "n": { "$gt": 1 }, "_id": 7 }).expect("a filter");
    let update = Update::operators(&doc! { "$inc": { "n": 1 }, "$setOnInsert": { "s": 1 } }).expect("an update");
    assert_eq!(update.upsert(&filter), Ok(doc! { "_id": 7, "a": { "b": 1 }, "n": 1, "s": 1 }));
    let replacement = Update::replacement(&doc! { "x": 1 }).expect("a document");
    assert_eq!(replacement.upsert(&filter), Ok(doc! { "_id": 7, "x": 1 }));
    let other = Update::operators(&doc! { "$set": { "_id": 8 } }).expect("an update");
    assert_eq!(other.upsert(&filter).expect_err("refused").code, 66);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn what_is_set_is_there(document in arbitrary::document(), path in "[a-c]{1,2}(\\.([a-c]|[0-3]))?", n: i32) {
        if check_storable(&document).is_err() {
            return Ok(());
        }
        let update = Update::operators(&doc! { "$set": { &path: n } }).expect("an update");
        if let Ok(changed) = update.apply(&document) {
            prop_assert_eq!(get(&changed, &path::parse(&path)), Some(&Bson::Int32(n)));
            let undone = Update::operators(&doc! { "$unset": { &path: 1 } }).expect("an update").apply(&changed);
            let left = undone.expect("applies");
            prop_assert!(matches!(get(&left, &path::parse(&path)), None | Some(Bson::Null)));
        }
    }

    #[test]
    fn no_update_panics(update in arbitrary::document(), operator in "\\$(set|unset|inc|rename|push)", document in arbitrary::document()) {
        for update in [update.clone(), doc! { &operator: update }] {
            if let Ok(update) = Update::operators(&update) {
                let _ = update.apply(&document);
            }
        }
    }
}
