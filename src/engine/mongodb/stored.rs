//! The stored form: BSON, its `_id` first.

use bson::raw::{RawBsonRef, RawDocument};
use bson::{Bson, Document};

use crate::domain::mongodb::text::{MAX_DOCUMENT_BYTES, render};
use crate::domain::mongodb::{DocumentTtl, key_of_id};
use crate::domain::nosql::ItemTtl;
use crate::domain::{Instant, Refusal, words};
use crate::engine::{Lifetime, Row};
use crate::store::{Expiry, Header, Listed};

/// A document that may be stored.
pub struct MongoDocument {
    /// Its `_id`.
    pub id: Bson,
    /// Its stored key.
    pub key: Vec<u8>,
    /// Its own `ttl`.
    pub ttl: DocumentTtl,
    /// Its BSON.
    pub bytes: Vec<u8>,
}

impl MongoDocument {
    /// A document for a collection. One without an `_id` gets the one that `id` makes.
    ///
    /// # Errors
    /// An `_id` that cannot be one; a document that is too large.
    pub fn new(document: Document, id: impl FnOnce() -> Bson) -> Result<MongoDocument, Refusal> {
        let id = document.get("_id").cloned().unwrap_or_else(id);
        let key = key_of_id(&id)?;
        let ttl = DocumentTtl::of(&document);
        let mut whole = Document::new();
        whole.insert("_id", id.clone());
        // `_ts` is the service's own, and never shown to a client.
        whole.extend(document.into_iter().filter(|(name, _)| name != "_id" && name != "_ts"));
        let bytes = whole
            .to_vec()
            .map_err(|error| Refusal::bad_request(format!("The document cannot be stored as BSON: {error}.")))?;
        if bytes.len() > MAX_DOCUMENT_BYTES {
            let size = words::count(bytes.len() as u64);
            let words = format!("The document has {size} bytes of BSON: a document has up to 16 MB.");
            return Err(Refusal::new(413, words));
        }
        Ok(MongoDocument { id, key, ttl, bytes })
    }
}

/// The header of a new version, written at second `ts`.
pub fn header_of(document: &MongoDocument, ts: i64, rid: u64, etag: u64) -> Header {
    let expiry = match document.ttl.clone().effective() {
        ItemTtl::Absent => Expiry::Inherit,
        ItemTtl::Never => Expiry::Never,
        ItemTtl::Seconds(secs) => Expiry::Own { at: ts.saturating_add(i64::from(secs)) },
    };
    Header { ts, expiry, rid, etag, flags: 0, listed: Listed::Nowhere }
}

/// The stored document; `None` for bytes that are none.
pub fn document_of(bytes: &[u8]) -> Option<Document> {
    RawDocument::from_bytes(bytes).ok()?.try_into().ok()
}

fn field(bytes: &[u8], name: &str) -> Option<Bson> {
    let value: RawBsonRef<'_> = RawDocument::from_bytes(bytes).ok()?.get(name).ok()??;
    value.try_into().ok()
}

/// The `_id` of a stored document.
pub fn id_of(bytes: &[u8]) -> Option<Bson> {
    field(bytes, "_id")
}

/// An `_id` as lists and messages show it.
pub fn shown_id(id: &Bson) -> String {
    match id {
        Bson::String(text) => text.clone(),
        Bson::ObjectId(id) => id.to_hex(),
        other => crate::domain::mongodb::shell_text(other),
    }
}

/// A row of a collection; the two fields that it shows are read without the others.
pub fn row_of(key: &[u8], header: &Header, bytes: &[u8]) -> Option<Row> {
    let ttl = field(bytes, "ttl").map_or(DocumentTtl::Absent, |value| DocumentTtl::from(&value));
    Some(Row {
        key: key.into(),
        id: shown_id(&id_of(bytes)?),
        partition: Vec::new(),
        collection: None,
        written: Instant::from_secs(header.ts),
        lifetime: Lifetime::Typed(ttl),
        etag: header.etag,
        has_lookalike: false,
    })
}

/// The text that people see of a stored one.
pub fn shown(bytes: &[u8]) -> Option<String> {
    document_of(bytes).map(|document| render(&document))
}
