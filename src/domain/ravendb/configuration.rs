//! The configuration of Document Expiration, one for a database.

use crate::domain::json::{Scanned, scan_object};
use crate::domain::{Refusal, words};

/// Seconds between two runs when the configuration does not say.
pub const DEFAULT_FREQUENCY: u32 = 60;
/// What the Studio's form starts with when the number of documents is limited.
pub const DEFAULT_MAX_ITEMS: i64 = 65_536;

const DISABLED: &str = "Disabled";
const FREQUENCY: &str = "DeleteFrequencyInSec";
const MAX_ITEMS: &str = "MaxItemsToProcess";

/// A configuration that was saved. None at all means disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Configuration {
    /// Nothing is deleted; `@expires` is tracked all the same.
    pub disabled: bool,
    /// Seconds between two runs; the default when it is not there.
    pub delete_frequency: Option<i64>,
    /// How many documents one run deletes at most; all that are due when it is not there. With 0 or less it deletes none.
    pub max_items: Option<i64>,
}

impl Configuration {
    /// Seconds between two runs.
    pub fn frequency(&self) -> u32 {
        self.delete_frequency.map_or(DEFAULT_FREQUENCY, |secs| u32::try_from(secs.max(1)).unwrap_or(u32::MAX))
    }

    /// How many documents one run deletes at most; `None` for all that are due.
    pub fn most(&self) -> Option<u64> {
        self.max_items.map(|most| u64::try_from(most).unwrap_or(0))
    }

    /// What the server checks when it is saved for the database of this name.
    ///
    /// # Errors
    /// The server's refusal of a frequency that is not positive, also of a disabled configuration.
    pub fn check(&self, database: &str) -> Result<(), Refusal> {
        if self.delete_frequency.is_some_and(|secs| secs <= 0) {
            return Err(Refusal::bad_request(format!(
                "Expiration delete frequency for database '{database}' must be greater than 0."
            )));
        }
        Ok(())
    }

    /// The configuration in the JSON object of the client API, and remarks about names in it that mean nothing. As the
    /// server reads it: a missing `Disabled` means enabled, `1.5` counts as 1, `"10"` as 10, null as the default.
    ///
    /// # Errors
    /// What is wrong with the text, with its place.
    pub fn from_json(text: &str) -> Result<(Configuration, Vec<String>), Refusal> {
        let object = scan_object(text)?;
        let disabled = match object.member(DISABLED).map(|member| member.value) {
            None | Some("false" | "null") => false,
            Some("true") => true,
            Some(other) => {
                let words = format!("`{DISABLED}` is {other}: it is true or false.");
                return Err(placed(Refusal::bad_request(words), &object, DISABLED));
            }
        };
        let configuration = Configuration {
            disabled,
            delete_frequency: whole_number(&object, FREQUENCY)?,
            max_items: whole_number(&object, MAX_ITEMS)?,
        };
        let known = [DISABLED, FREQUENCY, MAX_ITEMS];
        let remark = |name: &str| match known.iter().find(|known| known.eq_ignore_ascii_case(name)) {
            Some(meant) => format!("`{name}` has no effect; did you mean `{meant}`?"),
            None => format!("`{name}` has no effect."),
        };
        let names = object.members.iter().map(|member| &*member.name);
        Ok((configuration, names.filter(|name| !known.contains(name)).map(remark).collect()))
    }

    /// The JSON object of the client API.
    pub fn to_json(&self) -> String {
        let number = |n: Option<i64>| n.map_or("null".to_owned(), |n| n.to_string());
        format!(
            "{{\n    \"{DISABLED}\": {},\n    \"{FREQUENCY}\": {},\n    \"{MAX_ITEMS}\": {}\n}}",
            self.disabled,
            number(self.delete_frequency),
            number(self.max_items)
        )
    }

    /// One line: `on · every 60 s · up to 65,536 documents a run`.
    pub fn words(configuration: Option<&Configuration>) -> String {
        match configuration {
            None => "off".to_owned(),
            Some(Configuration { disabled: true, .. }) => "off".to_owned(),
            Some(on) => {
                let most = match on.most() {
                    None => "all that are due".to_owned(),
                    Some(0) => "no documents (MaxItemsToProcess is not positive)".to_owned(),
                    Some(most) => format!("up to {}", words::counted(most, "document")),
                };
                format!("on · a run every {} deletes {most}", words::duration(u64::from(on.frequency())))
            }
        }
    }
}

fn placed(refusal: Refusal, object: &Scanned<'_>, name: &str) -> Refusal {
    match object.member(name) {
        Some(member) => refusal.at(object.place_of(member)),
        None => refusal,
    }
}

/// A number as the server takes it: its whole part, also from a string; null and nothing are the default.
fn whole_number(object: &Scanned<'_>, name: &str) -> Result<Option<i64>, Refusal> {
    let Some(json) = object.member(name).map(|member| member.value).filter(|json| *json != "null") else {
        return Ok(None);
    };
    let typed = if json.starts_with('"') { serde_json::from_str::<String>(json).ok() } else { Some(json.to_owned()) };
    let number = typed.as_deref().and_then(|typed| {
        typed.parse::<i64>().ok().or_else(|| {
            let whole = typed.parse::<f64>().ok()?.trunc();
            // Beyond 2^53 a double is no exact number of anything.
            (whole.abs() <= 9_007_199_254_740_992.0).then_some(whole as i64)
        })
    });
    match number {
        Some(number) => Ok(Some(number)),
        None => {
            let words = format!("`{name}` is {json}: it is a whole number, or null for the default.");
            Err(placed(Refusal::bad_request(words), object, name))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Place;
    use rstest::rstest;

    fn read(text: &str) -> Configuration {
        Configuration::from_json(text).expect("read").0
    }

    #[rstest]
    #[case("{}", false, None, None)]
    #[case(r#"{"Disabled": true}"#, true, None, None)]
    #[case(r#"{"Disabled": null}"#, false, None, None)]
    #[case(r#"{"Disabled": false, "DeleteFrequencyInSec": 10, "MaxItemsToProcess": 3}"#, false, Some(10), Some(3))]
    #[case(r#"{"DeleteFrequencyInSec": 1.5}"#, false, Some(1), None)]
    #[case(r#"{"DeleteFrequencyInSec": "10"}"#, false, Some(10), None)]
    #[case(r#"{"DeleteFrequencyInSec": null, "MaxItemsToProcess": null}"#, false, None, None)]
    #[case(r#"{"DeleteFrequencyInSec": 0.5}"#, false, Some(0), None)]
    #[case(r#"{"MaxItemsToProcess": -4}"#, false, None, Some(-4))]
    fn as_the_server_reads_it(
        #[case] text: &str,
        #[case] disabled: bool,
        #[case] delete_frequency: Option<i64>,
        #[case] max_items: Option<i64>,
    ) {
        assert_eq!(read(text), Configuration { disabled, delete_frequency, max_items });
        assert_eq!(read(&read(text).to_json()), read(text));
    }

    #[rstest]
    #[case(r#"{"Disabled": 1}"#, 14)]
    #[case(r#"{"DeleteFrequencyInSec": true}"#, 26)]
    #[case(r#"{"DeleteFrequencyInSec": "soon"}"#, 26)]
    #[case(r#"{"MaxItemsToProcess": 1e300}"#, 23)]
    fn refused_with_the_place(#[case] text: &str, #[case] column: usize) {
        let refusal = Configuration::from_json(text).expect_err("refused");
        assert_eq!(refusal.place, Some(Place { line: 1, column }), "{}", refusal.message);
    }

    #[rstest]
    #[case(0)]
    #[case(-1)]
    fn the_frequency_must_be_positive_also_while_disabled(#[case] secs: i64) {
        for disabled in [false, true] {
            let configuration = Configuration { disabled, delete_frequency: Some(secs), max_items: None };
            let refusal = configuration.check("shop").expect_err("refused");
            assert_eq!(refusal.message, "Expiration delete frequency for database 'shop' must be greater than 0.");
        }
    }

    #[test]
    fn defaults_and_remarks() {
        let (configuration, remarks) = Configuration::from_json(r#"{"disabled": true, "x": 1}"#).expect("read");
        assert_eq!((configuration.frequency(), configuration.most(), configuration.disabled), (60, None, false));
        assert_eq!(remarks, ["`disabled` has no effect; did you mean `Disabled`?", "`x` has no effect."]);
        let nothing = read(r#"{"MaxItemsToProcess": 0}"#);
        assert_eq!((nothing.check("shop"), nothing.most()), (Ok(()), Some(0)));
    }
}
