//! The terminal: what data cannot do to it, and how it is left on every way out.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::io::Read;
use std::time::{Duration, Instant};

use support::pty::{Pty, SOON, data_dir};

fn demo(columns: u16, rows: u16) -> Pty {
    let pty = Pty::start(&["--demo"], columns, rows);
    pty.wait_for("order-1042");
    pty
}

#[test]
fn sigterm_ends_it_with_the_terminal_restored() {
    let mut pty = demo(100, 30);
    pty.signal("TERM");
    pty.wait_exit();
    pty.assert_restored();
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_z_always_suspends_and_fg_comes_back() {
    let mut pty = demo(100, 30);
    // In the editor too, where other programs undo.
    pty.keys("Enter Enter");
    pty.wait_for("undo");
    pty.keys("C-z");
    pty.wait_stopped();
    pty.assert_restored();
    pty.signal("CONT");
    pty.wait_for("order-1042");
    pty.keys("C-q");
    assert!(pty.wait_exit().success());
    pty.assert_restored();
}

/// Nobody tells a process that it is about to be stopped this way; a shell has the terminal meanwhile.
#[cfg(target_os = "linux")]
#[test]
fn a_stop_from_outside_is_made_good_when_it_is_continued() {
    let mut pty = demo(100, 30);
    pty.signal("STOP");
    pty.wait_stopped();
    pty.scribble("\x1b[2J\x1b[H[1]+  Stopped\r\n$ fg\x1b[?1002l\x1b[?2004l\x1b[?25h");
    pty.signal("CONT");
    pty.wait_until("the whole screen", SOON, |screen| {
        ["Settings   Countdown", "order-1042", "quit"].iter().all(|words| screen.contains(words))
            && !screen.contains("Stopped")
    });
    pty.click_on("Settings   Countdown");
    pty.wait_for("second(s)");
    pty.keys("Esc q");
    assert!(pty.wait_exit().success());
    pty.assert_restored();
}

/// A window that is closed takes its terminal with it: nothing can be written, and nothing is left behind.
#[cfg(unix)]
#[test]
fn a_terminal_that_is_closed_ends_it_in_order() {
    let temporary = tempfile::tempdir().unwrap();
    let pair = portable_pty::native_pty_system().openpty(portable_pty::PtySize::default()).unwrap();
    let mut command = portable_pty::CommandBuilder::new(env!("CARGO_BIN_EXE_ttl-explorer"));
    command.args(["--demo"]);
    command.env("TERM", "xterm-256color");
    command.env("TMPDIR", temporary.path());
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let (started, shown) = std::sync::mpsc::channel();
    // Reads until the first screen is there; then its end of the terminal is closed with it.
    std::thread::spawn(move || {
        let (mut seen, mut buffer) = (Vec::new(), [0; 4096]);
        while !String::from_utf8_lossy(&seen).contains("order-1042") {
            match reader.read(&mut buffer) {
                Ok(n) if n > 0 => seen.extend_from_slice(&buffer[..n]),
                _ => return,
            }
        }
        drop(reader);
        let _ = started.send(());
    });
    if shown.recv_timeout(SOON).is_err() {
        child.kill().unwrap();
        panic!("the first screen did not come");
    }
    assert!(temporary.path().read_dir().unwrap().next().is_some(), "the store of the demo is somewhere else");
    drop(pair.master);
    let closed = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if closed.elapsed() > SOON {
            child.kill().unwrap();
            panic!("it goes on without a terminal");
        }
        std::thread::yield_now();
    };
    assert!(matches!(status.exit_code(), 0 | 1), "{status:?}");
    assert_eq!(temporary.path().read_dir().unwrap().count(), 0, "the store of the demo is left behind");
}

#[test]
fn data_is_shown_and_not_obeyed() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = Pty::start(&data_dir(dir.path()), 120, 36);
    pty.wait_for("Welcome");
    pty.keys("e C");
    pty.wait_for("New Container");
    pty.type_text("d\tc\tpk\r");
    pty.keys("Tab Tab Enter");
    pty.wait_for("No items");
    pty.keys("n");
    pty.wait_for("replace_with");
    pty.keys("M-a");
    // A bidi override as itself, an escape sequence written as JSON writes it, both in the id that lists show.
    pty.paste("{\"id\": \"a\\u001b[2Jb\u{202e}c\", \"pk\": \"\\u009b31m\"}");
    pty.keys("C-s");
    pty.wait_for("created.");
    pty.wait_for("a␛[2Jb▯c");
    let raw = pty.raw();
    let sent = String::from_utf8_lossy(&raw);
    assert!(!sent.contains('\u{202e}'), "a bidi override reached the terminal");
    assert!(!sent.contains("\u{1b}[2Jb"), "an escape sequence of the data reached the terminal");
    assert!(!sent.contains('\u{9b}'), "a control character of the data reached the terminal");
    pty.keys("C-q");
    assert!(pty.wait_exit().success());
}

#[test]
fn a_paste_outside_a_text_is_no_string_of_commands() {
    let mut pty = demo(100, 30);
    pty.paste("dddd\rqqqq");
    pty.wait_for("Pasted text goes into the editor");
    pty.keys("q");
    assert!(pty.wait_exit().success());
}

#[test]
fn every_size_is_survived_and_80_by_24_works_fully() {
    let mut pty = demo(80, 24);
    for (columns, rows) in [(1, 1), (10, 3), (39, 24), (40, 10), (59, 20), (60, 12), (200, 60), (300, 100), (80, 24)] {
        pty.resize(columns, rows);
        pty.settle(Duration::from_millis(100));
    }
    pty.wait_for("order-1042");
    pty.keys("2");
    pty.wait_for("second(s)");
    pty.keys("Esc 3");
    pty.wait_for("following");
    pty.keys("q");
    assert!(pty.wait_exit().success());
}

#[test]
fn the_mouse_reaches_tree_tabs_rows_and_buttons() {
    let mut pty = demo(120, 36);
    pty.click_on("sessions");
    pty.wait_for("workshop › sessions");
    pty.wait_for("s-0001");
    pty.click_on("s-0009");
    pty.wait_for("── s-0009");
    pty.click_on("Settings   Countdown");
    pty.wait_for("On (no default)");
    pty.click_on("( ) Off");
    pty.wait_for("then   Off");
    pty.click_on("[ Discard");
    pty.wait_gone("then   Off", SOON);
    pty.click_on("Countdown");
    pty.wait_for("following");
    pty.click_on("quit");
    assert!(pty.wait_exit().success());
}

#[cfg(target_os = "linux")]
#[test]
fn an_idle_program_sleeps() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = Pty::start_empty(dir.path(), 100, 30);
    pty.settle(Duration::from_millis(500));
    let (bytes, ticks) = (pty.raw().len(), pty.cpu_ticks());
    pty.settle(Duration::from_secs(2));
    assert_eq!(pty.raw().len(), bytes, "something was drawn though nothing happened");
    assert!(pty.cpu_ticks() - ticks <= 1, "{} ticks of processor time in 2 s", pty.cpu_ticks() - ticks);
    pty.keys("q");
    assert!(pty.wait_exit().success());
}

#[test]
fn a_directory_that_is_removed_is_told_and_the_end_comes_all_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("store");
    let mut pty = Pty::start(&data_dir(&store), 120, 36);
    pty.wait_for("Welcome");
    pty.keys("l");
    pty.wait_for("workshop › sessions");
    std::fs::remove_dir_all(&store).unwrap();
    pty.keys("w");
    pty.wait_for("was removed under the running program");
    pty.keys("q");
    assert_eq!(pty.wait_exit().exit_code(), 1);
    pty.assert_restored();
}
