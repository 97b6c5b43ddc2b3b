//! `clock`: what the store's clock shows, and moving it.

use serde_json::json;

use crate::domain::clock::{Rate, Target};
use crate::domain::{Instant, Refusal, words};
use crate::engine::{ClockSetting, ClockState, Engine, JumpPreview, Scope};

use super::args::ClockCommand;
use super::context::{Context, confirm, rfc_3339};
use super::{CliError, Output};

/// Runs one of its tasks.
///
/// # Errors
/// A rate or an instant that cannot be read; a move back; no confirmation.
pub fn run(context: &mut Context<'_>, command: &ClockCommand) -> Result<(), CliError> {
    if context.has_instant() {
        return Err(CliError::Usage("--at is the present of one command, whatever the clock shows".to_owned()));
    }
    let state = context.engine.clock_state();
    let setting = ClockSetting { rate: state.rate, paused: state.paused, to: None };
    match command {
        ClockCommand::Show => {}
        ClockCommand::Pause => context.engine.set_clock(ClockSetting { paused: true, ..setting })?,
        ClockCommand::Run { rate } => {
            let rate = rate.as_deref().map_or(Ok(state.rate), parse_rate)?;
            context.engine.set_clock(ClockSetting { rate, paused: false, to: None })?;
        }
        ClockCommand::Jump { to, yes } => {
            let to = parse_target(&context.engine, to)?;
            let preview = context.engine.preview_jump(to)?;
            agree(&preview, *yes, "jump")?;
            context.engine.set_clock(ClockSetting { to: Some(to), ..setting })?;
            eprintln!("{}", preview.words());
        }
        ClockCommand::Real { yes } => {
            let preview = context.engine.preview_jump(context.engine.real_time())?;
            agree(&preview, *yes, "real")?;
            context.engine.reset_clock()?;
            eprintln!("{}", preview.words());
        }
    }
    show(&context.engine, &mut context.out)
}

fn show(engine: &Engine, out: &mut Output<'_>) -> Result<(), CliError> {
    let ClockState { moved, rate, paused } = engine.clock_state();
    let fields = [
        ("now", json!(rfc_3339(engine.now()))),
        ("realTime", json!(rfc_3339(engine.real_time()))),
        ("moved", json!(moved)),
        ("rate", json!(rate.to_string())),
        ("paused", json!(paused)),
    ];
    Ok(out.object(&fields)?)
}

/// What the clock shows and how it runs: `2027-01-01 12:00:00, ×60`.
pub fn in_words(engine: &Engine) -> String {
    let state = engine.clock_state();
    let how = if state.paused { "paused".to_owned() } else { state.rate.to_string() };
    format!("{}, {how}", words::instant(engine.now(), Instant::MIN))
}

fn parse_rate(text: &str) -> Result<Rate, CliError> {
    Rate::parse(text).ok_or_else(|| {
        CliError::Usage(format!("`{text}` is no rate: write 1, 60, 3600, 0.5; three decimals, at most {}", Rate::MAX))
    })
}

fn parse_target(engine: &Engine, text: &str) -> Result<Instant, CliError> {
    let target = Target::parse(text)
        .ok_or_else(|| CliError::Usage(format!("`{text}` is no jump: write +30d, next, or 2027-01-01T12:00:00Z")))?;
    let next = engine.totals(Scope::Everything)?.next;
    let to = target.instant(engine.now(), next);
    to.ok_or_else(|| Refusal::bad_request("Nothing expires: there is no next expiry to jump to.").into())
}

/// What is deleted is agreed to first.
fn agree(preview: &JumpPreview, yes: bool, word: &str) -> Result<(), CliError> {
    if preview.delete.n == 0 {
        return Ok(());
    }
    confirm(yes, &format!("What is deleted then ({})", preview.delete.words("item")), word)
}
