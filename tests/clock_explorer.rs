//! The clock on the screen: its dialog, what a jump asks, what the header says, what follows.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use support::session::{START, Session};
use ttl_explorer::domain::nosql::{DefaultTtl, PartitionKey};
use ttl_explorer::engine::{Api, ClockState};

const DAY: i64 = 86_400;

/// A container, On with a day: three items by it, one of a minute, one that stays.
fn stand() -> Session {
    Session::prepared(120, 36, |engine| {
        let database = engine.create_database("d", Api::NoSql).unwrap();
        let key = PartitionKey::new(["/id"]).unwrap();
        let no = engine.create_container(database, "c", key, DefaultTtl::Seconds(DAY as u32)).unwrap();
        for n in 0..3 {
            engine.create_item(no, &format!("{{\"id\": \"day-{n}\"}}")).unwrap();
        }
        engine.create_item(no, "{\"id\": \"minute\", \"ttl\": 60}").unwrap();
        engine.create_item(no, "{\"id\": \"stays\", \"ttl\": -1}").unwrap();
    })
}

fn header(session: &Session) -> String {
    session.screen().lines().next().unwrap().to_owned()
}

/// Opens the dialog, types a jump and sets it.
fn jump(session: &mut Session, to: &str) {
    session.keys("t");
    session.type_text(to);
    session.keys("Enter");
}

#[test]
fn a_jump_says_what_it_deletes_before_it_does() {
    let mut session = stand();
    session.keys("Enter");
    jump(&mut session, "+2 d");
    assert_eq!(session.asked().as_deref(), Some("Jump to 2026-12-04 21:47:44"));
    assert!(session.screen().contains("4 items expire; 4 items are deleted."), "{}", session.screen());
    session.keys("Esc");
    assert_eq!((session.clock_secs(), session.asked()), (START, None), "nothing was moved");
    jump(&mut session, "+2 d");
    session.keys("j");
    assert_eq!(session.clock_secs(), START + 2 * DAY);
    assert_eq!(session.ids(), ["stays"]);
    assert!(header(&session).ends_with("2026-12-04 21:47:44Z ×1"), "{}", header(&session));
    session.advance(1);
    assert!(session.said().contains("swept 4 items of d/c"), "{}", session.said());
}

#[test]
fn a_jump_that_deletes_nothing_is_done_at_once() {
    let mut session = stand();
    jump(&mut session, "next");
    assert_eq!((session.clock_secs(), session.asked()), (START + 60, None));
    assert_eq!(session.ids(), ["day-0", "day-1", "day-2", "stays"]);
}

#[test]
fn an_export_comes_before_what_is_deleted() {
    let mut session = stand();
    jump(&mut session, "+2 d");
    session.keys("e");
    assert_eq!(session.asked().as_deref(), Some("Export"));
    assert_eq!(session.clock_secs(), START);
}

#[test]
fn it_runs_faster_stands_still_and_goes_back() {
    let mut session = stand();
    session.keys("t S-Tab S-Tab C-u Backspace");
    session.type_text("60");
    session.keys("C-s");
    session.advance(2);
    assert_eq!(session.clock_secs(), START + 120);
    assert!(header(&session).ends_with("2026-12-02 21:49:44Z ×60"), "{}", header(&session));
    assert!(!session.ids().contains(&"minute".to_owned()));
    session.keys("t S-Tab Right C-s");
    session.advance(100);
    assert_eq!(session.clock_secs(), START + 120);
    assert!(header(&session).ends_with("2026-12-02 21:49:44Z ‖ paused"), "{}", header(&session));
    session.keys("t Tab Tab Enter");
    assert_eq!(session.asked().as_deref(), Some("Back to real time"));
    session.keys("b");
    assert_eq!((session.clock_secs(), session.model.clock), (START + 102, ClockState::default()));
    assert!(header(&session).ends_with("21:49:26Z"), "{}", header(&session));
}

#[test]
fn what_was_written_ahead_is_said_on_the_way_back() {
    let mut session = stand();
    jump(&mut session, "+12 h");
    session.keys("j");
    session.engine.create_item(session.model.container.unwrap(), "{\"id\": \"ahead\"}").unwrap();
    session.keys("t Tab Tab Enter");
    assert!(session.screen().contains("the newest write lies"), "{}", session.screen());
    assert!(session.screen().contains("1 item comes back"), "{}", session.screen());
    session.keys("b");
    assert!(session.said().contains("The clock shows the real time"), "{}", session.said());
    // No sweep came over the one of a minute: it is back, as was said.
    assert_eq!(session.ids(), ["ahead", "day-0", "day-1", "day-2", "minute", "stays"]);
}

#[test]
fn what_cannot_be_is_said_in_the_dialog_and_nothing_typed_is_lost() {
    let mut session = stand();
    for (to, words) in [
        ("tomorrow", "`tomorrow` is not a jump"),
        ("2026-12-01", "The clock only goes forward"),
        ("99999999999 d", "The clock ends with the year 9999"),
    ] {
        jump(&mut session, to);
        assert!(session.screen().contains(words), "{to}: {}", session.screen());
        assert_eq!(session.model.dialogs.last().unwrap().value(2), to);
        session.keys("Esc");
    }
    session.keys("t S-Tab S-Tab C-u Backspace");
    session.type_text("0");
    session.keys("C-s");
    assert!(session.screen().contains("`0` is not a speed"), "{}", session.screen());
    assert_eq!(session.model.clock, ClockState::default());
}

#[test]
fn without_an_expiry_there_is_no_next_one() {
    let mut session = Session::prepared(120, 36, |engine| {
        engine.create_database("d", Api::NoSql).unwrap();
    });
    jump(&mut session, "next");
    assert!(session.screen().contains("there is no next expiry"), "{}", session.screen());
}
