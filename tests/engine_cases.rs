//! What people report, as cases; refusals that store nothing; the sweeper's thread; the sample.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::sync::Arc;
use std::time::{Duration, Instant as RealInstant};

use rstest::rstest;
use tempfile::TempDir;
use ttl_explorer::domain::Instant;
use ttl_explorer::domain::nosql::{DefaultTtl, PartitionKey};
use ttl_explorer::engine::{
    Anchor, Api, ContainerNo, Engine, EngineError, EngineOptions, Event, Key, ManualClock, Scope, WindowRequest,
};
use ttl_explorer::store;

const START: i64 = 1_796_248_064;

struct Account {
    engine: Engine,
    clock: Arc<ManualClock>,
    no: ContainerNo,
    _dir: TempDir,
}

fn account(ttl: DefaultTtl) -> Account {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(Instant::from_secs(START)));
    let options =
        EngineOptions { clock: clock.clone(), store_clock: true, background: false, store: store::Options::tiny() };
    let engine = Engine::open(dir.path(), options).unwrap();
    let database = engine.create_database("db", Api::NoSql).unwrap();
    let no = engine.create_container(database, "c", PartitionKey::new(["/pk"]).unwrap(), ttl).unwrap();
    Account { engine, clock, no, _dir: dir }
}

impl Account {
    fn put(&self, text: &str) {
        self.engine.upsert_item(self.no, text).unwrap();
    }

    fn first_key(&self) -> Key {
        let request = WindowRequest { container: self.no, anchor: Anchor::First, before: 0, after: 1 };
        self.engine.window(&request).unwrap().rows[0].key.clone()
    }

    fn ids(&self) -> Vec<String> {
        let request = WindowRequest { container: self.no, anchor: Anchor::First, before: 0, after: 1_000 };
        self.engine.window(&request).unwrap().rows.into_iter().map(|row| row.id).collect()
    }
}

fn refusal<T: std::fmt::Debug>(result: Result<T, EngineError>) -> ttl_explorer::domain::Refusal {
    match result {
        Err(EngineError::Refused(refusal)) => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn rows_that_vanished_return_when_time_to_live_is_switched_off() {
    let account = account(DefaultTtl::Seconds(7_200));
    account.put(r#"{"id": "a", "pk": 1}"#);
    account.clock.advance(7_200);
    assert!(account.ids().is_empty());
    assert_eq!(account.engine.totals(Scope::Everything).unwrap().alive().n, 0);
    account.engine.set_default_ttl(account.no, DefaultTtl::Off).unwrap();
    assert_eq!(account.ids(), ["a"]);
    account.engine.set_default_ttl(account.no, DefaultTtl::Seconds(7_200)).unwrap();
    assert!(account.ids().is_empty());
    account.engine.sweep_now().unwrap();
    account.engine.set_default_ttl(account.no, DefaultTtl::Off).unwrap();
    assert!(account.ids().is_empty(), "what is deleted does not come back");
}

#[test]
fn there_at_119_gone_at_120() {
    let account = account(DefaultTtl::Seconds(120));
    account.put(r#"{"id": "a", "pk": 1}"#);
    account.clock.advance(119);
    assert_eq!(account.ids(), ["a"]);
    account.clock.advance(1);
    assert!(account.ids().is_empty());
}

#[test]
fn an_identical_rewrite_starts_every_clock_again() {
    let account = account(DefaultTtl::Seconds(10));
    account.put(r#"{"id": "a", "pk": 1}"#);
    account.clock.advance(9);
    account.put(r#"{"id": "a", "pk": 1}"#);
    account.clock.advance(9);
    assert_eq!(account.ids(), ["a"]);
}

#[test]
fn lock_items_stay_while_off_and_go_with_on_from_their_old_write() {
    let account = account(DefaultTtl::Off);
    account.put(r#"{"id": "lock", "pk": 1, "ttl": 30}"#);
    account.clock.advance(100);
    assert_eq!(account.ids(), ["lock"]);
    account.engine.set_default_ttl(account.no, DefaultTtl::NoDefault).unwrap();
    assert!(account.ids().is_empty());
}

#[test]
fn default_1_on_a_full_container_says_how_many_first() {
    let account = account(DefaultTtl::Off);
    for n in 0..50 {
        account.put(&format!("{{\"id\": \"i{n}\", \"pk\": {n}}}"));
    }
    account.clock.advance(5);
    let preview = account.engine.preview_ttl(account.no, DefaultTtl::Seconds(1)).unwrap();
    assert_eq!((preview.expire_at_once.n, preview.expire_at_once.more), (50, false));
    account.engine.set_default_ttl(account.no, DefaultTtl::Seconds(1)).unwrap();
    assert!(account.ids().is_empty());
}

#[rstest]
#[case(r#"{"id": "a", "pk": 1, "ttl": null}"#, "The input ttl 'null' is invalid")]
#[case(r#"{"id": "a", "pk": 1, "ttl": 0}"#, "The input ttl '0' is invalid")]
#[case(r#"{"id": "a", "pk": 1, "ttl": "10"}"#, "The input ttl '\"10\"' is invalid")]
#[case(r#"{"id": "a", "pk": 1, "ttl": 2147483648}"#, "The input ttl '2147483648' is invalid")]
#[case(r#"{"id": "a", "pk": [1]}"#, "is an array")]
#[case(r#"{"id": "a", "id": "b"}"#, "stands twice")]
#[case(r#"{"id": "a/b", "pk": 1}"#, "not allowed")]
#[case(r#"{"id": "a", "pk": 1"#, "not valid")]
fn a_refusal_stores_nothing_and_changes_nothing(#[case] text: &str, #[case] words: &str) {
    // Refused while Off, too.
    for ttl in [DefaultTtl::Off, DefaultTtl::Seconds(60)] {
        let account = account(ttl);
        account.put(r#"{"id": "a", "pk": 1, "x": 1}"#);
        let key = account.first_key();
        let before = account.engine.item(account.no, &key).unwrap();
        account.clock.advance(1);
        for refused in [
            refusal(account.engine.create_item(account.no, text)),
            refusal(account.engine.upsert_item(account.no, text)),
            refusal(account.engine.replace_item(account.no, &key, text, None)),
        ] {
            assert_eq!(refused.status, 400);
            assert!(refused.message.contains(words), "{}", refused.message);
        }
        assert_eq!(account.engine.item(account.no, &key).unwrap(), before);
    }
}

#[test]
fn another_id_or_partition_key_is_no_update() {
    let account = account(DefaultTtl::Off);
    account.put(r#"{"id": "a", "pk": 1}"#);
    let key = account.first_key();
    for text in [r#"{"id": "b", "pk": 1}"#, r#"{"id": "a", "pk": 2}"#] {
        assert_eq!(refusal(account.engine.replace_item(account.no, &key, text, None)).status, 400);
    }
    assert_eq!(account.ids(), ["a"]);
}

#[test]
fn events_come_in_the_order_of_what_happened() {
    let account = account(DefaultTtl::Seconds(10));
    let events = account.engine.subscribe();
    account.put(r#"{"id": "a", "pk": 1}"#);
    account.clock.advance(10);
    account.engine.run_due().unwrap();
    account.clock.advance(5);
    account.engine.run_due().unwrap();
    let told: Vec<String> = events
        .try_iter()
        .map(|event| match event {
            Event::Written { count, .. } => format!("written {count}"),
            Event::Expired { count, .. } => format!("expired {count}"),
            Event::Swept(report) => format!("swept {} late {}", report.deleted, report.latest / 10_000_000),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(told, ["written 1", "expired 1", "swept 1 late 5"]);
}

#[test]
fn a_clock_that_jumps_does_no_harm() {
    let account = account(DefaultTtl::Seconds(10));
    account.put(r#"{"id": "a", "pk": 1}"#);
    account.clock.advance(-1_000);
    account.put(r#"{"id": "a", "pk": 1}"#);
    account.engine.run_due().unwrap();
    assert_eq!(account.ids(), ["a"], "a clock that went back makes nothing older");
    for extreme in [Instant::MIN, Instant::MAX, Instant::from_secs(0)] {
        account.clock.set(extreme);
        account.engine.totals(Scope::Everything).unwrap();
        account.ids();
    }
    account.clock.set(Instant::MAX);
    account.put(r#"{"id": "late", "pk": 1, "ttl": 2147483647}"#);
    account.engine.run_due().unwrap();
}

#[test]
fn the_sweeper_wakes_at_the_second_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let engine = Engine::open(dir.path(), EngineOptions::default()).unwrap();
    engine.set_sweep_delay(0).unwrap();
    let database = engine.create_database("db", Api::NoSql).unwrap();
    let no =
        engine.create_container(database, "c", PartitionKey::new(["/pk"]).unwrap(), DefaultTtl::NoDefault).unwrap();
    let events = engine.subscribe();
    engine.create_item(no, r#"{"id": "a", "pk": 1, "ttl": 1}"#).unwrap();
    let started = RealInstant::now();
    loop {
        let event = events.recv_timeout(Duration::from_secs(10)).expect("swept within ten seconds");
        if let Event::Swept(report) = event {
            assert_eq!(report.deleted, 1);
            assert!(report.latest < 10_000_000, "{} ticks late", report.latest);
            break;
        }
    }
    assert!(started.elapsed() < Duration::from_secs(5));
    assert_eq!(engine.totals(Scope::Everything).unwrap().stored, 0);
    engine.close().unwrap();
}

#[test]
fn the_sample_tells_its_story() {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(Instant::from_secs(START)));
    let options =
        EngineOptions { clock: clock.clone(), store_clock: true, background: false, store: store::Options::tiny() };
    let engine = Engine::open(dir.path(), options).unwrap();
    let made = engine.load_sample().unwrap();
    let catalog = engine.catalog();
    let defaults: Vec<DefaultTtl> = catalog.containers.values().map(|container| container.default_ttl()).collect();
    for kind in [DefaultTtl::Off, DefaultTtl::NoDefault, DefaultTtl::Seconds(2_592_000)] {
        assert!(defaults.contains(&kind), "{kind}");
    }
    assert!(
        catalog.containers.values().any(|container| container.partition_key().is_some_and(|key| key.paths().len() > 1))
    );
    assert_eq!(engine.totals(Scope::Everything).unwrap().stored, made);
    let mut gone = Vec::new();
    for _ in 0..60 {
        clock.advance(1);
        gone.push(made - engine.totals(Scope::Everything).unwrap().alive().n);
    }
    assert!(gone[5] <= 3, "little happens before it is looked at: {gone:?}");
    assert!(gone[59] >= 15, "much happens within the first minute: {gone:?}");
    assert_eq!(refusal(engine.load_sample()).status, 409);
}

#[test]
fn deleting_a_database_takes_its_containers_and_their_bytes() {
    let account = account(DefaultTtl::Off);
    for n in 0..50 {
        account.put(&format!("{{\"id\": \"i{n}\", \"pk\": {n}, \"ttl\": 9}}"));
    }
    let database = account.engine.catalog().containers[&account.no].database;
    account.engine.delete_database(database).unwrap();
    assert_eq!(refusal(account.engine.totals(Scope::Container(account.no))).status, 404);
    assert_eq!(refusal(account.engine.create_item(account.no, "{}")).status, 404);
    while account.engine.store().purge_step(7).unwrap() {}
    assert!(!account.engine.store().has_dropped());
    assert_eq!(account.engine.store().check(&mut |_| {}).unwrap(), vec![]);
    // A container of the same name is another one.
    let database = account.engine.create_database("db", Api::NoSql).unwrap();
    let again =
        account.engine.create_container(database, "c", PartitionKey::new(["/pk"]).unwrap(), DefaultTtl::Off).unwrap();
    assert_ne!(again, account.no);
    assert_eq!(account.engine.totals(Scope::Everything).unwrap().stored, 0);
}
