//! The workshop sample: a shop whose data expires in seconds, minutes, hours and days, in the words of each system.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::domain::nosql::{DefaultTtl, PartitionKey};
use crate::domain::ravendb::set_expires;
use crate::domain::{Refusal, words};
use crate::store::StoreError;

use super::{Api, ContainerNo, Engine, EngineError};

const NOSQL: &str = include_str!("../../assets/sample.json");
const MONGODB: &str = include_str!("../../assets/sample-mongodb.json");
const RAVENDB: &str = include_str!("../../assets/sample-ravendb.json");

#[derive(Deserialize)]
struct Sample<'a> {
    database: String,
    #[serde(borrow)]
    containers: Vec<SampleContainer<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SampleContainer<'a> {
    id: String,
    partition_key: Vec<String>,
    default_ttl: Option<i64>,
    #[serde(borrow)]
    items: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct MongoSample<'a> {
    database: String,
    #[serde(borrow)]
    collections: Vec<SampleCollection<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SampleCollection<'a> {
    id: String,
    /// Of its TTL index, if it has one.
    expire_after_seconds: Option<i64>,
    /// In extended JSON.
    #[serde(borrow)]
    documents: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct RavenSample<'a> {
    database: String,
    #[serde(borrow)]
    documents: Vec<SampleDocument<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SampleDocument<'a> {
    /// How long after loading it expires, in words.
    expires_in: Option<String>,
    #[serde(borrow)]
    document: &'a RawValue,
}

impl Engine {
    /// Loads the workshop sample; all its items are written now. Says how many.
    ///
    /// # Errors
    /// 409 when there is a database of one of its names; the disk refuses.
    pub fn load_sample(&self) -> Result<u64, EngineError> {
        let nosql: Sample<'_> = read(NOSQL)?;
        let mongo: MongoSample<'_> = read(MONGODB)?;
        let raven: RavenSample<'_> = read(RAVENDB)?;
        Ok(self.load_nosql(&nosql)? + self.load_mongodb(&mongo)? + self.load_ravendb(&raven)?)
    }

    fn load_mongodb(&self, sample: &MongoSample<'_>) -> Result<u64, EngineError> {
        let database = self.create_database(&sample.database, Api::MongoDb)?;
        let mut made = 0;
        for collection in &sample.collections {
            let ttl = DefaultTtl::from_wire(collection.expire_after_seconds)?;
            let no = self.create_collection(database, &collection.id, ttl)?;
            let texts: Vec<&str> = collection.documents.iter().map(|document| document.get()).collect();
            made += self.make_all(no, &texts)?;
        }
        Ok(made)
    }

    fn load_nosql(&self, sample: &Sample<'_>) -> Result<u64, EngineError> {
        let database = self.create_database(&sample.database, Api::NoSql)?;
        let mut made = 0;
        for container in &sample.containers {
            let key = PartitionKey::new(&container.partition_key)?;
            let ttl = DefaultTtl::from_wire(container.default_ttl)?;
            let no = self.create_container(database, &container.id, key, ttl)?;
            let texts: Vec<&str> = container.items.iter().map(|item| item.get()).collect();
            made += self.make_all(no, &texts)?;
        }
        Ok(made)
    }

    /// Expiration is off at first: the documents pass their time and stay.
    fn load_ravendb(&self, sample: &RavenSample<'_>) -> Result<u64, EngineError> {
        let database = self.create_database(&sample.database, Api::RavenDb)?;
        let documents = self.catalog().database(database).and_then(|database| database.documents.clone());
        let Some(documents) = documents else { return Ok(0) };
        let now = self.now();
        let mut texts = Vec::with_capacity(sample.documents.len());
        for entry in &sample.documents {
            let text = entry.document.get();
            let secs = entry.expires_in.as_deref().and_then(words::parse_duration);
            texts.push(match secs.and_then(|secs| i64::try_from(secs).ok()) {
                Some(secs) => set_expires(text, now.plus_secs(secs))?,
                None => text.to_owned(),
            });
        }
        self.make_all(documents.no, &texts)
    }

    fn make_all<S: AsRef<str>>(&self, no: ContainerNo, texts: &[S]) -> Result<u64, EngineError> {
        let mut refused: Option<Refusal> = None;
        let made = self.create_items(no, texts, |_, refusal| refused = Some(refusal))?;
        match refused {
            Some(refusal) => Err(refusal.into()),
            None => Ok(made),
        }
    }
}

fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, EngineError> {
    serde_json::from_str(text).map_err(|error| StoreError::Read(format!("the sample cannot be read: {error}")).into())
}
