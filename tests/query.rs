//! Filters and queries of the API for NoSQL on the engine: what they see, what they read, when they are given up.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::sync::Arc;

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;
use ttl_explorer::domain::Instant;
use ttl_explorer::domain::nosql::{DefaultTtl, PartitionKey};
use ttl_explorer::engine::{Api, ContainerNo, Engine, EngineError, EngineOptions, Filtered, ManualClock};
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
    let options = EngineOptions { clock: clock.clone(), background: false, store: store::Options::tiny() };
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
        self.engine.query(self.no, query, &mut |_| true).unwrap().rows
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
    assert_eq!((by_key.rows.len(), by_key.by_key), (0, true));
}

#[rstest]
#[case("WHERE c.id = 'i-4' AND c.tenant = 't' AND c.user = 1", true, 1, &["i-4"])]
#[case("WHERE c.id = 'i-4' AND c.tenant = 't' AND c.user = 2", true, 1, &[])]
#[case("WHERE c.id = 'i-4' AND c.tenant = 't' AND c.user = 1 AND c.n = 5", true, 1, &[])]
#[case("WHERE c.id = 'i-4' AND c.tenant = 't'", false, 10, &["i-4"])]
#[case("WHERE c.id = 'i-4' OR (c.tenant = 't' AND c.user = 1 AND c.id = 'i-1')", false, 10, &["i-1", "i-4"])]
fn an_item_that_is_named_is_read_alone(
    #[case] filter: &str,
    #[case] by_key: bool,
    #[case] read: u64,
    #[case] ids: &[&str],
) {
    let filtered = stand().filter(filter).unwrap();
    let mut found: Vec<&str> = filtered.rows.iter().map(|row| row.id.as_str()).collect();
    found.sort_unstable();
    assert_eq!((filtered.by_key, filtered.read, found.as_slice()), (by_key, read, ids));
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
    let refusal = stand.engine.query(stand.no, "SELECT * FROM c", &mut go_on).unwrap_err().into_refusal();
    assert_eq!((refusal.status, asked), (499, vec![1_000]));
}
