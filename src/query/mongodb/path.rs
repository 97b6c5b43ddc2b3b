//! Dotted paths through documents and arrays.

use std::collections::HashSet;

use bson::{Bson, Document};

/// A dotted path in its parts: `a.b.0`.
pub(super) type Path = Vec<String>;

/// The parts of a dotted path.
pub(super) fn parse(path: &str) -> Path {
    path.split('.').map(str::to_owned).collect()
}

/// A part as an index into an array: `0`, `12`; not `-1`, not `01`.
pub(super) fn index(part: &str) -> Option<usize> {
    let plain = part == "0" || !part.starts_with('0');
    (plain && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse().ok()).flatten()
}

/// Whether `test` holds for something that the path leads to. On its way it goes through the documents in an array, and
/// into the element that a part numbers. A path that ends early is tested as `None`, a missing field.
pub(super) fn any_at(document: &Document, path: &[String], test: &mut dyn FnMut(Option<&Bson>) -> bool) -> bool {
    Walk { test, tried: HashSet::new() }.in_document(document, path)
}

/// A walk along a path.
struct Walk<'t> {
    test: &'t mut dyn FnMut(Option<&Bson>) -> bool,
    /// Arrays that a number was looked up in, with the length of the path that was left. A number can be an index or the
    /// name of a field, and without this each level of nesting would double the ways to the next one.
    tried: HashSet<(*const Bson, usize)>,
}

impl Walk<'_> {
    fn in_document(&mut self, document: &Document, path: &[String]) -> bool {
        let Some((first, rest)) = path.split_first() else { return false };
        match (document.get(first), rest) {
            (value, []) => (self.test)(value),
            (None, _) => (self.test)(None),
            (Some(value), rest) => self.below(value, rest),
        }
    }

    fn below(&mut self, value: &Bson, path: &[String]) -> bool {
        match value {
            Bson::Document(document) => self.in_document(document, path),
            Bson::Array(items) => self.in_array(items, path),
            _ => (self.test)(None),
        }
    }

    fn in_array(&mut self, items: &[Bson], path: &[String]) -> bool {
        let Some((first, rest)) = path.split_first() else { return false };
        let numbered = index(first).and_then(|index| items.get(index));
        if numbered.is_some() && !self.tried.insert((items.as_ptr(), path.len())) {
            return false;
        }
        let by_number = match (numbered, rest) {
            (Some(item), []) => (self.test)(Some(item)),
            (Some(item), rest) => self.below(item, rest),
            (None, _) => false,
        };
        by_number
            || items.iter().any(|item| match item {
                // A document without a field of that number is not what a number speaks of.
                Bson::Document(document) if numbered.is_none() || document.contains_key(first) => {
                    self.in_document(document, path)
                }
                _ => false,
            })
    }
}

/// Every value that a dotted path leads to, the elements of an array in its place: what `distinct` looks at.
pub fn values_at(document: &Document, path: &str) -> Vec<Bson> {
    let mut values = Vec::new();
    any_at(document, &parse(path), &mut |value| {
        match value {
            Some(Bson::Array(items)) => values.extend(items.iter().cloned()),
            Some(value) => values.push(value.clone()),
            None => {}
        }
        false
    });
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use bson::doc;
    use rstest::rstest;

    #[rstest]
    #[case("a", vec![1, 2])]
    #[case("o.p", vec![3])]
    #[case("l.x", vec![4, 5])]
    #[case("l.0.x", vec![4])]
    #[case("l.2.x", vec![])]
    #[case("a.1", vec![2])]
    #[case("a.01", vec![])]
    #[case("missing", vec![])]
    #[case("a.b", vec![])]
    fn values_along_a_path(#[case] path: &str, #[case] expected: Vec<i32>) {
        let document = doc! { "a": [1, 2], "o": { "p": 3 }, "l": [{ "x": 4 }, { "x": 5 }, 6] };
        let expected: Vec<Bson> = expected.into_iter().map(Bson::Int32).collect();
        assert_eq!(values_at(&document, path), expected);
    }

    #[test]
    fn numbers_that_are_indexes_and_names_do_not_double_the_ways() {
        let nested = (0..45).fold(Bson::Int32(1), |inner, _| Bson::Array(vec![Bson::Document(doc! { "0": inner })]));
        let path = parse(&format!("a{}", ".0".repeat(70)));
        let mut tests = 0u64;
        let found = any_at(&doc! { "a": nested }, &path, &mut |_| {
            tests += 1;
            assert!(tests < 10_000, "every way is tried");
            false
        });
        assert!(!found);
    }
}
