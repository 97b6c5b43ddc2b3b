//! `check`: verifies the invariants of the store, and mends what can be rebuilt.

use std::io::Write;

use crate::engine::{Engine, EngineError};

/// Prints what is found; says whether the store is sound now.
pub fn run(engine: &Engine, repair: bool, out: &mut impl Write) -> Result<bool, EngineError> {
    let store = engine.store();
    let findings = store.check(&mut |_| {})?;
    for finding in &findings {
        print(out, &finding.to_string());
    }
    if findings.is_empty() {
        print(out, "The store is sound.");
        return Ok(true);
    }
    if !repair {
        print(out, "check --repair rebuilds the expiry index and the counts from the items.");
        return Ok(false);
    }
    store.repair()?;
    let left = store.check(&mut |_| {})?;
    for finding in &left {
        print(out, &format!("not mended: {finding}"));
    }
    print(
        out,
        if left.is_empty() { "Mended: index and counts are rebuilt." } else { "Some of it could not be mended." },
    );
    Ok(left.is_empty())
}

/// A pipe that closed ends the talk, not the work.
fn print(out: &mut impl Write, line: &str) {
    let _ = writeln!(out, "{line}");
}
