//! The Query tab: what is executed, what is shown of it, where the keys go.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use support::session::Session;
use ttl_explorer::app::results::Form;
use ttl_explorer::app::{Answer, Effect, Focus, Msg, Node, Tab, Target};
use ttl_explorer::domain::nosql::{DefaultTtl, PartitionKey};
use ttl_explorer::engine::{Api, GIVEN_UP};

/// Two containers: the first with twenty items, the other empty.
fn stand() -> Session {
    let mut session = Session::prepared(120, 36, |engine| {
        let database = engine.create_database("d", Api::NoSql).unwrap();
        let key = PartitionKey::new(["/pk"]).unwrap();
        let no = engine.create_container(database, "c", key.clone(), DefaultTtl::NoDefault).unwrap();
        for n in 0..20 {
            let text =
                format!("{{\"id\": \"i-{n:02}\", \"pk\": {}, \"n\": {n}, \"tags\": [\"x\"], \"ttl\": 60}}", n % 4);
            engine.create_item(no, &text).unwrap();
        }
        engine.create_container(database, "other", key, DefaultTtl::Off).unwrap();
    });
    session.keys("4");
    session
}

fn ask(session: &mut Session, query: &str) {
    session.keys("M-a Backspace");
    session.type_text(query);
    session.keys("F5");
}

fn screen_has(session: &Session, words: &str) {
    assert!(session.screen().contains(words), "{words} is not in\n{}", session.screen());
}

#[test]
fn a_query_is_executed_and_its_rows_are_a_table() {
    let mut session = stand();
    assert_eq!((session.model.tab, session.model.focus), (Tab::Query, Focus::Query));
    screen_has(&session, "SELECT * FROM c");
    ask(&mut session, "SELECT c.id, c.n AS number FROM c WHERE c.pk = 1 ORDER BY c.n DESC");
    screen_has(&session, "5 rows · 5 items read within the partition in ");
    screen_has(&session, "number");
    screen_has(&session, "i-17");
    session.keys("Esc");
    assert_eq!(session.model.focus, Focus::Results);
    session.keys("j Enter");
    let results = session.model.query.results.as_ref().unwrap();
    assert_eq!((results.form, results.json()[results.cursor() - results.top()].as_str()), (Form::Json, "  {"));
    screen_has(&session, "\"number\": 13");
    session.keys("M-j e");
    assert_eq!(session.model.query.results.as_ref().unwrap().cursor(), 1);
    assert_eq!(session.model.focus, Focus::Query);
}

#[test]
fn what_is_selected_is_executed_alone_and_faults_have_their_place_in_the_whole() {
    let mut session = stand();
    ask(&mut session, "SELECT VALUE 1");
    session.keys("Enter Enter");
    session.type_text("  SELECT VALUE c.nn. FROM c");
    // The second query alone is selected, without the blanks before it.
    let shift = crossterm::event::KeyModifiers::SHIFT;
    session.keys("Home Right Right");
    session.send(Msg::Key(crossterm::event::KeyEvent::new(crossterm::event::KeyCode::End, shift)));
    session.keys("F5");
    let place = session.model.query.error.as_ref().unwrap().place.unwrap();
    assert_eq!((place.line, place.column > 20), (3, true), "{place}");
    assert_eq!(session.model.query.editor.cursor(), place);
    screen_has(&session, "line 3, column ");
    session.keys("Home Right Right");
    session.send(Msg::Key(crossterm::event::KeyEvent::new(crossterm::event::KeyCode::End, shift)));
    session.type_text("SELECT VALUE COUNT(1) FROM c");
    session.keys("Home");
    session.send(Msg::Key(crossterm::event::KeyEvent::new(crossterm::event::KeyCode::End, shift)));
    session.keys("M-Enter");
    assert_eq!(session.model.query.error, None);
    screen_has(&session, "the selected part: 1 row · 20 items read in ");
}

#[test]
fn expired_items_are_in_no_answer() {
    let mut session = stand();
    session.advance(60);
    ask(&mut session, "SELECT VALUE COUNT(1) FROM c");
    assert_eq!(session.model.query.results.as_ref().unwrap().rows, [serde_json::json!(0)]);
}

#[test]
fn each_container_keeps_its_text_and_older_queries_come_back() {
    let mut session = stand();
    ask(&mut session, "SELECT VALUE 1");
    ask(&mut session, "SELECT VALUE 2");
    let other = session.model.catalog.containers.values().find(|container| container.name == "other").unwrap().no;
    let catalog = session.model.catalog.clone();
    session.model.tree.select_node(&catalog, Node::Container(other));
    session.model.focus = Focus::Tree;
    session.keys("4");
    assert_eq!(session.model.query.editor.text(), "SELECT * FROM c");
    assert!(session.model.query.results.is_none());
    session.keys("M-Up");
    assert_eq!(session.model.query.editor.text(), "SELECT VALUE 2");
    session.keys("M-Up M-Up");
    assert_eq!(session.model.query.editor.text(), "SELECT VALUE 1");
    session.keys("M-Down C-u");
    assert_eq!(session.model.query.editor.text(), "SELECT VALUE 1");
    session.keys("F5");
    screen_has(&session, "1 row · ");
}

#[test]
fn a_long_one_tells_how_far_it_is_and_can_be_given_up() {
    let mut session = stand();
    // The answer is kept back: what the model asks is seen, and nothing else happens.
    let effects =
        ttl_explorer::app::update(&mut session.model, session.engine.now(), Msg::Key(support::session::key("F5")));
    let Some(Effect::Query(asked)) = effects.iter().find(|effect| matches!(effect, Effect::Query(_))) else {
        panic!("{effects:?}")
    };
    let generation = asked.generation;
    session.send(Msg::Answer(Answer::QueryReads { generation, read: 12_000 }));
    screen_has(&session, "executing · 12,000 read so far · Esc gives up");
    let effects = session.send(Msg::Key(support::session::key("Esc")));
    assert!(effects.contains(&Effect::GiveUpQuery));
    let result = session.engine.query(asked.container, &asked.text, 10, &mut |_| false);
    assert!(result.is_ok(), "twenty items are read without a question");
    let refusal = ttl_explorer::domain::Refusal::new(GIVEN_UP, "The query was given up.");
    session.send(Msg::Answer(Answer::Queried { generation, result: Err(refusal) }));
    assert_eq!((session.model.query.running, session.model.query.error.clone()), (None, None));
    assert!(session.said().contains("given up"));
    // An answer that comes late is not shown in another container.
    let late = session.engine.query(asked.container, &asked.text, 10, &mut |_| true).unwrap();
    session.send(Msg::Answer(Answer::Queried { generation: generation - 1, result: Ok(late) }));
    assert!(session.model.query.results.is_none());
}

#[test]
fn the_mouse_goes_where_it_points() {
    let mut session = stand();
    ask(&mut session, "SELECT c.id FROM c");
    session.send(Msg::Click { target: Target::ResultRow(3), double: false });
    assert_eq!((session.model.focus, session.model.query.results.as_ref().unwrap().cursor()), (Focus::Results, 3));
    session.send(Msg::Click { target: Target::QueryInput(0, 9), double: false });
    assert_eq!(session.model.focus, Focus::Query);
}

#[test]
fn more_columns_than_fit_are_scrolled() {
    let mut session = stand();
    ask(&mut session, "SELECT * FROM c");
    session.keys("Esc");
    let names = |session: &Session| {
        let screen = session.screen();
        screen.lines().find(|line| line.contains("tags")).map(str::to_owned)
    };
    assert!(names(&session).unwrap().contains("id"));
    session.keys("Right Right");
    assert!(!names(&session).unwrap().contains("pk  "));
    session.keys(&"Right ".repeat(30));
    screen_has(&session, "_ts");
}

#[test]
fn queries_are_saved_under_a_name_opened_and_deleted() {
    let mut session = stand();
    session.keys("C-o");
    assert!(session.said().contains("No query is saved yet"));
    ask(&mut session, "SELECT VALUE COUNT(1) FROM c");
    session.keys("C-s");
    session.type_text("count");
    session.keys("Enter");
    assert!(session.said().contains("The query is saved."), "{}", session.said());
    ask(&mut session, "SELECT VALUE 2");
    session.keys("C-s");
    session.type_text("count");
    session.keys("Enter");
    screen_has(&session, "There is a query `count` already");
    session.keys("Enter");
    assert_eq!(session.model.query.saved.len(), 1);
    session.keys("C-s");
    session.type_text("a second one");
    session.keys("Enter M-a Backspace C-o");
    screen_has(&session, "a second one         SELECT VALUE 2");
    session.keys("Down Enter");
    assert_eq!((session.asked(), session.model.query.editor.text().as_str()), (None, "SELECT VALUE 2"));
    assert_eq!(session.model.focus, Focus::Query);
    session.keys("C-o Tab Right Enter");
    assert_eq!(session.asked().as_deref(), Some("Delete the saved query"));
    session.keys("d");
    let left: Vec<String> = session.engine.saved_queries().unwrap().into_iter().map(|query| query.name).collect();
    assert_eq!(left, ["count"]);
}
