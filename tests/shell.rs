//! The shell of MongoDB databases: text in, printed text out, on the real engine with a clock that moves when told to.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::sync::Arc;

use proptest::prelude::*;
use rstest::rstest;
use tempfile::TempDir;
use ttl_explorer::domain::Instant;
use ttl_explorer::engine::{Engine, EngineOptions, ManualClock};
use ttl_explorer::shell::{Kind, Outcome, Session, run};
use ttl_explorer::store;

struct Shell {
    engine: Engine,
    clock: Arc<ManualClock>,
    session: Session,
    _dir: TempDir,
}

fn shell() -> Shell {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(Instant::from_secs(1_796_248_064)));
    let options =
        EngineOptions { clock: clock.clone(), store_clock: true, background: false, store: store::Options::tiny() };
    let engine = Engine::open(dir.path(), options).unwrap();
    Shell { engine, clock, session: Session::new("globaldb"), _dir: dir }
}

impl Shell {
    fn run(&mut self, text: &str) -> Outcome {
        let outcome = run(&self.engine, self.session.clone(), text);
        self.session = outcome.session.clone();
        outcome
    }

    /// What is printed, a line a text; nothing of it may be an error.
    fn prints(&mut self, text: &str) -> String {
        let outcome = self.run(text);
        let errors: Vec<&str> =
            outcome.printed.iter().filter(|printed| printed.kind == Kind::Error).map(|p| p.text.as_str()).collect();
        assert!(errors.is_empty(), "{text}: {errors:?}");
        outcome.printed.into_iter().map(|printed| printed.text).collect::<Vec<_>>().join("\n")
    }

    /// The error that a text ends with.
    fn fails(&mut self, text: &str) -> String {
        let outcome = self.run(text);
        let last = outcome.printed.last().unwrap_or_else(|| panic!("{text}: nothing printed"));
        assert_eq!(last.kind, Kind::Error, "{text}: {last:?}");
        last.text.clone()
    }

    fn count(&mut self) -> String {
        self.prints("db.coll.countDocuments({})")
    }
}

/// Blanks and line ends are the printer's affair.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_vendors_page_works_as_it_is_written() {
    let mut shell = shell();
    let made = shell.prints("db.coll.createIndex({\"_ts\":1}, {expireAfterSeconds: 10})");
    assert_eq!(
        squeezed(&made),
        "{ \"_t\" : \"CreateIndexesResponse\", \"ok\" : 1, \"createdCollectionAutomatically\" : true, \
         \"numIndexesBefore\" : 1, \"numIndexesAfter\" : 4 }"
    );
    for ttl in ["20.0", "NumberInt(20)", "NumberLong(20)", "20.5", "NumberLong(2147483649)"] {
        let printed = shell.prints(&format!("db.coll.insert({{id:1, location: \"Paris\", ttl: {ttl}}}) // a comment"));
        assert_eq!(printed, "WriteResult({ \"nInserted\" : 1 })", "{ttl}");
    }
    for (secs, left) in [(9, "5"), (1, "3"), (9, "3"), (1, "0")] {
        shell.clock.advance(secs);
        assert_eq!(shell.count(), left);
    }
}

/// Seconds that a document with this `ttl` is seen in a collection of 10 s.
#[rstest]
#[case("20", 20)]
#[case("20.0", 20)]
#[case("NumberInt(20)", 20)]
#[case("NumberLong(20)", 20)]
#[case("NumberLong(\"20\")", 20)]
#[case("Int32(20)", 20)]
#[case("Long(20)", 20)]
#[case("Double(20)", 20)]
#[case("20.5", 10)]
#[case("2147483648", 10)]
#[case("NumberLong(2147483648)", 10)]
#[case("0", 10)]
#[case("-5", 10)]
#[case("\"20\"", 10)]
#[case("null", 10)]
#[case("true", 10)]
#[case("NaN", 10)]
#[case("NumberDecimal(\"20\")", 10)]
fn every_row_of_the_table(#[case] ttl: &str, #[case] secs: i64) {
    let mut shell = shell();
    shell.prints("db.coll.createIndex({_ts: 1}, {expireAfterSeconds: 10})");
    shell.prints(&format!("db.coll.insertOne({{a: 1, ttl: {ttl}}})"));
    shell.clock.advance(secs - 1);
    assert_eq!(shell.count(), "1");
    shell.clock.advance(1);
    assert_eq!(shell.count(), "0");
}

#[rstest]
#[case("db.coll.createIndex({createdAt: 1}, {expireAfterSeconds: 10})", 2, "supported on '_ts' field only")]
#[case("db.coll.createIndex({_ts: 1, a: 1}, {expireAfterSeconds: 10})", 2, "supported on '_ts' field only")]
#[case("db.coll.createIndex({_ts: 1}, {expireAfterSeconds: 0})", 2, "from 1 to 2147483647")]
#[case("db.coll.createIndex({_ts: 1}, {expireAfterSeconds: -2})", 2, "from 1 to 2147483647")]
#[case("db.coll.createIndex({_ts: 1}, {expireAfterSeconds: 1.5})", 2, "from 1 to 2147483647")]
#[case("db.coll.createIndex({_ts: 1}, {expireAfterSeconds: NumberLong(2147483648)})", 2, "from 1 to 2147483647")]
#[case("db.coll.createIndex({_ts: 1}, {expireAfterSeconds: \"10\"})", 2, "from 1 to 2147483647")]
#[case("db.coll.createIndex({_ts: 1}, {expireAfterSeconds: NaN})", 2, "from 1 to 2147483647")]
#[case("db.runCommand({collMod: \"coll\", index: {name: \"_ts_1\"}})", 59, "CommandNotFound")]
#[case("db.runCommand({serverStatus: 1})", 59, "serverStatus")]
#[case("db.coll.dropIndex(\"nope\")", 27, "IndexNotFound")]
#[case("db.coll.find({a: {$near: 1}})", 2, "$near")]
#[case("db.coll.updateOne({}, {$bit: {a: 1}})", 9, "$bit")]
#[case("db.coll.updateOne({}, {a: 1})", 9, "atomic operators")]
#[case("db.coll.updateMany({}, {$set: {_id: 9}})", 66, "_id")]
fn errors_have_a_code_a_name_and_words(#[case] text: &str, #[case] code: i32, #[case] words: &str) {
    let mut shell = shell();
    shell.prints("db.coll.insertOne({_id: 1, a: 1})");
    let error = shell.fails(text);
    assert!(squeezed(&error).starts_with("{ \"ok\" : 0,"), "{error}");
    assert!(
        error.contains(&format!("\"code\" : {code},")) && error.contains("\"codeName\"") && error.contains(words),
        "{error}"
    );
    assert_eq!(shell.count(), "1");
}

#[test]
fn an_index_is_changed_by_dropping_it() {
    let mut shell = shell();
    shell.prints("db.coll.createIndex({_ts: 1}, {expireAfterSeconds: 10})");
    let same = shell.prints("db.coll.createIndex({_ts: 1}, {expireAfterSeconds: 10})");
    assert!(
        squeezed(&same)
            .contains("\"createdCollectionAutomatically\" : false, \"numIndexesBefore\" : 4, \"numIndexesAfter\" : 4")
    );
    assert!(shell.fails("db.coll.createIndex({_ts: 1}, {expireAfterSeconds: 20})").contains("85"));
    let listed = squeezed(&shell.prints("db.coll.getIndexes()"));
    assert!(
        listed.contains("\"name\" : \"_ts_1\", \"ns\" : \"globaldb.coll\", \"expireAfterSeconds\" : 10"),
        "{listed}"
    );
    assert!(squeezed(&shell.prints("db.coll.dropIndex(\"_ts_1\")")).contains("\"nIndexesWas\" : 2"));
    shell.prints("db.coll.createIndex({_ts: 1}, {expireAfterSeconds: -1})");
    assert!(squeezed(&shell.prints("db.runCommand({listIndexes: 'coll'})")).contains("\"expireAfterSeconds\" : -1"));
    shell.prints("db.runCommand({dropIndexes: \"coll\", index: {_ts: 1}})");
    shell.prints(
        "db.runCommand({createIndexes: \"coll\", indexes: [{key: {_ts: 1}, name: \"_ts_1\", expireAfterSeconds: 5}]})",
    );
    shell.prints("db.coll.insertOne({})");
    shell.clock.advance(5);
    assert_eq!(shell.count(), "0");
    shell.prints("db.coll.dropIndexes()");
    assert_eq!(shell.count(), "1", "what is expired and not deleted yet comes back");
}

#[test]
fn the_types_are_three_to_the_eye() {
    let mut shell = shell();
    shell.prints("db.coll.insertMany([{_id: 1, t: 20.0}, {_id: 2, t: NumberInt(20)}, {_id: 3, t: NumberLong(20)}])");
    assert_eq!(
        shell.prints("db.coll.find()"),
        "{ \"_id\" : 1, \"t\" : 20.0 }\n{ \"_id\" : 2, \"t\" : 20 }\n{ \"_id\" : 3, \"t\" : NumberLong(20) }"
    );
}

#[test]
fn finds_are_filtered_projected_sorted_and_cut() {
    let mut shell = shell();
    shell.prints(
        "db.coll.insertMany([
            {_id: 1, name: 'ada', tags: ['a', 'b'], age: 36, deep: {n: 1}},
            {_id: 2, name: 'bruno', tags: [], age: 30.5},
            {_id: 3, name: 'chen', age: NumberLong(50), deep: {n: 2}}, // a trailing comma
        ])",
    );
    for (text, ids) in [
        ("db.coll.find({age: {$gt: 31}}, {_id: 1})", "1 3"),
        ("db.coll.find({age: {$gte: 30.5, $lt: 50}}, {_id: 1})", "1 2"),
        ("db.coll.find({tags: 'b'}, {_id: 1})", "1"),
        ("db.coll.find({'deep.n': {$in: [2, 3]}}, {_id: 1})", "3"),
        ("db.coll.find({tags: {$exists: false}}, {_id: 1})", "3"),
        ("db.coll.find({name: /^[ab]/}, {_id: 1})", "1 2"),
        ("db.coll.find({$or: [{_id: 1}, {age: {$type: 'long'}}]}, {_id: 1})", "1 3"),
        ("db.coll.find({name: {$not: {$regex: 'a'}}}, {_id: 1})", "2 3"),
        ("db.coll.find({$and: [{age: {$ne: 36}}, {name: {$nin: ['chen']}}]}, {_id: 1})", "2"),
        ("db.coll.find({}, {_id: 1}).sort({age: -1})", "3 1 2"),
        ("db.coll.find({}, {_id: 1}).sort({age: 1}).skip(1).limit(1)", "1"),
        ("db.coll.find({_id: 2.0}, {_id: 1})", "2"),
    ] {
        let printed = shell.prints(text);
        let found: Vec<&str> = printed.lines().map(|line| line.trim_matches(|c: char| !c.is_ascii_digit())).collect();
        assert_eq!(found.join(" "), ids, "{text}");
    }
    assert_eq!(shell.prints("db.coll.find({age: {$gt: 31}}).count()"), "2");
    assert_eq!(squeezed(&shell.prints("db.coll.findOne({_id: 3}, {name: 1, _id: 0})")), "{ \"name\" : \"chen\" }");
    assert_eq!(shell.prints("db.coll.findOne({_id: 9})"), "null");
    assert!(shell.prints("db.coll.find({_id: 1}).pretty()").lines().count() > 5);
}

#[test]
fn a_long_find_goes_on_with_it() {
    let mut shell = shell();
    let documents: Vec<String> = (0..45).map(|n| format!("{{_id: {n}}}")).collect();
    shell.prints(&format!("db.coll.insertMany([{}])", documents.join(",")));
    let first = shell.prints("db.coll.find()");
    assert_eq!((first.lines().count(), first.lines().last()), (21, Some("Type \"it\" for more")));
    assert_eq!(shell.prints("it").lines().count(), 21);
    assert_eq!(shell.prints("it").lines().count(), 5);
    assert_eq!(shell.prints("it"), "no cursor");
    assert_eq!(shell.prints("db.coll.find().limit(25)").lines().count(), 21);
    assert_eq!(shell.prints("it").lines().count(), 5);
    assert_eq!(shell.prints("db.coll.find().limit(20)").lines().count(), 20);
}

#[test]
fn updates_deletes_and_replaces() {
    let mut shell = shell();
    shell.prints("db.coll.insertMany([{_id: 1, n: 1}, {_id: 2, n: 1}, {_id: 3, n: 5}])");
    let counts = |printed: &str| -> String {
        squeezed(printed)
            .chars()
            .filter(|c| c.is_ascii_digit() || *c == ' ')
            .collect::<String>()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(counts(&shell.prints("db.coll.updateMany({n: 1}, {$inc: {n: 1}, $set: {'a.b': true}})")), "2 2 0");
    assert_eq!(counts(&shell.prints("db.coll.updateOne({n: 2}, {$unset: {a: ''}})")), "1 1 0");
    assert_eq!(counts(&shell.prints("db.coll.updateOne({_id: 3}, {$set: {n: 5}})")), "1 0 0");
    assert_eq!(counts(&shell.prints("db.coll.replaceOne({_id: 3}, {m: 1})")), "1 1 0");
    assert!(
        shell.prints("db.coll.updateOne({_id: 7}, {$set: {n: 1}}, {upsert: true})").contains("\"upsertedCount\" : 1")
    );
    assert_eq!(
        shell.prints("db.coll.find()"),
        "{ \"_id\" : 1, \"n\" : 2 }\n{ \"_id\" : 2, \"n\" : 2, \"a\" : { \"b\" : true } }\n{ \"_id\" : 3, \"m\" : 1 }\n\
         { \"_id\" : 7, \"n\" : 1 }"
    );
    assert_eq!(counts(&shell.prints("db.coll.deleteOne({n: 2})")), "1");
    assert_eq!(counts(&shell.prints("db.coll.deleteMany({})")), "3");
    assert_eq!(shell.count(), "0");
}

#[test]
fn an_update_restarts_the_clock() {
    let mut shell = shell();
    shell.prints("db.coll.createIndex({_ts: 1}, {expireAfterSeconds: 10}); db.coll.insertOne({_id: 1})");
    shell.clock.advance(9);
    shell.prints("db.coll.updateOne({_id: 1}, {$set: {a: 1}})");
    shell.clock.advance(9);
    assert_eq!(shell.count(), "1");
    shell.clock.advance(1);
    assert_eq!(shell.count(), "0");
    // An expired document is no obstacle.
    shell.prints("db.coll.insertOne({_id: 1})");
}

#[test]
fn databases_and_collections() {
    let mut shell = shell();
    assert_eq!(shell.prints("db"), "globaldb");
    assert_eq!(shell.prints("show dbs"), "none");
    shell.prints("db.coll.insertOne({})\ndb.createCollection('other')");
    assert_eq!(shell.prints("show collections"), "coll\nother");
    assert_eq!(squeezed(&shell.prints("db.getCollectionNames()")), "[ \"coll\", \"other\" ]");
    assert_eq!(shell.prints("use second"), "switched to db second");
    shell.prints("db.getCollection('with-dash').insertOne({a: 1}); db[\"with-dash\"].insertOne({a: 2})");
    assert_eq!(shell.prints("db['with-dash'].countDocuments({})"), "2");
    assert_eq!(shell.prints("show dbs"), "globaldb\nsecond");
    assert_eq!(shell.prints("db['with-dash'].drop()"), "true");
    assert_eq!(shell.prints("db['with-dash'].drop()"), "false");
    assert!(shell.prints("db.dropDatabase()").contains("second"));
    assert_eq!(shell.prints("show dbs"), "globaldb");
    assert!(shell.fails("use globaldb; db.createCollection('coll')").contains("48"));
}

#[test]
fn a_duplicate_key_is_told_and_what_came_before_it_stays() {
    let mut shell = shell();
    shell.prints("db.coll.insertOne({_id: 2})");
    let outcome = shell.run("db.coll.insertMany([{_id: 1}, {_id: NumberLong(2)}, {_id: 3}])");
    let text: String = outcome.printed.iter().map(|printed| printed.text.as_str()).collect();
    assert!(text.contains("11000") && text.contains("DuplicateKey") && text.contains("document 1"), "{text}");
    assert_eq!(shell.count(), "2");
    // Nothing after an error is run.
    shell.run("db.coll.insertOne({_id: 2}); db.coll.insertOne({_id: 4})");
    assert_eq!(shell.count(), "2");
}

#[test]
fn the_services_own_property_is_never_printed() {
    let mut shell = shell();
    shell.prints("db.coll.insertOne({_id: 1, _ts: 5, a: 1})");
    for text in ["db.coll.find()", "db.coll.findOne()", "db.coll.find().toArray()", "db.coll.distinct('_ts')"] {
        assert!(!shell.prints(text).contains("_ts"), "{text}");
    }
}

#[rstest]
#[case("db.coll.insert({a: 1", 1, 21)]
#[case("db.coll.find({})\ndb.coll.insert({a: ,})", 2, 20)]
#[case("db.coll.insert({a: 'x})", 1, 20)]
#[case("db.coll.fnd({})", 1, 9)]
#[case("var a = 1", 1, 1)]
#[case("for (;;) {}", 1, 1)]
fn a_fault_of_the_syntax_has_its_place(#[case] text: &str, #[case] line: usize, #[case] column: usize) {
    let error = shell().fails(text);
    assert!(error.contains(&format!("line {line}, column {column}")), "{text}: {error}");
}

#[test]
fn hostile_input_is_an_error_and_never_a_panic() {
    let mut shell = shell();
    let deep = "[".repeat(100_000);
    let long = format!("db.coll.insertOne({{a: \"{}\"}})", "x".repeat(1_000_000));
    shell.prints(&long);
    for text in [
        format!("db.coll.insert({{a: {deep}}})"),
        "db.coll.insert({\"a\\u0000b\": 1})".to_owned(),
        "db.coll.insert({\"a\0b\": 1})".to_owned(),
        "db.coll.insert({a: \"".to_owned(),
        "db.coll.insert({a: /x".to_owned(),
        "/* never closed".to_owned(),
        "db.coll.insert({$a: 1})".to_owned(),
        "db.coll.insert({a: 1e999999})".to_owned(),
        "db.coll.find({a: /(/})".to_owned(),
        "db.coll.insert({a: NumberLong(\"99999999999999999999\")})".to_owned(),
        "db.coll.insert({a: ISODate('soon')})".to_owned(),
        "db.coll.insert({a: ObjectId('xyz')})".to_owned(),
        "db..find()".to_owned(),
        "db.coll.find().sort(1)".to_owned(),
        "db.coll.find().limit(-1e300)".to_owned(),
        format!("use {}", "x".repeat(300)),
        "use a/b; db.coll.insertOne({})".to_owned(),
    ] {
        let outcome = shell.run(&text);
        let shown: String = text.chars().take(60).collect();
        assert_eq!(
            outcome.printed.last().map(|printed| printed.kind),
            Some(Kind::Error),
            "{shown}: {:?}",
            outcome.printed
        );
        shell.session = Session::new("globaldb");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 300, ..ProptestConfig::default() })]
    #[test]
    fn no_text_panics(text in any::<String>(), mangled in "(db|use|show|\\.|coll|find|insert|\\(|\\)|\\{|\\}|\\[|\\]|:|,|'|\"|a|1|-|/|;|\n| ){0,40}") {
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new(Instant::from_secs(5)));
        let options = EngineOptions { clock, store_clock: true, background: false, store: store::Options::tiny() };
        let engine = Engine::open(dir.path(), options).unwrap();
        for text in [text, mangled] {
            run(&engine, Session::new("db"), &text);
        }
    }
}

/// A server's cursor stands where it stands: documents that expire behind it are no reason to leave others out.
#[rstest]
#[case("", ["20", "39"])]
#[case(".sort({g: 1, _id: -1})", ["39", "20"])]
#[case(".sort({g: 1})", ["20", "39"])]
fn it_goes_on_behind_the_last_one_that_was_printed(#[case] sort: &str, #[case] ends: [&str; 2]) {
    let mut shell = shell();
    shell.prints("db.coll.createIndex({\"_ts\": 1}, {expireAfterSeconds: -1})");
    let document = |n: usize| match n {
        0..10 => format!("{{_id: {n}, g: 0, ttl: 10}}"),
        10..20 => format!("{{_id: {n}, g: 0}}"),
        _ => format!("{{_id: {n}, g: 1}}"),
    };
    let documents: Vec<String> = (0..40).map(document).collect();
    shell.prints(&format!("db.coll.insertMany([{}])", documents.join(",")));
    let first = shell.prints(&format!("db.coll.find({{}}, {{_id: 1}}){sort}"));
    assert_eq!(first.lines().count(), 21, "{first}");
    shell.clock.advance(10);
    let second = shell.prints("it");
    let ids: Vec<&str> = second.lines().filter_map(|line| line.split([':', '}']).nth(1)).map(str::trim).collect();
    assert_eq!((ids.len(), [ids[0], ids[ids.len() - 1]]), (20, ends), "{second}");
    assert_eq!(shell.prints("it"), "no cursor");
}

#[test]
fn distinct_takes_an_array_apart_once() {
    let mut shell = shell();
    shell.prints("db.coll.insertMany([{_id: 1, a: [1, [1], 1]}, {_id: 2, a: 2}])");
    assert_eq!(squeezed(&shell.prints("db.coll.distinct('a')")), "[ 1, 2, [ 1 ] ]");
}

#[rstest]
#[case("{a: 1, l: [2.0]}", "{a: 1.0, l: [NumberLong(2)]}")]
#[case("5", "5.0")]
fn an_id_is_one_whatever_the_types_of_its_numbers(#[case] id: &str, #[case] equal: &str) {
    let mut shell = shell();
    shell.prints(&format!("db.coll.insertOne({{_id: {id}}})"));
    assert_eq!(shell.prints(&format!("db.coll.countDocuments({{_id: {equal}}})")), "1");
    let error = shell.fails(&format!("db.coll.insertOne({{_id: {equal}}})"));
    assert!(error.contains("11000"), "{error}");
}

#[rstest]
#[case("5", "5.0", "1")]
#[case("1.5", "1.50", "1")]
#[case("5", "5.1", "0")]
fn a_decimal_finds_the_id_that_it_equals(#[case] id: &str, #[case] decimal: &str, #[case] count: &str) {
    let mut shell = shell();
    shell.prints(&format!("db.coll.insertOne({{_id: {id}}})"));
    assert_eq!(shell.prints(&format!("db.coll.countDocuments({{_id: NumberDecimal('{decimal}')}})")), count);
}

#[test]
fn an_index_is_not_made_twice_under_another_name_and_no_name_is_taken_twice() {
    let mut shell = shell();
    shell.prints("db.coll.createIndex({\"_ts\": 1}, {expireAfterSeconds: 10})");
    shell.prints("db.coll.createIndex({_id: 1})");
    assert_eq!(shell.prints("db.coll.getIndexes()").matches("\"name\"").count(), 2, "_id has its index from the start");
    for name in ["_ts_1", "_id_"] {
        let error = shell.fails(&format!("db.coll.createIndex({{b: 1}}, {{name: '{name}'}})"));
        assert!(error.contains("IndexOptionsConflict"), "{error}");
    }
}

#[test]
fn an_upsert_of_null_counts() {
    let mut shell = shell();
    let answer = shell.prints("db.coll.updateOne({_id: null}, {$set: {a: 1}}, {upsert: true})");
    assert!(squeezed(&answer).contains("\"upsertedCount\" : 1"), "{answer}");
}

#[rstest]
#[case("{a: 1}, {unique: true}")]
#[case("{createdAt: 1}, {expireAfterSeconds: 5}")]
fn an_index_that_is_refused_makes_no_collection(#[case] arguments: &str) {
    let mut shell = shell();
    shell.fails(&format!("db.coll.createIndex({arguments})"));
    assert_eq!(shell.prints("show collections"), "none");
}
