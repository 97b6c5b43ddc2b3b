//! RavenDB in the explorer: (state, keys) → (state, effects), on the real engine with a clock that moves when told to.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use rstest::rstest;
use support::session::Session;
use ttl_explorer::app::expiration::ExpirationForm;
use ttl_explorer::app::settings::SettingsForm;
use ttl_explorer::app::{Msg, Node, Tab};
use ttl_explorer::domain::ravendb::Configuration;
use ttl_explorer::engine::{Api, ContainerNo, Kind};

/// A database `shop` with these documents, all of them open.
fn shop(documents: &[&str]) -> Session {
    let mut session = Session::prepared(120, 36, |engine| {
        engine.create_database("shop", Api::RavenDb).unwrap();
        let no = engine.catalog().databases["shop"].documents.as_ref().unwrap().no;
        for document in documents {
            engine.create_item(no, document).unwrap();
        }
    });
    session.keys("g Down Enter");
    session
}

fn all(session: &Session) -> ContainerNo {
    session.model.catalog.databases["shop"].documents.as_ref().unwrap().no
}

fn saved(session: &Session) -> Option<Configuration> {
    match session.model.catalog.container(all(session)).unwrap().kind {
        Kind::Documents { configuration, .. } => configuration,
        _ => panic!("not the documents"),
    }
}

fn form(session: &Session) -> &ExpirationForm {
    session.model.settings.as_ref().and_then(SettingsForm::expiration).expect("the form")
}

fn text(session: &Session) -> String {
    session.model.pane.as_ref().expect("an open document").editor.text()
}

// 21:47:49, five seconds after the start.
const SOON: &str = r#"{"@metadata": {"@id": "users/1-A", "@collection": "Users", "@expires": "2026-12-02T21:47:49Z"}}"#;
const CART: &str = r#"{"@metadata": {"@id": "carts/1-A", "@collection": "Carts"}}"#;

#[test]
fn a_database_of_the_kind_is_made_and_a_document_makes_its_collection() {
    let mut session = Session::empty(120, 36);
    session.keys("D");
    session.type_text("shop");
    session.keys("Tab Right Right Enter");
    assert!(session.said().contains("Database shop created"), "{}", session.said());
    assert_eq!(session.model.catalog.databases["shop"].api, Api::RavenDb);
    // On the database's line: a document in it.
    session.keys("n");
    let template = text(&session);
    assert!(template.contains("\"@collection\": \"replace_with_collection\""), "{template}");
    session.keys("M-a");
    session.send(Msg::Paste(template.replace("replace_with_collection", "Users")));
    session.keys("C-s");
    assert!(session.said().contains("users/1-A created in Users"), "{}", session.said());
    assert!(text(&session).contains("\"@id\": \"users/1-A\"") && text(&session).contains("@change-vector"));
    let names: Vec<&str> = session.model.tree.lines().iter().map(|line| line.name.as_str()).collect();
    assert_eq!(names, ["shop", "All Documents", "Settings", "Users"]);
}

#[test]
fn a_new_document_of_a_collection_has_its_name() {
    let mut session = shop(&[CART]);
    let carts = session.model.catalog.databases["shop"].collection("Carts").unwrap().no;
    let catalog = session.model.catalog.clone();
    session.model.tree.select_node(&catalog, Node::Container(carts));
    session.keys("Esc Enter n");
    assert!(text(&session).contains("\"@collection\": \"Carts\""));
    session.keys("C-s");
    assert_eq!(session.ids(), ["carts/1-A", "carts/2-A"], "the made id passes the typed one by");
}

#[test]
fn an_expired_document_is_shown_with_its_next_run() {
    let mut session = shop(&[SOON, CART]);
    session.keys("2 Space Down Space");
    session.type_text("60");
    session.keys("C-s Esc 1");
    assert!(!session.screen().contains("ago"));
    session.advance(17);
    let screen = session.screen();
    assert!(screen.contains("expired 00:12 ago · next run in 00:43"), "{screen}");
    session.keys("Down");
    assert!(
        session.screen().contains("expired at 21:47:49 by its @expires: visible until the run at 21:48:44"),
        "{}",
        session.screen()
    );
    // It can be opened and edited like any other.
    session.keys("Enter");
    assert!(session.model.pane.as_ref().unwrap().editor.read_only().is_none());
    session.keys("Esc");
    session.advance(43);
    assert_eq!(session.ids(), ["carts/1-A"]);
    let lines: Vec<String> = session.model.console.visible(50).iter().map(|line| line.text.clone()).collect();
    assert!(
        lines.iter().any(|line| line.contains("1 document expired in shop: visible, next run at 21:48:44")),
        "{lines:?}"
    );
    assert!(lines.iter().any(|line| line.starts_with("the run at 21:48:44 deleted 1 document of shop")), "{lines:?}");
}

#[test]
fn the_countdown_shows_both_times() {
    let mut session = shop(&[SOON, &SOON.replace("1-A", "2-A"), &SOON.replace("1-A", "3-A")]);
    session.keys("2 Space Down Space");
    session.type_text("10");
    session.keys("Down");
    session.keys("Home Delete Delete Delete Delete Delete");
    session.type_text("1");
    session.keys("C-s Esc 3");
    let screen = session.screen();
    // One a run: the third goes two runs after the first.
    for run in ["run in 00:10", "run in 00:20", "run in 00:30"] {
        assert!(screen.contains(run), "{run}: {screen}");
    }
    session.advance(6);
    assert!(session.screen().contains("expired, visible · run in 00:04"), "{}", session.screen());
    session.advance(5);
    assert!(session.screen().contains("deleted"), "{}", session.screen());
    session.advance(20);
    session.keys("1");
    assert!(session.ids().is_empty());
}

#[test]
fn expiration_is_switched_on_after_a_question_when_documents_go() {
    let mut session = shop(&[SOON]);
    session.advance(10);
    session.keys("2 Space C-s");
    assert_eq!(session.asked().as_deref(), Some("Save Document Expiration"));
    assert!(session.screen().contains("1 document is past their @expires") || session.screen().contains("1 document"));
    session.keys("n");
    assert_eq!(saved(&session), None);
    session.keys("C-s s");
    assert_eq!(
        saved(&session),
        Some(Configuration { disabled: false, delete_frequency: None, max_items: Some(65_536) })
    );
    assert!(!form(&session).is_dirty());
    session.advance(59);
    assert_eq!(session.engine.totals(ttl_explorer::engine::Scope::Everything).unwrap().stored, 1);
    session.advance(1);
    assert_eq!(session.engine.totals(ttl_explorer::engine::Scope::Everything).unwrap().stored, 0);
}

#[rstest]
#[case("0", "positive whole number, not `0`")]
#[case("-5", "positive whole number, not `-5`")]
#[case("1.5", "positive whole number, not `1.5`")]
#[case("", "write a positive whole number")]
fn a_bad_frequency_is_said_and_not_saved(#[case] typed: &str, #[case] words: &str) {
    let mut session = shop(&[CART]);
    session.keys("2 Space Down Space");
    session.type_text(typed);
    session.keys("C-s");
    assert!(session.screen().contains(words), "{}", session.screen());
    assert_eq!(saved(&session), None);
    // Leaving asks, and Discard gives it up.
    session.keys("C-q");
    assert_eq!(session.asked().as_deref(), Some("Unsaved setting"));
    session.keys("d");
    assert!(session.model.ended);
}

#[test]
fn the_configuration_is_edited_as_json() {
    let mut session = shop(&[CART]);
    session.keys("2 M-j");
    assert!(form(&session).json.as_ref().unwrap().text().contains("\"Disabled\": true"));
    // Letters are text here, Enter is a line.
    session.keys("M-a Delete");
    session.send(Msg::Paste("{\"DeleteFrequencyInSec\": 0}".to_owned()));
    session.keys("C-s");
    assert!(
        session.screen().contains("Expiration delete frequency for database 'shop' must be greater than 0."),
        "{}",
        session.screen()
    );
    assert_eq!(saved(&session), None);
    session.keys("M-a Delete");
    session.send(Msg::Paste("{\"DeleteFrequencyInSec\": \"10\", \"disabled\": true}".to_owned()));
    assert!(session.screen().contains("did you mean `Disabled`?"), "{}", session.screen());
    session.keys("C-s");
    // A missing `Disabled` means enabled.
    assert_eq!(saved(&session), Some(Configuration { disabled: false, delete_frequency: Some(10), max_items: None }));
    session.keys("M-a Delete");
    session.type_text("{\"Disabled\": 5}");
    session.keys("M-j");
    assert!(form(&session).json.is_some() && session.screen().contains("`Disabled` is 5"), "{}", session.screen());
    session.keys("Esc");
    assert!(form(&session).json.is_none() && !form(&session).is_dirty());
}

#[test]
fn a_limit_of_zero_from_json_is_told() {
    let mut session = shop(&[SOON]);
    session.keys("2 M-j M-a Delete");
    session.send(Msg::Paste("{\"MaxItemsToProcess\": 0}".to_owned()));
    session.keys("C-s");
    assert_eq!(saved(&session).and_then(|saved| saved.max_items), Some(0));
    assert!(session.screen().contains("its runs delete nothing"), "{}", session.screen());
    session.keys("Esc 1");
    session.advance(200);
    assert_eq!(session.ids(), ["users/1-A"]);
    assert!(session.screen().contains("MaxItemsToProcess lets the runs delete nothing"), "{}", session.screen());
}

#[rstest]
#[case("5 m", "2026-12-02T21:52:44.0000000Z")]
#[case("2 h", "2026-12-02T23:47:44.0000000Z")]
#[case("30 d", "2027-01-01T21:47:44.0000000Z")]
fn the_editor_sets_the_instant_by_a_duration(#[case] typed: &str, #[case] at: &str) {
    let mut session = shop(&[CART]);
    session.keys("Enter M-e");
    assert_eq!(session.asked().as_deref(), Some("Expires in"));
    session.type_text(typed);
    session.keys("Enter");
    assert!(text(&session).contains(&format!("\"@expires\": \"{at}\"")), "{}", text(&session));
    // It is one step, and an edit like any other.
    session.keys("C-u");
    assert!(!text(&session).contains("@expires"));
    session.keys("C-r C-s");
    assert!(session.said().contains("updated"), "{}", session.said());
}

#[test]
fn a_bad_duration_is_said_in_the_dialog() {
    let mut session = shop(&[CART]);
    session.keys("Enter M-e");
    session.type_text("soon");
    session.keys("Enter");
    assert!(session.screen().contains("`soon` is not a duration"), "{}", session.screen());
    session.keys("Esc");
    session.keys("M-a Delete");
    session.type_text("{");
    session.keys("M-e");
    session.type_text("5 m");
    session.keys("Enter");
    assert!(session.screen().contains("Mend the text first"), "{}", session.screen());
}

#[test]
fn a_refused_instant_is_shown_in_the_servers_words_with_its_place() {
    let mut session = shop(&[]);
    session.keys("n M-a Delete");
    session.send(Msg::Paste("{\"@metadata\": {\"@id\": \"Users/1-A\", \"@expires\": \"2099-01-01\"}}".to_owned()));
    session.keys("C-s");
    let screen = session.screen();
    assert!(screen.contains("The due date format for document 'users/1-a' is not valid:"), "{screen}");
    assert!(session.ids().is_empty());
}

#[test]
fn writing_again_says_that_the_instant_stays() {
    let mut session = shop(&[SOON]);
    session.keys("w");
    assert!(session.said().contains("@expires is absolute"), "{}", session.said());
}

#[test]
fn a_conflict_names_the_change_vector() {
    let mut session = shop(&[CART]);
    session.keys("Enter M-a");
    let mine = text(&session).replacen('{', "{\n    \"mine\": 1,", 1);
    session.send(Msg::Paste(mine));
    let no = all(&session);
    let key = session.ids()[0].to_lowercase();
    session.engine.replace_item(no, key.as_bytes(), CART, None).unwrap();
    session.keys("C-s");
    assert_eq!(session.asked().as_deref(), Some("Conflict"));
    assert!(session.screen().contains("change vector is another one"), "{}", session.screen());
    session.keys("o");
    assert!(session.engine.item(no, key.as_bytes()).unwrap().text.contains("mine"));
}

#[test]
fn all_documents_are_deleted_with_their_database_only_and_a_collection_by_its_name() {
    let mut session = shop(&[SOON, CART]);
    session.keys("Esc d");
    assert_eq!(session.asked().as_deref(), Some("Delete Database"));
    session.keys("Esc");
    let carts = session.model.catalog.databases["shop"].collection("Carts").unwrap().no;
    let catalog = session.model.catalog.clone();
    session.model.tree.select_node(&catalog, Node::Container(carts));
    session.keys("d");
    assert_eq!(session.asked().as_deref(), Some("Delete Collection"));
    session.type_text("Carts");
    session.keys("Enter");
    assert!(session.said().contains("Collection Carts deleted"), "{}", session.said());
    assert_eq!(session.ids(), ["users/1-A"]);
}

#[test]
fn a_container_is_not_made_in_a_ravendb_database() {
    let mut session = shop(&[CART]);
    session.keys("Esc C");
    assert_eq!(session.asked(), None);
    assert!(session.said().contains("a collection is made by its first document"), "{}", session.said());
}

#[test]
fn a_document_that_a_run_deletes_while_it_is_edited_keeps_its_text() {
    let mut session = shop(&[SOON]);
    session.keys("2 Space Down Space");
    session.type_text("10");
    session.keys("C-s Esc 1 Enter");
    session.type_text(" ");
    let edited = text(&session);
    session.advance(20);
    assert_eq!(text(&session), edited);
    session.keys("C-s");
    assert!(
        session.screen().contains("deleted") && session.screen().contains("saves it as new"),
        "{}",
        session.screen()
    );
    session.keys("C-s");
    assert!(session.said().contains("users/1-A created"), "{}", session.said());
}

#[test]
fn the_settings_of_a_collection_are_those_of_its_database() {
    let mut session = shop(&[CART]);
    let carts = session.model.catalog.databases["shop"].collection("Carts").unwrap().no;
    let catalog = session.model.catalog.clone();
    session.model.tree.select_node(&catalog, Node::Container(carts));
    session.keys("Esc Enter 2");
    assert_eq!((session.model.tab, form(&session).container), (Tab::Settings, all(&session)));
    assert!(session.screen().contains("Document Expiration of shop"));
}

#[test]
fn a_save_on_the_way_out_goes_on_its_way() {
    let mut session = shop(&[CART]);
    session.keys("2 Space Up");
    session.keys("1");
    assert_eq!(session.asked().as_deref(), Some("Unsaved setting"));
    session.keys("s");
    assert!(saved(&session).is_some_and(|saved| !saved.disabled));
    assert_eq!(session.model.tab, Tab::Items);
}

#[test]
fn a_change_elsewhere_leaves_the_typed_json_alone() {
    let mut session = shop(&[CART]);
    session.keys("2 M-j M-a Delete");
    // It means what is saved, and is not laid out as it would be shown.
    session.send(Msg::Paste("{\"Disabled\": true, \"note\": 1}".to_owned()));
    session.engine.create_database("other", Api::RavenDb).unwrap();
    session.send(Msg::Tick);
    assert!(form(&session).json.as_ref().unwrap().text().contains("note"));
    session
        .engine
        .set_expiration(all(&session), Configuration { disabled: false, delete_frequency: Some(5), max_items: None })
        .unwrap();
    session.send(Msg::Tick);
    assert!(form(&session).json.as_ref().unwrap().text().contains("\"DeleteFrequencyInSec\": 5"));
    assert!(!form(&session).is_dirty());
}
