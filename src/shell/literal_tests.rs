//! Literals as people type them, and their types.

use bson::{Bson, bson, doc};
use proptest::prelude::*;
use rstest::rstest;

use crate::domain::Instant;
use crate::domain::mongodb::{arbitrary, shell_pretty, shell_text};
use crate::shell::{ShellError, StatementKind, parse};

const NOW: Instant = Instant::from_secs(1_796_248_064); // 2026-12-02T21:47:44Z

fn read(text: &str) -> Result<Bson, ShellError> {
    let mut statements = parse(&format!("db.c.f({text})"), NOW)?;
    match statements.pop().map(|statement| statement.kind) {
        Some(StatementKind::Expression { mut calls, .. }) if statements.is_empty() => {
            Ok(calls.remove(0).arguments.remove(0).value)
        }
        other => panic!("not one call: {other:?}"),
    }
}

fn date(millis: i64) -> Bson {
    Bson::DateTime(bson::DateTime::from_millis(millis))
}

fn decimal(text: &str) -> Bson {
    Bson::Decimal128(text.parse().expect("a decimal"))
}

fn binary(subtype: u8, bytes: &[u8]) -> Bson {
    Bson::Binary(bson::Binary { subtype: subtype.into(), bytes: bytes.to_vec() })
}

fn regex(pattern: &str, options: &str) -> Bson {
    let (pattern, options) = (pattern.try_into().expect("no NUL"), options.try_into().expect("no NUL"));
    Bson::RegularExpression(bson::Regex { pattern, options })
}

#[rstest]
#[case("20", Bson::Int32(20))]
#[case("20.0", Bson::Double(20.0))]
#[case("20.5", Bson::Double(20.5))]
#[case("NumberInt(20)", Bson::Int32(20))]
#[case("NumberLong(20)", Bson::Int64(20))]
#[case("NumberLong(2147483649)", Bson::Int64(2_147_483_649))]
#[case("NumberLong(\"2147483649\")", Bson::Int64(2_147_483_649))]
#[case("NumberLong('9223372036854775807')", Bson::Int64(i64::MAX))]
#[case("NumberLong(9223372036854775807)", Bson::Int64(i64::MAX))] // no double on the way
#[case("NumberLong(-9223372036854775808)", Bson::Int64(i64::MIN))]
#[case("NumberLong( 20.0 )", Bson::Int64(20))]
#[case("NumberLong(0x10)", Bson::Int64(16))]
#[case("NumberLong()", Bson::Int64(0))]
#[case("new NumberLong(20)", Bson::Int64(20))]
#[case("Long(20)", Bson::Int64(20))]
#[case("Int32(\"20\")", Bson::Int32(20))]
#[case("Double(20)", Bson::Double(20.0))]
#[case("Double('-Infinity')", Bson::Double(f64::NEG_INFINITY))]
#[case("NumberDecimal(\"20.50\")", decimal("20.50"))]
#[case("NumberDecimal(0.1)", decimal("0.1"))]
#[case("Decimal128('1E+3')", decimal("1E+3"))]
#[case("-20", Bson::Int32(-20))]
#[case("- 20", Bson::Int32(-20))]
#[case("+20", Bson::Int32(20))]
#[case("2147483647", Bson::Int32(i32::MAX))]
#[case("-2147483648", Bson::Int32(i32::MIN))]
#[case("2147483648", Bson::Double(2_147_483_648.0))]
#[case("1e2", Bson::Double(100.0))]
#[case("5.", Bson::Double(5.0))]
#[case(".5", Bson::Double(0.5))]
#[case("-0.0", Bson::Double(-0.0))]
#[case("0x1F", Bson::Int32(31))]
#[case("-0xff", Bson::Int32(-255))]
#[case("0", Bson::Int32(0))]
#[case("Infinity", Bson::Double(f64::INFINITY))]
#[case("-Infinity", Bson::Double(f64::NEG_INFINITY))]
#[case("true", Bson::Boolean(true))]
#[case("false", Bson::Boolean(false))]
#[case("null", Bson::Null)]
#[case("undefined", Bson::Undefined)]
#[case("MinKey", Bson::MinKey)]
#[case("MaxKey()", Bson::MaxKey)]
#[case("new MinKey()", Bson::MinKey)]
#[case("ISODate(\"2026-12-02T21:47:44.123Z\")", date(1_796_248_064_123))]
#[case("ISODate('2026-12-02')", date(1_796_169_600_000))]
#[case("ISODate(\"2026-12-02T21:47:44\")", date(1_796_248_064_000))]
#[case("ISODate(\"2026-12-02 21:47\")", date(1_796_248_040_000 - 20_000))]
#[case("ISODate(\"2026-12-02T21:47Z\")", date(1_796_248_020_000))]
#[case("new Date(\"2026-12-02T23:47:44+02:00\")", date(1_796_248_064_000))]
#[case("ISODate(\"2026-12-02T23:47:44+0200\")", date(1_796_248_064_000))]
#[case("new Date(1796248064123)", date(1_796_248_064_123))]
#[case("new Date(-1)", date(-1))]
#[case("new Date()", date(1_796_248_064_000))]
#[case("new Date", date(1_796_248_064_000))]
#[case("ISODate()", date(1_796_248_064_000))]
#[case(
    "UUID(\"00112233-4455-6677-8899-aabbccddeeff\")",
    binary(4, b"\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff")
)]
#[case("BinData(0, \"aGk=\")", binary(0, b"hi"))]
#[case("/^a\\/b[/]/im", regex("^a\\/b[/]", "im"))]
#[case("/a/g", regex("a", ""))]
#[case("/a/mi", regex("a", "im"))]
#[case("RegExp('a', 'i')", regex("a", "i"))]
#[case("Timestamp(1, 2)", Bson::Timestamp(bson::Timestamp { time: 1, increment: 2 }))]
#[case("DBRef('c', 1)", Bson::Document(doc! { "$ref": "c", "$id": 1 }))]
#[case("'single'", bson!("single"))]
#[case(r#""a\"b\'c\\d\/\n\t\x41\u00e9\u{1F600}\ud83d\ude00\q\0""#, bson!("a\"b'c\\d/\n\tAé😀😀q\0"))]
#[case("'a\\\nb'", bson!("ab"))]
#[case("'a\\\r\nb'", bson!("ab"))]
#[case("{}", bson!({}))]
#[case("{a: 1, 'b': 2, \"c d\": 3, $e: 4, 5: 6, new: 7,}", bson!({ "a": 1, "b": 2, "c d": 3, "$e": 4, "5": 6, "new": 7 }))]
#[case("{ a : [1, [ ], {b:null} , ] }", bson!({ "a": [1, [], { "b": Bson::Null }] }))]
#[case("{a: 1, // one\n /* two */ b: 2}", bson!({ "a": 1, "b": 2 }))]
#[case("{é: 1, \u{a0}b: 2}", bson!({ "é": 1, "b": 2 }))]
fn read_with_its_type(#[case] text: &str, #[case] value: Bson) {
    assert_eq!(read(text).expect("a value"), value);
}

#[test]
fn an_object_id_is_of_the_present_instant() {
    let Ok(Bson::ObjectId(id)) = read("ObjectId()") else { panic!("no ObjectId") };
    assert_eq!(id.timestamp().timestamp_millis(), NOW.millis());
    assert_ne!(read("new ObjectId()").expect("a value"), Bson::ObjectId(id));
    assert_eq!(read(&format!("ObjectId('{}')", id.to_hex())).expect("a value"), Bson::ObjectId(id));
}

#[rstest]
#[case("{a: x}", 4, "the shell knows no variables: `x` has no value")]
#[case("{a}", 1, "the shell knows no variables: `a` has no value")]
#[case("{a b: 1}", 3, "expected a colon, found `b`")]
#[case("{a.b: 1}", 1, "a name with a dot stands in quotes")]
#[case("{a: 1 b: 2}", 6, "expected a comma or `}`, found `b`")]
#[case("{a: 1, a: 2}", 7, "the name `a` stands twice")]
#[case("{'a\\0': 1}", 1, "NUL")]
#[case("{,}", 1, "expected a name or `}`")]
#[case("{[x]: 1}", 1, "calculates no names")]
#[case("{...x}", 1, "spread")]
#[case("{f() {}}", 1, "runs no functions")]
#[case("[1 2]", 3, "expected a comma or `]`, found `2`")]
#[case("[,]", 1, "expected a value, found `,`")]
#[case("60 * 60", 3, "the shell calculates nothing")]
#[case("1 + 2", 2, "the shell calculates nothing")]
#[case("'abc", 0, "the string has no end: ' is missing")]
#[case("\"a\nb\"", 0, "the string has no end: \" is missing")]
#[case("“a”", 0, "typographic quotes")]
#[case("`a`", 0, "no templates")]
#[case("'\\ud800'", 1, "surrogate")]
#[case("'\\xg1'", 1, "hexadecimal")]
#[case("'\\u{110000}'", 1, "hexadecimal")]
#[case("'\\1'", 1, "octal")]
#[case("/abc", 0, "regular expression has no end")]
#[case("/a/q", 0, "no flag `q`")]
#[case("010", 0, "does not start with 0")]
#[case("1.2.3", 0, "is no number")]
#[case("1_000", 0, "is no number")]
#[case("12abc", 0, "is no number")]
#[case("1e", 2, "digits of an exponent")]
#[case("-", 1, "expected a digit")]
#[case("-x", 1, "behind the sign")]
#[case("1e400", 0, "beyond a double")]
#[case("0x", 0, "hexadecimal number")]
#[case("NumberInt(2147483648)", 10, "from -2147483648 to 2147483647")]
#[case("NumberInt(20.5)", 10, "whole number")]
#[case("NumberInt('x')", 10, "whole number")]
#[case("NumberLong(9223372036854775808)", 11, "within 64 bits")]
#[case("NumberLong(1, 2)", 11, "one number")]
#[case("NumberDecimal('')", 14, "34 digits")]
#[case("NumberDecimal({})", 14, "34 digits")]
#[case("ISODate('tomorrow')", 8, "a date such as")]
#[case("Date()", 0, "without `new`")]
#[case("new Date(2026, 1, 1)", 9, "nothing or one ISO date")]
#[case("ObjectId('12')", 9, "24 hexadecimal digits")]
#[case("UUID('x')", 5, "32 hexadecimal digits")]
#[case("BinData(0, '*')", 8, "base64")]
#[case("NumberLon(1)", 0, "did you mean `NumberLong`?")]
#[case("foo(1)", 0, "the shell has no function `foo`")]
#[case("function() { return 1 }", 0, "runs no functions")]
#[case("{a: function() {}}", 4, "runs no functions")]
#[case("x => x", 0, "runs no functions")]
#[case("() => 1", 0, "expected a value")]
#[case("/* open", 0, "comment has no end")]
fn faults_have_a_place_and_words(#[case] text: &str, #[case] column: usize, #[case] words: &str) {
    const BEFORE: usize = "db.c.f(".len();
    let error = read(text).expect_err("a fault");
    assert!(error.message.contains(words), "{error}");
    assert_eq!((error.place.line, error.place.column), (1, BEFORE + column + 1), "{error}");
}

#[rstest]
#[case("[", 200_000)]
#[case("{a:", 200_000)]
#[case("NumberInt(", 200_000)]
#[case("[{a:", 100_000)]
#[case("new Code('x',{a:", 100_000)]
fn deep_nesting_is_refused(#[case] open: &str, #[case] times: usize) {
    let error = read(&open.repeat(times)).expect_err("too deep");
    assert!(error.message.contains("128 deep"), "{error}");
}

#[test]
fn the_deepest_value_holds_every_type() {
    let text = format!("{}ISODate(){}", "[".repeat(128), "]".repeat(128));
    assert!(read(&text).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 300, ..ProptestConfig::default() })]
    #[test]
    fn what_is_printed_is_read_back(value in arbitrary::value()) {
        for text in [shell_text(&value), shell_pretty(&value)] {
            let again = read(&text).map_err(|e| TestCaseError::fail(format!("{e} in {text}")))?;
            let bytes = |value: &Bson| doc! { "v": value.clone() }.to_vec().expect("bytes");
            prop_assert_eq!(bytes(&again), bytes(&value), "{}", text);
        }
    }

    #[test]
    fn every_int64_is_kept(n: i64) {
        prop_assert_eq!(read(&format!("NumberLong({n})")).expect("a value"), Bson::Int64(n));
        prop_assert_eq!(read(&format!("NumberLong('{n}')")).expect("a value"), Bson::Int64(n));
    }
}
