//! Why a document goes when it does, or stays, in one sentence.

use crate::domain::{Instant, words};

use super::{Configuration, Expires, Schedule};

/// What deletes the expired documents of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleaner {
    /// Nothing: expiration is off.
    Off,
    /// Nothing: the runs come and may delete no document.
    TakesNone,
    /// Runs by the clock.
    Runs {
        /// When they come.
        schedule: Schedule,
        /// How many documents one deletes at most; `None` for all that are due.
        most: Option<u64>,
    },
}

impl Cleaner {
    /// The cleaner of a configuration whose timer is `schedule`.
    pub fn new(configuration: Option<&Configuration>, schedule: Option<Schedule>) -> Cleaner {
        match (configuration, schedule) {
            (Some(Configuration { disabled: false, .. }), Some(schedule)) => {
                match configuration.and_then(Configuration::most) {
                    Some(0) => Cleaner::TakesNone,
                    most => Cleaner::Runs { schedule, most },
                }
            }
            _ => Cleaner::Off,
        }
    }

    /// When the next run comes.
    pub fn next(&self) -> Option<Instant> {
        match self {
            Cleaner::Runs { schedule, .. } => Some(schedule.next()),
            Cleaner::Off | Cleaner::TakesNone => None,
        }
    }
}

/// The fate of a document in words, at `now`. `run` is the run that will delete it, where that is known; `lookalikes` are
/// properties that people take for an `@expires`.
pub fn explain(
    expires: Expires,
    lookalikes: &[String],
    cleaner: Cleaner,
    run: Option<Instant>,
    now: Instant,
) -> String {
    let (at, without_zone) = match expires {
        Expires::Absent => {
            return match lookalikes.first() {
                Some(name) => format!("never: `{name}` has no effect; did you mean `@expires` in `@metadata`?"),
                None => "never: it has no @expires in its @metadata".to_owned(),
            };
        }
        Expires::Untracked(kind) => {
            return format!("never: @expires is {}, not a date in quotes: it is kept and not tracked", kind.words());
        }
        Expires::At { at, without_zone } => (at, without_zone),
    };
    let time = |at: Instant| words::instant(at, now);
    let expired = at <= now;
    let verb = if expired { "expired" } else { "expires" };
    let stays = if expired { "it stays, visible" } else { "it will stay, visible" };
    let end = match (cleaner, run) {
        (Cleaner::Off, _) => format!("expiration is off for this database, {stays}"),
        (Cleaner::TakesNone, _) => format!("MaxItemsToProcess lets the runs delete nothing, {stays}"),
        (Cleaner::Runs { .. }, Some(run)) => format!("visible until the run at {} deletes it", time(run)),
        (Cleaner::Runs { schedule, most: None }, None) => {
            format!("visible until the run at {} deletes it", time(schedule.run_for(at)))
        }
        (Cleaner::Runs { schedule, most: Some(most) }, None) => format!(
            "visible until a run deletes it, at {} at the earliest ({} a run)",
            time(schedule.run_for(at)),
            words::counted(most, "document")
        ),
    };
    let zone = if without_zone { "; its text names no zone: UTC here, a server takes its own" } else { "" };
    format!("{verb} at {} by its @expires: {end}{zone}", time(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ravendb::Untracked;
    use rstest::rstest;

    const NOW: Instant = Instant::from_secs(1_796_248_064); // 21:47:44

    fn runs(most: Option<u64>) -> Cleaner {
        Cleaner::Runs { schedule: Schedule::new(NOW.plus_secs(-10), 60), most }
    }

    fn at(secs: i64) -> Expires {
        Expires::At { at: NOW.plus_secs(secs), without_zone: false }
    }

    #[rstest]
    #[case(
        at(7),
        runs(None),
        None,
        "expires at 21:47:51 by its @expires: visible until the run at 21:48:34 deletes it"
    )]
    #[case(at(-12), runs(None), None, "expired at 21:47:32 by its @expires: visible until the run at 21:48:34 deletes it")]
    #[case(
        at(57),
        runs(None),
        None,
        "expires at 21:48:41 by its @expires: visible until the run at 21:49:34 deletes it"
    )]
    #[case(
        at(7),
        runs(Some(3)),
        None,
        "expires at 21:47:51 by its @expires: visible until a run deletes it, at 21:48:34 at the earliest (3 documents a run)"
    )]
    #[case(
        at(7), runs(Some(3)), Some(NOW.plus_secs(230)),
        "expires at 21:47:51 by its @expires: visible until the run at 21:51:34 deletes it"
    )]
    #[case(
        at(7),
        Cleaner::Off,
        None,
        "expires at 21:47:51 by its @expires: expiration is off for this database, it will stay, visible"
    )]
    #[case(
        at(-7), Cleaner::TakesNone, None,
        "expired at 21:47:37 by its @expires: MaxItemsToProcess lets the runs delete nothing, it stays, visible"
    )]
    #[case(
        Expires::At { at: NOW.plus_secs(7), without_zone: true }, Cleaner::Off, None,
        "expires at 21:47:51 by its @expires: expiration is off for this database, it will stay, visible; its text names \
         no zone: UTC here, a server takes its own"
    )]
    #[case(Expires::Absent, runs(None), None, "never: it has no @expires in its @metadata")]
    #[case(
        Expires::Untracked(Untracked::Number),
        runs(None),
        None,
        "never: @expires is a number, not a date in quotes: it is kept and not tracked"
    )]
    fn sentences(
        #[case] expires: Expires,
        #[case] cleaner: Cleaner,
        #[case] run: Option<Instant>,
        #[case] words: &str,
    ) {
        assert_eq!(explain(expires, &[], cleaner, run, NOW), words);
    }

    #[test]
    fn lookalikes_are_named() {
        let words = explain(Expires::Absent, &["expires".to_owned()], runs(None), None, NOW);
        assert_eq!(words, "never: `expires` has no effect; did you mean `@expires` in `@metadata`?");
    }
}
