//! The clock that people move: what it shows after any sequence of changes, what a jump says that it deletes and what is
//! deleted then, what is kept over a restart, what going back to the real time does.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use tempfile::TempDir;
use ttl_explorer::domain::Instant;
use ttl_explorer::domain::clock::Rate;
use ttl_explorer::domain::nosql::{DefaultTtl, PartitionKey};
use ttl_explorer::domain::ravendb::Configuration;
use ttl_explorer::engine::{
    Api, ClockSetting, ClockState, ContainerNo, Engine, EngineError, EngineOptions, Event, ManualClock, Which,
};
use ttl_explorer::store;

const START: i64 = 1_796_248_064;
const DEFAULT: i64 = 100;
const DELAY: i64 = 5;
const DAY: i64 = 86_400;

struct Stand {
    engine: Engine,
    real: Arc<ManualClock>,
    no: ContainerNo,
    dir: TempDir,
}

fn open(dir: &TempDir, real: &Arc<ManualClock>) -> Engine {
    let options =
        EngineOptions { clock: real.clone(), store_clock: true, background: false, store: store::Options::tiny() };
    Engine::open(dir.path(), options).unwrap()
}

fn stand() -> Stand {
    let dir = tempfile::tempdir().unwrap();
    let real = Arc::new(ManualClock::new(Instant::from_secs(START)));
    let engine = open(&dir, &real);
    let database = engine.create_database("db", Api::NoSql).unwrap();
    let key = PartitionKey::new(["/id"]).unwrap();
    let no = engine.create_container(database, "c", key, DefaultTtl::Seconds(DEFAULT as u32)).unwrap();
    Stand { engine, real, no, dir }
}

impl Stand {
    fn now(&self) -> i64 {
        self.engine.now().secs()
    }

    fn put(&self, id: &str, ttl: &str) -> i64 {
        let (row, _) = self.engine.upsert_item(self.no, &format!("{{\"id\": \"{id}\"{ttl}}}")).unwrap();
        row.written.secs()
    }

    fn ids(&self) -> Vec<String> {
        let mut ids = Vec::new();
        let each = |text: Result<String, EngineError>| {
            let item: serde_json::Value = serde_json::from_str(&text?).unwrap();
            ids.push(item["id"].as_str().unwrap().to_owned());
            Ok::<_, EngineError>(())
        };
        self.engine.each_body(self.no, Which::Visible, each).unwrap();
        ids
    }

    fn jump(&self, secs: i64) {
        self.engine.set_clock(to(Some(self.engine.now().plus_secs(secs)))).unwrap();
    }

    fn reopened(self) -> Stand {
        self.engine.close().unwrap();
        let Stand { engine, real, no, dir } = self;
        drop(engine);
        let engine = open(&dir, &real);
        Stand { engine, real, no, dir }
    }
}

fn to(to: Option<Instant>) -> ClockSetting {
    ClockSetting { rate: Rate::REAL, paused: false, to }
}

fn status(result: Result<(), EngineError>) -> u16 {
    result.err().map_or(200, |error| error.into_refusal().status)
}

#[derive(Clone, Debug)]
enum Op {
    /// An item of its own ttl: nothing, -1, seconds.
    Put(u8, Option<i64>),
    Pass(i64),
    Jump(i64),
    Run(u64),
    Pause,
    Sweep,
    Restart,
    Back,
}

fn op() -> impl Strategy<Value = Op> {
    let ttl = prop_oneof![Just(None), Just(Some(-1)), (1i64..300).prop_map(Some)];
    prop_oneof![
        4 => (0u8..6, ttl).prop_map(|(id, ttl)| Op::Put(id, ttl)),
        3 => (0i64..50).prop_map(Op::Pass),
        3 => (0i64..200).prop_map(Op::Jump),
        1 => (1u64..5).prop_map(Op::Run),
        1 => Just(Op::Pause),
        2 => Just(Op::Sweep),
        1 => Just(Op::Restart),
        1 => Just(Op::Back),
    ]
}

/// When an item expires, by its write and its ttl.
fn expiry(written: i64, ttl: Option<i64>) -> Option<i64> {
    match ttl {
        Some(-1) => None,
        Some(secs) => Some(written + secs),
        None => Some(written + DEFAULT),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn what_is_shown_deleted_and_told_beforehand_is_the_same(ops in prop::collection::vec(op(), 1..40)) {
        let mut stand = stand();
        let (mut shown, mut rate, mut paused, mut moved) = (START, 1, false, false);
        let mut items: BTreeMap<String, (i64, Option<i64>)> = BTreeMap::new();
        for op in ops {
            match op {
                Op::Put(id, ttl) => {
                    let id = format!("i{id}");
                    let text = ttl.map_or(String::new(), |ttl| format!(", \"ttl\": {ttl}"));
                    let written = stand.put(&id, &text);
                    prop_assert!(written >= shown, "a write takes the time that is shown, or a later one of its item");
                    if let Some((before, _)) = items.get(&id) {
                        prop_assert!(written == shown || written == *before);
                    } else {
                        prop_assert_eq!(written, shown);
                    }
                    items.insert(id, (written, ttl));
                }
                Op::Pass(secs) => {
                    stand.real.advance(secs);
                    if !moved {
                        shown += secs;
                    } else if !paused {
                        shown += secs * rate;
                    }
                }
                Op::Jump(secs) => {
                    let at = stand.engine.now().plus_secs(secs);
                    let preview = stand.engine.preview_jump(at).unwrap();
                    let passed = |after: i64, through: i64| {
                        let instants = items.values().filter_map(|(written, ttl)| expiry(*written, *ttl));
                        instants.filter(|at| *at > after && *at <= through).count() as u64
                    };
                    prop_assert_eq!(preview.expire.n, passed(shown, shown + secs));
                    prop_assert_eq!(preview.delete.n, passed(i64::MIN, shown + secs - DELAY));
                    prop_assert_eq!(preview.come_back.n, 0);
                    let state = stand.engine.clock_state();
                    let setting = ClockSetting { rate: state.rate, paused: state.paused, to: Some(at) };
                    stand.engine.set_clock(setting).unwrap();
                    shown += secs;
                    moved = true;
                    let swept: u64 = stand.engine.run_due().unwrap().iter().map(|report| report.deleted).sum();
                    prop_assert_eq!(swept, preview.delete.n, "what was told is deleted");
                    items.retain(|_, (written, ttl)| expiry(*written, *ttl).is_none_or(|at| at > shown - DELAY));
                }
                Op::Run(times) => {
                    let setting = ClockSetting { rate: Rate::parse(&times.to_string()).unwrap(), paused: false, to: None };
                    stand.engine.set_clock(setting).unwrap();
                    moved = moved || times != 1;
                    (rate, paused) = (times as i64, false);
                }
                Op::Pause => {
                    let setting = ClockSetting { rate: stand.engine.clock_state().rate, paused: true, to: None };
                    stand.engine.set_clock(setting).unwrap();
                    (moved, paused) = (true, true);
                }
                Op::Sweep => {
                    stand.engine.run_due().unwrap();
                    items.retain(|_, (written, ttl)| expiry(*written, *ttl).is_none_or(|at| at > shown - DELAY));
                }
                Op::Restart => {
                    stand = stand.reopened();
                    prop_assert_eq!(stand.now(), shown, "it is kept");
                }
                Op::Back => {
                    // In this test the clock never falls behind the real one; the other way has a test of its own.
                    if stand.real_secs() > shown {
                        stand.jump(stand.real_secs() - shown);
                        shown = stand.real_secs();
                    }
                    let hidden = |at: i64, now: i64| at <= now;
                    let come_back = items.values().filter_map(|(written, ttl)| expiry(*written, *ttl))
                        .filter(|at| hidden(*at, shown) && !hidden(*at, stand.real_secs())).count() as u64;
                    let preview = stand.engine.preview_jump(stand.engine.real_time()).unwrap();
                    prop_assert_eq!(preview.come_back.n, come_back);
                    let newest = items.values().map(|(written, _)| *written).max();
                    if shown > stand.real_secs() && newest.is_some_and(|at| at > stand.real_secs()) {
                        prop_assert!(preview.newest.map(Instant::secs) >= newest);
                    }
                    stand.engine.reset_clock().unwrap();
                    shown = stand.real_secs();
                    (moved, rate, paused) = (false, 1, false);
                }
            }
            prop_assert_eq!(stand.now(), shown);
            let state = stand.engine.clock_state();
            prop_assert_eq!((state.moved, state.paused), (moved, paused));
            let visible: Vec<String> = items.iter()
                .filter(|(_, (written, ttl))| expiry(*written, *ttl).is_none_or(|at| at > shown))
                .map(|(id, _)| id.clone()).collect();
            prop_assert_eq!(stand.ids(), visible);
        }
        let findings = stand.engine.store().check(&mut |_| {}).unwrap();
        prop_assert!(findings.is_empty(), "{findings:?}");
    }
}

impl Stand {
    fn real_secs(&self) -> i64 {
        self.engine.real_time().secs()
    }
}

#[test]
fn it_goes_back_only_to_the_real_time_and_writes_follow() {
    let stand = stand();
    stand.jump(30 * DAY);
    assert_eq!(stand.put("x", ", \"ttl\": 60"), START + 30 * DAY);
    let back = Instant::from_secs(START + 29 * DAY);
    assert_eq!(status(stand.engine.set_clock(to(Some(back)))), 400);
    let early = Instant::from_secs(START - DAY);
    assert_eq!(stand.engine.preview_jump(early).unwrap_err().into_refusal().status, 400);
    assert_eq!(stand.now(), START + 30 * DAY, "a refused move moves nothing");
    stand.engine.reset_clock().unwrap();
    assert_eq!((stand.now(), stand.engine.clock_state()), (START, ClockState::default()));
    // It keeps its _ts, and is counted from there, until it is written again.
    assert_eq!(stand.ids(), ["x"]);
    let stand = stand.reopened();
    assert_eq!(stand.put("x", ", \"ttl\": 60"), START);
    stand.real.advance(61);
    assert_eq!(stand.ids(), Vec::<String>::new());
    let findings = stand.engine.store().check(&mut |_| {}).unwrap();
    assert!(findings.is_empty(), "{findings:?}");
}

#[test]
fn a_machine_whose_clock_jumps_back_still_makes_no_item_older() {
    let stand = stand();
    stand.jump(DAY);
    stand.put("x", "");
    stand.engine.reset_clock().unwrap();
    stand.real.advance(2 * DAY);
    assert_eq!(stand.put("x", ""), START + 2 * DAY);
    stand.real.advance(-100);
    assert_eq!(stand.put("x", ""), START + 2 * DAY);
}

#[test]
fn a_killed_store_starts_no_earlier_than_its_newest_write() {
    let stand = stand();
    stand.jump(DAY);
    stand.real.advance(500);
    stand.put("x", ", \"ttl\": -1");
    let Stand { engine, real, dir, .. } = stand;
    // The engine goes without a word, as after a kill.
    drop(engine);
    assert_eq!(open(&dir, &real).now().secs(), START + DAY + 500);
}

#[test]
fn a_command_with_a_present_of_its_own_does_not_follow_it() {
    let stand = stand();
    stand.jump(DAY);
    let Stand { engine, real, dir, .. } = stand;
    engine.close().unwrap();
    drop(engine);
    let options =
        EngineOptions { clock: real.clone(), store_clock: false, background: false, store: store::Options::tiny() };
    let engine = Engine::open(dir.path(), options).unwrap();
    assert_eq!(engine.now().secs(), START);
    engine.close().unwrap();
    drop(engine);
    assert_eq!(open(&dir, &real).now().secs(), START + DAY, "and leaves it as it is");
}

#[test]
fn every_change_is_told_and_nothing_is_changed_by_none() {
    let stand = stand();
    let events = stand.engine.subscribe();
    stand.engine.set_clock(to(None)).unwrap();
    assert!(!stand.engine.clock_state().moved, "the real clock at the real rate stays the real one");
    events.try_iter().for_each(drop);
    let rate = Rate::parse("60").unwrap();
    stand.engine.set_clock(ClockSetting { rate, paused: false, to: None }).unwrap();
    stand.engine.reset_clock().unwrap();
    let told: Vec<bool> = events
        .try_iter()
        .filter_map(|event| match event {
            Event::ClockChanged(state) => Some(state.moved),
            _ => None,
        })
        .collect();
    assert_eq!(told, [true, false]);
}

#[test]
fn a_jump_counts_what_a_run_of_ravendb_deletes() {
    let dir = tempfile::tempdir().unwrap();
    let real = Arc::new(ManualClock::new(Instant::from_secs(START)));
    let engine = open(&dir, &real);
    let database = engine.create_database("raven", Api::RavenDb).unwrap();
    let no = engine.catalog().database(database).unwrap().documents.as_ref().unwrap().no;
    let text = "{\"Name\": \"x\", \"@metadata\": {\"@id\": \"a/1\", \"@collection\": \"A\", \
                \"@expires\": \"2026-12-04T00:00:00Z\"}}";
    engine.create_item(no, text).unwrap();
    let at = Instant::from_secs(START + 30 * DAY);
    let preview = engine.preview_jump(at).unwrap();
    assert_eq!((preview.expire.n, preview.delete.n), (1, 0), "expiration is off");
    engine.set_expiration(no, Configuration { disabled: false, delete_frequency: None, max_items: None }).unwrap();
    assert_eq!(engine.preview_jump(at).unwrap().delete.n, 1);
    engine.set_clock(to(Some(at))).unwrap();
    let deleted: u64 = engine.run_due().unwrap().iter().map(|report| report.deleted).sum();
    assert_eq!(deleted, 1);
}

#[test]
fn a_paused_sweeper_deletes_nothing_and_what_is_hidden_comes_back() {
    let stand = stand();
    stand.engine.pause_sweeper(true).unwrap();
    stand.put("x", "");
    let at = stand.engine.now().plus_secs(DAY);
    let preview = stand.engine.preview_jump(at).unwrap();
    assert_eq!((preview.expire.n, preview.delete.n), (1, 0));
    stand.jump(DAY);
    stand.engine.run_due().unwrap();
    assert_eq!(stand.ids(), Vec::<String>::new());
    let preview = stand.engine.preview_jump(stand.engine.real_time()).unwrap();
    assert_eq!((preview.come_back.n, preview.words().as_str()), (1, "1 item comes back."));
    stand.engine.reset_clock().unwrap();
    assert_eq!(stand.ids(), ["x"]);
}
