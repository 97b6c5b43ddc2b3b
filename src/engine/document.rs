//! Between a stored item and what people see of it.

use crate::domain::Instant;
use crate::domain::nosql::ItemKey;
use crate::domain::{nosql as nosql_rules, ravendb as ravendb_rules};
use crate::store::{Header, Listed, StoredItem};

use super::{Container, Kind, Row, mongodb, nosql, ravendb};

/// An item, opened.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The facts that lists show.
    pub row: Row,
    /// The text with the system's properties.
    pub text: String,
    /// Properties in it that people take for a time to live and that have no effect.
    pub lookalikes: Vec<String>,
    /// Its time has passed and its system hides it: a client gets 404.
    pub hidden: bool,
    /// When it expires.
    pub at: Option<Instant>,
}

/// A row from key, header and the first bytes; `None` for a key that is not of this container's form.
pub fn row_of(container: &Container, key: &[u8], header: &Header, bytes: &[u8]) -> Option<Row> {
    match &container.kind {
        Kind::NoSql { partition_key, .. } => nosql::row_of(partition_key.paths().len(), key, header),
        Kind::MongoDb { .. } => mongodb::row_of(key, header, bytes),
        Kind::Documents { .. } | Kind::Collection { .. } => Some(ravendb::row_of(container, key, header, bytes)),
    }
}

/// The id in a key, for words.
pub fn id_of(container: &Container, key: &[u8]) -> String {
    match &container.kind {
        Kind::NoSql { partition_key, .. } => {
            ItemKey::decode(key, partition_key.paths().len()).map_or_else(String::new, |key| key.id)
        }
        Kind::MongoDb { .. } => crate::domain::mongodb::id_in_key(key),
        Kind::Documents { .. } | Kind::Collection { .. } => String::from_utf8_lossy(key).into_owned(),
    }
}

impl Document {
    /// An item that is stored in this container, as it is at `now`.
    pub(super) fn of(container: &Container, key: &[u8], item: &StoredItem, now: Instant) -> Option<Document> {
        let row = row_of(container, key, &item.header, &item.body)?;
        let (text, lookalikes) = match &container.kind {
            Kind::NoSql { .. } => {
                let body = String::from_utf8_lossy(&item.body);
                let lookalikes = if row.has_lookalike { nosql_rules::lookalikes(&body) } else { Vec::new() };
                (nosql::shown(container, &item.header, &body), lookalikes)
            }
            Kind::MongoDb { .. } => (mongodb::shown(&item.body)?, Vec::new()),
            Kind::Documents { .. } | Kind::Collection { .. } => {
                let (id, body) = ravendb::split(&item.header, &item.body);
                let lookalikes = if row.has_lookalike { ravendb_rules::lookalikes(&body) } else { Vec::new() };
                (ravendb::shown(container, &item.header, &id, &body), lookalikes)
            }
        };
        let at = row.end(container).map(|end| end.at);
        let hidden = row.is_hidden(container, now);
        Some(Document { row, text, lookalikes, hidden, at })
    }

    /// The text from which the item can be made again.
    pub(super) fn export(container: &Container, item: &StoredItem) -> String {
        if let Kind::MongoDb { .. } = container.kind {
            return mongodb::shown(&item.body).unwrap_or_default();
        }
        match item.header.listed {
            Listed::Nowhere => String::from_utf8_lossy(&item.body).into_owned(),
            Listed::In { .. } | Listed::Of(_) => {
                let (id, body) = ravendb::split(&item.header, &item.body);
                ravendb_rules::with_id(&body, &id)
            }
        }
    }
}
