//! Which members a query needs, and reading only them.

use serde_json::json;

use super::{Members, parsed};

fn named(names: &[&str]) -> Members {
    Members::Named(names.iter().map(|name| (*name).to_owned()).collect())
}

#[test]
fn a_query_needs_the_members_it_names() {
    let cases = [
        ("SELECT * FROM c WHERE c.a = 1 AND c.b.d > 2 ORDER BY c._ts", named(&["a", "b", "_ts"])),
        ("SELECT c.a, c.b AS a2 FROM c WHERE c.a IN (c.d, 1)", named(&["a", "d", "b"])),
        ("SELECT c.city, COUNT(1) AS n, MAX(c.age) AS oldest FROM c GROUP BY c.city", named(&["city", "age"])),
        ("SELECT t FROM c JOIN t IN c.tags WHERE t != c.id", named(&["tags", "id"])),
        ("SELECT VALUE t.name FROM t IN c.tags", named(&["tags"])),
        ("SELECT VALUE o.x FROM c.o", named(&["o"])),
        ("SELECT COUNT(1) FROM c", named(&[])),
        ("SELECT VALUE c[0] FROM c", named(&[])),
        ("SELECT VALUE 1", named(&[])),
        ("SELECT VALUE c FROM c", Members::All),
        ("SELECT COUNT(c) FROM c", Members::All),
        ("SELECT VALUE c[c.name] FROM c", Members::All),
        ("SELECT x FROM c JOIN x IN c", Members::All),
    ];
    for (text, members) in cases {
        assert_eq!(parsed(text).members(), members, "{text}");
    }
}

#[test]
fn only_the_named_members_are_read() {
    let text = br#"{ "a": [1, {"b": "}"}], "\u0062": 1.50, "c": {"a": 9}, "b": 2, "deep": [[[[]]]] }"#;
    let read = |names: &[&str]| named(names).read(text).unwrap();
    assert_eq!(read(&["b", "missing"]), json!({ "b": 2 }), "the last of two wins, escaped or not");
    assert_eq!(read(&["a", "c"]), json!({ "a": [1, { "b": "}" }], "c": { "a": 9 } }));
    assert_eq!(read(&[]), json!({}));
    for broken in ["", "[1]", "{\"a\":1", "{\"a\":1} x", "{\"b\":tru,\"a\":1}"] {
        assert!(named(&["a"]).read(broken.as_bytes()).is_err(), "{broken}");
    }
}
