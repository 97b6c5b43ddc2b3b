//! Databases, collections, indexes, and `runCommand`.

use bson::{Bson, doc};

use crate::domain::mongodb::{MongoError, coll_mod, index_name, requested_ttl};
use crate::domain::nosql::check_name;
use crate::engine::Api;
use crate::shell::{DropTarget, IndexRequest, Kind, RunCommand, Session};

use super::{Executor, in_mongodb, ok};

impl Executor<'_> {
    /// `use`: a database that does not exist is made by its first document.
    pub fn use_database(&mut self, name: &str) -> Result<(), MongoError> {
        check_name(name).map_err(|fault| MongoError::bad_value(format!("The name of a database {fault}.")))?;
        self.outcome.session = Session::new(name);
        self.print(Kind::Note, format!("switched to db {name}"));
        Ok(())
    }

    /// `show dbs`.
    pub fn show_databases(&mut self) -> Result<(), MongoError> {
        let catalog = self.engine.catalog();
        let names: Vec<&str> = catalog
            .databases
            .values()
            .filter(|database| database.api == Api::MongoDb)
            .map(|database| database.name.as_str())
            .collect();
        self.list(&names);
        Ok(())
    }

    /// `show collections`; `getCollectionNames()` answers an array.
    pub fn show_collections(&mut self, as_array: bool) -> Result<(), MongoError> {
        let names = self.collection_names()?;
        if as_array {
            self.answer(Bson::Array(names.into_iter().map(Bson::String).collect()));
        } else {
            self.list(&names.iter().map(String::as_str).collect::<Vec<_>>());
        }
        Ok(())
    }

    fn list(&mut self, names: &[&str]) {
        if names.is_empty() {
            self.print(Kind::Note, "none");
        } else {
            self.print(Kind::Answer, names.join("\n"));
        }
    }

    fn collection_names(&self) -> Result<Vec<String>, MongoError> {
        let Some(no) = self.database()? else { return Ok(Vec::new()) };
        let catalog = self.engine.catalog();
        Ok(catalog.database(no).map_or_else(Vec::new, |database| database.containers.keys().cloned().collect()))
    }

    /// `createCollection`.
    pub fn create_collection(&mut self, name: &str) -> Result<(), MongoError> {
        if self.collection(name)?.is_some() {
            let errmsg = format!("Collection already exists. NS: {}", self.namespace(name));
            return Err(MongoError { code: 48, code_name: "NamespaceExists", errmsg });
        }
        self.collection_or_new(name)?;
        self.answer(doc! { "ok": 1 });
        Ok(())
    }

    /// Makes indexes, the collection too where it is missing. The answer is the service's.
    pub fn create_indexes(&mut self, collection: &str, indexes: &[IndexRequest]) -> Result<(), MongoError> {
        // What would be refused makes no collection.
        for index in indexes {
            requested_ttl(&index.key, &index.options)?;
        }
        let (no, created) = self.collection_or_new(collection)?;
        let mut counts: Option<(i32, i32)> = None;
        for index in indexes {
            let made = self.engine.create_index(no, &index.key, &index.options).map_err(in_mongodb)??;
            counts = Some((counts.map_or(made.before, |(before, _)| before), made.after));
        }
        let Some((before, after)) = counts else {
            return Err(MongoError::bad_value("There is no index to make."));
        };
        self.answer(doc! {
            "_t": "CreateIndexesResponse",
            "ok": 1,
            "createdCollectionAutomatically": created,
            "numIndexesBefore": before,
            "numIndexesAfter": after,
        });
        Ok(())
    }

    /// Drops indexes. The answer says how many there were.
    pub fn drop_indexes(&mut self, collection: &str, target: &DropTarget) -> Result<(), MongoError> {
        let Some(no) = self.collection(collection)? else {
            return Err(MongoError { code: 26, code_name: "NamespaceNotFound", errmsg: "ns not found".to_owned() });
        };
        let names: Vec<String> = match target {
            DropTarget::All => vec!["*".to_owned()],
            DropTarget::Names(names) => names.clone(),
            DropTarget::Key(key) => vec![index_name(key)],
        };
        let mut were = None;
        for name in names {
            let there = self.engine.drop_index(no, &name).map_err(in_mongodb)??;
            were.get_or_insert(there);
        }
        self.answer(ok(doc! { "nIndexesWas": were.unwrap_or(0) }));
        Ok(())
    }

    /// `drop`: whether there was such a collection.
    pub fn drop_and_tell(&mut self, name: &str) -> Result<(), MongoError> {
        let found = self.collection(name)?;
        if let Some(no) = found {
            self.engine.delete_container(no).map_err(in_mongodb)?;
        }
        self.answer(found.is_some());
        Ok(())
    }

    /// `dropDatabase`.
    pub fn drop_database(&mut self) -> Result<(), MongoError> {
        let name = self.outcome.session.database.clone();
        if let Some(no) = self.database()? {
            self.engine.delete_database(no).map_err(in_mongodb)?;
        }
        self.answer(doc! { "ok": 1, "dropped": name });
        Ok(())
    }

    /// `runCommand`.
    pub fn run_command(&mut self, command: RunCommand) -> Result<(), MongoError> {
        match command {
            RunCommand::CreateIndexes { collection, indexes } => self.create_indexes(&collection, &indexes),
            RunCommand::DropIndexes { collection, target } => self.drop_indexes(&collection, &target),
            RunCommand::ListIndexes { collection } => self.list_indexes(&collection),
            RunCommand::CollMod => Err(coll_mod()),
            RunCommand::Unknown { name } => Err(MongoError::command_not_found(&name)),
        }
    }
}
