use rstest::rstest;
use serde_json::{Value as Json, json};

use super::{now, parsed, rows};
use crate::query::sql::Query;

fn families() -> Vec<Json> {
    vec![
        json!({ "id": "a", "city": "Ulm", "price": 3, "tags": ["x", "y"], "kids": [{ "n": "K", "pets": ["cat", "dog"] }] }),
        json!({ "id": "b", "city": "Bonn", "price": 1, "tags": ["y"], "kids": [{ "n": "L" }, { "n": "M", "pets": ["cat"] }] }),
        json!({ "id": "c", "city": "Ulm", "price": "9", "tags": "x" }),
        json!({ "id": "d", "city": null, "price": 2.5, "tags": [] }),
        json!({ "id": "e", "price": null }),
    ]
}

#[rstest]
#[case("SELECT VALUE c.id FROM c", json!(["a", "b", "c", "d", "e"]))]
#[case("select value c.id from c where c.price > 1", json!(["a", "d"]))]
#[case("SELECT c.id, c.city FROM c WHERE c.price = null", json!([{ "id": "e" }]))]
#[case("SELECT c.id AS name, c.price * 2 twice, 1 FROM c WHERE c.id = 'a'", json!([{ "name": "a", "twice": 6, "$1": 1 }]))]
#[case("SELECT c.tags[0], 1 + 1, c['city'] FROM c WHERE c.id = 'a'", json!([{ "$1": "x", "$2": 2, "city": "Ulm" }]))]
#[case("SELECT c.missing FROM c WHERE c.id = 'a'", json!([{}]))]
#[case("SELECT VALUE c.city FROM c", json!(["Ulm", "Bonn", "Ulm", null]))]
#[case("SELECT VALUE {'i': c.id, 't': [c.price, c.missing]} FROM c WHERE c.id IN ('a', 'd')", json!([{ "i": "a", "t": [3] }, { "i": "d", "t": [2.5] }]))]
#[case("SELECT TOP 2 VALUE c.id FROM c", json!(["a", "b"]))]
#[case("SELECT TOP 0 VALUE c.id FROM c", json!([]))]
#[case("SELECT DISTINCT VALUE c.city FROM c", json!(["Ulm", "Bonn", null]))]
#[case("SELECT DISTINCT c.city FROM c", json!([{ "city": "Ulm" }, { "city": "Bonn" }, { "city": null }, {}]))]
#[case("SELECT DISTINCT TOP 1 VALUE c.city FROM c WHERE c.id > 'a'", json!(["Bonn"]))]
#[case("SELECT VALUE c.id FROM c OFFSET 1 LIMIT 2", json!(["b", "c"]))]
#[case("SELECT VALUE c.id FROM c OFFSET 9 LIMIT 2", json!([]))]
#[case("SELECT VALUE f.id FROM families f WHERE f.id = 'b'", json!(["b"]))]
#[case("SELECT VALUE families.id FROM families WHERE families.id = 'b'", json!(["b"]))]
#[case("SELECT VALUE f.id FROM root AS f WHERE f.id = 'b'", json!(["b"]))]
#[case("SELECT * FROM c.kids", json!([[{ "n": "K", "pets": ["cat", "dog"] }], [{ "n": "L" }, { "n": "M", "pets": ["cat"] }]]))]
#[case("SELECT VALUE kids[0].n FROM c.kids", json!(["K", "L"]))]
#[case("SELECT VALUE k.n FROM c.kids[0] AS k", json!(["K", "L"]))]
#[case("SELECT * FROM t IN c.tags", json!(["x", "y", "y"]))]
#[case("SELECT VALUE k.n FROM k IN c.kids WHERE IS_DEFINED(k.pets)", json!(["K", "M"]))]
#[case("SELECT c.id, t FROM c JOIN t IN c.tags", json!([{ "id": "a", "t": "x" }, { "id": "a", "t": "y" }, { "id": "b", "t": "y" }]))]
#[case("SELECT c.id, k.n, p FROM c JOIN k IN c.kids JOIN p IN k.pets WHERE p = 'cat'", json!([{ "id": "a", "n": "K", "p": "cat" }, { "id": "b", "n": "M", "p": "cat" }]))]
#[case("SELECT VALUE [t, s] FROM c JOIN t IN c.tags JOIN s IN c.tags WHERE c.id = 'a'", json!([["x", "x"], ["x", "y"], ["y", "x"], ["y", "y"]]))]
#[case("SELECT TOP 2 VALUE t FROM c JOIN t IN c.tags", json!(["x", "y"]))]
#[case("SELECT VALUE first.n FROM c JOIN first IN c.kids WHERE c.id = 'b'", json!(["L", "M"]))]
#[case("SELECT 1 + 1 AS two", json!([{ "two": 2 }]))]
#[case("SELECT VALUE 1 WHERE false", json!([]))]
fn clauses(#[case] query: &str, #[case] expected: Json) {
    assert_eq!(Json::Array(rows(query, &families())), expected, "{query}");
}

#[rstest]
#[case("ORDER BY c.price", json!(["e", "b", "d", "a", "c"]))]
#[case("ORDER BY c.price ASC", json!(["e", "b", "d", "a", "c"]))]
#[case("ORDER BY c.price DESC", json!(["c", "a", "d", "b", "e"]))]
#[case("ORDER BY c.city, c.id DESC", json!(["e", "d", "b", "c", "a"]))] // undefined first
#[case("ORDER BY c.city DESC, c.price", json!(["a", "c", "b", "d", "e"]))]
#[case("WHERE c.price > 1 ORDER BY c.price", json!(["d", "a"]))]
#[case("ORDER BY c.id DESC OFFSET 1 LIMIT 2", json!(["d", "c"]))]
#[case("ORDER BY c.tags", json!(["e", "c", "d", "a", "b"]))]
fn orders(#[case] tail: &str, #[case] expected: Json) {
    assert_eq!(Json::Array(rows(&format!("SELECT VALUE c.id FROM c {tail}"), &families())), expected, "{tail}");
}

#[test]
fn all_types_have_an_order() {
    let values =
        [json!(null), json!(false), json!(true), json!(-1), json!(2.5), json!("a"), json!("b"), json!([1]), json!({})];
    let documents: Vec<Json> = values.iter().rev().map(|value| json!({ "v": value })).chain([json!({})]).collect();
    let found = rows("SELECT c.v FROM c ORDER BY c.v", &documents);
    assert_eq!(found.first(), Some(&json!({})));
    assert_eq!(found[1..].iter().filter_map(|row| row.get("v")).collect::<Vec<_>>(), values.iter().collect::<Vec<_>>());
}

#[test]
fn first_rows_in_order_of_many() {
    let documents: Vec<Json> = (0..20_000).map(|at| json!({ "id": at, "v": (at * 7919) % 1000 })).collect();
    let found = rows("SELECT TOP 3 VALUE [c.v, c.id] FROM c ORDER BY c.v DESC", &documents);
    let mut all: Vec<(i64, i64)> = (0..20_000).map(|at| ((at * 7919) % 1000, at)).collect();
    all.sort_by_key(|(v, at)| (-v, *at));
    assert_eq!(found, all[..3].iter().map(|(v, at)| json!([v, at])).collect::<Vec<_>>());
}

#[rstest]
#[case("SELECT VALUE COUNT(1) FROM c", json!([5]))]
#[case("SELECT VALUE COUNT(c.city) FROM c", json!([4]))]
#[case("SELECT VALUE COUNT(1) FROM c WHERE false", json!([0]))]
#[case("SELECT VALUE SUM(c.price) FROM c WHERE IS_NUMBER(c.price)", json!([6.5]))]
#[case("SELECT VALUE SUM(c.price) FROM c", json!([]))] // a string among them
#[case("SELECT SUM(c.price) AS s, COUNT(1) AS n FROM c", json!([{ "n": 5 }]))]
#[case("SELECT VALUE SUM(c.missing) FROM c", json!([0]))]
#[case("SELECT VALUE AVG(c.price) FROM c WHERE c.price < 3", json!([1.75]))]
#[case("SELECT VALUE AVG(c.missing) FROM c", json!([]))]
#[case("SELECT VALUE MIN(c.price) FROM c", json!([null]))]
#[case("SELECT VALUE MAX(c.price) FROM c", json!(["9"]))]
#[case("SELECT VALUE MAX(c.tags) FROM c", json!([]))] // arrays among them
#[case("SELECT MIN(c.id), MAX(c.id) FROM c", json!([{ "$1": "a", "$2": "e" }]))]
#[case("SELECT VALUE {'n': COUNT(1), 'twice': 2 * COUNT(1)} FROM c", json!([{ "n": 5, "twice": 10 }]))]
#[case("SELECT c.city, COUNT(1) AS n FROM c GROUP BY c.city", json!([{ "city": "Ulm", "n": 2 }, { "city": "Bonn", "n": 1 }, { "city": null, "n": 1 }, { "n": 1 }]))]
#[case("SELECT c['city'] FROM c GROUP BY c.city", json!([{ "city": "Ulm" }, { "city": "Bonn" }, { "city": null }, {}]))]
#[case("SELECT VALUE COUNT(1) FROM c GROUP BY c.city OFFSET 0 LIMIT 1", json!([2]))]
#[case("SELECT VALUE [LOWER(c.city), COUNT(1)] FROM c WHERE IS_STRING(c.city) GROUP BY LOWER(c.city)", json!([["ulm", 2], ["bonn", 1]]))]
#[case("SELECT t, COUNT(1) AS n FROM c JOIN t IN c.tags GROUP BY t", json!([{ "t": "x", "n": 1 }, { "t": "y", "n": 2 }]))]
#[case("SELECT c.city, COUNT(1) AS n FROM c WHERE false GROUP BY c.city", json!([]))]
#[case("SELECT VALUE COUNT(1)", json!([1]))]
fn aggregates(#[case] query: &str, #[case] expected: Json) {
    assert_eq!(Json::Array(rows(query, &families())), expected, "{query}");
}

#[test]
fn equal_numbers_are_one_group() {
    let documents =
        [json!({ "v": 1 }), json!({ "v": 1.0 }), json!({ "v": 0 }), json!({ "v": -0.0 }), json!({ "v": "1" })];
    assert_eq!(rows("SELECT VALUE COUNT(1) FROM c GROUP BY c.v", &documents), [json!(2), json!(2), json!(1)]);
    assert_eq!(rows("SELECT DISTINCT VALUE c.v FROM c", &documents).len(), 3);
}

#[rstest]
#[case("", json!(["a", "b", "c", "d", "e"]))]
#[case(" -- nothing", json!(["a", "b", "c", "d", "e"]))]
#[case("WHERE c.city = 'Ulm'", json!(["a", "c"]))]
#[case("where c.price > 1 order by c.price", json!(["d", "a"]))]
#[case("ORDER BY c.id DESC OFFSET 0 LIMIT 1", json!(["e"]))]
fn filters(#[case] filter: &str, #[case] expected: Json) {
    let query = Query::filter(filter, now()).expect("a filter");
    let mut run = query.run();
    families().into_iter().for_each(|document| {
        run.push(document);
    });
    let ids: Vec<Json> = run.finish().iter().filter_map(|row| row.get("id").cloned()).collect();
    assert_eq!(Json::Array(ids), expected);
}

#[rstest]
#[case("SELECT * FROM c", true, false)]
#[case("SELECT * FROM c WHERE c.a = 1", true, false)]
#[case("SELECT * FROM families f WHERE f.a = 1", true, false)]
#[case("SELECT TOP 5 * FROM c", false, false)]
#[case("SELECT * FROM c OFFSET 0 LIMIT 5", false, false)]
#[case("SELECT DISTINCT * FROM c", false, false)]
#[case("SELECT * FROM c ORDER BY c.a", false, true)]
#[case("SELECT * FROM t IN c.tags", false, false)]
#[case("SELECT * FROM c.tags", false, false)]
#[case("SELECT c.a FROM c", false, false)]
#[case("SELECT VALUE COUNT(1) FROM c", false, true)]
#[case("SELECT c.a FROM c GROUP BY c.a", false, true)]
#[case("SELECT 1", false, false)]
fn what_a_query_needs(#[case] query: &str, #[case] plain: bool, #[case] all: bool) {
    let query = parsed(query);
    assert_eq!((query.is_plain_filter(), query.needs_all()), (plain, all));
}

#[rstest]
#[case("SELECT * FROM c WHERE c.id = 'a'", json!([["id", "a"]]))]
#[case("SELECT * FROM c WHERE 'a' = c.id AND c.o.p = 1 + 1 AND c.x > 2", json!([["id", "a"], ["o.p", 2]]))]
#[case("SELECT * FROM c WHERE c.id = 'a' AND (c['pk'] = null AND c.t = true)", json!([["id", "a"], ["pk", null], ["t", true]]))]
#[case("SELECT VALUE t FROM c JOIN t IN c.tags WHERE c.id = 'a' AND t = 'x'", json!([["id", "a"]]))]
#[case("SELECT * FROM c WHERE c.id = 'a' OR c.id = 'b'", json!([]))]
#[case("SELECT * FROM c WHERE NOT (c.id = 'a')", json!([]))]
#[case("SELECT * FROM c WHERE c.id = c.pk", json!([]))]
#[case("SELECT * FROM c WHERE c.id = undefined", json!([]))]
#[case("SELECT * FROM c WHERE c.tags[0] = 'x'", json!([]))]
#[case("SELECT * FROM c WHERE c['a.b'] = 'x'", json!([]))]
#[case("SELECT * FROM c WHERE c.n = 9007199254740993", json!([]))]
#[case("SELECT * FROM o IN c.list WHERE o.id = 'a'", json!([]))]
#[case("SELECT * FROM c.o WHERE o.id = 'a'", json!([]))]
#[case("SELECT * FROM c", json!([]))]
fn equalities(#[case] query: &str, #[case] expected: Json) {
    let found: Vec<Json> = parsed(query).conditions.equal.iter().map(|(path, value)| json!([path, value])).collect();
    assert_eq!(Json::Array(found), expected);
}

#[rstest]
#[case("c._ts > 10", Some((10, i64::MAX)))]
#[case("10.5 < c._ts AND c._ts <= 20.5", Some((11, 20)))]
#[case("c._ts BETWEEN 10 AND 20 AND c._ts < 15 AND c.x = 1", Some((10, 15)))]
#[case("c._ts = 12", Some((12, 12)))]
#[case("c._ts >= FLOOR(GetCurrentTimestamp() / 1000) - 60", Some((now().secs() - 60, i64::MAX)))]
#[case("c._ts < 1e300", Some((i64::MIN, i64::MAX)))]
#[case("c._ts > 10 OR c._ts < 5", None)]
#[case("NOT (c._ts > 10)", None)]
#[case("c._ts > '10'", None)]
#[case("c.o._ts > 10", None)]
#[case("c._ts != 10", None)]
fn ranges(#[case] condition: &str, #[case] expected: Option<(i64, i64)>) {
    let query = parsed(&format!("SELECT * FROM c WHERE {condition}"));
    assert_eq!(query.whole_range("_ts"), expected);
}

#[test]
fn a_run_says_when_it_needs_no_more() {
    let document = || json!({ "id": "a", "tags": [1, 2, 3] });
    let query = parsed("SELECT TOP 2 * FROM c");
    let mut run = query.run();
    assert!(run.push(document()));
    assert_eq!(run.take().len(), 1);
    assert!(!run.push(document()));
    assert!(!run.push(document()));
    assert_eq!(run.finish().len(), 1);
    assert!(!parsed("SELECT TOP 0 * FROM c").run().push(document()));
    assert!(!parsed("SELECT 1").run().push(document()));
    assert!(!parsed("SELECT TOP 2 VALUE t FROM c JOIN t IN c.tags").run().push(document()));
    assert!(parsed("SELECT TOP 1 * FROM c ORDER BY c.id").run().push(document()));
}

#[test]
fn a_document_matches_where_one_of_its_rows_does() {
    let query = parsed("SELECT VALUE t FROM c JOIN t IN c.tags WHERE t = 'y'");
    assert_eq!(
        families().iter().map(|document| query.matches(document)).collect::<Vec<_>>(),
        [true, true, false, false, false]
    );
    let query = Query::filter("WHERE c.price > 1 ORDER BY c.id", now()).expect("a filter");
    assert_eq!(
        families().iter().map(|document| query.matches(document)).collect::<Vec<_>>(),
        [true, false, false, true, false]
    );
}
