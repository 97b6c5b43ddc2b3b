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

/// How long a sweep worked is the machine's affair.
fn steady(screen: &str) -> String {
    let Some(at) = screen.find(" ms, at most") else {
        return screen.to_owned();
    };
    let start = screen[..at].rfind(' ').map_or(at, |blank| blank + 1);
    format!(
        "{}0.0{}",
        &screen[..start],
        steady(&screen[at..].replacen(" ms, at most", "\u{0}", 1)).replacen('\u{0}', " ms, at most", 1)
    )
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
fn delete_container() {
    let mut session = sessions();
    session.keys("Esc d");
    session.type_text("session");
    session.keys("Enter");
    pictures("delete-container", &mut session);
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
