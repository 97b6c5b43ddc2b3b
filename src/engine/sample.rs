//! The workshop sample: a shop whose data expires in seconds, minutes, hours and days.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::domain::Refusal;
use crate::domain::nosql::{DefaultTtl, PartitionKey};
use crate::store::StoreError;

use super::{Api, Engine, EngineError};

const SAMPLE: &str = include_str!("../../assets/sample.json");

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

impl Engine {
    /// Loads the workshop sample; all its items are written now. Says how many.
    ///
    /// # Errors
    /// 409 when there is a database of its name; the disk refuses.
    pub fn load_sample(&self) -> Result<u64, EngineError> {
        let sample: Sample<'_> = serde_json::from_str(SAMPLE)
            .map_err(|error| StoreError::Read(format!("the sample cannot be read: {error}")))?;
        let database = self.create_database(&sample.database, Api::NoSql)?;
        let mut made = 0;
        for container in &sample.containers {
            let key = PartitionKey::new(&container.partition_key)?;
            let no =
                self.create_container(database, &container.id, key, DefaultTtl::from_wire(container.default_ttl)?)?;
            let texts: Vec<&str> = container.items.iter().map(|item| item.get()).collect();
            let mut refused: Option<Refusal> = None;
            made += self.create_items(no, &texts, |_, refusal| refused = Some(refusal))?;
            if let Some(refusal) = refused {
                return Err(refusal.into());
            }
        }
        Ok(made)
    }
}
