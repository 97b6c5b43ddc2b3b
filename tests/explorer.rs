//! The model: (state, keys) → (state, effects), on the real engine with a clock that moves when it is told to.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use rstest::rstest;
use support::session::Session;
use ttl_explorer::app::{Command, Effect, Focus, Msg, Tab};
use ttl_explorer::domain::nosql::{DefaultTtl, ItemTtl, PartitionKey};
use ttl_explorer::engine::{Api, Engine, Lifetime};

/// A database `db` with a container `c` and these items.
fn with_items(ttl: DefaultTtl, items: &[&str]) -> Session {
    Session::prepared(120, 36, |engine| fill(engine, ttl, items))
}

fn fill(engine: &Engine, ttl: DefaultTtl, items: &[&str]) {
    let database = engine.create_database("db", Api::NoSql).unwrap();
    let no = engine.create_container(database, "c", PartitionKey::new(["/pk"]).unwrap(), ttl).unwrap();
    for item in items {
        engine.create_item(no, item).unwrap();
    }
}

const A: &str = r#"{"id": "a", "pk": "p", "n": 1}"#;
const B: &str = r#"{"id": "b", "pk": "p", "ttl": 10}"#;

fn commands(session: &Session) -> Vec<&Command> {
    session
        .effects
        .iter()
        .filter_map(|effect| if let Effect::Do(command) = effect { Some(command) } else { None })
        .collect()
}

fn text(session: &Session) -> String {
    session.model.pane.as_ref().expect("an open item").editor.text()
}

#[test]
fn the_first_start_offers_the_sample() {
    let mut session = Session::prepared(120, 36, |_| {});
    assert_eq!(session.asked().as_deref(), Some("Welcome"));
    session.keys("l");
    assert_eq!(session.asked(), None);
    assert!(session.model.catalog.databases.contains_key("workshop"));
    assert_eq!(session.model.open_container().unwrap().name, "sessions");
}

#[rstest]
#[case("", "shop", "carts", "/userId", "", "The database id is empty")]
#[case("shop", "", "carts", "/userId", "", "The container id is empty")]
#[case("shop", "a/b", "", "/userId", "", "contains `/`")]
#[case("shop", "carts", "", "", "", "needs a partition key")]
#[case("shop", "carts", "", "/a,/b,/c,/d", "", "up to 3")]
#[case("shop", "carts", "", "/a", "0", "0 is not allowed")]
#[case("shop", "carts", "", "/a", "ten", "not a number")]
fn a_bad_container_is_refused_in_the_form(
    #[case] database: &str,
    #[case] name: &str,
    #[case] _unused: &str,
    #[case] key: &str,
    #[case] seconds: &str,
    #[case] words: &str,
) {
    let mut session = Session::empty(120, 36);
    session.keys("C");
    session.type_text(database);
    session.keys("Tab");
    session.type_text(name);
    session.keys("Tab");
    session.type_text(key);
    session.keys("Tab");
    if !seconds.is_empty() {
        session.keys("Right Right");
    }
    session.keys("Tab");
    session.type_text(seconds);
    session.keys("Enter");
    let error = session.model.dialogs.last().expect("the form stays").error.clone().expect("a reason");
    assert!(error.contains(words), "{error}");
    assert!(commands(&session).is_empty());
}

#[test]
fn a_container_with_three_levels_and_a_time_to_live_is_made() {
    let mut session = Session::empty(120, 36);
    session.keys("C");
    session.type_text("shop");
    session.keys("Tab");
    session.type_text("events");
    session.keys("Tab");
    session.type_text("tenantId, userId,/sessionId");
    session.keys("Tab Right Right Tab");
    session.type_text("90");
    session.keys("Enter");
    let container = session.model.open_container().expect("it is open");
    assert_eq!(container.partition_key().unwrap().paths(), ["/tenantId", "/userId", "/sessionId"]);
    assert_eq!(container.default_ttl(), DefaultTtl::Seconds(90));
    session.keys("n");
    assert!(text(&session).contains("sessionId"));
}

#[test]
fn a_taken_name_is_refused_in_the_form_and_the_form_stays() {
    let mut session = with_items(DefaultTtl::Off, &[]);
    session.keys("D");
    session.type_text("db");
    session.keys("Enter Enter");
    let error = session.model.dialogs.last().unwrap().error.clone().unwrap();
    assert!(error.contains("exists already"), "{error}");
}

#[test]
fn deleting_a_container_wants_its_id_exactly() {
    let mut session = with_items(DefaultTtl::Off, &[A]);
    session.keys("d");
    assert_eq!(session.asked().as_deref(), Some("Delete Container"));
    session.type_text("C");
    session.keys("Enter");
    assert!(session.model.dialogs.last().unwrap().error.as_ref().unwrap().contains("exactly"));
    session.keys("Backspace");
    session.type_text("c");
    session.keys("Enter");
    assert_eq!(session.asked(), None);
    assert!(session.model.catalog.containers.is_empty());
    assert_eq!((session.model.container, session.model.focus), (None, Focus::Tree));
}

#[test]
fn an_item_is_made_edited_and_deleted() {
    let mut session = with_items(DefaultTtl::Off, &[]);
    session.keys("n M-a");
    session.send(Msg::Paste(A.to_owned()));
    session.keys("C-s");
    assert_eq!(session.said(), "a created.");
    assert!(text(&session).contains("\"_etag\""));
    assert!(text(&session).contains("\"n\": 1"));
    session.keys("Down Down Down End Enter");
    session.type_text("\"ttl\": 20,");
    assert!(session.model.pane.as_ref().unwrap().is_dirty());
    session.keys("C-s");
    assert_eq!(session.said(), "a updated.");
    assert_eq!(session.model.items.current().unwrap().lifetime, Lifetime::Ttl(ItemTtl::Seconds(20)));
    session.keys("Esc");
    session.keys("d");
    assert_eq!(session.asked().as_deref(), Some("Delete"));
    session.keys("d");
    assert_eq!(session.ids(), Vec::<String>::new());
    assert_eq!(session.said(), "1 item deleted.");
}

#[test]
fn a_refused_ttl_has_the_services_words_the_place_and_a_way_out() {
    let mut session = with_items(DefaultTtl::Off, &[]);
    session.keys("n M-a");
    session.send(Msg::Paste("{\n  \"id\": \"x\",\n  \"ttl\": \"10\"\n}".to_owned()));
    session.keys("C-s");
    let screen = session.screen();
    assert!(screen.contains("The input ttl '\"10\"' is invalid"), "{screen}");
    assert!(screen.contains("line 3, column 10"), "{screen}");
    assert!(screen.contains("write it without quotes"), "{screen}");
    assert_eq!(session.model.pane.as_ref().unwrap().editor.cursor().line, 3);
    assert!(commands(&session).is_empty());
}

/// Every way out of a text that is edited.
#[rstest]
#[case("Esc")]
#[case("C-q")]
#[case("C-c")]
#[case("C-n")]
#[case("F5")]
fn unsaved_text_is_asked_about_on_every_way_out(#[case] key: &str) {
    let mut session = with_items(DefaultTtl::Off, &[A, r#"{"id": "z", "pk": "p"}"#]);
    session.keys("1 Enter Down");
    session.type_text("x");
    let edited = text(&session);
    session.keys(key);
    assert_eq!(session.asked().as_deref(), Some("Unsaved text"));
    session.keys("k");
    assert_eq!(text(&session), edited, "keep editing keeps");
    assert_eq!((session.asked(), session.model.ended), (None, false));
    session.keys(key);
    session.keys("d");
    assert_eq!(session.asked(), None);
    assert!(!session.model.pane.as_ref().is_some_and(|pane| pane.is_dirty()), "discard discards");
}

#[test]
fn moving_clicking_and_other_containers_ask_too() {
    use ttl_explorer::app::Target;
    let mut session = Session::sample(120, 36);
    session.keys("1 Enter");
    session.type_text("x");
    let edited = text(&session);
    for target in [Target::Item(3), Target::Tree(1)] {
        session.send(Msg::Click { target, double: false });
        assert_eq!(session.asked().as_deref(), Some("Unsaved text"), "{target:?}");
        session.keys("Esc");
        assert_eq!(text(&session), edited);
    }
    // Looking at the settings loses nothing, so nothing is asked.
    session.send(Msg::Click { target: Target::Tab(Tab::Settings), double: false });
    assert_eq!(session.asked(), None);
    session.keys("Esc");
    session.send(Msg::Click { target: Target::Tab(Tab::Items), double: false });
    assert_eq!(text(&session), edited);
}

#[test]
fn saving_on_the_way_out_goes_on_the_way() {
    let mut session = with_items(DefaultTtl::Off, &[A]);
    session.keys("1 Enter Down Down End");
    session.type_text(" ");
    session.keys("C-q");
    session.keys("u");
    assert!(session.model.ended, "{}", session.said());
    assert!(matches!(commands(&session)[..], [Command::ReplaceItem { .. }]));
}

#[test]
fn a_conflict_has_three_choices() {
    for (choice, n) in [("o", "\"n\": 12"), ("r", "\"n\": 5"), ("k", "\"n\": 12")] {
        let mut session = with_items(DefaultTtl::Off, &[A]);
        session.keys("1 Enter Down Down Down End");
        session.keys("2");
        let row = session.model.items.current().unwrap().clone();
        let container = session.model.container.unwrap();
        session.engine.replace_item(container, &row.key, r#"{"id": "a", "pk": "p", "n": 5}"#, None).unwrap();
        let mine = text(&session);
        let edited = mine.replace("\"n\": 1,2", "\"n\": 12,");
        session.keys("M-a");
        session.send(Msg::Paste(edited));
        session.keys("C-s");
        assert_eq!(session.asked().as_deref(), Some("Conflict"));
        session.keys(choice);
        assert!(text(&session).contains(n), "{choice}: {}", text(&session));
        let stored = session.engine.item(container, &row.key).unwrap().text;
        assert!(stored.contains(if choice == "o" { "\"n\": 12" } else { "\"n\": 5" }), "{choice}: {stored}");
    }
}

#[test]
fn the_item_that_expires_while_it_is_open_keeps_its_text() {
    let mut session = with_items(DefaultTtl::NoDefault, &[B]);
    session.keys("1 Enter Down");
    session.type_text("  ");
    let edited = text(&session);
    session.advance(10);
    let screen = session.screen();
    assert!(screen.contains("expired at 21:47:54: a client gets 404"), "{screen}");
    assert_eq!(session.ids(), Vec::<String>::new(), "the row goes");
    session.advance(10);
    assert_eq!(text(&session), edited, "the text stays, after the deletion too");
    session.keys("C-s");
    assert_eq!(session.said(), "b created.");
    assert_eq!(session.ids(), ["b"]);
}

#[test]
fn an_open_item_comes_back_when_time_to_live_is_switched_off() {
    let mut session = with_items(DefaultTtl::NoDefault, &[B]);
    session.keys("p 1 Enter");
    session.advance(12);
    assert!(session.screen().contains("expired at"));
    let container = session.model.container.unwrap();
    session.engine.set_default_ttl(container, DefaultTtl::Off).unwrap();
    session.advance(1);
    let screen = session.screen();
    assert!(!screen.contains("expired at"), "{screen}");
    assert_eq!(session.ids(), ["b"]);
}

#[test]
fn another_id_in_an_update_is_offered_as_a_new_item() {
    let mut session = with_items(DefaultTtl::Off, &[A]);
    session.keys("1 Enter M-a");
    session.send(Msg::Paste(r#"{"id": "a2", "pk": "p"}"#.to_owned()));
    session.keys("C-s");
    assert_eq!(session.asked().as_deref(), Some("Another item"));
    session.keys("s");
    assert_eq!(session.said(), "a2 created.");
    assert_eq!(session.ids(), ["a", "a2"]);
}

#[test]
fn write_again_restarts_the_clock_of_the_marked_items() {
    let mut session = with_items(DefaultTtl::Seconds(60), &[A, B, r#"{"id": "c", "pk": "p"}"#]);
    session.advance(5);
    session.keys("1 Space Space w");
    assert_eq!(session.said(), "2 items written again: their clocks restart.");
    assert!(session.model.marked.is_empty());
    let now = session.engine.now().secs();
    let written: Vec<i64> = session.model.items.rows().iter().map(|row| now - row.written.secs()).collect();
    assert_eq!(written, [0, 0, 5]);
    session.keys("w");
    assert!(matches!(commands(&session).last(), Some(Command::TouchItems(_, keys)) if keys.len() == 1));
}

#[test]
fn deleting_a_selection_asks_once_and_says_how_many() {
    let mut session = with_items(DefaultTtl::Off, &[A, B, r#"{"id": "c", "pk": "p"}"#]);
    session.keys("1 a d");
    let dialog = session.model.dialogs.last().unwrap();
    assert!(dialog.text[0].contains("the 3 selected items"), "{:?}", dialog.text);
    session.keys("Enter");
    assert_eq!(session.ids().len(), 3, "the button with the focus loses nothing");
    session.keys("d d");
    assert_eq!(session.ids().len(), 0);
}

#[test]
fn a_selection_never_reaches_into_another_container() {
    let mut session = Session::sample(120, 36);
    session.keys("1 a");
    assert!(!session.model.marked.is_empty());
    let other = session.model.catalog.containers.values().find(|container| container.name == "audit").unwrap().no;
    let catalog = session.model.catalog.clone();
    session.model.tree.select_node(&catalog, ttl_explorer::app::Node::Container(other));
    session.model.focus = Focus::Tree;
    session.keys("Enter");
    assert_eq!(session.model.container, Some(other));
    assert!(session.model.marked.is_empty());
}

#[rstest]
#[case("0", "0 is not allowed")]
#[case("-5", "A negative number is not allowed")]
#[case("-1", "On (no default)")]
#[case("1.5", "Fractions are not allowed")]
#[case("abc", "is not a number")]
#[case("2147483648", "Too large")]
fn bad_seconds_are_answered_in_words_and_not_saved(#[case] typed: &str, #[case] words: &str) {
    let mut session = with_items(DefaultTtl::Off, &[]);
    session.keys("2 Down Down");
    session.type_text(typed);
    assert!(session.screen().contains(words), "{}", session.screen());
    session.keys("C-s");
    assert!(session.said().contains(words), "{}", session.said());
    assert!(commands(&session).is_empty());
    assert_eq!(session.model.open_container().unwrap().default_ttl(), DefaultTtl::Off);
}

#[test]
fn empty_seconds_are_refused_at_the_save() {
    let mut session = with_items(DefaultTtl::Off, &[]);
    session.keys("2 Down Down C-s");
    assert!(session.said().contains("Seconds are missing"), "{}", session.said());
}

#[test]
fn seconds_are_said_in_words_beside_them() {
    let mut session = with_items(DefaultTtl::Off, &[]);
    session.keys("2 Down Down");
    session.type_text("3600000");
    assert!(session.screen().contains("41 d 16 h"), "{}", session.screen());
}

#[test]
fn a_save_that_makes_items_expire_at_once_says_how_many_and_asks() {
    let mut session = with_items(DefaultTtl::Off, &[A, r#"{"id": "c", "pk": "p"}"#, B]);
    session.advance(5);
    session.keys("2 Down Down");
    session.type_text("3");
    assert!(session.screen().contains("2 items expire at once"), "{}", session.screen());
    session.keys("C-s");
    assert_eq!(session.asked().as_deref(), Some("Save Time to Live"));
    session.keys("Enter");
    assert_eq!(
        session.model.open_container().unwrap().default_ttl(),
        DefaultTtl::Off,
        "the button with the focus changes nothing"
    );
    session.keys("C-s s");
    assert_eq!(session.model.open_container().unwrap().default_ttl(), DefaultTtl::Seconds(3));
    session.keys("Esc 1");
    assert_eq!(session.ids(), ["b"]);
}

#[test]
fn unsaved_settings_are_asked_about_and_discarded_by_esc() {
    let mut session = with_items(DefaultTtl::Off, &[]);
    session.keys("2 Down 1");
    assert_eq!(session.asked().as_deref(), Some("Unsaved setting"));
    session.keys("k Esc");
    assert!(!session.model.settings.as_ref().unwrap().is_dirty());
    session.keys("Esc");
    assert_eq!(session.model.focus, Focus::Tree);
}

#[test]
fn the_sweeper_is_paused_delayed_and_run_from_the_screen() {
    let mut session = with_items(DefaultTtl::NoDefault, &[B]);
    session.keys("p");
    assert!(session.screen().contains("sweeper ‖ paused"));
    session.advance(30);
    assert_eq!(session.model.totals_of(ttl_explorer::engine::Scope::Everything).unwrap().hidden.n, 1);
    session.keys("s");
    assert!(session.said().contains("swept 1 item of db/c"), "{}", session.said());
    session.keys("P Backspace");
    session.type_text("0");
    session.keys("Tab Right Enter Enter");
    while session.asked().is_some() {
        session.keys("C-s");
    }
    assert_eq!((session.model.sweeper.delay, session.model.sweeper.paused), (0, false));
}

#[test]
fn the_countdown_goes_from_healthy_to_deleted_and_the_row_leaves() {
    let mut session = with_items(DefaultTtl::Seconds(100), &[A, B]);
    session.keys("1 3");
    let state = |session: &Session, id: &str| {
        let screen = session.screen();
        screen.lines().find(|line| line.contains(&format!("  {id} "))).unwrap_or("").to_owned()
    };
    assert!(state(&session, "a").contains("healthy"));
    session.advance(6);
    assert!(
        state(&session, "b").contains("soon") && state(&session, "b").contains("00:04"),
        "{}",
        state(&session, "b")
    );
    session.advance(5);
    assert!(state(&session, "b").contains("expired, hidden · deleted in 00:04"), "{}", state(&session, "b"));
    session.advance(4);
    assert!(state(&session, "b").contains("deleted 0.0 s ago"), "{}", state(&session, "b"));
    session.advance(2);
    assert_eq!(state(&session, "b"), "");
    assert!(session.screen().contains("deleted 1"));
}

#[test]
fn a_row_of_the_countdown_opens_its_item_hidden_ones_read_only() {
    let mut session = with_items(DefaultTtl::NoDefault, &[B]);
    session.keys("p");
    session.advance(12);
    session.keys("3 Enter");
    let screen = session.screen();
    assert!(screen.contains("expired at 21:47:54: a client gets 404"), "{screen}");
    assert!(session.model.pane.as_ref().unwrap().editor.read_only().is_some());
}

#[test]
fn lookalikes_are_pointed_out() {
    let mut session = with_items(DefaultTtl::NoDefault, &[r#"{"id": "x", "pk": "p", "TimeToLive": 60}"#]);
    session.keys("1");
    assert!(
        session.screen().contains("never: `TimeToLive` has no effect; did you mean `ttl`?"),
        "{}",
        session.screen()
    );
}

#[test]
fn the_help_is_the_table_of_keys() {
    let mut session = Session::sample(120, 60);
    session.keys("?");
    let screen = session.screen();
    assert!(screen.contains("Keys") && screen.contains("unfold a branch"), "{screen}");
    session.keys("Esc");
    assert!(session.model.help.is_none());
}

#[test]
fn a_large_paste_and_a_large_item_do_no_harm() {
    let mut session = with_items(DefaultTtl::Off, &[]);
    session.keys("n M-a");
    let big = format!("{{\"id\": \"big\", \"pk\": \"p\", \"lines\": [\n{}\n]}}", vec!["\"x\""; 15_000].join(",\n"));
    session.send(Msg::Paste(big));
    session.keys("C-s");
    assert_eq!(session.said(), "big created.");
    session.screen();
}

#[test]
fn a_paste_that_is_too_large_is_not_taken_and_said_so() {
    let mut session = with_items(DefaultTtl::Off, &[]);
    session.keys("n");
    let before = text(&session);
    for large in ["x".repeat(70_000), "\n".repeat(30_000), "abc\n".repeat(600_000)] {
        session.send(Msg::Paste(large));
        assert!(session.said().starts_with("Not pasted"), "{}", session.said());
        assert_eq!(text(&session), before);
    }
}
