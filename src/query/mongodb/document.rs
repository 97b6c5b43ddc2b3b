//! What a document must be to be stored, and where its `_id` stands.

use bson::{Bson, Document};

use crate::domain::mongodb::{MAX_DEPTH, MongoError};

/// Checks a document that somebody wants stored: names, depth, the type of `_id`.
///
/// # Errors
/// Code 52 for a name that starts with `$` (but for those of a reference), 15 for nesting deeper than [`MAX_DEPTH`],
/// 53 for an `_id` that is an array, a regular expression or undefined, 2 for a name with the character NUL.
pub fn check_storable(document: &Document) -> Result<(), MongoError> {
    if let Some(id @ (Bson::Array(_) | Bson::RegularExpression(_) | Bson::Undefined)) = document.get("_id") {
        let errmsg = format!("The '_id' value cannot be of type {}", super::types::name_of(id));
        return Err(MongoError { code: 53, code_name: "InvalidIdField", errmsg });
    }
    check_document(document, 1)
}

/// Checks a value that becomes part of a document.
pub(super) fn check_value(value: &Bson, depth: usize) -> Result<(), MongoError> {
    match value {
        Bson::Document(document) => check_document(document, depth + 1),
        Bson::Array(_) if depth == MAX_DEPTH => Err(too_deep()),
        Bson::Array(items) => items.iter().try_for_each(|item| check_value(item, depth + 1)),
        _ => Ok(()),
    }
}

fn check_document(document: &Document, depth: usize) -> Result<(), MongoError> {
    if depth > MAX_DEPTH {
        return Err(too_deep());
    }
    for (name, value) in document {
        check_name(name)?;
        check_value(value, depth)?;
    }
    Ok(())
}

/// Checks the name of a field.
pub(super) fn check_name(name: &str) -> Result<(), MongoError> {
    if name.starts_with('$') && !matches!(name, "$ref" | "$id" | "$db") {
        return Err(MongoError::dollar_prefixed(name));
    }
    if name.contains('\0') {
        return Err(MongoError::bad_value("A name cannot hold the character NUL."));
    }
    Ok(())
}

fn too_deep() -> MongoError {
    let errmsg = format!("Documents and arrays can be nested {MAX_DEPTH} deep.");
    MongoError { code: 15, code_name: "Overflow", errmsg }
}

/// The document with `_id` in front, made by `new_id` when it has none.
pub fn with_id(mut document: Document, new_id: impl FnOnce() -> Bson) -> Document {
    if document.keys().next().is_some_and(|name| name == "_id") {
        return document;
    }
    let id = document.remove("_id").unwrap_or_else(new_id);
    let mut whole = Document::new();
    whole.insert("_id", id);
    whole.extend(document);
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use bson::{bson, doc};
    use rstest::rstest;

    #[rstest]
    #[case(doc! { "$set": 1 }, 52)]
    #[case(doc! { "a": [{ "b": { "$c": 1 } }] }, 52)]
    #[case(doc! { "_id": [1] }, 53)]
    #[case(doc! { "a\u{0}": 1 }, 2)]
    fn not_storable(#[case] document: Document, #[case] code: i32) {
        assert_eq!(check_storable(&document).expect_err("refused").code, code);
    }

    #[test]
    fn storable() {
        assert_eq!(check_storable(&doc! { "_id": { "a": 1 }, "r": { "$ref": "c", "$id": 1, "$db": "d" } }), Ok(()));
        let nested = |n: usize| (1..n).fold(doc! {}, |inner, _| doc! { "a": inner });
        assert_eq!(check_storable(&nested(MAX_DEPTH)), Ok(()));
        assert_eq!(check_storable(&nested(MAX_DEPTH + 1)).expect_err("refused").code, 15);
    }

    #[test]
    fn the_id_comes_first() {
        let keys = |document: Document| document.keys().cloned().collect::<Vec<_>>();
        assert_eq!(keys(with_id(doc! { "a": 1, "_id": 2, "b": 3 }, || Bson::Null)), ["_id", "a", "b"]);
        assert_eq!(with_id(doc! { "a": 1 }, || bson!(7)), doc! { "_id": 7, "a": 1 });
    }
}
