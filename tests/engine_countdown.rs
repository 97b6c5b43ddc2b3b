//! What expires next over many containers, against brute force: whatever was deleted, written again, swept or set.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use proptest::prelude::*;
use ttl_explorer::domain::Instant;
use ttl_explorer::domain::nosql::{DefaultTtl, ItemTtl, PartitionKey, fate};
use ttl_explorer::engine::{
    Api, Bucket, Clock, ContainerNo, CountdownAnchor, CountdownRequest, DatabaseNo, Engine, EngineOptions, Key,
    Lifetime, ManualClock, Position, Row, Scope, Span, Timeline,
};
use ttl_explorer::store;

const START: i64 = 1_000_000;
const CONTAINERS: usize = 12;
const IDS: usize = 3;

#[derive(Clone, Debug)]
enum Op {
    Write(usize, usize, ItemTtl),
    Delete(usize, usize),
    Touch(usize),
    SetTtl(usize, DefaultTtl),
    Advance(i64),
    RunDue,
    SweepNow,
}

#[derive(Clone, Debug)]
struct Ask {
    scope: usize,
    anchor: usize,
    before: usize,
    after: usize,
}

fn ttl() -> impl Strategy<Value = ItemTtl> {
    prop_oneof![2 => Just(ItemTtl::Absent), 1 => Just(ItemTtl::Never), 5 => (1u32..40).prop_map(ItemTtl::Seconds)]
}

fn default_ttl() -> impl Strategy<Value = DefaultTtl> {
    prop_oneof![Just(DefaultTtl::Off), Just(DefaultTtl::NoDefault), (1u32..40).prop_map(DefaultTtl::Seconds)]
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        8 => (0..CONTAINERS, 0..IDS, ttl()).prop_map(|(c, n, ttl)| Op::Write(c, n, ttl)),
        3 => (0..CONTAINERS, 0..IDS).prop_map(|(c, n)| Op::Delete(c, n)),
        2 => (0..CONTAINERS).prop_map(Op::Touch),
        2 => (0..CONTAINERS, default_ttl()).prop_map(|(c, ttl)| Op::SetTtl(c, ttl)),
        3 => (-3i64..9).prop_map(Op::Advance),
        2 => Just(Op::RunDue),
        1 => Just(Op::SweepNow),
    ]
}

fn ask() -> impl Strategy<Value = Ask> {
    (0usize..CONTAINERS + 3, 0usize..40, 0usize..4, 0usize..4).prop_map(|(scope, anchor, before, after)| Ask {
        scope,
        anchor,
        before,
        after,
    })
}

struct World {
    engine: Engine,
    clock: Arc<ManualClock>,
    databases: Vec<DatabaseNo>,
    containers: Vec<ContainerNo>,
    defaults: Vec<DefaultTtl>,
    items: BTreeMap<(usize, usize), (Key, i64, ItemTtl)>,
    _dir: tempfile::TempDir,
}

impl World {
    fn new() -> World {
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new(Instant::from_secs(START)));
        let options =
            EngineOptions { clock: clock.clone(), store_clock: true, background: false, store: store::Options::tiny() };
        let engine = Engine::open(dir.path(), options).unwrap();
        let databases: Vec<DatabaseNo> =
            ["even", "odd"].iter().map(|name| engine.create_database(name, Api::NoSql).unwrap()).collect();
        let containers = (0..CONTAINERS)
            .map(|n| {
                let key = PartitionKey::new(["/pk"]).unwrap();
                engine.create_container(databases[n % 2], &format!("c{n}"), key, DefaultTtl::NoDefault).unwrap()
            })
            .collect();
        World {
            engine,
            clock,
            databases,
            containers,
            defaults: vec![DefaultTtl::NoDefault; CONTAINERS],
            items: BTreeMap::new(),
            _dir: dir,
        }
    }

    fn now(&self) -> i64 {
        self.clock.now().secs()
    }

    fn apply(&mut self, op: &Op) {
        match *op {
            Op::Write(c, n, ttl) => {
                let own = match ttl {
                    ItemTtl::Absent => String::new(),
                    ItemTtl::Never => ", \"ttl\": -1".to_owned(),
                    ItemTtl::Seconds(secs) => format!(", \"ttl\": {secs}"),
                };
                let text = format!("{{\"id\": \"i{n}\", \"pk\": 1{own}}}");
                let (row, _) = self.engine.upsert_item(self.containers[c], &text).unwrap();
                self.items.insert((c, n), (row.key.clone(), row.written.secs(), ttl));
            }
            Op::Delete(c, n) => {
                if let Some((key, _, _)) = self.items.get(&(c, n))
                    && self.engine.delete_item(self.containers[c], key, None).is_ok()
                {
                    self.items.remove(&(c, n));
                }
            }
            Op::Touch(c) => {
                let keys: Vec<Key> = (0..IDS).filter_map(|n| Some(self.items.get(&(c, n))?.0.clone())).collect();
                self.engine.touch_items(self.containers[c], &keys).unwrap();
                for n in 0..IDS {
                    if let Some(item) = self.items.get_mut(&(c, n)) {
                        item.1 =
                            self.engine.peek_item(self.containers[c], &item.0).unwrap().unwrap().row.written.secs();
                    }
                }
            }
            Op::SetTtl(c, ttl) => {
                self.engine.set_default_ttl(self.containers[c], ttl).unwrap();
                self.defaults[c] = ttl;
            }
            Op::Advance(secs) => self.clock.advance(secs),
            Op::RunDue => {
                self.engine.run_due().unwrap();
                self.forget_swept();
            }
            Op::SweepNow => {
                self.engine.sweep_now().unwrap();
                self.forget_swept();
            }
        }
    }

    /// What the sweep took is the model test's matter; here it is only looked up.
    fn forget_swept(&mut self) {
        let (engine, containers) = (&self.engine, &self.containers);
        self.items.retain(|(c, _), item| engine.peek_item(containers[*c], &item.0).unwrap().is_some());
    }

    fn compare(&self, ask: &Ask) {
        let (scope, wanted): (Scope, Box<dyn Fn(usize) -> bool>) = match ask.scope {
            0 => (Scope::Everything, Box::new(|_| true)),
            d @ 1..=2 => (Scope::Database(self.databases[d - 1]), Box::new(move |c| c % 2 == d - 1)),
            n => (Scope::Container(self.containers[n - 3]), Box::new(move |c| c == n - 3)),
        };
        let mut all: Vec<Position> = self
            .items
            .iter()
            .filter(|((c, _), _)| wanted(*c))
            .filter_map(|((c, _), (key, ts, ttl))| {
                Some(Position {
                    at: Instant::from_secs(fate(self.defaults[*c], *ttl, *ts).at()?),
                    container: self.containers[*c],
                    key: key.clone(),
                })
            })
            .collect();
        all.sort();
        let now = self.now();
        let ahead = all.partition_point(|position| position.at.secs() <= now);
        let (anchor, at) = match ask.anchor {
            0 => (CountdownAnchor::First, 0),
            1 => (CountdownAnchor::Last, all.len().saturating_sub(1)),
            n @ 2..12 if n - 2 < all.len() => (CountdownAnchor::At(all[n - 2].clone()), n - 2),
            _ => (CountdownAnchor::Now, ahead),
        };
        let request = CountdownRequest { scope, anchor: anchor.clone(), before: ask.before, after: ask.after };
        let window = self.engine.countdown(&request).unwrap();
        let rows: Vec<Position> = window.rows.into_iter().map(|row| row.position).collect();
        // Room that one side leaves goes to the other, where the list ends.
        let (from, to) = match anchor {
            CountdownAnchor::First => (0, ask.after.min(all.len())),
            CountdownAnchor::Last => (all.len().saturating_sub(ask.before + ask.after), all.len()),
            _ => {
                let to = (at + ask.after).min(all.len());
                (at.saturating_sub(ask.before + ask.after - (to - at)), to)
            }
        };
        assert_eq!(rows, all[from..to], "{ask:?}");
        assert_eq!((window.starts, window.ends), (from == 0, to == all.len()), "{ask:?}");
        let totals = self.engine.totals(scope).unwrap();
        assert_eq!(totals.next, all.get(ahead).map(|position| position.at));
        assert_eq!(totals.hidden.n, ahead as u64);
        let stored = self.items.keys().filter(|(c, _)| wanted(*c)).count();
        assert_eq!(totals.stored, stored as u64);
        let span = Span::ALL[ask.anchor % Span::ALL.len()];
        let timeline = self.engine.timeline(scope, span, &mut |_| true).unwrap();
        let ends = self.items.iter().filter(|((c, _), _)| wanted(*c));
        let ends = ends.map(|((c, _), (_, ts, ttl))| (*ttl, fate(self.defaults[*c], *ttl, *ts).at()));
        self.counted(&timeline, &ends.collect::<Vec<_>>());
        if let Scope::Container(no) = scope {
            self.compare_what_if(no, ask);
        }
    }

    /// A timeline against the ends of all its items.
    fn counted(&self, timeline: &Timeline, ends: &[(ItemTtl, Option<i64>)]) {
        let now = self.now();
        let start = now.div_euclid(timeline.span.step()) * timeline.span.step();
        let mut expected = vec![Bucket::default(); timeline.buckets.len()];
        let (mut overdue, mut later, mut never) = (Bucket::default(), 0, 0);
        for (ttl, end) in ends {
            let Some(end) = end else {
                never += 1;
                continue;
            };
            let at = (end - start) / timeline.span.step();
            let bucket = if *end <= now { Some(&mut overdue) } else { expected.get_mut(at as usize) };
            match (bucket, ttl) {
                (None, _) => later += 1,
                (Some(bucket), ItemTtl::Seconds(_)) => bucket.own += 1,
                (Some(bucket), _) => bucket.inherited += 1,
            }
        }
        assert_eq!(timeline.buckets, expected, "{:?}", timeline.span);
        assert_eq!((timeline.overdue, timeline.later, timeline.never), (overdue, Some(later), never));
    }

    /// Another setting: each visible item's end, before and after.
    fn compare_what_if(&self, no: ContainerNo, ask: &Ask) {
        let c = self.containers.iter().position(|container| *container == no).unwrap();
        let ttl = match ask.anchor % 4 {
            0 => DefaultTtl::Off,
            1 => DefaultTtl::NoDefault,
            n => DefaultTtl::Seconds((ask.before * 9 + n) as u32),
        };
        let what_if = self.engine.what_if(no, ttl).unwrap();
        let items: Vec<_> = self.items.iter().filter(|((of, _), _)| *of == c).map(|(_, item)| item).collect();
        let ends = |ttl: DefaultTtl| -> Vec<_> {
            items.iter().map(|(_, ts, own)| (*own, fate(ttl, *own, *ts).at())).collect()
        };
        let (today, then) = (ends(self.defaults[c]), ends(ttl));
        self.counted(&what_if.today, &today);
        self.counted(&what_if.then, &then);
        let (mut sooner, mut later, mut never) = (0, 0, 0);
        for ((_, before), (_, after)) in today.iter().zip(&then) {
            if [before, after].iter().any(|end| end.is_some_and(|end| end <= self.now())) {
                continue;
            }
            match (before, after) {
                (Some(_), None) => never += 1,
                (before, Some(after)) if before.is_none_or(|before| *after < before) => sooner += 1,
                (Some(before), Some(after)) if after > before => later += 1,
                _ => {}
            }
        }
        assert_eq!((what_if.sooner, what_if.later, what_if.never), (sooner, later, never), "{ttl:?}");
    }
}

/// More containers than are looked at in one go, in two databases; the plan of most of them is out of date.
#[test]
fn hundreds_of_containers_come_in_order() {
    const EACH: usize = 300;
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(Instant::from_secs(START)));
    let options =
        EngineOptions { clock: clock.clone(), store_clock: true, background: false, store: store::Options::tiny() };
    let engine = Engine::open(dir.path(), options).unwrap();
    let mut falling: Vec<(DatabaseNo, Position)> = Vec::new();
    for database in 0..2 {
        let database = engine.create_database(&format!("d{database}"), Api::NoSql).unwrap();
        for c in 0..EACH {
            let key = PartitionKey::new(["/pk"]).unwrap();
            let no = engine.create_container(database, &format!("c{c}"), key, DefaultTtl::NoDefault).unwrap();
            // The early one is deleted again, so that its instant stays behind as a bound that is too low.
            let early = engine.create_item(no, &format!("{{\"id\": \"early\", \"ttl\": {}}}", 10 + c % 7)).unwrap();
            let late =
                engine.create_item(no, &format!("{{\"id\": \"late\", \"ttl\": {}}}", 1_000 + c * 7 % 97)).unwrap();
            if c % 50 != 0 {
                engine.delete_item(no, &early.key, None).unwrap();
            } else {
                falling.push((database, place(no, &early)));
            }
            falling.push((database, place(no, &late)));
        }
    }
    falling.sort_by(|(_, a), (_, b)| a.cmp(b));
    let databases: Vec<DatabaseNo> = engine.catalog().names.keys().copied().collect();
    let scopes = [Scope::Everything, Scope::Database(databases[0]), Scope::Database(databases[1])];
    for told in [false, true] {
        if told {
            clock.advance(12);
            engine.run_due().unwrap();
        }
        for scope in scopes {
            let all: Vec<&Position> = falling
                .iter()
                .filter(|(database, _)| scope == Scope::Everything || scope == Scope::Database(*database))
                .map(|(_, position)| position)
                .collect();
            let ahead = all.partition_point(|position| position.at <= clock.now());
            for (anchor, at) in [
                (CountdownAnchor::Now, ahead),
                (CountdownAnchor::At(all[all.len() / 2].clone()), all.len() / 2),
                (CountdownAnchor::At(all[all.len() - 2].clone()), all.len() - 2),
            ] {
                let request = CountdownRequest { scope, anchor, before: 3, after: 20 };
                let window = engine.countdown(&request).unwrap();
                let rows: Vec<&Position> = window.rows.iter().map(|row| &row.position).collect();
                let to = (at + 20).min(all.len());
                let from = at.saturating_sub(23 - (to - at));
                assert_eq!(rows, all[from..to], "{scope:?} {told}");
                assert_eq!((window.starts, window.ends), (from == 0, to == all.len()));
            }
            assert_eq!(engine.totals(scope).unwrap().next, Some(all[ahead].at));
        }
    }
}

/// Writers and sweeps move the plan while it is read: a window is in order all the same, and shows nothing twice.
#[test]
fn a_window_is_in_order_while_everything_moves() {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(Instant::from_secs(START)));
    let options =
        EngineOptions { clock: clock.clone(), store_clock: true, background: false, store: store::Options::tiny() };
    let engine = Engine::open(dir.path(), options).unwrap();
    let database = engine.create_database("d", Api::NoSql).unwrap();
    let containers: Vec<ContainerNo> = (0..40)
        .map(|c| {
            let key = PartitionKey::new(["/pk"]).unwrap();
            engine.create_container(database, &format!("c{c}"), key, DefaultTtl::NoDefault).unwrap()
        })
        .collect();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut n = 0usize;
            while !done.load(Ordering::SeqCst) {
                let no = containers[n * 7 % containers.len()];
                let text = format!("{{\"id\": \"i{}\", \"ttl\": {}}}", n % 3, 1 + n * 13 % 50);
                engine.upsert_item(no, &text).unwrap();
                n += 1;
                if n.is_multiple_of(20) {
                    clock.advance(1);
                }
            }
        });
        scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                engine.sweep_now().unwrap();
            }
        });
        let mut fault = None;
        for _ in 0..400 {
            let request =
                CountdownRequest { scope: Scope::Everything, anchor: CountdownAnchor::Now, before: 5, after: 60 };
            let window = engine.countdown(&request).unwrap();
            let rows: Vec<Position> = window.rows.into_iter().map(|row| row.position).collect();
            if let Some(pair) = rows.windows(2).find(|pair| pair[0] >= pair[1]) {
                fault = Some(pair.to_vec());
                break;
            }
        }
        done.store(true, Ordering::SeqCst);
        assert_eq!(fault, None);
    });
}

fn place(container: ContainerNo, row: &Row) -> Position {
    let Lifetime::Ttl(ItemTtl::Seconds(secs)) = row.lifetime else { panic!("it has a ttl of its own") };
    Position { at: row.written.plus_secs(i64::from(secs)), container, key: row.key.clone() }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, max_shrink_iters: 400, ..ProptestConfig::default() })]
    #[test]
    fn the_merge_is_a_sorted_list(steps in prop::collection::vec((op(), ask()), 1..80)) {
        let mut world = World::new();
        for (op, ask) in &steps {
            world.apply(op);
            world.compare(ask);
        }
    }
}
