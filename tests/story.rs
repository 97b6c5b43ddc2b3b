//! The story of a workshop, through a pseudo-terminal: the real program, the rendered screen, the keys a person has.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::time::Duration;

use support::pty::{Pty, SOON, data_dir};

/// Makes an item from what is typed over the template.
fn make_item(pty: &mut Pty, text: &str) {
    pty.keys("n");
    pty.wait_for("replace_with_new_document_id");
    pty.keys("M-a");
    pty.type_text(text);
    pty.keys("C-s");
    pty.wait_for("created.");
    pty.wait_for("\"_ts\"");
    pty.keys("Esc");
}

#[test]
fn a_container_gets_a_time_to_live_and_items_go() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = Pty::start_empty(dir.path(), 120, 36);

    // A container, with its database.
    pty.keys("C");
    pty.wait_for("New Container");
    pty.type_text("shop\tcarts\tuserId\r");
    pty.keys("Tab Tab Enter");
    pty.wait_for("Container shop/carts created");
    pty.wait_for("No items");

    // On, with the seconds in words beside them.
    pty.keys("2");
    pty.wait_for("On (no default)");
    pty.keys("Down Down");
    pty.type_text("6");
    pty.wait_for("second(s)   6 s");
    pty.keys("C-s");
    pty.wait_for("Off → On, 6 s");
    pty.keys("Esc");
    pty.keys("1");
    pty.wait_for("No items");

    // Three items: their own ttl, the container's, never.
    make_item(&mut pty, r#"{"id": "own", "userId": "u", "ttl": 3}"#);
    make_item(&mut pty, r#"{"id": "follows", "userId": "u"}"#);
    make_item(&mut pty, r#"{"id": "stays", "userId": "u", "ttl": -1}"#);
    let rows = |screen: &str, id: &str| {
        screen.lines().filter(|line| line.contains(&format!("│  {id} ")) || line.contains(&format!("│▌ {id} "))).count()
    };
    pty.wait_until("all three rows", SOON, |screen| rows(screen, "stays") == 1 && rows(screen, "follows") == 1);

    // The own one goes first, the other follows the container, the third stays.
    pty.wait_until("`own` to go", SOON, |screen| rows(screen, "own") == 0 && rows(screen, "follows") == 1);
    pty.wait_until("`follows` to go", SOON, |screen| rows(screen, "follows") == 0);
    assert_eq!(rows(&pty.screen(), "stays"), 1);
    pty.wait_for("swept 1 item of shop/carts");
    pty.keys("s");

    // Hidden, not deleted, and back again when Time to Live is switched off.
    pty.keys("p");
    pty.wait_for("paused");
    make_item(&mut pty, r#"{"id": "hidden", "userId": "u", "ttl": 2}"#);
    pty.wait_until("`hidden` to be hidden", SOON, |screen| rows(screen, "hidden") == 0);
    pty.keys("2");
    pty.wait_for("1 hidden item waiting");
    pty.keys("Up Up");
    pty.wait_for("1 hidden item comes back");
    pty.keys("C-s");
    pty.wait_for("becomes Off");
    pty.keys("s");
    pty.wait_for("On, 6 s → Off");
    pty.keys("Esc 1");
    pty.wait_until("`hidden` to be back", SOON, |screen| rows(screen, "hidden") == 1);
    pty.wait_for("never");

    // The end leaves the terminal as it was, and the store as it is.
    pty.keys("q");
    assert!(pty.wait_exit().success());
    pty.assert_restored();
    let mut again = Pty::start(&data_dir(dir.path()), 120, 36);
    again.wait_until("the items", SOON, |screen| rows(screen, "stays") == 1 && rows(screen, "hidden") == 1);
    again.keys("q");
    assert!(again.wait_exit().success());
}

#[test]
fn a_row_counts_down_and_is_struck_through_when_it_is_deleted() {
    let mut pty = Pty::start(&["--demo"], 120, 36);
    pty.wait_for("workshop");
    pty.keys("3");
    pty.wait_for("following");
    pty.keys("o o");
    pty.wait_for("everything");
    pty.wait_for("soon");
    pty.wait_until("a hidden row", Duration::from_secs(20), |screen| screen.contains("expired, hidden · deleted in"));
    pty.wait_until("a deleted row", Duration::from_secs(20), |screen| screen.contains("s ago"));
    pty.keys("q");
    assert!(pty.wait_exit().success());
}

#[test]
fn documents_of_ravendb_pass_their_time_and_go_with_a_run() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = Pty::start_empty(dir.path(), 120, 36);

    // A RavenDB database and two documents; the editor's key sets when one expires.
    pty.keys("D");
    pty.wait_for("New Database");
    pty.type_text("shop\t");
    pty.keys("Right Right Enter");
    pty.wait_for("Database shop created");
    pty.keys("n");
    pty.wait_for("replace_with_collection");
    pty.keys("M-a");
    pty.type_text(r#"{"@metadata": {"@collection": "Carts"}}"#);
    pty.keys("M-e");
    pty.wait_for("Expires in");
    pty.type_text("1 s\r");
    pty.wait_for("\"@expires\": \"20");
    pty.keys("C-s");
    pty.wait_for("carts/1-A created in Carts");
    pty.keys("Esc n");
    pty.wait_for("replace_with_collection");
    pty.keys("M-a");
    pty.type_text(r#"{"@metadata": {"@id": "carts/stays", "@collection": "Carts"}}"#);
    pty.keys("C-s");
    pty.wait_for("carts/stays created in Carts");
    pty.keys("Esc");

    // Off at first: the document passes its time and is still there.
    pty.wait_for("ago · no run comes");

    // Every two seconds a run: the first one, two seconds after the save, deletes it.
    pty.keys("2");
    pty.wait_for("Enable Document Expiration");
    pty.wait_for("1 document is past its @expires");
    pty.keys("Space Down Space");
    pty.type_text("2");
    pty.wait_for("a run every 2 s");
    pty.keys("C-s");
    pty.wait_for("go with the first run");
    pty.keys("s");
    pty.wait_for("deleted 1 document of shop");
    pty.wait_for("no document is past its @expires");
    pty.keys("Esc 1");
    pty.wait_until("only the other one", SOON, |screen| {
        screen.contains("carts/stays") && !screen.contains("carts/1-A ")
    });

    // The configuration is kept.
    pty.keys("q");
    assert!(pty.wait_exit().success());
    let mut again = Pty::start(&data_dir(dir.path()), 120, 36);
    again.wait_for("run every 2s");
    again.wait_for("carts/stays");
    again.keys("q");
    assert!(again.wait_exit().success());
}

#[test]
fn a_second_process_says_that_the_store_is_in_use() {
    let dir = tempfile::tempdir().unwrap();
    let mut first = Pty::start(&data_dir(dir.path()), 80, 24);
    first.wait_for("Welcome");
    let mut second = Pty::start(&data_dir(dir.path()), 200, 24);
    assert_eq!(second.wait_exit().exit_code(), 1);
    let screen = second.screen();
    assert!(
        screen.contains("is in use by another process") && screen.contains(dir.path().to_str().unwrap()),
        "{screen}"
    );
    assert_eq!(screen.trim().lines().count(), 1, "{screen}");
    first.keys("e q");
    assert!(first.wait_exit().success());
}

#[test]
fn the_vendors_commands_are_pasted_and_the_documents_go_at_their_times() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = Pty::start_empty(dir.path(), 120, 36);
    pty.keys("D");
    pty.wait_for("New Database");
    pty.type_text("globaldb\t");
    pty.keys("Right Enter");
    pty.wait_for("Database globaldb created");
    pty.keys("4");
    pty.wait_for("Enter runs");

    // Pasted as it stands, with shorter times; it runs with Enter, not by itself.
    pty.paste(
        "db.coll.createIndex({\"_ts\":1}, {expireAfterSeconds: 4})\n\
         db.coll.insert({id:1, location: \"Paris\", ttl: 9.0}) // whole\n\
         db.coll.insert({id:2, location: \"Paris\", ttl: NumberInt(9)})\n\
         db.coll.insert({id:3, location: \"Paris\", ttl: NumberLong(9)})\n\
         db.coll.insert({id:4, location: \"Paris\", ttl: 7.5})\n\
         db.coll.insert({id:5, location: \"Paris\", ttl: NumberLong(2147483649)})",
    );
    pty.wait_for("2147483649");
    assert!(!pty.screen().contains("CreateIndexesResponse"), "a paste runs nothing");
    pty.keys("Enter");
    pty.wait_for("\"numIndexesAfter\" : 4");
    pty.wait_for("WriteResult({ \"nInserted\" : 1 })");
    // Those whose ttl does not count go with the index, the others later.
    pty.keys("Esc Down Enter");
    let counting = |screen: &str| screen.matches(" counts ").count();
    pty.wait_until("all five", SOON, |screen| counting(screen) == 3 && screen.contains("7.5 has a"));
    pty.wait_until("the two to go", SOON, |screen| counting(screen) == 3 && !screen.contains("7.5 has a"));
    pty.wait_until("the three to go", SOON, |screen| screen.contains("No documents"));
    pty.keys("q");
    assert!(pty.wait_exit().success());
}
