//! The engine's records in the store: databases, containers, the sweeper's settings.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::domain::nosql::{DefaultTtl, PartitionKey};
use crate::store::{ContainerNo, Snapshot, StoreError};

use super::{Api, Catalog, Container, Database, DatabaseNo};

const DATABASE: &str = "database/";
const CONTAINER: &str = "container/";
/// The record of the sweeper's settings.
pub const SWEEPER: &str = "sweeper";
/// The record of the next database's number.
pub const NEXT_DATABASE: &str = "next-database";

/// A database, as it is stored.
#[derive(Debug, Serialize, Deserialize)]
pub struct DatabaseRecord {
    pub name: String,
    pub api: Api,
}

/// A container, as it is stored.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ContainerRecord {
    pub database: DatabaseNo,
    pub name: String,
    pub partition_key: Vec<String>,
    /// As on the wire: absent is Off, -1 is On without a default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_ttl: Option<i64>,
}

/// The sweeper's settings, as they are stored.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct SweeperRecord {
    pub delay: u32,
    pub paused: bool,
}

impl Default for SweeperRecord {
    fn default() -> Self {
        SweeperRecord { delay: 5, paused: false }
    }
}

/// The name of a database's record.
pub fn database(no: DatabaseNo) -> String {
    format!("{DATABASE}{:010}", no.0)
}

/// The name of a container's record.
pub fn container(no: ContainerNo) -> String {
    format!("{CONTAINER}{:010}", no.0)
}

impl From<&Container> for ContainerRecord {
    fn from(container: &Container) -> Self {
        ContainerRecord {
            database: container.database,
            name: container.name.clone(),
            partition_key: container.partition_key.paths().to_vec(),
            default_ttl: container.default_ttl.to_wire(),
        }
    }
}

/// A record's bytes.
pub fn encode(record: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(record).map_err(|error| StoreError::Read(format!("a record cannot be written: {error}")))
}

/// A record from its bytes.
pub fn decode<'a, T: Deserialize<'a>>(name: &str, bytes: &'a [u8]) -> Result<T, StoreError> {
    serde_json::from_slice(bytes)
        .map_err(|error| StoreError::Read(format!("the record {name} cannot be read: {error}")))
}

/// Reads all databases and containers.
pub fn catalog(snapshot: &Snapshot) -> Result<Catalog, StoreError> {
    let mut catalog = Catalog::default();
    for record in snapshot.records(DATABASE) {
        let (name, bytes) = record?;
        let Some(no) = name.strip_prefix(DATABASE).and_then(|no| no.parse().ok()).map(DatabaseNo) else {
            continue;
        };
        let record: DatabaseRecord = decode(&name, &bytes)?;
        catalog.names.insert(no, record.name.clone());
        let database = Database { no, name: record.name.clone(), api: record.api, containers: BTreeMap::new() };
        catalog.databases.insert(record.name, Arc::new(database));
    }
    for record in snapshot.records(CONTAINER) {
        let (name, bytes) = record?;
        let Some(no) = name.strip_prefix(CONTAINER).and_then(|no| no.parse().ok()).map(ContainerNo) else {
            continue;
        };
        let record: ContainerRecord = decode(&name, &bytes)?;
        let unreadable = |reason: String| StoreError::Read(format!("the record {name} cannot be read: {reason}"));
        let container = Container {
            no,
            database: record.database,
            name: record.name,
            partition_key: PartitionKey::new(&record.partition_key).map_err(|refusal| unreadable(refusal.message))?,
            default_ttl: DefaultTtl::from_wire(record.default_ttl).map_err(|refusal| unreadable(refusal.message))?,
        };
        catalog.put_container(container);
    }
    Ok(catalog)
}
