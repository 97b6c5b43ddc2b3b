//! Databases and containers, as values: what exists, and how it is set.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::domain::Instant;
use crate::domain::nosql::{DefaultTtl, PartitionKey};
use crate::domain::ravendb::{Configuration, Schedule};
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

/// What kind of container it is, and how it is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A container of the API for NoSQL.
    NoSql {
        /// Its partition key.
        partition_key: PartitionKey,
        /// Its Time to Live.
        default_ttl: DefaultTtl,
    },
    /// A collection of the API for MongoDB.
    MongoDb {
        /// Its TTL index: the collection's default, Off as long as there is none.
        ttl_index: DefaultTtl,
        /// Its other indexes but that on `_id`, in the order in which they were made. They are kept as they were asked
        /// for, and nothing is looked up in them.
        indexes: Vec<Index>,
    },
    /// All documents of a RavenDB database: the one place where they and their order of expiration stand.
    Documents {
        /// The configuration of Document Expiration; `None` as long as nobody saved one.
        configuration: Option<Configuration>,
        /// When the timer of the runs was started; `None` while expiration is off. Not stored: like a server's, the timer
        /// starts anew when the database is opened.
        timer: Option<Instant>,
        /// The id of the database in change vectors.
        replica: String,
    },
    /// A collection of a RavenDB database: it lists some of the documents.
    Collection {
        /// The container that holds them.
        documents: ContainerNo,
    },
}

/// An index of a MongoDB collection that has nothing to do with expiration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Index {
    /// Its name.
    pub name: String,
    /// Its key in extended JSON.
    pub key: String,
}

/// A container and its settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// Its number in the store.
    pub no: ContainerNo,
    /// The database it is in.
    pub database: DatabaseNo,
    /// Its id, unique inside its database.
    pub name: String,
    /// Its kind and its settings.
    pub kind: Kind,
}

impl Container {
    /// The name of all documents of a RavenDB database.
    pub const ALL_DOCUMENTS: &str = "All Documents";

    /// Its Time to Live; Off for what has none.
    pub fn default_ttl(&self) -> DefaultTtl {
        match self.kind {
            Kind::NoSql { default_ttl, .. } => default_ttl,
            Kind::MongoDb { ttl_index, .. } => ttl_index,
            Kind::Documents { .. } | Kind::Collection { .. } => DefaultTtl::Off,
        }
    }

    /// Its partition key.
    pub fn partition_key(&self) -> Option<&PartitionKey> {
        match &self.kind {
            Kind::NoSql { partition_key, .. } => Some(partition_key),
            Kind::MongoDb { .. } | Kind::Documents { .. } | Kind::Collection { .. } => None,
        }
    }

    /// The system it speaks like.
    pub fn api(&self) -> Api {
        match self.kind {
            Kind::NoSql { .. } => Api::NoSql,
            Kind::MongoDb { .. } => Api::MongoDb,
            Kind::Documents { .. } | Kind::Collection { .. } => Api::RavenDb,
        }
    }

    /// The container that holds its items: itself, or of a collection that of all documents.
    pub fn root(&self) -> ContainerNo {
        match self.kind {
            Kind::NoSql { .. } | Kind::MongoDb { .. } | Kind::Documents { .. } => self.no,
            Kind::Collection { documents } => documents,
        }
    }

    /// Whether expired items are hidden from every read until they are deleted.
    pub fn hides_expired(&self) -> bool {
        self.api() != Api::RavenDb
    }

    /// The same with another Time to Live: of MongoDB with another TTL index. RavenDB has none.
    pub(super) fn with_default_ttl(&self, ttl: DefaultTtl) -> Option<Container> {
        let kind = match &self.kind {
            Kind::NoSql { partition_key, .. } => Kind::NoSql { partition_key: partition_key.clone(), default_ttl: ttl },
            Kind::MongoDb { indexes, .. } => Kind::MongoDb { ttl_index: ttl, indexes: indexes.clone() },
            Kind::Documents { .. } | Kind::Collection { .. } => return None,
        };
        Some(Container { kind, ..self.clone() })
    }

    /// When runs come to this container, as seen at `now`; `None` where none come.
    pub fn schedule(&self, now: Instant) -> Option<Schedule> {
        match self.kind {
            Kind::Documents { configuration: Some(configuration), timer: Some(start), .. } => {
                Some(Schedule { start, period: configuration.frequency(), last: start.max(now) })
            }
            _ => None,
        }
    }
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
    /// Its containers, ordered by id; of a RavenDB database its collections, by id in lower case.
    pub containers: BTreeMap<String, Arc<Container>>,
    /// Of a RavenDB database all documents.
    pub documents: Option<Arc<Container>>,
}

impl Database {
    /// The containers that hold items; a collection only lists some.
    pub fn roots(&self) -> impl Iterator<Item = &Arc<Container>> {
        let own = if self.documents.is_none() { Some(self.containers.values()) } else { None };
        self.documents.iter().chain(own.into_iter().flatten())
    }

    /// Everything in it that has a number.
    pub fn all(&self) -> impl Iterator<Item = &Arc<Container>> {
        self.documents.iter().chain(self.containers.values())
    }

    /// The collection of this name, whatever its case.
    pub fn collection(&self, name: &str) -> Option<&Arc<Container>> {
        self.containers.get(&name.to_lowercase()).filter(|container| container.api() == Api::RavenDb)
    }
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

    /// The container that holds the items of a container; `None` for one that is gone.
    pub fn root(&self, no: ContainerNo) -> Option<&Arc<Container>> {
        self.container(self.container(no)?.root())
    }
}

impl Catalog {
    /// Puts a container in, or in the place of the one with its number.
    pub(super) fn put_container(&mut self, container: Container) {
        let container = Arc::new(container);
        self.containers.insert(container.no, container.clone());
        if let Some(database) = self.names.get(&container.database).and_then(|name| self.databases.get_mut(name)) {
            let database = Arc::make_mut(database);
            match container.kind {
                Kind::NoSql { .. } | Kind::MongoDb { .. } => {
                    database.containers.insert(container.name.clone(), container);
                }
                Kind::Collection { .. } => {
                    database.containers.insert(container.name.to_lowercase(), container);
                }
                Kind::Documents { .. } => database.documents = Some(container),
            }
        }
    }

    /// Takes a container out.
    pub(super) fn remove_container(&mut self, no: ContainerNo) {
        let Some(container) = self.containers.remove(&no) else {
            return;
        };
        if let Some(database) = self.names.get(&container.database).and_then(|name| self.databases.get_mut(name)) {
            Arc::make_mut(database).containers.retain(|_, other| other.no != no);
        }
    }

    /// Puts an empty database in.
    pub(super) fn put_database(&mut self, no: DatabaseNo, name: String, api: Api) {
        self.names.insert(no, name.clone());
        self.databases
            .insert(name.clone(), Arc::new(Database { no, name, api, containers: BTreeMap::new(), documents: None }));
    }

    /// Takes a database out, and its containers.
    pub(super) fn remove_database(&mut self, no: DatabaseNo) {
        let Some(database) = self.names.remove(&no).and_then(|name| self.databases.remove(&name)) else {
            return;
        };
        for container in database.all() {
            self.containers.remove(&container.no);
        }
    }
}
