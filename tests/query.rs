//! Filters and queries of the API for NoSQL on the engine: what they see, what they read, when they are given up.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::sync::Arc;

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;
use ttl_explorer::domain::Instant;
use ttl_explorer::domain::nosql::{DefaultTtl, PartitionKey};
use ttl_explorer::engine::{Api, ContainerNo, Engine, EngineError, EngineOptions, Filtered, ManualClock, Way};
use ttl_explorer::store;

const START: i64 = 1_796_248_064;

struct Stand {
    engine: Engine,
    clock: Arc<ManualClock>,
    no: ContainerNo,
    _dir: TempDir,
}

/// A container by `/tenant` and `/user`, On with a hundred seconds, with ten items; the ninth and tenth live five seconds.
fn stand() -> Stand {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(Instant::from_secs(START)));
    let options =
        EngineOptions { clock: clock.clone(), store_clock: true, background: false, store: store::Options::tiny() };
    let engine = Engine::open(dir.path(), options).unwrap();
    let key = PartitionKey::new(["/tenant", "/user"]).unwrap();
    let database = engine.create_database("db", Api::NoSql).unwrap();
    let no = engine.create_container(database, "c", key, DefaultTtl::Seconds(100)).unwrap();
    for n in 1..=10 {
        let mut item = json!({ "id": format!("i-{n}"), "tenant": "t", "user": n % 3, "n": n, "tags": ["a", n] });
        if n >= 9 {
            item["ttl"] = json!(5);
        }
        engine.create_item(no, &item.to_string()).unwrap();
    }
    Stand { engine, clock, no, _dir: dir }
}

impl Stand {
    fn filter(&self, filter: &str) -> Result<Filtered, EngineError> {
        self.engine.filter_items(self.no, filter, 1_000, &mut |_| true)
    }

    fn ids(&self, filter: &str) -> Vec<String> {
        self.filter(filter).unwrap().rows.into_iter().map(|row| row.id).collect()
    }

    fn query(&self, query: &str) -> Vec<Value> {
        self.engine.query(self.no, query, usize::MAX, &mut |_| true).unwrap().rows
    }
}

#[test]
fn expired_items_are_in_no_answer_before_they_are_deleted() {
    let stand = stand();
    assert_eq!(stand.ids("WHERE c.n > 8 ORDER BY c.n"), ["i-9", "i-10"]);
    stand.clock.advance(5);
    assert_eq!(stand.ids("WHERE c.n > 8"), Vec::<String>::new());
    assert_eq!(stand.query("SELECT VALUE COUNT(1) FROM c"), [json!(8)]);
    let by_key = stand.filter("WHERE c.id = 'i-9' AND c.tenant = 't' AND c.user = 0").unwrap();
    assert_eq!((by_key.rows.len(), by_key.way), (0, Way::Key));
}

#[rstest]
#[case("WHERE c.id = 'i-4' AND c.tenant = 't' AND c.user = 1", Way::Key, 1, &["i-4"])]
#[case("WHERE c.id = 'i-4' AND c.tenant = 't' AND c.user = 2", Way::Key, 1, &[])]
#[case("WHERE c.id = 'i-4' AND c.tenant = 't' AND c.user = 1 AND c.n = 5", Way::Key, 1, &[])]
#[case("WHERE c.id = 'i-4' AND c.tenant = 't'", Way::Partition, 10, &["i-4"])]
#[case("WHERE c.tenant = 't' AND c.user = 1", Way::Partition, 4, &["i-1", "i-10", "i-4", "i-7"])]
#[case("WHERE c.tenant = 'T'", Way::Partition, 0, &[])]
#[case("WHERE c.user = 1 AND c.n < 5", Way::Scan, 10, &["i-1", "i-4"])]
#[case("WHERE c.id = 'i-4' OR (c.tenant = 't' AND c.user = 1 AND c.id = 'i-1')", Way::Scan, 10, &["i-1", "i-4"])]
fn no_more_is_read_than_the_key_leaves_open(
    #[case] filter: &str,
    #[case] way: Way,
    #[case] read: u64,
    #[case] ids: &[&str],
) {
    let filtered = stand().filter(filter).unwrap();
    let mut found: Vec<&str> = filtered.rows.iter().map(|row| row.id.as_str()).collect();
    found.sort_unstable();
    assert_eq!((filtered.way, filtered.read, found.as_slice()), (way, read, ids));
}

#[test]
fn a_filter_orders_and_limits_and_answers_whole_items_only() {
    let stand = stand();
    assert_eq!(stand.ids("WHERE c.n < 5 ORDER BY c.n DESC"), ["i-4", "i-3", "i-2", "i-1"]);
    assert_eq!(stand.ids("ORDER BY c.n DESC OFFSET 2 LIMIT 3"), ["i-8", "i-7", "i-6"]);
    assert_eq!(stand.ids("WHERE c.n < 3 AND ARRAY_CONTAINS(c.tags, c.n) AND c._ts > 0").len(), 2);
    let error = stand.filter("WHERE c.x = = 1").unwrap_err().into_refusal();
    assert_eq!((error.status, error.place.map(|place| place.column)), (400, Some(13)), "{error}");
    let few = stand.engine.filter_items(stand.no, "WHERE c.n > 0", 4, &mut |_| true).unwrap();
    assert_eq!((few.rows.len(), few.more), (4, true));
    let all = stand.engine.filter_items(stand.no, "WHERE c.n > 0", 10, &mut |_| true).unwrap();
    assert_eq!((all.rows.len(), all.more), (10, false));
}

#[test]
fn a_query_sees_what_the_service_adds() {
    let stand = stand();
    let rows = stand.query("SELECT c.id, c.n AS number, c._ts FROM c WHERE c.n = 7");
    assert_eq!(rows, [json!({ "id": "i-7", "number": 7, "_ts": START })]);
    let whole = stand.query("SELECT * FROM c WHERE c.n = 7");
    let shown = stand.engine.item(stand.no, &stand.filter("WHERE c.n = 7").unwrap().rows[0].key).unwrap();
    assert_eq!(whole, [serde_json::from_str::<Value>(&shown.text).unwrap()]);
    let groups = stand.query("SELECT c.user, COUNT(1) AS n FROM c GROUP BY c.user");
    assert_eq!(groups.iter().map(|group| group["n"].as_u64().unwrap()).sum::<u64>(), 10);
}

/// Two hundred items, one written each second, without a ttl of their own.
fn written_one_by_one() -> Stand {
    let stand = stand();
    for row in stand.ids("") {
        let key = stand.filter(&format!("WHERE c.id = '{row}'")).unwrap().rows[0].key.clone();
        stand.engine.delete_item(stand.no, &key, None).unwrap();
    }
    for n in 0..200 {
        stand.clock.set(Instant::from_secs(START + n));
        let item = json!({ "id": format!("s-{n:03}"), "tenant": n % 7, "user": n % 2 });
        stand.engine.create_item(stand.no, &item.to_string()).unwrap();
    }
    stand
}

#[test]
fn times_of_writes_are_looked_up_while_every_item_inherits() {
    let stand = written_one_by_one();
    let recent = format!("WHERE c._ts > {} AND c._ts <= {}", START + 180, START + 190);
    let found = stand.filter(&recent).unwrap();
    assert_eq!((found.way, found.read, found.rows.len()), (Way::ExpiryIndex, 11, 10));
    let scanned = stand.filter(&format!("WHERE NOT (NOT ({}))", &recent["WHERE".len()..])).unwrap();
    assert_eq!((scanned.way, &scanned.rows), (Way::Scan, &found.rows));
    // What is hidden is in the index until it is deleted, and in no answer.
    let hidden = stand.filter(&format!("WHERE c._ts BETWEEN {} AND {}", START + 97, START + 101)).unwrap();
    assert_eq!((hidden.way, hidden.read, hidden.rows.len()), (Way::ExpiryIndex, 5, 2));
    // Where most of it would be looked up one by one, it is read whole.
    let most = stand.filter(&format!("WHERE c._ts > {}", START + 50)).unwrap();
    assert_eq!((most.way, most.read, most.rows.len()), (Way::Scan, 200, 100));
    let own = json!({ "id": "own", "tenant": 1, "user": 1, "ttl": 50 });
    stand.engine.create_item(stand.no, &own.to_string()).unwrap();
    let with_own = stand.filter(&recent).unwrap();
    assert_eq!((with_own.way, with_own.rows.len()), (Way::Scan, 10));
    assert_eq!(stand.filter(&format!("WHERE c._ts = {}", START + 199)).unwrap().rows.len(), 2);
}

#[test]
fn a_query_answers_at_most_so_many_rows_and_says_that_there_are_more() {
    let stand = written_one_by_one();
    let ask = |query: &str, most| stand.engine.query(stand.no, query, most, &mut |_| true).unwrap();
    let all = ask("SELECT * FROM c", 100);
    assert_eq!((all.rows.len(), all.more), (100, false));
    let few = ask("SELECT * FROM c", 10);
    assert_eq!((few.rows.len(), few.more, few.read < 200), (10, true, true));
    let sorted = ask("SELECT VALUE c.id FROM c ORDER BY c._ts DESC", 2);
    assert_eq!((sorted.rows, sorted.more), (vec![json!("s-199"), json!("s-198")], true));
}

#[test]
fn an_id_or_a_partition_key_longer_than_any_key_is_only_not_found() {
    let stand = stand();
    let long = "x".repeat(70_000);
    for filter in [
        format!("WHERE c.id = '{long}' AND c.tenant = 't' AND c.user = 1"),
        format!("WHERE c.id = 'i-1' AND c.tenant = '{long}' AND c.user = 1"),
        format!("WHERE c.tenant = '{long}'"),
    ] {
        assert_eq!(stand.ids(&filter), Vec::<String>::new());
    }
    let key: ttl_explorer::engine::Key = vec![7; 70_000].into();
    assert!(stand.engine.peek_item(stand.no, &key).unwrap().is_none());
    assert_eq!(stand.engine.delete_items(stand.no, std::slice::from_ref(&key)).unwrap(), 0);
    assert_eq!(stand.engine.delete_item(stand.no, &key, None).unwrap_err().into_refusal().status, 404);
}

#[test]
fn a_long_one_is_given_up_when_it_is_asked_to() {
    let stand = stand();
    for n in 0..1_000 {
        stand
            .engine
            .create_item(stand.no, &json!({ "id": format!("m-{n}"), "tenant": "m", "user": 0 }).to_string())
            .unwrap();
    }
    let mut asked = Vec::new();
    let mut go_on = |read| {
        asked.push(read);
        false
    };
    let refusal = stand.engine.query(stand.no, "SELECT * FROM c", usize::MAX, &mut go_on).unwrap_err().into_refusal();
    assert_eq!((refusal.status, asked), (499, vec![1_000]));
}
