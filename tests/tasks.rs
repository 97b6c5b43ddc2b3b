//! Tasks without the screen, as a script sees them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::path::Path;
use std::process::{Command, Output};

use ttl_explorer::engine::{Engine, EngineOptions};

fn run(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ttl-explorer")).arg("--data-dir").arg(dir).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn sample(dir: &Path) -> u64 {
    let engine = Engine::open(dir, EngineOptions { background: false, ..EngineOptions::default() }).unwrap();
    let made = engine.load_sample().unwrap();
    engine.close().unwrap();
    made
}

#[test]
fn check_finds_nothing_in_a_sound_store() {
    let dir = tempfile::tempdir().unwrap();
    sample(dir.path());
    let output = run(dir.path(), &["check"]);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), "The store is sound.\n"));
}

#[test]
fn check_finds_damage_and_repairs_it_when_told_to() {
    let dir = tempfile::tempdir().unwrap();
    sample(dir.path());
    {
        use ttl_explorer::store::{ContainerNo, Expiry, Header, Listed, Options, Store, StoreError};
        let store = Store::open(dir.path(), Options::default()).unwrap();
        let lie = Header { ts: 5, expiry: Expiry::Own { at: 77 }, rid: 0, etag: 0, flags: 0, listed: Listed::Nowhere };
        store
            .write(|writer| writer.put(ContainerNo(0), b"x", Some(lie), lie, b"{}"), |()| {})
            .map_err(|e: StoreError| e)
            .unwrap();
        store.close().unwrap();
    }
    let output = run(dir.path(), &["check"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("container 0"), "{}", text(&output.stdout));
    let output = run(dir.path(), &["check", "--repair"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert_eq!(run(dir.path(), &["check"]).status.code(), Some(0));
}

#[test]
fn export_writes_every_item_as_it_was_typed() {
    let dir = tempfile::tempdir().unwrap();
    let made = sample(dir.path());
    let out = tempfile::tempdir().unwrap();
    let target = out.path().join("saved");
    let output = run(dir.path(), &["export", target.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let lines: usize = std::fs::read_dir(&target)
        .unwrap()
        .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap().lines().count())
        .sum();
    assert_eq!(lines as u64, made);
    let orders = std::fs::read_to_string(target.join("workshop.orders.jsonl")).unwrap();
    assert!(orders.contains("\"price\": 54.0"), "numbers stay as typed");
    let again = run(dir.path(), &["export", target.to_str().unwrap()]);
    assert_eq!(again.status.code(), Some(1));
    assert!(text(&again.stderr).contains("is not empty"));
}

#[test]
fn wrong_usage_is_status_2_and_no_terminal_is_said() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(run(dir.path(), &["fly"]).status.code(), Some(2));
    let output = run(dir.path(), &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("needs a terminal"));
}
