//! Disks that fill, files that are cut short, bytes that flip.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use ttl_explorer::store::{ContainerNo, Expiry, Header, Listed, Options, Store, StoreError};

const NO: ContainerNo = ContainerNo(0);

fn put(store: &Store, key: &[u8], body: &[u8]) -> Result<(), StoreError> {
    store.write(
        |writer| {
            let old = writer.get(NO, key)?.map(|item| item.header);
            let header = Header { ts: 1, expiry: Expiry::Inherit, rid: 0, etag: 0, flags: 0, listed: Listed::Nowhere };
            writer.put(NO, key, old, header, body)
        },
        |()| {},
    )
}

/// Random enough that no compression makes it small.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    (0..len)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as u8
        })
        .collect()
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

fn journal(dir: &Path) -> PathBuf {
    files(dir).into_iter().find(|file| file.extension().is_some_and(|ending| ending == "jnl")).expect("a journal")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// The part of the next test that needs a limit of its own.
#[cfg(unix)]
#[test]
fn full_disk_child() {
    let Ok(dir) = std::env::var("TTL_EXPLORER_DISK_DIR") else {
        return;
    };
    // A handler, whatever it does, keeps the signal from ending the process: the write fails instead.
    let ignored = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, ignored).unwrap();
    let store = Store::open(dir.as_ref(), Options::tiny()).unwrap();
    put(&store, b"before", b"{}").unwrap();
    // Above the 64 MiB that a journal is laid out with.
    rlimit::setrlimit(rlimit::Resource::FSIZE, 80 << 20, rlimit::INFINITY).unwrap();
    let body = noise(1 << 20);
    let refused: Result<(), StoreError> = store.write(
        |writer| {
            for n in 0..120u8 {
                let header =
                    Header { ts: 1, expiry: Expiry::Inherit, rid: 0, etag: 0, flags: 0, listed: Listed::Nowhere };
                writer.put(NO, &[b'x', n], None, header, &body)?;
            }
            Ok(())
        },
        |()| {},
    );
    assert!(matches!(refused, Err(StoreError::WriteFailed { .. })), "{refused:?}");
    assert!(store.snapshot().unwrap().get(NO, b"before").unwrap().is_some(), "reading goes on");
    // There is room again: writing goes on without a restart.
    rlimit::setrlimit(rlimit::Resource::FSIZE, rlimit::INFINITY, rlimit::INFINITY).unwrap();
    put(&store, b"after", b"{}").expect("the store opened itself again");
    let snapshot = store.snapshot().unwrap();
    assert!(snapshot.get(NO, b"before").unwrap().is_some());
    let there = (0..120u8).filter(|n| snapshot.get(NO, &[b'x', *n]).unwrap().is_some()).count();
    assert!(there == 0 || there == 120, "half of the failed write is there: {there}");
    assert_eq!(snapshot.counts(NO).unwrap().items(), 2 + there as u64);
    assert_eq!(store.check(&mut |_| {}).unwrap(), vec![]);
    drop(snapshot);
    store.close().unwrap();
    println!("went on");
}

#[cfg(unix)]
#[test]
fn a_full_disk_refuses_a_write_and_goes_on_when_there_is_room() {
    let dir = tempfile::tempdir().unwrap();
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["full_disk_child", "--exact", "--nocapture"])
        .env("TTL_EXPLORER_DISK_DIR", dir.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("went on"), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    let store = Store::open(dir.path(), Options::tiny()).unwrap();
    assert!(store.snapshot().unwrap().get(NO, b"after").unwrap().is_some());
}

/// The part of the next test that needs a limit of its own.
#[cfg(unix)]
#[test]
fn dead_flush_child() {
    let Ok(dir) = std::env::var("TTL_EXPLORER_DEAD_FLUSH_DIR") else {
        return;
    };
    let ignored = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, ignored).unwrap();
    let store = Store::open(dir.as_ref(), Options::default()).unwrap();
    let header = Header { ts: 1, expiry: Expiry::Never, rid: 0, etag: 0, flags: 0, listed: Listed::Nowhere };
    let body = noise(40);
    store
        .write(
            |writer| (0..100_000u32).try_for_each(|n| writer.put(NO, &n.to_be_bytes(), None, header, &body)),
            |()| {},
        )
        .unwrap();
    // What is written stands in the journal; a table of it has no room.
    rlimit::setrlimit(rlimit::Resource::FSIZE, 64 << 10, rlimit::INFINITY).unwrap();
    let maintained = store.maintain(0);
    assert!(matches!(maintained, Err(StoreError::WriteFailed { .. })), "{maintained:?}");
    let closed = store.close();
    assert!(matches!(closed, Err(StoreError::WriteFailed { .. })), "{closed:?}");
    println!("came to an end");
}

#[cfg(unix)]
#[test]
fn a_close_comes_to_an_end_when_nothing_can_be_written_out() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["dead_flush_child", "--exact", "--nocapture"])
        .env("TTL_EXPLORER_DEAD_FLUSH_DIR", dir.path())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let started = std::time::Instant::now();
    while child.try_wait().unwrap().is_none() && started.elapsed() < std::time::Duration::from_secs(60) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child.kill().ok();
    let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(said.contains("came to an end"), "{said}");
    let store = Store::open(dir.path(), Options::default()).unwrap();
    assert_eq!(store.snapshot().unwrap().counts(NO).unwrap().items(), 100_000);
    assert_eq!(store.check(&mut |_| {}).unwrap(), vec![]);
}

#[test]
fn a_journal_that_is_cut_short_loses_the_last_write_at_most() {
    let dir = tempfile::tempdir().unwrap();
    {
        let store = Store::open(dir.path(), Options::default()).unwrap();
        for n in 0..50u8 {
            put(&store, &[n + 1], &noise(500)).unwrap();
        }
        store.sync().unwrap();
    }
    // Where the records end; behind it the journal is laid out with zeros.
    let mut bytes = Vec::new();
    File::open(journal(dir.path())).unwrap().read_to_end(&mut bytes).unwrap();
    let end = bytes.iter().rposition(|byte| *byte != 0).unwrap();
    for (cut, laid_out) in [(1, false), (7, false), (100, false), (1, true), (7, true), (100, true)] {
        let copied = tempfile::tempdir().unwrap();
        copy(dir.path(), copied.path());
        let torn = OpenOptions::new().write(true).open(journal(copied.path())).unwrap();
        torn.set_len((end - cut) as u64).unwrap();
        if laid_out {
            torn.set_len(bytes.len() as u64).unwrap();
        }
        let store = Store::open(copied.path(), Options::default()).unwrap();
        let items = store.snapshot().unwrap().counts(NO).unwrap().items();
        assert!((49..=50).contains(&items), "cut {cut}: {items}");
        assert_eq!(store.check(&mut |_| {}).unwrap(), vec![]);
        put(&store, b"again", b"{}").unwrap();
    }
}

fn flip(file: &Path, at: u64) {
    let mut file = OpenOptions::new().read(true).write(true).open(file).unwrap();
    let mut byte = [0];
    file.seek(SeekFrom::Start(at)).unwrap();
    file.read_exact(&mut byte).unwrap();
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(&[byte[0] ^ 0xFF]).unwrap();
}

#[test]
fn a_journal_that_is_damaged_in_the_middle_is_refused_and_left_as_it_is() {
    const ITEMS: u32 = 3_000;
    const LONG: u32 = ITEMS / 2;
    let dir = tempfile::tempdir().unwrap();
    {
        let store = Store::open(dir.path(), Options::default()).unwrap();
        for n in 0..ITEMS {
            // One is long enough for a compression, and so that there is something to compress.
            let body = if n == LONG { noise(100).repeat(100) } else { noise(300) };
            put(&store, &n.to_be_bytes(), &body).unwrap();
        }
    }
    let bytes = fs::read(journal(dir.path())).unwrap();
    let end = bytes.iter().rposition(|byte| *byte != 0).unwrap() as u64 + 1;
    // The rest is laid out with zeros, and would be copied each time.
    OpenOptions::new().write(true).open(journal(dir.path())).unwrap().set_len(end).unwrap();
    let trailers: Vec<u64> =
        (0u64..).zip(bytes.windows(4)).filter(|(_, four)| four == b"FJL\x03").map(|(at, _)| at).collect();
    let (middle, long) = (trailers[1_000] + 4, trailers[LONG as usize - 1] + 4);
    // The head of a write and some of the rest of it, some of the long one, the last trailer.
    let places = (middle..middle + 60)
        .chain((middle + 60..trailers[1_001] + 4).step_by(31))
        .chain((long..long + 400).step_by(31))
        .chain(end - 14..end);
    for place in places {
        let copied = tempfile::tempdir().unwrap();
        copy(dir.path(), copied.path());
        let victim = journal(copied.path());
        flip(&victim, place);
        let before = fs::read(&victim).unwrap();
        match Store::open(copied.path(), Options::default()) {
            Err(error) => {
                assert!(error.to_string().contains("0.jnl"), "{place}: {error}");
                assert!(fs::read(&victim).unwrap() == before, "{place}: the journal was changed");
            }
            Ok(store) => {
                assert_eq!(store.snapshot().unwrap().counts(NO).unwrap().items(), u64::from(ITEMS), "{place} of {end}");
                assert_eq!(store.check(&mut |_| {}).unwrap(), vec![], "{place}");
            }
        }
    }
}

/// What became of the items when a file was damaged.
#[derive(Debug, PartialEq)]
enum Outcome {
    AllThere,
    Refused(String),
    Unreadable,
    Silence(String),
    Panic,
}

/// Opens and reads every item, one by one and all in turn.
fn outcome(dir: &Path, items: u32, body: &[u8]) -> Outcome {
    let read = || {
        let store = match Store::open(dir, Options::tiny()) {
            Ok(store) => store,
            Err(error) => return Outcome::Refused(error.to_string()),
        };
        let snapshot = store.snapshot().unwrap();
        for n in 0..items {
            match snapshot.get(NO, &n.to_be_bytes()) {
                Ok(Some(item)) if *item.body == *body => {}
                Ok(found) => return Outcome::Silence(format!("item {n}: {:?}", found.map(|item| item.body.len()))),
                Err(_) => return Outcome::Unreadable,
            }
        }
        match store.check(&mut |_| {}) {
            Ok(findings) if findings.is_empty() => Outcome::AllThere,
            Ok(_) | Err(_) => Outcome::Unreadable,
        }
    };
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(read)).unwrap_or(Outcome::Panic)
}

#[test]
fn a_flipped_byte_is_reported_and_nothing_panics() {
    const ITEMS: u32 = 3_000;
    let dir = tempfile::tempdir().unwrap();
    let body = noise(300);
    {
        let store = Store::open(dir.path(), Options::tiny()).unwrap();
        for n in 0..ITEMS {
            put(&store, &n.to_be_bytes(), &body).unwrap();
        }
        store.close().unwrap();
    }
    let bytes = fs::read(journal(dir.path())).unwrap();
    let end = bytes.iter().rposition(|byte| *byte != 0).unwrap() as u64 + 1;
    OpenOptions::new().write(true).open(journal(dir.path())).unwrap().set_len(end).unwrap();
    let (mut noticed, mut wrong) = (0, Vec::new());
    for file in files(dir.path()) {
        let len = fs::metadata(&file).unwrap().len();
        let places = std::collections::BTreeSet::from([
            0,
            9,
            len / 7,
            len / 3,
            len / 2,
            len - len / 5,
            len - len.min(20),
            len - len.min(1),
        ]);
        for place in places.into_iter().filter(|place| *place < len) {
            let copied = tempfile::tempdir().unwrap();
            copy(dir.path(), copied.path());
            let relative = file.strip_prefix(dir.path()).unwrap();
            flip(&copied.path().join(relative), place);
            match outcome(copied.path(), ITEMS, &body) {
                Outcome::AllThere => {}
                Outcome::Refused(words) => {
                    assert!(words.contains(copied.path().to_str().unwrap()), "{words}");
                    noticed += 1;
                }
                Outcome::Unreadable => noticed += 1,
                bad => wrong.push(format!("{} at {place} of {len}: {bad:?}", relative.display())),
            }
        }
    }
    assert!(noticed > 0, "no flip was noticed");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
