//! What every task needs: the store at an instant, names to numbers, words for what goes wrong.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;

use crate::domain::clock::parse_instant;
use crate::domain::nosql::{DefaultTtl, ItemKey, PartitionValue};
use crate::domain::{Instant, Refusal, words};
use crate::engine::{
    Api, Clock, Container, ContainerNo, Database, Engine, EngineOptions, Kind, ManualClock, Scope, SystemClock,
};

use super::args::{ContainerName, ItemPlace, ScopeArgs};
use super::{CliError, Output, clock};

/// A task and its store.
pub struct Context<'a> {
    /// The service.
    pub engine: Engine,
    /// Where results go.
    pub out: Output<'a>,
    /// The instant that was asked for.
    at: Option<Instant>,
}

impl<'a> Context<'a> {
    /// Opens the store for a task, at an instant or now.
    ///
    /// # Errors
    /// The store cannot be opened.
    pub fn open(dir: &Path, at: Option<Instant>, out: Output<'a>) -> Result<Context<'a>, CliError> {
        let clock: Arc<dyn Clock> = match at {
            Some(at) => Arc::new(ManualClock::new(at)),
            None => Arc::new(SystemClock),
        };
        let options = EngineOptions { clock, store_clock: at.is_none(), background: false, ..EngineOptions::default() };
        let engine = Engine::open(dir, options)?;
        if engine.clock_state().moved {
            eprintln!("ttl-explorer: the clock of this store was moved: {}", clock::in_words(&engine));
        } else if at.is_none()
            && let Some(newest) = engine.newest_write()?
            && newest > engine.now().plus_secs(1)
        {
            let when = words::instant(newest, engine.now());
            eprintln!(
                "ttl-explorer: the newest write of this store lies ahead, at {when}; this command works in real time"
            );
        }
        Ok(Context { engine, out, at })
    }

    /// A task on a service that is open.
    pub fn of(engine: Engine, out: Output<'a>) -> Context<'a> {
        Context { engine, out, at: None }
    }

    /// Whether the task has a present of its own.
    pub fn has_instant(&self) -> bool {
        self.at.is_some()
    }

    /// Before a write: time must not run backwards in the store.
    ///
    /// # Errors
    /// The instant that was asked for lies before the newest write.
    pub fn writes(&self) -> Result<(), CliError> {
        if let (Some(at), Some(newest)) = (self.at, self.engine.newest_write()?)
            && at < newest
        {
            let (at, newest) = (words::instant(at, newest), words::instant(newest, at));
            return Err(Refusal::bad_request(format!(
                "--at {at} lies before the newest write of the store, {newest}."
            ))
            .with_hint("Writes go on from there: use a later instant.")
            .into());
        }
        Ok(())
    }

    /// A database by name.
    ///
    /// # Errors
    /// 404.
    pub fn database(&self, name: &str) -> Result<Arc<Database>, CliError> {
        let catalog = self.engine.catalog();
        catalog.databases.get(name).cloned().ok_or_else(|| {
            let known: Vec<&str> = catalog.databases.keys().map(String::as_str).collect();
            not_found(format!("There is no database {name}."), &known)
        })
    }

    /// A container or collection by name.
    ///
    /// # Errors
    /// 404 for either.
    pub fn container(&self, place: &ContainerName) -> Result<Arc<Container>, CliError> {
        self.container_of(&place.database, Some(&place.name))
    }

    /// Where items are: of a RavenDB database all documents, when no collection is named.
    ///
    /// # Errors
    /// 404; a container that must be named.
    pub fn place(&self, place: &ItemPlace) -> Result<Arc<Container>, CliError> {
        self.container_of(&place.database, place.container.as_deref())
    }

    fn container_of(&self, database: &str, name: Option<&str>) -> Result<Arc<Container>, CliError> {
        let database = self.database(database)?;
        let known: Vec<&str> = database.containers.values().map(|container| container.name.as_str()).collect();
        match (name, &database.documents) {
            (None, Some(documents)) => Ok(documents.clone()),
            (None, None) => Err(CliError::Usage("name the container with -c".to_owned())),
            (Some(name), documents) => {
                let found = match documents {
                    Some(_) => database.collection(name),
                    None => database.containers.get(name),
                };
                found
                    .cloned()
                    .ok_or_else(|| not_found(format!("There is no container {name} in {}.", database.name), &known))
            }
        }
    }

    /// A container, a database, everything.
    ///
    /// # Errors
    /// 404.
    pub fn scope(&self, scope: &ScopeArgs) -> Result<Scope, CliError> {
        Ok(match (&scope.database, &scope.container) {
            (Some(database), Some(container)) => Scope::Container(self.container_of(database, Some(container))?.no),
            (Some(database), None) => Scope::Database(self.database(database)?.no),
            (None, _) => Scope::Everything,
        })
    }

    /// `database/container`.
    pub fn name_of(&self, no: ContainerNo) -> String {
        let catalog = self.engine.catalog();
        catalog.container(no).map_or_else(String::new, |container| {
            let database = catalog.names.get(&container.database).map_or("", String::as_str);
            match container.kind {
                Kind::Documents { .. } => database.to_owned(),
                _ => format!("{database}/{}", container.name),
            }
        })
    }
}

fn not_found(message: String, known: &[&str]) -> CliError {
    let refusal = Refusal::new(404, message);
    let listed: Vec<&str> = known.iter().take(20).copied().collect();
    let hint =
        if known.is_empty() { "There is none yet.".to_owned() } else { format!("There is {}.", listed.join(", ")) };
    refusal.with_hint(hint).into()
}

/// The stored key of an item that is named by its id and the values of its partition key.
///
/// # Errors
/// Too few or too many values; an id that cannot be one.
pub fn key_of(container: &Container, id: &str, partition: &[String]) -> Result<Vec<u8>, CliError> {
    match &container.kind {
        Kind::NoSql { partition_key, .. } => {
            let levels = partition_key.paths().len();
            // An item whose partition key is its id is named by that alone.
            let is_id = partition_key.paths() == ["/id"];
            let values: Vec<PartitionValue> = if partition.is_empty() && is_id {
                vec![PartitionValue::Text(id.to_owned())]
            } else if partition.len() == levels {
                partition.iter().map(|value| partition_value(value)).collect()
            } else {
                let words = format!("the partition key {partition_key} has {levels} value(s): give each with -k");
                return Err(CliError::Usage(words));
            };
            Ok(ItemKey { partition: values, id: id.to_owned() }.encode())
        }
        Kind::MongoDb { .. } => {
            use crate::domain::mongodb::{key_of_id, text};
            // A bare id is text, or the 24 hexadecimal digits of an ObjectId; anything else is extended JSON.
            let typed = if id.len() == 24 && id.chars().all(|c| c.is_ascii_hexdigit()) {
                format!("{{\"_id\": {{\"$oid\": \"{id}\"}}}}")
            } else {
                format!("{{\"_id\": {id}}}")
            };
            let id = match text::parse(&typed) {
                Ok(document) => document.get("_id").cloned().unwrap_or_else(|| id.into()),
                Err(_) => id.into(),
            };
            Ok(key_of_id(&id)?)
        }
        Kind::Documents { .. } | Kind::Collection { .. } => Ok(crate::domain::ravendb::key_of_id(id)),
    }
}

fn partition_value(text: &str) -> PartitionValue {
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(serde_json::Value::Null) => PartitionValue::Null,
        Ok(serde_json::Value::Bool(value)) => PartitionValue::Bool(value),
        Ok(serde_json::Value::Number(n)) => {
            n.as_f64().map_or_else(|| PartitionValue::Text(text.to_owned()), PartitionValue::Number)
        }
        Ok(serde_json::Value::String(text)) => PartitionValue::Text(text),
        _ => PartitionValue::Text(text.to_owned()),
    }
}

/// A time to live as it is typed: `off`, `-1`, seconds.
///
/// # Errors
/// What it cannot be.
pub fn ttl(text: &str) -> Result<DefaultTtl, CliError> {
    if text.eq_ignore_ascii_case("off") {
        return Ok(DefaultTtl::Off);
    }
    let seconds = text.parse::<i64>().map_err(|_| {
        Refusal::bad_request(format!("`{text}` is no time to live."))
            .with_hint("Write off, -1 (on, no default), or whole seconds from 1 to 2147483647.")
    })?;
    Ok(DefaultTtl::from_wire(Some(seconds))?)
}

/// An instant as it is typed: RFC 3339, a date, or seconds since 1970.
///
/// # Errors
/// What it cannot be.
pub fn instant(text: &str) -> Result<Instant, CliError> {
    parse_instant(text).ok_or_else(|| {
        let words = format!("`{text}` is no instant: write 2026-12-01T12:00:00Z, 2026-12-01, or seconds since 1970");
        CliError::Usage(words)
    })
}

/// A duration as it is typed.
///
/// # Errors
/// What it cannot be.
pub fn duration(text: &str) -> Result<i64, CliError> {
    words::parse_duration(text)
        .and_then(|secs| i64::try_from(secs).ok())
        .ok_or_else(|| CliError::Usage(format!("`{text}` is no duration: write 90s, 5m, 2h, 30d")))
}

/// An instant for programs: RFC 3339 with 100 ns where it has them.
pub fn rfc_3339(at: Instant) -> String {
    match at.to_utc() {
        Some(utc) if at.ticks() % crate::domain::time::TICKS_PER_SECOND == 0 => {
            utc.format("%Y-%m-%dT%H:%M:%SZ").to_string()
        }
        Some(_) => crate::domain::ravendb::format_instant(at),
        None => format!("{at:?}"),
    }
}

/// The name of a system, as it is typed.
pub fn api_name(api: Api) -> &'static str {
    match api {
        Api::NoSql => "nosql",
        Api::MongoDb => "mongodb",
        Api::RavenDb => "ravendb",
    }
}

/// Before something goes for good: asks for its name on a terminal, wants `--yes` elsewhere.
///
/// # Errors
/// Another name, or no terminal to ask on.
pub fn confirm(yes: bool, what: &str, name: &str) -> Result<(), CliError> {
    if yes {
        return Ok(());
    }
    if !io::stdin().is_terminal() {
        return Err(Refusal::bad_request(format!("{what} goes for good."))
            .with_hint("Add --yes to do it without a question.")
            .into());
    }
    eprint!("{what} goes for good. Type {name} to confirm: ");
    io::stderr().flush().map_err(CliError::Output)?;
    let mut typed = String::new();
    io::stdin().read_line(&mut typed).map_err(CliError::Input)?;
    if typed.trim_end_matches(['\r', '\n']) == name {
        return Ok(());
    }
    Err(Refusal::bad_request("Nothing was deleted: that is another name.").into())
}
