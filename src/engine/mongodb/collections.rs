//! Collections and their indexes: the TTL index on `_ts` is the collection's default, the others are only kept.

use bson::Document;

use crate::domain::Refusal;
use crate::domain::mongodb::text;
use crate::domain::mongodb::{
    Creation, MongoError, TTL_INDEX_NAME, create_ttl_index, id_index, index_name, requested_ttl, ttl_index,
};
use crate::domain::nosql::DefaultTtl;
use crate::engine::databases::named;
use crate::engine::records::{self, ContainerRecord};
use crate::engine::{Container, ContainerNo, DatabaseNo, Engine, EngineError, Index, Kind};

/// The indexes that the service has of its own in a new collection, as its answers count them.
const OWN_INDEXES: i32 = 1;

/// What making indexes came to, for the service's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexesMade {
    /// The collection was missing, and was made.
    pub collection_made: bool,
    /// How many indexes there were.
    pub before: i32,
    /// How many there are.
    pub after: i32,
}

impl Engine {
    /// Makes a collection in a MongoDB database.
    ///
    /// # Errors
    /// 400 for a name that cannot be or a database of another kind, 404 for a database that does not exist, 409 for a
    /// name that is taken.
    pub fn create_collection(
        &self,
        database: DatabaseNo,
        name: &str,
        ttl_index: DefaultTtl,
    ) -> Result<ContainerNo, EngineError> {
        named("collection", name)?;
        if name.starts_with("system.") || name.contains(['$', '\0']) {
            let words = format!("The collection `{name}` cannot be made: `system.`, `$` and NUL are the server's.");
            return Err(Refusal::bad_request(words).into());
        }
        DefaultTtl::from_wire(ttl_index.to_wire())?;
        self.make_container(database, name, Kind::MongoDb { ttl_index, indexes: Vec::new() })
    }

    /// Makes an index. One with `expireAfterSeconds` is the TTL index, and counts for all documents at once.
    ///
    /// # Errors
    /// The service's refusal; see `domain::mongodb`.
    pub fn create_index(
        &self,
        no: ContainerNo,
        key: &Document,
        options: &Document,
    ) -> Result<Result<IndexesMade, MongoError>, EngineError> {
        let container = self.shared.container(no)?;
        let Kind::MongoDb { ttl_index, indexes } = &container.kind else {
            return Err(Refusal::bad_request("Indexes are made in collections of MongoDB.").into());
        };
        let count = |ttl: DefaultTtl, others: usize| {
            // The service counts indexes of its own: the page shows 1 and 4 for the first TTL index of a new collection.
            let ttl = if ttl == DefaultTtl::Off { 0 } else { 3 };
            OWN_INDEXES + ttl + i32::try_from(others).unwrap_or(i32::MAX - 4)
        };
        let before = count(*ttl_index, indexes.len());
        let wanted = match requested_ttl(key, options) {
            Ok(wanted) => wanted,
            Err(error) => return Ok(Err(error)),
        };
        let after = match wanted {
            Some(wanted) => match create_ttl_index(*ttl_index, wanted) {
                Ok(Creation::New(ttl)) => {
                    self.set_default_ttl(no, ttl)?;
                    count(ttl, indexes.len())
                }
                Ok(Creation::Same) => before,
                Err(error) => return Ok(Err(error)),
            },
            None => match plain_index(key, options, indexes) {
                Ok(Some(index)) => {
                    let mut all = indexes.clone();
                    all.push(index);
                    let after = count(*ttl_index, all.len());
                    self.keep_indexes(no, all)?;
                    after
                }
                Ok(None) => before,
                Err(error) => return Ok(Err(error)),
            },
        };
        Ok(Ok(IndexesMade { collection_made: false, before, after }))
    }

    /// The indexes of a collection, as `getIndexes()` lists them.
    ///
    /// # Errors
    /// 404 for the collection.
    pub fn indexes(&self, no: ContainerNo) -> Result<Vec<Document>, EngineError> {
        let container = self.shared.container(no)?;
        let database = self.shared.catalog.read().names.get(&container.database).cloned().unwrap_or_default();
        let ns = format!("{database}.{}", container.name);
        let mut list = vec![id_index(&ns)];
        if let Kind::MongoDb { ttl_index: ttl, indexes } = &container.kind {
            list.extend(ttl_index(&ns, *ttl));
            for index in indexes {
                let key = text::parse(&index.key)?;
                list.push(bson::doc! { "v": 1, "key": key, "name": &index.name, "ns": &ns });
            }
        }
        Ok(list)
    }

    /// Drops an index by its name; `*` drops all but that on `_id`. Dropping the TTL index turns time to live off. Says how
    /// many there were.
    ///
    /// # Errors
    /// Code 27, IndexNotFound; code 72 for the index on `_id`.
    pub fn drop_index(&self, no: ContainerNo, name: &str) -> Result<Result<i32, MongoError>, EngineError> {
        let container = self.shared.container(no)?;
        let Kind::MongoDb { ttl_index, indexes } = &container.kind else {
            return Err(Refusal::bad_request("Indexes are dropped in collections of MongoDB.").into());
        };
        let were = 1 + i32::from(*ttl_index != DefaultTtl::Off) + i32::try_from(indexes.len()).unwrap_or(i32::MAX - 2);
        let has_ttl = *ttl_index != DefaultTtl::Off;
        match name {
            "*" => {
                if has_ttl {
                    self.set_default_ttl(no, DefaultTtl::Off)?;
                }
                self.keep_indexes(no, Vec::new())?;
            }
            "_id_" => {
                let errmsg = "cannot drop _id index".to_owned();
                return Ok(Err(MongoError { code: 72, code_name: "InvalidOptions", errmsg }));
            }
            TTL_INDEX_NAME if has_ttl => self.set_default_ttl(no, DefaultTtl::Off)?,
            name if indexes.iter().any(|index| index.name == name) => {
                self.keep_indexes(no, indexes.iter().filter(|index| index.name != name).cloned().collect())?;
            }
            name => {
                let errmsg = format!("index not found with name [{name}]");
                return Ok(Err(MongoError { code: 27, code_name: "IndexNotFound", errmsg }));
            }
        }
        Ok(Ok(were))
    }

    fn keep_indexes(&self, no: ContainerNo, indexes: Vec<Index>) -> Result<(), EngineError> {
        self.shared.store.write(
            |writer| {
                let before = self.shared.container(no)?;
                let kind = Kind::MongoDb { ttl_index: before.default_ttl(), indexes: indexes.clone() };
                let container = Container { kind, ..(*before).clone() };
                writer.put_record(&records::container(no), &records::encode(&ContainerRecord::from(&container))?);
                Ok::<_, EngineError>(container)
            },
            |container| self.change_catalog(|catalog| catalog.put_container(container.clone())),
        )?;
        Ok(())
    }
}

/// An index without expiration: `None` when the same one is there.
fn plain_index(key: &Document, options: &Document, there: &[Index]) -> Result<Option<Index>, MongoError> {
    if key.is_empty() {
        return Err(MongoError::bad_value("An index needs a key, such as {\"a\": 1}."));
    }
    // These two are there already, or are the service's to make.
    let own = [("_id_1", "_id_"), (TTL_INDEX_NAME, TTL_INDEX_NAME)];
    let by_key = index_name(key);
    if own.iter().any(|(name, _)| *name == by_key) {
        return Ok(None);
    }
    let name = options.get_str("name").map_or_else(|_| by_key, str::to_owned);
    let index = Index { name, key: text::render(key) };
    if own.iter().any(|(_, name)| *name == index.name) {
        return Err(MongoError::index_options_conflict(format!(
            "Index with name: {} already exists with different options",
            index.name
        )));
    }
    match there.iter().find(|other| other.name == index.name || other.key == index.key) {
        Some(same) if *same == index => Ok(None),
        Some(other) => Err(MongoError::index_options_conflict(format!(
            "Index with name: {} already exists with different options",
            other.name
        ))),
        None => Ok(Some(index)),
    }
}
