//! The matrix: where it opens, what its cells say, and that each of them can be tried and then holds.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use support::session::Session;
use ttl_explorer::app::{Msg, Target};
use ttl_explorer::domain::nosql::{DefaultTtl, PartitionKey};
use ttl_explorer::engine::Api;

fn stand(default: DefaultTtl) -> Session {
    Session::prepared(120, 36, |engine| {
        let database = engine.create_database("d", Api::NoSql).unwrap();
        let no = engine.create_container(database, "c", PartitionKey::new(["/id"]).unwrap(), default).unwrap();
        engine.create_item(no, "{\"id\": \"a\", \"ttl\": 30}").unwrap();
        engine.create_item(no, "{\"id\": \"b\"}").unwrap();
    })
}

#[test]
fn it_opens_on_the_cell_of_the_item_under_the_cursor() {
    let mut session = stand(DefaultTtl::Seconds(60));
    session.keys("Enter M");
    assert_eq!(session.model.matrix.as_ref().unwrap().of_item, Some((2, 2)));
    assert!(session.screen().contains("● _ts + 30 s"), "{}", session.screen());
    assert!(session.screen().contains("its own ttl 30 s, not the container's 60 s"), "{}", session.screen());
    session.keys("Left");
    assert!(session.screen().contains("never: its own ttl is -1, not the container's 60 s"), "{}", session.screen());
    session.keys("x Down M");
    assert_eq!(session.model.matrix.as_ref().unwrap().of_item, Some((2, 0)));
}

#[test]
fn every_cell_can_be_tried_and_does_what_it_says() {
    for cell in 0..9 {
        let mut session = stand(DefaultTtl::Seconds(60));
        session.keys("Enter M");
        let (row, column) = (cell / 3, cell % 3);
        session.send(Msg::Click { target: Target::Cell(row, column), double: false });
        let said = session.model.matrix.as_ref().unwrap().cell(row, column);
        session.keys("Enter");
        assert!(session.model.matrix.is_none());
        let ids = session.ids();
        assert_eq!(ids.len(), 1, "{ids:?}");
        let name = session.model.open_container().unwrap().name.clone();
        assert_eq!(session.model.pane.as_ref().unwrap().title(), ids[0], "{name}");
        session.advance(70);
        assert_eq!(session.ids().is_empty(), said != "never", "{said} in {name}");
    }
}

#[test]
fn a_cell_that_is_tried_again_is_written_again() {
    let mut session = stand(DefaultTtl::Seconds(60));
    session.keys("Enter M Enter");
    session.advance(20);
    session.keys("M Enter");
    session.advance(20);
    assert_eq!(session.ids(), ["ttl-30"], "its clock started again");
    let scratch = &session.model.catalog.databases["scratch"];
    assert_eq!(scratch.containers.keys().collect::<Vec<_>>(), ["on-60"]);
}

#[test]
fn unsaved_text_is_asked_about_before_the_try_takes_it_away() {
    let mut session = stand(DefaultTtl::Off);
    session.keys("Enter n");
    session.type_text("x");
    session.keys("Esc");
    let asked = session.asked();
    assert!(asked.is_some(), "leaving a new item asks");
}

#[test]
fn a_database_of_another_system_in_the_way_is_said() {
    let mut session = Session::prepared(120, 36, |engine| {
        engine.create_database("scratch", Api::RavenDb).unwrap();
    });
    session.keys("M Enter");
    assert!(session.said().contains("Nothing was made to try it"), "{}", session.said());
}

#[test]
fn a_text_that_is_edited_says_what_a_save_would_change() {
    let mut session = stand(DefaultTtl::Seconds(60));
    session.advance(10);
    session.keys("Enter Enter M-a");
    session.type_text("{\"id\": \"a\", \"ttl\": 5}");
    let screen = session.screen().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(screen.contains("saved now: expires at 21:47:59: its own ttl 5 s"), "{screen}");
    assert!(screen.contains("as stored at 21:48:14"), "{screen}");
}

#[test]
fn an_unsaved_setting_is_compared_with_the_saved_one() {
    let mut session = stand(DefaultTtl::Seconds(60));
    session.keys("Enter 2");
    assert!(!session.screen().contains("today"));
    session.keys("C-u Backspace Backspace");
    session.type_text("90");
    let screen = session.screen();
    assert!(screen.contains("0 sooner, 1 later, 0 never any more"), "{screen}");
    assert!(screen.contains("  today ") && screen.contains("   then "), "{screen}");
    session.keys("Up");
    assert!(session.screen().contains("0 sooner, 0 later, 1 never any more"), "{}", session.screen());
    session.keys("Esc");
    assert!(!session.screen().contains("today"), "{}", session.screen());
}
