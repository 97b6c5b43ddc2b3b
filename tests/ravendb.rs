//! RavenDB in the engine, with a clock that moves when it is told to: every rule of its expiration.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::sync::Arc;

use rstest::rstest;
use tempfile::TempDir;
use ttl_explorer::domain::ravendb::{Configuration, format_instant};
use ttl_explorer::domain::{Instant, Refusal};
use ttl_explorer::engine::{
    Anchor, Api, ContainerNo, Count, CountdownAnchor, CountdownRequest, Engine, EngineError, EngineOptions, Event,
    ManualClock, Row, Run, Scope, WindowRequest,
};
use ttl_explorer::store;

const START: i64 = 1_796_248_064;

struct Shop {
    engine: Engine,
    clock: Arc<ManualClock>,
    no: ContainerNo,
    dir: TempDir,
}

fn options(clock: &Arc<ManualClock>) -> EngineOptions {
    EngineOptions { clock: clock.clone(), store_clock: true, background: false, store: store::Options::tiny() }
}

fn shop() -> Shop {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(Instant::from_secs(START)));
    let engine = Engine::open(dir.path(), options(&clock)).unwrap();
    engine.create_database("shop", Api::RavenDb).unwrap();
    let no = documents(&engine);
    Shop { engine, clock, no, dir }
}

fn documents(engine: &Engine) -> ContainerNo {
    engine.catalog().databases["shop"].documents.as_ref().unwrap().no
}

fn on(frequency: Option<i64>, max_items: Option<i64>) -> Configuration {
    Configuration { disabled: false, delete_frequency: frequency, max_items }
}

fn refusal<T: std::fmt::Debug>(result: Result<T, EngineError>) -> Refusal {
    match result {
        Err(EngineError::Refused(refusal)) => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

impl Shop {
    fn put(&self, text: &str) -> Row {
        self.engine.create_item(self.no, text).unwrap()
    }

    /// A document of `Users` that expires so many seconds after the start.
    fn expiring(&self, id: &str, secs: i64) -> Row {
        self.put(&text(id, "Users", secs))
    }

    /// The clock goes on second by second, and the background works; at what second after the start how many went.
    fn pass(&self, secs: i64) -> Vec<(i64, u64)> {
        let mut gone = Vec::new();
        for _ in 0..secs {
            self.clock.advance(1);
            let deleted: u64 = self.engine.run_due().unwrap().iter().map(|report| report.deleted).sum();
            if deleted > 0 {
                gone.push((self.engine.now().secs() - START, deleted));
            }
        }
        gone
    }

    fn ids(&self, no: ContainerNo) -> Vec<String> {
        let request = WindowRequest { container: no, anchor: Anchor::First, before: 0, after: 20_000 };
        self.engine.window(&request).unwrap().rows.into_iter().map(|row| row.id).collect()
    }

    fn collection(&self, name: &str) -> ContainerNo {
        self.engine.catalog().databases["shop"].collection(name).expect("a collection").no
    }

    fn is_sound(&self) {
        assert_eq!(self.engine.store().check(&mut |_| {}).unwrap(), vec![]);
    }
}

fn text(id: &str, collection: &str, secs: i64) -> String {
    let at = format_instant(Instant::from_secs(START + secs));
    format!(r#"{{"@metadata": {{"@id": "{id}", "@collection": "{collection}", "@expires": "{at}"}}}}"#)
}

#[test]
fn documents_are_grouped_by_collection() {
    let shop = shop();
    shop.put(r#"{"Name": "Ada", "@metadata": {"@collection": "Users"}}"#);
    shop.put(r#"{"Name": "Bruno", "@metadata": {"@collection": "Users"}}"#);
    shop.put(r#"{"@metadata": {"@collection": "OrderLines"}}"#);
    shop.put(r#"{"Name": "nobody"}"#);
    assert_eq!(shop.ids(shop.no), ["@empty/1-A", "OrderLines/1-A", "users/1-A", "users/2-A"]);
    assert_eq!(shop.ids(shop.collection("users")), ["users/1-A", "users/2-A"]);
    assert_eq!(shop.ids(shop.collection("@empty")), ["@empty/1-A"]);
    let counts = |no| shop.engine.totals(Scope::Container(no)).unwrap().stored;
    assert_eq!((counts(shop.no), counts(shop.collection("Users"))), (4, 2));
    assert_eq!(shop.engine.totals(Scope::Everything).unwrap().stored, 4, "nothing counts twice");
    shop.is_sound();
}

#[test]
fn a_collection_is_one_whatever_its_case_and_a_document_stays_in_it() {
    let shop = shop();
    let row = shop.put(r#"{"@metadata": {"@id": "users/1-A", "@collection": "Users"}}"#);
    shop.put(r#"{"@metadata": {"@id": "users/2-A", "@collection": "USERS"}}"#);
    assert_eq!(shop.engine.catalog().databases["shop"].containers.len(), 1);
    let moved = shop.engine.replace_item(shop.no, &row.key, r#"{"@metadata": {"@collection": "Carts"}}"#, None);
    assert!(refusal(moved).message.contains("is in the collection Users, not in Carts"));
    assert_eq!(shop.engine.catalog().databases["shop"].containers.len(), 1, "nothing was made");
}

#[test]
fn ids_are_one_whatever_their_case() {
    let shop = shop();
    let row = shop.put(r#"{"n": 1, "@metadata": {"@id": "G/UPPER", "@collection": "G"}}"#);
    assert_eq!(shop.engine.item(shop.no, b"g/upper").unwrap().row.id, "G/UPPER");
    assert_eq!(refusal(shop.engine.create_item(shop.no, r#"{"@metadata": {"@id": "g/upper"}}"#)).status, 409);
    let row = shop
        .engine
        .replace_item(shop.no, &row.key, r#"{"n": 2, "@metadata": {"@id": "g/Upper", "@collection": "G"}}"#, None)
        .unwrap();
    assert_eq!((row.id.as_str(), shop.ids(shop.no).len()), ("g/Upper", 1));
}

#[test]
fn made_ids_are_new_also_beside_typed_ones_and_after_a_restart() {
    let shop = shop();
    shop.put(r#"{"@metadata": {"@id": "USERS/2-a", "@collection": "Users"}}"#);
    let made: Vec<String> = (0..3).map(|_| shop.put(r#"{"@metadata": {"@collection": "Users"}}"#).id).collect();
    assert_eq!(made, ["users/1-A", "users/3-A", "users/4-A"]);
    shop.engine.close().unwrap();
    let Shop { clock, no, dir, engine } = shop;
    drop(engine);
    let engine = Engine::open(dir.path(), options(&clock)).unwrap();
    let row = engine.create_item(no, r#"{"@metadata": {"@collection": "Users"}}"#).unwrap();
    assert_eq!(row.id, "users/33-A", "the rest of a range is given up, as clients do");
}

#[test]
fn the_metadata_shows_what_the_server_knows_and_keeps_the_rest() {
    let shop = shop();
    let row = shop.put(
        "{\n    \"a\": 1.0,\n    \"@metadata\": {\n        \"@collection\": \"Users\",\n        \"x\": 2\n    }\n}",
    );
    let first = shop.engine.item(shop.no, &row.key).unwrap();
    for part in
        ["\"a\": 1.0", "\"x\": 2", "\"@id\": \"users/1-A\"", "\"@last-modified\": \"2026-12-02T21:47:44.0000000Z\""]
    {
        assert!(first.text.contains(part), "{part}: {}", first.text);
    }
    shop.clock.advance(5);
    // What is shown can be saved as it is: a new version, with a new change vector.
    shop.engine.replace_item(shop.no, &row.key, &first.text, Some(first.row.etag)).unwrap();
    let second = shop.engine.item(shop.no, &row.key).unwrap();
    assert!(second.text.contains("21:47:49.0000000Z"), "{}", second.text);
    assert_ne!(first.row.etag, second.row.etag);
    let stale = shop.engine.replace_item(shop.no, &row.key, &first.text, Some(first.row.etag));
    assert_eq!(refusal(stale).status, 409);
}

#[rstest]
#[case("\"test\"", "'test'")]
#[case("\"2099-01-01\"", "'2099-01-01'")]
#[case("null", "''")]
fn a_bad_instant_is_refused_whether_expiration_is_on_or_off(#[case] value: &str, #[case] shown: &str) {
    let shop = shop();
    let bad = format!(r#"{{"@metadata": {{"@id": "users/1-A", "@expires": {value}}}}}"#);
    for configuration in [None, Some(on(None, None))] {
        configuration.into_iter().for_each(|on| shop.engine.set_expiration(shop.no, on).unwrap());
        let refused = refusal(shop.engine.create_item(shop.no, &bad));
        let words = format!(
            "The due date format for document 'users/1-a' is not valid: {shown}. Use the following format: \
             2026-12-02T21:47:44.0000000Z"
        );
        assert_eq!((refused.status, refused.message), (400, words));
        assert!(shop.ids(shop.no).is_empty());
    }
}

#[test]
fn expired_documents_are_seen_until_a_run_deletes_them() {
    let shop = shop();
    shop.engine.set_expiration(shop.no, on(Some(60), None)).unwrap();
    let row = shop.expiring("users/1-A", 10);
    shop.expiring("users/2-A", 1_000);
    assert_eq!(shop.pass(59), []);
    assert_eq!(shop.ids(shop.no).len(), 2);
    assert!(!shop.engine.item(shop.no, &row.key).unwrap().hidden);
    let totals = shop.engine.totals(Scope::Container(shop.no)).unwrap();
    assert_eq!(
        (totals.waiting, totals.hidden, totals.alive()),
        (Count { n: 1, more: false }, Count::default(), Count { n: 2, more: false })
    );
    // It can still be written: with a later instant it survives, and a client that replaces it finds it.
    assert_eq!(shop.pass(1), [(60, 1)]);
    assert_eq!(shop.ids(shop.no), ["users/2-A"]);
    assert_eq!(refusal(shop.engine.item(shop.no, &row.key)).status, 404);
    shop.is_sound();
}

#[test]
fn due_means_at_the_instant_or_after_to_100_ns() {
    let shop = shop();
    shop.engine.set_expiration(shop.no, on(Some(60), None)).unwrap();
    for (id, at) in [("a", "21:48:44.0000000Z"), ("b", "21:48:44.0000001Z"), ("c", "21:48:43.9999999Z")] {
        shop.put(&format!(r#"{{"@metadata": {{"@id": "{id}", "@expires": "2026-12-02T{at}"}}}}"#));
    }
    assert_eq!(shop.pass(60), [(60, 2)]);
    assert_eq!(shop.ids(shop.no), ["b"]);
    assert_eq!(shop.pass(60), [(120, 1)]);
}

#[test]
fn the_first_run_comes_one_period_after_the_save_by_default_60_s() {
    let shop = shop();
    shop.expiring("users/1-A", -5);
    shop.clock.advance(7);
    shop.engine.set_expiration(shop.no, on(None, None)).unwrap();
    assert_eq!(shop.pass(100), [(67, 1)]);
}

#[test]
fn an_equal_configuration_changes_nothing_and_a_different_one_restarts_the_timer() {
    let shop = shop();
    shop.expiring("users/1-A", 1);
    shop.engine.set_expiration(shop.no, on(Some(10), None)).unwrap();
    shop.pass(8);
    shop.engine.set_expiration(shop.no, on(Some(10), None)).unwrap();
    assert_eq!(shop.pass(2), [(10, 1)]);
    shop.expiring("users/2-A", 1);
    shop.pass(8);
    shop.engine.set_expiration(shop.no, on(Some(10), Some(5))).unwrap();
    assert_eq!(shop.pass(20), [(28, 1)]);
}

#[test]
fn what_is_tracked_while_off_goes_with_the_first_run() {
    let shop = shop();
    shop.expiring("users/1-A", -100);
    shop.expiring("users/2-A", 3);
    shop.put(r#"{"@metadata": {"@id": "n", "@expires": 4070908800}}"#);
    assert_eq!(shop.pass(200), [], "off: documents pass their time and stay");
    let totals = shop.engine.totals(Scope::Container(shop.no)).unwrap();
    assert_eq!((totals.stored, totals.own, totals.waiting.n), (3, 2, 2));
    shop.engine.set_expiration(shop.no, on(Some(5), None)).unwrap();
    assert_eq!(shop.pass(20), [(205, 2)]);
    assert_eq!(shop.ids(shop.no), ["n"]);
    // Off again: nothing goes.
    shop.expiring("users/3-A", 1);
    shop.engine.set_expiration(shop.no, Configuration { disabled: true, ..on(Some(5), None) }).unwrap();
    assert_eq!(shop.pass(100), []);
}

#[test]
fn writing_again_does_not_move_the_instant_but_another_instant_does() {
    let shop = shop();
    shop.engine.set_expiration(shop.no, on(Some(10), None)).unwrap();
    let rows: Vec<Row> = ["a", "b", "c"].iter().map(|id| shop.expiring(id, 5)).collect();
    shop.pass(6);
    assert_eq!(shop.engine.touch_items(shop.no, &[rows[0].key.clone()]).unwrap(), 1);
    shop.engine.replace_item(shop.no, &rows[1].key, &text("b", "Users", 15), None).unwrap();
    shop.engine
        .replace_item(shop.no, &rows[2].key, r#"{"@metadata": {"@id": "c", "@collection": "Users"}}"#, None)
        .unwrap();
    assert_eq!(shop.pass(4), [(10, 1)], "b was moved and c lost its instant, though both were past it");
    assert_eq!(shop.ids(shop.no), ["b", "c"]);
    assert_eq!(shop.pass(100), [(20, 1)]);
    assert_eq!(shop.ids(shop.collection("Users")), ["c"]);
    shop.is_sound();
}

#[test]
fn three_at_a_time_in_the_order_of_time() {
    let shop = shop();
    shop.engine.set_expiration(shop.no, on(Some(60), Some(3))).unwrap();
    for n in 0..10 {
        // Against the order of the ids.
        shop.expiring(&format!("users/{}-A", 9 - n), 10 - n);
    }
    let mut gone = Vec::new();
    let mut before = shop.ids(shop.no);
    for run in 1..=4 {
        assert_eq!(shop.pass(60).len(), 1, "one run a period");
        let left = shop.ids(shop.no);
        gone.push(before.iter().filter(|id| !left.contains(id)).cloned().collect::<Vec<_>>());
        before = left;
        let _ = run;
    }
    assert_eq!(
        gone,
        [
            vec!["users/0-A", "users/1-A", "users/2-A"],
            vec!["users/3-A", "users/4-A", "users/5-A"],
            vec!["users/6-A", "users/7-A", "users/8-A"],
            vec!["users/9-A"]
        ]
    );
}

#[test]
fn ten_thousand_documents_a_thousand_a_run_across_collections() {
    let shop = shop();
    let texts: Vec<String> = (0..10_000)
        .map(|n| {
            // Four collections; the same instant for twenty documents, so that the lower-case id decides.
            let id = format!("{}/{:05}-A", ["Carts", "emailLinks", "LOGINS", "pages"][n % 4], (n * 7919) % 10_000);
            text(&id, ["Carts", "EmailLinks", "Logins", "Pages"][n % 4], -600 + (n / 20) as i64)
        })
        .collect();
    assert_eq!(shop.engine.create_items(shop.no, &texts, |_, refusal| panic!("{refusal}")).unwrap(), 10_000);
    let request =
        CountdownRequest { scope: Scope::Container(shop.no), anchor: CountdownAnchor::First, before: 0, after: 10_000 };
    let order: Vec<(Instant, String)> =
        shop.engine.countdown(&request).unwrap().rows.into_iter().map(|row| (row.position.at, row.row.id)).collect();
    let mut sorted = order.clone();
    sorted.sort_by_key(|(at, id)| (*at, id.to_lowercase()));
    assert_eq!(order, sorted);
    shop.engine.set_expiration(shop.no, on(Some(2), Some(1_000))).unwrap();
    // Which run takes which is known beforehand.
    let told: Vec<i64> = shop
        .engine
        .countdown(&request)
        .unwrap()
        .rows
        .iter()
        .map(|row| row.run.expect("a run").secs() - START)
        .collect();
    let mut left: std::collections::BTreeSet<String> = order.iter().map(|(_, id)| id.clone()).collect();
    for run in 0..10 {
        assert_eq!(shop.pass(2), [(2 * run + 2, 1_000)]);
        let now: std::collections::BTreeSet<String> = shop.ids(shop.no).into_iter().collect();
        let expected: std::collections::BTreeSet<String> =
            order[run as usize * 1_000..][..1_000].iter().map(|(_, id)| id.clone()).collect();
        assert_eq!(left.difference(&now).cloned().collect::<std::collections::BTreeSet<_>>(), expected);
        assert!(told[run as usize * 1_000..][..1_000].iter().all(|at| *at == 2 * run + 2));
        left = now;
    }
    assert!(shop.engine.totals(Scope::Container(shop.collection("logins"))).unwrap().stored == 0);
    shop.is_sound();
}

#[test]
fn a_limit_that_is_not_positive_is_taken_and_deletes_nothing() {
    let shop = shop();
    shop.expiring("users/1-A", 1);
    for most in [0, -3] {
        shop.engine.set_expiration(shop.no, on(Some(2), Some(most))).unwrap();
        assert_eq!(shop.pass(20), []);
    }
}

#[rstest]
#[case(0)]
#[case(-1)]
fn a_frequency_that_is_not_positive_is_refused_and_the_old_configuration_stays(#[case] secs: i64) {
    let shop = shop();
    shop.engine.set_expiration(shop.no, on(Some(5), None)).unwrap();
    for disabled in [false, true] {
        let refused = refusal(shop.engine.set_expiration(shop.no, Configuration { disabled, ..on(Some(secs), None) }));
        assert_eq!(refused.message, "Expiration delete frequency for database 'shop' must be greater than 0.");
    }
    shop.expiring("users/1-A", 1);
    assert_eq!(shop.pass(10), [(5, 1)]);
}

#[test]
fn the_configuration_survives_a_restart_and_the_timer_starts_anew() {
    let Shop { engine, clock, no, dir } = shop();
    engine.set_expiration(no, on(Some(60), Some(7))).unwrap();
    engine.create_item(no, &text("users/1-A", "Users", 1)).unwrap();
    engine.close().unwrap();
    drop(engine);
    clock.advance(50);
    let engine = Engine::open(dir.path(), options(&clock)).unwrap();
    let shop = Shop { no: documents(&engine), engine, clock, dir };
    assert_eq!(shop.pass(200), [(110, 1)], "one period after the opening");
}

#[test]
fn a_clock_that_goes_back_starts_the_timer_anew_and_one_that_jumps_ahead_runs_once() {
    let shop = shop();
    shop.engine.set_expiration(shop.no, on(Some(60), None)).unwrap();
    shop.expiring("users/1-A", 90_000);
    shop.clock.advance(86_400 * 30);
    let runs = shop.engine.run_due().unwrap();
    assert_eq!(runs.iter().map(|run| run.deleted).sum::<u64>(), 1);
    shop.clock.advance(-86_400 * 30);
    shop.engine.run_due().unwrap();
    shop.expiring("users/2-A", 1);
    assert_eq!(shop.pass(100), [(60, 1)]);
}

/// Runs over many due documents until it is killed by its parent.
#[test]
fn run_child() {
    let Ok(dir) = std::env::var("TTL_EXPLORER_RUN_DIR") else {
        return;
    };
    let clock = Arc::new(ManualClock::new(Instant::from_secs(START)));
    let engine = Engine::open(dir.as_ref(), options(&clock)).unwrap();
    engine.set_expiration(documents(&engine), on(Some(1), None)).unwrap();
    clock.advance(1);
    println!("running");
    engine.run_due().unwrap();
}

#[test]
fn a_run_that_is_killed_leaves_whole_batches_and_the_next_one_goes_on() {
    const ALL: usize = 6_000;
    let shop = shop();
    let texts: Vec<String> =
        (0..ALL).map(|n| text(&format!("users/{n:05}-A"), ["Users", "Carts"][n % 2], -10)).collect();
    shop.engine.create_items(shop.no, &texts, |_, refusal| panic!("{refusal}")).unwrap();
    shop.engine.set_expiration(shop.no, on(Some(3_600), None)).unwrap();
    shop.engine.close().unwrap();
    let Shop { engine, clock, no, dir } = shop;
    drop(engine);
    let mut left = ALL;
    let mut kills = 0;
    while left > ALL / 2 {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["run_child", "--exact", "--nocapture"])
            .env("TTL_EXPLORER_RUN_DIR", dir.path())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
        assert!(lines.any(|line| line.unwrap().trim() == "running"));
        // Killed in the middle of the run, a little later each time.
        std::thread::sleep(std::time::Duration::from_millis(3 + 2 * kills));
        child.kill().ok();
        child.wait().unwrap();
        kills += 1;
        let engine = Engine::open(dir.path(), options(&clock)).unwrap();
        let now = Shop { engine, clock: clock.clone(), no, dir: tempfile::tempdir().unwrap() };
        now.is_sound();
        let ids = now.ids(no);
        assert!(ids.len() <= left && (ALL - ids.len()).is_multiple_of(200), "whole batches: {}", ids.len());
        // In the order of the runs: what went is what came first.
        assert_eq!(ids.first().map(String::as_str), Some(format!("users/{:05}-A", ALL - ids.len()).as_str()));
        let listed = now.ids(now.collection("Users")).len() + now.ids(now.collection("Carts")).len();
        assert_eq!(listed, ids.len());
        left = ids.len();
        assert!(kills < 200, "no run ever deletes anything");
    }
    let engine = Engine::open(dir.path(), options(&clock)).unwrap();
    let shop = Shop { engine, clock, no, dir };
    shop.engine.set_expiration(shop.no, on(Some(2), None)).unwrap();
    assert_eq!(shop.pass(5).iter().map(|(_, deleted)| *deleted as usize).sum::<usize>(), left);
    shop.is_sound();
}

#[test]
fn a_run_that_stops_between_two_batches_goes_on_with_the_next_one() {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(Instant::from_secs(START)));
    let engine = Engine::open(dir.path(), options(&clock)).unwrap();
    engine.create_database("shop", Api::RavenDb).unwrap();
    let no = documents(&engine);
    let texts: Vec<String> = (0..1_000).map(|n| text(&format!("users/{n:04}-A"), "Users", -10)).collect();
    engine.create_items(no, &texts, |_, refusal| panic!("{refusal}")).unwrap();
    engine.set_expiration(no, on(Some(5), None)).unwrap();
    let range = || Some(store::SweepRange { inherit_through: None, own_through: Some(engine.now().ticks()) });
    assert_eq!(engine.store().sweep(no, range, 200, |_| {}).unwrap().entries.len(), 200);
    drop(engine);
    let engine = Engine::open(dir.path(), options(&clock)).unwrap();
    let shop = Shop { engine, clock, no, dir };
    shop.is_sound();
    assert_eq!(shop.ids(shop.no).first().map(String::as_str), Some("users/0200-A"));
    assert_eq!(shop.pass(10), [(5, 800)]);
    shop.is_sound();
}

#[test]
fn events_tell_what_passed_its_time_and_what_the_run_did() {
    let shop = shop();
    let events = shop.engine.subscribe();
    shop.engine.set_expiration(shop.no, on(Some(5), Some(1))).unwrap();
    shop.expiring("users/1-A", 2);
    shop.expiring("users/2-A", 3);
    shop.pass(10);
    let events: Vec<Event> = events.try_iter().collect();
    let expired: u64 = events
        .iter()
        .filter_map(|event| if let Event::Expired { count, .. } = event { Some(count) } else { None })
        .sum();
    let runs: Vec<Run> =
        events.iter().filter_map(|event| if let Event::Ran { run, .. } = event { Some(*run) } else { None }).collect();
    assert_eq!(expired, 2);
    assert_eq!(
        runs.iter().map(|run| (run.at.secs() - START, run.deleted, run.stopped)).collect::<Vec<_>>(),
        [(5, 1, true), (10, 1, false)]
    );
    assert!(events.iter().any(|event| matches!(event, Event::ExpirationChanged { before: None, .. })));
}

#[test]
fn the_countdown_of_a_collection_and_of_everything_shows_each_document_once() {
    let shop = shop();
    shop.expiring("users/1-A", 20);
    shop.put(&text("carts/1-A", "Carts", 10));
    shop.put(&text("carts/2-A", "Carts", 30));
    let ids = |scope| {
        let request = CountdownRequest { scope, anchor: CountdownAnchor::First, before: 0, after: 10 };
        let rows = shop.engine.countdown(&request).unwrap().rows;
        rows.into_iter().map(|row| row.row.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(Scope::Everything), ["carts/1-A", "users/1-A", "carts/2-A"]);
    assert_eq!(ids(Scope::Container(shop.no)), ids(Scope::Everything));
    assert_eq!(ids(Scope::Container(shop.collection("Carts"))), ["carts/1-A", "carts/2-A"]);
    let next = |scope| shop.engine.totals(scope).unwrap().next.map(|at| at.secs() - START);
    assert_eq!((next(Scope::Container(shop.collection("Users"))), next(Scope::Everything)), (Some(20), Some(10)));
    shop.clock.advance(15);
    assert_eq!(shop.engine.totals(Scope::Container(shop.collection("Carts"))).unwrap().waiting.n, 1);
}

#[test]
fn deleting_a_collection_deletes_its_documents() {
    let shop = shop();
    let texts: Vec<String> = (0..2_500).map(|n| text(&format!("users/{n}-A"), "Users", 10 + n)).collect();
    shop.engine.create_items(shop.no, &texts, |_, refusal| panic!("{refusal}")).unwrap();
    shop.put(&text("carts/1-A", "Carts", 10));
    shop.engine.delete_container(shop.collection("Users")).unwrap();
    assert_eq!(shop.ids(shop.no), ["carts/1-A"]);
    assert_eq!(refusal(shop.engine.delete_container(shop.no)).status, 400);
    while shop.engine.store().purge_step(1_000).unwrap() {}
    shop.is_sound();
    let database = shop.engine.catalog().databases["shop"].no;
    shop.engine.delete_database(database).unwrap();
    while shop.engine.store().purge_step(1_000).unwrap() {}
    assert!(shop.engine.catalog().containers.is_empty());
    shop.is_sound();
}

#[test]
fn the_index_and_the_listings_can_be_rebuilt() {
    let shop = shop();
    for n in 0..50 {
        shop.put(&text(&format!("users/{n:02}-A"), ["Users", "Carts"][n % 2], n as i64));
    }
    let before = (shop.ids(shop.no), shop.ids(shop.collection("Carts")));
    shop.engine.store().repair().unwrap();
    shop.is_sound();
    assert_eq!((shop.ids(shop.no), shop.ids(shop.collection("Carts"))), before);
    shop.engine.set_expiration(shop.no, on(Some(60), None)).unwrap();
    assert_eq!(shop.pass(60), [(60, 50)]);
    shop.is_sound();
}

#[test]
fn what_is_not_of_ravendb_is_refused_there() {
    let shop = shop();
    let database = shop.engine.catalog().databases["shop"].no;
    let key = ttl_explorer::domain::nosql::PartitionKey::new(["/a"]).unwrap();
    let ttl = ttl_explorer::domain::nosql::DefaultTtl::Seconds(5);
    assert_eq!(refusal(shop.engine.create_container(database, "c", key, ttl)).status, 400);
    assert_eq!(refusal(shop.engine.set_default_ttl(shop.no, ttl)).status, 400);
    let other = shop.engine.create_database("db", Api::NoSql).unwrap();
    let key = ttl_explorer::domain::nosql::PartitionKey::new(["/a"]).unwrap();
    let container = shop.engine.create_container(other, "c", key, ttl).unwrap();
    assert_eq!(refusal(shop.engine.set_expiration(container, on(None, None))).status, 400);
}

#[test]
fn the_sweepers_delay_and_the_runs_are_apart() {
    let shop = shop();
    let other = shop.engine.create_database("db", Api::NoSql).unwrap();
    let key = ttl_explorer::domain::nosql::PartitionKey::new(["/a"]).unwrap();
    let ttl = ttl_explorer::domain::nosql::DefaultTtl::Seconds(3);
    let container = shop.engine.create_container(other, "c", key, ttl).unwrap();
    shop.engine.create_item(container, r#"{"id": "x", "a": 1}"#).unwrap();
    shop.engine.set_expiration(shop.no, on(Some(20), None)).unwrap();
    shop.expiring("users/1-A", 3);
    assert_eq!(shop.pass(30), [(8, 1), (20, 1)]);
}

/// The background sleeps while there is nothing to do: it looks only when something is put or has passed its time.
#[test]
fn a_run_comes_at_its_time_only_also_when_the_runs_before_it_had_nothing_to_do() {
    let shop = shop();
    shop.engine.set_expiration(shop.no, on(Some(60), None)).unwrap();
    shop.engine.run_due().unwrap();
    shop.clock.advance(75);
    shop.expiring("users/past", -5);
    assert_eq!(shop.engine.run_due().unwrap(), [], "put behind the run at 60: it waits for the one at 120");
    shop.expiring("users/soon", 100);
    assert_eq!(shop.pass(200), [(120, 2)]);
    // Due between two runs, of which the first found nothing.
    shop.expiring("users/between", 310);
    shop.engine.run_due().unwrap();
    shop.clock.advance(35);
    assert_eq!(shop.engine.run_due().unwrap(), []);
    assert_eq!(shop.pass(100), [(360, 1)]);
}

#[test]
fn a_collection_that_is_deleted_while_it_is_written_to_loses_no_document_out_of_its_list() {
    let shop = shop();
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|threads| {
        threads.spawn(|| {
            for n in 0..3_000 {
                shop.put(&format!(r#"{{"@metadata": {{"@id": "users/{n}-A", "@collection": "Users"}}}}"#));
            }
            done.store(true, std::sync::atomic::Ordering::SeqCst);
        });
        while !done.load(std::sync::atomic::Ordering::SeqCst) {
            if let Some(users) = shop.engine.catalog().databases["shop"].collection("Users") {
                match shop.engine.delete_container(users.no) {
                    Ok(()) => {}
                    Err(error) => assert_eq!(error.into_refusal().status, 404),
                }
            }
        }
    });
    shop.put(r#"{"@metadata": {"@id": "users/last", "@collection": "Users"}}"#);
    while shop.engine.store().purge_step(1_000).unwrap() {}
    assert_eq!(shop.ids(shop.no), shop.ids(shop.collection("Users")));
    shop.is_sound();
}

#[test]
fn an_id_that_is_made_is_one_that_can_be_written_again() {
    let shop = shop();
    let long = "\u{e9}".repeat(255);
    let text = format!(r#"{{"@metadata": {{"@collection": "{long}"}}}}"#);
    let refused = refusal(shop.engine.create_item(shop.no, &text));
    assert!(refused.message.contains("longer than 512 bytes") && refused.place.is_some(), "{refused}");
    let row = shop.put(&text.replace(r#""@collection""#, r#""@id": "short", "@collection""#));
    let shown = shop.engine.item(shop.no, &row.key).unwrap().text;
    shop.engine.replace_item(shop.no, &row.key, &shown, None).unwrap();
}

#[test]
fn runs_of_a_pause_are_not_made_up_for() {
    let shop = shop();
    shop.engine.set_expiration(shop.no, on(Some(60), None)).unwrap();
    shop.expiring("users/1-A", 10);
    shop.engine.pause_sweeper(true).unwrap();
    assert_eq!(shop.pass(75), []);
    shop.engine.pause_sweeper(false).unwrap();
    assert_eq!(shop.engine.run_due().unwrap(), [], "the next run is the one at 120, as it is shown");
    assert_eq!(shop.pass(100), [(120, 1)]);
}
