//! A document of a source as it is stored: its id, its time to live, the instant of its last write.

use std::borrow::Cow;

use chrono::{DateTime, Utc};

use crate::domain::json::{scan_object, set_members};
use crate::domain::ravendb::set_expires;
use crate::domain::{Instant, Refusal};
use crate::engine::Api;

use super::ImportOptions;
use super::split::Piece;

/// The text that is stored, and when it says that it was written, if that is kept.
///
/// # Errors
/// Why it cannot be stored as the options say.
pub fn prepare<'p>(
    piece: &'p Piece,
    api: Api,
    options: &ImportOptions,
    now: Instant,
) -> Result<(Cow<'p, str>, Option<Instant>), Refusal> {
    if piece.too_long {
        return Err(Refusal::new(413, "The document is longer than 20 MB."));
    }
    let mut text = Cow::Borrowed(piece.text.as_str());
    let written = if options.keep_ts { written(&text, api)? } else { None };
    if let Some(field) = &options.id_field {
        text = with_id(&text, field, api)?.into();
    }
    if let Some(secs) = options.ttl {
        let object = scan_object(&text)?;
        text = match api {
            Api::RavenDb => {
                let has = object.member("@metadata").is_some_and(|metadata| {
                    scan_object(metadata.value).is_ok_and(|metadata| metadata.member("@expires").is_some())
                });
                if has { text } else { set_expires(&text, now.plus_secs(i64::from(secs)))?.into() }
            }
            Api::NoSql | Api::MongoDb if object.member("ttl").is_some() => text,
            Api::NoSql | Api::MongoDb => set_members(&object, &[("ttl", secs.to_string())]).into(),
        };
    }
    Ok((text, written))
}

/// When a document says that it was written last.
fn written(text: &str, api: Api) -> Result<Option<Instant>, Refusal> {
    let object = scan_object(text)?;
    match api {
        Api::NoSql | Api::MongoDb => {
            let Some(member) = object.member("_ts") else { return Ok(None) };
            let secs = member.value.parse::<i64>().map_err(|_| {
                Refusal::bad_request(format!("`_ts` is {}: whole seconds since 1970 are kept.", member.value))
            })?;
            Ok(Some(Instant::from_secs(secs)))
        }
        Api::RavenDb => {
            let Some(metadata) = object.member("@metadata") else { return Ok(None) };
            let metadata = scan_object(metadata.value)?;
            let Some(member) = metadata.member("@last-modified") else { return Ok(None) };
            let text: String = serde_json::from_str(member.value).unwrap_or_default();
            let at = DateTime::parse_from_rfc3339(&text).map_err(|_| {
                Refusal::bad_request(format!("`@last-modified` is {}: it is no instant.", member.value))
            })?;
            Ok(Some(at.with_timezone(&Utc).into()))
        }
    }
}

/// The document with the id that a field has: a number becomes text where an id is text.
fn with_id(text: &str, field: &str, api: Api) -> Result<String, Refusal> {
    let object = scan_object(text)?;
    let Some(member) = object.member(field) else {
        return Err(Refusal::bad_request(format!("There is no field `{field}` for the id.")));
    };
    let as_text = if member.value.starts_with('"') {
        member.value.to_owned()
    } else {
        serde_json::Value::from(member.value).to_string()
    };
    Ok(match api {
        Api::NoSql => set_members(&object, &[("id", as_text)]),
        Api::MongoDb => set_members(&object, &[("_id", member.value.to_owned())]),
        Api::RavenDb => {
            let id: String = serde_json::from_str(&as_text).unwrap_or_default();
            crate::domain::ravendb::with_id(text, &id)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_becomes_the_id() {
        let text = r#"{"n": 7, "s": "x"}"#;
        assert_eq!(with_id(text, "n", Api::NoSql).expect("made"), r#"{"n": 7, "s": "x", "id": "7"}"#);
        assert_eq!(with_id(text, "n", Api::MongoDb).expect("made"), r#"{"n": 7, "s": "x", "_id": 7}"#);
        assert!(with_id(text, "s", Api::RavenDb).expect("made").contains("\"@id\": \"x\""));
        assert!(with_id(text, "none", Api::NoSql).is_err());
    }

    #[test]
    fn the_instant_of_the_last_write_is_read() {
        assert_eq!(written(r#"{"_ts": 5}"#, Api::NoSql), Ok(Some(Instant::from_secs(5))));
        assert_eq!(written("{}", Api::NoSql), Ok(None));
        assert!(written(r#"{"_ts": "5"}"#, Api::NoSql).is_err());
        let raven = r#"{"@metadata": {"@last-modified": "1970-01-01T00:00:05.0000000Z"}}"#;
        assert_eq!(written(raven, Api::RavenDb), Ok(Some(Instant::from_secs(5))));
    }
}
