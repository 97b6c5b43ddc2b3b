//! Paths of fields, and the values that stand there.

use serde_json::Value;

/// A field: `Name`, `Address.City`, `Lines[].Product`, or the document's id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Id,
    Path(Vec<String>),
}

impl Field {
    /// Visits every value of the field, until one is answered with true. An array stands for its elements, as in an index
    /// of RavenDB, wherever it stands in the path.
    pub fn any(&self, document: &Value, id: &str, visit: &mut dyn FnMut(&Value) -> bool) -> bool {
        match self {
            Field::Id => visit(&Value::String(id.to_owned())),
            Field::Path(names) => walk(document, names, visit),
        }
    }

    /// The value as it stands in the document, arrays whole.
    pub fn value(&self, document: &Value, id: &str) -> Option<Value> {
        match self {
            Field::Id => Some(Value::String(id.to_owned())),
            Field::Path(names) => {
                let mut at = document;
                for (step, name) in names.iter().enumerate() {
                    if let Value::Array(items) = at {
                        let rest = Field::Path(names[step..].to_vec());
                        return Some(Value::Array(items.iter().filter_map(|item| rest.value(item, id)).collect()));
                    }
                    at = at.get(name)?;
                }
                Some(at.clone())
            }
        }
    }
}

fn walk(value: &Value, names: &[String], visit: &mut dyn FnMut(&Value) -> bool) -> bool {
    match (value, names.split_first()) {
        (Value::Array(items), _) => items.iter().any(|item| walk(item, names, visit)),
        (value, None) => visit(value),
        (value, Some((name, rest))) => value.get(name).is_some_and(|found| walk(found, rest, visit)),
    }
}
