//! What a MongoDB account answers when it refuses: a code, its name, and words.

use bson::{Document, doc};

/// A refused command: nothing was stored, nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{errmsg}")]
pub struct MongoError {
    /// The number of the error, as in MongoDB's `error_codes.yml`.
    pub code: i32,
    /// The name that belongs to the number.
    pub code_name: &'static str,
    /// What is wrong, in the server's words where they are known.
    pub errmsg: String,
}

impl MongoError {
    /// Code 2: a value that the command does not take.
    pub fn bad_value(errmsg: impl Into<String>) -> Self {
        MongoError { code: 2, code_name: "BadValue", errmsg: errmsg.into() }
    }

    /// Code 9: a statement that has the wrong form.
    pub fn failed_to_parse(errmsg: impl Into<String>) -> Self {
        MongoError { code: 9, code_name: "FailedToParse", errmsg: errmsg.into() }
    }

    /// Code 14: a value of another type than the operation works on.
    pub fn type_mismatch(errmsg: impl Into<String>) -> Self {
        MongoError { code: 14, code_name: "TypeMismatch", errmsg: errmsg.into() }
    }

    /// Code 28: a path that leads through a value without fields.
    pub fn path_not_viable(errmsg: impl Into<String>) -> Self {
        MongoError { code: 28, code_name: "PathNotViable", errmsg: errmsg.into() }
    }

    /// Code 40: two operators of one update change the same path.
    pub fn conflicting_update(path: &str, at: &str) -> Self {
        let errmsg = format!("Updating the path '{path}' would create a conflict at '{at}'");
        MongoError { code: 40, code_name: "ConflictingUpdateOperators", errmsg }
    }

    /// Code 52: a name that starts with `$` where data is stored.
    pub fn dollar_prefixed(name: &str) -> Self {
        let errmsg = format!("The dollar ($) prefixed field '{name}' is not valid for storage.");
        MongoError { code: 52, code_name: "DollarPrefixedFieldName", errmsg }
    }

    /// Code 56: a path with an empty part.
    pub fn empty_field_name(path: &str) -> Self {
        let errmsg = format!("The update path '{path}' contains an empty field name, which is not allowed.");
        MongoError { code: 56, code_name: "EmptyFieldName", errmsg }
    }

    /// Code 59: a command that the service does not know.
    pub fn command_not_found(name: &str) -> Self {
        let errmsg = format!("no such command: '{name}'");
        MongoError { code: 59, code_name: "CommandNotFound", errmsg }
    }

    /// Code 66: an update that changes `_id`.
    pub fn immutable_id() -> Self {
        let errmsg = "Performing an update on the path '_id' would modify the immutable field '_id'".to_owned();
        MongoError { code: 66, code_name: "ImmutableField", errmsg }
    }

    /// Code 85: an index of that name exists with other options.
    pub fn index_options_conflict(errmsg: impl Into<String>) -> Self {
        MongoError { code: 85, code_name: "IndexOptionsConflict", errmsg: errmsg.into() }
    }

    /// The answer of the service: `{ok: 0, code, codeName, errmsg}`.
    pub fn answer(&self) -> Document {
        doc! { "ok": 0, "code": self.code, "codeName": self.code_name, "errmsg": self.errmsg.as_str() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_has_the_shape_of_the_services() {
        let error = MongoError::bad_value("no");
        assert_eq!(error.answer(), doc! { "ok": 0, "code": 2, "codeName": "BadValue", "errmsg": "no" });
        assert_eq!(error.to_string(), "no");
    }
}
