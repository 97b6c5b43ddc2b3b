//! MongoDB in the explorer: (state, keys) → (state, effects), on the real engine with a clock that moves when told to.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use bson::{Document, doc};
use support::session::Session;
use ttl_explorer::app::{Answer, Command, Effect, Focus, Msg, Tab};
use ttl_explorer::domain::Instant;
use ttl_explorer::domain::nosql::DefaultTtl;
use ttl_explorer::engine::{Api, Clock, Engine, EngineOptions};
use ttl_explorer::runtime::respond;

/// A database `globaldb` with a collection `coll` and these documents, open.
fn coll(ttl: DefaultTtl, documents: &[Document]) -> Session {
    let mut session = Session::prepared(120, 36, |engine| fill(engine, ttl, documents));
    session.keys("g Down Enter");
    session
}

fn fill(engine: &Engine, ttl: DefaultTtl, documents: &[Document]) {
    let database = engine.create_database("globaldb", Api::MongoDb).unwrap();
    let no = engine.create_collection(database, "coll", ttl).unwrap();
    engine.insert_documents(no, documents.to_vec()).unwrap();
}

fn text(session: &Session) -> String {
    session.model.pane.as_ref().expect("an open document").editor.text()
}

fn ttl(session: &Session) -> DefaultTtl {
    session.model.open_container().unwrap().default_ttl()
}

#[test]
fn a_database_a_collection_and_a_document_are_made() {
    let mut session = Session::empty(120, 36);
    session.keys("D");
    session.type_text("globaldb");
    session.keys("Tab Right Enter");
    assert_eq!(session.model.catalog.databases["globaldb"].api, Api::MongoDb);
    session.keys("C");
    assert_eq!(session.asked().as_deref(), Some("New Collection"));
    session.type_text("coll");
    session.keys("Tab Right Right Tab");
    session.type_text("10");
    session.keys("Enter");
    assert!(session.said().contains("Collection globaldb/coll created"), "{}", session.said());
    assert_eq!(ttl(&session), DefaultTtl::Seconds(10));
    session.keys("n M-a");
    session.send(Msg::Paste("{\"ttl\": {\"$numberLong\": \"20\"}, \"x\": 1.0}".to_owned()));
    assert!(session.screen().contains("its own ttl 20 s, not the collection's 10 s"), "{}", session.screen());
    session.keys("C-s");
    let shown = text(&session);
    assert!(
        shown.contains("\"_id\": {\"$oid\":") && shown.contains("\"$numberLong\": \"20\"") && shown.contains("1.0"),
        "{shown}"
    );
    session.advance(19);
    assert_eq!(session.ids().len(), 1);
    session.advance(1);
    assert_eq!(session.ids().len(), 0);
}

#[test]
fn a_row_says_whether_its_ttl_counts_and_if_not_why() {
    let mut session = coll(DefaultTtl::Seconds(10), &[doc! { "_id": 1, "ttl": 20.5 }, doc! { "_id": 2, "ttl": 20 }]);
    let screen = session.screen();
    assert!(screen.contains("20.5 has a fraction") && screen.contains("counts"), "{screen}");
    assert!(screen.contains("20.5 has a fraction: the collection's 10 s apply"), "{screen}");
    session.keys("2 Up Up C-s");
    assert_eq!(session.asked(), None, "nothing is hidden, nothing comes back");
    session.keys("Esc 1 Down");
    assert!(session.screen().contains("never, no TTL index: ttl 20 is ignored"), "{}", session.screen());
}

#[test]
fn the_form_makes_changes_and_drops_the_index() {
    let mut session = coll(DefaultTtl::Off, &[doc! { "_id": 1 }]);
    session.advance(20);
    session.keys("2");
    assert!(session.screen().contains("TTL index on _ts") && session.screen().contains("_id_"), "{}", session.screen());
    session.keys("Down Down");
    session.type_text("30");
    session.keys("C-s");
    assert_eq!(ttl(&session), DefaultTtl::Seconds(30));
    session.keys("Backspace Backspace");
    session.type_text("5");
    assert!(session.screen().contains("_ts_1 is dropped and created again"), "{}", session.screen());
    session.keys("C-s");
    assert_eq!(session.asked().as_deref(), Some("Save Time to Live"), "one document expires at once");
    session.keys("s");
    assert_eq!((ttl(&session), session.ids().len()), (DefaultTtl::Seconds(5), 0));
    session.keys("Up Up C-s s");
    assert_eq!(ttl(&session), DefaultTtl::Off);
    session.keys("Esc 1");
    assert_eq!(session.ids(), ["1"]);
}

#[test]
fn an_edit_keeps_the_types_and_a_fault_has_its_place() {
    let mut session = coll(DefaultTtl::Off, &[doc! { "_id": 1, "a": 20.0, "b": 20i64, "c": 20 }]);
    session.keys("Enter");
    let shown = text(&session);
    assert!(
        shown.contains("\"a\": 20.0")
            && shown.contains("\"b\": {\"$numberLong\": \"20\"}")
            && shown.contains("\"c\": 20"),
        "{shown}"
    );
    session.keys("M-a");
    session.send(Msg::Paste(shown.replace("\"c\": 20", "\"c\": 21")));
    session.keys("C-s");
    assert!(session.said().contains("1 updated"), "{}", session.said());
    session.keys("M-a");
    session.send(Msg::Paste("{\"_id\": 1, \"a\": 1, \"a\": 2}".to_owned()));
    session.keys("C-s");
    assert!(session.screen().contains("line 1, column"), "{}", session.screen());
    session.keys("M-a");
    session.send(Msg::Paste("{\"_id\": 2}".to_owned()));
    session.keys("C-s");
    assert_eq!(session.asked().as_deref(), Some("Another item"));
}

#[test]
fn the_shell_runs_on_the_same_store() {
    let mut session = coll(DefaultTtl::Off, &[]);
    session.keys("4");
    assert_eq!((session.model.tab, session.model.focus), (Tab::Shell, Focus::Shell));
    session.type_text("db.coll.insert({a: 1, ttl: 20.5})");
    session.keys("Enter");
    assert!(session.screen().contains("WriteResult({ \"nInserted\" : 1 })"), "{}", session.screen());
    session.type_text("db.coll.createIndex({_ts: 1}, {expireAfterSeconds: 10})");
    session.keys("Enter");
    assert_eq!(ttl(&session), DefaultTtl::Seconds(10));
    assert!(session.screen().contains("TTL 10s"), "the tree follows: {}", session.screen());
    session.advance(10);
    session.type_text("db.coll.countDocuments({})");
    session.keys("Enter");
    assert!(session.screen().lines().any(|line| line.trim_end().ends_with("│   0")), "{}", session.screen());
    session.type_text("db.coll.fnd()");
    session.keys("Enter");
    assert!(session.screen().contains('✗') && session.screen().contains("find"), "{}", session.screen());
}

#[test]
fn a_statement_over_several_lines_runs_when_it_is_whole() {
    let mut session = coll(DefaultTtl::Off, &[]);
    session.keys("4");
    session.type_text("db.coll.insertOne({");
    session.keys("Enter");
    session.type_text("a: 1})");
    assert_eq!(session.model.shell.input.lines().len(), 2);
    session.keys("Enter");
    assert_eq!(session.model.shell.input.text(), "");
    assert!(session.screen().contains("insertedId"), "{}", session.screen());
    // A paste runs nothing by itself.
    session.send(Msg::Paste("db.coll.deleteMany({})\ndb.coll.drop()\n".to_owned()));
    assert!(session.model.catalog.databases["globaldb"].containers.contains_key("coll"));
}

#[test]
fn the_history_survives_a_restart_and_words_are_completed() {
    let mut session = coll(DefaultTtl::Off, &[]);
    session.keys("4");
    session.type_text("db.co");
    session.keys("Tab");
    session.type_text(".insertM");
    session.keys("Tab");
    session.type_text("([{a: 1}])");
    assert_eq!(session.model.shell.input.text(), "db.coll.insertMany([{a: 1}])");
    session.keys("Enter");
    session.type_text("show dbs");
    session.keys("Enter Up Up");
    assert_eq!(session.model.shell.input.text(), "db.coll.insertMany([{a: 1}])");
    assert_eq!(session.engine.shell_history().unwrap(), ["db.coll.insertMany([{a: 1}])", "show dbs"]);
    session.keys("Down Down");
    session.type_text("insert");
    session.keys("C-r");
    assert_eq!(session.model.shell.input.text(), "db.coll.insertMany([{a: 1}])");
}

#[test]
fn the_shell_needs_a_database_of_its_kind() {
    let mut session = Session::empty(120, 36);
    session.keys("4");
    assert!(session.said().contains("The shell speaks to MongoDB databases"), "{}", session.said());
    assert_ne!(session.model.tab, Tab::Shell);
}

#[test]
fn exit_leaves_the_shell_and_cls_empties_it() {
    let mut session = coll(DefaultTtl::Off, &[]);
    session.keys("4");
    for text in ["show dbs", "cls"] {
        session.type_text(text);
        session.keys("Enter");
    }
    assert!(!session.screen().contains("show dbs"), "{}", session.screen());
    session.type_text("exit");
    session.keys("Enter");
    assert_eq!(session.model.tab, Tab::Items);
}

#[test]
fn the_sample_is_the_vendors_page() {
    let mut session = Session::sample(120, 36);
    let no = session.model.catalog.databases["globaldb"].containers["coll"].no;
    let alive =
        |session: &Session| session.engine.totals(ttl_explorer::engine::Scope::Container(no)).unwrap().alive().n;
    assert_eq!(alive(&session), 5);
    session.advance(10);
    assert_eq!(alive(&session), 3);
    session.advance(10);
    assert_eq!(alive(&session), 0);
}

#[test]
fn a_collection_that_is_dropped_takes_no_edited_text_and_no_shell_with_it() {
    let mut session = coll(DefaultTtl::Off, &[doc! { "_id": 1 }]);
    session.keys("Enter M-a");
    session.send(Msg::Paste("{\"_id\": 1, \"precious\": true}".to_owned()));
    // The tree goes, and comes back with the keys.
    session.keys("F2 F2 4");
    assert_eq!(session.model.focus, Focus::Shell);
    session.type_text("db.coll.drop()");
    session.keys("Enter");
    assert!(session.model.catalog.containers.is_empty());
    assert_eq!((session.model.tab, session.model.focus), (Tab::Shell, Focus::Shell));
    assert!(session.screen().contains("true"), "{}", session.screen());
    assert!(text(&session).contains("precious"));
    // On the way to anywhere else it is asked for.
    session.type_text("db.other.insert({_id: 1})");
    session.keys("Enter Esc g Down Enter");
    assert_eq!(session.asked().as_deref(), Some("Unsaved text"));
    assert!(session.screen().contains("deleted: a client gets 404. The text stays."), "{}", session.screen());
    session.keys("s");
    assert!(session.said().contains("not saved") && text(&session).contains("precious"), "{}", session.said());
}

/// A clock that goes on half a second whenever it is looked at.
#[derive(Debug)]
struct Hurried(AtomicI64);

impl Clock for Hurried {
    fn now(&self) -> Instant {
        Instant::from_ticks(self.0.fetch_add(5_000_000, Ordering::SeqCst))
    }

    fn real_time_until(&self, _: Instant) -> Option<std::time::Duration> {
        None
    }
}

#[test]
fn what_expires_before_it_is_shown_was_saved_all_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(Hurried(AtomicI64::new(Instant::from_secs(support::session::START).ticks())));
    let options =
        EngineOptions { clock, store_clock: true, background: false, store: ttl_explorer::store::Options::tiny() };
    let engine = Engine::open(dir.path(), options).unwrap();
    fill(&engine, DefaultTtl::Seconds(1), &[]);
    let no = engine.catalog().databases["globaldb"].containers["coll"].no;
    for _ in 0..4 {
        match respond(&engine, Effect::Do(Command::CreateItem(no, "{}".to_owned()))) {
            Some(Answer::Saved { result, .. }) => assert!(result.is_ok(), "{result:?}"),
            other => panic!("{other:?}"),
        }
    }
}
