//! Upload and export on the screen: what is asked, told, stopped, and what is in the files.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use support::pty::{Pty, SOON, data_dir};
use support::session::{Session, key};
use tempfile::TempDir;
use ttl_explorer::app::dialog::Question;
use ttl_explorer::app::transfer::{Export, Items, Task, Transferred, Upload};
use ttl_explorer::app::{Answer, Effect, Focus, Msg, Node, update};
use ttl_explorer::domain::nosql::{DefaultTtl, PartitionKey};
use ttl_explorer::engine::{Api, Engine, EngineOptions, Scope};
use ttl_explorer::runtime::respond;
use ttl_explorer::transfer::{Format, OnError, Progress};

/// A container with three items that live 10, 100 and 1,000 seconds, and a directory for files.
struct Stand {
    session: Session,
    dir: TempDir,
}

fn stand() -> Stand {
    let mut session = Session::prepared(120, 36, |engine| {
        let database = engine.create_database("db", Api::NoSql).unwrap();
        let key = PartitionKey::new(["/pk"]).unwrap();
        let no = engine.create_container(database, "orders", key, DefaultTtl::NoDefault).unwrap();
        for (id, ttl) in [("a", 10), ("b", 100), ("c", 1_000)] {
            engine.create_item(no, &format!("{{\"id\": \"{id}\", \"pk\": 1, \"ttl\": {ttl}}}")).unwrap();
        }
    });
    session.model.focus = Focus::Items;
    Stand { session, dir: tempfile::tempdir().unwrap() }
}

impl Stand {
    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn file(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name).display().to_string()
    }

    /// Opens the form and writes the path into it.
    fn form(&mut self, open: &str, path: &str) {
        self.session.keys(open);
        self.session.keys("C-u");
        self.session.type_text(path);
    }

    fn error(&self) -> String {
        self.session.model.dialogs.last().and_then(|dialog| dialog.error.clone()).expect("a dialog with an error")
    }

    fn said(&self) -> Vec<String> {
        self.session.model.console.visible(10).iter().map(|line| line.text.clone()).collect()
    }
}

const LINES: &str =
    "{\"id\": \"d\", \"pk\": 1}\n{\"id\": \"a\", \"pk\": 1}\n{\"id\": \"e\", \"ttl\": 0}\n{\"id\": \"f\"}\n";

#[test]
fn a_file_goes_into_the_open_container() {
    let mut stand = stand();
    let file = stand.file("in.jsonl", LINES);
    stand.form("U", &file);
    assert_eq!(stand.session.asked().as_deref(), Some("Upload"));
    assert!(stand.session.screen().contains("from a file into db/orders"));
    stand.session.keys("C-s");
    assert_eq!(stand.session.asked(), None, "{:?}", stand.session.model.dialogs);
    assert_eq!(
        stand.session.said(),
        format!("2 created, 0 replaced, 2 errors; what was refused is in {file}.refused.jsonl.")
    );
    let said = stand.said();
    assert!(
        said[said.len() - 2].starts_with("The first that was refused, of line 2: An item with the id a exists"),
        "{said:?}"
    );
    assert_eq!(stand.session.ids(), ["f", "a", "b", "c", "d"], "the list shows them");
    let refused = fs::read_to_string(format!("{file}.refused.jsonl")).unwrap();
    assert_eq!(refused.lines().count(), 2);
    assert_eq!(stand.session.model.transfers.running, None);
}

#[test]
fn replace_stop_and_a_ttl_are_chosen_in_the_form() {
    let mut stand = stand();
    let file = stand.file("in.jsonl", LINES);
    stand.form("U", &file);
    stand.session.keys("Down Right Down Right Down");
    stand.session.type_text("5 m");
    assert!(stand.session.screen().contains("5 m"));
    stand.session.keys("Enter");
    assert!(stand.session.said().starts_with("1 created, 1 replaced, 1 error; "), "{}", stand.session.said());
    assert!(stand.session.said().contains("ended at the first refusal"));
    let asked = stand.session.effects.iter().find_map(|effect| match effect {
        Effect::Transfer(asked) => Some(asked.task.clone()),
        _ => None,
    });
    let Some(Task::Upload(Upload { options, .. })) = asked else { panic!("{asked:?}") };
    assert_eq!((options.replace, options.on_error, options.ttl), (true, OnError::Stop, Some(300)));
    let row = stand.session.model.items.rows().iter().find(|row| row.id == "d").unwrap().clone();
    let document = stand.session.engine.item(stand.session.model.container.unwrap(), &row.key).unwrap();
    assert!(document.text.contains("\"ttl\": 300"), "{}", document.text);
}

#[test]
fn what_cannot_be_done_is_said_in_the_form_and_can_be_mended_there() {
    let mut stand = stand();
    stand.session.keys("U C-s");
    assert_eq!(stand.error(), "Write the path of a file: Tab completes it.");
    let missing = stand.path("none.jsonl").display().to_string();
    stand.session.type_text(&missing);
    stand.session.keys("C-s");
    assert_eq!(stand.error(), format!("There is no file {missing}. Tab completes the path to one."));
    assert_eq!(stand.session.asked().as_deref(), Some("Upload"), "the form is still there, with what was typed");
    let dir = stand.dir.path().display().to_string();
    stand.session.keys("C-u");
    stand.session.type_text(&dir);
    stand.session.keys("C-s");
    assert_eq!(stand.error(), format!("{dir} is a directory. Name a file in it."));
    stand.session.keys("Down Down Down");
    stand.session.type_text("soon");
    stand.session.keys("Enter");
    assert!(stand.error().starts_with("`soon` is no time to live: write 1 to 2147483647 seconds"));
    let file = stand.file("good.csv", "id,pk\nz,1\n");
    stand.session.keys("C-u Up Up Up C-u");
    stand.session.type_text(&file);
    stand.session.keys("C-s");
    assert_eq!(stand.session.said(), "1 created, 0 replaced, 0 errors.");
}

#[test]
fn a_document_over_the_limit_is_named_by_its_line() {
    let mut stand = stand();
    let big =
        format!("{{\"id\": \"d\", \"pk\": 1}}\n{{\"id\": \"big\", \"pk\": 1, \"x\": \"{}\"}}\n", "x".repeat(2 << 20));
    let file = stand.file("in.jsonl", &big);
    stand.form("U", &file);
    stand.session.keys("C-s");
    let said = stand.said();
    assert!(said[said.len() - 2].starts_with("The first that was refused, of line 2: "), "{said:?}");
    assert!(said[said.len() - 2].contains("2 MB"), "{said:?}");
}

/// Presses a key without doing what the model asks for.
fn press(session: &mut Session, name: &str) -> Vec<Effect> {
    update(&mut session.model, session.engine.now(), Msg::Key(key(name)))
}

fn tell(session: &mut Session, generation: u64, done: u64, read: u64) {
    let progress = Progress { done, errors: 0, read, total: Some(100) };
    session.send(Msg::Answer(Answer::TransferProgress { generation, progress }));
}

#[test]
fn a_long_one_tells_how_far_it_is_and_esc_stops_it() {
    let mut stand = stand();
    let file = stand.file("in.jsonl", LINES);
    stand.form("U", &file);
    let session = &mut stand.session;
    let effects = press(session, "C-s");
    let [Effect::Transfer(asked)] = effects.as_slice() else { panic!("{effects:?}") };
    let generation = asked.generation;
    assert_eq!(session.asked().as_deref(), Some("Uploading"));
    tell(session, generation, 12_000, 41);
    assert!(session.screen().contains("12,000 stored · 41 % · Esc stops"), "{}", session.screen());
    tell(session, generation + 1, 99_000, 99);
    assert!(session.screen().contains("12,000 stored · 41 %"), "another one's progress is not shown");
    assert_eq!(press(session, "Esc"), [Effect::GiveUpTransfer]);
    assert_eq!(press(session, "Esc"), [], "once is enough");
    assert!(session.screen().contains("ends with the write under way"));
    let answer = respond(&session.engine, effects[0].clone()).unwrap();
    session.send(Msg::Answer(answer));
    assert_eq!((session.asked(), session.model.transfers.running.clone()), (None, None));
    assert!(session.said().starts_with("2 created"));
}

#[test]
fn it_goes_on_in_the_background_and_comes_to_the_front_again() {
    let mut stand = stand();
    let file = stand.file("in.jsonl", LINES);
    stand.form("U", &file);
    let session = &mut stand.session;
    let effects = press(session, "C-s");
    let Effect::Transfer(asked) = &effects[0] else { panic!("{effects:?}") };
    press(session, "b");
    assert_eq!(session.asked(), None);
    tell(session, asked.generation, 7, 41);
    assert!(session.screen().contains("uploading 41 %  ✓ "), "{}", session.screen());
    // The list is used meanwhile; a second one has to wait.
    session.keys("Down");
    session.keys("E");
    assert!(session.screen().contains("7 stored · 41 % · Esc stops"));
    session.keys("b");
    // Leaving asks first.
    session.keys("q");
    assert_eq!(session.asked().as_deref(), Some("Leave"));
    session.keys("Enter");
    assert!(!session.model.ended);
    session.keys("q");
    assert_eq!(press(session, "s"), [Effect::GiveUpTransfer]);
    assert!(session.model.ended);
}

#[test]
fn when_it_ends_the_question_about_leaving_goes() {
    let mut stand = stand();
    let file = stand.file("in.jsonl", LINES);
    stand.form("U", &file);
    let session = &mut stand.session;
    let effects = press(session, "C-s");
    press(session, "C-q");
    assert_eq!(session.asked().as_deref(), Some("Leave"));
    let answer = respond(&session.engine, effects[0].clone()).unwrap();
    // A late answer of an older task changes nothing.
    let Answer::Transferred { generation, result } = answer else { panic!("{answer:?}") };
    session.send(Msg::Answer(Answer::Transferred { generation: generation - 1, result: result.clone() }));
    assert_eq!(session.asked().as_deref(), Some("Leave"));
    session.send(Msg::Answer(Answer::Transferred { generation, result }));
    assert_eq!((session.asked(), session.model.ended), (None, false));
}

#[test]
fn a_fault_in_the_program_leaves_no_dialog_behind() {
    let mut stand = stand();
    let file = stand.file("in.jsonl", LINES);
    stand.form("U", &file);
    press(&mut stand.session, "C-s");
    stand.session.send(Msg::Answer(Answer::Broken("It broke.".to_owned())));
    assert_eq!(
        (stand.session.asked().as_deref(), stand.session.model.transfers.running.clone()),
        (Some("Upload"), None)
    );
}

#[test]
fn tab_completes_the_path() {
    let mut stand = stand();
    stand.file("orders.jsonl", LINES);
    stand.file("orders.csv", "id\n1\n");
    let begun = stand.path("o").display().to_string();
    stand.form("U", &begun);
    let value = |stand: &Stand| stand.session.model.dialogs[0].value(0).to_owned();
    let focus = |stand: &Stand| stand.session.model.dialogs[0].focus;
    stand.session.keys("Tab");
    assert_eq!((value(&stand), focus(&stand)), (stand.path("orders.").display().to_string(), 0));
    assert!(stand.session.screen().contains("orders.csv  orders.jsonl"));
    stand.session.type_text("j");
    assert!(!stand.session.screen().contains("orders.csv  orders.jsonl"));
    stand.session.keys("Tab");
    assert_eq!((value(&stand), focus(&stand)), (stand.path("orders.jsonl").display().to_string(), 0));
    stand.session.keys("Tab");
    assert_eq!(focus(&stand), 1, "nothing is left to complete");
    stand.session.keys("S-Tab C-u");
    stand.session.type_text(&begun);
    stand.session.keys("Tab Tab");
    assert_eq!(focus(&stand), 1, "a list that is shown already holds nobody");
    // What was typed meanwhile is not overwritten.
    stand.session.keys("S-Tab C-u");
    stand.session.type_text(&begun);
    let effects = press(&mut stand.session, "Tab");
    press(&mut stand.session, "x");
    let answer = respond(&stand.session.engine, effects[0].clone()).unwrap();
    stand.session.send(Msg::Answer(answer));
    assert_eq!(value(&stand), format!("{begun}x"));
}

#[test]
fn the_visible_items_go_into_a_file_and_none_is_replaced_unasked() {
    let mut stand = stand();
    stand.session.advance(10);
    let file = stand.path("out.jsonl").display().to_string();
    stand.form("E", &file);
    assert!(stand.session.screen().contains("The visible items of db/orders into a file"));
    stand.session.keys("C-s");
    assert_eq!(stand.session.said(), format!("2 items written to {file}."));
    let text = "{\"id\": \"b\", \"pk\": 1, \"ttl\": 100}\n{\"id\": \"c\", \"pk\": 1, \"ttl\": 1000}\n";
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    fs::write(&file, "precious").unwrap();
    stand.form("E", &file);
    stand.session.keys("C-s");
    assert_eq!(stand.session.asked().as_deref(), Some("Replace"));
    stand.session.keys("Enter");
    assert_eq!(stand.session.asked().as_deref(), Some("Export"), "the other name is typed in the form");
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
    stand.session.keys("C-s r");
    assert_eq!((stand.session.asked(), fs::read_to_string(&file).unwrap()), (None, text.to_owned()));
}

#[test]
fn forms_of_an_export_are_chosen_or_follow_the_name() {
    let mut stand = stand();
    for (name, keys, expected) in [
        ("a.csv", "", "id,pk,ttl\na,1,10\nb,1,100\nc,1,1000\n"),
        (
            "b.json",
            "",
            "[\n{\"id\": \"a\", \"pk\": 1, \"ttl\": 10},\n{\"id\": \"b\", \"pk\": 1, \"ttl\": 100},\n{\"id\": \"c\", \"pk\": 1, \"ttl\": 1000}\n]\n",
        ),
        ("c.txt", "Down Left", "id,pk,ttl\na,1,10\nb,1,100\nc,1,1000\n"),
    ] {
        let file = stand.path(name).display().to_string();
        stand.form("E", &file);
        stand.session.keys(keys);
        stand.session.keys("C-s");
        assert_eq!(fs::read_to_string(&file).unwrap(), expected, "{name}");
    }
    let file = stand.path("whole.jsonl").display().to_string();
    stand.form("E", &file);
    stand.session.keys("Down Down Right C-s");
    assert!(fs::read_to_string(&file).unwrap().contains("\"_ts\""));
}

#[test]
fn the_marked_and_the_filtered_can_be_chosen() {
    let mut stand = stand();
    let file = stand.path("out.jsonl").display().to_string();
    let ids = |file: &str| {
        let text = fs::read_to_string(file).unwrap();
        text.lines().map(|line| line[8..9].to_owned()).collect::<Vec<_>>()
    };
    stand.session.keys("/");
    stand.session.type_text("WHERE c.ttl > 50 ORDER BY c.ttl DESC");
    stand.session.keys("Enter");
    assert_eq!(stand.session.ids(), ["c", "b"]);
    stand.form("E", &file);
    assert!(stand.session.screen().contains("(●) the filtered"));
    stand.session.keys("C-s");
    assert_eq!(ids(&file), ["c", "b"]);
    stand.session.keys("Home Space");
    let file = stand.path("marked.jsonl").display().to_string();
    stand.form("E", &file);
    assert!(stand.session.screen().contains("(●) the marked  ( ) the filtered  ( ) all visible"));
    stand.session.keys("C-s");
    assert_eq!(ids(&file), ["c"]);
    let file = stand.path("all.jsonl").display().to_string();
    stand.form("E", &file);
    stand.session.keys("Down Down Down Left C-s");
    assert_eq!(ids(&file), ["a", "b", "c"]);
}

#[test]
fn a_database_goes_into_a_directory() {
    let mut stand = stand();
    let catalog = stand.session.model.catalog.clone();
    let database = catalog.databases["db"].no;
    stand.session.model.tree.select_node(&catalog, Node::Database(database));
    stand.session.model.focus = Focus::Tree;
    let dir = stand.path("saved").display().to_string();
    stand.form("E", &dir);
    assert!(stand.session.screen().contains("into a new directory, a file for"));
    stand.session.keys("C-s");
    assert_eq!(fs::read_to_string(stand.path("saved").join("db.orders.jsonl")).unwrap().lines().count(), 3);
    stand.form("E", &dir);
    stand.session.keys("C-s");
    assert_eq!(stand.error(), format!("{dir} is not empty. Name a new directory, or an empty one."));
}

#[test]
fn every_system_takes_and_gives() {
    let mut session = Session::sample(120, 36);
    let dir = tempfile::tempdir().unwrap();
    for (database, container) in [("globaldb", "tickets"), ("shop", "Carts"), ("workshop", "orders")] {
        let no =
            session.model.catalog.databases[database].containers.values().find(|one| one.name == container).unwrap().no;
        let catalog = session.model.catalog.clone();
        session.model.tree.select_node(&catalog, Node::Container(no));
        session.model.focus = Focus::Tree;
        let file = dir.path().join(format!("{container}.jsonl.gz")).display().to_string();
        session.keys("E C-u");
        session.type_text(&file);
        session.keys("C-s");
        let said = session.said();
        let n: u64 = said.split(' ').next().unwrap().parse().unwrap();
        assert!(n > 0 && said.ends_with(&format!("items written to {file}.")), "{said}");
        session.keys("U");
        session.type_text(&file);
        session.keys("Down Right C-s");
        assert_eq!(session.said(), format!("0 created, {n} replaced, 0 errors."), "{database}");
    }
}

#[test]
fn without_a_container_it_is_said_where_to_go() {
    let mut session = Session::empty(120, 36);
    session.keys("U");
    assert!(session.said().starts_with("Upload goes into a container"));
    session.keys("E");
    assert!(session.said().starts_with("Nothing to export"));
}

#[test]
fn a_container_that_goes_meanwhile_is_told() {
    let mut stand = stand();
    let file = stand.file("in.jsonl", LINES);
    stand.form("U", &file);
    let effects = press(&mut stand.session, "C-s");
    let no = stand.session.model.container.unwrap();
    stand.session.engine.delete_container(no).unwrap();
    let answer = respond(&stand.session.engine, effects[0].clone()).unwrap();
    stand.session.send(Msg::Answer(answer));
    assert_eq!(stand.session.said(), "Not uploaded: That container is gone.");
}

#[test]
fn an_answer_that_is_kept_back_asks_what_the_form_says() {
    let mut stand = stand();
    stand.form("E", "~/out");
    let effects = press(&mut stand.session, "C-s");
    let [Effect::Transfer(asked)] = effects.as_slice() else { panic!("{effects:?}") };
    let expected = Export {
        scope: Scope::Container(stand.session.model.container.unwrap()),
        path: "~/out".to_owned(),
        items: Items::Visible,
        format: None::<Format>,
        with_system: false,
        replace: false,
    };
    assert_eq!(asked.task, Task::Export(expected));
    let exists = Transferred::Exists("/home/out".to_owned());
    stand.session.send(Msg::Answer(Answer::Transferred { generation: asked.generation, result: Ok(exists) }));
    let question = stand.session.model.dialogs.last().map(|dialog| dialog.question.clone());
    assert!(matches!(question, Some(Question::Replace(Task::Export(Export { replace: true, .. })))), "{question:?}");
}

/// The real program on a store with one container, uploading more than it can in the time of a key press.
fn uploading(dir: &Path) -> Pty {
    let store = dir.join("store");
    let engine = Engine::open(&store, EngineOptions { background: false, ..EngineOptions::default() }).unwrap();
    let database = engine.create_database("db", Api::NoSql).unwrap();
    engine.create_container(database, "orders", PartitionKey::new(["/pk"]).unwrap(), DefaultTtl::Off).unwrap();
    engine.close().unwrap();
    // The lock goes with the value.
    drop(engine);
    let file = dir.join("in.jsonl");
    // Every tenth is refused.
    let ttl = |n: u32| if n.is_multiple_of(10) { 0 } else { 60 };
    let line = |n: u32| format!("{{\"id\": \"i-{n:06}\", \"pk\": {}, \"ttl\": {}}}\n", n % 7, ttl(n));
    let lines: String = (0..400_000).map(line).collect();
    fs::write(&file, lines).unwrap();
    let mut pty = Pty::start(&data_dir(&store), 100, 30);
    pty.wait_for("No items");
    pty.keys("U");
    pty.wait_for("Own ttl");
    pty.type_text(&file.display().to_string());
    pty.keys("C-s");
    pty.wait_until("progress", SOON, |screen| screen.contains("00 stored · "));
    pty
}

/// How many items the store holds, after a look at its soundness.
fn sound_items(dir: &Path) -> u64 {
    let options = EngineOptions { background: false, ..EngineOptions::default() };
    let engine = Engine::open(&dir.join("store"), options).unwrap();
    assert_eq!(engine.store().check(&mut |_| {}).unwrap(), vec![]);
    let stored = engine.totals(Scope::Everything).unwrap().stored;
    engine.close().unwrap();
    stored
}

#[test]
fn esc_stops_the_real_one_and_what_was_counted_is_stored() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = uploading(dir.path());
    pty.keys("Esc");
    pty.wait_for("Stopped: ");
    let screen = pty.screen();
    let counted = screen.split("Stopped: ").nth(1).unwrap().split(" created").next().unwrap().replace(',', "");
    pty.keys("q");
    assert!(pty.wait_exit().success());
    assert_eq!(sound_items(dir.path()), counted.parse::<u64>().unwrap());
}

#[test]
fn leaving_waits_for_the_write_under_way() {
    let dir = tempfile::tempdir().unwrap();
    let mut pty = uploading(dir.path());
    pty.keys("C-q");
    pty.wait_for("Stop and leave");
    pty.keys("s");
    assert!(pty.wait_exit().success());
    pty.assert_restored();
    let stored = sound_items(dir.path());
    assert!(stored > 0 && stored < 360_000 && stored.is_multiple_of(900), "{stored}");
    // The file of refusals is complete too.
    let refused = fs::read_to_string(dir.path().join("in.jsonl.refused.jsonl")).unwrap();
    assert_eq!(refused.lines().count() as u64, stored / 9);
    assert!(refused.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
}
