//! What a row is made of.

use serde_json::{Map, Value};

use super::path::Field;

/// The fields of a row by their names; none for the whole document.
pub(super) fn row(select: &[(String, Field)], document: Value, id: &str) -> Value {
    if select.is_empty() {
        return document;
    }
    let members = select.iter().map(|(name, field)| (name.clone(), field.value(&document, id).unwrap_or(Value::Null)));
    Value::Object(members.collect::<Map<_, _>>())
}
