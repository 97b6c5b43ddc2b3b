//! The engine at its edges: clocks that move at the wrong moment, settings that cannot be, events in order while a
//! sweep and a writer race.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use rstest::rstest;
use tempfile::TempDir;
use ttl_explorer::domain::Instant;
use ttl_explorer::domain::nosql::{DefaultTtl, PartitionKey};
use ttl_explorer::engine::{
    Anchor, Api, Clock, ContainerNo, CountdownAnchor, CountdownRequest, Engine, EngineError, EngineOptions, Event,
    ManualClock, Scope, WindowRequest,
};
use ttl_explorer::store;

const START: i64 = 1_796_248_064;

fn open(dir: &TempDir, clock: Arc<dyn Clock>) -> Engine {
    let options = EngineOptions { clock, store_clock: true, background: false, store: store::Options::tiny() };
    Engine::open(dir.path(), options).unwrap()
}

fn container(engine: &Engine, name: &str, ttl: DefaultTtl) -> ContainerNo {
    let database = match engine.catalog().databases.get("db") {
        Some(database) => database.no,
        None => engine.create_database("db", Api::NoSql).unwrap(),
    };
    let key = PartitionKey::new(["/pk"]).unwrap();
    engine.create_container(database, name, key, ttl).unwrap()
}

fn status<T>(result: Result<T, EngineError>) -> u16 {
    result.err().map_or(200, |error| error.into_refusal().status)
}

#[rstest]
#[case(0)]
#[case(2_147_483_648)]
#[case(u32::MAX)]
fn a_default_that_cannot_be_is_refused_and_the_account_opens_again(#[case] secs: u32) {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(Instant::from_secs(START)));
    let engine = open(&dir, clock.clone());
    let no = container(&engine, "c", DefaultTtl::NoDefault);
    let database = engine.catalog().databases["db"].no;
    let key = PartitionKey::new(["/pk"]).unwrap();
    let impossible = DefaultTtl::Seconds(secs);
    assert_eq!(status(engine.set_default_ttl(no, impossible)), 400);
    assert_eq!(status(engine.preview_ttl(no, impossible)), 400);
    assert_eq!(status(engine.create_container(database, "d", key, impossible)), 400);
    engine.close().unwrap();
    drop(engine);
    let engine = open(&dir, clock);
    let catalog = engine.catalog();
    let defaults: Vec<DefaultTtl> = catalog.containers.values().map(|c| c.default_ttl()).collect();
    assert_eq!(defaults, [DefaultTtl::NoDefault]);
}

/// A clock that a second passes on between any two looks at it.
struct Ticking(AtomicI64);

impl Clock for Ticking {
    fn now(&self) -> Instant {
        Instant::from_secs(self.0.fetch_add(1, Ordering::SeqCst))
    }

    fn real_time_until(&self, _at: Instant) -> Option<Duration> {
        None
    }
}

#[test]
fn the_next_deletion_is_never_planned_too_late() {
    let dir = tempfile::tempdir().unwrap();
    let engine = open(&dir, Arc::new(Ticking(AtomicI64::new(START))));
    let no = container(&engine, "c", DefaultTtl::NoDefault);
    engine
        .create_items(
            no,
            &[r#"{"id": "a", "pk": 1, "ttl": 100}"#, r#"{"id": "b", "pk": 1, "ttl": 90}"#],
            |_, refusal| panic!("{refusal}"),
        )
        .unwrap();
    let request = CountdownRequest { scope: Scope::Everything, anchor: CountdownAnchor::First, before: 0, after: 1 };
    let first = engine.countdown(&request).unwrap().rows[0].position.at;
    assert_eq!(engine.sweeper().next, Some(first.plus_secs(5)));
}

#[test]
fn expirations_are_told_again_after_the_clock_went_back() {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(Instant::from_secs(START)));
    let engine = open(&dir, clock.clone());
    let no = container(&engine, "c", DefaultTtl::NoDefault);
    engine.pause_sweeper(true).unwrap();
    engine.create_item(no, r#"{"id": "old", "pk": 1, "ttl": 500}"#).unwrap();
    clock.advance(1_000);
    engine.run_due().unwrap();
    clock.advance(-1_000);
    engine.clock_changed();
    engine.run_due().unwrap();
    engine.create_item(no, r#"{"id": "new", "pk": 1, "ttl": 100}"#).unwrap();
    let events = engine.subscribe();
    let mut told = Vec::new();
    for at in [99, 100, 499, 500] {
        clock.set(Instant::from_secs(START + at));
        engine.run_due().unwrap();
        told.extend(events.try_iter().map(|event| match event {
            Event::Expired { count, .. } => (at, count),
            other => panic!("{other:?}"),
        }));
    }
    assert_eq!(told, [(100, 1), (500, 1)]);
}

#[test]
fn a_missing_item_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(Instant::from_secs(START)));
    let engine = open(&dir, clock.clone());
    let no = container(&engine, "c", DefaultTtl::NoDefault);
    let row = engine.create_item(no, r#"{"id": "s-0002", "pk": 1, "ttl": 1}"#).unwrap();
    clock.advance(1);
    let read = engine.item(no, &row.key).map(drop);
    let deleted = engine.delete_item(no, &row.key, None);
    let replaced = engine.replace_item(no, &row.key, r#"{"id": "s-0002", "pk": 1}"#, None).map(drop);
    for result in [read, deleted, replaced] {
        let refusal = result.unwrap_err().into_refusal();
        assert_eq!(refusal.status, 404);
        assert_eq!(refusal.message, "There is no item s-0002 any more: it expired, or it was deleted.");
    }
}

#[test]
fn what_was_swept_is_told_before_what_was_written_after() {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(Instant::from_secs(START)));
    let engine = open(&dir, clock.clone());
    let no = container(&engine, "c", DefaultTtl::NoDefault);
    let events = engine.subscribe();
    let done = AtomicBool::new(false);
    let mut expiries = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                engine.sweep_now().unwrap();
            }
        });
        for _ in 0..4_000 {
            let row = engine.create_item(no, r#"{"id": "a", "pk": 1, "ttl": 1}"#).unwrap();
            expiries.push(row.written.plus_secs(1));
            clock.advance(1);
        }
        done.store(true, Ordering::SeqCst);
    });
    let mut written = 0;
    let mut swept = 0;
    for event in events.try_iter() {
        match event {
            Event::Written { .. } => written += 1,
            Event::Swept(report) => {
                assert_eq!(report.sample[0].at, expiries[written - 1], "the last one written");
                swept += 1;
            }
            Event::Expired { .. } => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(written, expiries.len());
    assert!(swept > 0);
}

#[test]
fn a_window_finds_the_few_visible_among_many_hidden() {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(Instant::from_secs(START)));
    let engine = open(&dir, clock.clone());
    let no = container(&engine, "c", DefaultTtl::Seconds(10));
    let texts: Vec<String> = (0..5_000).map(|n| format!("{{\"id\": \"h{n:05}\", \"pk\": 1}}")).collect();
    engine.create_items(no, &texts, |_, refusal| panic!("{refusal}")).unwrap();
    clock.advance(10);
    let ids = |anchor: Anchor| -> (Vec<String>, bool, bool) {
        let request = WindowRequest { container: no, anchor, before: 5, after: 5 };
        let window = engine.window(&request).unwrap();
        let ids = window.rows.iter().map(|row| row.id.clone()).collect();
        (ids, window.starts, window.ends)
    };
    let none = (Vec::new(), true, true);
    assert_eq!((ids(Anchor::First), ids(Anchor::Last)), (none.clone(), none));
    let row = engine.create_item(no, r#"{"id": "visible", "pk": 1}"#).unwrap();
    let one = (vec!["visible".to_owned()], true, true);
    for anchor in [Anchor::First, Anchor::Last, Anchor::At(row.key)] {
        assert_eq!(ids(anchor), one);
    }
}
