//! MongoDB in the engine, with a clock that moves when it is told to: every rule of its expiration.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::ops::ControlFlow;
use std::sync::Arc;

use bson::{Bson, Document, doc};
use rstest::rstest;
use tempfile::TempDir;
use ttl_explorer::domain::mongodb::MongoError;
use ttl_explorer::domain::nosql::{DefaultTtl, PartitionKey};
use ttl_explorer::domain::{Instant, Refusal};
use ttl_explorer::engine::{
    Anchor, Api, ContainerNo, Engine, EngineError, EngineOptions, ManualClock, Scope, WindowRequest,
};
use ttl_explorer::store;

const START: i64 = 1_796_248_064;

struct Account {
    engine: Engine,
    clock: Arc<ManualClock>,
    no: ContainerNo,
    dir: TempDir,
}

fn options(clock: &Arc<ManualClock>) -> EngineOptions {
    EngineOptions { clock: clock.clone(), store_clock: true, background: false, store: store::Options::tiny() }
}

fn account(ttl: DefaultTtl) -> Account {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::new(Instant::from_secs(START)));
    let engine = Engine::open(dir.path(), options(&clock)).unwrap();
    let database = engine.create_database("globaldb", Api::MongoDb).unwrap();
    let no = engine.create_collection(database, "coll", ttl).unwrap();
    Account { engine, clock, no, dir }
}

fn refusal<T: std::fmt::Debug>(result: Result<T, EngineError>) -> Refusal {
    match result {
        Err(EngineError::Refused(refusal)) => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

impl Account {
    fn insert(&self, document: Document) -> Bson {
        let mut inserted = self.engine.insert_documents(self.no, vec![document]).unwrap();
        assert_eq!(inserted.refused, None);
        inserted.ids.remove(0)
    }

    fn documents(&self) -> Vec<Document> {
        let mut all = Vec::new();
        self.engine
            .each_document(self.no, |_, document| {
                all.push(document);
                ControlFlow::<()>::Continue(())
            })
            .unwrap();
        all
    }

    fn index(&self, key: Document, options: Document) -> Result<(i32, i32), MongoError> {
        self.engine.create_index(self.no, &key, &options).unwrap().map(|made| (made.before, made.after))
    }

    fn ttl(&self) -> DefaultTtl {
        self.engine.catalog().container(self.no).unwrap().default_ttl()
    }

    fn is_sound(&self) {
        assert_eq!(self.engine.store().check(&mut |_| {}).unwrap(), vec![]);
    }
}

/// How long a document with this `ttl` is seen in a collection of 10 s: 10 when it does not count.
#[rstest]
#[case(Bson::Double(20.0), 20)]
#[case(Bson::Int32(20), 20)]
#[case(Bson::Int64(20), 20)]
#[case(Bson::Double(5.0), 5)]
#[case(Bson::Double(20.5), 10)]
#[case(Bson::Int64(2_147_483_649), 10)]
#[case(Bson::Int64(2_147_483_648), 10)]
#[case(Bson::Double(2_147_483_648.0), 10)]
#[case(Bson::Int32(0), 10)]
#[case(Bson::Double(-0.0), 10)]
#[case(Bson::Int32(-5), 10)]
#[case(Bson::String("20".to_owned()), 10)]
#[case(Bson::Null, 10)]
#[case(Bson::Boolean(true), 10)]
#[case(Bson::Double(f64::NAN), 10)]
#[case(Bson::Double(f64::INFINITY), 10)]
#[case(Bson::Decimal128("20".parse().unwrap()), 10)]
#[case(Bson::Document(doc! { "ttl": 20 }), 10)]
fn a_ttl_counts_by_its_type_and_is_stored_anyway(#[case] ttl: Bson, #[case] secs: i64) {
    let account = account(DefaultTtl::Seconds(10));
    account.insert(doc! { "_id": 1, "ttl": ttl.clone() });
    let kept = account.documents()[0].get("ttl").cloned().unwrap();
    assert_eq!(format!("{kept:?}"), format!("{ttl:?}"), "the type is part of the value");
    account.clock.advance(secs - 1);
    assert_eq!(account.documents().len(), 1);
    account.clock.advance(1);
    assert_eq!(account.documents().len(), 0);
    assert_eq!(account.engine.sweep_now().unwrap().iter().map(|report| report.deleted).sum::<u64>(), 1);
    account.is_sound();
}

#[rstest]
#[case(Bson::Int32(2_147_483_647))]
#[case(Bson::Int64(2_147_483_647))]
#[case(Bson::Double(2_147_483_647.0))]
#[case(Bson::Int32(-1))]
#[case(Bson::Int64(-1))]
#[case(Bson::Double(-1.0))]
fn the_largest_ttl_and_never_count(#[case] ttl: Bson) {
    let account = account(DefaultTtl::Seconds(10));
    account.insert(doc! { "ttl": ttl });
    account.clock.advance(2_147_483_646);
    assert_eq!(account.documents().len(), 1);
}

#[test]
fn without_an_index_a_ttl_is_ignored_and_counts_from_the_last_write_once_there_is_one() {
    let account = account(DefaultTtl::Off);
    account.insert(doc! { "_id": 1, "ttl": 20 });
    account.insert(doc! { "_id": 2 });
    account.clock.advance(15);
    assert_eq!(account.documents().len(), 2);
    assert_eq!(account.index(doc! { "_ts": 1 }, doc! { "expireAfterSeconds": 10 }), Ok((1, 4)));
    assert_eq!(account.documents().iter().map(|d| d.get_i32("_id").unwrap()).collect::<Vec<_>>(), [1]);
    account.clock.advance(5);
    assert_eq!(account.documents().len(), 0);
    // What is expired and not deleted yet comes back.
    assert_eq!(account.engine.drop_index(account.no, "_ts_1").unwrap(), Ok(2));
    assert_eq!((account.ttl(), account.documents().len()), (DefaultTtl::Off, 2));
}

#[test]
fn the_index_is_made_once_and_changed_by_dropping_it() {
    let account = account(DefaultTtl::Off);
    let ttl = |secs: i32| (doc! { "_ts": 1 }, doc! { "expireAfterSeconds": secs });
    assert_eq!(account.index(ttl(10).0, ttl(10).1), Ok((1, 4)));
    assert_eq!(account.index(ttl(10).0, ttl(10).1), Ok((4, 4)), "the same again: no change");
    let error = account.index(ttl(20).0, ttl(20).1).unwrap_err();
    assert_eq!((error.code, error.code_name), (85, "IndexOptionsConflict"));
    assert_eq!(account.ttl(), DefaultTtl::Seconds(10));
    account.engine.drop_index(account.no, "_ts_1").unwrap().unwrap();
    assert_eq!(account.index(ttl(-1).0, ttl(-1).1), Ok((1, 4)));
    assert_eq!(account.ttl(), DefaultTtl::NoDefault);
    let listed = account.engine.indexes(account.no).unwrap();
    assert_eq!(
        listed,
        [
            doc! { "v": 1, "key": { "_id": 1 }, "name": "_id_", "ns": "globaldb.coll" },
            doc! { "v": 1, "key": { "_ts": 1 }, "name": "_ts_1", "ns": "globaldb.coll", "expireAfterSeconds": -1 }
        ]
    );
}

#[rstest]
#[case(doc! { "createdAt": 1 }, Bson::Int32(10), "supported on '_ts' field only")]
#[case(doc! { "_ts": 1, "a": 1 }, Bson::Int32(10), "supported on '_ts' field only")]
#[case(doc! { "$**": 1 }, Bson::Int32(10), "supported on '_ts' field only")]
#[case(doc! { "_ts": 1 }, Bson::Int32(0), "from 1 to 2147483647")]
#[case(doc! { "_ts": 1 }, Bson::Int32(-2), "from 1 to 2147483647")]
#[case(doc! { "_ts": 1 }, Bson::Double(1.5), "from 1 to 2147483647")]
#[case(doc! { "_ts": 1 }, Bson::Int64(2_147_483_648), "from 1 to 2147483647")]
#[case(doc! { "_ts": 1 }, Bson::Double(f64::NAN), "from 1 to 2147483647")]
#[case(doc! { "_ts": 1 }, Bson::String("10".into()), "from 1 to 2147483647")]
fn a_bad_index_is_refused_and_nothing_changes(#[case] key: Document, #[case] secs: Bson, #[case] words: &str) {
    let account = account(DefaultTtl::Seconds(7));
    let error = account.index(key, doc! { "expireAfterSeconds": secs }).unwrap_err();
    assert_eq!((error.code, error.code_name), (2, "BadValue"));
    assert!(error.errmsg.contains(words), "{error}");
    assert_eq!(account.ttl(), DefaultTtl::Seconds(7));
}

#[test]
fn other_indexes_are_kept_and_dropped() {
    let account = account(DefaultTtl::Off);
    assert_eq!(account.index(doc! { "a": 1, "b": -1 }, doc! {}), Ok((1, 2)));
    assert_eq!(account.index(doc! { "a": 1, "b": -1 }, doc! {}), Ok((2, 2)));
    assert_eq!(account.index(doc! { "a": 1 }, doc! { "unique": true }).unwrap_err().code, 2);
    assert_eq!(account.index(doc! { "c": 1 }, doc! { "name": "a_1_b_-1" }).unwrap_err().code, 85);
    assert_eq!(account.engine.drop_index(account.no, "nope").unwrap().unwrap_err().code, 27);
    assert_eq!(account.engine.drop_index(account.no, "_id_").unwrap().unwrap_err().code, 72);
    account.index(doc! { "_ts": 1 }, doc! { "expireAfterSeconds": 5 }).unwrap();
    assert_eq!(account.engine.drop_index(account.no, "*").unwrap(), Ok(3));
    assert_eq!(account.engine.indexes(account.no).unwrap().len(), 1);
}

#[test]
fn an_id_is_made_when_missing_and_is_one_for_equal_numbers() {
    let account = account(DefaultTtl::Off);
    assert!(matches!(account.insert(doc! { "a": 1 }), Bson::ObjectId(_)));
    account.insert(doc! { "a": 1, "_id": 1 });
    for id in [Bson::Int32(1), Bson::Int64(1), Bson::Double(1.0)] {
        let inserted = account.engine.insert_documents(account.no, vec![doc! { "_id": id }]).unwrap();
        assert!(inserted.ids.is_empty());
        assert_eq!(inserted.refused.unwrap().1.status, 409);
    }
    let documents = account.documents();
    assert_eq!(documents.len(), 2);
    assert!(documents.iter().all(|document| document.keys().next().unwrap() == "_id"), "the _id stands first");
}

#[test]
fn a_text_in_extended_json_keeps_its_types_through_the_editor() {
    let account = account(DefaultTtl::Seconds(10));
    let text =
        r#"{"_id": "x", "ttl": {"$numberLong": "20"}, "d": 20.0, "i": 20, "at": {"$date": "2026-12-01T00:00:00Z"}}"#;
    let row = account.engine.create_item(account.no, text).unwrap();
    let shown = account.engine.item(account.no, &row.key).unwrap().text;
    account.engine.replace_item(account.no, &row.key, &shown, Some(row.etag)).unwrap();
    let stored = account.documents().remove(0);
    assert_eq!(stored.get("ttl"), Some(&Bson::Int64(20)));
    assert_eq!(stored.get("d"), Some(&Bson::Double(20.0)));
    assert_eq!(stored.get("i"), Some(&Bson::Int32(20)));
    assert!(matches!(stored.get("at"), Some(Bson::DateTime(_))));
    assert!(!shown.contains("_ts"), "{shown}");
    // Without its `_id` it is the same document; with another one it is not.
    account.engine.replace_item(account.no, &row.key, "{\"a\": 1}", None).unwrap();
    assert_eq!(account.documents(), [doc! { "_id": "x", "a": 1 }]);
    assert_eq!(refusal(account.engine.replace_item(account.no, &row.key, "{\"_id\": \"y\"}", None)).status, 400);
}

#[test]
fn a_change_is_made_under_the_lock_and_restarts_the_clock() {
    let account = account(DefaultTtl::Seconds(10));
    account.insert(doc! { "_id": "x", "n": 1 });
    let mut keys = Vec::new();
    account
        .engine
        .each_document(account.no, |key, _| -> ControlFlow<()> {
            keys.push(key);
            ControlFlow::Continue(())
        })
        .unwrap();
    account.clock.advance(8);
    let changed = account.engine.change_document::<EngineError>(account.no, &keys[0], |document| {
        let mut changed = document.clone();
        changed.insert("n", 2);
        Ok(Some(changed))
    });
    assert!(changed.unwrap());
    account.clock.advance(9);
    assert_eq!(account.documents(), [doc! { "_id": "x", "n": 2 }]);
    account.clock.advance(1);
    // Expired: there is nothing to change any more.
    let changed = account.engine.change_document::<EngineError>(account.no, &keys[0], |_| panic!("not there"));
    assert!(!changed.unwrap());
}

#[test]
fn documents_and_indexes_survive_a_restart() {
    let Account { engine, clock, no, dir } = account(DefaultTtl::Seconds(100));
    engine.create_index(no, &doc! { "a": 1 }, &doc! {}).unwrap().unwrap();
    engine.insert_documents(no, vec![doc! { "_id": 1, "ttl": 20.5 }]).unwrap();
    let before = engine.indexes(no).unwrap();
    engine.close().unwrap();
    drop(engine);
    let engine = Engine::open(dir.path(), options(&clock)).unwrap();
    let account = Account { engine, clock, no, dir };
    assert_eq!(account.engine.indexes(no).unwrap(), before);
    assert_eq!(account.documents(), [doc! { "_id": 1, "ttl": 20.5 }]);
    account.is_sound();
}

#[test]
fn the_row_tells_whether_a_ttl_counts() {
    let account = account(DefaultTtl::Seconds(10));
    account.insert(doc! { "_id": 1, "ttl": 20.5 });
    let request = WindowRequest { container: account.no, anchor: Anchor::First, before: 0, after: 10 };
    let row = account.engine.window(&request).unwrap().rows.remove(0);
    let words =
        account.engine.catalog().explain(account.no, &row.lifetime, row.written, &[], None, account.engine.now());
    assert!(words.contains("20.5 has a fraction: the collection's 10 s apply"), "{words}");
}

#[test]
fn what_is_too_large_or_of_another_system_is_refused() {
    let account = account(DefaultTtl::Off);
    let large = "x".repeat(17 * 1024 * 1024);
    let inserted = account.engine.insert_documents(account.no, vec![doc! { "a": large }]).unwrap();
    assert_eq!(inserted.refused.unwrap().1.status, 413);
    let database = account.engine.catalog().databases["globaldb"].no;
    let key = PartitionKey::new(["/a"]).unwrap();
    assert_eq!(refusal(account.engine.create_container(database, "c", key, DefaultTtl::Off)).status, 400);
    for name in ["system.x", "a$b", "a/b", ""] {
        assert_eq!(refusal(account.engine.create_collection(database, name, DefaultTtl::Off)).status, 400, "{name}");
    }
    assert_eq!(account.engine.totals(Scope::Everything).unwrap().stored, 0);
}
