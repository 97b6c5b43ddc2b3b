//! The clock: its dialog, what a jump would do, and what follows when it was moved.

use crate::domain::clock::{Rate, Target};
use crate::domain::{Instant, Refusal, words};
use crate::engine::{ClockSetting, ClockState, JumpPreview, Scope};

use crate::app::console::Kind;
use crate::app::dialog::{ClockForm, Dialog, Question};
use crate::app::{ClockMove, Command, Effect, Model, Read};

use super::{ask, done, reads, refused};

/// What the dialog says is done: at once, or after it is known what the jump would delete.
pub fn set(model: &mut Model, effects: &mut Vec<Effect>) -> Result<(), String> {
    let Some(dialog) = model.dialogs.last_mut() else { return Ok(()) };
    let setting = read(dialog, model.now, model.totals.get(&Scope::Everything).and_then(|totals| totals.next))?;
    if setting.to.is_some() {
        dialog.remark = Some("Counting what expires until then…".to_owned());
        effects.push(Effect::Read(Read::Jump(ClockMove::To(setting))));
        return Ok(());
    }
    model.dialogs.pop();
    let ClockState { rate, paused, .. } = model.clock;
    if (setting.rate, setting.paused) != (rate, paused) {
        effects.push(Effect::Do(Command::MoveClock(ClockMove::To(setting))));
    }
    Ok(())
}

fn read(dialog: &Dialog, now: Instant, next: Option<Instant>) -> Result<ClockSetting, String> {
    let typed = dialog.value(ClockForm::RATE);
    let rate = Rate::parse(typed)
        .ok_or_else(|| format!("`{typed}` is not a speed: write 1, 60, 3600 or 0.5; at most {}.", Rate::MAX))?;
    let paused = dialog.selected(ClockForm::STATE) == ClockForm::PAUSED;
    let typed = dialog.value(ClockForm::JUMP).trim();
    if typed.is_empty() {
        return Ok(ClockSetting { rate, paused, to: None });
    }
    let target = Target::parse(typed).ok_or_else(|| {
        format!("`{typed}` is not a jump: write +30 d, next for the next expiry, or 2027-01-01T12:00:00Z.")
    })?;
    let to = target.instant(now, next).ok_or("Nothing expires: there is no next expiry to jump to.")?;
    if to < now {
        return Err("The clock only goes forward; back is only the way to the real time.".to_owned());
    }
    Ok(ClockSetting { rate, paused, to: Some(to) })
}

/// Asks what going back to the real time would do.
pub fn ask_real(effects: &mut Vec<Effect>) {
    effects.push(Effect::Read(Read::Jump(ClockMove::Real)));
}

/// What a move would do is known. It is asked about when it deletes something, or goes back to the real time.
pub fn previewed(model: &mut Model, effects: &mut Vec<Effect>, to: ClockMove, result: Result<JumpPreview, Refusal>) {
    // The dialog may be closed meanwhile: then nobody waits for it.
    if !matches!(model.dialogs.last(), Some(dialog) if dialog.question == Question::Clock) {
        return;
    }
    match result {
        Ok(preview) => {
            model.dialogs.pop();
            if to == ClockMove::Real || preview.delete.n > 0 {
                model.dialogs.push(ask::jump(to, &preview, model.sweeper.paused));
            } else {
                done(model, preview.words());
                effects.push(Effect::Do(Command::MoveClock(to)));
            }
        }
        Err(refusal) => {
            if let Some(dialog) = model.dialogs.last_mut() {
                dialog.remark = None;
                dialog.error = Some(refusal.in_full());
            }
        }
    }
}

/// The clock was moved, or not.
pub fn moved(model: &mut Model, result: Result<(), Refusal>) {
    if let Err(refusal) = result {
        refused(model, "The clock was not moved", &refusal);
    }
}

/// The clock runs another way: everything that hangs on the time is looked at again.
pub fn changed(model: &mut Model, effects: &mut Vec<Effect>, state: ClockState) {
    model.clock = state;
    let at = words::instant(model.now, Instant::MIN);
    let text = match state {
        ClockState { moved: false, .. } => format!("The clock shows the real time: {at}."),
        ClockState { paused: true, .. } => format!("The clock stands still at {at}."),
        ClockState { rate, .. } => format!("The clock shows {at} and runs {rate}."),
    };
    model.console.push(model.now, Kind::Done, text);
    let known: Vec<Scope> = model.totals.keys().copied().collect();
    model.totals_stale.extend(known);
    model.timeline.invalidate();
    if model.container.is_some() {
        reads::items_changed(model, effects);
    }
    reads::countdown_changed(model, effects);
    reads::preview(model, effects);
}
