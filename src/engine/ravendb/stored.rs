//! The stored form: the id as it was typed, then the text. The key has the id in lower case.

use std::borrow::Cow;

use crate::domain::Instant;
use crate::domain::ravendb::{Expires, NewDocument, SystemMetadata, Untracked, render_document};
use crate::engine::{Container, Kind, Lifetime, Row};
use crate::store::{ContainerNo, Expiry, Header, Listed};

/// The flag of a document with a property that people take for an `@expires`.
const HAS_LOOKALIKE: u16 = 1;
/// The flag of an `@expires` that names no zone.
const WITHOUT_ZONE: u16 = 1 << 1;
/// The bits of the type of an `@expires` that is not tracked.
const UNTRACKED: [(u16, Untracked); 4] = [
    (1 << 2, Untracked::Number),
    (2 << 2, Untracked::Boolean),
    (3 << 2, Untracked::Object),
    (4 << 2, Untracked::Array),
];

/// The stored bytes of a document.
pub fn bytes_of(document: &NewDocument) -> Vec<u8> {
    [document.id.as_bytes(), document.body.as_bytes()].concat()
}

/// The header of a new version, written at `ts` ticks.
pub fn header_of(document: &NewDocument, ts: i64, rid: u64, etag: u64, collection: Option<ContainerNo>) -> Header {
    let (expiry, mut flags) = match document.expires {
        Expires::Absent => (Expiry::Never, 0),
        Expires::At { at, without_zone } => {
            (Expiry::Own { at: at.ticks() }, if without_zone { WITHOUT_ZONE } else { 0 })
        }
        Expires::Untracked(kind) => {
            (Expiry::Never, UNTRACKED.iter().find(|(_, other)| *other == kind).map_or(0, |(bits, _)| *bits))
        }
    };
    if document.has_lookalike {
        flags |= HAS_LOOKALIKE;
    }
    let shows = u16::try_from(document.id.len()).unwrap_or(u16::MAX);
    let listed = collection.map_or(Listed::Nowhere, |collection| Listed::In { collection, shows });
    Header { ts, expiry, rid, etag, flags, listed }
}

fn expires_of(header: &Header) -> Expires {
    match header.expiry {
        Expiry::Own { at } => {
            Expires::At { at: Instant::from_ticks(at), without_zone: header.flags & WITHOUT_ZONE != 0 }
        }
        Expiry::Never | Expiry::Inherit => {
            let bits = header.flags & (0b111 << 2);
            UNTRACKED
                .iter()
                .find(|(other, _)| *other == bits)
                .map_or(Expires::Absent, |(_, kind)| Expires::Untracked(*kind))
        }
    }
}

/// The id and the text in stored bytes; a listing has the id only.
pub fn split<'a>(header: &Header, bytes: &'a [u8]) -> (Cow<'a, str>, Cow<'a, str>) {
    let id = match header.listed {
        Listed::In { shows, .. } => usize::from(shows).min(bytes.len()),
        Listed::Nowhere | Listed::Of(_) => bytes.len(),
    };
    let (id, body) = bytes.split_at(id);
    (String::from_utf8_lossy(id), String::from_utf8_lossy(body))
}

/// A row of all documents or of a collection.
pub fn row_of(container: &Container, key: &[u8], header: &Header, bytes: &[u8]) -> Row {
    let collection = match container.kind {
        Kind::Collection { .. } => Some(container.no),
        Kind::NoSql { .. } | Kind::MongoDb { .. } | Kind::Documents { .. } => header.collection(),
    };
    let id = match header.listed {
        Listed::In { shows, .. } => bytes.get(..usize::from(shows)).unwrap_or(bytes),
        Listed::Nowhere | Listed::Of(_) => bytes,
    };
    Row {
        key: key.into(),
        id: String::from_utf8_lossy(id).into_owned(),
        partition: Vec::new(),
        collection,
        written: Instant::from_ticks(header.ts),
        lifetime: Lifetime::Expires(expires_of(header)),
        etag: header.etag,
        has_lookalike: header.flags & HAS_LOOKALIKE != 0,
    }
}

/// The text that people see of a stored one.
pub fn shown(container: &Container, header: &Header, id: &str, body: &str) -> String {
    let replica = match &container.kind {
        Kind::Documents { replica, .. } => replica.as_str(),
        Kind::NoSql { .. } | Kind::MongoDb { .. } | Kind::Collection { .. } => "",
    };
    let system = SystemMetadata {
        id: id.to_owned(),
        last_modified: Instant::from_ticks(header.ts),
        change_vector: format!("A:{}-{replica}", header.etag),
    };
    render_document(body, &system)
}
