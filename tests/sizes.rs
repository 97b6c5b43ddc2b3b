//! No size of the terminal and no sequence of keys makes the program panic.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use proptest::prelude::*;
use support::session::{Session, key};
use ttl_explorer::app::Msg;

/// Draws the state at many sizes.
fn look(session: &mut Session) {
    for columns in (1..=130).step_by(3).chain([39, 40, 41, 59, 60, 61, 80, 99, 100, 101, 200, 300]) {
        for rows in [1, 2, 5, 9, 10, 11, 12, 15, 20, 24, 36, 60, 100] {
            session.send(Msg::Resize(columns, rows));
            session.screen();
        }
    }
}

#[test]
fn a_terminal_that_is_smaller_than_it_was_a_moment_ago_is_drawn() {
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;
    use ttl_explorer::ui::{self, Theme};
    let session = Session::sample(120, 36);
    for (columns, rows) in [(0, 0), (1, 1), (119, 36), (120, 35), (200, 60)] {
        ui::draw(&session.model, &Theme::dark(), &mut Buffer::empty(Rect::new(0, 0, columns, rows)));
    }
}

#[test]
fn every_state_is_drawn_at_every_size() {
    let mut session = Session::sample(120, 36);
    look(&mut session);
    for keys in [
        "Enter", "Enter", "Esc", "2", "Esc", "3", "o", "o", "?", "Esc", "C", "Esc", "P", "Esc", "c", "x", "Esc", "D",
        "Esc", "U", "Esc", "E", "Esc",
    ] {
        session.keys(keys);
        look(&mut session);
    }
    session.send(Msg::Resize(80, 24));
    session.keys("1 n");
    session.type_text("{{{");
    look(&mut session);
    session.keys("C-s C-q");
    look(&mut session);
    let mut welcome = Session::prepared(80, 24, |_| {});
    look(&mut welcome);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn no_sequence_of_keys_panics(
        keys in prop::collection::vec(0usize..41, 0..120),
        size in prop_oneof![Just((120u16, 36u16)), Just((80, 24)), Just((50, 12)), Just((40, 10)), Just((3, 2))],
    ) {
        let names = ["Up", "Down", "Left", "Right", "Enter", "Esc", "Tab", "S-Tab", "Home", "End", "PageUp", "PageDown", "Space",
            "1", "2", "3", "n", "C", "D", "d", "w", "a", "s", "p", "P", "b", "c", "f", "o", "x", "?", "C-s", "C-u", "C-f", "C-g",
            "M-f", "M-a", "Backspace", "F5", "k", "U"];
        let mut session = Session::sample(size.0, size.1);
        for (step, at) in keys.into_iter().enumerate() {
            session.send(Msg::Key(key(names[at])));
            session.screen();
            if step % 10 == 9 {
                session.advance(7);
                session.screen();
            }
        }
    }
}
