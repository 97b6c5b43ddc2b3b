//! The screens, as text. `INSTA_UPDATE=always cargo test --test screens` takes new pictures; look at them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use support::session::Session;
use ttl_explorer::app::Msg;

/// Takes pictures in both sizes.
fn pictures(name: &str, session: &mut Session) {
    for (columns, rows) in [(120, 40), (80, 24)] {
        session.send(Msg::Resize(columns, rows));
        insta::with_settings!({ snapshot_path => "snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(format!("{name}-{columns}x{rows}"), steady(&session.screen()));
        });
    }
}

/// A database's id in change vectors, and an ObjectId, is another one each time.
fn steady(screen: &str) -> String {
    let is_id = |word: &str| word.len() >= 8 && word.chars().all(|c| c.is_ascii_hexdigit() && !c.is_uppercase());
    let mut steady: String = without_spans(screen)
        .split_inclusive(|c: char| !c.is_ascii_alphanumeric())
        .map(|word| {
            let name = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
            if is_id(name) { word.replacen(name, &"x".repeat(name.len()), 1) } else { word.to_owned() }
        })
        .collect();
    let mut from = 0;
    while let Some(at) = steady[from..].find("\"A:") {
        let start = steady[from + at..].find('-').map_or(steady.len(), |dash| from + at + dash + 1);
        let end = steady[start..].find('"').map_or(steady.len(), |quote| start + quote);
        steady.replace_range(start..end, &"x".repeat(end - start));
        from = end;
    }
    steady
}

/// How long something took is the machine's affair, and with it the length of the line behind it.
fn without_spans(screen: &str) -> String {
    let span = regex::Regex::new(r"\bin [\d.]+ (?:µs|ms)( ─+)?").unwrap();
    span.replace_all(screen, "in 0.0 ms").into_owned()
}

/// The sample with its sessions open.
fn sessions() -> Session {
    let mut session = Session::sample(120, 40);
    let no = session.model.catalog.containers.values().find(|container| container.name == "sessions").unwrap().no;
    let catalog = session.model.catalog.clone();
    session.model.tree.select_node(&catalog, ttl_explorer::app::Node::Container(no));
    session.keys("Enter");
    session
}

#[test]
fn welcome() {
    pictures("welcome", &mut Session::prepared(120, 40, |_| {}));
}

#[test]
fn items() {
    let mut session = sessions();
    session.advance(6);
    session.keys("Down Down Space Down");
    pictures("items", &mut session);
}

#[test]
fn tree() {
    let mut session = sessions();
    session.keys("Esc");
    pictures("tree", &mut session);
}

#[test]
fn editor_with_a_refusal() {
    let mut session = sessions();
    session.keys("n M-a");
    session.send(Msg::Paste("{\n    \"id\": \"s-1\",\n    \"userId\": \"u-日本\",\n    \"ttl\": 10.5\n}".to_owned()));
    session.keys("C-s");
    pictures("refused", &mut session);
}

#[test]
fn expired_while_open() {
    let mut session = sessions();
    session.keys("End Up Up Up Up Enter");
    while session.model.pane.as_ref().and_then(|pane| pane.row()).is_none_or(|row| row.id != "s-0002") {
        session.keys("Esc Up Enter");
    }
    session.advance(15);
    pictures("expired", &mut session);
}

#[test]
fn settings() {
    let mut session = sessions();
    session.advance(30);
    session.keys("2 Backspace Backspace");
    pictures("settings", &mut session);
    session.keys("C-s");
    pictures("settings-confirm", &mut session);
}

#[test]
fn countdown() {
    let mut session = sessions();
    session.keys("3 o o");
    session.advance(15);
    pictures("countdown", &mut session);
}

#[test]
fn query() {
    let mut session = sessions();
    session.keys("4");
    session.keys("M-a Backspace");
    session.type_text("SELECT c.id, c.userId, c.ttl FROM c\nWHERE c.userId < \"u-04\" ORDER BY c.ttl");
    session.keys("F5 Esc j j");
    pictures("query", &mut session);
    session.keys("Enter");
    pictures("query-json", &mut session);
    session.keys("e");
    session.type_text(" !");
    session.keys("F5");
    pictures("query-refused", &mut session);
}

#[test]
fn timeline() {
    let mut session = sessions();
    session.keys("5");
    session.advance(3);
    session.keys("+ o o Right Right Right Right");
    pictures("timeline", &mut session);
    session.keys("- - -");
    pictures("timeline-90-days", &mut session);
}

#[test]
fn new_container() {
    let mut session = sessions();
    session.keys("C");
    session.type_text("carts");
    session.keys("Tab");
    session.type_text("/userId");
    session.keys("Tab Right Right Tab");
    session.type_text("90");
    pictures("new-container", &mut session);
}

#[test]
fn upload() {
    let mut session = sessions();
    session.keys("U");
    session.type_text("/no/such/place/sessions.jsonl");
    session.keys("Down Right Down Down");
    session.type_text("90");
    session.keys("C-s");
    pictures("upload", &mut session);
    let asked =
        ttl_explorer::app::update(&mut session.model, session.engine.now(), Msg::Key(support::session::key("C-s")));
    let Some(ttl_explorer::app::Effect::Transfer(asked)) = asked.first() else { panic!("{asked:?}") };
    let progress = ttl_explorer::transfer::Progress { done: 12_000, errors: 3, read: 41, total: Some(100) };
    let answer = ttl_explorer::app::Answer::TransferProgress { generation: asked.generation, progress };
    session.send(Msg::Answer(answer));
    pictures("uploading", &mut session);
}

#[test]
fn export() {
    let mut session = sessions();
    session.keys("Space E");
    pictures("export", &mut session);
}

#[test]
fn delete_container() {
    let mut session = sessions();
    session.keys("Esc d");
    session.type_text("session");
    session.keys("Enter");
    pictures("delete-container", &mut session);
}

/// The sample's RavenDB database, half a minute old.
fn shop() -> Session {
    let mut session = Session::sample(120, 40);
    let no = session.model.catalog.databases["shop"].documents.as_ref().unwrap().no;
    let catalog = session.model.catalog.clone();
    session.model.tree.select_node(&catalog, ttl_explorer::app::Node::Container(no));
    session.keys("Enter");
    session.advance(32);
    session
}

#[test]
fn ravendb_documents() {
    let mut session = shop();
    pictures("ravendb-off", &mut session);
    session.keys("2 Space Down Space");
    session.type_text("20");
    pictures("ravendb-settings", &mut session);
    session.keys("C-s");
    pictures("ravendb-confirm", &mut session);
    session.keys("s Esc 1");
    session.advance(1);
    session.keys("Home");
    pictures("ravendb-documents", &mut session);
    session.keys("3");
    pictures("ravendb-countdown", &mut session);
}

#[test]
fn ravendb_json_and_expires_in() {
    let mut session = shop();
    session.keys("2 M-j M-a Delete");
    session.send(Msg::Paste(
        "{\n    \"DeleteFrequencyInSec\": 1.5,\n    \"disabled\": true,\n    \"MaxItemsToProcess\": 0\n}".to_owned(),
    ));
    pictures("ravendb-json", &mut session);
    session.keys("Esc Esc 1 Home Enter M-e");
    session.type_text("2 h");
    pictures("ravendb-expires-in", &mut session);
}

#[test]
fn matrix() {
    let mut session = sessions();
    session.keys("M");
    pictures("matrix", &mut session);
}

#[test]
fn clock() {
    let mut session = sessions();
    session.keys("t");
    session.type_text("+30 d");
    pictures("clock", &mut session);
    session.keys("Enter");
    pictures("clock-jump", &mut session);
    session.keys("j");
    session.advance(1);
    session.keys("t");
    pictures("clock-moved", &mut session);
}

#[test]
fn help_and_console() {
    let mut session = sessions();
    session.advance(20);
    session.keys("c");
    pictures("console", &mut session);
    session.keys("?");
    pictures("help", &mut session);
}
