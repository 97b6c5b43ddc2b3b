//! Whose directory it is, what a kill leaves, what a snapshot sees, what a repair mends.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ttl_explorer::store::{ContainerNo, Expiry, Half, Header, Listed, Options, Store, StoreError, SweepRange};

const NO: ContainerNo = ContainerNo(0);

fn header(ts: i64, expiry: Expiry) -> Header {
    Header { ts, expiry, rid: 0, etag: 0, flags: 0, listed: Listed::Nowhere }
}

fn put(store: &Store, no: ContainerNo, key: &[u8], header: Header, body: &[u8]) {
    store
        .write(
            |writer| {
                let old = writer.get(no, key)?.map(|item| item.header);
                writer.put(no, key, old, header, body)
            },
            |()| {},
        )
        .expect("written");
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).unwrap();
        }
    }
}

fn remove(path: &Path) {
    if path.is_dir() { std::fs::remove_dir_all(path).unwrap() } else { std::fs::remove_file(path).unwrap() }
}

#[test]
fn a_foreign_directory_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("thesis.txt"), "precious").unwrap();
    assert!(matches!(Store::open(dir.path(), Options::tiny()), Err(StoreError::NotAStore { .. })));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn a_newer_format_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("ttl-explorer-store"), "99\n").unwrap();
    let Err(error) = Store::open(dir.path(), Options::tiny()) else { panic!("opened") };
    assert!(error.to_string().contains("format 99"), "{error}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn keys_that_cannot_be_stored_are_refused_before_they_do_harm() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path(), Options::tiny()).unwrap();
    for len in [0, 65_001, 200_000] {
        let key = vec![b'x'; len];
        let result: Result<(), StoreError> =
            store.write(|writer| writer.put(NO, &key, None, header(1, Expiry::Inherit), b"{}"), |()| {});
        assert!(matches!(result, Err(StoreError::Key { .. })), "{len}");
    }
    put(&store, NO, &[b'x'; 65_000], header(1, Expiry::Inherit), b"{}");
    drop(store);
    let store = Store::open(dir.path(), Options::tiny()).unwrap();
    assert_eq!(store.snapshot().unwrap().counts(NO).unwrap().items(), 1);
}

#[test]
fn watermarks_are_kept_and_lowered_by_what_comes_below() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path(), Options::tiny()).unwrap();
    for n in 0..100u8 {
        put(&store, NO, &[n + 1], header(0, Expiry::Own { at: i64::from(n) }), b"{}");
    }
    let range = || Some(SweepRange { inherit_through: None, own_through: Some(49) });
    let swept = store.sweep(NO, range, 1_000, |_| {}).unwrap();
    assert_eq!((swept.entries.len(), swept.more), (50, false));
    assert_eq!(store.first_instant(NO, Half::Own).unwrap(), Some(50));
    store.close().unwrap();
    drop(store);
    let store = Store::open(dir.path(), Options::tiny()).unwrap();
    assert_eq!(store.first_instant(NO, Half::Own).unwrap(), Some(50));
    put(&store, NO, b"early", header(0, Expiry::Own { at: -7 }), b"{}");
    assert_eq!(store.first_instant(NO, Half::Own).unwrap(), Some(-7));
    assert_eq!(store.check(&mut |_| {}).unwrap(), vec![]);
}

#[test]
fn snapshots_see_whole_writes_only() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path(), Options::tiny()).unwrap();
    let stop = AtomicBool::new(false);
    let seen = std::thread::scope(|scope| {
        let readers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let mut seen = 0u64;
                    while !stop.load(Ordering::Relaxed) {
                        let snapshot = store.snapshot().unwrap();
                        let one = snapshot.get(NO, b"one").unwrap().map(|item| item.body.to_vec());
                        let two = snapshot.get(ContainerNo(1), b"two").unwrap().map(|item| item.body.to_vec());
                        assert_eq!(one, two, "half of a write");
                        let counts = snapshot.counts(NO).unwrap().items();
                        assert_eq!(counts, u64::from(one.is_some()));
                        seen += 1;
                    }
                    seen
                })
            })
            .collect();
        let started = Instant::now();
        let mut n = 0u64;
        while started.elapsed() < Duration::from_secs(2) {
            n += 1;
            // Bodies of a kilobyte keep the tiny memtables rotating.
            let body = [n.to_le_bytes().as_slice(), &[0; 1_000]].concat();
            store
                .write(
                    |writer| {
                        for (no, key) in [(NO, b"one".as_slice()), (ContainerNo(1), b"two")] {
                            let old = writer.get(no, key)?.map(|item| item.header);
                            writer.put(no, key, old, header(n as i64, Expiry::Inherit), &body)?;
                        }
                        Ok::<_, StoreError>(())
                    },
                    |()| {},
                )
                .unwrap();
        }
        stop.store(true, Ordering::Relaxed);
        readers.into_iter().map(|reader| reader.join().expect("no half write")).sum::<u64>()
    });
    assert!(seen > 1_000, "{seen} snapshots are too few to prove anything");
}

#[test]
fn a_directory_that_is_removed_stops_the_writing() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path(), Options::tiny()).unwrap();
    put(&store, NO, b"a", header(1, Expiry::Inherit), b"{}");
    std::fs::remove_file(dir.path().join("ttl-explorer-store")).unwrap();
    assert!(matches!(store.sync(), Err(StoreError::DirectoryGone { .. })));
    let result: Result<(), StoreError> =
        store.write(|writer| writer.put(NO, b"b", None, header(1, Expiry::Inherit), b"{}"), |()| {});
    assert!(matches!(result, Err(StoreError::DirectoryGone { .. })));
    assert!(store.snapshot().unwrap().get(NO, b"a").unwrap().is_some(), "reading goes on");
}

#[test]
fn a_directory_that_was_made_again_is_another_one() {
    let parent = tempfile::tempdir().unwrap();
    let dir = parent.path().join("store");
    let store = Store::open(&dir, Options::tiny()).unwrap();
    put(&store, NO, b"a", header(1, Expiry::Inherit), b"{}");
    std::fs::remove_dir_all(&dir).unwrap();
    let other = Store::open(&dir, Options::tiny()).unwrap();
    put(&other, NO, b"b", header(1, Expiry::Inherit), b"{}");
    assert!(matches!(store.sync(), Err(StoreError::DirectoryGone { .. })));
    assert!(matches!(store.close(), Err(StoreError::DirectoryGone { .. })));
    drop(store);
    other.sync().unwrap();
    assert!(other.snapshot().unwrap().get(NO, b"b").unwrap().is_some());
}

#[test]
fn a_store_whose_making_was_cut_off_opens() {
    let whole = tempfile::tempdir().unwrap();
    Store::open(whole.path(), Options::tiny()).unwrap();
    remove(&whole.path().join("owner"));
    // In the order in which things are made; each state has all before it, and the last one empty or cut short.
    type Leave = fn(&Path);
    let states: [(&str, Leave); 9] = [
        ("an empty marker", |dir| {
            remove(&dir.join("data"));
            std::fs::write(dir.join("ttl-explorer-store"), "").unwrap();
        }),
        ("no data", |dir| remove(&dir.join("data"))),
        ("empty data", |dir| {
            remove(&dir.join("data"));
            std::fs::create_dir(dir.join("data")).unwrap();
        }),
        ("a lock and an empty directory of keyspaces", |dir| {
            for name in ["0.jnl", "version", "keyspaces"] {
                remove(&dir.join("data").join(name));
            }
            std::fs::create_dir(dir.join("data/keyspaces")).unwrap();
        }),
        ("an empty journal, no version", |dir| {
            remove(&dir.join("data/version"));
            remove(&dir.join("data/keyspaces"));
            std::fs::create_dir(dir.join("data/keyspaces")).unwrap();
        }),
        ("an empty version", |dir| {
            std::fs::write(dir.join("data/version"), "").unwrap();
            remove(&dir.join("data/keyspaces"));
            std::fs::create_dir(dir.join("data/keyspaces")).unwrap();
        }),
        ("no keyspace", |dir| {
            remove(&dir.join("data/keyspaces"));
            std::fs::create_dir(dir.join("data/keyspaces")).unwrap();
        }),
        ("the first keyspace without its list of tables", |dir| {
            remove(&dir.join("data/keyspaces"));
            std::fs::create_dir_all(dir.join("data/keyspaces/0/tables")).unwrap();
            std::fs::write(dir.join("data/keyspaces/0/v0"), "cut").unwrap();
        }),
        ("half of the keyspaces, one of them half", |dir| {
            remove(&dir.join("data/keyspaces"));
            drop(
                fjall::Database::builder(dir.join("data")).open().unwrap().keyspace("meta", Default::default).unwrap(),
            );
            std::fs::create_dir_all(dir.join("data/keyspaces/2/tables")).unwrap();
        }),
    ];
    let mut wrong = Vec::new();
    for (state, leave) in states {
        let dir = tempfile::tempdir().unwrap();
        copy(whole.path(), dir.path());
        leave(dir.path());
        for round in 0..2u8 {
            match Store::open(dir.path(), Options::tiny()) {
                Ok(store) => {
                    put(&store, NO, &[b'a', round], header(1, Expiry::Inherit), b"{}");
                    assert_eq!(store.snapshot().unwrap().counts(NO).unwrap().items(), u64::from(round) + 1, "{state}");
                    assert_eq!(store.check(&mut |_| {}).unwrap(), vec![], "{state}");
                }
                Err(error) => wrong.push(format!("{state}, round {round}: {error}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_store_that_lost_its_version_is_not_made_anew() {
    for also in [&[][..], &["data/0.jnl"], &["data/keyspaces"]] {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path(), Options::tiny()).unwrap();
        put(&store, NO, b"a", header(1, Expiry::Inherit), b"{}");
        store.close().unwrap();
        drop(store);
        for name in ["data/version"].iter().chain(also) {
            remove(&dir.path().join(name));
        }
        let Err(error) = Store::open(dir.path(), Options::tiny()) else { panic!("opened without {also:?}") };
        assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
        assert!(!dir.path().join("data/version").exists());
    }
}

#[test]
fn a_repair_rebuilds_index_and_counts_from_the_items() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path(), Options::tiny()).unwrap();
    for n in 0..100u8 {
        let expiry = [Expiry::Never, Expiry::Inherit, Expiry::Own { at: i64::from(n) }][usize::from(n % 3)];
        put(&store, NO, &[n + 1], header(i64::from(n), expiry), b"{}");
    }
    // Lies about the old header leave a stray entry and wrong counts.
    let lie = header(99, Expiry::Own { at: 12_345 });
    store.write(|writer| writer.delete(NO, &[5], lie), |()| {}).unwrap();
    let findings = store.check(&mut |_| {}).unwrap();
    assert!(!findings.is_empty());
    assert!(findings.iter().all(|finding| finding.to_string().contains("container 0")), "{findings:?}");
    store.repair().unwrap();
    assert_eq!(store.check(&mut |_| {}).unwrap(), vec![]);
    assert_eq!(store.snapshot().unwrap().counts(NO).unwrap().items(), 99);
}

/// Items that a collection lists move with every write; whatever happens, the listings are those of the items.
#[test]
fn listings_follow_their_items() {
    use proptest::prelude::*;
    use proptest::test_runner::{Config, TestRunner};
    let step = (0u8..6, 0u8..4, 0i64..9, 0u8..8);
    let config = Config { failure_persistence: None, cases: 48, ..Config::default() };
    let outcome = TestRunner::new(config).run(&prop::collection::vec(step, 1..60), |steps| {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path(), Options::tiny()).unwrap();
        let mut model = std::collections::BTreeMap::new();
        for (what, collection, at, key) in steps {
            let (item, collection) = (vec![b'k', key], ContainerNo(10 + u32::from(collection)));
            match what {
                // With an instant, without one; the collection may be another one than before.
                0..=3 => {
                    let expiry = if what == 0 { Expiry::Never } else { Expiry::Own { at } };
                    let listed = Listed::In { collection, shows: 2 };
                    put(&store, NO, &item, Header { listed, ..header(0, expiry) }, b"idbody");
                    model.insert(item, (collection, if what == 0 { None } else { Some(at) }));
                }
                4 => {
                    let there = store
                        .write(
                            |writer| {
                                let old = writer.get(NO, &item)?.map(|item| item.header);
                                old.map(|old| writer.delete(NO, &item, old)).transpose()
                            },
                            |_| {},
                        )
                        .unwrap();
                    assert_eq!(there.is_some(), model.remove(&item).is_some());
                }
                _ => {
                    let range = || Some(SweepRange { inherit_through: None, own_through: Some(at) });
                    store.sweep(NO, range, 100, |_| {}).unwrap();
                    model.retain(|_, (_, expires)| expires.is_none_or(|expires| expires > at));
                }
            }
        }
        prop_assert_eq!(store.check(&mut |_| {}).unwrap(), vec![]);
        for round in 0..2 {
            let snapshot = store.snapshot().unwrap();
            for no in 10..14 {
                let listed: Vec<Vec<u8>> = snapshot
                    .items(ContainerNo(no), std::ops::Bound::Unbounded, ttl_explorer::store::Direction::Forward)
                    .map(|item| item.map(|(key, item)| (key.to_vec(), item.body.to_vec())).unwrap())
                    .map(|(key, body)| if body == b"id" { key } else { panic!("shows {body:?}") })
                    .collect();
                let wanted: Vec<Vec<u8>> =
                    model.iter().filter(|(_, (in_, _))| in_.0 == no).map(|(key, _)| key.clone()).collect();
                prop_assert_eq!(listed, wanted, "round {}", round);
            }
            drop(snapshot);
            store.repair().unwrap();
            prop_assert_eq!(store.check(&mut |_| {}).unwrap(), vec![]);
        }
        Ok(())
    });
    outcome.unwrap();
}

/// Writes without end and says what is acknowledged; killed by its parent.
#[test]
fn crash_child() {
    let Ok(dir) = std::env::var("TTL_EXPLORER_CRASH_DIR") else {
        return;
    };
    let first: u64 = std::env::var("TTL_EXPLORER_CRASH_FIRST").unwrap().parse().unwrap();
    let store = Store::open(dir.as_ref(), Options::tiny()).unwrap();
    let sweeps = AtomicBool::new(true);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while sweeps.load(Ordering::Relaxed) {
                // What is due: the own entries of this container, which no acknowledged item below uses.
                let range = || Some(SweepRange { inherit_through: None, own_through: Some(i64::MAX) });
                store.sweep(ContainerNo(7), range, 50, |_| {}).unwrap();
                store.sync().unwrap();
            }
        });
        for n in first.. {
            let key = n.to_be_bytes();
            store
                .write(
                    |writer| {
                        writer.put(NO, &key, None, header(n as i64, Expiry::Inherit), &[7; 300])?;
                        writer.put(ContainerNo(7), &key, None, header(0, Expiry::Own { at: n as i64 }), b"{}")
                    },
                    |()| {},
                )
                .unwrap();
            println!("ack {n}");
        }
    });
}

#[test]
fn what_was_acknowledged_survives_a_kill() {
    let rounds: u64 = std::env::var("TTL_EXPLORER_CRASH_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(10);
    let mut dir = tempfile::tempdir().unwrap();
    let mut next = 0u64;
    for round in 0..rounds {
        // A fresh store now and then, so that looking at all of it stays quick in the long mode.
        if round % 20 == 0 {
            dir = tempfile::tempdir().unwrap();
            next = 0;
        }
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["crash_child", "--exact", "--nocapture"])
            .env("TTL_EXPLORER_CRASH_DIR", dir.path())
            .env("TTL_EXPLORER_CRASH_FIRST", next.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Killed after another number of acknowledged writes each time.
        let enough = 50 + round * 997 % 3_000;
        let mut acknowledged = None;
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            let Ok(line) = line else { break };
            if let Some(n) = line.trim().strip_prefix("ack ").and_then(|n| n.parse::<u64>().ok()) {
                acknowledged = Some(n);
                if n - next >= enough {
                    child.kill().ok();
                }
            }
        }
        child.wait().unwrap();
        let last = acknowledged.expect("the child wrote something");
        let store = Store::open(dir.path(), Options::tiny()).unwrap();
        let snapshot = store.snapshot().unwrap();
        for n in 0..=last {
            assert!(
                snapshot.get(NO, &n.to_be_bytes()).unwrap().is_some(),
                "round {round}: write {n} of {last} is lost"
            );
        }
        assert_eq!(store.check(&mut |_| {}).unwrap(), vec![], "round {round}");
        next = snapshot.counts(NO).unwrap().items();
        assert!(next > last);
    }
}
