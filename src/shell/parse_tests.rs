//! Statements: the forms that people type and paste, and what is refused.

use std::time::{Duration, Instant as Clock};

use bson::{Bson, doc};
use proptest::prelude::*;
use rstest::rstest;

use super::parse;
use crate::domain::Instant;
use crate::shell::{StatementKind, Target};

const NOW: Instant = Instant::from_secs(1_796_248_064);

fn kinds(text: &str) -> Vec<StatementKind> {
    parse(text, NOW).expect("statements").into_iter().map(|statement| statement.kind).collect()
}

/// `coll.find(1).sort(1)` for a collection, `.getName(0)` for the database: names and numbers of arguments.
fn outline(kind: &StatementKind) -> String {
    match kind {
        StatementKind::Expression { target, calls } => {
            let target = match target {
                Target::Database => "",
                Target::Collection(name) => name,
            };
            let calls = calls.iter().map(|call| format!(".{}({})", call.method, call.arguments.len()));
            format!("{target}{}", calls.collect::<String>())
        }
        other => format!("{other:?}"),
    }
}

#[rstest]
#[case("", &[])]
#[case(" ; ;\n// nothing\n", &[])]
#[case("use test", &["Use(\"test\")"])]
#[case("use my-db; show dbs", &["Use(\"my-db\")", "Show(Databases)"])]
#[case("use('test')", &["Use(\"test\")"])]
#[case("show databases\nshow collections\r\nshow tables", &["Show(Databases)", "Show(Collections)", "Show(Collections)"])]
#[case("it\nhelp\ncls\nexit", &["It", "Help", "Clear", "Exit"])]
#[case("exit()", &["Exit"])]
#[case("db", &[""])]
#[case("db.getName()", &[".getName(0)"])]
#[case("db.runCommand({listIndexes: 'c'})", &[".runCommand(1)"])]
#[case("db.coll.find()", &["coll.find(0)"])]
#[case("db.coll.find({}, {a: 1}).sort({a: 1}).limit(5).skip(2).toArray()", &["coll.find(2).sort(1).limit(1).skip(1).toArray(0)"])]
#[case("db.coll\n  .find({\n    a: 1,\n  })\n  // the first\n  .limit(1)", &["coll.find(1).limit(1)"])]
#[case("db.coll.\n find()", &["coll.find(0)"])]
#[case("db.coll.find ()", &["coll.find(0)"])]
#[case("db.a.b.c.find()", &["a.b.c.find(0)"])]
#[case("db[\"x y\"].find()", &["x y.find(0)"])]
#[case("db['a']['b'].find()", &["a.b.find(0)"])]
#[case("db.getCollection('x').find()", &["x.find(0)"])]
#[case("db.getCollection(\"x\").y.find()", &["x.y.find(0)"])]
#[case("db.show.find()", &["show.find(0)"])]
#[case("db.coll.find(); db.coll.drop()", &["coll.find(0)", "coll.drop(0)"])]
#[case("db.coll.find()\ndb.coll.drop()", &["coll.find(0)", "coll.drop(0)"])]
#[case("db.coll.insert({a: 1}) // TTL value is 20\ndb.coll.find()", &["coll.insert(1)", "coll.find(0)"])]
#[case("db.coll.insert({a: 1},)", &["coll.insert(1)"])]
#[case("globaldb:PRIMARY> db.coll.find()\nglobaldb:PRIMARY> db.coll.drop()", &["coll.find(0)", "coll.drop(0)"])]
#[case("> show dbs", &["Show(Databases)"])]
#[case("Atlas atlas-x [primary] test> it\ntest>\n", &["It"])]
#[case("\u{feff}db.coll.find()", &["coll.find(0)"])]
fn statements_in_a_text(#[case] text: &str, #[case] expected: &[&str]) {
    let found: Vec<String> = kinds(text).iter().map(outline).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_vendors_page_as_it_stands() {
    let text = "globaldb:PRIMARY> db.coll.createIndex({\"_ts\":1}, {expireAfterSeconds: 10})\n\
        globaldb:PRIMARY> db.coll.insert({id:1, location: \"Paris\", ttl: 20.0}) //TTL value is 20.0\n\
        globaldb:PRIMARY> db.coll.insert({id:1, location: \"Paris\", ttl: NumberInt(20)})\n\
        globaldb:PRIMARY> db.coll.insert({id:1, location: \"Paris\", ttl: NumberLong(20)})\n\
        globaldb:PRIMARY> db.coll.insert({id:1, location: \"Paris\", ttl: 20.5})\n\
        globaldb:PRIMARY> db.coll.insert({id:1, location: \"Paris\", ttl: NumberLong(2147483649)})\n";
    let ttls: Vec<Bson> = kinds(text)
        .into_iter()
        .filter_map(|kind| match kind {
            StatementKind::Expression { mut calls, .. } => match calls.remove(0).arguments.remove(0).value {
                Bson::Document(mut document) => document.remove("ttl"),
                _ => None,
            },
            _ => None,
        })
        .collect();
    let expected =
        [Bson::Double(20.0), Bson::Int32(20), Bson::Int64(20), Bson::Double(20.5), Bson::Int64(2_147_483_649)];
    assert_eq!(ttls, expected);
}

#[test]
fn everything_has_its_span() {
    let text = "show dbs;\ndb.coll.find({a: 1}, null)";
    let statements = parse(text, NOW).expect("statements");
    assert_eq!(&text[statements[0].span.clone()], "show dbs");
    assert_eq!(&text[statements[1].span.clone()], "db.coll.find({a: 1}, null)");
    let StatementKind::Expression { calls, .. } = &statements[1].kind else { panic!("no expression") };
    assert_eq!(&text[calls[0].span.clone()], "find");
    assert_eq!(&text[calls[0].arguments[0].span.clone()], "{a: 1}");
    assert_eq!(calls[0].arguments[0].value, Bson::Document(doc! { "a": 1 }));
    assert_eq!(&text[calls[0].arguments[1].span.clone()], "null");
}

#[rstest]
#[case("var x = 1", 1, 1, "the shell knows no variables")]
#[case("x = 1", 1, 1, "nothing can be assigned")]
#[case("db.x = 1", 1, 1, "nothing can be assigned")]
#[case("for (;;) {}", 1, 1, "no loops")]
#[case("while (true) {}", 1, 1, "no loops")]
#[case("function f() {}", 1, 1, "no functions")]
#[case("if (true) {}", 1, 1, "no programs")]
#[case("print(1)", 1, 1, "no function `print`")]
#[case("find()", 1, 1, "expected a statement: db.…, use, show, it, help, cls or exit; found `find`")]
#[case("SELECT * FROM c", 1, 1, "found `SELECT`")]
#[case("{a: 1}", 1, 1, "expected a statement")]
#[case("db.coll\n['x']", 2, 1, "expected a statement")]
#[case("use", 1, 4, "use needs the name of a database")]
#[case("use;", 1, 4, "use needs the name of a database")]
#[case("use('a'", 1, 8, "expected `)`")]
#[case("show", 1, 5, "show needs a word")]
#[case("show users", 1, 6, "show lists dbs or collections, not `users`")]
#[case("show dbs now", 1, 10, "expected `;` or the end of the line, found `now`")]
#[case("db.coll.find() db.coll.drop()", 1, 16, "expected `;` or the end of the line")]
#[case("db.coll.find({}))", 1, 17, "found `)`")]
#[case("db..find()", 1, 4, "expected the name of a collection or a method, found `.`")]
#[case("db.5.find()", 1, 4, "expected the name of a collection or a method, found `5`")]
#[case("db[x].find()", 1, 4, "expected a string in quotes, found `x`")]
#[case("db.coll.find().sort", 1, 20, "expected `(` behind `sort`")]
#[case("db.coll.find(\n  {a: }\n)", 2, 7, "expected a value, found `}`")]
#[case("db.coll.find(\n\n  'abc)", 3, 3, "the string has no end")]
#[case("db.c.find({\"é😀\": x})", 1, 18, "`x` has no value")]
#[case("db.getCollection(5).find()", 1, 4, "the name of a collection in quotes")]
#[case("db.coll.find().forEach(function(d) { print(d) })", 1, 24, "no functions")]
#[case("db.coll.find(\u{0})", 1, 14, "found `\\0`")]
fn faults_have_a_place_and_words(#[case] text: &str, #[case] line: usize, #[case] column: usize, #[case] words: &str) {
    let error = parse(text, NOW).expect_err("a fault");
    assert!(error.message.contains(words), "{error}");
    assert_eq!((error.place.line, error.place.column), (line, column), "{error}");
    assert_eq!(error.to_string(), format!("line {line}, column {column}: {}", error.message));
}

#[rstest]
#[case("db.coll.find(", true)]
#[case("db.coll.find({a: 1,", true)]
#[case("db.coll.find([", true)]
#[case("db.coll.", true)]
#[case("db.coll.find(/* open", true)]
#[case("db.coll.find({a: NumberInt(", true)]
#[case("db.coll.find('abc", false)]
#[case("db.coll.find(x", false)]
#[case("db.coll.find()}", false)]
fn a_text_that_only_ends_early_can_go_on(#[case] text: &str, #[case] incomplete: bool) {
    assert_eq!(parse(text, NOW).expect_err("a fault").incomplete, incomplete);
}

#[rstest]
#[case(format!("db.c.insert({{a: \"{}\"}})", "x".repeat(1_000_000)), true)]
#[case(format!("db.c.insert([{}])", "1,".repeat(500_000)), true)]
#[case(format!("db.c.insert({{{}}})", (0..100_000).map(|n| format!("k{n}:1,")).collect::<String>()), true)]
#[case("db.c.find();".repeat(80_000), true)]
#[case(format!("db.c.insert({{a: '{}", "x".repeat(1_000_000)), false)]
#[case(format!("db.c.insert({{a: '{}'}})", "\\x41".repeat(250_000)), true)]
#[case(format!("/*{}", "x".repeat(1_000_000)), false)]
#[case("/".repeat(1_000_000), true)]
#[case(format!("db{}", ".x".repeat(500_000)), true)]
#[case(format!("db.c.find({})", "9".repeat(1_000_000)), false)]
#[case(format!("db.c.find({})", "x".repeat(1_000_000)), false)]
#[case(" > ".repeat(300_000), false)]
#[case("\u{e9}".repeat(500_000), false)]
fn a_line_of_a_megabyte_is_read_at_once(#[case] text: String, #[case] valid: bool) {
    let start = Clock::now();
    assert_eq!(parse(&text, NOW).is_ok(), valid);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}, and this is a debug build", start.elapsed());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2_000, ..ProptestConfig::default() })]
    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _ = parse(&text, NOW);
    }

    #[test]
    fn no_statement_panics(text in "db\\.c\\.(find|insert)\\([\\[\\]{}()a-c0-9.,:;'\"/\\\\$ +xu\u{0}é-]{0,30}\\)?") {
        let _ = parse(&text, NOW);
    }

    #[test]
    fn no_mixture_of_tokens_panics(tokens in prop::collection::vec(prop::sample::select(vec![
        "db", ".", "c", "find", "(", ")", "{", "}", "[", "]", "a", ":", ",", "1", "-", "0x", "1e", "'", "\"", "/", "//",
        "/*", "*/", "\n", ";", " ", "\\", "new", "Date", "NumberLong", "ISODate", "ObjectId", "null", "use", "show",
        "dbs", ">", "=", "\u{2028}", "“", "é",
    ]), 0..20)) {
        let text: String = tokens.concat();
        if let Err(error) = parse(&text, NOW) {
            prop_assert!(error.span.end <= text.len() && text.get(error.span.clone()).is_some(), "{:?}", error);
            prop_assert!(!error.message.is_empty());
        }
    }
}
