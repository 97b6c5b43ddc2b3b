use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::{now, parsed, rows};
use crate::query::sql::{Members, Query};

fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        (-3i64..4).prop_map(Json::from),
        (-3.0f64..3.0).prop_map(Json::from),
        "[ab]{0,2}".prop_map(Json::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Json::from),
            prop::collection::btree_map("[abc]", inner, 0..3).prop_map(|members| json!(members)),
        ]
    })
}

fn any_document() -> impl Strategy<Value = Json> {
    prop::collection::btree_map("[abc]", any_json(), 0..4).prop_map(|members| json!(members))
}

/// Conditions over the members a, b and c.
fn any_condition() -> impl Strategy<Value = String> {
    let operand = prop_oneof![
        Just("c.a"),
        Just("c.b"),
        Just("c.c.a"),
        Just("c.a[0]"),
        Just("1"),
        Just("'a'"),
        Just("null"),
        Just("true"),
        Just("undefined"),
        Just("[1]"),
        Just("{}"),
        Just("LENGTH(c.a)"),
        Just("c.b + 1"),
    ];
    let operator = prop_oneof![Just("="), Just("!="), Just("<"), Just("<="), Just(">"), Just(">=")];
    let leaf = prop_oneof![
        (operand.clone(), operator, operand.clone()).prop_map(|(a, operator, b)| format!("{a} {operator} {b}")),
        (operand.clone(), operand.clone(), operand.clone()).prop_map(|(a, b, c)| format!("{a} IN ({b}, {c})")),
        (operand.clone(), operand.clone(), operand.clone()).prop_map(|(a, b, c)| format!("{a} BETWEEN {b} AND {c}")),
        operand.clone().prop_map(|a| format!("{a} LIKE '%a_'")),
        operand.prop_map(|a| format!("IS_DEFINED({a})")),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) AND ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) OR ({b})")),
            inner.prop_map(|a| format!("NOT ({a})")),
        ]
    })
}

fn filter(condition: &str) -> Query {
    Query::filter(&format!("WHERE {condition}"), now()).expect("a condition")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_filter_its_negation_and_undefined_are_apart(condition in any_condition(), document in any_document()) {
        let holds = filter(&condition).matches(&document);
        let fails = filter(&format!("NOT ({condition})")).matches(&document);
        let undefined = filter(&format!("NOT IS_DEFINED({condition})")).matches(&document);
        prop_assert_eq!(u8::from(holds) + u8::from(fails) + u8::from(undefined), 1, "{}", condition);
    }

    #[test]
    fn what_is_negated_twice_is_the_same(a in any_condition(), b in any_condition(), document in any_document()) {
        let both = filter(&format!("NOT (({a}) AND ({b}))")).matches(&document);
        let either = filter(&format!("NOT ({a}) OR NOT ({b})")).matches(&document);
        prop_assert_eq!(both, either);
    }

    #[test]
    fn equalities_hold_in_every_match(document in any_document(), value in any_json()) {
        let text = format!("SELECT * FROM c WHERE c.a = {value} AND c.b > 0");
        let query = parsed(&text);
        if query.matches(&document) {
            for (name, value) in &query.conditions.equal {
                let matched = filter(&format!("c[\"{name}\"] = {value}")).matches(&document);
                prop_assert!(matched);
            }
        }
    }

    #[test]
    fn a_number_of_a_document_equals_itself_in_a_query(number in any::<f64>().prop_filter("finite", |n| n.is_finite())) {
        let document = Members::All.read(format!("{{\"a\":{number:e}}}").as_bytes()).unwrap();
        prop_assert_eq!(document["a"].as_f64(), Some(number));
        let matched = filter(&format!("c.a = {number:e}")).matches(&document);
        prop_assert!(matched);
    }

    #[test]
    fn an_order_is_a_permutation(documents in prop::collection::vec(any_document(), 0..12)) {
        let sorted = rows("SELECT * FROM c ORDER BY c.a, c.b DESC", &documents);
        let mut left = documents.clone();
        for row in &sorted {
            let at = left.iter().position(|document| document == row);
            prop_assert!(at.is_some());
            left.remove(at.unwrap_or_default());
        }
        prop_assert!(left.is_empty());
        let first = rows("SELECT TOP 3 * FROM c ORDER BY c.a, c.b DESC", &documents);
        prop_assert_eq!(&first[..], &sorted[..sorted.len().min(3)]);
        let again = rows("SELECT * FROM c ORDER BY c.a, c.b DESC", &sorted);
        prop_assert_eq!(again, sorted);
    }

    #[test]
    fn neighbours_in_order_never_compare_the_other_way(documents in prop::collection::vec(any_document(), 2..8)) {
        let sorted = rows("SELECT VALUE c.a FROM c ORDER BY c.a", &documents);
        for pair in sorted.windows(2) {
            let pair = json!({ "a": pair[0], "b": pair[1] });
            prop_assert!(!filter("c.a > c.b").matches(&pair), "{}", pair);
        }
    }

    #[test]
    fn distinct_rows_have_no_doubles(documents in prop::collection::vec(any_document(), 0..12)) {
        let distinct = rows("SELECT DISTINCT VALUE c.a FROM c", &documents);
        for (at, a) in distinct.iter().enumerate() {
            for b in &distinct[at + 1..] {
                prop_assert!(!filter("c.a = c.b").matches(&json!({ "a": a, "b": b })), "{} {}", a, b);
            }
        }
        let groups = rows("SELECT VALUE COUNT(1) FROM c WHERE IS_DEFINED(c.a) GROUP BY c.a", &documents);
        prop_assert_eq!(groups.len(), distinct.len());
        let all: i64 = groups.iter().filter_map(Json::as_i64).sum();
        prop_assert_eq!(vec![json!(all)], rows("SELECT VALUE COUNT(c.a) FROM c", &documents));
    }

    #[test]
    fn like_is_what_a_regular_expression_says(text in "[ab%]{0,6}", pattern in "[ab%_]{0,6}") {
        let regex: String = pattern.chars().map(|c| match c { '%' => ".*".to_owned(), '_' => ".".to_owned(), c => c.to_string() }).collect();
        let expected = regex::Regex::new(&format!("^{regex}$")).expect("a pattern").is_match(&text);
        prop_assert_eq!(filter(&format!("c.a LIKE '{pattern}'")).matches(&json!({ "a": text })), expected);
    }

    #[test]
    fn no_text_panics(text in prop_oneof!["\\PC{0,60}".boxed(), any::<String>().boxed()]) {
        let _ = Query::parse(&text, now());
        let _ = Query::filter(&format!("WHERE {text}"), now());
    }

    #[test]
    fn no_tokens_panic(
        tokens in prop::collection::vec(
            prop::sample::select(vec![
                "SELECT", "VALUE", "*", "FROM", "c", "JOIN", "IN", "WHERE", "(", ")", "[", "]", "{", "}", ",", ".", ":", "?",
                "??", "=", "!=", "<", "+", "-", "||", "'a'", "1", "1.5", "NOT", "AND", "OR", "BETWEEN", "LIKE", "ESCAPE", "COUNT",
                "LENGTH", "GROUP", "ORDER", "BY", "TOP", "DISTINCT", "OFFSET", "LIMIT", "AS", "null", "undefined", "ARRAY_SLICE",
                "SUBSTRING", "--", "\n", "@p", "\\", "'", "\"",
            ]),
            0..20,
        ),
        document in any_document(),
    ) {
        let text = tokens.join(" ");
        for query in [Query::parse(&format!("SELECT {text}"), now()), Query::filter(&format!("WHERE {text}"), now())].into_iter().flatten() {
            let mut run = query.run();
            run.push(document.clone());
            run.finish();
            query.whole_range("_ts");
        }
    }
}
