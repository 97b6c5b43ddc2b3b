//! Statements to commands.

use super::*;
use crate::domain::Instant;
use crate::shell::parse;
use bson::doc;
use rstest::rstest;

fn one(text: &str) -> Result<Command, ShellError> {
    let statements = parse(text, Instant::from_secs(0)).expect("statements");
    assert_eq!(statements.len(), 1);
    command(text, &statements[0])
}

fn action_of(call: &str) -> Action {
    match one(&format!("db.c.{call}")).expect("a command") {
        Command::On { collection, action } if collection == "c" => action,
        other => panic!("not on the collection: {other:?}"),
    }
}

#[rstest]
#[case("use test", Command::Use("test".into()))]
#[case("show dbs", Command::ShowDatabases)]
#[case("show tables", Command::ShowCollections { as_array: false })]
#[case("db.getCollectionNames()", Command::ShowCollections { as_array: true })]
#[case("db", Command::CurrentDatabase)]
#[case("db.getName()", Command::CurrentDatabase)]
#[case("it", Command::More)]
#[case("help", Command::Help)]
#[case("cls", Command::Clear)]
#[case("quit", Command::Exit)]
#[case("db.dropDatabase()", Command::DropDatabase)]
#[case("db.createCollection('x')", Command::CreateCollection("x".into()))]
fn commands_of_the_shell(#[case] text: &str, #[case] expected: Command) {
    assert_eq!(one(text), Ok(expected));
}

#[rstest]
#[case("insert({a: 1})", InsertForm::Insert, 1, true)]
#[case("insert([{a: 1}, {}])", InsertForm::Insert, 2, true)]
#[case("insertOne({a: 1})", InsertForm::One, 1, true)]
#[case("insertMany([{a: 1}], {ordered: false, writeConcern: {w: 1}})", InsertForm::Many, 1, false)]
fn inserts(#[case] call: &str, #[case] form: InsertForm, #[case] count: usize, #[case] ordered: bool) {
    let mut documents = vec![doc! { "a": 1 }];
    documents.resize(count, doc! {});
    assert_eq!(action_of(call), Action::Insert { documents, form, ordered });
}

#[rstest]
#[case("find()", Find::default())]
#[case("find(null, {a: 1})", Find { projection: doc! { "a": 1 }, ..Find::default() })]
#[case("find({a: 1}).pretty()", Find { filter: doc! { "a": 1 }, pretty: true, ..Find::default() })]
#[case("find().sort({a: -1}).skip(2).limit(5)", Find { sort: doc! { "a": -1 }, skip: 2, limit: Some(5), ..Find::default() })]
#[case("find().limit(0)", Find::default())]
#[case("find().limit(-3)", Find { limit: Some(3), ..Find::default() })]
#[case("find().limit(2.0).toArray()", Find { limit: Some(2), output: Output::Array, ..Find::default() })]
#[case("find().count()", Find { output: Output::Count { limited: false }, ..Find::default() })]
#[case("find().count(true)", Find { output: Output::Count { limited: true }, ..Find::default() })]
#[case("find().size()", Find { output: Output::Count { limited: true }, ..Find::default() })]
#[case("findOne({a: 1})", Find { filter: doc! { "a": 1 }, limit: Some(1), output: Output::One, ..Find::default() })]
fn finds(#[case] call: &str, #[case] find: Find) {
    assert_eq!(action_of(call), Action::Find(Box::new(find)));
}

#[rstest]
#[case("deleteOne({})", Removal::One)]
#[case("deleteMany({})", Removal::Many)]
#[case("remove({})", Removal::Remove { just_one: false })]
#[case("remove({}, true)", Removal::Remove { just_one: true })]
#[case("remove({}, {justOne: true})", Removal::Remove { just_one: true })]
fn deletions(#[case] call: &str, #[case] form: Removal) {
    assert_eq!(action_of(call), Action::Delete { filter: doc! {}, form });
}

#[rstest]
#[case("count()", Action::Count(CountOf::Matching(doc! {})))]
#[case("countDocuments({a: 1})", Action::Count(CountOf::Matching(doc! { "a": 1 })))]
#[case("estimatedDocumentCount()", Action::Count(CountOf::Estimated))]
#[case("distinct('a.b', {c: 1})", Action::Distinct { field: "a.b".into(), filter: doc! { "c": 1 } })]
#[case("getIndexes()", Action::ListIndexes)]
#[case("drop()", Action::Drop)]
#[case("dropIndex('_ts_1')", Action::DropIndexes(DropTarget::Names(vec!["_ts_1".into()])))]
#[case("dropIndex({_ts: 1})", Action::DropIndexes(DropTarget::Key(doc! { "_ts": 1 })))]
#[case("dropIndexes()", Action::DropIndexes(DropTarget::All))]
#[case("dropIndexes('*')", Action::DropIndexes(DropTarget::All))]
#[case("dropIndexes(['a_1'])", Action::DropIndexes(DropTarget::Names(vec!["a_1".into()])))]
#[case("updateOne({a: 1}, {$set: {b: 2}})", Action::Update { filter: doc! { "a": 1 }, update: doc! { "$set": { "b": 2 } }, many: false, upsert: false })]
#[case("updateMany({}, {$inc: {b: 2}}, {upsert: true})", Action::Update { filter: doc! {}, update: doc! { "$inc": { "b": 2 } }, many: true, upsert: true })]
#[case("replaceOne({}, {b: 2})", Action::Replace { filter: doc! {}, replacement: doc! { "b": 2 }, upsert: false })]
fn the_other_methods(#[case] call: &str, #[case] expected: Action) {
    assert_eq!(action_of(call), expected);
}

#[test]
fn indexes_are_asked_for_in_four_ways() {
    let request = |options| IndexRequest { key: doc! { "_ts": 1 }, options };
    let plain = Action::CreateIndexes(vec![request(doc! { "expireAfterSeconds": 10 })]);
    for call in ["createIndex", "ensureIndex"] {
        assert_eq!(action_of(&format!("{call}({{\"_ts\":1}}, {{expireAfterSeconds: 10}})")), plain);
    }
    assert_eq!(action_of("createIndexes([{_ts: 1}], {expireAfterSeconds: 10})"), plain);
    let text = "db.runCommand({createIndexes: 'c', indexes: [{key: {_ts: 1}, name: '_ts_1', expireAfterSeconds: 10}]})";
    let run = RunCommand::CreateIndexes {
        collection: "c".into(),
        indexes: vec![request(doc! { "name": "_ts_1", "expireAfterSeconds": 10 })],
    };
    assert_eq!(one(text), Ok(Command::Run(run)));
}

#[rstest]
#[case("{listIndexes: 'c'}", RunCommand::ListIndexes { collection: "c".into() })]
#[case("{dropIndexes: 'c', index: '*'}", RunCommand::DropIndexes { collection: "c".into(), target: DropTarget::All })]
#[case("{collMod: 'c', index: {}}", RunCommand::CollMod)]
#[case("{foo: 1}", RunCommand::Unknown { name: "foo".into() })]
#[case("'ping'", RunCommand::Unknown { name: "ping".into() })]
fn run_commands(#[case] argument: &str, #[case] expected: RunCommand) {
    assert_eq!(one(&format!("db.runCommand({argument})")), Ok(Command::Run(expected)));
}

#[rstest]
#[case("db.c", 1, "expected a method behind the collection, such as db.c.find()")]
#[case("db.c.find", 1, "`find` is called with brackets: db.c.find()")]
#[case("db.c.insertOne()", 6, "insertOne needs a document")]
#[case("db.c.insertOne('x')", 16, "insertOne needs a document, not a string")]
#[case("db.c.insertOne([{}])", 16, "insertOne needs a document, not an array")]
#[case("db.c.insertOne({}, {}, 1)", 24, "insertOne takes 2 arguments at most")]
#[case("db.c.insertOne({}, {upsert: true})", 20, "insertOne has no option `upsert` here")]
#[case("db.c.insertMany({})", 17, "insertMany needs an array of documents, at least one, not a document")]
#[case("db.c.insertMany([])", 17, "not an empty array")]
#[case("db.c.insertMany([{}, 5])", 17, "not a number")]
#[case("db.c.find(5)", 11, "find needs a filter, not a number")]
#[case("db.c.find({}, {}, 5)", 19, "find takes 2 arguments at most")]
#[case("db.c.find().limit()", 13, "limit needs a whole number")]
#[case("db.c.find().limit(1.5)", 19, "limit needs a whole number, not a number with a fraction")]
#[case("db.c.find().skip(-1)", 13, "not negative")]
#[case("db.c.find().count().sort({})", 21, "the answer of `count` has no method `sort`")]
#[case("db.c.find().sotr({})", 13, "a cursor has no method `sotr`: did you mean `sort`?")]
#[case("db.c.findOne().pretty()", 16, "the answer of `findOne` has no method `pretty`")]
#[case("db.c.updateOne({})", 6, "updateOne needs operators behind the filter: {$set: {…}}")]
#[case("db.c.updateOne({}, [])", 20, "not an empty array")]
#[case("db.c.updateOne({}, {}, {multi: true})", 24, "no option `multi`")]
#[case("db.c.updateOne({}, {}, {upsert: 1})", 6, "`upsert` is true or false")]
#[case("db.c.replaceOne({})", 6, "replaceOne needs the new document behind the filter")]
#[case("db.c.deleteMany()", 6, "deleteMany needs a filter: {} for all documents")]
#[case("db.c.remove()", 6, "remove needs a filter")]
#[case("db.c.createIndex()", 6, "createIndex needs fields and directions")]
#[case("db.c.createIndex({})", 6, "an index needs at least one field")]
#[case("db.c.createIndexes({_ts: 1})", 20, "an array of keys: [{\"_ts\": 1}], not a document")]
#[case("db.c.dropIndex()", 6, "dropIndex needs the name of an index")]
#[case("db.c.dropIndexes(5)", 18, "not a number")]
#[case("db.c.distinct({})", 15, "the name of a field in quotes, not a document")]
#[case("db.c.getIndexes(1)", 17, "getIndexes takes no argument")]
#[case("db.c.insertone({})", 6, "a collection has no method `insertone`: did you mean `insertOne`?")]
#[case("db.c.aggregate([])", 6, "a collection has no method `aggregate`. Known are count, ")]
#[case("db.find()", 4, "`find` is a method of a collection: db.coll.find(…)")]
#[case("db.dropDatabse()", 4, "`db` has no method `dropDatabse`: did you mean `dropDatabase`?")]
#[case("db.createCollection()", 4, "createCollection needs the name of a collection in quotes")]
#[case("db.createCollection('x', {capped: true})", 26, "no option `capped`")]
#[case("db.runCommand()", 4, "runCommand needs a command")]
#[case("db.runCommand({})", 4, "runCommand needs a command")]
#[case("db.runCommand({listIndexes: 1})", 4, "{listIndexes: \"coll\"}")]
#[case("db.runCommand({createIndexes: 'c'})", 4, "runCommand needs indexes:")]
#[case("db.runCommand({dropIndexes: 'c'})", 4, "runCommand needs index:")]
fn faults_name_what_is_missing(#[case] text: &str, #[case] column: usize, #[case] words: &str) {
    let error = one(text).expect_err("a fault");
    assert!(error.message.contains(words), "{error}");
    assert_eq!((error.place.line, error.place.column), (1, column), "{error}");
}
