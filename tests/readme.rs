//! The README is a promise: its keys are those of the table, its picture is a picture.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use ttl_explorer::app::Keymap;

const README: &str = include_str!("../README.md");

fn part(name: &str) -> &'static str {
    let (begin, end) = (format!("<!-- {name}: begin -->\n"), format!("<!-- {name}: end -->"));
    let from = README.find(&begin).unwrap_or_else(|| panic!("no {begin}")) + begin.len();
    let to = README[from..].find(&end).unwrap_or_else(|| panic!("no {end}"));
    &README[from..from + to]
}

#[test]
fn the_keys_are_those_of_the_table() {
    let table = Keymap::standard().expect("valid").markdown();
    assert_eq!(part("keys").trim(), table.trim(), "put this into README.md:\n{table}");
}

#[test]
fn the_picture_is_a_picture_of_the_program() {
    let snapshot = include_str!("snapshots/items-120x40.snap");
    let screen = snapshot.splitn(3, "---\n").nth(2).expect("a screen");
    for line in part("picture").lines().filter(|line| !line.starts_with("```")) {
        assert!(screen.lines().any(|seen| seen == line), "not on the screen: {line}");
    }
}
