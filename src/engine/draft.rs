//! A document that may be stored, in the words of its system.

use std::borrow::Cow;

use uuid::Uuid;

use crate::domain::Refusal;
use crate::domain::nosql::{NewItem, parse_item};
use crate::domain::ravendb::{NewDocument, key_of_id, parse_document};
use crate::store::{ContainerNo, Header, StoredItem};

use super::mongodb::{self, MongoDocument};
use super::{Container, Engine, Kind, nosql, ravendb};

/// A document that its system would take.
pub enum Draft {
    /// Of the API for NoSQL.
    NoSql(NewItem),
    /// Of the API for MongoDB.
    MongoDb(MongoDocument),
    /// Of RavenDB.
    RavenDb(NewDocument),
}

impl Draft {
    /// Checks a text for a container. `stored` is the item that it shall replace: a document of MongoDB or RavenDB may
    /// leave its id out.
    ///
    /// # Errors
    /// The system's refusal, with the place in the text.
    pub fn parse(
        engine: &Engine,
        container: &Container,
        text: &str,
        stored: Option<&StoredItem>,
    ) -> Result<Draft, Refusal> {
        match &container.kind {
            Kind::NoSql { partition_key, .. } => {
                parse_item(text, partition_key, || Uuid::new_v4().to_string()).map(Draft::NoSql)
            }
            Kind::MongoDb { .. } => {
                let document = crate::domain::mongodb::text::parse(text)?;
                let id = stored.and_then(|stored| mongodb::id_of(&stored.body));
                MongoDocument::new(document, || id.unwrap_or_else(|| engine.new_object_id())).map(Draft::MongoDb)
            }
            Kind::Documents { .. } | Kind::Collection { .. } => {
                let new_id = |collection: &str| match stored {
                    Some(stored) => Ok(ravendb::split(&stored.header, &stored.body).0.into_owned()),
                    None => engine.new_document_id(container.root(), collection),
                };
                parse_document(text, engine.now(), new_id).map(Draft::RavenDb)
            }
        }
    }

    /// Its stored key.
    pub fn key(&self) -> Vec<u8> {
        match self {
            Draft::NoSql(item) => item.key.encode(),
            Draft::MongoDb(document) => document.key.clone(),
            Draft::RavenDb(document) => key_of_id(&document.id),
        }
    }

    /// Its id.
    pub fn id(&self) -> Cow<'_, str> {
        match self {
            Draft::NoSql(item) => Cow::Borrowed(&item.key.id),
            Draft::MongoDb(document) => Cow::Owned(mongodb::shown_id(&document.id)),
            Draft::RavenDb(document) => Cow::Borrowed(&document.id),
        }
    }

    /// The name of the collection that lists it.
    pub fn collection(&self) -> Option<&str> {
        match self {
            Draft::NoSql(_) | Draft::MongoDb(_) => None,
            Draft::RavenDb(document) => Some(&document.collection),
        }
    }

    /// Its stored bytes.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match self {
            Draft::NoSql(item) => Cow::Borrowed(item.body.as_bytes()),
            Draft::MongoDb(document) => Cow::Borrowed(&document.bytes),
            Draft::RavenDb(document) => Cow::Owned(ravendb::bytes_of(document)),
        }
    }

    /// The header of a version written at `ts`, in the container's unit.
    pub fn header(&self, ts: i64, rid: u64, etag: u64, collection: Option<ContainerNo>) -> Header {
        match self {
            Draft::NoSql(item) => nosql::header_of(item, ts, rid, etag),
            Draft::MongoDb(document) => mongodb::header_of(document, ts, rid, etag),
            Draft::RavenDb(document) => ravendb::header_of(document, ts, rid, etag, collection),
        }
    }

    /// It is there already.
    pub fn taken(&self) -> Refusal {
        match self {
            Draft::NoSql(item) => {
                Refusal::new(409, format!("An item with the id {} exists already in this partition.", item.key.id))
                    .with_hint("Change the id, or open that item and update it.")
            }
            Draft::MongoDb(document) => Refusal::new(
                409,
                format!("A document with the _id {} exists already.", mongodb::shown_id(&document.id)),
            )
            .with_hint("Numbers of all types are one _id when their values are equal. Change `_id`, or leave it out."),
            Draft::RavenDb(document) => {
                Refusal::new(409, format!("A document with the id {} exists already in this database.", document.id))
                    .with_hint("Ids are one whatever their case. Change `@id`, or open that document and update it.")
            }
        }
    }

    /// It is not the item that it shall replace.
    pub fn other_key(&self) -> Refusal {
        let (what, whose) = match self {
            Draft::NoSql(_) => ("The id or the partition key", "item: they cannot be changed"),
            Draft::MongoDb(_) => ("The _id", "document: it cannot be changed"),
            Draft::RavenDb(_) => ("The id", "document: it cannot be changed"),
        };
        Refusal::bad_request(format!("{what} is not that of the {whose}.")).with_hint("Save the text as a new item.")
    }
}
