//! The methods of a collection, and those of a cursor.

use bson::{Bson, Document};

use super::arguments::{Arguments, Fault, kind};
use super::ast::{Argument, Call};
use super::command::{Action, CountOf, DropTarget, Find, IndexRequest, InsertForm, Output, Removal, no_more, unknown};
use super::methods::{COLLECTION_METHODS, CURSOR_METHODS};

const FILTER: &str = "a filter: {} for all documents";

/// What a call on a collection asks for, with the calls on its answer.
pub(super) fn action(call: &Call, rest: &[Call]) -> Result<Action, Fault> {
    let arguments = &Arguments::of(call);
    let action = match call.method.as_str() {
        "find" => return find(arguments, rest).map(|find| Action::Find(Box::new(find))),
        "findOne" => {
            arguments.at_most(2)?;
            let find = Find { output: Output::One, limit: Some(1), ..find_of(arguments)? };
            Action::Find(Box::new(find))
        }
        "insert" | "insertOne" | "insertMany" => insert(arguments, &call.method)?,
        "updateOne" | "updateMany" => update(arguments, call.method == "updateMany")?,
        "replaceOne" => replace(arguments)?,
        "deleteOne" | "deleteMany" => {
            arguments.at_most(2)?;
            arguments.options(1, &[])?;
            let form = if call.method == "deleteMany" { Removal::Many } else { Removal::One };
            Action::Delete { filter: arguments.document(0, FILTER)?, form }
        }
        "remove" => remove(arguments)?,
        "count" | "countDocuments" => {
            arguments.at_most(2)?;
            arguments.options(1, &[])?;
            Action::Count(CountOf::Matching(arguments.optional(0, "a filter")?))
        }
        "estimatedDocumentCount" => {
            arguments.at_most(1)?;
            arguments.options(0, &[])?;
            Action::Count(CountOf::Estimated)
        }
        "distinct" => {
            arguments.at_most(2)?;
            let field = arguments.text(0, "the name of a field in quotes")?;
            Action::Distinct { field, filter: arguments.optional(1, "a filter")? }
        }
        "createIndex" | "ensureIndex" => {
            arguments.at_most(2)?;
            let key = key(arguments.document(0, "fields and directions: {\"_ts\": 1}")?, call)?;
            Action::CreateIndexes(vec![IndexRequest { key, options: arguments.optional(1, "a document of options")? }])
        }
        "createIndexes" => create_indexes(arguments, call)?,
        "getIndexes" => arguments.none().map(|()| Action::ListIndexes)?,
        "dropIndex" => {
            arguments.at_most(1)?;
            const WHAT: &str = "the name of an index, or its fields and directions";
            Action::DropIndexes(match arguments.get(0).map(|argument| &argument.value) {
                Some(Bson::Document(key)) => DropTarget::Key(key.clone()),
                _ => target_of_text(arguments.text(0, WHAT)?),
            })
        }
        "dropIndexes" => {
            arguments.at_most(1)?;
            Action::DropIndexes(match arguments.get(0) {
                None => DropTarget::All,
                Some(argument) => drop_target(&argument.value)
                    .ok_or_else(|| arguments.instead(argument, "nothing, a name, names, or fields and directions"))?,
            })
        }
        "drop" => {
            arguments.at_most(1)?;
            arguments.options(0, &[])?;
            Action::Drop
        }
        _ => return Err(unknown(call, "a collection", &COLLECTION_METHODS)),
    };
    no_more(call, rest)?;
    Ok(action)
}

fn insert(arguments: &Arguments<'_>, method: &str) -> Result<Action, Fault> {
    const ONE: &str = "a document";
    const MANY: &str = "an array of documents, at least one";
    arguments.at_most(2)?;
    let options = arguments.options(1, &["ordered"])?;
    let ordered = arguments.switch(&options, "ordered", true)?;
    let several = |argument: &Argument, items: &[Bson]| {
        let documents: Option<Vec<Document>> = items.iter().map(|item| item.as_document().cloned()).collect();
        documents.filter(|documents| !documents.is_empty()).ok_or_else(|| {
            let other = items.iter().find(|item| item.as_document().is_none());
            let found = other.map_or("an empty array", kind);
            Fault::new(argument.span.clone(), format!("{method} needs {MANY}, not {found}"))
        })
    };
    let (documents, form) = match (method, arguments.get(0)) {
        ("insertOne", _) => (vec![arguments.document(0, ONE)?], InsertForm::One),
        ("insertMany", Some(argument @ Argument { value: Bson::Array(items), .. })) => {
            (several(argument, items)?, InsertForm::Many)
        }
        ("insertMany", Some(other)) => return Err(arguments.instead(other, MANY)),
        ("insertMany", None) => return Err(arguments.needs(MANY)),
        (_, Some(argument @ Argument { value: Bson::Array(items), .. })) => {
            (several(argument, items)?, InsertForm::Insert)
        }
        _ => (vec![arguments.document(0, ONE)?], InsertForm::Insert),
    };
    Ok(Action::Insert { documents, form, ordered })
}

fn update(arguments: &Arguments<'_>, many: bool) -> Result<Action, Fault> {
    arguments.at_most(3)?;
    let filter = arguments.document(0, FILTER)?;
    if let Some(pipeline @ Argument { value: Bson::Array(_), .. }) = arguments.get(1) {
        return Err(arguments.instead(pipeline, "operators: {$set: {…}}"));
    }
    let update = arguments.document(1, "operators behind the filter: {$set: {…}}")?;
    let options = arguments.options(2, &["upsert"])?;
    Ok(Action::Update { filter, update, many, upsert: arguments.switch(&options, "upsert", false)? })
}

fn replace(arguments: &Arguments<'_>) -> Result<Action, Fault> {
    arguments.at_most(3)?;
    let filter = arguments.document(0, FILTER)?;
    let replacement = arguments.document(1, "the new document behind the filter")?;
    let options = arguments.options(2, &["upsert"])?;
    Ok(Action::Replace { filter, replacement, upsert: arguments.switch(&options, "upsert", false)? })
}

/// `remove(filter)`, `remove(filter, true)`, `remove(filter, {justOne: true})`
fn remove(arguments: &Arguments<'_>) -> Result<Action, Fault> {
    arguments.at_most(2)?;
    let filter = arguments.document(0, FILTER)?;
    let just_one = match arguments.get(1).map(|argument| &argument.value) {
        Some(Bson::Boolean(b)) => *b,
        Some(Bson::Int32(n)) => *n != 0,
        _ => {
            let options = arguments.options(1, &["justOne"])?;
            arguments.switch(&options, "justOne", false)?
        }
    };
    Ok(Action::Delete { filter, form: Removal::Remove { just_one } })
}

fn create_indexes(arguments: &Arguments<'_>, call: &Call) -> Result<Action, Fault> {
    const WHAT: &str = "an array of keys: [{\"_ts\": 1}]";
    arguments.at_most(2)?;
    let options = arguments.optional(1, "a document of options")?;
    let keys = match arguments.get(0) {
        Some(Argument { value: Bson::Array(keys), .. }) if !keys.is_empty() => keys,
        Some(other) => return Err(arguments.instead(other, WHAT)),
        None => return Err(arguments.needs(WHAT)),
    };
    let request = |value: &Bson| match value {
        Bson::Document(fields) => Ok(IndexRequest { key: key(fields.clone(), call)?, options: options.clone() }),
        other => Err(Fault::new(call.span.clone(), format!("createIndexes needs {WHAT}, not {}", kind(other)))),
    };
    Ok(Action::CreateIndexes(keys.iter().map(request).collect::<Result<_, _>>()?))
}

fn key(key: Document, call: &Call) -> Result<Document, Fault> {
    if key.is_empty() {
        return Err(Fault::new(call.span.clone(), "an index needs at least one field: {\"_ts\": 1}"));
    }
    Ok(key)
}

/// The indexes that a value names.
pub(super) fn drop_target(value: &Bson) -> Option<DropTarget> {
    match value {
        Bson::String(name) if !name.is_empty() => Some(target_of_text(name.clone())),
        Bson::Document(key) => Some(DropTarget::Key(key.clone())),
        Bson::Array(names) => {
            let names: Option<Vec<String>> = names.iter().map(|name| name.as_str().map(str::to_owned)).collect();
            names.map(DropTarget::Names)
        }
        _ => None,
    }
}

fn target_of_text(name: String) -> DropTarget {
    if name == "*" { DropTarget::All } else { DropTarget::Names(vec![name]) }
}

fn find_of(arguments: &Arguments<'_>) -> Result<Find, Fault> {
    let filter = arguments.optional(0, "a filter")?;
    let projection = arguments.optional(1, "a projection: {name: 1}")?;
    Ok(Find { filter, projection, ..Find::default() })
}

fn find(arguments: &Arguments<'_>, rest: &[Call]) -> Result<Find, Fault> {
    arguments.at_most(2)?;
    let mut find = find_of(arguments)?;
    for (i, call) in rest.iter().enumerate() {
        let arguments = &Arguments::of(call);
        let ends = match call.method.as_str() {
            "sort" => {
                arguments.at_most(1)?;
                find.sort = arguments.document(0, "keys and directions: {name: 1}")?;
                None
            }
            "limit" => {
                arguments.at_most(1)?;
                // 0 is no limit; below 0 a server answers in one batch, which is the same here.
                let limit = arguments.whole(0)?.unsigned_abs();
                find.limit = (limit > 0).then_some(limit);
                None
            }
            "skip" => {
                arguments.at_most(1)?;
                let skip = u64::try_from(arguments.whole(0)?);
                find.skip = skip.map_err(|_| arguments.needs("a number that is not negative"))?;
                None
            }
            "pretty" => {
                arguments.none()?;
                find.pretty = true;
                None
            }
            "toArray" => arguments.none().map(|()| Some(Output::Array))?,
            "size" | "itcount" => arguments.none().map(|()| Some(Output::Count { limited: true }))?,
            "count" => {
                arguments.at_most(1)?;
                let limited = matches!(arguments.get(0), Some(Argument { value: Bson::Boolean(true), .. }));
                Some(Output::Count { limited })
            }
            _ => return Err(unknown(call, "a cursor", &CURSOR_METHODS)),
        };
        if let Some(output) = ends {
            find.output = output;
            no_more(call, &rest[i + 1..])?;
        }
    }
    Ok(find)
}
