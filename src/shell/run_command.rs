//! The commands of `db.runCommand`: those on indexes.

use bson::{Bson, Document};

use super::action::drop_target;
use super::arguments::{Arguments, Fault};
use super::ast::Argument;
use super::command::{IndexRequest, RunCommand};

/// The command in the first field of the argument; a string is a command without arguments.
pub(super) fn run_command(arguments: &Arguments<'_>) -> Result<RunCommand, Fault> {
    arguments.at_most(1)?;
    const WHAT: &str = "a command: {listIndexes: \"coll\"}";
    if let Some(Argument { value: Bson::String(name), .. }) = arguments.get(0) {
        return Ok(RunCommand::Unknown { name: name.clone() });
    }
    let command = arguments.document(0, WHAT)?;
    let Some((name, operand)) = command.iter().next() else {
        return Err(arguments.needs(WHAT));
    };
    let collection = || match operand {
        Bson::String(collection) if !collection.is_empty() => Ok(collection.clone()),
        _ => Err(arguments.needs(&format!("the name of a collection in {{{name}: \"coll\"}}"))),
    };
    Ok(match name.as_str() {
        "createIndexes" => {
            let what = "indexes: [{key: {\"_ts\": 1}, name: \"_ts_1\"}]";
            let requests = match command.get("indexes") {
                Some(Bson::Array(items)) if !items.is_empty() => items.iter().map(index_request).collect(),
                _ => None,
            };
            RunCommand::CreateIndexes {
                collection: collection()?,
                indexes: requests.ok_or_else(|| arguments.needs(what))?,
            }
        }
        "dropIndexes" | "deleteIndexes" => {
            let target = command.get("index").and_then(drop_target);
            let target = target.ok_or_else(|| arguments.needs("index: \"_ts_1\", or \"*\" for all"))?;
            RunCommand::DropIndexes { collection: collection()?, target }
        }
        "listIndexes" => RunCommand::ListIndexes { collection: collection()? },
        "collMod" => RunCommand::CollMod,
        other => RunCommand::Unknown { name: other.to_owned() },
    })
}

/// `{key: {…}, …}`: what is not the key are options.
fn index_request(value: &Bson) -> Option<IndexRequest> {
    let mut options: Document = value.as_document()?.clone();
    match options.remove("key") {
        Some(Bson::Document(key)) if !key.is_empty() => Some(IndexRequest { key, options }),
        _ => None,
    }
}
