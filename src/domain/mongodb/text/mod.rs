//! Documents as the editor shows them: MongoDB extended JSON v2, relaxed wherever reading it back gives the same type and
//! value, canonical where not.
//!
//! | type       | text                         |
//! |------------|------------------------------|
//! | int32      | `20`                         |
//! | int64      | `{"$numberLong": "20"}`      |
//! | double     | `20.0`, `1e300`; NaN and infinities as `{"$numberDouble": "NaN"}` |
//! | Decimal128 | `{"$numberDecimal": "20"}`   |
//! | date       | `{"$date": "2026-12-01T00:00:00Z"}`; outside 1970 to 9999 in milliseconds |

mod json;
mod typed;
mod write;

use bson::{Bson, Document};

use crate::domain::{Place, Refusal};

pub use write::render;
pub(super) use write::write_string;

/// The largest document, in bytes of BSON: 16 MiB.
pub const MAX_DOCUMENT_BYTES: usize = 16 * 1024 * 1024;

/// Reads a document from extended JSON, relaxed or canonical. A plain integer is an int32 where it fits, else an int64, else
/// a double; a number with a point or an exponent is a double.
///
/// # Errors
/// Status 400 with the place of the first fault; 413 above [`MAX_DOCUMENT_BYTES`].
pub fn parse(text: &str) -> Result<Document, Refusal> {
    let refuse = |fault: json::Fault| {
        let refusal = Refusal::bad_request(format!("The document is not valid: {}.", fault.words));
        let refusal = refusal.at(Place::of_offset(text, fault.at));
        match fault.hint {
            Some(hint) => refusal.with_hint(hint),
            None => refusal,
        }
    };
    let node = json::read(text).map_err(refuse)?;
    let at = node.at;
    let document = match typed::value(node).map_err(refuse)? {
        Bson::Document(document) => document,
        _ => return Err(refuse(json::Fault::new(at, "it is one value, and a document is an object of fields"))),
    };
    // Shorter texts cannot make a document of that size: an array's elements take at most 7 bytes a character.
    if text.len() > MAX_DOCUMENT_BYTES / 8 {
        let size = document.to_vec().map_or(usize::MAX, |bytes| bytes.len());
        if size > MAX_DOCUMENT_BYTES {
            let words = format!("The document takes {size} bytes: {MAX_DOCUMENT_BYTES} (16 MiB) is the most.");
            return Err(Refusal::new(413, words));
        }
    }
    Ok(document)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::mongodb::arbitrary;
    use bson::doc;
    use proptest::prelude::*;
    use rstest::rstest;

    fn value(text: &str) -> Bson {
        parse(&format!("{{\"v\": {text}}}")).expect("valid").remove("v").expect("there")
    }

    #[rstest]
    #[case("20", Bson::Int32(20))]
    #[case("-0", Bson::Int32(0))]
    #[case("2147483648", Bson::Int64(2_147_483_648))]
    #[case("9223372036854775808", Bson::Double(9_223_372_036_854_775_808.0))]
    #[case("20.0", Bson::Double(20.0))]
    #[case("1e2", Bson::Double(100.0))]
    #[case(r#"{"$numberInt": "20"}"#, Bson::Int32(20))]
    #[case(r#"{"$numberLong": "20"}"#, Bson::Int64(20))]
    #[case(r#"{"$numberDouble": "20"}"#, Bson::Double(20.0))]
    #[case(r#"{"$numberDouble": "-Infinity"}"#, Bson::Double(f64::NEG_INFINITY))]
    #[case(r#"{"$numberDecimal": "20.50"}"#, Bson::Decimal128("20.50".parse().expect("a decimal")))]
    #[case(r#"{"$date": "1970-01-01T00:00:01.5Z"}"#, Bson::DateTime(bson::DateTime::from_millis(1_500)))]
    #[case(r#"{"$date": "1970-01-01T02:00:00+02:00"}"#, Bson::DateTime(bson::DateTime::from_millis(0)))]
    #[case(r#"{"$date": {"$numberLong": "-1"}}"#, Bson::DateTime(bson::DateTime::from_millis(-1)))]
    #[case(r#"{"$date": 1500}"#, Bson::DateTime(bson::DateTime::from_millis(1_500)))]
    #[case(r#"{"$undefined": true}"#, Bson::Undefined)]
    #[case(r#"{"$minKey": 1}"#, Bson::MinKey)]
    #[case(r#"{"$symbol": "x"}"#, Bson::Symbol("x".into()))]
    #[case(r#"{"$gt": 5}"#, Bson::Document(doc! { "$gt": 5 }))]
    #[case(r#"{"$regex": "a", "$options": "i"}"#, Bson::Document(doc! { "$regex": "a", "$options": "i" }))]
    #[case(r#""\u00e9\ud83d\ude00\n""#, Bson::String("é😀\n".into()))]
    fn read_with_its_type(#[case] text: &str, #[case] expected: Bson) {
        assert_eq!(value(text), expected);
    }

    #[rstest]
    #[case(Bson::Int32(20), "20")]
    #[case(Bson::Int64(20), r#"{"$numberLong": "20"}"#)]
    #[case(Bson::Double(20.0), "20.0")]
    #[case(Bson::Double(20.5), "20.5")]
    #[case(Bson::Double(1e300), "1e300")]
    #[case(Bson::Double(-0.0), "-0.0")]
    #[case(Bson::Double(f64::NAN), r#"{"$numberDouble": "NaN"}"#)]
    #[case(Bson::Double(f64::INFINITY), r#"{"$numberDouble": "Infinity"}"#)]
    #[case(Bson::DateTime(bson::DateTime::from_millis(1_796_248_064_123)), r#"{"$date": "2026-12-02T21:47:44.123Z"}"#)]
    #[case(Bson::DateTime(bson::DateTime::from_millis(0)), r#"{"$date": "1970-01-01T00:00:00Z"}"#)]
    #[case(Bson::DateTime(bson::DateTime::from_millis(-1)), r#"{"$date": {"$numberLong": "-1"}}"#)]
    #[case(
        Bson::DateTime(bson::DateTime::from_millis(253_402_300_800_000)),
        r#"{"$date": {"$numberLong": "253402300800000"}}"#
    )]
    #[case(Bson::Array(vec![]), "[]")]
    #[case(Bson::Document(doc! {}), "{}")]
    fn written_with_its_type(#[case] value: Bson, #[case] text: &str) {
        assert_eq!(render(&doc! { "v": value }), format!("{{\n    \"v\": {text}\n}}"));
    }

    #[test]
    fn one_field_a_line() {
        let document = doc! { "_id": 1, "a": [1, { "b": "x\"\u{1}" }], "c": {} };
        let text = "{\n    \"_id\": 1,\n    \"a\": [\n        1,\n        {\n            \"b\": \"x\\\"\\u0001\"\n        \
                    }\n    ],\n    \"c\": {}\n}";
        assert_eq!(render(&document), text);
        assert_eq!(parse(text), Ok(document));
    }

    #[rstest]
    #[case("{\"a\": 1, \"a\": 2}", "the name `a` stands twice", 1, 10)]
    #[case("{\"o\": {\"\\u0061\": 1,\n \"a\": 2}}", "the name `a` stands twice", 2, 2)]
    #[case("{\"$oid\": \"x\", \"$oid\": 2}", "twice", 1, 15)]
    #[case("{\"a\": 1,}", "a name in double quotes", 1, 9)]
    #[case("{a: 1}", "a name in double quotes", 1, 2)]
    #[case("{\"a\" 1}", "a colon", 1, 6)]
    #[case("{\"a\": 1 \"b\": 2}", "a comma or `}`", 1, 9)]
    #[case("{\"a\": [1 2]}", "a comma or `]`", 1, 10)]
    #[case("{\"a\": 01}", "a comma or `}`", 1, 8)]
    #[case("{\"a\": 1.}", "a digit", 1, 9)]
    #[case("{\"a\": NaN}", "$numberDouble", 1, 7)]
    #[case("{\"a\": ObjectId(\"0\")}", "a value", 1, 7)]
    #[case("{\"a\": 1e400}", "beyond a double", 1, 7)]
    #[case("{\"a\": \"x", "ends in a string", 1, 7)]
    #[case("{\"a\": \"x\ny\"}", "control character", 1, 9)]
    #[case("{\"a\": \"\\x\"}", "escape", 1, 8)]
    #[case("{\"a\": \"\\ud800\"}", "surrogate", 1, 8)]
    #[case("{\"a\\u0000\": 1}", "NUL", 1, 2)]
    #[case("{\"a\": 1} x", "text after the end", 1, 10)]
    #[case("{\"a\": ", "ends", 1, 7)]
    #[case("", "ends", 1, 1)]
    #[case("[1]", "an object of fields", 1, 1)]
    #[case("{\"$oid\": \"000000000000000000000000\"}", "an object of fields", 1, 1)]
    #[case("{\"a\": {\"$numberLong\": 5}}", "$numberLong", 1, 8)]
    #[case("{\"a\": {\"$numberLong\": \"5\", \"b\": 1}}", "$numberLong", 1, 8)]
    #[case("{\"a\": {\"$numberLong\": \"9223372036854775808\"}}", "$numberLong", 1, 8)]
    #[case("{\"a\": {\"$numberDecimal\": \"\"}}", "$numberDecimal", 1, 8)]
    #[case("{\"a\": {\"$date\": \"tomorrow\"}}", "$date", 1, 8)]
    #[case("{\"a\": {\"$oid\": \"12\"}}", "$oid", 1, 8)]
    #[case(
        "{\"a\": {\"$regularExpression\": {\"pattern\": \"\\u0000\", \"options\": \"\"}}}",
        "$regularExpression",
        1,
        8
    )]
    fn faults_have_a_place(#[case] text: &str, #[case] words: &str, #[case] line: usize, #[case] column: usize) {
        let refusal = parse(text).expect_err("a fault");
        let all = format!("{} {}", refusal.message, refusal.hint.clone().unwrap_or_default());
        assert!(all.contains(words), "{refusal:?}");
        assert_eq!((refusal.status, refusal.place), (400, Some(Place { line, column })), "{refusal:?}");
    }

    #[test]
    fn depth_is_bounded() {
        let deep = |n: usize, inner: &str| format!("{{\"a\": {}{inner}{}}}", "[".repeat(n), "]".repeat(n));
        let deepest = deep(127, "{\"$date\": {\"$numberLong\": \"-1\"}}");
        let document = parse(&deepest).expect("128 levels, the wrappers not counted");
        assert_eq!(parse(&render(&document)), Ok(document));
        for n in [128, 200_000] {
            assert!(parse(&deep(n, "1")).expect_err("too deep").message.contains("128"));
        }
        assert!(parse(&"{\"a\":".repeat(200_000)).expect_err("too deep").message.contains("128"));
    }

    #[test]
    fn a_document_of_more_than_16_mib_is_refused() {
        let text = |n: usize| format!("{{\"a\": \"{}\"}}", "x".repeat(n));
        const FRAME: usize = 13; // two lengths, the type byte, the name, three ends
        assert!(parse(&text(MAX_DOCUMENT_BYTES - FRAME)).is_ok());
        assert_eq!(parse(&text(MAX_DOCUMENT_BYTES - FRAME + 1)).expect_err("too large").status, 413);
        let many = format!("{{\"a\": [{}1]}}", "1,".repeat(1_500_000));
        assert_eq!(parse(&many).expect_err("small in text, large in BSON").status, 413);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 300, ..ProptestConfig::default() })]
        #[test]
        fn what_is_written_is_read_back(document in arbitrary::document()) {
            let text = render(&document);
            let again = parse(&text).map_err(|e| TestCaseError::fail(format!("{e:?} in {text}")))?;
            prop_assert_eq!(again.to_vec().expect("bytes"), document.to_vec().expect("bytes"), "{}", text);
        }

        #[test]
        fn doubles_keep_their_bits(bits: u64) {
            let number = f64::from_bits(bits);
            let again = parse(&render(&doc! { "v": number })).expect("valid").get_f64("v").expect("a double");
            prop_assert!(again.to_bits() == bits || (again.is_nan() && number.is_nan()));
        }

        #[test]
        fn no_text_panics(text in "[\\PC\"\\\\{}\\[\\]:,$0-9eE.\u{0}-]{0,40}") {
            let _ = parse(&text);
        }

        #[test]
        fn no_wrapper_panics(
            name in "\\$(oid|uuid|date|code|scope|symbol|binary|type|number(Int|Long|Double|Decimal)|timestamp|dbPointer|minKey)",
            inner in "[0-9a-fTZ:.\"{}+-]{0,12}",
        ) {
            let _ = parse(&format!("{{\"v\": {{\"{name}\": \"{inner}\"}}}}"));
            let _ = parse(&format!("{{\"v\": {{\"{name}\": {inner}}}}}"));
        }
    }
}
