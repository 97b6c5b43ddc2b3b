//! The engine's records in the store: databases, containers, the sweeper's settings.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::domain::nosql::{DefaultTtl, PartitionKey};
use crate::domain::ravendb::Configuration;
use crate::domain::{Instant, Refusal};
use crate::store::{ContainerNo, Snapshot, StoreError};

use super::{Api, Catalog, Container, Database, DatabaseNo, Index, Kind};

const DATABASE: &str = "database/";
const CONTAINER: &str = "container/";
/// The record of the sweeper's settings.
pub const SWEEPER: &str = "sweeper";
/// The record of the clock.
pub const CLOCK: &str = "clock";
/// The record of the statements of the shell.
pub const SHELL_HISTORY: &str = "shell-history";
/// The record of the saved queries.
pub const SAVED_QUERIES: &str = "saved-queries";
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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partition_key: Vec<String>,
    /// As on the wire: absent is Off, -1 is On without a default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_ttl: Option<i64>,
    /// Of a MongoDB collection its indexes beside the TTL index; that one is the default Time to Live.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub indexes: Option<Vec<Index>>,
    /// Of the documents of a RavenDB database.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documents: Option<DocumentsRecord>,
    /// Of a collection of a RavenDB database: where its documents are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collection_of: Option<ContainerNo>,
}

/// The documents of a RavenDB database, as they are stored.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentsRecord {
    pub replica: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub configuration: Option<ConfigurationRecord>,
}

/// A configuration of Document Expiration, as it is stored.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConfigurationRecord {
    pub disabled: bool,
    pub delete_frequency: Option<i64>,
    pub max_items: Option<i64>,
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

/// The name of the record of the numbers that were taken for ids with this prefix.
pub fn ids(documents: ContainerNo, prefix: &str) -> String {
    format!("ids/{:010}/{prefix}", documents.0)
}

/// The name of a container's record.
pub fn container(no: ContainerNo) -> String {
    format!("{CONTAINER}{:010}", no.0)
}

impl From<&Container> for ContainerRecord {
    fn from(container: &Container) -> Self {
        let mut record = ContainerRecord {
            database: container.database,
            name: container.name.clone(),
            partition_key: Vec::new(),
            default_ttl: None,
            indexes: None,
            documents: None,
            collection_of: None,
        };
        match &container.kind {
            Kind::NoSql { partition_key, default_ttl } => {
                record.partition_key = partition_key.paths().to_vec();
                record.default_ttl = default_ttl.to_wire();
            }
            Kind::MongoDb { ttl_index, indexes } => {
                record.default_ttl = ttl_index.to_wire();
                record.indexes = Some(indexes.clone());
            }
            Kind::Documents { configuration, replica, .. } => {
                let configuration = configuration.map(|saved| ConfigurationRecord {
                    disabled: saved.disabled,
                    delete_frequency: saved.delete_frequency,
                    max_items: saved.max_items,
                });
                record.documents = Some(DocumentsRecord { replica: replica.clone(), configuration });
            }
            Kind::Collection { documents } => record.collection_of = Some(*documents),
        }
        record
    }
}

impl ContainerRecord {
    /// The kind and the settings; a timer starts at `now`.
    fn kind(&self, now: Instant) -> Result<Kind, Refusal> {
        if let Some(documents) = self.collection_of {
            return Ok(Kind::Collection { documents });
        }
        if let Some(documents) = &self.documents {
            let configuration = documents.configuration.map(|record| Configuration {
                disabled: record.disabled,
                delete_frequency: record.delete_frequency,
                max_items: record.max_items,
            });
            let timer = configuration.filter(|saved| !saved.disabled).map(|_| now);
            return Ok(Kind::Documents { configuration, timer, replica: documents.replica.clone() });
        }
        if let Some(indexes) = &self.indexes {
            let ttl_index = DefaultTtl::from_wire(self.default_ttl)?;
            return Ok(Kind::MongoDb { ttl_index, indexes: indexes.clone() });
        }
        Ok(Kind::NoSql {
            partition_key: PartitionKey::new(&self.partition_key)?,
            default_ttl: DefaultTtl::from_wire(self.default_ttl)?,
        })
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

/// Reads all databases and containers; timers start at `now`.
pub fn catalog(snapshot: &Snapshot, now: Instant) -> Result<Catalog, StoreError> {
    let mut catalog = Catalog::default();
    for record in snapshot.records(DATABASE) {
        let (name, bytes) = record?;
        let Some(no) = name.strip_prefix(DATABASE).and_then(|no| no.parse().ok()).map(DatabaseNo) else {
            continue;
        };
        let record: DatabaseRecord = decode(&name, &bytes)?;
        catalog.names.insert(no, record.name.clone());
        let database =
            Database { no, name: record.name.clone(), api: record.api, containers: BTreeMap::new(), documents: None };
        catalog.databases.insert(record.name, Arc::new(database));
    }
    for record in snapshot.records(CONTAINER) {
        let (name, bytes) = record?;
        let Some(no) = name.strip_prefix(CONTAINER).and_then(|no| no.parse().ok()).map(ContainerNo) else {
            continue;
        };
        let record: ContainerRecord = decode(&name, &bytes)?;
        let unreadable = |reason: String| StoreError::Read(format!("the record {name} cannot be read: {reason}"));
        let kind = record.kind(now).map_err(|refusal| unreadable(refusal.message))?;
        let container = Container { no, database: record.database, name: record.name, kind };
        catalog.put_container(container);
    }
    Ok(catalog)
}
