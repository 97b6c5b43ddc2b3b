//! Items: what a document must be to be stored, and how a stored one is shown.

use crate::domain::Refusal;
use crate::domain::json::{Scanned, append_members, insert_member_first, pretty, remove_members, scan_object};

use super::identity::check_name;
use super::ttl::{ItemTtl, parse_item_ttl};
use super::{ItemKey, PartitionKey};

/// The largest item of the service, in bytes of JSON.
pub const MAX_ITEM_BYTES: usize = 2 * 1024 * 1024;

/// The properties that the service makes on each write; what people type into them is overwritten.
pub const SYSTEM_PROPERTIES: [&str; 5] = ["_rid", "_self", "_etag", "_attachments", "_ts"];

/// A document that may be stored.
#[derive(Clone, Debug, PartialEq)]
pub struct NewItem {
    /// Its place in the container.
    pub key: ItemKey,
    /// Its own `ttl`.
    pub ttl: ItemTtl,
    /// Its text as typed, without the system properties.
    pub body: String,
    /// Whether a property looks like a `ttl` that was meant and is none.
    pub has_lookalike: bool,
}

/// Checks a document for a container with this partition key. `new_id` makes the id when there is none.
///
/// # Errors
/// The [`Refusal`] of the service, with the place in the text.
pub fn parse_item(
    text: &str,
    partition_key: &PartitionKey,
    new_id: impl FnOnce() -> String,
) -> Result<NewItem, Refusal> {
    if text.len() > MAX_ITEM_BYTES {
        let size = crate::domain::words::count(text.len() as u64);
        return Err(Refusal::new(413, format!("The item has {size} bytes: an item of the service has up to 2 MB."))
            .with_hint("Split the item, or keep the large part elsewhere."));
    }
    let document = scan_object(text)?;
    let ttl = match document.member("ttl") {
        Some(member) => parse_item_ttl(member.value).map_err(|refusal| refusal.at(document.place_of(member)))?,
        None => ItemTtl::Absent,
    };
    let partition = partition_key.values_of(&document)?;
    let has_lookalike = document.member("ttl").is_none() && document.members.iter().any(|m| is_lookalike(&m.name));
    let without_system = remove_members(&document, |name| SYSTEM_PROPERTIES.contains(&name));
    let (id, body) = match id_of(&document)? {
        Some(id) => (id, without_system),
        None => {
            let id = new_id();
            let body = insert_member_first(&scan_object(&without_system)?, "id", &format!("\"{id}\""));
            (id, body)
        }
    };
    Ok(NewItem { key: ItemKey { partition, id }, ttl, body, has_lookalike })
}

fn id_of(document: &Scanned<'_>) -> Result<Option<String>, Refusal> {
    let Some(member) = document.member("id") else {
        return Ok(None);
    };
    let Ok(id) = serde_json::from_str::<String>(member.value) else {
        return Err(Refusal::bad_request(format!("The id {} is not a string.", shortened(member.value)))
            .with_hint("Write it in double quotes, or leave it out: then one is made.")
            .at(document.place_of(member)));
    };
    match check_name(&id) {
        Ok(()) => Ok(Some(id)),
        Err(fault) => {
            let what = if id.is_empty() { "The id".to_owned() } else { format!("The id `{}`", shortened(&id)) };
            Err(Refusal::bad_request(format!("{what} {fault}.")).at(document.place_of(member)))
        }
    }
}

fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    if text.chars().count() <= SHOWN { text.to_owned() } else { text.chars().take(SHOWN).chain(['…']).collect() }
}

/// Whether people who write this name at the root of an item mean `ttl`.
fn is_lookalike(name: &str) -> bool {
    const MEANT: [&str; 6] = ["ttl", "timetolive", "time_to_live", "time-to-live", "defaultttl", "_ttl"];
    name != "ttl" && name.len() <= 12 && MEANT.contains(&name.to_ascii_lowercase().as_str())
}

/// The properties at the root of a stored item that look like a `ttl` and have no effect.
pub fn lookalikes(body: &str) -> Vec<String> {
    let Ok(document) = scan_object(body) else {
        return Vec::new();
    };
    document.members.iter().filter(|m| is_lookalike(&m.name)).map(|m| m.name.to_string()).collect()
}

/// What the service adds to an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemProperties {
    /// `_rid`: the item's resource id.
    pub rid: String,
    /// `_self`: its address.
    pub self_link: String,
    /// `_etag`: new with each write.
    pub etag: String,
    /// `_ts`: the second of the last write, since 1970 UTC.
    pub ts: i64,
}

/// The text that people see and edit: the stored one with the system properties behind it. A text on one line is laid
/// out first, since nobody typed it into an editor like that.
pub fn render_item(body: &str, system: &SystemProperties) -> String {
    let laid_out = if body.contains('\n') { None } else { Some(pretty(body)) };
    let text = laid_out.as_deref().unwrap_or(body);
    let members = [
        ("_rid", format!("\"{}\"", system.rid)),
        ("_self", format!("\"{}\"", system.self_link)),
        ("_etag", format!("\"\\\"{}\\\"\"", system.etag)),
        ("_attachments", "\"attachments/\"".to_owned()),
        ("_ts", system.ts.to_string()),
    ];
    match scan_object(text) {
        Ok(document) => append_members(&document, &members),
        Err(_) => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Place;
    use crate::domain::nosql::PartitionValue;
    use rstest::rstest;

    fn parsed(text: &str) -> Result<NewItem, Refusal> {
        let key = PartitionKey::new(["/userId"]).expect("a path");
        parse_item(text, &key, || "made".to_owned())
    }

    #[test]
    fn the_text_is_kept_as_typed() {
        let item = parsed("{\n  \"n\": 9007199254740993,\n  \"id\": \"a\", \"f\": 1.0, \"_ts\": 5,\n  \"ttl\": 1e1\n}")
            .expect("valid");
        assert_eq!(item.body, "{\n  \"n\": 9007199254740993,\n  \"id\": \"a\", \"f\": 1.0,\n  \"ttl\": 1e1\n}");
        assert_eq!(item.ttl, ItemTtl::Seconds(10));
        assert_eq!(item.key, ItemKey { partition: vec![PartitionValue::None], id: "a".into() });
    }

    #[test]
    fn a_missing_id_is_made() {
        let item = parsed("{\"userId\": \"u\"}").expect("valid");
        assert_eq!(item.key.id, "made");
        assert_eq!(item.body, "{\"id\": \"made\", \"userId\": \"u\"}");
    }

    #[rstest]
    #[case("{\"id\": 5}", "not a string", 8)]
    #[case("{\"id\": \"\"}", "The id is empty", 8)]
    #[case("{\"id\": \"a/b\"}", "The id `a/b` contains `/`", 8)]
    #[case("{\"ttl\": null}", "The input ttl 'null' is invalid", 9)]
    #[case("{\"ttl\": 10.5}", "The input ttl '10.5' is invalid", 9)]
    #[case("{\"userId\": {}}", "is an object", 12)]
    fn refused_with_the_place(#[case] text: &str, #[case] words: &str, #[case] column: usize) {
        let refusal = parsed(text).expect_err("refused");
        assert_eq!(refusal.status, 400);
        assert!(refusal.message.contains(words), "{}", refusal.message);
        assert_eq!(refusal.place, Some(Place { line: 1, column }));
    }

    #[test]
    fn only_the_root_and_the_exact_name_count() {
        let item = parsed("{\"id\": \"a\", \"TTL\": 5, \"o\": {\"ttl\": 0}}").expect("valid");
        assert_eq!((item.ttl, item.has_lookalike), (ItemTtl::Absent, true));
        assert_eq!(lookalikes(&item.body), ["TTL"]);
        for name in ["Ttl", "TimeToLive", "timeToLive", "time_to_live"] {
            assert!(parsed(&format!("{{\"{name}\": 5}}")).expect("valid").has_lookalike, "{name}");
        }
        assert!(!parsed("{\"title\": 5}").expect("valid").has_lookalike);
    }

    #[test]
    fn too_large_is_said_before_it_is_parsed() {
        let text = format!("{{\"id\": \"a\", \"x\": \"{}\"}}", "x".repeat(MAX_ITEM_BYTES));
        assert_eq!(parsed(&text).expect_err("too large").status, 413);
    }

    #[test]
    fn a_shown_item_can_be_saved_again() {
        let system = SystemProperties { rid: "r==".into(), self_link: "dbs/r/".into(), etag: "0001".into(), ts: 7 };
        let shown = render_item("{\"id\":\"a\",\"n\":1.0}", &system);
        assert_eq!(
            shown,
            "{\n    \"id\": \"a\",\n    \"n\": 1.0,\n    \"_rid\": \"r==\",\n    \"_self\": \"dbs/r/\",\n    \
             \"_etag\": \"\\\"0001\\\"\",\n    \"_attachments\": \"attachments/\",\n    \"_ts\": 7\n}"
        );
        let again = parsed(&shown).expect("valid");
        assert_eq!(again.body, "{\n    \"id\": \"a\",\n    \"n\": 1.0\n}");
    }
}
