//! A million documents in and out of files, beside the store writing the same bytes in the same batches. The two take
//! turns, so that a slow moment of the machine is both's.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use ttl_explorer::domain::nosql::{DefaultTtl, ItemKey, PartitionKey, PartitionValue};
use ttl_explorer::engine::{ContainerNo, Engine};
use ttl_explorer::store::{Expiry, Header, Listed, StoreError};
use ttl_explorer::transfer::{Form, Import, ImportOptions, What, to_new_file};

use crate::{Table, document, engine, time};

const ITEMS: u64 = 1_000_000;
const TURN: u64 = 100_000;
/// Documents of one atomic write, as an import has it.
const BATCH: usize = 1_000;

pub fn run(table: &mut Table) {
    let dir = tempfile::tempdir().unwrap();
    let (engine, no) = engine(&dir.path().join("store"), DefaultTtl::NoDefault);
    let raw_no = {
        let database = engine.catalog().databases["db"].no;
        engine.create_container(database, "raw", PartitionKey::new(["/pk"]).unwrap(), DefaultTtl::NoDefault).unwrap()
    };
    let container = engine.catalog().container(no).unwrap().clone();
    let file = dir.path().join("in.jsonl");
    let (mut imported, mut raw) = (Duration::ZERO, Duration::ZERO);
    for from in (0..ITEMS).step_by(TURN as usize) {
        write_file(&file, from);
        imported += time(|| {
            let mut import = Import::new(&engine, &container, ImportOptions::default());
            assert!(import.file(&file, &mut |_| true).unwrap());
            let outcome = import.finish().unwrap();
            assert_eq!((outcome.stored.created, outcome.errors), (TURN, 0));
        })
        .0;
        let items: Vec<(Vec<u8>, String)> = (from..from + TURN).map(|n| (key(n), document(n, None))).collect();
        raw += time(|| put(&engine, raw_no, &items)).0;
    }
    let out = dir.path().join("out.jsonl");
    let (exported, outcome) =
        time(|| to_new_file(&engine, &container, &out, false, &What::Visible, Form::default(), &mut |_| true).unwrap());
    assert_eq!((outcome.items, outcome.unreadable), (ITEMS, 0));
    let rate = |spent: Duration| ITEMS as f64 / spent.as_secs_f64();
    let ratio = |spent: Duration| format!("{:.2}", raw.as_secs_f64() / spent.as_secs_f64());
    let megabytes = fs::metadata(&out).unwrap().len() as f64 / 1e6;
    table.add("the store's own batches of 1000, the same items", format!("{:.0}/s", rate(raw)), "", None);
    table.add(format!("import of {ITEMS} lines"), format!("{:.0}/s", rate(imported)), "", None);
    table.add("import ÷ the store's own batches", ratio(imported), "", None);
    let what = format!("export of {ITEMS} lines, {megabytes:.0} MB");
    table.add(what, format!("{:.0}/s", rate(exported)), "", None);
    table.add("export ÷ the store's own batches", ratio(exported), "", None);
}

fn write_file(file: &Path, from: u64) {
    let mut out = BufWriter::new(File::create(file).unwrap());
    for n in from..from + TURN {
        writeln!(out, "{}", document(n, None)).unwrap();
    }
    out.flush().unwrap();
}

fn key(n: u64) -> Vec<u8> {
    let partition = vec![PartitionValue::Text(format!("p-{:04}", n % 1_000))];
    ItemKey { partition, id: format!("item-{n:010}") }.encode()
}

/// Blind writes: no look at what is there, no document is read.
fn put(engine: &Engine, no: ContainerNo, items: &[(Vec<u8>, String)]) {
    let ts = engine.now().secs();
    for batch in items.chunks(BATCH) {
        let written: Result<(), StoreError> = engine.store().write(
            |writer| {
                for (key, body) in batch {
                    let (rid, etag) = (writer.next_number(), writer.next_number());
                    let header = Header { ts, expiry: Expiry::Inherit, rid, etag, flags: 0, listed: Listed::Nowhere };
                    writer.put(no, key, None, header, body.as_bytes())?;
                }
                Ok(())
            },
            |()| {},
        );
        written.unwrap();
    }
}
