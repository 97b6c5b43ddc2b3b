//! Sort orders by several keys.

use std::cmp::Ordering;

use bson::{Bson, Document};

use crate::domain::mongodb::{MongoError, Number};

use super::order::order;
use super::path::{self, Path, any_at};

/// A compiled sort order.
#[derive(Clone, Debug)]
pub struct Sort(Vec<Key>);

#[derive(Clone, Debug)]
struct Key {
    path: Path,
    descending: bool,
}

impl Sort {
    /// Compiles `{a: 1, "b.c": -1}`; an empty one leaves documents as they come.
    ///
    /// # Errors
    /// Code 2, BadValue, for a direction that is neither 1 nor -1.
    pub fn new(sort: &Document) -> Result<Sort, MongoError> {
        let key = |(name, direction): (&String, &Bson)| {
            let descending = match Number::of(direction).and_then(|number| number.as_integer()) {
                Some(1) => false,
                Some(-1) => true,
                _ => {
                    let words = format!("bad sort specification: the direction of '{name}' is 1 or -1");
                    return Err(MongoError::bad_value(words));
                }
            };
            if name.starts_with('$') || name.split('.').any(str::is_empty) {
                return Err(MongoError::bad_value(format!("bad sort specification: '{name}' is no path")));
            }
            Ok(Key { path: path::parse(name), descending })
        };
        sort.iter().map(key).collect::<Result<_, _>>().map(Sort)
    }

    /// Whether it leaves documents as they come.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Compares two documents.
    pub fn compare(&self, a: &Document, b: &Document) -> Ordering {
        let by_key = |key: &Key| {
            let order = order(&key.value_of(a), &key.value_of(b));
            if key.descending { order.reverse() } else { order }
        };
        self.0.iter().map(by_key).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}

impl Key {
    /// What a document is sorted by: of an array the least element, or the greatest when descending; null for a missing
    /// field, and below null for an empty array.
    fn value_of(&self, document: &Document) -> Bson {
        let mut best: Option<Bson> = None;
        let mut consider = |value: &Bson| {
            let better = match &best {
                None => true,
                Some(best) => order(value, best) == if self.descending { Ordering::Greater } else { Ordering::Less },
            };
            if better {
                best = Some(value.clone());
            }
        };
        any_at(document, &self.path, &mut |value| {
            match value {
                Some(Bson::Array(items)) if items.is_empty() => consider(&Bson::Undefined),
                Some(Bson::Array(items)) => items.iter().for_each(&mut consider),
                Some(value) => consider(value),
                None => consider(&Bson::Null),
            }
            false
        });
        best.unwrap_or(Bson::Null)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bson::{bson, doc};
    use rstest::rstest;

    fn sorted(sort: Document, values: Vec<Bson>) -> Vec<Bson> {
        let sort = Sort::new(&sort).expect("a sort order");
        let mut documents: Vec<Document> = values.into_iter().map(|value| doc! { "v": value }).collect();
        documents.sort_by(|a, b| sort.compare(a, b));
        documents.into_iter().filter_map(|mut document| document.remove("v")).collect()
    }

    #[test]
    fn of_an_array_the_element_that_comes_first_counts() {
        let values = || vec![bson!([5, 1]), bson!(3), bson!([2, 9])];
        assert_eq!(sorted(doc! { "v": 1 }, values()), [bson!([5, 1]), bson!([2, 9]), bson!(3)]);
        assert_eq!(sorted(doc! { "v": -1 }, values()), [bson!([2, 9]), bson!([5, 1]), bson!(3)]);
    }

    #[test]
    fn types_before_values() {
        let values = vec![bson!("a"), bson!(2.5), Bson::Null, bson!([]), bson!(true), Bson::Int64(2)];
        let expected = [bson!([]), Bson::Null, Bson::Int64(2), bson!(2.5), bson!("a"), bson!(true)];
        assert_eq!(sorted(doc! { "v": 1 }, values), expected);
    }

    #[test]
    fn the_second_key_decides_where_the_first_does_not() {
        let sort = Sort::new(&doc! { "a": 1, "b.c": -1.0 }).expect("a sort order");
        let (one, two) = (doc! { "a": 1, "b": { "c": 1 } }, doc! { "a": 1, "b": { "c": 2 } });
        assert_eq!(sort.compare(&one, &two), Ordering::Greater);
        assert_eq!(sort.compare(&one, &doc! { "a": 1 }), Ordering::Less);
        assert!(Sort::new(&doc! {}).expect("empty").is_empty());
    }

    #[rstest]
    #[case(doc! { "a": 0 })]
    #[case(doc! { "a": "asc" })]
    #[case(doc! { "a": { "$meta": "textScore" } })]
    #[case(doc! { "a..b": 1 })]
    #[case(doc! { "$a": 1 })]
    fn refused(#[case] sort: Document) {
        assert_eq!(Sort::new(&sort).expect_err("refused").code, 2);
    }
}
