//! Queries and what they answer, what is refused, and properties.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};

use super::{From, Query};

/// Documents by their ids.
fn users() -> Vec<(&'static str, Value)> {
    vec![
        (
            "users/1-A",
            json!({ "Name": "Anna", "Age": 31, "Address": { "City": "Paris" }, "Tags": ["a", "b"], "Nick": null }),
        ),
        ("users/2-A", json!({ "Name": "bob", "Age": 4, "Lines": [{ "Product": "Chai" }, { "Product": "Chang" }] })),
        ("users/3-A", json!({ "Name": "Zoë van Dam", "Age": 100, "Active": true, "Tags": [] })),
        (
            "Users/4-A",
            json!({ "Name": "ANNA", "Age": 4.5, "@metadata": { "@expires": "2026-12-04T10:00:00.0000000Z" } }),
        ),
    ]
}

fn rows(text: &str, documents: &[(&str, Value)]) -> Vec<Value> {
    let query = Query::parse(text).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
    let mut run = query.run();
    for (id, document) in documents {
        if query.matches(document, id) && !run.push(document, id, query.row(document.clone(), id)) {
            break;
        }
    }
    run.finish()
}

fn ids(condition: &str) -> Vec<usize> {
    let query = Query::filter(condition).unwrap_or_else(|refusal| panic!("{condition}: {refusal}"));
    let users = users();
    users.iter().enumerate().filter(|(_, (id, user))| query.matches(user, id)).map(|(at, _)| at + 1).collect()
}

#[rstest]
#[case("", &[1, 2, 3, 4])]
#[case("where true", &[1, 2, 3, 4])]
// Texts have no case, unless it is exact.
#[case("where Name = 'anna'", &[1, 4])]
#[case("WHERE Name == \"Anna\"", &[1, 4])]
#[case("where exact(Name = 'Anna')", &[1])]
#[case("where exact(Name = 'Anna' or Name in ('ANNA', 'Bob'))", &[1, 4])]
#[case("where Name != 'anna'", &[2, 3])]
#[case("where Name > 'anna'", &[2, 3])]
// Numbers.
#[case("where Age > 4", &[1, 3, 4])]
#[case("where Age >= 4 and Age <= 31", &[1, 2, 4])]
#[case("where Age between 4 and 31", &[1, 2, 4])]
#[case("where Age = 4.0", &[2])]
#[case("where Age > -1 and Age < 1e1", &[2, 4])]
#[case("where Age in (4, 100)", &[2, 3])]
#[case("where Age in ()", &[])]
// A number is no text.
#[case("where Age = '4'", &[])]
#[case("where Name > 4", &[])]
// Negation lets through what is missing.
#[case("where true and not (Age > 4)", &[2])]
#[case("where Age > 4 and not Name = 'ANNA'", &[3])]
#[case("where Age = 4 or not exists(Tags)", &[2, 4])]
#[case("where exists(Tags) and not Tags in ('a')", &[3])]
#[case("where Active != true", &[1, 2, 4])]
// A field that is missing is not null.
#[case("where Nick = null", &[1])]
#[case("where Nick != null", &[2, 3, 4])]
#[case("where exists(Nick)", &[1])]
#[case("where exists(Tags)", &[1, 3])]
// Arrays stand for their elements.
#[case("where Tags = 'b'", &[1])]
#[case("where Tags[] = 'b'", &[1])]
#[case("where Tags in ('x', 'b')", &[1])]
#[case("where Tags all in ('a', 'b')", &[1])]
#[case("where Tags all in ('a', 'x')", &[])]
#[case("where Lines[].Product in ('chang')", &[2])]
#[case("where Address.City = 'paris'", &[1])]
#[case("where 'Address.City' = 'paris'", &[1])]
#[case("where '@metadata'.'@expires' > '2026-12-04'", &[4])]
#[case("where @metadata.@expires < '2026-12-05'", &[4])]
// Functions.
#[case("where startsWith(Name, 'an')", &[1, 4])]
#[case("where exact(startsWith(Name, 'An'))", &[1])]
#[case("where endsWith(Name, 'B')", &[2])]
#[case("where search(Name, 'dam anna')", &[1, 3, 4])]
#[case("where search(Name, 'van dam', and)", &[3])]
#[case("where search(Name, 'van anna', and)", &[])]
#[case("where search(Name, 'zo*')", &[3])]
#[case("where search(Name, '*nn*')", &[1, 4])]
#[case("where id() = 'users/2-a'", &[2])]
#[case("where id() in ('users/1-A', 'users/4-A')", &[1, 4])]
// and binds stronger than or.
#[case("where Age = 4 or Name = 'anna' and Age = 31", &[1, 2])]
#[case("where (Age = 4 or Name = 'anna') and Age < 5", &[2, 4])]
#[case("// a comment\nwhere /* and another */ Age = 4", &[2])]
fn conditions(#[case] condition: &str, #[case] expected: &[usize]) {
    assert_eq!(ids(condition), expected, "{condition}");
}

#[rstest]
// Character by character, unless another order is named.
#[case("from Users order by Age select Age", json!([100, 31, 4, 4.5]))]
#[case("from Users order by Age as long select Age", json!([4, 4.5, 31, 100]))]
#[case("from Users order by Age as double desc select Age", json!([100, 31, 4.5, 4]))]
#[case("from Users order by Name, Age as long desc select Name", json!(["Anna", "ANNA", "bob", "Zoë van Dam"]))]
#[case("from Users order by Name descending select Name limit 2", json!(["Zoë van Dam", "bob"]))]
#[case("from Users order by Address.City, Age as long select Age", json!([4, 4.5, 100, 31]))]
#[case("from Users order by id() as alphaNumeric desc select Age limit 1, 2", json!([100, 4]))]
#[case("from Users order by Age as long select Age limit 2 offset 1", json!([4.5, 31]))]
#[case("from Users order by Age as long select Age offset 3", json!([100]))]
#[case("from Users select Age limit 0", json!([]))]
fn orders_and_pages(#[case] query: &str, #[case] expected: Value) {
    let found: Vec<Value> = rows(query, &users()).iter().map(first).collect();
    assert_eq!(Value::Array(found), expected, "{query}");
}

/// The first value of a row.
fn first(row: &Value) -> Value {
    row.as_object().and_then(|members| members.values().next()).cloned().unwrap()
}

#[test]
fn selects() {
    let found =
        rows("from Users as u where u.Age = 4 select u.Name, id(u) as Id, Lines[].Product as Products", &users());
    assert_eq!(found, [json!({ "Name": "bob", "Id": "users/2-A", "Products": ["Chai", "Chang"] })]);
    assert_eq!(rows("from Users where Age = 4 select Nope", &users()), [json!({ "Nope": null })]);
    assert_eq!(rows("from Users where Age = 4", &users()), [users()[1].1.clone()]);
}

#[test]
fn natural_order_takes_digits_as_numbers() {
    let documents = ["a10", "a9", "B1", "a"].map(|name| ("x", json!({ "N": name })));
    let found = rows("from X order by N as alphaNumeric select N", &documents);
    assert_eq!(found, ["a", "a9", "a10", "B1"].map(|name| json!({ "N": name })));
}

#[rstest]
#[case("from @all_docs", From::All)]
#[case("from Users", From::Collection("Users".to_owned()))]
#[case("from 'My Users' as u", From::Collection("My Users".to_owned()))]
#[case("from Users u where u.Age = 1", From::Collection("Users".to_owned()))]
fn sources(#[case] query: &str, #[case] expected: From) {
    assert_eq!(*Query::parse(query).unwrap().from(), expected);
}

#[rstest]
#[case("where id() = 'a' and Age > 1", Some("a"))]
#[case("where id() = 'a' or Age > 1", None)]
#[case("where true and not id() = 'a'", None)]
fn named_ids(#[case] condition: &str, #[case] expected: Option<&str>) {
    assert_eq!(Query::filter(condition).unwrap().id(), expected);
}

#[rstest]
#[case("", 1, "expected `from`, and the text ends")]
#[case("select Name", 1, "expected `from`, found `select`")]
#[case("from index 'Users/ByName'", 6, "from index is not supported here")]
#[case("from Users where not (Age = 1)", 18, "`not` stands behind `and` or `or` only")]
#[case("from Users where Age", 21, "expected a comparison, between, in or all in, and the text ends")]
#[case("from Users where Age = ", 24, "expected a value, and the text ends")]
#[case("from Users where Age = Name", 24, "expected a value, found `Name`")]
#[case("from Users where Age = $p", 24, "a parameter is not supported here")]
#[case("from Users where Age > null", 22, "null has no order: it is compared with = and != alone")]
#[case("from Users where Age between 1 and 'b'", 22, "both ends of between are of one type")]
#[case("from Users where regex(Name, 'a')", 18, "regex() is not supported here")]
#[case("from Users where foo(Name, 'a')", 18, "there is no function `foo` here")]
#[case("from Users where search(Name, 'a-b')", 31, "a sign inside a word of search is not supported here")]
#[case("from Users order by random()", 21, "order by random() is not supported here")]
#[case("from Users order by Age as short", 28, "expected long, double, string or alphaNumeric, found `short`")]
#[case("from Users order by Age nulls first", 25, "nulls first and nulls last is not supported here")]
#[case("from Users select distinct Name", 19, "select distinct is not supported here")]
#[case("from Users select { A: 1 }", 19, "a projection in JavaScript is not supported here")]
#[case("from Users select Address.City", 19, "this field has no name of its own")]
#[case("from Users select Name, Name", 25, "there are two fields `Name`")]
#[case("from Users include Company", 12, "include is not supported here")]
#[case("from Users group by City select key()", 12, "group by is not supported here")]
#[case("from Users load Company as c select c", 12, "load is not supported here")]
#[case("from Users update { }", 12, "update is not supported here")]
#[case("declare function f() {} from Users", 1, "declare function is not supported here")]
#[case("from Users limit 1.5", 18, "expected a whole number, found `1.5`")]
#[case("from Users limit 1 2", 20, "expected where, order by, select, limit, or the end, found `2`")]
#[case("from Users where Name = 'a", 25, "the string has no end")]
#[case("from Users /* where", 12, "the comment has no end")]
#[case("from Users where Age = 1 & 2", 26, "`&` is no part of the language")]
#[case("from Users where Age = 1x", 24, "`1x` is no number")]
fn refusals(#[case] query: &str, #[case] column: usize, #[case] words: &str) {
    let refusal = Query::parse(query).expect_err("refused");
    assert_eq!((refusal.message.as_str(), refusal.place.map(|place| place.column)), (words, Some(column)));
}

#[test]
fn brackets_are_nested_to_a_limit() {
    let nested = |depth: usize| format!("where {}Age = 1{}", "(".repeat(depth), ")".repeat(depth));
    assert!(Query::filter(&nested(60)).is_ok());
    assert!(Query::filter(&nested(100_000)).unwrap_err().message.contains("deeper"));
    assert!(Query::filter("select Name").unwrap_err().message.contains("whole documents"));
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3i64..3).prop_map(Value::from),
        "[aAbB]{0,2}".prop_map(Value::from),
    ];
    prop_oneof![4 => leaf.clone(), 1 => prop::collection::vec(leaf, 0..3).prop_map(Value::from)]
}

fn any_condition() -> impl Strategy<Value = String> {
    prop_oneof![
        ("[ab]", prop::sample::select(vec!["=", "!=", "<", "<=", ">", ">="]), -3i64..3)
            .prop_map(|(field, how, n)| format!("{field} {how} {n}")),
        ("[ab]", "[aAbB]{0,2}").prop_map(|(field, text)| format!("startsWith({field}, '{text}')")),
        ("[ab]", "[aAbB]{0,2}").prop_map(|(field, text)| format!("{field} in ('{text}', null, 1)")),
        "[ab]".prop_map(|field| format!("exists({field})")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_condition_and_its_negation_part_the_documents(
        condition in any_condition(), a in any_value(), b in prop::option::of(any_value()),
    ) {
        let mut document = json!({ "a": a });
        if let Some(b) = b {
            document["b"] = b;
        }
        let met = |text: String| Query::filter(&text).unwrap().matches(&document, "x");
        prop_assert_ne!(met(format!("where {condition}")), met(format!("where true and not ({condition})")));
    }

    #[test]
    fn an_order_is_a_permutation(values in prop::collection::vec(any_value(), 0..12), how in "|as long|as alphaNumeric") {
        let documents: Vec<(&str, Value)> = values.iter().map(|value| ("x", json!({ "a": value }))).collect();
        let sorted = rows(&format!("from X order by a {how} desc"), &documents);
        let mut left: Vec<Value> = documents.iter().map(|(_, document)| document.clone()).collect();
        for row in &sorted {
            let at = left.iter().position(|document| document == row);
            prop_assert!(at.is_some());
            left.remove(at.unwrap());
        }
        prop_assert!(left.is_empty());
        let first = rows(&format!("from X order by a {how} desc limit 3"), &documents);
        prop_assert_eq!(&first[..], &sorted[..sorted.len().min(3)]);
    }

    #[test]
    fn no_text_panics(text in prop_oneof!["\\PC{0,60}".boxed(), any::<String>().boxed()]) {
        let _ = Query::parse(&text);
        let _ = Query::filter(&format!("where {text}"));
    }

    #[test]
    fn no_tokens_panic(tokens in prop::collection::vec(prop::sample::select(vec![
        "from", "X", "as", "where", "and", "or", "not", "(", ")", "[]", ".", ",", "=", "<", "in", "all", "between", "'a'", "1",
        "-", "true", "null", "exists", "search", "exact", "id", "order", "by", "long", "desc", "select", "limit", "offset", "*",
        "{", "'", "//", "\n", "@metadata", "$p",
    ]), 0..20)) {
        let text = tokens.join(" ");
        for query in [Query::parse(&format!("from X {text}")), Query::filter(&format!("where {text}"))].into_iter().flatten() {
            let mut run = query.run();
            for (id, document) in users() {
                if query.matches(&document, id) {
                    run.push(&document, id, query.row(document.clone(), id));
                }
            }
            run.finish();
        }
    }
}
