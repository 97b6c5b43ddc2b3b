//! RQL on the engine: what it sees, what it reads, when it is given up.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::sync::Arc;

use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;
use ttl_explorer::domain::Instant;
use ttl_explorer::domain::ravendb::{Configuration, format_instant};
use ttl_explorer::engine::{
    Answered, Api, ContainerNo, Engine, EngineError, EngineOptions, Filtered, ManualClock, Way,
};
use ttl_explorer::store;

const START: i64 = 1_796_248_064;

struct Stand {
    engine: Engine,
    clock: Arc<ManualClock>,
    /// All documents.
    all: ContainerNo,
    /// The collection Users.
    users: ContainerNo,
    _dir: TempDir,
}

/// Six users, of whom the last two expire after five seconds, and two dogs.
fn stand() -> Stand {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(Instant::from_secs(START)));
    let options =
        EngineOptions { clock: clock.clone(), store_clock: true, background: false, store: store::Options::tiny() };
    let engine = Engine::open(dir.path(), options).unwrap();
    let database = engine.create_database("r", Api::RavenDb).unwrap();
    let all = engine.catalog().database(database).unwrap().documents.as_ref().unwrap().no;
    let ends = format_instant(Instant::from_secs(START + 5));
    for n in 1..=6 {
        let mut metadata = json!({ "@id": format!("users/{n}-A"), "@collection": "Users" });
        if n > 4 {
            metadata["@expires"] = json!(ends);
        }
        let user = json!({ "Name": format!("user {n}"), "Age": n * 10, "@metadata": metadata });
        engine.create_item(all, &user.to_string()).unwrap();
    }
    for n in 1..=2 {
        let dog =
            json!({ "Name": "Rex", "Age": n, "@metadata": { "@id": format!("dogs/{n}-A"), "@collection": "Dogs" } });
        engine.create_item(all, &dog.to_string()).unwrap();
    }
    let users = engine.catalog().database(database).unwrap().collection("users").unwrap().no;
    Stand { engine, clock, all, users, _dir: dir }
}

impl Stand {
    fn query(&self, text: &str) -> Answered {
        self.engine.query(self.all, text, 100, &mut |_| true).unwrap()
    }

    fn filter(&self, no: ContainerNo, text: &str) -> Result<Filtered, EngineError> {
        self.engine.filter_items(no, text, 100, &mut |_| true)
    }

    fn ids(&self, no: ContainerNo, text: &str) -> Vec<String> {
        self.filter(no, text).unwrap().rows.into_iter().map(|row| row.id).collect()
    }
}

#[test]
fn expired_documents_are_in_it_until_a_run_deletes_them() {
    let stand = stand();
    let configuration = Configuration { disabled: false, delete_frequency: Some(60), max_items: None };
    stand.engine.set_expiration(stand.all, configuration).unwrap();
    stand.clock.advance(6);
    assert_eq!(stand.ids(stand.users, "where Age > 40"), ["users/5-A", "users/6-A"]);
    stand.clock.advance(60);
    stand.engine.run_due().unwrap();
    assert_eq!(stand.ids(stand.users, "where Age > 40"), Vec::<String>::new());
    assert_eq!(stand.query("from Users").rows.len(), 4);
}

#[rstest]
#[case("from Users where Age > 30", Way::Collection, 6, 3)]
#[case("from users where Age > 30", Way::Collection, 6, 3)]
#[case("from @all_docs where Age > 30", Way::Scan, 8, 3)]
#[case("from Dogs", Way::Collection, 2, 2)]
#[case("from Cats", Way::Collection, 0, 0)]
#[case("from Users where id() = 'USERS/2-a'", Way::Key, 1, 1)]
#[case("from Users where id() = 'dogs/1-A'", Way::Key, 1, 0)]
#[case("from @all_docs where id() = 'dogs/1-A' and Age = 1", Way::Key, 1, 1)]
#[case("from Users where id() = ''", Way::Key, 1, 0)]
#[case("from Users limit 2", Way::Collection, 2, 2)]
fn no_more_is_read_than_needed(#[case] query: &str, #[case] way: Way, #[case] read: u64, #[case] rows: usize) {
    let answered = stand().query(query);
    assert_eq!((answered.way, answered.read, answered.rows.len()), (way, read, rows));
}

#[test]
fn a_row_is_what_the_item_view_shows() {
    let stand = stand();
    let row = stand.query("from Users where Age = 60").rows.remove(0);
    let key = stand.filter(stand.users, "where Age = 60").unwrap().rows[0].key.clone();
    let shown = stand.engine.item(stand.users, &key).unwrap().text;
    assert_eq!(row, serde_json::from_str::<Value>(&shown).unwrap());
    let few =
        stand.query("from Users where exists(@metadata.@expires) order by Age as long desc select Name, id() as Id");
    assert_eq!(few.rows[0], json!({ "Name": "user 6", "Id": "users/6-A" }));
}

#[test]
fn a_filter_orders_limits_and_answers_whole_documents() {
    let stand = stand();
    assert_eq!(stand.ids(stand.all, "where Age < 20 order by Age as long desc"), ["users/1-A", "dogs/2-A", "dogs/1-A"]);
    assert_eq!(stand.ids(stand.users, "order by Age as long limit 1, 2"), ["users/2-A", "users/3-A"]);
    let few = stand.engine.filter_items(stand.users, "", 4, &mut |_| true).unwrap();
    assert_eq!((few.rows.len(), few.more), (4, true));
    let refusal = stand.filter(stand.users, "where Age > 30 select Name").unwrap_err().into_refusal();
    assert_eq!((refusal.status, refusal.place.unwrap().column), (400, 16));
}

#[test]
fn an_id_longer_than_any_key_is_only_not_found() {
    let stand = stand();
    let long = "x".repeat(70_000);
    assert!(stand.query(&format!("from Users where id() = '{long}'")).rows.is_empty());
}

#[test]
fn a_long_one_is_given_up() {
    let stand = stand();
    for n in 0..1_000 {
        let cat = json!({ "@metadata": { "@id": format!("cats/{n}"), "@collection": "Cats" } });
        stand.engine.create_item(stand.all, &cat.to_string()).unwrap();
    }
    let refusal = stand.engine.query(stand.all, "from Cats", 9_999, &mut |_| false).unwrap_err().into_refusal();
    assert_eq!(refusal.status, 499);
}
