//! Rates of writing and sweeping, as ratios to the peers of the same run. The contestants take turns, so that a slow
//! moment of the machine is everybody's.

use std::time::Duration;

use ttl_explorer::domain::nosql::DefaultTtl;
use ttl_explorer::store::SweepRange;

use crate::peers::{Fjall, Sqlite};
use crate::{Table, document, engine, time};

const ROUNDS: u64 = 10;
const SINGLES: u64 = 10_000;
const BATCHES: u64 = 20;
const BATCH: u64 = 1_000;
/// Items of one batch of a sweep, as the sweeper has it.
const SWEEP: usize = 200;

/// The order of expiration is not that of the keys.
fn ttl(n: u64) -> u32 {
    1 + (n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 44) as u32
}

/// The same keys as the store has: container, partition key, id.
fn key(no: u32, n: u64) -> Vec<u8> {
    [no.to_be_bytes().as_slice(), format!("p-{:04}item-{n:010}", n % 1_000).as_bytes()].concat()
}

/// The same entries: container, instant, item.
fn entry(no: u32, n: u64) -> Vec<u8> {
    [no.to_be_bytes().as_slice(), &u64::from(ttl(n)).to_be_bytes(), &key(no, n)[4..]].concat()
}

pub fn run(table: &mut Table) {
    let dir = tempfile::tempdir().unwrap();
    let (engine, no) = engine(&dir.path().join("ours"), DefaultTtl::NoDefault);
    let fjall = Fjall::open(&dir.path().join("fjall"));
    let sqlite = Sqlite::open(&dir.path().join("sqlite"));
    let mut next = 0u64;

    let (mut ours, mut bare, mut lite) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    for _ in 0..ROUNDS {
        let bodies: Vec<String> = (next..next + SINGLES).map(|n| document(n, Some(ttl(n)))).collect();
        ours += time(|| {
            for body in &bodies {
                engine.create_item(no, body).unwrap();
            }
        })
        .0;
        bare += time(|| {
            for (at, body) in bodies.iter().enumerate() {
                let mut batch = fjall.batch(1);
                batch.insert(&fjall.items, key(0, next + at as u64), body.as_bytes());
                batch.commit().unwrap();
            }
        })
        .0;
        lite += time(|| {
            for (at, body) in bodies.iter().enumerate().take(SINGLES as usize / 5) {
                sqlite.insert(next + at as u64, body, i64::from(ttl(next + at as u64)));
            }
        })
        .0 * 5;
        next += SINGLES;
    }
    let rate = |spent: Duration, n: u64| n as f64 / spent.as_secs_f64();
    let n = ROUNDS * SINGLES;
    let ratio = bare.as_secs_f64() / ours.as_secs_f64();
    table.add("single write", format!("{:.0}/s", rate(ours, n)), "", None);
    table.add("single write ÷ fjall alone, no index", format!("{ratio:.2}"), "≥ 0.50", Some(ratio >= 0.5));
    let ratio = lite.as_secs_f64() / ours.as_secs_f64();
    table.add("single write ÷ SQLite", format!("{ratio:.1}"), "≥ 5", Some(ratio >= 5.0));

    let (mut ours, mut lite) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..BATCHES {
        let bodies: Vec<String> = (next..next + BATCH * 5).map(|n| document(n, Some(ttl(n)))).collect();
        ours += time(|| engine.create_items(no, &bodies, |_, refusal| panic!("{refusal}")).unwrap()).0;
        lite += time(|| {
            for (at, chunk) in bodies.chunks(BATCH as usize).enumerate() {
                sqlite.insert_batch(next + at as u64 * BATCH, chunk, |n| i64::from(ttl(n)));
            }
        })
        .0;
        next += BATCH * 5;
    }
    let ratio = lite.as_secs_f64() / ours.as_secs_f64();
    table.add("batches of 1000", format!("{:.0}/s", rate(ours, BATCHES * BATCH * 5)), "", None);
    table.add("batches of 1000 ÷ SQLite", format!("{ratio:.1}"), "≥ 2.2", Some(ratio >= 2.2));

    sweep(table, &engine, no, &fjall, &sqlite);
}

fn sweep(
    table: &mut Table,
    engine: &ttl_explorer::engine::Engine,
    no: ttl_explorer::store::ContainerNo,
    fjall: &Fjall,
    sqlite: &Sqlite,
) {
    // All the same keys: the same number of items, each with one entry in an index.
    let total = 200_000u64;
    let stored = engine.store().snapshot().unwrap().counts(no).unwrap().items();
    for from in (0..total).step_by(1_000) {
        let mut batch = fjall.batch(2_000);
        for n in from..from + 1_000 {
            batch.insert(&fjall.items, key(no.0, n), document(n, Some(ttl(n))).into_bytes());
            batch.insert(&fjall.index, entry(no.0, n), Vec::new());
        }
        batch.commit().unwrap();
    }
    let rows: u64 = sqlite.0.query_row("SELECT COUNT(*) FROM items", [], |row| row.get::<_, i64>(0)).unwrap() as u64;
    let mut order: Vec<u64> = (0..total).collect();
    order.sort_by_key(|n| entry(no.0, *n));
    let (mut ours, mut bare, mut lite) = ((Duration::ZERO, 0u64), (Duration::ZERO, 0u64), (Duration::ZERO, 0u64));
    let mut position = 0;
    // In turns of 20,000 until the shortest has run out.
    while ours.1 + 20_000 <= stored && bare.1 + 20_000 <= total && lite.1 + 20_000 <= rows {
        ours.0 += time(|| {
            for _ in 0..20_000 / SWEEP {
                let range = || Some(SweepRange { inherit_through: None, own_through: Some(i64::MAX) });
                assert_eq!(engine.store().sweep(no, range, SWEEP, |_| {}).unwrap().entries.len(), SWEEP);
            }
        })
        .0;
        ours.1 += 20_000;
        bare.0 += time(|| {
            for _ in 0..20_000 / SWEEP {
                let mut batch = fjall.batch(SWEEP * 2);
                for n in &order[position..position + SWEEP] {
                    batch.remove(&fjall.items, key(no.0, *n));
                    batch.remove(&fjall.index, entry(no.0, *n));
                }
                batch.commit().unwrap();
                position += SWEEP;
            }
        })
        .0;
        bare.1 += 20_000;
        lite.0 += time(|| {
            for _ in 0..20_000 / SWEEP {
                assert_eq!(sqlite.delete_due(i64::MAX, SWEEP), SWEEP);
            }
        })
        .0;
        lite.1 += 20_000;
    }
    let per = |(spent, n): (Duration, u64)| spent.as_secs_f64() / n as f64;
    table.add("sweep", format!("{:.0}/s", 1.0 / per(ours)), "", None);
    let ratio = per(bare) / per(ours);
    table.add("sweep ÷ fjall deleting blindly", format!("{ratio:.2}"), "≥ 0.8", Some(ratio >= 0.8));
    let ratio = per(lite) / per(ours);
    table.add("sweep ÷ SQLite, the same batches", format!("{ratio:.1}"), "≥ 3.5", Some(ratio >= 3.5));
}
