//! Commands: statements whose method and arguments are checked, as an executor takes them.

use bson::Document;

use super::arguments::{Arguments, Fault};
use super::ast::{Call, Shown, Statement, StatementKind, Target};
use super::error::ShellError;
use super::methods::{COLLECTION_METHODS, DATABASE_METHODS, nearest};
use super::{action, run_command};

/// What a statement asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Work in this database from now on.
    Use(String),
    /// List the databases.
    ShowDatabases,
    /// List the collections; also `db.getCollectionNames()`, which answers an array.
    ShowCollections {
        /// As an array of names.
        as_array: bool,
    },
    /// Name the database; `db`, `db.getName()`.
    CurrentDatabase,
    /// Print the next documents of the last cursor; `it`.
    More,
    /// Print what the shell knows.
    Help,
    /// Clear the screen.
    Clear,
    /// Leave the shell.
    Exit,
    /// Drop the database.
    DropDatabase,
    /// Make an empty collection.
    CreateCollection(String),
    /// `db.runCommand({…})`
    Run(RunCommand),
    /// Something on one collection.
    On {
        /// The name of the collection.
        collection: String,
        /// What is done.
        action: Action,
    },
}

/// A command of `db.runCommand`.
#[derive(Clone, Debug, PartialEq)]
pub enum RunCommand {
    /// `{createIndexes: "coll", indexes: [{key, name, expireAfterSeconds}]}`
    CreateIndexes {
        /// The name of the collection.
        collection: String,
        /// The indexes.
        indexes: Vec<IndexRequest>,
    },
    /// `{dropIndexes: "coll", index: …}`
    DropIndexes {
        /// The name of the collection.
        collection: String,
        /// Which.
        target: DropTarget,
    },
    /// `{listIndexes: "coll"}`
    ListIndexes {
        /// The name of the collection.
        collection: String,
    },
    /// `{collMod: …}`, which the service does not know.
    CollMod,
    /// A command that is not known: the answer is code 59, CommandNotFound.
    Unknown {
        /// The name of the command.
        name: String,
    },
}

/// What is done on a collection. Filters, updates and the like are documents as typed; who runs them compiles them.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Store new documents.
    Insert {
        /// The documents, at least one.
        documents: Vec<Document>,
        /// By which method: the answers differ.
        form: InsertForm,
        /// Stop at the first that is refused.
        ordered: bool,
    },
    /// Look for documents.
    Find(Box<Find>),
    /// Change documents by operators.
    Update {
        /// Which documents.
        filter: Document,
        /// The operators.
        update: Document,
        /// All of them, or the first.
        many: bool,
        /// Make a document when none matches.
        upsert: bool,
    },
    /// Replace the first document that matches.
    Replace {
        /// Which document.
        filter: Document,
        /// The new one.
        replacement: Document,
        /// Make it when none matches.
        upsert: bool,
    },
    /// Delete documents.
    Delete {
        /// Which documents.
        filter: Document,
        /// By which method.
        form: Removal,
    },
    /// Count documents.
    Count(CountOf),
    /// The different values of a field.
    Distinct {
        /// A dotted path.
        field: String,
        /// Of which documents.
        filter: Document,
    },
    /// Make indexes.
    CreateIndexes(Vec<IndexRequest>),
    /// List the indexes.
    ListIndexes,
    /// Drop indexes.
    DropIndexes(DropTarget),
    /// Drop the collection.
    Drop,
}

/// The method of an insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InsertForm {
    /// `insert`, with one document or several: answers a WriteResult.
    Insert,
    /// `insertOne`: answers the id.
    One,
    /// `insertMany`: answers the ids.
    Many,
}

/// The method of a deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// `deleteOne`
    One,
    /// `deleteMany`
    Many,
    /// `remove`: answers a WriteResult.
    Remove {
        /// Only the first that matches.
        just_one: bool,
    },
}

/// What is counted.
#[derive(Clone, Debug, PartialEq)]
pub enum CountOf {
    /// The documents that match.
    Matching(Document),
    /// All documents, from what the collection knows of itself.
    Estimated,
}

/// A `find` with its cursor methods.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Find {
    /// Which documents.
    pub filter: Document,
    /// Which fields; empty for all.
    pub projection: Document,
    /// In which order; empty for the order of the store.
    pub sort: Document,
    /// How many are passed over.
    pub skip: u64,
    /// How many are answered at most.
    pub limit: Option<u64>,
    /// What is answered.
    pub output: Output,
    /// One field a line; `.pretty()`.
    pub pretty: bool,
}

/// What a `find` answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Output {
    /// The documents, some at a time.
    #[default]
    Documents,
    /// All of them as one array; `.toArray()`.
    Array,
    /// The first, or null; `findOne`.
    One,
    /// Their number.
    Count {
        /// `skip` and `limit` apply: so in `.size()`, `.itcount()` and `.count(true)`, not in `.count()`.
        limited: bool,
    },
}

/// An index that is to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexRequest {
    /// Fields and directions.
    pub key: Document,
    /// `name`, `expireAfterSeconds` and the like.
    pub options: Document,
}

/// Which indexes are dropped.
#[derive(Clone, Debug, PartialEq)]
pub enum DropTarget {
    /// All but that on `_id`.
    All,
    /// Those of these names.
    Names(Vec<String>),
    /// The one with this key.
    Key(Document),
}

/// The command of a statement in `text`.
///
/// # Errors
/// A method that is not known, with the nearest that is; an argument that is missing, too many, or of a wrong type.
pub fn command(text: &str, statement: &Statement) -> Result<Command, ShellError> {
    let made = match &statement.kind {
        StatementKind::Use(name) => Ok(Command::Use(name.clone())),
        StatementKind::Show(Shown::Databases) => Ok(Command::ShowDatabases),
        StatementKind::Show(Shown::Collections) => Ok(Command::ShowCollections { as_array: false }),
        StatementKind::It => Ok(Command::More),
        StatementKind::Help => Ok(Command::Help),
        StatementKind::Clear => Ok(Command::Clear),
        StatementKind::Exit => Ok(Command::Exit),
        StatementKind::Expression { target: Target::Database, calls } => on_database(calls),
        StatementKind::Expression { target: Target::Collection(name), calls } => match calls.as_slice() {
            [] => Err(Fault::new(statement.span.clone(), without_call(name))),
            [call, rest @ ..] => {
                action::action(call, rest).map(|action| Command::On { collection: name.clone(), action })
            }
        },
    };
    made.map_err(|fault| ShellError::new(text, fault.span, fault.words))
}

/// `db.coll` alone, or `db.coll.find` whose brackets were forgotten.
fn without_call(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((_, method)) if COLLECTION_METHODS.contains(&method) => {
            format!("`{method}` is called with brackets: db.{name}()")
        }
        _ => format!("expected a method behind the collection, such as db.{name}.find()"),
    }
}

fn on_database(calls: &[Call]) -> Result<Command, Fault> {
    let [call, rest @ ..] = calls else { return Ok(Command::CurrentDatabase) };
    let arguments = Arguments::of(call);
    let command = match call.method.as_str() {
        "getName" => arguments.none().map(|()| Command::CurrentDatabase)?,
        "getCollectionNames" => arguments.none().map(|()| Command::ShowCollections { as_array: true })?,
        "dropDatabase" => Command::DropDatabase,
        "createCollection" => {
            arguments.at_most(2)?;
            arguments.options(1, &[])?;
            Command::CreateCollection(arguments.text(0, "the name of a collection in quotes")?)
        }
        "runCommand" => Command::Run(run_command::run_command(&arguments)?),
        other => {
            // `db.find()`: the collection was forgotten.
            if COLLECTION_METHODS.contains(&other) {
                let words = format!("`{other}` is a method of a collection: db.coll.{other}(…)");
                return Err(Fault::new(call.span.clone(), words));
            }
            return Err(unknown(call, "`db`", &DATABASE_METHODS));
        }
    };
    no_more(call, rest)?;
    Ok(command)
}

/// A method that is not known, with the nearest that is.
pub(super) fn unknown(call: &Call, of: &str, known: &[&str]) -> Fault {
    let hint = match nearest(&call.method, known) {
        Some(near) => format!(": did you mean `{near}`?"),
        None => format!(". Known are {}.", known.join(", ")),
    };
    Fault::new(call.span.clone(), format!("{of} has no method `{}`{hint}", super::literal::short(&call.method)))
}

/// Refuses a call on an answer that has no methods.
pub(super) fn no_more(call: &Call, rest: &[Call]) -> Result<(), Fault> {
    match rest.first() {
        None => Ok(()),
        Some(next) => {
            let words =
                format!("the answer of `{}` has no method `{}`", call.method, super::literal::short(&next.method));
            Err(Fault::new(next.span.clone(), words))
        }
    }
}

#[cfg(test)]
#[path = "command_tests.rs"]
mod tests;
