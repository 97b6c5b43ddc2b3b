use std::time::{Duration, Instant as Clock};

use rstest::rstest;
use serde_json::json;

use super::now;
use crate::domain::{Place, Refusal};
use crate::query::sql::Query;

fn refused(text: &str) -> Refusal {
    Query::parse(text, now()).expect_err(text)
}

#[rstest]
#[case("", 1, "expected SELECT, and the text ends")]
#[case("SELEKT *", 1, "expected SELECT, found `SELEKT`")]
#[case("UPDATE c", 1, "expected SELECT")]
#[case("SELECT", 7, "expected a value, and the text ends")]
#[case("SELECT * FROM", 14, "expected the name of a source")]
#[case("SELECT * FROM c WHERE", 22, "expected a value")]
#[case("SELECT * FROM c WHERE c.a = ", 29, "expected a value")]
#[case("SELECT * FROM c WHERE c.a == 1", 28, "expected a value, found `=`")]
#[case("SELECT * FROM c WHERE (c.a = 1", 31, "expected `)`")]
#[case("SELECT * FROM c WHERE c.a = 'x", 29, "the string has no end")]
#[case("SELECT * FROM c WHERE c.a = 'x\\q'", 31, "there is no escape \\q")]
#[case("SELECT * FROM c WHERE c.a = 12ab", 29, "`12ab` is no number")]
#[case("SELECT * FROM c WHERE c.a = 1e999", 29, "the number is too large")]
#[case("SELECT * FROM c WHERE c.a = 1 c.b", 31, "expected an operator, GROUP BY, ORDER BY, OFFSET or the end")]
#[case("SELECT * FROM c WHERE c.a NOT 1", 31, "expected IN, BETWEEN or LIKE behind NOT")]
#[case("SELECT * FROM c WHERE NOT c.a = 1", 23, "it is not clear how far NOT reaches")]
#[case("SELECT * FROM c WHERE c.a IN ()", 31, "expected a value")]
#[case("SELECT * FROM c WHERE c.a LIKE 'x' ESCAPE 'ab'", 43, "ESCAPE takes one character")]
#[case("SELECT * FROM c WHERE c.a = @p", 29, "parameters are not supported here")]
#[case("SELECT * FROM c WHERE EXISTS(SELECT 1)", 23, "EXISTS is not supported here")]
#[case("SELECT ARRAY(SELECT 1) FROM c", 8, "ARRAY(…) is not supported here")]
#[case("SELECT (SELECT 1) FROM c", 9, "subqueries are not supported here")]
#[case("SELECT * FROM (SELECT 1) s", 15, "subqueries are not supported here")]
#[case("SELECT * FROM c WHERE c.a IN (SELECT 1)", 31, "subqueries are not supported here")]
#[case("SELECT udf.f(c) FROM c", 8, "user-defined functions are not supported here")]
#[case("SELECT * FROM c WHERE ST_DISTANCE(c.a, c.b) < 5", 23, "the function ST_DISTANCE is not supported here")]
#[case("SELECT * FROM c WHERE c.a & 1 = 1", 27, "the operator & is not supported here")]
#[case("SELECT COUNT(*) FROM c", 14, "COUNT(*) is not supported here")]
#[case("SELECT * FROM c GROUP BY c.a HAVING 1", 30, "HAVING is not supported here")]
#[case("SELECT * FROM c WHERE LENGTH(c.a, 1) = 1", 23, "LENGTH takes 1 argument, not 2")]
#[case("SELECT * FROM c WHERE CONCAT('a') = 1", 23, "CONCAT takes 2 or more arguments, not 1")]
#[case("SELECT * FROM c WHERE CONTAINS(c.a)", 23, "CONTAINS takes 2 or 3 arguments, not 1")]
#[case("SELECT IIF(1) FROM c", 8, "IIF takes 3 arguments, not 1")]
#[case("SELECT * FROM c WHERE d.a = 1", 23, "nothing is called d here")]
#[case("SELECT * FROM c AS f WHERE c.a = 1", 28, "nothing is called c here")]
#[case("SELECT * FROM c WHERE C.a = 1", 23, "nothing is called C here")]
#[case("SELECT c.a", 8, "nothing is called c here")]
#[case("SELECT *", 8, "SELECT * is for one source")]
#[case("SELECT * FROM c JOIN t IN c.tags", 8, "SELECT * is for one source")]
#[case("SELECT * FROM c GROUP BY c.a", 8, "SELECT * is for one source")]
#[case("SELECT VALUE t FROM c JOIN t IN d.tags", 33, "nothing is called d here")]
#[case("SELECT VALUE c FROM c JOIN c IN c.tags", 23, "the name c stands for two sources")]
#[case("SELECT c.a, c.b AS a FROM c", 13, "the name a stands for two fields")]
#[case("SELECT c.order FROM c", 10, "expected the name of a member, found `order`")]
#[case("SELECT c.a, COUNT(1) FROM c", 8, "c stands here outside of an aggregate")]
#[case("SELECT c.b FROM c GROUP BY c.a", 8, "c stands here outside of an aggregate")]
#[case("SELECT * FROM c WHERE COUNT(1) > 1", 23, "COUNT stands in SELECT alone")]
#[case("SELECT SUM(MAX(c.a)) FROM c", 12, "MAX stands in SELECT alone")]
#[case("SELECT c.a FROM c GROUP BY c.a ORDER BY c.a", 41, "ORDER BY does not go together with GROUP BY")]
#[case("SELECT * FROM c ORDER BY c.a + 1", 26, "ORDER BY takes paths")]
#[case("SELECT TOP -1 * FROM c", 12, "expected a whole number behind TOP")]
#[case("SELECT TOP 1.5 * FROM c", 12, "expected a whole number behind TOP")]
#[case("SELECT TOP 1 DISTINCT c.a FROM c", 14, "DISTINCT stands in front of TOP")]
#[case("SELECT TOP 1 * FROM c OFFSET 1 LIMIT 1", 30, "TOP and OFFSET do not go together")]
#[case("SELECT * FROM c OFFSET 1", 25, "expected LIMIT")]
#[case("SELECT * FROM c LIMIT 1", 17, "expected WHERE")]
#[case("SELECT * FROM c;", 16, "`;` is no part of the language")]
#[case("SELECT # FROM c", 8, "`#` is no part of the language")]
#[case("SELECT “a” FROM c", 8, "typographic quotes")]
fn refused_by_name_and_place(#[case] text: &str, #[case] column: usize, #[case] words: &str) {
    let refusal = refused(text);
    assert_eq!(refusal.status, 400);
    assert!(refusal.message.contains(words), "{text}: {}", refusal.message);
    assert_eq!(refusal.place, Some(Place { line: 1, column }), "{text}: {}", refusal.message);
}

#[test]
fn too_many_joins_and_keys_are_refused() {
    let joins: String = (0..11).map(|at| format!(" JOIN t{at} IN c.tags")).collect();
    assert_eq!(refused(&format!("SELECT VALUE c FROM c{joins}")).message, "a query joins 10 times at most");
    let keys = "c.a, ".repeat(64) + "c.a";
    assert_eq!(refused(&format!("SELECT c.a FROM c GROUP BY {keys}")).message, "a query groups by 64 keys at most");
}

#[test]
fn a_word_of_the_language_as_a_member_has_a_way_out() {
    assert_eq!(refused("SELECT c.value FROM c").hint.as_deref(), Some("a member of this name is written [\"value\"]"));
}

#[test]
fn places_of_a_filter_are_those_of_its_text() {
    let refusal = Query::filter("WHERE c.ä = 1\n  AND d.x = 2", now()).expect_err("no d");
    assert_eq!(refusal.place, Some(Place { line: 2, column: 7 }));
    let refusal = Query::filter("c.a = 1", now()).expect_err("no WHERE");
    assert_eq!(refusal.message, "expected WHERE, GROUP BY, ORDER BY, OFFSET or the end, found `c`");
}

#[test]
fn what_is_nested_too_deep_is_refused() {
    let texts = [
        format!("SELECT {}1{}", "(".repeat(5000), ")".repeat(5000)),
        format!("SELECT {}1", "- ".repeat(5000)),
        format!("SELECT {}true", "NOT ".repeat(5000)),
        format!("SELECT {}", "[".repeat(100_000)),
        format!("SELECT {}", "{a:".repeat(100_000)),
        format!("SELECT {}1", "1 + ".repeat(5000)),
        format!("SELECT {}1", "true ? 1 : ".repeat(5000)),
        format!("SELECT c{} FROM c", ".a".repeat(5000)),
        format!("SELECT 1 FROM c{}", ".a".repeat(5000)),
        format!("SELECT {}", "ABS(".repeat(5000)),
    ];
    for text in texts {
        let refusal = refused(&text);
        assert!(refusal.message.contains("nested deeper than 64"), "{}", refusal.message);
    }
}

#[test]
fn what_is_nested_less_deep_is_evaluated() {
    let nested = |times: usize, open: &str, close: &str| format!("{}c.a{}", open.repeat(times), close.repeat(times));
    let around = |open: &str, close: &str| nested(60, open, close);
    let values = [
        around("(", ")"),
        around("ABS(", ")"),
        around("- ", ""),
        around("(1 * ", ")"),
        around("(", " + 0)"),
        nested(30, "[", "][0]"),
        nested(30, "{x: ", "}.x"),
        around("IIF(true, ", ", 0)"),
        nested(30, "(c.b OR c.b ? 0 : ", ")"),
        format!("1{}", " + 0".repeat(60)),
    ];
    for value in values {
        let text = format!("SELECT VALUE {value} FROM c");
        assert_eq!(super::rows(&text, &[json!({ "a": 1 })]), [1], "{text}");
    }
    assert_eq!(super::rows(&format!("SELECT VALUE {} FROM c", around("NOT ", "")), &[json!({ "a": true })]), [true]);
}

#[test]
fn a_long_text_is_read_in_no_time() {
    let long = format!("SELECT * FROM c WHERE {}true", "c.a = 'some text' OR ".repeat(50_000));
    let brackets = format!("SELECT VALUE 'x' LIKE '{}'", "[".repeat(1_000_000));
    let list = format!("SELECT * FROM c WHERE c.a IN ({}1)", "1, ".repeat(300_000));
    let start = Clock::now();
    for text in [long, brackets, list] {
        super::parsed(&text);
    }
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}
