//! A person who writes and reads while a million items are swept.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ttl_explorer::domain::nosql::DefaultTtl;

use crate::{Table, document, engine, millis, percentile, time};

const ITEMS: u64 = 1_000_000;

pub fn run(table: &mut Table) {
    let dir = tempfile::tempdir().unwrap();
    let (engine, no) = engine(dir.path(), DefaultTtl::NoDefault);
    fill(&engine, no, ITEMS, 1);
    wait_past(2);
    let other = {
        let catalog = engine.catalog();
        let database = catalog.databases["db"].no;
        engine
            .create_container(
                database,
                "user",
                ttl_explorer::domain::nosql::PartitionKey::new(["/pk"]).unwrap(),
                DefaultTtl::Off,
            )
            .unwrap()
    };
    let row = engine.create_item(other, &document(0, None)).unwrap();
    let sweeping = AtomicBool::new(true);
    let (mut writes, mut reads) = (Vec::new(), Vec::new());
    let swept = std::thread::scope(|scope| {
        let sweep = scope.spawn(|| {
            let swept: u64 = engine.sweep_now().unwrap().iter().map(|report| report.deleted).sum();
            sweeping.store(false, Ordering::SeqCst);
            swept
        });
        let mut n = 1;
        while sweeping.load(Ordering::SeqCst) {
            writes.push(time(|| engine.create_item(other, &document(n, None)).unwrap()).0);
            reads.push(time(|| engine.item(other, &row.key).unwrap()).0);
            n += 1;
            // A person is no load: there is a pause between two strokes.
            std::thread::sleep(Duration::from_millis(1));
        }
        sweep.join().unwrap()
    });
    assert_eq!(swept, ITEMS);
    let (p99, worst) = (percentile(&mut writes, 0.99), *writes.last().unwrap());
    table.add(
        "a write during the sweep, 99th percentile",
        format!("{:.1} ms of {} writes", millis(p99), writes.len()),
        "≤ 5 ms",
        Some(millis(p99) <= 5.0),
    );
    table.add(
        "a write during the sweep, worst",
        format!("{:.1} ms", millis(worst)),
        "≤ 20 ms",
        Some(millis(worst) <= 20.0),
    );
    let p99 = percentile(&mut reads, 0.99);
    table.add(
        "a point read during the sweep, 99th percentile",
        format!("{:.2} ms", millis(p99)),
        "≤ 1 ms",
        Some(millis(p99) <= 1.0),
    );
}

/// Makes so many items with this ttl.
pub fn fill(engine: &ttl_explorer::engine::Engine, no: ttl_explorer::engine::ContainerNo, items: u64, ttl: u32) {
    for from in (0..items).step_by(10_000) {
        let bodies: Vec<String> = (from..(from + 10_000).min(items)).map(|n| document(n, Some(ttl))).collect();
        engine.create_items(no, &bodies, |_, refusal| panic!("{refusal}")).unwrap();
    }
}

/// Waits until so many seconds have passed.
pub fn wait_past(secs: u64) {
    std::thread::sleep(Duration::from_secs(secs));
}
