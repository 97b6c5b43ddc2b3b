//! (text, keys) → text, and what must never happen.

use super::*;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use proptest::prelude::*;
use rstest::rstest;

/// Keys by name: characters as they are, others in `<>`.
fn play(editor: &mut Editor, keys: &str) {
    let mut rest = keys;
    while let Some(c) = rest.chars().next() {
        let (name, after) = match rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
            Some((name, after)) => (name.to_owned(), after),
            None => (c.to_string(), &rest[c.len_utf8()..]),
        };
        rest = after;
        let (modifiers, name) = match name.split_once('-') {
            Some(("C", name)) => (KeyModifiers::CONTROL, name.to_owned()),
            Some(("A", name)) => (KeyModifiers::ALT, name.to_owned()),
            Some(("S", name)) => (KeyModifiers::SHIFT, name.to_owned()),
            _ => (KeyModifiers::NONE, name),
        };
        let code = match name.as_str() {
            "left" => KeyCode::Left,
            "right" => KeyCode::Right,
            "up" => KeyCode::Up,
            "down" => KeyCode::Down,
            "home" => KeyCode::Home,
            "end" => KeyCode::End,
            "enter" => KeyCode::Enter,
            "tab" => KeyCode::Tab,
            "bs" => KeyCode::Backspace,
            "del" => KeyCode::Delete,
            "undo" => {
                editor.undo();
                continue;
            }
            "redo" => {
                editor.redo();
                continue;
            }
            name => KeyCode::Char(name.chars().next().unwrap_or(' ')),
        };
        editor.input(KeyEvent::new(code, modifiers));
    }
}

#[rstest]
#[case("", "abc", "abc")]
#[case("{}", "<right><enter>x", "{\n    x}")]
#[case("    a", "<end><enter>b", "    a\n    b")]
#[case("a", "<tab>", "    a")]
#[case("one two", "<end><C-w>", "one ")]
#[case("one\ntwo", "<C-k><del>", "two")]
#[case("abc", "<S-end>x", "x")]
#[case("abc", "<S-end>x<undo>", "abc")]
#[case("abc", "<S-end>x<undo><redo>", "x")]
#[case("abc", "x<undo><undo><redo>", "xabc")]
#[case("abc", "<S-right><A-w><end><C-v>", "abca")]
#[case("a\nb", "<A-a><A-x><C-v><C-v>", "a\nba\nb")]
#[case("日本", "<right><bs>", "本")]
#[case("one two", "<end> x three<undo>", "one two x ")]
#[case("one two", "<end> x three<undo><undo>", "one two ")]
#[case("one two", "<end><bs><bs><bs><bs><undo>", "one two")]
#[case("ab", "x<right>y<undo>", "xab")]
#[case("👨\u{200D}👩\u{200D}👧e\u{301}x", "<right><right><bs>", "👨\u{200D}👩\u{200D}👧x")]
#[case("👨\u{200D}👩\u{200D}👧e\u{301}x", "<del><del>", "x")]
#[case("👨\u{200D}👩\u{200D}👧x", "<end><left><bs><undo>", "👨\u{200D}👩\u{200D}👧x")]
#[case("abcdef\n\n日本語", "<end><down><down>x", "abcdef\n\n日本語x")]
#[case("abcd\n日本\nabcd", "<right><right><right><down><down>x", "abcd\n日本\nabcxd")]
#[case("a\n\nb\nc", "<S-down><S-down><S-down><tab>", "    a\n\n    b\nc")]
#[case("a\nb", "<S-down><S-end><tab><tab><undo>", "    a\n    b")]
#[case("\"a_b\": 10", "<C-right><C-right><C-right>x", "\"a_b\": x10")]
#[case("a b\nc", "<down><C-left><C-left>x", "a xb\nc")]
fn keys_change_the_text(#[case] text: &str, #[case] keys: &str, #[case] after: &str) {
    let mut editor = Editor::new(text);
    play(&mut editor, keys);
    assert_eq!(editor.text(), after);
}

#[test]
fn dirty_means_different() {
    let mut editor = Editor::new("a");
    assert!(!editor.is_dirty());
    play(&mut editor, "x");
    assert!(editor.is_dirty());
    play(&mut editor, "<bs>");
    assert!(!editor.is_dirty());
    play(&mut editor, "y");
    editor.discard();
    assert_eq!((editor.text().as_str(), editor.is_dirty()), ("a", false));
    editor.undo();
    assert_eq!(editor.text(), "ya");
}

#[test]
fn a_paste_is_clean_and_one_step() {
    let mut editor = Editor::new("[]");
    play(&mut editor, "<right>");
    editor.paste("1,\r\n2,\r3,\t\u{1b}[2J\u{9b}4");
    assert_eq!(editor.text(), "[1,\n2,\n3,    [2J4]");
    editor.undo();
    assert_eq!(editor.text(), "[]");
}

#[test]
fn laying_out_is_one_step_and_refused_for_what_is_no_json() {
    let mut editor = Editor::new("{\"a\":1.0}");
    editor.format().expect("valid");
    assert_eq!(editor.text(), "{\n    \"a\": 1.0\n}");
    editor.undo();
    assert_eq!(editor.text(), "{\"a\":1.0}");
    let mut editor = Editor::new("{");
    assert!(editor.format().is_err());
    assert_eq!(editor.text(), "{");
}

#[test]
fn searching_goes_round_and_counts() {
    let mut editor = Editor::new("ttl x\nTTL ttl");
    assert_eq!(editor.search("ttl", true), 3);
    assert_eq!(editor.cursor(), Place { line: 2, column: 1 });
    editor.search("ttl", true);
    editor.search("ttl", true);
    assert_eq!(editor.cursor(), Place { line: 1, column: 1 });
    assert_eq!(editor.search("TTL", true), 1);
    assert_eq!(editor.search("nothing", true), 0);
}

#[test]
fn what_is_too_large_is_shown_and_not_edited() {
    let text = "x\n".repeat(100_000);
    let mut editor = Editor::new(&text);
    assert!(editor.read_only().is_some_and(|reason| reason.contains("100,001 lines")));
    play(&mut editor, "abc<enter><bs>");
    editor.paste("y");
    editor.undo();
    assert!(!editor.is_dirty());
    play(&mut editor, "<C-end>");
    assert_eq!(editor.cursor().line, 100_001);
}

#[test]
fn what_is_read_only_stays_as_it_is() {
    let mut editor = Editor::new("abc");
    play(&mut editor, "x");
    editor.set_read_only("it is expired");
    play(&mut editor, "y<bs><del><enter><tab><C-w><C-k><A-a><A-x><undo><redo>");
    assert!(!editor.paste("z"));
    assert_eq!(editor.text(), "xabc");
}

#[test]
fn text_beyond_the_limits_is_not_taken_in() {
    let mut editor = Editor::new("{}");
    editor.paste(&"\n".repeat(30_000));
    editor.paste(&"x".repeat(70_000));
    assert_eq!(editor.text(), "{}");
}

/// Regression: the old text and the new one were counted together, so laying out or discarding emptied a large text.
#[test]
fn a_large_text_is_replaced_in_whole_or_not_at_all() {
    let members: Vec<String> = (0..11_000).map(|n| format!("\"k{n}\": {n}")).collect();
    let text = format!("{{\n{}\n}}", members.join(",\n"));
    let mut editor = Editor::new(&text);
    editor.format().expect("valid");
    assert_eq!(editor.lines().len(), 11_002);
    assert_eq!(editor.lines()[1], "    \"k0\": 0,");
    editor.discard();
    assert_eq!((editor.text() == text, editor.is_dirty()), (true, false));

    // Every element gets a line of its own: more than there may be.
    let text = format!("{{\"a\": [{}]}}", vec!["1"; 25_000].join(","));
    let mut editor = Editor::new(&text);
    assert_eq!(editor.format().expect_err("too large").status, 413);
    assert_eq!((editor.text() == text, editor.is_dirty()), (true, false));

    play(&mut editor, "<A-a>");
    assert!(!editor.paste(&"\n".repeat(30_000)));
    assert!(editor.text() == text);
}

#[test]
fn the_cursor_is_always_on_the_screen() {
    let mut editor = Editor::new(&format!("{}\n{}", "日".repeat(100), "y\n".repeat(100)));
    editor.resize(10, 43);
    play(&mut editor, "<end>");
    let (_, left) = editor.scrolled();
    let width = 43 - usize::from(editor.gutter());
    assert!((left..left + width).contains(&200), "{left}");
    play(&mut editor, "<home><C-end>");
    let (top, left) = editor.scrolled();
    assert_eq!(left, 0);
    assert!((top..top + 10).contains(&101));
    editor.click(0, 3);
    assert_eq!(editor.cursor().line, top + 1);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn everything_can_be_undone(text in "[a{\n \"日e\u{301}\u{200D}👩]{0,30}", keys in prop::collection::vec(0usize..17, 0..60)) {
        let names = ["a", "<left>", "<right>", "<up>", "<down>", "<bs>", "<del>", "<enter>", "<tab>", "<S-right>", "<S-down>",
            "<C-w>", "<A-x>", "<C-v>", " ", "<C-right>", "<C-k>"];
        let mut editor = Editor::new(&text);
        for key in keys {
            play(&mut editor, names[key]);
        }
        let edited = editor.text();
        for _ in 0..200 {
            editor.undo();
        }
        prop_assert_eq!(editor.text(), text);
        prop_assert!(!editor.is_dirty());
        for _ in 0..200 {
            editor.redo();
        }
        prop_assert_eq!(editor.text(), edited);
    }
}
