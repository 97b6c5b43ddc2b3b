//! The filter of the item list: (state, keys) → (state, effects), on the real engine.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use bson::doc;
use support::session::Session;
use ttl_explorer::app::{Focus, Msg, Target};
use ttl_explorer::domain::nosql::DefaultTtl;
use ttl_explorer::engine::{Api, Engine};

/// A MongoDB collection with documents 1 to 9 whose `ttl` is ten times their id, open.
fn collection() -> Session {
    let mut session = Session::prepared(120, 36, |engine: &Engine| {
        let database = engine.create_database("globaldb", Api::MongoDb).unwrap();
        let no = engine.create_collection(database, "coll", DefaultTtl::NoDefault).unwrap();
        let documents = (1..10).map(|n| doc! { "_id": n, "ttl": n * 10, "odd": n % 2 == 1 });
        engine.insert_documents(no, documents.collect::<Vec<_>>()).unwrap();
    });
    session.keys("g Down Enter");
    session
}

fn filter(session: &mut Session, text: &str) {
    session.keys("/ C-u");
    session.type_text(text);
    session.keys("Enter");
}

#[test]
fn rows_that_match_are_shown_until_the_filter_goes() {
    let mut session = collection();
    filter(&mut session, "{ odd: true, ttl: { $gt: 10 } }");
    assert_eq!(session.ids(), ["3", "5", "7", "9"]);
    assert_eq!(session.model.focus, Focus::Items);
    let screen = session.screen();
    assert!(screen.contains("find { odd: true") && screen.contains("4 documents · 9 documents read in"), "{screen}");
    session.keys("Esc");
    assert_eq!(session.ids().len(), 9);
    assert!(!session.screen().contains("documents read in"));
}

#[test]
fn what_expires_leaves_a_filtered_list_and_what_is_written_enters_it() {
    let mut session = collection();
    filter(&mut session, "{ odd: true }");
    session.advance(30);
    assert_eq!(session.ids(), ["5", "7", "9"]);
    session.keys("n M-a");
    session.send(Msg::Paste("{\"_id\": 11, \"odd\": true}".to_owned()));
    session.keys("C-s");
    assert_eq!(session.ids(), ["5", "7", "9", "11"]);
}

#[test]
fn a_fault_stands_by_the_filter_and_the_rows_stay() {
    let mut session = collection();
    filter(&mut session, "{ odd: true }");
    filter(&mut session, "{ odd: }");
    assert!(session.screen().contains("column 8: "), "{}", session.screen());
    assert_eq!((session.ids().len(), session.model.focus), (5, Focus::Filter));
    filter(&mut session, "{ ttl: { $near: 1 } }");
    assert!(session.screen().contains("$near"), "{}", session.screen());
    session.keys("Esc");
    assert!(session.screen().contains("find { odd: true }"), "{}", session.screen());
    assert_eq!((session.ids().len(), session.model.focus), (5, Focus::Items));
}

#[test]
fn a_filter_that_takes_long_is_not_read_again_by_itself_but_its_rows_stay_true() {
    let mut session = collection();
    filter(&mut session, "{ ttl: { $gte: 50 } }");
    session.model.filter.found.as_mut().unwrap().took_millis = 5_000.0;
    session.advance(20);
    session.keys("Home w");
    assert!(session.screen().contains("changed since, F5 reads again"), "{}", session.screen());
    assert_eq!(session.model.items.current().unwrap().written, session.engine.now());
    assert!(session.screen().contains("50 s doc.             00:50"), "{}", session.screen());
    session.keys("Space d d");
    assert_eq!(session.asked(), None);
    assert_eq!((session.ids(), session.model.marked.len()), (vec!["6".into(), "7".into(), "8".into(), "9".into()], 0));
    session.keys("F5");
    assert!(!session.screen().contains("changed since"), "{}", session.screen());
}

#[test]
fn an_edited_text_stays_while_the_list_is_filtered() {
    let mut session = collection();
    session.keys("Enter");
    session.type_text("x");
    session.send(Msg::Click { target: Target::ItemsPane, double: false });
    filter(&mut session, "{ _id: 9 }");
    assert!(session.screen().contains("1 document · found by its key"), "{}", session.screen());
    let pane = session.model.pane.as_ref().unwrap();
    assert!(pane.is_dirty() && pane.editor.text().starts_with('x'));
    session.keys("Down");
    assert!(session.asked().is_some(), "the text is asked about before another document opens");
}

#[test]
fn what_is_marked_and_hidden_is_not_deleted() {
    let mut session = collection();
    session.keys("Space Space");
    filter(&mut session, "{ _id: { $gt: 1 } }");
    assert_eq!(session.model.marked.len(), 1);
    session.keys("a a");
    assert_eq!(session.model.marked.len(), 8);
    filter(&mut session, "{ odd: true }");
    assert_eq!(session.model.marked.len(), 4, "3, 5, 7 and 9");
    session.keys("Esc Esc");
    assert_eq!((session.ids().len(), session.model.marked.len()), (9, 0));
}

#[test]
fn an_item_from_the_countdown_takes_the_filter_away() {
    let mut session = collection();
    filter(&mut session, "{ odd: false }");
    session.keys("3 Enter");
    assert!(!session.model.filter.is_on());
    assert_eq!(session.ids().len(), 9);
}

#[test]
fn older_filters_come_back() {
    let mut session = collection();
    filter(&mut session, "{ odd: true }");
    filter(&mut session, "{ odd: false }");
    session.keys("/ Up Up Enter");
    assert_eq!(session.ids().len(), 5);
}

#[test]
fn items_of_nosql_are_filtered_by_what_follows_the_select() {
    let mut session = Session::sample(120, 36);
    session.keys("G Up Enter");
    let container = session.model.open_container().unwrap().name.clone();
    assert_eq!(container, "sessions");
    filter(&mut session, "WHERE c.ttl < 60 ORDER BY c.ttl DESC");
    let screen = session.screen();
    assert!(screen.contains("SELECT * FROM c WHERE c.ttl < 60") && screen.contains("18 items read in"), "{screen}");
    let ttls: Vec<String> = session.model.items.rows().iter().map(|row| format!("{:?}", row.lifetime)).collect();
    assert!(ttls.len() > 3 && ttls.is_sorted_by(|a, b| a >= b), "{ttls:?}");
    session.keys("/ C-u");
    session.type_text("WHERE c.ttl <");
    session.keys("Enter");
    assert!(session.screen().contains("column 14: "), "{}", session.screen());
}

#[test]
fn documents_of_ravendb_are_filtered_by_what_follows_from() {
    let mut session = Session::sample(120, 36);
    let catalog = session.model.catalog.clone();
    let carts = catalog.databases["shop"].collection("carts").unwrap().no;
    session.model.tree.select_node(&catalog, ttl_explorer::app::Node::Container(carts));
    session.keys("Enter /");
    assert!(session.screen().contains("from Carts where exists(@metadata.@expires)"), "{}", session.screen());
    session.type_text("where id() = 'carts/1-A'");
    session.keys("Enter");
    assert_eq!(session.ids(), ["carts/1-A"]);
    assert!(session.screen().contains("1 document · found by its key in"), "{}", session.screen());
    session.keys("/ C-u");
    session.type_text("where Total >");
    session.keys("Enter");
    assert!(session.screen().contains("column 14: expected a value"), "{}", session.screen());
    session.keys("Esc Esc 4 F5");
    assert!(session.screen().contains("5 rows · 5 documents read in the collection in"), "{}", session.screen());
}
