//! The Timeline tab: what is counted when, what is listed, where the keys go.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use support::session::{START, Session};
use ttl_explorer::app::{Effect, Focus, Msg, Node, Tab, Target};
use ttl_explorer::domain::nosql::{DefaultTtl, PartitionKey};
use ttl_explorer::engine::{Api, Scope, Span};

/// A container, On with ten minutes: one item in every minute of them, and three with ten seconds of their own.
fn stand() -> Session {
    let mut session = Session::prepared(120, 36, |engine| {
        let database = engine.create_database("d", Api::NoSql).unwrap();
        let key = PartitionKey::new(["/id"]).unwrap();
        let no = engine.create_container(database, "c", key.clone(), DefaultTtl::Seconds(600)).unwrap();
        for n in 0..3 {
            engine.create_item(no, &format!("{{\"id\": \"own-{n}\", \"ttl\": {}}}", 10 + n)).unwrap();
        }
        engine.create_item(no, "{\"id\": \"inherits\"}").unwrap();
        engine.create_item(no, "{\"id\": \"never\", \"ttl\": -1}").unwrap();
        let other = engine.create_container(database, "other", key, DefaultTtl::Seconds(90)).unwrap();
        engine.create_item(other, "{\"id\": \"elsewhere\"}").unwrap();
    });
    session.keys("5");
    session
}

fn rows(session: &Session) -> Vec<&str> {
    session.model.timeline.rows.iter().map(|row| row.row.id.as_str()).collect()
}

fn counted(session: &Session) -> Vec<u64> {
    session.model.timeline.shown.as_ref().unwrap().buckets.iter().map(|bucket| bucket.all()).collect()
}

fn counts(effects: &[Effect]) -> usize {
    effects.iter().filter(|effect| matches!(effect, Effect::Timeline(_))).count()
}

#[test]
fn the_cursor_goes_over_the_steps_and_lists_what_is_in_them() {
    let mut session = stand();
    assert_eq!((session.model.tab, session.model.focus), (Tab::Timeline, Focus::Timeline));
    // 21:47:44: the first three go within this minute, the one that inherits at 21:57:44.
    assert_eq!(rows(&session), ["own-0", "own-1", "own-2"]);
    session.keys("Right");
    assert_eq!(rows(&session), [""; 0]);
    assert!(session.screen().contains("Nothing expires in this step."), "{}", session.screen());
    session.keys(&"Right ".repeat(9));
    assert_eq!(rows(&session), ["inherits"]);
    assert!(session.screen().contains("1 item by the setting of the container"), "{}", session.screen());
    session.keys("Enter");
    assert_eq!((session.model.tab, session.model.items.current().unwrap().id.as_str()), (Tab::Items, "inherits"));
}

#[test]
fn nearer_and_farther_and_wider() {
    let mut session = stand();
    session.keys("+");
    assert_eq!(session.model.timeline.span, Span::Minute);
    assert_eq!(counted(&session)[9..13], [0, 1, 1, 1]);
    session.keys("+");
    assert_eq!(session.model.timeline.span, Span::Minute);
    session.keys("- o");
    assert_eq!(counted(&session).iter().sum::<u64>(), 5);
    session.keys("o - -");
    assert_eq!((session.model.timeline.scope, session.model.timeline.span), (Scope::Everything, Span::NinetyDays));
    assert_eq!(counted(&session)[0], 5);
    assert!(session.screen().contains("never 1"));
}

#[test]
fn a_click_on_a_bar_goes_there() {
    let mut session = stand();
    session.send(Msg::Click { target: Target::Bucket(10), double: false });
    assert_eq!(rows(&session), ["inherits"]);
    session.send(Msg::Click { target: Target::TimelineRow(0), double: true });
    assert_eq!(session.model.tab, Tab::Items);
}

#[test]
fn it_follows_time_and_writes_without_being_counted_for_nothing() {
    let mut session = stand();
    let before = counts(&session.effects);
    session.advance(5);
    assert_eq!(counts(&session.effects), before, "nothing happened");
    session.advance(6);
    assert_eq!(rows(&session), ["own-2"]);
    let no = session.model.container.unwrap();
    session.engine.create_item(no, "{\"id\": \"new\", \"ttl\": 30}").unwrap();
    session.send(Msg::Tick);
    session.keys("Right");
    assert_eq!(rows(&session), ["new"]);
    // A minute begins, and the step under the cursor is the first.
    session.advance(16);
    assert_eq!(session.clock_secs() - START, 27);
    assert_eq!((session.model.timeline.cursor(), rows(&session)), (0, vec!["new"]));
    let before = counts(&session.effects);
    session.keys("1");
    session.engine.create_item(no, "{\"id\": \"more\", \"ttl\": 70}").unwrap();
    session.advance(20);
    assert_eq!(counts(&session.effects), before, "nobody looks");
}

#[test]
fn a_scope_that_is_deleted_gives_way_to_everything() {
    let mut session = stand();
    let no = session.model.container.unwrap();
    session.engine.delete_container(no).unwrap();
    session.send(Msg::Tick);
    assert_eq!((session.model.timeline.scope, session.model.tab), (Scope::Everything, Tab::Items));
    // The same while it is being counted: the answer is a refusal.
    session.keys("5");
    session.model.timeline.look_at(Scope::Container(no));
    session.send(Msg::Tick);
    session.send(Msg::Tick);
    assert_eq!(session.model.timeline.scope, Scope::Everything);
    assert_eq!(counted(&session).iter().sum::<u64>(), 1);
}

#[test]
fn from_the_tree_it_is_that_of_the_database() {
    let mut session = stand();
    let catalog = session.model.catalog.clone();
    let database = catalog.databases["d"].no;
    session.model.tree.select_node(&catalog, Node::Database(database));
    session.model.focus = Focus::Tree;
    session.keys("5");
    assert_eq!(session.model.timeline.scope, Scope::Database(database));
}
