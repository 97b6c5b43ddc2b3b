//! Running commands on the engine.

mod admin;
mod read;
mod write;

use bson::{Bson, Document, doc};

use crate::domain::Refusal;
use crate::domain::mongodb::{MongoError, shell_pretty};
use crate::engine::{Api, ContainerNo, DatabaseNo, Engine, EngineError};
use crate::query::mongodb::Update;

use super::{Action, Command, CountOf, Kind, Outcome, Output, Printed, Session, ShellError, command, parse};

pub use read::More;

/// Runs the statements of a text one after another, until one fails. A fault of the syntax, anywhere, lets none run.
pub fn run(engine: &Engine, session: Session, text: &str) -> Outcome {
    let mut executor = Executor { engine, outcome: Outcome { session, ..Outcome::default() } };
    let commands = parse(text, engine.now()).and_then(|statements| {
        statements.iter().map(|statement| command(text, statement)).collect::<Result<Vec<_>, _>>()
    });
    match commands {
        Ok(commands) => {
            for command in commands {
                if let Err(error) = executor.execute(command) {
                    executor.print(Kind::Error, shell_pretty(&error.answer().into()));
                    break;
                }
            }
        }
        Err(fault) => executor.print(Kind::Error, syntax(&fault)),
    }
    executor.outcome
}

fn syntax(fault: &ShellError) -> String {
    format!("SyntaxError: {fault}")
}

const HELP: &str = "\
use NAME                     the database that db stands for
show dbs | show collections
db.coll.insertOne({...})     insertMany([...]), insert({...})
db.coll.find({...}, {...})   .sort({a: 1}).limit(5).skip(5).count() .toArray() .pretty(); it goes on
db.coll.findOne({...})       countDocuments({...}), distinct('a')
db.coll.updateOne({...}, {$set: {...}, $unset: {...}, $inc: {...}})   updateMany, replaceOne
db.coll.deleteOne({...})     deleteMany({...})
db.coll.createIndex({\"_ts\": 1}, {expireAfterSeconds: 10})   the TTL index; -1: on, no default
db.coll.getIndexes()         dropIndex(\"_ts_1\"), dropIndexes(), drop()
db.runCommand({...})         createIndexes, dropIndexes, listIndexes
db.createCollection('x')     db.getCollectionNames(), db.dropDatabase()
cls, exit
values: 20 is an int32, 20.0 a double; NumberInt(20), NumberLong(20), NumberDecimal('20'), ISODate('...'), ObjectId('...')";

/// Runs commands one after another.
struct Executor<'a> {
    engine: &'a Engine,
    outcome: Outcome,
}

impl Executor<'_> {
    fn execute(&mut self, command: Command) -> Result<(), MongoError> {
        match command {
            Command::Use(name) => self.use_database(&name),
            Command::ShowDatabases => self.show_databases(),
            Command::ShowCollections { as_array } => self.show_collections(as_array),
            Command::CurrentDatabase => {
                let name = self.outcome.session.database.clone();
                self.print(Kind::Answer, name);
                Ok(())
            }
            Command::More => self.more(),
            Command::Help => {
                self.print(Kind::Note, HELP);
                Ok(())
            }
            Command::Clear => {
                self.outcome.printed.clear();
                self.outcome.clear = true;
                Ok(())
            }
            Command::Exit => {
                self.outcome.leave = true;
                Ok(())
            }
            Command::DropDatabase => self.drop_database(),
            Command::CreateCollection(name) => self.create_collection(&name),
            Command::Run(command) => self.run_command(command),
            Command::On { collection, action } => self.act(&collection, action),
        }
    }

    fn act(&mut self, collection: &str, action: Action) -> Result<(), MongoError> {
        match action {
            Action::Insert { documents, form, ordered } => self.insert(collection, documents, form, ordered),
            Action::Find(find) => match find.output {
                Output::Documents => self.find(collection, *find),
                Output::Array => self.array(collection, &find),
                Output::One => self.find_one(collection, &find),
                Output::Count { limited } => self.count(collection, &find, limited),
            },
            Action::Update { filter, update, many, upsert } => {
                self.update(collection, &filter, &Update::operators(&update)?, many, upsert)
            }
            Action::Replace { filter, replacement, upsert } => {
                self.update(collection, &filter, &Update::replacement(&replacement)?, false, upsert)
            }
            Action::Delete { filter, form } => self.delete(collection, &filter, form),
            Action::Count(CountOf::Matching(filter)) => {
                self.count(collection, &super::Find { filter, ..super::Find::default() }, false)
            }
            Action::Count(CountOf::Estimated) => self.estimate(collection),
            Action::Distinct { field, filter } => self.distinct(collection, &field, &filter),
            Action::CreateIndexes(indexes) => self.create_indexes(collection, &indexes),
            Action::ListIndexes => self.indexes(collection),
            Action::DropIndexes(target) => self.drop_indexes(collection, &target),
            Action::Drop => self.drop_and_tell(collection),
        }
    }

    /// Prints a value as the shell does.
    fn answer(&mut self, value: impl Into<Bson>) {
        self.print(Kind::Answer, shell_pretty(&value.into()));
    }

    /// Prints a text.
    fn print(&mut self, kind: Kind, text: impl Into<String>) {
        self.outcome.printed.push(Printed { kind, text: text.into() });
    }

    /// The database that `db` stands for, if it exists.
    fn database(&self) -> Result<Option<DatabaseNo>, MongoError> {
        let name = &self.outcome.session.database;
        match self.engine.catalog().databases.get(name) {
            Some(found) if found.api == Api::MongoDb => Ok(Some(found.no)),
            Some(found) => {
                let words = format!("{name} is a {} database: the shell speaks to MongoDB databases.", found.api);
                Err(MongoError::bad_value(words))
            }
            None => Ok(None),
        }
    }

    /// A collection of that database, if it exists.
    fn collection(&self, name: &str) -> Result<Option<ContainerNo>, MongoError> {
        let Some(no) = self.database()? else { return Ok(None) };
        let catalog = self.engine.catalog();
        Ok(catalog.database(no).and_then(|database| database.containers.get(name)).map(|found| found.no))
    }

    /// The same, made where it is missing, its database too. Says whether it was made.
    fn collection_or_new(&self, name: &str) -> Result<(ContainerNo, bool), MongoError> {
        if let Some(no) = self.collection(name)? {
            return Ok((no, false));
        }
        let database = match self.database()? {
            Some(no) => no,
            None => self.engine.create_database(&self.outcome.session.database, Api::MongoDb).map_err(in_mongodb)?,
        };
        let off = crate::domain::nosql::DefaultTtl::Off;
        Ok((self.engine.create_collection(database, name, off).map_err(in_mongodb)?, true))
    }

    /// `database.collection`.
    fn namespace(&self, collection: &str) -> String {
        format!("{}.{collection}", self.outcome.session.database)
    }
}

/// An error of the engine in the words of the service.
fn in_mongodb(error: EngineError) -> MongoError {
    let refusal = error.into_refusal();
    let (code, code_name) = match refusal.status {
        404 => (26, "NamespaceNotFound"),
        409 => (48, "NamespaceExists"),
        413 => (10_334, "BSONObjectTooLarge"),
        507 => (14_031, "OutOfDiskSpace"),
        500 => (1, "InternalError"),
        _ => (2, "BadValue"),
    };
    let hint = refusal.hint.map_or(String::new(), |hint| format!(" {hint}"));
    MongoError { code, code_name, errmsg: format!("{}{hint}", refusal.message) }
}

/// A document that was not inserted.
fn not_inserted(refusal: &Refusal, namespace: &str) -> MongoError {
    if refusal.status == 409 {
        let errmsg = format!(
            "E11000 duplicate key error collection: {namespace}. Failed _id or unique index constraint. {}",
            refusal.message
        );
        return MongoError { code: 11_000, code_name: "DuplicateKey", errmsg };
    }
    in_mongodb(refusal.clone().into())
}

/// `{ok: 1}` with what comes before it.
fn ok(mut answer: Document) -> Document {
    answer.extend(doc! { "ok": 1 });
    answer
}
