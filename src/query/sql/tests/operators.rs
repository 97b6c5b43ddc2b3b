use rstest::rstest;
use serde_json::{Value as Json, json};

use super::value;

#[rstest]
#[case("c.n", json!(20))]
#[case("c['n']", json!(20))]
#[case("c[\"o\"].p", json!(1))]
#[case("c.o.q.r", json!("deep"))]
#[case("c.a[0]", json!(1))]
#[case("c.l[1].x", json!(5))]
#[case("c.o[c.key]", json!(1))]
#[case("c.a[c.o.p]", json!(2))]
#[case("[7, 8][1]", json!(8))]
#[case("{x: 5}.x", json!(5))]
#[case("c[\"order\"]", json!(7))]
#[case("c.big", json!(9_007_199_254_740_992_i64))] // a double, as in the service
#[case("c.x", json!(2.5))]
#[case("c", json!("unused"))]
#[case("1", json!(1))]
#[case(".5", json!(0.5))]
#[case("1e3", json!(1000))]
#[case("1.5E-2", json!(0.015))]
#[case("0xFF", json!(255))]
#[case("-c.n", json!(-20))]
#[case("- -5", json!(5))]
#[case("+5", json!(5))]
#[case("TRUE", json!(true))]
#[case("Null", json!(null))]
#[case(r#"'it\'s'"#, json!("it's"))]
#[case(r#""\u00e9\n\t\\\/\uD83D\uDE00""#, json!("é\n\t\\/😀"))]
#[case("[1, c.missing, 'x']", json!([1, "x"]))]
#[case("{'a': c.n, \"b\": c.missing, c: [c.z]}", json!({ "a": 20, "c": [null] }))]
#[case("[]", json!([]))]
#[case("{}", json!({}))]
#[case("c.n -- a comment\n + 1", json!(21))]
fn paths_and_constants(#[case] expression: &str, #[case] expected: Json) {
    if expression == "c" {
        assert_eq!(value("c").and_then(|c| c.get("id").cloned()), Some(json!("1")));
    } else {
        assert_eq!(value(expression), Some(expected), "{expression}");
    }
}

#[rstest]
#[case("1 + 2 * 3", json!(7))]
#[case("(1 + 2) * 3", json!(9))]
#[case("10 - 4 - 3", json!(3))]
#[case("7 / 2", json!(3.5))]
#[case("-7 % 3", json!(-1))]
#[case("c.n % 7", json!(6))]
#[case("'a' || 'b' || \"c\"", json!("abc"))]
#[case("c.missing ?? 'none'", json!("none"))]
#[case("c.z ?? 1", json!(null))] // null is defined
#[case("c.n ?? 1", json!(20))]
#[case("c.missing ?? c.other ?? 3", json!(3))]
#[case("c.t ? 'yes' : 'no'", json!("yes"))]
#[case("c.n = 1 ? 'one' : c.n = 20 ? 'twenty' : 'other'", json!("twenty"))]
#[case("c.missing ? 'yes' : 'no'", json!("no"))]
#[case("c.n ? 'yes' : 'no'", json!("no"))] // 20 is not true
#[case("c.n + 1 = 21", json!(true))]
#[case("c.n >= 20 AND c.n < 21", json!(true))]
#[case("1 < 2 = true", json!(true))]
#[case("c.n = 20 OR c.n = 1 AND false", json!(true))]
#[case("c.n != 20", json!(false))]
#[case("c.n <> 21", json!(true))]
#[case("c.n = 20.0", json!(true))]
#[case("'a' < 'b'", json!(true))]
#[case("'Z' < 'a'", json!(true))]
#[case("false < true", json!(true))]
#[case("c.z = null", json!(true))]
#[case("c.z != null", json!(false))]
#[case("c.z >= null", json!(true))]
#[case("c.a = [1, 2, 3.0]", json!(true))]
#[case("c.a = [1, 2]", json!(false))]
#[case("c.o = {'q': {'r': 'deep'}, 'p': 1}", json!(true))]
#[case("c.o = {}", json!(false))]
#[case("c.n IN (1, 20)", json!(true))]
#[case("c.n IN ('20', 20)", json!(true))]
#[case("c.n IN (1, 2)", json!(false))]
#[case("c.n NOT IN (1, 2)", json!(true))]
#[case("c.n BETWEEN 20 AND 30", json!(true))]
#[case("c.n BETWEEN 10 AND 19.9 + 0.1 AND c.t", json!(true))]
#[case("c.n NOT BETWEEN 21 AND 30", json!(true))]
#[case("c.s BETWEEN 'A' AND 'B'", json!(true))]
#[case("NOT c.f", json!(true))]
#[case("NOT (c.n = 20)", json!(false))]
#[case("NOT NOT c.t", json!(true))]
#[case("NOT IS_DEFINED(c.missing) AND c.t", json!(true))]
fn operators(#[case] expression: &str, #[case] expected: Json) {
    assert_eq!(value(expression), Some(expected), "{expression}");
}

#[rstest]
#[case("c.missing")]
#[case("c.n.x")]
#[case("c.s[0]")]
#[case("c.a[3]")]
#[case("c.a['0']")]
#[case("c.a[-1]")]
#[case("c.a[0.5]")]
#[case("undefined")]
#[case("c.missing + 1")]
#[case("c.s + 1")]
#[case("c.s + 'x'")]
#[case("1 || 'x'")]
#[case("1 / 0")]
#[case("1 % 0")]
#[case("-c.s")]
#[case("c.n = '20'")]
#[case("c.n != '20'")]
#[case("c.n < '20'")]
#[case("c.missing = undefined")]
#[case("c.missing != 1")]
#[case("c.missing = null")]
#[case("c.z < 1")]
#[case("c.a != [1]")]
#[case("c.a < [9]")]
#[case("c.o != {}")]
#[case("c.a = c.o")]
#[case("NOT c.missing")]
#[case("NOT c.n")]
#[case("NOT (c.n = '20')")]
#[case("c.missing IN (1, 2)")]
#[case("c.n IN (1, 'x')")] // 20 = 'x' is undefined, and so is the OR of the two
#[case("c.n NOT IN (1, 'x')")]
#[case("c.s BETWEEN 1 AND 2")]
#[case("c.n LIKE '2%'")]
#[case("c.s LIKE c.n")]
#[case("c.missing ?? c.other")]
fn undefined(#[case] expression: &str) {
    assert_eq!(value(expression), None, "{expression}");
}

/// AND and OR of true, false and undefined.
#[rstest]
#[case("true", "true", Some(true), Some(true))]
#[case("true", "false", Some(false), Some(true))]
#[case("true", "undefined", None, Some(true))]
#[case("false", "false", Some(false), Some(false))]
#[case("false", "undefined", Some(false), None)]
#[case("undefined", "undefined", None, None)]
#[case("true", "1", None, Some(true))] // what is no boolean counts as undefined
#[case("false", "null", Some(false), None)]
fn three_values(#[case] a: &str, #[case] b: &str, #[case] and: Option<bool>, #[case] or: Option<bool>) {
    for (a, b) in [(a, b), (b, a)] {
        assert_eq!(value(&format!("{a} AND {b}")), and.map(Json::Bool), "{a} AND {b}");
        assert_eq!(value(&format!("{a} OR {b}")), or.map(Json::Bool), "{a} OR {b}");
    }
}

#[rstest]
#[case("'%'", true)]
#[case("'Adventure%'", true)]
#[case("'%Works'", true)]
#[case("'%ture%'", true)]
#[case("'adventure%'", false)]
#[case("'Adventure_Works'", true)]
#[case("'Adventure__Works'", false)]
#[case("'_______________'", true)]
#[case("'[A-C]dventure%'", true)]
#[case("'[^A-C]dventure%'", false)]
#[case("'A[xd]v%'", true)]
#[case("'%e%e%s'", true)]
#[case("'%e%e%e%s'", false)]
#[case("''", false)]
#[case("'Adventure' || '%'", true)]
#[case("c.s", true)]
fn like(#[case] pattern: &str, #[case] expected: bool) {
    assert_eq!(value(&format!("c.s LIKE {pattern}")), Some(json!(expected)), "{pattern}");
    assert_eq!(value(&format!("c.s NOT LIKE {pattern}")), Some(json!(!expected)), "{pattern}");
}

#[rstest]
#[case("'50%' LIKE '50!%' ESCAPE '!'", true)]
#[case("'500' LIKE '50!%' ESCAPE '!'", false)]
#[case("'a_b' LIKE 'a!_b' ESCAPE '!'", true)]
#[case("'a!b' LIKE 'a!!b' ESCAPE '!'", true)]
#[case("'[x' LIKE '[x'", true)] // no set without an end
#[case("'a%' LIKE 'a[%]'", true)]
#[case("'ab' LIKE 'a[%]'", false)]
#[case("'x-' LIKE 'x[a-]'", true)]
#[case("'äöü' LIKE '_ö_'", true)]
fn like_escapes(#[case] expression: &str, #[case] expected: bool) {
    assert_eq!(value(expression), Some(json!(expected)), "{expression}");
}
