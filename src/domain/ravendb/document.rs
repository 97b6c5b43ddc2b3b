//! Documents: what a text must be to be stored, and how a stored one is shown.

use std::ops::Range;

use crate::domain::json::{Scanned, append_members, pretty, remove_members, scan_object, set_members};
use crate::domain::{Instant, Refusal, words};

use super::expires::{Expires, format_instant, judge_expires};
use super::id::check_id;

/// The largest document here, in bytes of JSON. The server has no limit of its own below 2 GB.
pub const MAX_DOCUMENT_BYTES: usize = 16 * 1024 * 1024;
/// The member of the root that holds what the server knows about a document.
pub const METADATA: &str = "@metadata";
/// The collection of documents that name none.
pub const EMPTY_COLLECTION: &str = "@empty";

const COLLECTION: &str = "@collection";
const EXPIRES: &str = "@expires";
const ID: &str = "@id";
const LAST_MODIFIED: &str = "@last-modified";
const CHANGE_VECTOR: &str = "@change-vector";

/// A document that may be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct NewDocument {
    /// Its id, as typed.
    pub id: String,
    /// The name of its collection, as typed.
    pub collection: String,
    /// What its `@expires` means.
    pub expires: Expires,
    /// Its text as typed, without what the server adds to the metadata.
    pub body: String,
    /// Whether a property looks like an `@expires` that was meant and is none.
    pub has_lookalike: bool,
}

/// Checks a document. `new_id` makes the id in a collection when there is none.
///
/// # Errors
/// The refusal, with the place in the text.
pub fn parse_document(
    text: &str,
    now: Instant,
    new_id: impl FnOnce(&str) -> Result<String, Refusal>,
) -> Result<NewDocument, Refusal> {
    if text.len() > MAX_DOCUMENT_BYTES {
        let size = words::count(text.len() as u64);
        return Err(Refusal::new(413, format!("The document has {size} bytes: up to 16 MB are stored here.")));
    }
    let root = scan_object(text)?;
    let metadata = Metadata::of(&root)?;
    let collection = match metadata.text_of(COLLECTION)?.filter(|name| !name.is_empty()) {
        Some(name) => {
            if name.chars().count() > 255 || name.chars().any(char::is_control) {
                let words = "The name of the collection is longer than 255 characters, or has a control character.";
                return Err(metadata.placed(Refusal::bad_request(words), COLLECTION));
            }
            name
        }
        None => EMPTY_COLLECTION.to_owned(),
    };
    let id = match metadata.text_of(ID)? {
        Some(id) => match check_id(&id) {
            None => id,
            Some(fault) => {
                return Err(metadata.placed(Refusal::bad_request(format!("The id `{id}` {fault}.")), ID));
            }
        },
        None => {
            let id = new_id(&collection)?;
            if let Some(fault) = check_id(&id) {
                let words = format!("The id that is made of the collection's name {fault}.");
                let refusal = Refusal::bad_request(words).with_hint("Write an `@id` of your own.");
                return Err(metadata.placed(refusal, COLLECTION));
            }
            id
        }
    };
    let expires = match metadata.value_of(EXPIRES) {
        Some(json) => judge_expires(json, &id, now).map_err(|refusal| metadata.placed(refusal, EXPIRES))?,
        None => Expires::Absent,
    };
    let has_lookalike = expires == Expires::Absent && root.members.iter().any(|member| is_lookalike(&member.name));
    let body = match (&metadata.scanned, metadata.range.clone()) {
        (Some(scanned), Some(range)) => {
            let kept = remove_members(scanned, |name| [ID, LAST_MODIFIED, CHANGE_VECTOR].contains(&name));
            format!("{}{kept}{}", &text[..range.start], &text[range.end..])
        }
        _ => text.to_owned(),
    };
    Ok(NewDocument { id, collection, expires, body, has_lookalike })
}

/// The `@metadata` of a document.
struct Metadata<'a> {
    text: &'a str,
    scanned: Option<Scanned<'a>>,
    /// Where it stands in the document's text.
    range: Option<Range<usize>>,
}

impl<'a> Metadata<'a> {
    fn of(root: &Scanned<'a>) -> Result<Metadata<'a>, Refusal> {
        let Some(member) = root.member(METADATA) else {
            return Ok(Metadata { text: root.text, scanned: None, range: None });
        };
        if !member.value.starts_with('{') {
            let words = format!("`{METADATA}` is an object: {{\"{COLLECTION}\": \"Users\"}}.");
            return Err(Refusal::bad_request(words).at(root.place_of(member)));
        }
        let range = member.value_start()..member.span.end;
        Ok(Metadata { text: root.text, scanned: Some(scan_object(member.value)?), range: Some(range) })
    }

    fn value_of(&self, name: &str) -> Option<&'a str> {
        Some(self.scanned.as_ref()?.member(name)?.value)
    }

    /// The text of a member that must be a string.
    fn text_of(&self, name: &str) -> Result<Option<String>, Refusal> {
        let Some(json) = self.value_of(name) else {
            return Ok(None);
        };
        match serde_json::from_str::<Option<String>>(json) {
            Ok(text) => Ok(text),
            Err(_) => {
                let words = format!("`{name}` is not a string: write it in double quotes, or leave it out.");
                Err(self.placed(Refusal::bad_request(words), name))
            }
        }
    }

    fn placed(&self, refusal: Refusal, name: &str) -> Refusal {
        let member = self.scanned.as_ref().and_then(|scanned| scanned.member(name));
        match (member, &self.range) {
            (Some(member), Some(range)) => {
                refusal.at(crate::domain::Place::of_offset(self.text, range.start + member.value_start()))
            }
            _ => refusal,
        }
    }
}

/// Whether people who write this name at the root of a document mean `@metadata.@expires`.
fn is_lookalike(name: &str) -> bool {
    const MEANT: [&str; 8] =
        ["expires", "@expires", "expires_at", "expiresat", "expiration", "expirationdate", "ttl", "timetolive"];
    name.len() <= 14 && MEANT.contains(&name.to_ascii_lowercase().as_str())
}

/// The properties at the root of a stored document that look like an `@expires` and have no effect.
pub fn lookalikes(body: &str) -> Vec<String> {
    let Ok(document) = scan_object(body) else {
        return Vec::new();
    };
    document.members.iter().filter(|member| is_lookalike(&member.name)).map(|member| member.name.to_string()).collect()
}

/// What the server adds to a document's metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemMetadata {
    /// `@id`.
    pub id: String,
    /// `@last-modified`.
    pub last_modified: Instant,
    /// `@change-vector`: new with each write.
    pub change_vector: String,
}

/// The text that people see and edit: the stored one with the server's metadata in it. A text on one line is laid out
/// first.
pub fn render_document(body: &str, system: &SystemMetadata) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let members = [
        (ID, quoted(&system.id)),
        (LAST_MODIFIED, quoted(&format_instant(system.last_modified))),
        (CHANGE_VECTOR, quoted(&system.change_vector)),
    ];
    let laid_out = if body.contains('\n') { None } else { Some(pretty(body)) };
    with_metadata(laid_out.as_deref().unwrap_or(body), &members).unwrap_or_else(|_| body.to_owned())
}

/// The text with `@metadata.@expires` at this instant, put in or replaced.
///
/// # Errors
/// What is wrong with the text, with its place.
pub fn set_expires(text: &str, at: Instant) -> Result<String, Refusal> {
    with_metadata(text, &[(EXPIRES, format!("\"{}\"", format_instant(at)))])
}

/// The text with its id in the metadata: the document can be made again from it.
pub fn with_id(body: &str, id: &str) -> String {
    with_metadata(body, &[(ID, serde_json::Value::from(id).to_string())]).unwrap_or_else(|_| body.to_owned())
}

/// The text with these members in its metadata, in the place of those of the same name.
fn with_metadata(text: &str, members: &[(&str, String)]) -> Result<String, Refusal> {
    let root = scan_object(text)?;
    let metadata = Metadata::of(&root)?;
    let (Some(scanned), Some(range)) = (metadata.scanned, metadata.range) else {
        let mut object = String::from("{");
        for (at, (name, value)) in members.iter().enumerate() {
            object += if at == 0 { "\n        " } else { ",\n        " };
            object += &format!("\"{name}\": {value}");
        }
        object += "\n    }";
        return Ok(append_members(&root, &[(METADATA, object)]));
    };
    let object = set_members(&scanned, members);
    Ok(format!("{}{object}{}", &text[..range.start], &text[range.end..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Place;
    use rstest::rstest;

    const NOW: Instant = Instant::from_secs(1_796_248_064);

    fn parsed(text: &str) -> Result<NewDocument, Refusal> {
        parse_document(text, NOW, |collection| Ok(format!("{}/7-A", super::super::id_prefix(collection))))
    }

    #[test]
    fn the_text_is_kept_as_typed_without_what_the_server_adds() {
        let text = "{\n  \"n\": 1.0,\n  \"@metadata\": {\n    \"@id\": \"users/1-A\",\n    \"@collection\": \"Users\", \
                    \"@change-vector\": \"A:1\", \"Raven-Clr-Type\": \"x\"\n  }\n}";
        let document = parsed(text).expect("valid");
        assert_eq!((document.id.as_str(), document.collection.as_str()), ("users/1-A", "Users"));
        assert_eq!(
            document.body,
            "{\n  \"n\": 1.0,\n  \"@metadata\": {\n    \"@collection\": \"Users\", \"Raven-Clr-Type\": \"x\"\n  }\n}"
        );
    }

    #[rstest]
    #[case("{}", "@empty/7-A", "@empty")]
    #[case(r#"{"@metadata": {}}"#, "@empty/7-A", "@empty")]
    #[case(r#"{"@metadata": {"@collection": "Users"}}"#, "users/7-A", "Users")]
    #[case(r#"{"@metadata": {"@collection": "", "@id": null}}"#, "@empty/7-A", "@empty")]
    fn a_missing_id_is_made(#[case] text: &str, #[case] id: &str, #[case] collection: &str) {
        let document = parsed(text).expect("valid");
        assert_eq!((document.id.as_str(), document.collection.as_str()), (id, collection));
    }

    #[rstest]
    #[case(r#"{"@metadata": 5}"#, "is an object", 15)]
    #[case(r#"{"@metadata": {"@id": 5}}"#, "`@id` is not a string", 23)]
    #[case(r#"{"@metadata": {"@id": "a/"}}"#, "ends in `/`", 23)]
    #[case(r#"{"@metadata": {"@expires": "soon"}}"#, "The due date format for document '@empty/7-a'", 28)]
    #[case(r#"{"@metadata": {"@expires": null}}"#, "is not valid: ''", 28)]
    #[case(r#"{"@metadata": {"a": 1, "a": 2}}"#, "stands twice", 26)]
    fn refused_with_the_place(#[case] text: &str, #[case] words: &str, #[case] column: usize) {
        let refusal = parsed(text).expect_err("refused");
        assert!(refusal.message.contains(words), "{}", refusal.message);
        assert_eq!((refusal.status, refusal.place), (400, Some(Place { line: 1, column })));
    }

    #[test]
    fn only_the_metadata_counts() {
        let document = parsed(r#"{"expires": "2099-01-01T00:00:00Z", "o": {"@expires": 1}}"#).expect("valid");
        assert_eq!((document.expires, document.has_lookalike), (Expires::Absent, true));
        assert_eq!(lookalikes(&document.body), ["expires"]);
        assert!(parsed(r#"{"@expires": "x"}"#).expect("plain data").has_lookalike);
        assert!(!parsed(r#"{"expiry note": "x"}"#).expect("plain data").has_lookalike);
    }

    #[rstest]
    #[case(r#"{"a": 1, "@metadata": {"@collection": "Users"}}"#)]
    #[case(r#"{"a": 1}"#)]
    #[case("{}")]
    #[case("{\n  \"@metadata\": {},\n  \"a\": 1\n}")]
    fn a_shown_document_can_be_saved_again(#[case] text: &str) {
        let document = parsed(text).expect("valid");
        let system = SystemMetadata { id: document.id.clone(), last_modified: NOW, change_vector: "A:3-x".to_owned() };
        let shown = render_document(&document.body, &system);
        assert!(shown.contains("\"@id\"") && shown.contains("\"@last-modified\": \"2026-12-02T21:47:44.0000000Z\""));
        let again = parsed(&shown).expect("valid");
        assert_eq!((again.id, again.collection, again.expires), (document.id, document.collection, document.expires));
    }

    #[rstest]
    #[case("{}")]
    #[case(r#"{"a": 1}"#)]
    #[case(r#"{"@metadata": {}}"#)]
    #[case(r#"{"@metadata": {"@expires": "2020-01-01T00:00:00Z", "b": 2}, "c": 3}"#)]
    #[case(r#"{"@metadata": {"b": 2, "@expires": null}}"#)]
    fn the_instant_is_put_in(#[case] text: &str) {
        let changed = set_expires(text, NOW).expect("changed");
        let document = parsed(&changed).expect("valid");
        assert_eq!(document.expires, Expires::At { at: NOW, without_zone: false }, "{changed}");
        for kept in ["\"a\": 1", "\"b\": 2", "\"c\": 3"] {
            assert_eq!(changed.contains(kept), text.contains(kept), "{changed}");
        }
    }
}
