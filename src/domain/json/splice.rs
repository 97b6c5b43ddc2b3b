//! Taking members out of a document's text and putting members in, the rest untouched.

use std::ops::Range;

use super::Scanned;

/// The text without the members for which `unwanted` says so, each with its comma and the space before it.
pub fn remove_members(scanned: &Scanned<'_>, unwanted: impl Fn(&str) -> bool) -> String {
    let members = &scanned.members;
    let mut cuts: Vec<Range<usize>> = Vec::new();
    for (i, member) in members.iter().enumerate() {
        if !unwanted(&member.name) {
            continue;
        }
        // A kept member keeps the comma behind it only while another kept one follows.
        let kept_before = members[..i].iter().rposition(|m| !unwanted(&m.name));
        let cut = match kept_before {
            Some(before) => members[before].span.end..member.span.end,
            None => member.span.start..members.get(i + 1).map_or(member.span.end, |next| next.span.start),
        };
        cuts.push(cut);
    }
    let mut text = String::with_capacity(scanned.text.len());
    let mut at = 0;
    for cut in cuts {
        if cut.end <= at {
            continue;
        }
        text.push_str(&scanned.text[at..cut.start.max(at)]);
        at = cut.end;
    }
    text.push_str(&scanned.text[at..]);
    text
}

/// The text with `members` (name, value as JSON text) behind the last one, spaced as the object's own members are.
pub fn append_members(scanned: &Scanned<'_>, members: &[(&str, String)]) -> String {
    let text = scanned.text;
    let (at, gap, first) = match scanned.members.last() {
        Some(last) => (last.span.end, gap_of(scanned), false),
        None => (text.find('{').map_or(0, |brace| brace + 1), String::new(), true),
    };
    let mut joined = String::with_capacity(text.len() + members.len() * 32);
    joined.push_str(&text[..at]);
    for (i, (name, value)) in members.iter().enumerate() {
        if !(first && i == 0) {
            joined.push(',');
        }
        joined.push_str(&gap);
        joined.push_str(&format!("\"{name}\": {value}"));
    }
    joined.push_str(&text[at..]);
    joined
}

/// The text with these members (name, value as JSON text), in the place of those of the same name or behind the last one.
pub fn set_members(scanned: &Scanned<'_>, members: &[(&str, String)]) -> String {
    let mut text = scanned.text.to_owned();
    let mut present: Vec<_> = members.iter().filter_map(|(name, value)| Some((scanned.member(name)?, value))).collect();
    // From the back, so that the places in front stay what they are.
    present.sort_by_key(|(member, _)| std::cmp::Reverse(member.span.start));
    for (member, value) in present {
        text.replace_range(member.value_start()..member.span.end, value);
    }
    let missing: Vec<_> = members.iter().filter(|(name, _)| scanned.member(name).is_none()).cloned().collect();
    match super::scan_object(&text) {
        Ok(replaced) if !missing.is_empty() => append_members(&replaced, &missing),
        _ => text,
    }
}

/// The text with one member (name, value as JSON text) in front of the first one.
pub fn insert_member_first(scanned: &Scanned<'_>, name: &str, value: &str) -> String {
    let text = scanned.text;
    match scanned.members.first() {
        Some(first) => {
            let gap = gap_of(scanned);
            let (head, tail) = text.split_at(first.span.start);
            format!("{head}\"{name}\": {value},{gap}{tail}", gap = if gap.is_empty() { " " } else { &gap })
        }
        None => append_members(scanned, &[(name, value.to_owned())]),
    }
}

/// The space in front of the last member: a line break and the indentation, or a blank.
fn gap_of(scanned: &Scanned<'_>) -> String {
    let Some(last) = scanned.members.last() else {
        return String::new();
    };
    let before = &scanned.text[..last.span.start];
    before[before.trim_end().len()..].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::json::scan_object;
    use proptest::prelude::*;
    use rstest::rstest;

    #[rstest]
    #[case(r#"{"id": 1, "_ts": 2}"#, r#"{"id": 1}"#)]
    #[case(r#"{"_ts": 2, "id": 1}"#, r#"{"id": 1}"#)]
    #[case(r#"{"_ts": 2, "_rid": 3, "id": 1, "_etag": 4, "b": 5, "_self": 6}"#, r#"{"id": 1, "b": 5}"#)]
    #[case(r#"{"_ts": 2, "_rid": 3}"#, r#"{}"#)]
    #[case("{\n    \"id\": 1,\n    \"_ts\": 2\n}", "{\n    \"id\": 1\n}")]
    fn members_go_with_their_commas(#[case] text: &str, #[case] left: &str) {
        let scanned = scan_object(text).expect("valid");
        assert_eq!(remove_members(&scanned, |name| name.starts_with('_')), left);
    }

    #[rstest]
    #[case("{}", r#"{"_ts": 2,"_rid": 3}"#)]
    #[case(r#"{"a": 1, "b": 2}"#, r#"{"a": 1, "b": 2, "_ts": 2, "_rid": 3}"#)]
    #[case("{\n  \"a\": 1\n}", "{\n  \"a\": 1,\n  \"_ts\": 2,\n  \"_rid\": 3\n}")]
    fn members_are_appended_in_the_objects_own_spacing(#[case] text: &str, #[case] whole: &str) {
        let scanned = scan_object(text).expect("valid");
        let members = [("_ts", "2".to_owned()), ("_rid", "3".to_owned())];
        assert_eq!(append_members(&scanned, &members), whole);
    }

    #[rstest]
    #[case("{}", r#"{"b": 2,"a": 1}"#)]
    #[case(r#"{"a": {"x": [1]}, "c": 3}"#, r#"{"a": 1, "c": 3, "b": 2}"#)]
    #[case(r#"{"b":9,"a":8}"#, r#"{"b":2,"a":1}"#)]
    fn members_are_set(#[case] text: &str, #[case] whole: &str) {
        let scanned = scan_object(text).expect("valid");
        assert_eq!(set_members(&scanned, &[("b", "2".to_owned()), ("a", "1".to_owned())]), whole);
    }

    #[test]
    fn a_member_is_put_first() {
        let scanned = scan_object("{\n  \"a\": 1\n}").expect("valid");
        assert_eq!(insert_member_first(&scanned, "id", "\"x\""), "{\n  \"id\": \"x\",\n  \"a\": 1\n}");
        let scanned = scan_object("{}").expect("valid");
        assert_eq!(insert_member_first(&scanned, "id", "\"x\""), "{\"id\": \"x\"}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]
        #[test]
        fn what_is_appended_can_be_removed_again(kept in prop::collection::vec(any::<bool>(), 0..8), gap in "[ \n]{0,3}") {
            let members: Vec<String> = kept.iter().enumerate()
                .map(|(i, keep)| format!("{gap}\"{}{i}\":{i}", if *keep { "k" } else { "_" })).collect();
            let text = format!("{{{}{gap}}}", members.join(","));
            let scanned = scan_object(&text).expect("valid");
            let less = remove_members(&scanned, |name| name.starts_with('_'));
            let rescanned = scan_object(&less).expect("still valid");
            let names: Vec<String> = rescanned.members.iter().map(|m| m.name.to_string()).collect();
            let expected: Vec<String> = kept.iter().enumerate().filter(|(_, k)| **k).map(|(i, _)| format!("k{i}")).collect();
            prop_assert_eq!(names, expected);
            let more = append_members(&rescanned, &[("_ts", "1".to_owned())]);
            let again = scan_object(&more).expect("valid with more");
            prop_assert_eq!(remove_members(&again, |name| name == "_ts"), less.clone());
        }
    }
}
