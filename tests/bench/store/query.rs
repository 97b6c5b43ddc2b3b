//! A filter over everything, beside parsing the same bytes with serde_json alone. The two take turns.

use std::time::Duration;

use ttl_explorer::domain::nosql::DefaultTtl;

use crate::{Table, engine, time};

const ITEMS: usize = 1_000_000;
const ROUNDS: usize = 3;

/// A document of 300 bytes.
fn document(n: usize) -> String {
    let head = format!(
        "{{\"id\":\"item-{n:010}\",\"pk\":\"p-{:04}\",\"n\":{n},\"active\":{},",
        n % 1_000,
        n.is_multiple_of(3)
    );
    let middle = format!("\"owner\":{{\"name\":\"user {}\",\"age\":{}}},\"tags\":[\"a\",\"b\",{n}],", n % 977, n % 90);
    let fill = 300 - head.len() - middle.len() - "\"text\":\"\"}".len();
    format!("{head}{middle}\"text\":\"{}\"}}", "x".repeat(fill))
}

pub fn run(table: &mut Table) {
    let dir = tempfile::tempdir().unwrap();
    let (engine, no) = engine(dir.path(), DefaultTtl::NoDefault);
    let bodies: Vec<String> = (0..ITEMS).map(document).collect();
    engine.create_items(no, &bodies, |_, refusal| panic!("{refusal}")).unwrap();
    let (mut parsing, mut filtering, mut counting) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    for _ in 0..ROUNDS {
        parsing += time(|| {
            let members = bodies.iter().map(|body| serde_json::from_str::<serde_json::Value>(body).unwrap());
            assert_eq!(members.filter(|value| value["n"].is_null()).count(), 0);
        })
        .0;
        filtering += time(|| {
            let found = engine.filter_items(no, "WHERE c.owner.age > 88 AND c.active", usize::MAX, &mut |_| true);
            assert_eq!(found.unwrap().read, ITEMS as u64);
        })
        .0;
        counting += time(|| {
            let query = "SELECT c.owner.age, COUNT(1) AS n FROM c GROUP BY c.owner.age";
            assert_eq!(engine.query(no, query, usize::MAX, &mut |_| true).unwrap().rows.len(), 90);
        })
        .0;
    }
    let rate = |took: Duration| (ITEMS * ROUNDS) as f64 / took.as_secs_f64();
    let ratio = rate(filtering) / rate(parsing);
    table.add("a filter over a million items of 300 B", format!("{:.0}/s", rate(filtering)), "", None);
    table.add("filter ÷ serde_json parsing the same bytes", format!("{ratio:.2}"), "≥ 0.5", Some(ratio >= 0.5));
    let ratio = rate(counting) / rate(parsing);
    table.add("GROUP BY over them ÷ parsing", format!("{ratio:.2}"), "", None);
}
