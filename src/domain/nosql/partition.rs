//! Partition keys: their definition, their values, and the key under which an item is stored.

use std::fmt;

use serde_json::Value;

use crate::domain::Refusal;
use crate::domain::json::Scanned;

/// The most levels of a hierarchical partition key.
pub const MAX_LEVELS: usize = 3;
/// The longest text that is a partition key value, in bytes.
pub const MAX_VALUE_BYTES: usize = 2_048;

/// A container's partition key: one path, or up to three for a hierarchical one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartitionKey {
    paths: Vec<String>,
}

impl PartitionKey {
    /// From the paths as people type them; a missing `/` is put in front, as the portal does.
    ///
    /// # Errors
    /// Status 400: none, more than three, an empty path or step, the same path twice.
    pub fn new<S: AsRef<str>>(typed: impl IntoIterator<Item = S>) -> Result<Self, Refusal> {
        let mut paths: Vec<String> = Vec::new();
        for path in typed {
            let path = path.as_ref().trim();
            let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
            if path[1..].split('/').any(str::is_empty) {
                return Err(Refusal::bad_request(format!("The partition key path `{path}` has an empty step."))
                    .with_hint("Write a path such as /userId or /address/city."));
            }
            if paths.contains(&path) {
                return Err(Refusal::bad_request(format!("The partition key path `{path}` is given twice.")));
            }
            paths.push(path);
        }
        match paths.len() {
            0 => Err(Refusal::bad_request("A container needs a partition key, such as /userId.")),
            1..=MAX_LEVELS => Ok(PartitionKey { paths }),
            n => Err(Refusal::bad_request(format!("A partition key has up to {MAX_LEVELS} levels; {n} were given."))),
        }
    }

    /// The paths, each with its leading `/`.
    pub fn paths(&self) -> &[String] {
        &self.paths
    }

    /// The values in a document, one a level. A missing one is a value of its own.
    ///
    /// # Errors
    /// Status 400 with the place: an object or array, or a text over 2 KB.
    pub fn values_of(&self, document: &Scanned<'_>) -> Result<Vec<PartitionValue>, Refusal> {
        self.paths.iter().map(|path| value_at(document, path)).collect()
    }
}

/// `/userId`, or `/tenantId, /userId`.
impl fmt::Display for PartitionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.paths.join(", "))
    }
}

fn value_at(document: &Scanned<'_>, path: &str) -> Result<PartitionValue, Refusal> {
    let mut steps = path[1..].split('/');
    let Some(member) = steps.next().and_then(|name| document.member(name)) else {
        return Ok(PartitionValue::None);
    };
    let refuse = |what: &str| {
        Err(Refusal::bad_request(format!("The partition key `{path}` is {what}."))
            .with_hint("A partition key value is a string, a number, true, false or null, or left out.")
            .at(document.place_of(member)))
    };
    let Ok(root) = serde_json::from_str::<Value>(member.value) else {
        return refuse("not a value");
    };
    let Some(value) = steps.try_fold(&root, |value, step| value.get(step)) else {
        return Ok(PartitionValue::None);
    };
    match value {
        Value::Null => Ok(PartitionValue::Null),
        Value::Bool(b) => Ok(PartitionValue::Bool(*b)),
        Value::Number(n) => Ok(PartitionValue::Number(n.as_f64().unwrap_or(f64::NAN) + 0.0)),
        Value::String(s) if s.len() > MAX_VALUE_BYTES => refuse("a text of more than 2048 bytes"),
        Value::String(s) => Ok(PartitionValue::Text(s.clone())),
        Value::Array(_) => refuse("an array"),
        Value::Object(_) => refuse("an object"),
    }
}

/// One level of an item's partition key.
#[derive(Clone, Debug, PartialEq)]
pub enum PartitionValue {
    /// The property is missing.
    None,
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number; the service keeps partition keys as doubles.
    Number(f64),
    /// A string.
    Text(String),
}

/// As a cell shows it: text without quotes, the missing one as `(none)`.
impl fmt::Display for PartitionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PartitionValue::None => f.write_str("(none)"),
            PartitionValue::Null => f.write_str("null"),
            PartitionValue::Bool(b) => write!(f, "{b}"),
            PartitionValue::Number(n) => write!(f, "{n}"),
            PartitionValue::Text(text) => f.write_str(text),
        }
    }
}

/// What identifies an item in its container.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemKey {
    /// The values of the partition key, one a level.
    pub partition: Vec<PartitionValue>,
    /// The id, unique inside its partition.
    pub id: String,
}

impl ItemKey {
    /// The bytes under which the item is stored: ordered by partition key, then id; a prefix of levels is a prefix of
    /// bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = encode_partition(&self.partition);
        bytes.extend_from_slice(self.id.as_bytes());
        bytes
    }

    /// The key back from its bytes, in a container whose partition key has `levels` levels. `None` for bytes that
    /// [`encode`](Self::encode) never makes.
    pub fn decode(mut bytes: &[u8], levels: usize) -> Option<ItemKey> {
        let mut partition = Vec::with_capacity(levels);
        for _ in 0..levels {
            let (value, rest) = decode_value(bytes)?;
            partition.push(value);
            bytes = rest;
        }
        Some(ItemKey { partition, id: String::from_utf8(bytes.to_vec()).ok()? })
    }
}

const TAG_NONE: u8 = 1;
const TAG_NULL: u8 = 2;
const TAG_FALSE: u8 = 3;
const TAG_TRUE: u8 = 4;
const TAG_NUMBER: u8 = 5;
const TAG_TEXT: u8 = 6;
/// A zero byte inside a text is followed by this, so that it sorts after the end of a shorter text.
const ESCAPED_ZERO: u8 = 0xFF;
const END_OF_TEXT: u8 = 1;

fn encode_partition(values: &[PartitionValue]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(64);
    for value in values {
        match value {
            PartitionValue::None => bytes.push(TAG_NONE),
            PartitionValue::Null => bytes.push(TAG_NULL),
            PartitionValue::Bool(false) => bytes.push(TAG_FALSE),
            PartitionValue::Bool(true) => bytes.push(TAG_TRUE),
            PartitionValue::Number(n) => {
                bytes.push(TAG_NUMBER);
                // Doubles order like their bits once the negative ones are turned around.
                let bits = n.to_bits();
                let ordered = if bits >> 63 == 1 { !bits } else { bits | 1 << 63 };
                bytes.extend_from_slice(&ordered.to_be_bytes());
            }
            PartitionValue::Text(text) => {
                bytes.push(TAG_TEXT);
                for &byte in text.as_bytes() {
                    bytes.push(byte);
                    if byte == 0 {
                        bytes.push(ESCAPED_ZERO);
                    }
                }
                bytes.extend_from_slice(&[0, END_OF_TEXT]);
            }
        }
    }
    bytes
}

fn decode_value(bytes: &[u8]) -> Option<(PartitionValue, &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    match tag {
        TAG_NONE => Some((PartitionValue::None, rest)),
        TAG_NULL => Some((PartitionValue::Null, rest)),
        TAG_FALSE => Some((PartitionValue::Bool(false), rest)),
        TAG_TRUE => Some((PartitionValue::Bool(true), rest)),
        TAG_NUMBER => {
            let (ordered, rest) = rest.split_first_chunk::<8>()?;
            let ordered = u64::from_be_bytes(*ordered);
            let bits = if ordered >> 63 == 1 { ordered & !(1 << 63) } else { !ordered };
            Some((PartitionValue::Number(f64::from_bits(bits)), rest))
        }
        TAG_TEXT => {
            let mut text = Vec::new();
            let mut at = 0;
            loop {
                match (rest.get(at)?, rest.get(at + 1)) {
                    (0, Some(&ESCAPED_ZERO)) => {
                        text.push(0);
                        at += 2;
                    }
                    (0, Some(&END_OF_TEXT)) => {
                        return Some((PartitionValue::Text(String::from_utf8(text).ok()?), rest.get(at + 2..)?));
                    }
                    (0, _) => return None,
                    (&byte, _) => {
                        text.push(byte);
                        at += 1;
                    }
                }
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::json::scan_object;
    use proptest::prelude::*;
    use rstest::rstest;

    #[rstest]
    #[case(r#"{"u": "x"}"#, PartitionValue::Text("x".into()))]
    #[case(r#"{"u": 1.0}"#, PartitionValue::Number(1.0))]
    #[case(r#"{"u": null}"#, PartitionValue::Null)]
    #[case(r#"{"u": true}"#, PartitionValue::Bool(true))]
    #[case(r#"{"v": 1}"#, PartitionValue::None)]
    fn values(#[case] text: &str, #[case] value: PartitionValue) {
        let key = PartitionKey::new(["u"]).expect("a path");
        assert_eq!(key.values_of(&scan_object(text).expect("valid")), Ok(vec![value]));
    }

    #[test]
    fn values_of_nested_paths_and_levels() {
        let key = PartitionKey::new(["/a/b", "/c", "/a/x/y"]).expect("paths");
        let document = scan_object(r#"{"a": {"b": 5, "x": 7}, "c": "z"}"#).expect("valid");
        let expected = vec![PartitionValue::Number(5.0), PartitionValue::Text("z".into()), PartitionValue::None];
        assert_eq!(key.values_of(&document), Ok(expected));
    }

    #[test]
    fn objects_and_arrays_are_refused_with_their_place() {
        let key = PartitionKey::new(["/u"]).expect("a path");
        let refusal = key.values_of(&scan_object("{\n\"u\": [1]}").expect("valid")).expect_err("an array");
        assert_eq!((refusal.status, refusal.place.map(|p| (p.line, p.column))), (400, Some((2, 6))));
    }

    #[rstest]
    #[case(&[], "needs a partition key")]
    #[case(&["a", "b", "c", "d"], "up to 3")]
    #[case(&["a", "/a"], "twice")]
    #[case(&[""], "empty step")]
    #[case(&["/a//b"], "empty step")]
    fn definitions_are_checked(#[case] paths: &[&str], #[case] words: &str) {
        assert!(PartitionKey::new(paths).expect_err("refused").message.contains(words));
    }

    fn value() -> impl Strategy<Value = PartitionValue> {
        prop_oneof![
            Just(PartitionValue::None),
            Just(PartitionValue::Null),
            any::<bool>().prop_map(PartitionValue::Bool),
            prop::num::f64::NORMAL.prop_map(PartitionValue::Number),
            "[a\u{0}\u{1}é\u{10FFFF}]{0,4}".prop_map(PartitionValue::Text),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn keys_survive_their_bytes(partition in prop::collection::vec(value(), 1..=3), id in "[a\u{0}é ]{1,5}") {
            let key = ItemKey { partition, id };
            prop_assert_eq!(ItemKey::decode(&key.encode(), key.partition.len()), Some(key));
        }

        #[test]
        fn numbers_and_texts_sort_as_they_should(a: f64, b: f64, x in "[a\u{0}\u{1}b]{0,4}", y in "[a\u{0}\u{1}b]{0,4}") {
            prop_assume!(!a.is_nan() && !b.is_nan());
            let of = |v: PartitionValue| encode_partition(&[v]);
            let numbers = of(PartitionValue::Number(a + 0.0)).cmp(&of(PartitionValue::Number(b + 0.0)));
            prop_assert_eq!(Some(numbers), a.partial_cmp(&b));
            let texts = of(PartitionValue::Text(x.clone())).cmp(&of(PartitionValue::Text(y.clone())));
            prop_assert_eq!(texts, x.cmp(&y));
        }

        #[test]
        fn no_bytes_panic(bytes: Vec<u8>, levels in 1usize..4) {
            let _ = ItemKey::decode(&bytes, levels);
        }
    }
}
