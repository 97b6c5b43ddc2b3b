//! The engine against a plain map: whatever is done, in whatever order, every item is seen exactly when the rules say
//! so, whether the sweeper ran or not, and after every reopening.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use tempfile::TempDir;
use ttl_explorer::domain::Instant;
use ttl_explorer::domain::nosql::{DefaultTtl, ItemKey, ItemTtl, PartitionKey, PartitionValue, fate};
use ttl_explorer::engine::{
    Anchor, Api, ContainerNo, CountdownAnchor, CountdownRequest, Engine, EngineError, EngineOptions, Key, ManualClock,
    Position, Scope, WindowRequest,
};
use ttl_explorer::store;

const START: i64 = 1_000_000;
const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

#[derive(Clone, Debug)]
enum Op {
    Create(usize, usize, ItemTtl),
    Upsert(usize, usize, ItemTtl),
    Replace(usize, usize, ItemTtl, bool),
    Touch(usize, usize),
    Delete(usize, usize),
    SetTtl(usize, DefaultTtl),
    Advance(i64),
    JumpBack(i64),
    SweepNow,
    RunDue,
    Pause(bool),
    Delay(u32),
    Reopen,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    ts: i64,
    ttl: ItemTtl,
    etag: u64,
}

fn ttl() -> impl Strategy<Value = ItemTtl> {
    prop_oneof![3 => Just(ItemTtl::Absent), 1 => Just(ItemTtl::Never), 4 => (1u32..12).prop_map(ItemTtl::Seconds),
        1 => Just(ItemTtl::Seconds(2_147_483_647))]
}

fn default_ttl() -> impl Strategy<Value = DefaultTtl> {
    prop_oneof![Just(DefaultTtl::Off), Just(DefaultTtl::NoDefault), (1u32..12).prop_map(DefaultTtl::Seconds)]
}

fn op() -> impl Strategy<Value = Op> {
    let at = || (0usize..2, 0usize..NAMES.len());
    prop_oneof![
        6 => (at(), ttl()).prop_map(|((c, n), ttl)| Op::Create(c, n, ttl)),
        4 => (at(), ttl()).prop_map(|((c, n), ttl)| Op::Upsert(c, n, ttl)),
        3 => (at(), ttl(), any::<bool>()).prop_map(|((c, n), ttl, fresh)| Op::Replace(c, n, ttl, fresh)),
        2 => at().prop_map(|(c, n)| Op::Touch(c, n)),
        2 => at().prop_map(|(c, n)| Op::Delete(c, n)),
        4 => (0usize..2, default_ttl()).prop_map(|(c, ttl)| Op::SetTtl(c, ttl)),
        6 => (1i64..6).prop_map(Op::Advance),
        1 => (1i64..20).prop_map(Op::JumpBack),
        1 => Just(Op::SweepNow),
        3 => Just(Op::RunDue),
        1 => any::<bool>().prop_map(Op::Pause),
        1 => (0u32..8).prop_map(Op::Delay),
        1 => Just(Op::Reopen),
    ]
}

struct World {
    /// `None` only while it is opened again.
    open: Option<Engine>,
    clock: Arc<ManualClock>,
    dir: TempDir,
    containers: Vec<ContainerNo>,
    defaults: Vec<DefaultTtl>,
    /// What is stored, visible or hidden.
    items: BTreeMap<(usize, usize), Item>,
    paused: bool,
    delay: u32,
}

fn open(dir: &TempDir, clock: &Arc<ManualClock>) -> Engine {
    let options =
        EngineOptions { clock: clock.clone(), store_clock: true, background: false, store: store::Options::tiny() };
    Engine::open(dir.path(), options).expect("a store")
}

fn key(name: usize) -> Key {
    ItemKey { partition: vec![PartitionValue::Text("p".into())], id: NAMES[name].to_owned() }.encode().into()
}

fn text(name: usize, ttl: ItemTtl) -> String {
    let ttl = match ttl {
        ItemTtl::Absent => String::new(),
        ItemTtl::Never => ", \"ttl\": -1".to_owned(),
        ItemTtl::Seconds(secs) => format!(", \"ttl\": {secs}"),
    };
    format!("{{\"id\": \"{}\", \"pk\": \"p\"{ttl}}}", NAMES[name])
}

fn status<T: std::fmt::Debug>(result: &Result<T, EngineError>) -> u16 {
    match result {
        Ok(_) => 200,
        Err(EngineError::Refused(refusal)) => refusal.status,
        Err(error) => panic!("{error}"),
    }
}

impl World {
    fn new() -> World {
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new(Instant::from_secs(START)));
        let engine = open(&dir, &clock);
        let database = engine.create_database("db", Api::NoSql).unwrap();
        let containers = ["one", "two"].map(|name| {
            engine.create_container(database, name, PartitionKey::new(["/pk"]).unwrap(), DefaultTtl::Off).unwrap()
        });
        World {
            open: Some(engine),
            clock,
            dir,
            containers: containers.to_vec(),
            defaults: vec![DefaultTtl::Off; 2],
            items: BTreeMap::new(),
            paused: false,
            delay: 5,
        }
    }

    fn engine(&self) -> &Engine {
        self.open.as_ref().expect("open")
    }

    fn now(&self) -> i64 {
        use ttl_explorer::engine::Clock;
        self.clock.now().secs()
    }

    fn is_visible(&self, at: (usize, usize)) -> bool {
        self.items.get(&at).is_some_and(|item| !fate(self.defaults[at.0], item.ttl, item.ts).is_expired(self.now()))
    }

    fn ts(&self, at: (usize, usize)) -> i64 {
        self.items.get(&at).map_or(self.now(), |item| self.now().max(item.ts))
    }

    /// What a sweep with this delay takes.
    fn sweep(&mut self, delay: u32) -> usize {
        let through = self.now() - i64::from(delay);
        let before = self.items.len();
        let defaults = self.defaults.clone();
        self.items.retain(|at, item| !fate(defaults[at.0], item.ttl, item.ts).is_expired(through));
        before - self.items.len()
    }

    fn apply(&mut self, op: &Op) {
        let engine = self.engine().clone();
        match *op {
            Op::Create(c, n, ttl) => {
                let visible = self.is_visible((c, n));
                let result = engine.create_item(self.containers[c], &text(n, ttl));
                assert_eq!(status(&result), if visible { 409 } else { 200 });
                if let Ok(row) = result {
                    assert_eq!(row.written.secs(), self.ts((c, n)));
                    self.items.insert((c, n), Item { ts: row.written.secs(), ttl, etag: row.etag });
                }
            }
            Op::Upsert(c, n, ttl) => {
                let visible = self.is_visible((c, n));
                let (row, created) = engine.upsert_item(self.containers[c], &text(n, ttl)).unwrap();
                assert_eq!((created, row.written.secs()), (!visible, self.ts((c, n))));
                self.items.insert((c, n), Item { ts: row.written.secs(), ttl, etag: row.etag });
            }
            Op::Replace(c, n, ttl, fresh) => {
                let visible = self.is_visible((c, n));
                let etag = self.items.get(&(c, n)).map_or(0, |item| item.etag);
                let if_match = Some(if fresh { etag } else { etag + 1_000_000 });
                let result = engine.replace_item(self.containers[c], &key(n), &text(n, ttl), if_match);
                let expected = if !visible {
                    404
                } else if fresh {
                    200
                } else {
                    412
                };
                assert_eq!(status(&result), expected);
                if let Ok(row) = result {
                    assert!(row.etag > etag);
                    let ts = self.ts((c, n));
                    self.items.insert((c, n), Item { ts, ttl, etag: row.etag });
                }
            }
            Op::Touch(c, n) => {
                let visible = self.is_visible((c, n));
                assert_eq!(engine.touch_items(self.containers[c], &[key(n)]).unwrap(), u64::from(visible));
                if visible {
                    let ts = self.ts((c, n));
                    let etag = engine.peek_item(self.containers[c], &key(n)).unwrap().unwrap().row.etag;
                    let item = self.items.get_mut(&(c, n)).unwrap();
                    (item.ts, item.etag) = (ts, etag);
                }
            }
            Op::Delete(c, n) => {
                let visible = self.is_visible((c, n));
                let result = engine.delete_item(self.containers[c], &key(n), None);
                assert_eq!(status(&result), if visible { 200 } else { 404 });
                if visible {
                    self.items.remove(&(c, n));
                }
            }
            Op::SetTtl(c, ttl) => {
                let now = self.now();
                let (mut at_once, mut back) = (0, 0);
                for ((container, _), item) in &self.items {
                    if *container == c {
                        let before = fate(self.defaults[c], item.ttl, item.ts).is_expired(now);
                        let after = fate(ttl, item.ttl, item.ts).is_expired(now);
                        at_once += u64::from(!before && after);
                        back += u64::from(before && !after);
                    }
                }
                let preview = engine.preview_ttl(self.containers[c], ttl).unwrap();
                assert_eq!((preview.expire_at_once.n, preview.come_back.n), (at_once, back));
                engine.set_default_ttl(self.containers[c], ttl).unwrap();
                self.defaults[c] = ttl;
            }
            Op::Advance(secs) => self.clock.advance(secs),
            Op::JumpBack(secs) => self.clock.advance(-secs),
            Op::SweepNow => {
                let deleted: u64 = engine.sweep_now().unwrap().iter().map(|report| report.deleted).sum();
                assert_eq!(deleted, self.sweep(0) as u64);
            }
            Op::RunDue => {
                let deleted: u64 = engine.run_due().unwrap().iter().map(|report| report.deleted).sum();
                let expected = if self.paused { 0 } else { self.sweep(self.delay) };
                assert_eq!(deleted, expected as u64);
            }
            Op::Pause(paused) => {
                engine.pause_sweeper(paused).unwrap();
                self.paused = paused;
            }
            Op::Delay(secs) => {
                engine.set_sweep_delay(secs).unwrap();
                self.delay = secs;
            }
            Op::Reopen => {
                engine.close().unwrap();
                drop(engine);
                self.open = None;
                self.open = Some(open(&self.dir, &self.clock));
                let state = self.engine().sweeper();
                assert_eq!((state.paused, state.delay), (self.paused, self.delay));
            }
        }
    }

    fn compare(&self) {
        let now = self.now();
        for c in 0..2 {
            let no = self.containers[c];
            let visible: Vec<&str> = (0..NAMES.len()).filter(|n| self.is_visible((c, *n))).map(|n| NAMES[n]).collect();
            // Forwards, backwards and around each key.
            for anchor in [Anchor::First, Anchor::Last, Anchor::At(key(2)), Anchor::At(key(5))] {
                let window = self
                    .engine()
                    .window(&WindowRequest { container: no, anchor: anchor.clone(), before: 10, after: 10 })
                    .unwrap();
                let ids: Vec<&str> = window.rows.iter().map(|row| row.id.as_str()).collect();
                assert_eq!(ids, visible, "{anchor:?}");
                assert!(window.starts && window.ends);
            }
            let narrow = self
                .engine()
                .window(&WindowRequest { container: no, anchor: Anchor::At(key(2)), before: 1, after: 2 })
                .unwrap();
            assert_eq!(narrow.ends, narrow.rows.last().map(|row| row.id.as_str()) == visible.last().copied());
            assert_eq!(narrow.starts, narrow.rows.first().map(|row| row.id.as_str()) == visible.first().copied());
            for n in 0..NAMES.len() {
                let read = self.engine().item(no, &key(n));
                assert_eq!(status(&read), if self.is_visible((c, n)) { 200 } else { 404 });
                let peeked = self.engine().peek_item(no, &key(n)).unwrap();
                assert_eq!(peeked.is_some(), self.items.contains_key(&(c, n)));
            }
            let stored = self.items.keys().filter(|at| at.0 == c).count() as u64;
            let totals = self.engine().totals(Scope::Container(no)).unwrap();
            assert_eq!((totals.stored, totals.hidden.n), (stored, stored - visible.len() as u64));
        }
        let mut falling: Vec<Position> = self
            .items
            .iter()
            .filter_map(|((c, n), item)| {
                let at = fate(self.defaults[*c], item.ttl, item.ts).at()?;
                Some(Position { at: Instant::from_secs(at), container: self.containers[*c], key: key(*n) })
            })
            .collect();
        falling.sort();
        let ahead = falling.iter().position(|position| position.at.secs() > now).unwrap_or(falling.len());
        let ask = |anchor: CountdownAnchor, before, after| {
            let window =
                self.engine().countdown(&CountdownRequest { scope: Scope::Everything, anchor, before, after }).unwrap();
            let positions: Vec<Position> = window.rows.into_iter().map(|row| row.position).collect();
            (positions, window.anchor, window.starts, window.ends)
        };
        assert_eq!(ask(CountdownAnchor::First, 0, 99), (falling.clone(), 0, true, true));
        assert_eq!(ask(CountdownAnchor::Now, 99, 99), (falling.clone(), ahead, true, true));
        let last = falling.len().saturating_sub(1);
        assert_eq!(ask(CountdownAnchor::Last, 50, 49), (falling.clone(), last, true, true));
        for (index, position) in falling.iter().enumerate() {
            let (rows, anchor, starts, ends) = ask(CountdownAnchor::At(position.clone()), 1, 2);
            assert_eq!(rows.get(anchor), Some(position));
            assert_eq!((starts, ends), (rows.first() == falling.first(), rows.last() == falling.last()), "{index}");
        }
        assert_eq!(
            self.engine().totals(Scope::Everything).unwrap().next,
            falling.get(ahead).map(|position| position.at)
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, max_shrink_iters: 400, ..ProptestConfig::default() })]
    #[test]
    fn the_engine_is_a_map_with_rules(ops in prop::collection::vec(op(), 1..60)) {
        let mut world = World::new();
        for op in &ops {
            world.apply(op);
            world.compare();
        }
        let findings = world.engine().store().check(&mut |_| {}).unwrap();
        prop_assert_eq!(findings, vec![]);
    }
}
