//! Databases and containers, as values: what exists, and how it is set.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::domain::nosql::{DefaultTtl, PartitionKey};
use crate::store::ContainerNo;

/// The system that a database speaks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Api {
    /// Azure Cosmos DB for NoSQL.
    NoSql,
    /// Azure Cosmos DB for MongoDB.
    MongoDb,
    /// RavenDB.
    RavenDb,
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Api::NoSql => "NoSQL",
            Api::MongoDb => "MongoDB",
            Api::RavenDb => "RavenDB",
        })
    }
}

/// Number of a database. Never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DatabaseNo(pub u32);

/// A container and its settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// Its number in the store.
    pub no: ContainerNo,
    /// The database it is in.
    pub database: DatabaseNo,
    /// Its id, unique inside its database.
    pub name: String,
    /// Its partition key.
    pub partition_key: PartitionKey,
    /// Its Time to Live.
    pub default_ttl: DefaultTtl,
}

/// A database and its containers, by id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Database {
    /// Its number in the store.
    pub no: DatabaseNo,
    /// Its id, unique in the account.
    pub name: String,
    /// The system it speaks like.
    pub api: Api,
    /// Its containers, ordered by id.
    pub containers: BTreeMap<String, Arc<Container>>,
}

/// All databases of the account at one moment, ordered by id. Cheap to hand around inside an [`Arc`].
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Catalog {
    /// The databases by id.
    pub databases: BTreeMap<String, Arc<Database>>,
    /// The containers of all databases by number.
    pub containers: BTreeMap<ContainerNo, Arc<Container>>,
    /// The ids of databases by number.
    pub names: BTreeMap<DatabaseNo, String>,
}

impl Catalog {
    /// The container with this number, if it still exists.
    pub fn container(&self, no: ContainerNo) -> Option<&Arc<Container>> {
        self.containers.get(&no)
    }

    /// The database with this number, if it still exists.
    pub fn database(&self, no: DatabaseNo) -> Option<&Arc<Database>> {
        self.databases.get(self.names.get(&no)?)
    }
}

impl Catalog {
    /// Puts a container in, or in the place of the one with its number.
    pub(super) fn put_container(&mut self, container: Container) {
        let container = Arc::new(container);
        self.containers.insert(container.no, container.clone());
        if let Some(database) = self.names.get(&container.database).and_then(|name| self.databases.get_mut(name)) {
            Arc::make_mut(database).containers.insert(container.name.clone(), container);
        }
    }

    /// Takes a container out.
    pub(super) fn remove_container(&mut self, no: ContainerNo) {
        let Some(container) = self.containers.remove(&no) else {
            return;
        };
        if let Some(database) = self.names.get(&container.database).and_then(|name| self.databases.get_mut(name)) {
            Arc::make_mut(database).containers.remove(&container.name);
        }
    }

    /// Puts an empty database in.
    pub(super) fn put_database(&mut self, no: DatabaseNo, name: String, api: Api) {
        self.names.insert(no, name.clone());
        self.databases.insert(name.clone(), Arc::new(Database { no, name, api, containers: BTreeMap::new() }));
    }

    /// Takes a database out, and its containers.
    pub(super) fn remove_database(&mut self, no: DatabaseNo) {
        let Some(database) = self.names.remove(&no).and_then(|name| self.databases.remove(&name)) else {
            return;
        };
        for container in database.containers.values() {
            self.containers.remove(&container.no);
        }
    }
}
