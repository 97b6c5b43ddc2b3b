//! Databases, containers, settings, indexes.

use bson::Document;
use serde_json::{Value, json};

use crate::domain::mongodb::text;
use crate::domain::nosql::PartitionKey;
use crate::domain::ravendb::Configuration;
use crate::domain::{Refusal, words};
use crate::engine::{Api, Container, Kind, Scope};

use super::args::{ApiArg, ContainerCommand, DatabaseCommand, ExpirationCommand, IndexCommand};
use super::context::{Context, api_name, confirm, rfc_3339, ttl};
use super::{CliError, ContainerName};

impl From<ApiArg> for Api {
    fn from(api: ApiArg) -> Self {
        match api {
            ApiArg::Nosql => Api::NoSql,
            ApiArg::Mongodb => Api::MongoDb,
            ApiArg::Ravendb => Api::RavenDb,
        }
    }
}

/// `database …`
pub fn database(context: &mut Context<'_>, command: &DatabaseCommand) -> Result<(), CliError> {
    match command {
        DatabaseCommand::Create { name, api } => {
            context.writes()?;
            context.engine.create_database(name, (*api).into())?;
            let fields = [("database", json!(name)), ("api", json!(api_name((*api).into())))];
            context.out.done(&format!("Database {name} created."), &fields)?;
        }
        DatabaseCommand::List => {
            let catalog = context.engine.catalog();
            let mut rows = Vec::new();
            for database in catalog.databases.values() {
                let totals = context.engine.totals(Scope::Database(database.no))?;
                rows.push(vec![
                    json!(database.name),
                    json!(api_name(database.api)),
                    json!(database.containers.len()),
                    json!(totals.alive().n),
                ]);
            }
            context.out.list(&["database", "api", "containers", "items"], &rows)?;
        }
        DatabaseCommand::Delete { name, yes } => {
            let database = context.database(name)?;
            confirm(*yes, &format!("The database {name} with all its items"), name)?;
            context.engine.delete_database(database.no)?;
            context.out.done(&format!("Database {name} deleted."), &[("deleted", json!(name))])?;
        }
    }
    Ok(())
}

/// `container …`
pub fn container(context: &mut Context<'_>, command: &ContainerCommand) -> Result<(), CliError> {
    match command {
        ContainerCommand::Create { place, partition_key, ttl: typed } => {
            context.writes()?;
            let (database, ttl) = (context.database(&place.database)?, ttl(typed)?);
            match database.api {
                Api::MongoDb if partition_key.is_empty() => {
                    context.engine.create_collection(database.no, &place.name, ttl)?;
                }
                Api::MongoDb => return Err(CliError::Usage("a collection of MongoDB has no partition key".to_owned())),
                Api::NoSql | Api::RavenDb => {
                    let key = if database.api == Api::RavenDb { vec!["/id".to_owned()] } else { partition_key.clone() };
                    context.engine.create_container(database.no, &place.name, PartitionKey::new(&key)?, ttl)?;
                }
            }
            let words = format!("Container {}/{} created: {ttl}.", place.database, place.name);
            show(context, place, Some(&words))
        }
        ContainerCommand::List { database } => {
            let database = context.database(database)?;
            let mut rows = Vec::new();
            for container in database.all() {
                let totals = context.engine.totals(Scope::Container(container.no))?;
                rows.push(vec![
                    json!(container.name),
                    setting(container),
                    json!(totals.alive().n),
                    json!(totals.hidden.n),
                ]);
            }
            Ok(context.out.list(&["container", "defaultTtl", "items", "hidden"], &rows)?)
        }
        ContainerCommand::Show { place } => show(context, place, None),
        ContainerCommand::Update { place, ttl: typed } => {
            context.writes()?;
            let (container, ttl) = (context.container(place)?, ttl(typed)?);
            let preview = context.engine.preview_ttl(container.no, ttl)?;
            context.engine.set_default_ttl(container.no, ttl)?;
            let mut words = format!("Time to live of {}/{}: {ttl}.", place.database, place.name);
            if preview.expire_at_once.n > 0 {
                words += &format!(" {} at once.", words::counted(preview.expire_at_once.n, "item") + " expired");
            }
            if preview.come_back.n > 0 {
                words += &format!(" {} back.", words::counted(preview.come_back.n, "hidden item") + " came");
            }
            show(context, place, Some(&words))
        }
        ContainerCommand::Delete { place, yes } => {
            let container = context.container(place)?;
            confirm(*yes, &format!("The container {} with its items", place.name), &place.name)?;
            context.engine.delete_container(container.no)?;
            let words = format!("Container {}/{} deleted.", place.database, place.name);
            Ok(context.out.done(&words, &[("deleted", json!(place.name))])?)
        }
    }
}

fn show(context: &mut Context<'_>, place: &ContainerName, words: Option<&str>) -> Result<(), CliError> {
    let container = context.container(place)?;
    let totals = context.engine.totals(Scope::Container(container.no))?;
    let paths = container.partition_key().map_or(Value::Null, |key| json!(key.paths()));
    let fields = [
        ("database", json!(place.database)),
        ("container", json!(container.name)),
        ("api", json!(api_name(container.api()))),
        ("partitionKey", paths),
        ("defaultTtl", setting(&container)),
        ("items", json!(totals.alive().n)),
        ("hidden", json!(totals.hidden.n)),
        ("waiting", json!(totals.waiting.n)),
        ("next", totals.next.map_or(Value::Null, |at| json!(rfc_3339(at)))),
    ];
    match words {
        Some(words) => Ok(context.out.done(words, &fields)?),
        None => Ok(context.out.object(&fields)?),
    }
}

/// As on the wire: null is Off, -1 is On without a default.
fn setting(container: &Container) -> Value {
    match container.kind {
        Kind::NoSql { .. } | Kind::MongoDb { .. } => {
            container.default_ttl().to_wire().map_or(json!("off"), Value::from)
        }
        Kind::Documents { .. } | Kind::Collection { .. } => Value::Null,
    }
}

/// `expiration …`
pub fn expiration(context: &mut Context<'_>, command: &ExpirationCommand) -> Result<(), CliError> {
    let (ExpirationCommand::Show { database: name } | ExpirationCommand::Set { database: name, .. }) = command;
    let database = context.database(name)?;
    let Some(documents) = &database.documents else {
        return Err(Refusal::bad_request(format!("{name} is a {} database.", database.api))
            .with_hint("Document Expiration is a setting of RavenDB databases.")
            .into());
    };
    if let ExpirationCommand::Set { json, disable, frequency, max_items, .. } = command {
        let configuration = match json {
            Some(text) => {
                let (configuration, remarks) = Configuration::from_json(text)?;
                remarks.iter().for_each(|remark| eprintln!("ttl-explorer: {remark}"));
                configuration
            }
            None => Configuration { disabled: *disable, delete_frequency: *frequency, max_items: *max_items },
        };
        context.engine.set_expiration(documents.no, configuration)?;
    }
    let saved = match context.engine.catalog().container(documents.no).map(|documents| documents.kind.clone()) {
        Some(Kind::Documents { configuration, .. }) => configuration,
        _ => None,
    };
    let totals = context.engine.totals(Scope::Container(documents.no))?;
    let fields = [
        ("database", json!(name)),
        ("Disabled", json!(saved.is_none_or(|saved| saved.disabled))),
        ("DeleteFrequencyInSec", json!(saved.and_then(|saved| saved.delete_frequency))),
        ("MaxItemsToProcess", json!(saved.and_then(|saved| saved.max_items))),
        ("tracked", json!(totals.own)),
        ("waiting", json!(totals.waiting.n)),
    ];
    match command {
        ExpirationCommand::Show { .. } => Ok(context.out.object(&fields)?),
        ExpirationCommand::Set { .. } => {
            let words = format!("Document Expiration of {name}: {}.", Configuration::words(saved.as_ref()));
            Ok(context.out.done(&words, &fields)?)
        }
    }
}

/// `index …`
pub fn index(context: &mut Context<'_>, command: &IndexCommand) -> Result<(), CliError> {
    let (IndexCommand::List { place } | IndexCommand::Create { place, .. } | IndexCommand::Drop { place, .. }) =
        command;
    let container = context.container(place)?;
    match command {
        IndexCommand::List { .. } => {
            let rows: Vec<Vec<Value>> = context
                .engine
                .indexes(container.no)?
                .iter()
                .map(|index| {
                    let key = index.get_document("key").map(text::render).unwrap_or_default();
                    let secs = index.get("expireAfterSeconds").and_then(bson::Bson::as_i32);
                    let key = key.split_whitespace().collect::<Vec<_>>().join(" ");
                    vec![json!(index.get_str("name").unwrap_or_default()), json!(key), json!(secs)]
                })
                .collect();
            context.out.list(&["name", "key", "expireAfterSeconds"], &rows)?;
        }
        IndexCommand::Create { key, expire_after_seconds, .. } => {
            context.writes()?;
            let key = text::parse(key)?;
            let mut options = Document::new();
            if let Some(secs) = expire_after_seconds {
                options.insert("expireAfterSeconds", *secs);
            }
            let made = context.engine.create_index(container.no, &key, &options)?.map_err(in_mongodb)?;
            let fields = [("numIndexesBefore", json!(made.before)), ("numIndexesAfter", json!(made.after))];
            context.out.done("Index created.", &fields)?;
        }
        IndexCommand::Drop { index, .. } => {
            let were = context.engine.drop_index(container.no, index)?.map_err(in_mongodb)?;
            context.out.done(&format!("Index {index} dropped."), &[("nIndexesWas", json!(were))])?;
        }
    }
    Ok(())
}

/// An error of MongoDB in one line.
fn in_mongodb(error: crate::domain::mongodb::MongoError) -> CliError {
    Refusal::bad_request(format!("{} ({}, code {})", error.errmsg, error.code_name, error.code)).into()
}
