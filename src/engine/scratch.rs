//! A container and an item to try a cell of the vendor's table with.

use crate::domain::nosql::{DefaultTtl, ItemTtl, PartitionKey};

use super::{Api, ContainerNo, Engine, EngineError, Key};

/// The database of what is only tried.
const SCRATCH: &str = "scratch";

impl Engine {
    /// Makes, in the database `scratch`, a container with this setting and an item with this `ttl`; what is there of an
    /// earlier try is written again. Returns where the item is.
    ///
    /// # Errors
    /// 409 when there is a database of this name that is not of NoSQL. The disk refuses.
    pub fn try_ttl(&self, default: DefaultTtl, item: ItemTtl) -> Result<(ContainerNo, Key), EngineError> {
        let (container, id) = (container_name(default), item_id(item));
        let catalog = self.catalog();
        let database = match catalog.databases.get(SCRATCH) {
            Some(database) => database.no,
            None => self.create_database(SCRATCH, Api::NoSql)?,
        };
        let found = catalog.databases.get(SCRATCH).and_then(|database| database.containers.get(&container));
        let no = match found {
            Some(found) => {
                if found.default_ttl() != default {
                    self.set_default_ttl(found.no, default)?;
                }
                found.no
            }
            None => self.create_container(database, &container, PartitionKey::new(["/id"])?, default)?,
        };
        let ttl = match item {
            ItemTtl::Absent => String::new(),
            ItemTtl::Never => ",\n    \"ttl\": -1".to_owned(),
            ItemTtl::Seconds(secs) => format!(",\n    \"ttl\": {secs}"),
        };
        let (row, _) = self.upsert_item(no, &format!("{{\n    \"id\": \"{id}\"{ttl}\n}}"))?;
        Ok((no, row.key))
    }
}

fn container_name(default: DefaultTtl) -> String {
    match default {
        DefaultTtl::Off => "off".to_owned(),
        DefaultTtl::NoDefault => "on-no-default".to_owned(),
        DefaultTtl::Seconds(secs) => format!("on-{secs}"),
    }
}

fn item_id(item: ItemTtl) -> String {
    match item {
        ItemTtl::Absent => "no-ttl".to_owned(),
        ItemTtl::Never => "ttl-never".to_owned(),
        ItemTtl::Seconds(secs) => format!("ttl-{secs}"),
    }
}
