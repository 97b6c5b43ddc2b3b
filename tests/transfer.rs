//! Documents in and out of files: how far it is told, stopped in the middle, faults in the middle.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;
use ttl_explorer::domain::Instant;
use ttl_explorer::domain::nosql::{DefaultTtl, PartitionKey};
use ttl_explorer::engine::{Api, Container, Engine, EngineOptions, ManualClock, Scope, Stored};
use ttl_explorer::store;
use ttl_explorer::transfer::{
    self, Ended, Form, Format, Import, ImportOptions, Imported, OnError, Progress, Told, TransferError, What,
};

struct Account {
    engine: Engine,
    clock: Arc<ManualClock>,
    container: Arc<Container>,
    dir: TempDir,
}

fn account() -> Account {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(Instant::from_secs(1_796_248_064)));
    let options =
        EngineOptions { clock: clock.clone(), store_clock: true, background: false, store: store::Options::tiny() };
    let engine = Engine::open(&dir.path().join("store"), options).unwrap();
    let database = engine.create_database("db", Api::NoSql).unwrap();
    let key = PartitionKey::new(["/pk"]).unwrap();
    let no = engine.create_container(database, "c", key, DefaultTtl::NoDefault).unwrap();
    let container = engine.catalog().container(no).unwrap().clone();
    Account { engine, clock, container, dir }
}

impl Account {
    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn import(
        &self,
        file: &Path,
        options: ImportOptions,
        mut go_on: impl FnMut(Progress) -> bool,
    ) -> (Imported, Option<TransferError>) {
        let mut import = Import::new(&self.engine, &self.container, options);
        let fault = import.file(file, &mut go_on).err();
        (import.finish().unwrap(), fault)
    }

    fn stored(&self) -> u64 {
        self.engine.totals(Scope::Container(self.container.no)).unwrap().stored
    }

    fn export(&self, name: &str, what: &What, format: Format) -> String {
        let (file, form) = (self.path(name), Form { format, with_system: false });
        transfer::to_new_file(&self.engine, &self.container, &file, true, what, form, &mut |_| true).unwrap();
        fs::read_to_string(file).unwrap()
    }
}

fn lines(n: u64) -> String {
    (0..n).map(|n| format!("{{\"id\": \"i-{n:05}\", \"pk\": {}}}\n", n % 7)).collect()
}

#[test]
fn what_was_told_is_stored_when_it_is_stopped() {
    let account = account();
    let text = lines(4_500);
    let file = account.file("in.jsonl", &text);
    let mut told = Vec::new();
    let (imported, fault) = account.import(&file, ImportOptions::default(), |progress| {
        told.push(progress);
        // What is told is there at that moment, not only at the end.
        assert_eq!(account.stored(), progress.done);
        told.len() < 2
    });
    assert!(fault.is_none());
    assert_eq!(imported.ended, Some(Ended::Interrupted));
    assert_eq!((imported.stored, account.stored()), (Stored { created: 2_000, replaced: 0 }, 2_000));
    assert_eq!(told.iter().map(|progress| progress.done).collect::<Vec<_>>(), [1_000, 2_000]);
    assert_eq!(told[0].total, Some(text.len() as u64));
    assert!(imported.words().ends_with("interrupted, what was counted is stored"));
    // The same again goes on where it was stopped.
    let (imported, _) = account.import(&file, ImportOptions { replace: true, ..ImportOptions::default() }, |_| true);
    assert_eq!((imported.stored, imported.ended), (Stored { created: 2_500, replaced: 2_000 }, None));
}

#[test]
fn the_last_word_is_the_whole() {
    let account = account();
    let file = account.file("in.jsonl", lines(1_500));
    let mut last = Progress::default();
    let (imported, _) = account.import(&file, ImportOptions::default(), |progress| {
        last = progress;
        true
    });
    assert_eq!((last.done, last.percent(), imported.stored.created), (1_500, Some(100), 1_500));
    assert_eq!(Progress { read: 41, total: Some(100), ..last }.percent(), Some(41));
    assert_eq!(Progress { read: 41, total: Some(0), ..last }.percent(), None);
    assert_eq!(Progress { read: u64::MAX, total: Some(1), ..last }.percent(), Some(100));
}

#[test]
fn large_documents_do_not_pile_up() {
    let account = account();
    let filler = "x".repeat(1_500_000);
    let text: String = (0..20).map(|n| format!("{{\"id\": \"{n}\", \"pk\": 1, \"filler\": \"{filler}\"}}\n")).collect();
    let file = account.file("in.jsonl", text);
    let mut batches = Vec::new();
    let (imported, _) = account.import(&file, ImportOptions::default(), |progress| {
        batches.push(progress.done);
        true
    });
    assert_eq!(imported.stored.created, 20);
    assert_eq!(batches, [6, 12, 18, 20], "a write ends at 8 MiB");
}

#[test]
fn a_fault_in_the_middle_of_a_file_keeps_what_came_before() {
    let account = account();
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(lines(20_000).as_bytes()).unwrap();
    let packed = packer.finish().unwrap();
    let file = account.file("cut.jsonl.gz", &packed[..packed.len() / 2]);
    let (imported, fault) = account.import(&file, ImportOptions::default(), |_| true);
    let refusal = fault.expect("a packed file that ends too early").into_refusal();
    assert!(refusal.message.contains("cut.jsonl.gz"), "{refusal}");
    assert!(imported.stored.created > 1_000, "{imported:?}");
    assert_eq!(account.stored(), imported.stored.created);
}

#[test]
fn the_first_refusal_is_told_with_its_line() {
    let account = account();
    let long = format!("{{\"id\": \"big\", \"pk\": 1, \"filler\": \"{}\"}}\n", "x".repeat(2 * 1024 * 1024));
    let file = account.file("in.jsonl", format!("{}{long}{{\"id\": \"b\", \"ttl\": 0}}\n", lines(3)));
    let (imported, _) = account.import(&file, ImportOptions::default(), |_| true);
    let (line, refusal) = imported.first.clone().unwrap();
    assert_eq!((line, refusal.status, imported.errors), (4, 413, 2), "{refusal}");
    let refused = fs::read_to_string(imported.refused.unwrap()).unwrap();
    assert_eq!(refused.lines().count(), 2);
    let stop = ImportOptions { on_error: OnError::Stop, replace: true, ..ImportOptions::default() };
    let (imported, _) = account.import(&file, stop, |_| true);
    assert_eq!((imported.stored.replaced, imported.errors, imported.ended), (3, 1, Some(Ended::Refused)));
}

#[test]
fn an_own_ttl_is_added_where_there_is_none() {
    let account = account();
    let file = account.file("in.jsonl", "{\"id\": \"a\", \"pk\": 1}\n{\"id\": \"b\", \"pk\": 1, \"ttl\": 7}\n");
    account.import(&file, ImportOptions { ttl: Some(50), ..ImportOptions::default() }, |_| true);
    let out = account.export("out.jsonl", &What::Visible, Format::Jsonl);
    assert_eq!(out, "{\"id\": \"a\", \"pk\": 1, \"ttl\": 50}\n{\"id\": \"b\", \"pk\": 1, \"ttl\": 7}\n");
}

#[test]
fn hidden_items_are_among_the_stored_and_not_among_the_visible() {
    let account = account();
    for (id, ttl) in [("a", 10), ("b", 100), ("c", 1_000)] {
        let text = format!("{{\"id\": \"{id}\", \"pk\": 1, \"ttl\": {ttl}}}");
        account.engine.create_item(account.container.no, &text).unwrap();
    }
    let keys = {
        let found = account.engine.filter_items(account.container.no, "ORDER BY c.ttl DESC", 9, &mut |_| true);
        found.unwrap().rows.iter().map(|row| row.key.clone()).collect::<Vec<_>>()
    };
    account.clock.advance(10);
    let ids = |text: String| text.lines().map(|line| line[8..9].to_owned()).collect::<Vec<_>>();
    assert_eq!(ids(account.export("1", &What::Stored, Format::Jsonl)), ["a", "b", "c"]);
    assert_eq!(ids(account.export("2", &What::Visible, Format::Jsonl)), ["b", "c"]);
    assert_eq!(ids(account.export("3", &What::These(keys[..1].to_vec()), Format::Jsonl)), ["c"]);
    assert_eq!(ids(account.export("4", &What::These(keys), Format::Jsonl)), ["c", "b"], "without what is hidden");
    assert_eq!(account.export("5", &What::Visible, Format::Csv), "id,pk,ttl\nb,1,100\nc,1,1000\n");
    assert_eq!(account.export("6", &What::These(vec![]), Format::Json), "[\n]\n");
}

#[test]
fn an_export_that_is_stopped_leaves_nothing_behind() {
    let account = account();
    account.import(&account.file("in.jsonl", lines(3_000)), ImportOptions::default(), |_| true);
    let out = account.file("out.jsonl", "the old one");
    let export = |file: &Path, replace: bool, last: u64| {
        transfer::to_new_file(
            &account.engine,
            &account.container,
            file,
            replace,
            &What::Visible,
            Form::default(),
            &mut |told| !matches!(told, Told::Progress(progress) if progress.done >= last),
        )
    };
    assert!(matches!(export(&out, false, u64::MAX), Err(TransferError::Exists(_))));
    assert!(matches!(export(&out, true, 2_000), Err(TransferError::Stopped)));
    assert_eq!(fs::read_to_string(&out).unwrap(), "the old one");
    assert!(matches!(export(&account.path("new"), false, 1_000), Err(TransferError::Stopped)));
    let mut names: Vec<_> = fs::read_dir(account.dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["in.jsonl", "out.jsonl", "store"]);
    assert_eq!(export(&out, true, u64::MAX).unwrap().items, 3_000);
    assert_eq!(fs::read_to_string(&out).unwrap(), lines_by_key(3_000));
}

/// The lines in the order of their keys: by partition, in it by id.
fn lines_by_key(n: u64) -> String {
    let text = lines(n);
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_by_key(|line| (line.as_bytes()[line.len() - 2], *line));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_directory_of_files_goes_again_when_it_is_stopped() {
    let account = account();
    account.import(&account.file("in.jsonl", lines(1_500)), ImportOptions::default(), |_| true);
    let dir = account.path("out");
    let all = |go_on: bool| {
        transfer::all(&account.engine, Scope::Everything, &dir, &What::Visible, Form::default(), &mut |_| go_on)
    };
    assert!(matches!(all(false), Err(TransferError::Stopped)));
    assert!(!dir.exists());
    assert_eq!(all(true).unwrap().items, 1_500);
    assert!(matches!(all(true), Err(TransferError::NotEmpty(_))));
    assert_eq!(fs::read_to_string(dir.join("db.c.jsonl")).unwrap(), lines_by_key(1_500));
}

#[test]
fn a_packed_file_has_its_end() {
    let account = account();
    account.import(&account.file("in.jsonl", lines(10)), ImportOptions::default(), |_| true);
    let file = account.path("out.jsonl.gz");
    let (what, form) = (What::Visible, Form::default());
    transfer::to_new_file(&account.engine, &account.container, &file, false, &what, form, &mut |_| true).unwrap();
    let mut text = String::new();
    let read =
        std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(fs::File::open(&file).unwrap()), &mut text);
    assert_eq!((read.unwrap() > 0, text), (true, lines_by_key(10)));
}

#[test]
fn the_name_of_a_file_asks_for_a_form() {
    let cases = [
        ("a.json", Format::Json),
        ("a.JSON.gz", Format::Json),
        ("a.csv", Format::Csv),
        ("a.jsonl", Format::Jsonl),
        ("json", Format::Jsonl),
    ];
    for (name, format) in cases {
        assert_eq!(Format::of_name(Path::new(name)), format, "{name}");
    }
}
