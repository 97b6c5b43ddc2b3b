//! Items of the API for NoSQL, between what is stored and what people see.

use crate::domain::Instant;
use crate::domain::nosql::{ItemKey, ItemTtl, NewItem, SystemProperties, render_item};
use crate::store::{ContainerNo, Expiry, Header, Listed};

use super::{Container, Lifetime, Row};

/// The flag of an item with a property that people take for a `ttl`.
const HAS_LOOKALIKE: u16 = 1;

/// The header of a new version of an item, written at second `ts`.
pub fn header_of(item: &NewItem, ts: i64, rid: u64, etag: u64) -> Header {
    let expiry = match item.ttl {
        ItemTtl::Absent => Expiry::Inherit,
        ItemTtl::Never => Expiry::Never,
        ItemTtl::Seconds(secs) => Expiry::Own { at: ts.saturating_add(i64::from(secs)) },
    };
    let flags = if item.has_lookalike { HAS_LOOKALIKE } else { 0 };
    Header { ts, expiry, rid, etag, flags, listed: Listed::Nowhere }
}

/// The `ttl` that a header stands for.
fn ttl_of(header: &Header) -> ItemTtl {
    match header.expiry {
        Expiry::Inherit => ItemTtl::Absent,
        Expiry::Never => ItemTtl::Never,
        Expiry::Own { at } => ItemTtl::Seconds(u32::try_from(at.saturating_sub(header.ts)).unwrap_or(u32::MAX)),
    }
}

/// A row from key and header; `None` for a key that is not of a container with so many levels of a partition key.
pub fn row_of(levels: usize, key: &[u8], header: &Header) -> Option<Row> {
    let item = ItemKey::decode(key, levels)?;
    Some(Row {
        key: key.into(),
        id: item.id,
        partition: item.partition,
        collection: None,
        written: Instant::from_secs(header.ts),
        lifetime: Lifetime::Ttl(ttl_of(header)),
        etag: header.etag,
        has_lookalike: header.flags & HAS_LOOKALIKE != 0,
    })
}

/// The text that people see of a stored one.
pub fn shown(container: &Container, header: &Header, body: &str) -> String {
    render_item(body, &system(container, header))
}

/// What the service adds to an item.
pub fn system(container: &Container, header: &Header) -> SystemProperties {
    let database = container.database.0.to_be_bytes();
    let collection = [database.as_slice(), &container.no.0.to_be_bytes()].concat();
    let item = [collection.as_slice(), &header.rid.to_be_bytes()].concat();
    let (db, coll, doc) = (base64(&database), base64(&collection), base64(&item));
    let self_link = format!("dbs/{db}/colls/{coll}/docs/{doc}/");
    SystemProperties { rid: doc, self_link, etag: etag(header.etag, container.no), ts: header.ts }
}

/// The etag in the form of the service's.
fn etag(etag: u64, no: ContainerNo) -> String {
    format!("{:08x}-{:04x}-0700-0000-{:012x}", etag >> 32, no.0 & 0xFFFF, etag & 0xFFFF_FFFF)
}

/// Base 64 with `-` for `/`, as in resource ids.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for at in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * at) & 63) as usize];
            text.push(if at <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resource_ids_are_base_64() {
        assert_eq!(base64(b"foob"), "Zm9vYg==");
        assert_eq!(base64(b"fooba"), "Zm9vYmE=");
        assert_eq!(base64(&[0xFF, 0xFF, 0xFF]), "----");
    }
}
