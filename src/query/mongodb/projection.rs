//! Projections: which fields of a document are answered.

use std::collections::HashMap;

use bson::{Bson, Document};

use crate::domain::mongodb::{MongoError, Number};

/// A compiled projection.
#[derive(Clone, Debug)]
pub struct Projection {
    include: bool,
    id: bool,
    fields: Fields,
}

/// Fields by name; `None` is the whole field, `Some` the fields below it.
type Fields = HashMap<String, Option<Branch>>;

#[derive(Clone, Debug, Default)]
struct Branch(Fields);

impl Projection {
    /// Compiles a projection; an empty one answers whole documents.
    ///
    /// # Errors
    /// Code 2, BadValue, for inclusion and exclusion at once, for paths that collide, and by name for operators.
    pub fn new(projection: &Document) -> Result<Projection, MongoError> {
        let mut include = None;
        let mut id = None;
        let mut fields = Fields::new();
        for (path, value) in projection {
            let wanted = switch(path, value)?;
            if path == "_id" {
                id = Some(wanted);
                continue;
            }
            if *include.get_or_insert(wanted) != wanted {
                let words = format!("Projection cannot have a mix of inclusion and exclusion: {path}.");
                return Err(MongoError::bad_value(words));
            }
            insert(&mut fields, path, path)?;
        }
        // `{_id: 1}` alone answers nothing else, `{_id: 0}` alone everything else.
        let include = include.unwrap_or(id == Some(true));
        Ok(Projection { include, id: id.unwrap_or(true), fields })
    }

    /// What is answered of a document.
    pub fn apply(&self, document: &Document) -> Document {
        let mut answer = Document::new();
        for (name, value) in document {
            if name == "_id" && !self.fields.contains_key("_id") {
                if self.id {
                    answer.insert("_id", value.clone());
                }
            } else if let Some(value) = project_field(&self.fields, name, value, self.include) {
                answer.insert(name.clone(), value);
            }
        }
        answer
    }
}

fn switch(path: &str, value: &Bson) -> Result<bool, MongoError> {
    if path.starts_with('$') || path.split('.').any(|part| part == "$") {
        return Err(MongoError::bad_value(format!("The positional projection '{path}' is not supported.")));
    }
    if path.split('.').any(str::is_empty) {
        return Err(MongoError::bad_value(format!("The path '{path}' has an empty part.")));
    }
    match value {
        Bson::Boolean(b) => Ok(*b),
        Bson::Document(operators) => {
            let name = operators.keys().next().map_or("{}", String::as_str);
            Err(MongoError::bad_value(format!("Unsupported projection option: {path}: {name}")))
        }
        other => match Number::of(other) {
            Some(number) => Ok(number.as_integer() != Some(0)),
            None => Err(MongoError::bad_value(format!("A projection takes 1 or 0: {path}."))),
        },
    }
}

fn insert(fields: &mut Fields, path: &str, whole: &str) -> Result<(), MongoError> {
    let collision = || MongoError::bad_value(format!("Path collision at {whole}."));
    match path.split_once('.') {
        None if fields.contains_key(path) => Err(collision()),
        None => {
            fields.insert(path.to_owned(), None);
            Ok(())
        }
        Some((first, rest)) => match fields.entry(first.to_owned()).or_insert_with(|| Some(Branch::default())) {
            Some(branch) => insert(&mut branch.0, rest, whole),
            None => Err(collision()),
        },
    }
}

fn project_field(fields: &Fields, name: &str, value: &Bson, include: bool) -> Option<Bson> {
    match fields.get(name) {
        None => (!include).then(|| value.clone()),
        Some(None) => include.then(|| value.clone()),
        Some(Some(branch)) => project_value(&branch.0, value, include),
    }
}

/// The fields below a value: of a document, and of the documents in an array. A value without fields is not included, and
/// not excluded.
fn project_value(fields: &Fields, value: &Bson, include: bool) -> Option<Bson> {
    match value {
        Bson::Document(document) => {
            let field = |(name, value): (&String, &Bson)| {
                project_field(fields, name, value, include).map(|value| (name.clone(), value))
            };
            Some(Bson::Document(document.iter().filter_map(field).collect()))
        }
        Bson::Array(items) => {
            Some(Bson::Array(items.iter().filter_map(|item| project_value(fields, item, include)).collect()))
        }
        other => (!include).then(|| other.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bson::doc;
    use rstest::rstest;

    #[rstest]
    #[case(doc! {}, doc! { "_id": 1, "a": 2, "o": { "p": 3, "q": 4 }, "l": [{ "x": 5, "y": 6 }, 7] })]
    #[case(doc! { "a": 1 }, doc! { "_id": 1, "a": 2 })]
    #[case(doc! { "a": 1, "_id": 0 }, doc! { "a": 2 })]
    #[case(doc! { "a": true, "_id": false }, doc! { "a": 2 })]
    #[case(doc! { "_id": 1 }, doc! { "_id": 1 })]
    #[case(doc! { "_id": 0 }, doc! { "a": 2, "o": { "p": 3, "q": 4 }, "l": [{ "x": 5, "y": 6 }, 7] })]
    #[case(doc! { "o": 0, "l": 0 }, doc! { "_id": 1, "a": 2 })]
    #[case(doc! { "o": 0, "l": 0, "_id": 1 }, doc! { "_id": 1, "a": 2 })]
    #[case(doc! { "o": 0, "l": 0, "_id": 0 }, doc! { "a": 2 })]
    #[case(doc! { "o.p": 1, "l.x": 1 }, doc! { "_id": 1, "o": { "p": 3 }, "l": [{ "x": 5 }] })]
    #[case(doc! { "o.p": 0, "l.x": 0 }, doc! { "_id": 1, "a": 2, "o": { "q": 4 }, "l": [{ "y": 6 }, 7] })]
    #[case(doc! { "a.b": 1, "missing": 1 }, doc! { "_id": 1 })]
    fn what_is_answered(#[case] projection: Document, #[case] answer: Document) {
        let document = doc! { "_id": 1, "a": 2, "o": { "p": 3, "q": 4 }, "l": [{ "x": 5, "y": 6 }, 7] };
        assert_eq!(Projection::new(&projection).expect("a projection").apply(&document), answer);
    }

    #[rstest]
    #[case(doc! { "a": 1, "b": 0 }, "mix of inclusion and exclusion")]
    #[case(doc! { "a": 1, "a.b": 1 }, "Path collision at a.b")]
    #[case(doc! { "a.b": 1, "a": 1 }, "Path collision at a")]
    #[case(doc! { "a": { "$slice": 1 } }, "Unsupported projection option: a: $slice")]
    #[case(doc! { "a.$": 1 }, "'a.$' is not supported")]
    #[case(doc! { "a..b": 1 }, "empty part")]
    #[case(doc! { "a": "x" }, "takes 1 or 0")]
    fn refused_by_name(#[case] projection: Document, #[case] words: &str) {
        let error = Projection::new(&projection).expect_err("refused");
        assert!(error.code == 2 && error.errmsg.contains(words), "{error}");
    }
}
