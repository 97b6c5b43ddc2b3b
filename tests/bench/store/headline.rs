//! The headline, beside an in-memory store: a million items of 100 bytes, a third each expiring at t, t+1 and t+2
//! seconds. Redis 7 at its defaults in the same run, where `redis-server` is installed.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ttl_explorer::domain::nosql::{DefaultTtl, PartitionKey};
use ttl_explorer::engine::{Api, Engine, EngineOptions, Event};

use crate::{Table, millis};

const ITEMS: u64 = 1_000_000;
const PORT: u16 = 16_399;
/// Loading takes a while; the first third expires this much after the start.
const AHEAD: u64 = 20;

pub fn run(table: &mut Table) {
    let ours = ours();
    table.add(
        "a million items in three seconds: gone after the last instant",
        format!("{:.2} s", ours.as_secs_f64()),
        "",
        None,
    );
    let single = single();
    table.add(
        "a single item: gone after its instant",
        format!("{:.1} ms", millis(single)),
        "≤ 10 ms",
        Some(millis(single) <= 10.0),
    );
    match redis() {
        Some(redis) => table.add(
            "the same in Redis",
            format!("{:.2} s", redis.as_secs_f64()),
            "ours no later",
            Some(ours <= redis),
        ),
        None => table.add("the same in Redis", "not run: redis-server is not installed", "ours no later", None),
    }
}

fn open(dir: &std::path::Path) -> (Engine, ttl_explorer::engine::ContainerNo) {
    let engine = Engine::open(dir, EngineOptions::default()).unwrap();
    engine.set_sweep_delay(0).unwrap();
    let database = engine.create_database("db", Api::NoSql).unwrap();
    let no =
        engine.create_container(database, "c", PartitionKey::new(["/pk"]).unwrap(), DefaultTtl::NoDefault).unwrap();
    (engine, no)
}

fn ours() -> Duration {
    let dir = tempfile::tempdir().unwrap();
    let (engine, no) = open(dir.path());
    let t = engine.now().secs() + AHEAD as i64;
    let events = engine.subscribe();
    for from in (0..ITEMS).step_by(10_000) {
        // Counted from the second of the write, so that all of a third expire at one instant.
        let left = t - engine.now().secs();
        let bodies: Vec<String> = (from..from + 10_000)
            .map(|n| {
                let ttl = left + (n % 3) as i64;
                format!(
                    "{{\"id\": \"{n:010}\", \"pk\": \"{}\", \"ttl\": {ttl}, \"x\": \"{}\"}}",
                    n % 100,
                    "x".repeat(40)
                )
            })
            .collect();
        engine.create_items(no, &bodies, |_, refusal| panic!("{refusal}")).unwrap();
    }
    assert!(engine.now().secs() < t, "loading took longer than {AHEAD} s");
    let mut deleted = 0;
    let last = loop {
        if let Event::Swept(report) = events.recv_timeout(Duration::from_secs(60)).expect("the sweeper works") {
            deleted += report.deleted;
            if deleted == ITEMS {
                break report.at;
            }
        }
    };
    engine.close().unwrap();
    let after = last.ticks_since(ttl_explorer::domain::Instant::from_secs(t + 2)).max(0);
    Duration::from_micros(after as u64 / 10)
}

fn single() -> Duration {
    let dir = tempfile::tempdir().unwrap();
    let (engine, no) = open(dir.path());
    let events = engine.subscribe();
    let mut worst = 0;
    for n in 0..5 {
        engine.create_item(no, &format!("{{\"id\": \"{n}\", \"pk\": 1, \"ttl\": 1}}")).unwrap();
        loop {
            if let Event::Swept(report) = events.recv_timeout(Duration::from_secs(60)).expect("the sweeper works") {
                worst = worst.max(report.latest);
                break;
            }
        }
    }
    engine.close().unwrap();
    Duration::from_micros(worst as u64 / 10)
}

/// A client of the RESP protocol, as far as it is needed.
struct Client(BufReader<TcpStream>);

impl Client {
    fn send(&mut self, bytes: &[u8]) {
        self.0.get_mut().write_all(bytes).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        line
    }
}

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn redis() -> Option<Duration> {
    let server = Command::new("redis-server")
        .args(["--port", &PORT.to_string(), "--bind", "127.0.0.1", "--save", ""])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let _server = Server(server);
    let started = Instant::now();
    let stream = loop {
        match TcpStream::connect(("127.0.0.1", PORT)) {
            Ok(stream) => break stream,
            Err(_) if started.elapsed() < Duration::from_secs(5) => std::thread::yield_now(),
            Err(_) => return None,
        }
    };
    let mut client = Client(BufReader::new(stream));
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let t = now + AHEAD;
    for from in (0..ITEMS).step_by(10_000) {
        let mut pipeline = Vec::new();
        for n in from..from + 10_000 {
            let at = (t + n % 3).to_string();
            let (key, value) = (format!("{n:010}"), "x".repeat(100));
            write!(
                pipeline,
                "*5\r\n$3\r\nSET\r\n$10\r\n{key}\r\n$100\r\n{value}\r\n$4\r\nEXAT\r\n${}\r\n{at}\r\n",
                at.len()
            )
            .unwrap();
        }
        client.send(&pipeline);
        for _ in 0..10_000 {
            assert!(client.line().starts_with("+OK"));
        }
    }
    loop {
        client.send(b"*1\r\n$6\r\nDBSIZE\r\n");
        let size: u64 = client.line().trim_start_matches(':').trim().parse().unwrap();
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        if size == 0 {
            return Some(now.saturating_sub(Duration::from_secs(t + 2)));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
