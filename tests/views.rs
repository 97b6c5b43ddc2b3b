//! The views of the items that no query expresses.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use rstest::rstest;
use support::session::Session;
use ttl_explorer::app::{Focus, Node};
use ttl_explorer::domain::nosql::{DefaultTtl, PartitionKey};
use ttl_explorer::engine::{Api, ContainerNo, View};
use ttl_explorer::shell;

/// A container with an item of every fate, another that is Off, a MongoDB collection, a RavenDB database.
fn stand() -> Session {
    let mut session = Session::prepared(120, 36, |engine| {
        let database = engine.create_database("n", Api::NoSql).unwrap();
        let key = PartitionKey::new(["/id"]).unwrap();
        let on = engine.create_container(database, "on", key.clone(), DefaultTtl::Seconds(7_200)).unwrap();
        let off = engine.create_container(database, "off", key, DefaultTtl::Off).unwrap();
        for item in [
            "{\"id\": \"soon\", \"ttl\": 100}",
            "{\"id\": \"sooner\", \"ttl\": 10}",
            "{\"id\": \"follows\"}",
            "{\"id\": \"never\", \"ttl\": -1}",
            "{\"id\": \"alike\", \"TimeToLive\": 5}",
        ] {
            engine.create_item(on, item).unwrap();
            engine.create_item(off, item).unwrap();
        }
        let database = engine.create_database("m", Api::MongoDb).unwrap();
        let coll = engine.create_collection(database, "coll", DefaultTtl::Seconds(10)).unwrap();
        engine.create_item(coll, "{\"_id\": 1, \"ttl\": 20.5}").unwrap();
        engine.create_item(coll, "{\"_id\": 2, \"ttl\": -1}").unwrap();
        engine.create_item(coll, "{\"_id\": 3}").unwrap();
        let database = engine.create_database("r", Api::RavenDb).unwrap();
        let all = engine.catalog().database(database).unwrap().documents.as_ref().unwrap().no;
        let document = |id: &str, expires: &str| {
            format!("{{\"@metadata\": {{\"@id\": \"{id}\", \"@collection\": \"Users\"{expires}}}}}")
        };
        engine.create_item(all, &document("u/1", ", \"@expires\": \"2026-12-02T21:47:50.0000000Z\"")).unwrap();
        engine.create_item(all, &document("u/2", ", \"@expires\": 5")).ok();
        engine.create_item(all, &document("u/3", "")).unwrap();
    });
    session.keys("Esc");
    session
}

fn container(session: &Session, name: &str) -> ContainerNo {
    let found = session.model.catalog.containers.values().find(|container| container.name == name);
    found.unwrap_or_else(|| panic!("{name}")).no
}

fn ids(session: &Session, name: &str, view: &str) -> Vec<String> {
    let catalog = session.engine.catalog();
    let no = container(session, name);
    let container = catalog.container(no).unwrap();
    let found = shell::matching(&session.engine, container, view, 100, &mut |_| true).unwrap();
    found.rows.into_iter().map(|row| row.id).collect()
}

#[rstest]
#[case("on", ":next 1h", &["sooner", "soon"])]
#[case("on", ":next", &["sooner", "soon"])]
#[case("on", ": next 30 s", &["sooner"])]
#[case("on", ":never", &["never"])]
#[case("on", ":ignored", &["alike"])]
#[case("on", ":hidden", &[])]
#[case("off", ":next 1h", &[])]
#[case("off", ":never", &["alike", "follows", "never", "soon", "sooner"])]
#[case("off", ":ignored", &["alike", "never", "soon", "sooner"])]
#[case("coll", ":ignored", &["1"])]
#[case("coll", ":never", &["2"])]
#[case("coll", ":next 1m", &["1", "3"])]
#[case("Users", ":next 1m", &["u/1"])]
#[case("Users", ":never", &["u/3"])]
fn each_view_has_its_items(#[case] name: &str, #[case] view: &str, #[case] expected: &[&str]) {
    let session = stand();
    let mut found = ids(&session, name, view);
    if !view.contains("next") {
        found.sort_unstable();
    }
    found.retain(|id| id != "u/2");
    assert_eq!(found, expected, "{name} {view}");
}

#[test]
fn what_is_expired_is_hidden_until_it_is_deleted() {
    let mut session = stand();
    session.clock.advance(12);
    assert_eq!(ids(&session, "on", ":hidden"), ["sooner"]);
    assert_eq!(ids(&session, "Users", ":hidden"), ["u/1"]);
    assert_eq!(ids(&session, "on", ":next 1h"), ["soon"]);
    session.advance(6);
    assert_eq!(ids(&session, "on", ":hidden"), Vec::<String>::new());
}

#[test]
fn a_colon_with_something_else_is_refused() {
    for wrong in [":soon", ":", ":next year", ":never ever", ":hidden x"] {
        let refusal = View::of(wrong).unwrap_err();
        assert!(refusal.in_full().contains(":next 1h, :never, :ignored and :hidden"), "{wrong}");
    }
    assert_eq!(View::of("WHERE c.a = ':never'"), Ok(None));
}

#[test]
fn a_view_is_chosen_from_a_list_and_hidden_items_stay_in_sight() {
    let mut session = stand();
    let catalog = session.model.catalog.clone();
    session.model.tree.select_node(&catalog, Node::Container(container(&session, "on")));
    session.keys("Enter");
    session.clock.advance(12);
    session.keys("v Down Down Down");
    assert!(session.screen().contains("▌ :hidden"), "{}", session.screen());
    session.keys("Enter");
    assert_eq!((session.ids(), session.model.focus), (vec!["sooner".to_owned()], Focus::Items));
    assert!(session.screen().contains(":hidden"), "{}", session.screen());
    session.clock.advance(1);
    session.send(ttl_explorer::app::Msg::Tick);
    assert_eq!(session.ids(), ["sooner"]);
    session.engine.sweep_now().unwrap();
    session.send(ttl_explorer::app::Msg::Tick);
    assert_eq!(session.ids(), Vec::<String>::new());
    session.keys("Esc");
    assert_eq!(session.ids().len(), 4);
    session.keys("/");
    session.type_text(":sometimes");
    session.keys("Enter");
    assert!(session.screen().contains("`:sometimes` is no view"), "{}", session.screen());
}
