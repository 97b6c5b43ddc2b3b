//! What must cost the same whatever is stored: sweeping a few, changing a default, what expires next, opening.

use std::time::Duration;

use ttl_explorer::domain::nosql::{DefaultTtl, PartitionKey};
use ttl_explorer::engine::{CountdownAnchor, CountdownRequest, Engine, EngineOptions, Scope};

use crate::{Table, document, engine, millis, time};

/// A small document: about 150 bytes.
fn small(n: u64, ttl: Option<u32>) -> String {
    let ttl = ttl.map_or(String::new(), |ttl| format!("\"ttl\": {ttl}, "));
    format!("{{\"id\": \"item-{n:010}\", \"pk\": \"p-{:04}\", {ttl}\"text\": \"{}\"}}", n % 1_000, "x".repeat(80))
}

pub fn run(table: &mut Table, large: u64) {
    let few = sweep_of_1000(100_000).0;
    let (many, dir, engine, no) = {
        let (took, dir, engine, no) = sweep_of_1000(large);
        (took, dir, engine, no)
    };
    let ratio = many.as_secs_f64() / few.as_secs_f64();
    table.add(
        format!("sweeping 1,000 of {large} ÷ of 100,000"),
        format!("{ratio:.2} ({:.1} and {:.1} ms)", millis(many), millis(few)),
        "≤ 1.3",
        Some(ratio <= 1.3),
    );

    let changes = 200;
    let took = time(|| {
        for n in 0..changes {
            engine
                .set_default_ttl(no, if n % 2 == 0 { DefaultTtl::Seconds(1_000_000) } else { DefaultTtl::NoDefault })
                .unwrap();
        }
    })
    .0 / changes;
    table.add("changing the default", format!("{:.3} ms", millis(took)), "≤ 0.1 ms", Some(millis(took) <= 0.1));

    engine.set_default_ttl(no, DefaultTtl::Seconds(1_000_000)).unwrap();
    let preview = time(|| engine.preview_ttl(no, DefaultTtl::Seconds(1)).unwrap());
    table.add(
        "how many will go, counted to 100,000",
        format!(
            "{:.0} ms, {}{}",
            millis(preview.0),
            preview.1.expire_at_once.n,
            if preview.1.expire_at_once.more { " and more" } else { "" }
        ),
        "≤ 50 ms",
        Some(millis(preview.0) <= 50.0),
    );
    let next = next_50(&engine);
    table.add("the next 50 to expire", format!("{:.2} ms", millis(next)), "≤ 1 ms", Some(millis(next) <= 1.0));

    engine.close().unwrap();
    drop(engine);
    let (took, engine) = time(|| open(dir.path()));
    table.add(
        format!("opening with {large} items"),
        format!("{:.0} ms", millis(took)),
        "≤ 100 ms",
        Some(millis(took) <= 100.0),
    );
    let next = next_50(&engine);
    table.add("the next 50 after a restart", format!("{:.2} ms", millis(next)), "≤ 1 ms", Some(millis(next) <= 1.0));
    if let Some(resident) = resident_megabytes() {
        table.add("resident, open and looked at", format!("{resident} MB"), "≤ 150 MB", None);
    }

    // A million go at once: what is next, how long an opening takes, what the disk says.
    let gone = 1_000_000.min(large);
    engine.set_default_ttl(no, DefaultTtl::Seconds(1)).unwrap();
    std::thread::sleep(Duration::from_secs(2));
    let mut left = gone;
    while left > 0 {
        let range = || Some(ttl_explorer::store::SweepRange { inherit_through: Some(i64::MAX), own_through: None });
        let swept = engine.store().sweep(no, range, 1_000, |_| {}).unwrap().entries.len() as u64;
        left = if swept == 0 { 0 } else { left.saturating_sub(swept) };
    }
    engine.set_default_ttl(no, DefaultTtl::Seconds(1_000_000)).unwrap();
    let next = next_50(&engine);
    table.add(
        "the next 50 after a million deletions",
        format!("{:.2} ms", millis(next)),
        "≤ 1 ms",
        Some(millis(next) <= 1.0),
    );
    engine.close().unwrap();
    drop(engine);
    let (took, engine) = time(|| open(dir.path()));
    table.add(
        "opening after a sweep of a million",
        format!("{:.0} ms", millis(took)),
        "≤ 100 ms",
        Some(millis(took) <= 100.0),
    );
    let counts = engine.store().snapshot().unwrap().counts(no).unwrap();
    let took = time(|| engine.store().maintain(counts.items()).unwrap()).0;
    let disk = allocated(dir.path());
    let live = counts.items() * 190;
    let room = live * 13 / 10 + 80_000_000;
    table.add(
        "disk after everything was compacted",
        format!("{} MB for {} MB live, {:.1} s", disk / 1_000_000, live / 1_000_000, took.as_secs_f64()),
        "≤ 1.3 × live + 80 MB",
        Some(disk <= room),
    );
    many_containers(table);
}

fn open(dir: &std::path::Path) -> Engine {
    Engine::open(dir, EngineOptions { background: false, ..EngineOptions::default() }).unwrap()
}

/// Sweeps 1,000 expired items among so many live ones; the median of five.
fn sweep_of_1000(live: u64) -> (Duration, tempfile::TempDir, Engine, ttl_explorer::engine::ContainerNo) {
    let dir = tempfile::tempdir().unwrap();
    let (engine, no) = engine(dir.path(), DefaultTtl::NoDefault);
    for from in (0..live).step_by(10_000) {
        let bodies: Vec<String> = (from..from + 10_000).map(|n| small(n, None)).collect();
        engine.create_items(no, &bodies, |_, refusal| panic!("{refusal}")).unwrap();
    }
    // Reopened, so that no compaction of the load is still at work.
    engine.close().unwrap();
    drop(engine);
    let engine = open(dir.path());
    let mut times: Vec<Duration> = (0..5)
        .map(|round| {
            let bodies: Vec<String> = (0..1_000).map(|n| small(live + round * 1_000 + n, Some(1))).collect();
            engine.create_items(no, &bodies, |_, refusal| panic!("{refusal}")).unwrap();
            std::thread::sleep(Duration::from_secs(2));
            time(|| assert_eq!(engine.sweep_now().unwrap().iter().map(|report| report.deleted).sum::<u64>(), 1_000)).0
        })
        .collect();
    times.sort_unstable();
    (times[2], dir, engine, no)
}

fn next_50(engine: &Engine) -> Duration {
    let request = CountdownRequest { scope: Scope::Everything, anchor: CountdownAnchor::Now, before: 0, after: 50 };
    let mut times: Vec<Duration> = (0..21).map(|_| time(|| engine.countdown(&request).unwrap()).0).collect();
    times.sort_unstable();
    times[10]
}

fn many_containers(table: &mut Table) {
    let dir = tempfile::tempdir().unwrap();
    let (engine, _) = engine(dir.path(), DefaultTtl::Off);
    let database = engine.catalog().databases["db"].no;
    let containers = 100_000;
    let took = time(|| {
        for n in 0..containers {
            let key = PartitionKey::new(["/pk"]).unwrap();
            let no = engine.create_container(database, &format!("c{n:06}"), key, DefaultTtl::NoDefault).unwrap();
            engine.create_item(no, &document(n, Some(10_000 + n as u32))).unwrap();
        }
    })
    .0;
    table.add(
        format!("making {containers} containers, an item in each"),
        format!("{:.1} s", took.as_secs_f64()),
        "",
        None,
    );
    let next = next_50(&engine);
    table.add(
        "the next 50 over 100,000 containers",
        format!("{:.2} ms", millis(next)),
        "≤ 1 ms",
        Some(millis(next) <= 1.0),
    );
    let totals = time(|| engine.totals(Scope::Everything).unwrap()).0;
    table.add("the totals of 100,000 containers", format!("{:.0} ms", millis(totals)), "", None);
    engine.close().unwrap();
    drop(engine);
    let took = time(|| open(dir.path())).0;
    table.add("opening with 100,000 containers", format!("{:.0} ms", millis(took)), "", None);
}

/// Megabytes of memory that this process has resident; Linux tells it.
fn resident_megabytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes / 1_000)
}

/// Bytes of allocated blocks below a directory: a journal is laid out in advance and mostly holes.
fn allocated(dir: &std::path::Path) -> u64 {
    use std::os::unix::fs::MetadataExt;
    std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            if path.is_dir() { allocated(&path) } else { std::fs::metadata(&path).unwrap().blocks() * 512 }
        })
        .sum()
}
