//! Filters and queries on a snapshot: documents that clients see, read once, in the order of their keys.

mod mongodb;
mod nosql;
mod ravendb;
mod views;
mod way;

use std::time::Instant as RealInstant;

use bson::Document;
use serde_json::Value;

use crate::domain::{Instant, Refusal};
use crate::query::mongodb::Filter;
use crate::query::{rql, sql};
use crate::store::{Snapshot, StoredItem};

use super::document::row_of;
use super::{Api, Container, ContainerNo, Engine, EngineError, Key, Row};

pub use views::View;
pub use way::Way;

/// The status of a query that was given up.
pub const GIVEN_UP: u16 = 499;
/// Documents that are read before somebody is asked whether to go on.
const STEP: u64 = 1_000;

/// What a filter found.
#[derive(Clone, Debug, PartialEq)]
pub struct Filtered {
    /// The rows, in the order of the query, or of their keys.
    pub rows: Vec<Row>,
    /// More match than are answered.
    pub more: bool,
    /// Documents that were read.
    pub read: u64,
    /// How they were found.
    pub way: Way,
    /// How long it took, in milliseconds.
    pub took_millis: f64,
}

/// What a query answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The rows, in the order of the query, or of the documents' keys.
    pub rows: Vec<Value>,
    /// There are more rows than were asked for.
    pub more: bool,
    /// Documents that were read.
    pub read: u64,
    /// How they were found.
    pub way: Way,
    /// How long it took, in milliseconds.
    pub took_millis: f64,
}

/// Whether to go on, asked with the number of documents read so far.
pub type GoOn<'a> = &'a mut dyn FnMut(u64) -> bool;

impl Engine {
    /// The items that clients see, at most so many, that match a filter: of NoSQL what stands behind `SELECT * FROM c`, of
    /// RavenDB what stands behind `from` and the collection.
    ///
    /// # Errors
    /// 400 with the place for a filter that cannot be read or is not supported, and for MongoDB, whose filters are
    /// documents; 404 for the container; 499 when `go_on` says no.
    pub fn filter_items(
        &self,
        no: ContainerNo,
        filter: &str,
        most: usize,
        go_on: GoOn<'_>,
    ) -> Result<Filtered, EngineError> {
        let started = RealInstant::now();
        let container = self.shared.container(no)?;
        let mut filtered = match container.api() {
            Api::NoSql => self.filter_nosql(&container, &sql::Query::filter(filter, self.now())?, most, go_on)?,
            Api::RavenDb => self.filter_ravendb(&container, &rql::Query::filter(filter)?, most, go_on)?,
            Api::MongoDb => return Err(not_queried().into()),
        };
        filtered.took_millis = started.elapsed().as_secs_f64() * 1_000.0;
        Ok(filtered)
    }

    /// The visible documents, at most so many, of a MongoDB collection that match a find filter.
    ///
    /// # Errors
    /// 400 for an operator that is unknown or not supported; 404 for the collection; 499 when `go_on` says no.
    pub fn filter_documents(
        &self,
        no: ContainerNo,
        filter: &Document,
        most: usize,
        go_on: GoOn<'_>,
    ) -> Result<Filtered, EngineError> {
        let started = RealInstant::now();
        let container = self.shared.container(no)?;
        let filter = Filter::new(filter).map_err(|error| Refusal::bad_request(error.errmsg))?;
        let mut filtered = self.filter_mongodb(&container, &filter, most, go_on)?;
        filtered.took_millis = started.elapsed().as_secs_f64() * 1_000.0;
        Ok(filtered)
    }

    /// The rows of these items as they are now, without those that are gone or hidden.
    ///
    /// # Errors
    /// 404 for the container.
    pub fn rows(&self, no: ContainerNo, keys: &[Key]) -> Result<Vec<Row>, EngineError> {
        let container = self.shared.container(no)?;
        let (now, snapshot) = (self.now(), self.shared.store.snapshot()?);
        let mut rows = Vec::with_capacity(keys.len());
        for key in keys {
            if let Some(item) = seen(&snapshot, &container, key, now)? {
                rows.extend(row_of(&container, key, &item.header, &item.body));
            }
        }
        Ok(rows)
    }

    /// Runs a query for at most so many rows: of NoSQL over the container, of RavenDB over the database that it is in.
    ///
    /// # Errors
    /// 400 with the place for a query that cannot be read or is not supported, and for MongoDB; 404 for the container; 499
    /// when `go_on` says no.
    pub fn query(&self, no: ContainerNo, query: &str, most: usize, go_on: GoOn<'_>) -> Result<Answered, EngineError> {
        let started = RealInstant::now();
        let container = self.shared.container(no)?;
        let mut answered = match container.api() {
            Api::NoSql => self.query_nosql(&container, &sql::Query::parse(query, self.now())?, most, go_on)?,
            Api::RavenDb => self.query_ravendb(&container, &rql::Query::parse(query)?, most, go_on)?,
            Api::MongoDb => return Err(not_queried().into()),
        };
        answered.took_millis = started.elapsed().as_secs_f64() * 1_000.0;
        Ok(answered)
    }
}

fn not_queried() -> Refusal {
    Refusal::bad_request("MongoDB has no queries as text: its shell has find.")
        .with_hint("The shell is beside the collections, and `ttl-explorer shell --eval` runs its statements.")
}

/// Counts a document, and now and then asks whether to go on.
fn asked(read: &mut u64, go_on: GoOn<'_>) -> Result<(), Refusal> {
    *read += 1;
    if read.is_multiple_of(STEP) && !go_on(*read) {
        return Err(Refusal::new(GIVEN_UP, "The query was given up."));
    }
    Ok(())
}

fn seen(
    snapshot: &Snapshot,
    container: &Container,
    key: &[u8],
    now: Instant,
) -> Result<Option<StoredItem>, EngineError> {
    Ok(snapshot.get(container.no, key)?.filter(|item| !container.hides(&item.header, now)))
}
