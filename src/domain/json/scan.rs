//! Checking a document's text and finding the members of its root.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::domain::{Place, Refusal};

/// A member of the root object: its name, and where it stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// The name with its escapes resolved.
    pub name: Cow<'a, str>,
    /// The bytes from the opening quote of the name to the end of the value.
    pub span: Range<usize>,
    /// The value's text, as typed.
    pub value: &'a str,
}

impl Member<'_> {
    /// Where the value starts, in bytes from the start of the text.
    pub fn value_start(&self) -> usize {
        self.span.end - self.value.len()
    }
}

/// A checked object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scanned<'a> {
    /// The whole text.
    pub text: &'a str,
    /// The members of the root, in the order of the text.
    pub members: Vec<Member<'a>>,
}

impl<'a> Scanned<'a> {
    /// The member of the root with exactly this name.
    pub fn member(&self, name: &str) -> Option<&Member<'a>> {
        self.members.iter().find(|member| member.name == name)
    }

    /// The place in the text where a member's value starts.
    pub fn place_of(&self, member: &Member<'_>) -> Place {
        Place::of_offset(self.text, member.value_start())
    }
}

/// Checks that `text` is one JSON object, without duplicate names at any depth, not nested deeper than
/// [`MAX_DEPTH`](super::MAX_DEPTH), with numbers that a double can hold, and finds the members of its root.
///
/// # Errors
/// A [`Refusal`] with status 400 and the place of the first fault.
pub fn scan_object(text: &str) -> Result<Scanned<'_>, Refusal> {
    let start = text.len() - text.trim_start().len();
    if !text[start..].is_empty() && !text[start..].starts_with('{') {
        let words = "An item is a JSON object: the text must start with `{`.";
        return Err(Refusal::bad_request(words).at(Place::of_offset(text, start)));
    }
    // The syntax of the whole text, and where the members of the root stand.
    let root: Root<'_> = serde_json::from_str(text).map_err(|e| refusal_of(text, 0, &e))?;
    let base = text.as_ptr() as usize;
    let mut members = Vec::with_capacity(root.0.len());
    let mut seen = Seen::default();
    for (key, value) in root.0 {
        let start = key.get().as_ptr() as usize - base;
        let value_start = value.get().as_ptr() as usize - base;
        let name = serde_json::from_str::<Name<'_>>(key.get()).map_err(|e| refusal_of(text, start, &e))?.0;
        if seen.insert(name.clone()).is_err() {
            return Err(twice(&name).at(Place::of_offset(text, start)));
        }
        if needs_a_look(value.get()) {
            serde_json::from_str::<Checked>(value.get()).map_err(|e| refusal_of(text, value_start, &e))?;
        }
        members.push(Member { name, span: start..value_start + value.get().len(), value: value.get() });
    }
    Ok(Scanned { text, members })
}

/// Whether a value that is known to be JSON can still be refused: names may stand twice in objects, nesting may be too
/// deep, a number may be beyond a double.
fn needs_a_look(value: &str) -> bool {
    const SURELY_IN_RANGE: usize = 300;
    match value.as_bytes().first() {
        Some(b'{' | b'[') => true,
        Some(b'-' | b'0'..=b'9') => value.len() > SURELY_IN_RANGE || value.contains(['e', 'E']),
        _ => false,
    }
}

fn twice(name: &str) -> Refusal {
    Refusal::bad_request(format!("The JSON is not valid: the name `{name}` stands twice in one object."))
}

/// An error in the part of the text that starts at `base`.
fn refusal_of(text: &str, base: usize, error: &serde_json::Error) -> Refusal {
    let words = error.to_string();
    let reason = words.rsplit_once(" at line ").map_or(words.as_str(), |(reason, _)| reason);
    let refusal = Refusal::bad_request(format!("The JSON is not valid: {reason}."));
    let part = &text[base..];
    let line_start: usize = part.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let refusal = refusal.at(Place::of_offset(text, base + line_start + error.column().saturating_sub(1)));
    match hint(reason) {
        Some(hint) => refusal.with_hint(hint),
        None => refusal,
    }
}

/// What helps with the faults that people make most.
fn hint(reason: &str) -> Option<&'static str> {
    if reason.starts_with("key must be a string") {
        Some("Names stand in double quotes: \"ttl\": 10.")
    } else if reason.starts_with("trailing comma") {
        Some("Take out the comma before the closing bracket.")
    } else if reason.starts_with("expected `,` or `}`") {
        Some("A comma is missing before this, or a closing brace.")
    } else if reason.starts_with("EOF while parsing") {
        Some("The text ends too early: a closing quote, bracket or brace is missing.")
    } else if reason.starts_with("trailing characters") {
        Some("There is text after the end of the object.")
    } else if reason.starts_with("recursion limit") {
        Some("Arrays and objects can be nested 128 deep.")
    } else {
        None
    }
}

/// A name, borrowed when it has no escapes.
struct Name<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = Name<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }
            fn visit_borrowed_str<E: de::Error>(self, name: &'de str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Borrowed(name)))
            }
            fn visit_str<E: de::Error>(self, name: &str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Owned(name.to_owned())))
            }
        }
        deserializer.deserialize_str(Names)
    }
}

/// The root's members as raw text; the names too, since their place is needed.
struct Root<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for Root<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Root<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    members.push(entry);
                }
                Ok(Root(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// Any JSON value without duplicate names; it keeps nothing.
struct Checked;

impl<'de> Deserialize<'de> for Checked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Checked)
    }
}

/// A name that must not be among those seen before it in the same object.
struct NewName<'s, 'de>(&'s mut Seen<'de>);

impl<'de> DeserializeSeed<'de> for NewName<'_, 'de> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let Name(name) = Name::deserialize(deserializer)?;
        self.0.insert(name).map_err(|name| de::Error::custom(format!("the name `{name}` stands twice in one object")))
    }
}

/// Names of one object. A list is faster than a set as long as it is short, and most objects are.
#[derive(Default)]
struct Seen<'de> {
    few: Vec<Cow<'de, str>>,
    many: HashSet<Cow<'de, str>>,
}

impl<'de> Seen<'de> {
    const FEW: usize = 16;

    fn insert(&mut self, name: Cow<'de, str>) -> Result<(), Cow<'de, str>> {
        if self.few.contains(&name) || self.many.contains(&name) {
            return Err(name);
        }
        if self.few.len() < Self::FEW {
            self.few.push(name);
        } else {
            self.many.insert(name);
        }
        Ok(())
    }
}

impl<'de> Visitor<'de> for Checked {
    type Value = Checked;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self, A::Error> {
        while seq.next_element::<Checked>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
        let mut seen = Seen::default();
        while map.next_key_seed(NewName(&mut seen))?.is_some() {
            map.next_value::<Checked>()?;
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[test]
    fn members_are_found_with_their_text() {
        let text = "{ \"id\": \"a\",\n  \"n\\u0031\" : 1.0E+2 , \"o\": {\"x\": [1,2]} }";
        let scanned = scan_object(text).expect("valid");
        let names: Vec<&str> = scanned.members.iter().map(|m| m.name.as_ref()).collect();
        assert_eq!(names, ["id", "n1", "o"]);
        let number = scanned.member("n1").expect("there");
        assert_eq!(number.value, "1.0E+2");
        assert_eq!(&text[number.span.clone()], "\"n\\u0031\" : 1.0E+2");
        assert_eq!(scanned.place_of(number), Place { line: 2, column: 15 });
    }

    #[rstest]
    #[case("{\"a\": 1, \"a\": 2}", "the name `a` stands twice", 1, 10)]
    #[case("{\"a\": 1, \"\\u0061\": 2}", "the name `a` stands twice", 1, 10)]
    #[case("{\n \"o\": [{\"x\": 1, \"x\": 2}]}", "the name `x` stands twice", 2, 19)]
    #[case("{\"a\": 1,}", "trailing comma", 1, 9)]
    #[case("{a: 1}", "key must be a string", 1, 2)]
    #[case("{\"a\": 1e400}", "number out of range", 1, 11)]
    #[case("{\"a\": [1, 1e400]}", "number out of range", 1, 15)]
    #[case("[1]", "must start with `{`", 1, 1)]
    #[case("", "EOF", 1, 1)]
    #[case("{\"a\": 1", "EOF", 1, 7)]
    #[case("{} {}", "trailing characters", 1, 4)]
    fn faults_have_a_place(#[case] text: &str, #[case] reason: &str, #[case] line: usize, #[case] column: usize) {
        let refusal = scan_object(text).expect_err("a fault");
        assert!(refusal.message.contains(reason), "{refusal:?}");
        assert_eq!(refusal.place, Some(Place { line, column }), "{refusal:?}");
    }

    #[test]
    fn many_names_are_still_compared() {
        let mut text = String::from("{");
        for n in 0..100 {
            text += &format!("\"k{n}\": {n}, ");
        }
        text += "\"k99\": 0}";
        assert!(scan_object(&text).expect_err("a duplicate").message.contains("`k99`"));
    }

    #[test]
    fn depth_is_bounded() {
        let deep = |n: usize| format!("{{\"a\": {}{}}}", "[".repeat(n), "]".repeat(n));
        assert!(scan_object(&deep(120)).is_ok());
        assert!(scan_object(&deep(200_000)).expect_err("too deep").message.contains("recursion limit"));
    }
}
