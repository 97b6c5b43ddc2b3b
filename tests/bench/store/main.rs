//! The store at its limit, beside its peers in the same run: fjall alone, SQLite, and Redis where it is installed.
//!
//! `cargo bench` runs the quick form (a million items); `cargo bench -- --long` the one with ten million. Ratios count,
//! not rates: machines differ, and are noisy. A peer that is absent is "not run".

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod beside;
mod flat;
mod headline;
mod peers;
mod query;
mod rates;
mod transfer;

use std::time::{Duration, Instant};

use ttl_explorer::domain::nosql::{DefaultTtl, PartitionKey};
use ttl_explorer::engine::{Api, ContainerNo, Engine, EngineOptions};

/// A goal and what was measured.
pub struct Line {
    pub what: String,
    pub measured: String,
    pub goal: &'static str,
    pub passed: Option<bool>,
}

/// The table, as it grows.
#[derive(Default)]
pub struct Table(Vec<Line>);

impl Table {
    pub fn add(
        &mut self,
        what: impl Into<String>,
        measured: impl Into<String>,
        goal: &'static str,
        passed: Option<bool>,
    ) {
        let line = Line { what: what.into(), measured: measured.into(), goal, passed };
        let mark = match line.passed {
            Some(true) => "passed",
            Some(false) => "SHORT",
            None => "",
        };
        println!("| {} | {} | {} | {mark} |", line.what, line.measured, line.goal);
        self.0.push(line);
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let long = args.iter().any(|arg| arg == "--long");
    let only = args.iter().position(|arg| arg == "--only").and_then(|at| args.get(at + 1)).cloned();
    let wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    println!("{cores} cores{}\n", if long { ", long form" } else { "" });
    println!("| what | measured | goal | |\n|---|---|---|---|");
    let mut table = Table::default();
    if wanted("rates") {
        rates::run(&mut table);
    }
    if wanted("beside") {
        beside::run(&mut table);
    }
    if wanted("flat") {
        flat::run(&mut table, if long { 10_000_000 } else { 1_000_000 });
    }
    if wanted("headline") {
        headline::run(&mut table);
    }
    if wanted("query") {
        query::run(&mut table);
    }
    if wanted("transfer") {
        transfer::run(&mut table);
    }
    let short = table.0.iter().filter(|line| line.passed == Some(false)).count();
    println!("\n{} goals measured, {short} short", table.0.iter().filter(|line| line.passed.is_some()).count());
}

/// An engine without threads on a fresh directory, with one container.
pub fn engine(dir: &std::path::Path, ttl: DefaultTtl) -> (Engine, ContainerNo) {
    let options = EngineOptions { background: false, ..EngineOptions::default() };
    let engine = Engine::open(dir, options).unwrap();
    let database = engine.create_database("db", Api::NoSql).unwrap();
    let no = engine.create_container(database, "c", PartitionKey::new(["/pk"]).unwrap(), ttl).unwrap();
    (engine, no)
}

/// A document of about 300 bytes.
pub fn document(n: u64, ttl: Option<u32>) -> String {
    let ttl = ttl.map_or(String::new(), |ttl| format!("\"ttl\": {ttl}, "));
    format!(
        "{{\"id\": \"item-{n:010}\", \"pk\": \"p-{:04}\", {ttl}\"name\": \"Ada Lovelace\", \"mail\": \"ada{n}@example.org\", \
         \"text\": \"{}\", \"price\": 12.50, \"tags\": [\"a\", \"b\"]}}",
        n % 1_000,
        "lorem ipsum dolor sit amet ".repeat(6)
    )
}

/// How long it takes.
pub fn time<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let started = Instant::now();
    let value = work();
    (started.elapsed(), value)
}

/// The value below which so many of the values lie.
pub fn percentile(values: &mut [Duration], share: f64) -> Duration {
    values.sort_unstable();
    values[((values.len() - 1) as f64 * share) as usize]
}

pub fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1_000.0
}
