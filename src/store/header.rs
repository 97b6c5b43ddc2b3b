//! What stands before a document's bytes in a stored value.

use std::ops::Deref;

use super::ContainerNo;

/// How an item expires, as far as the index must know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expiry {
    /// No entry: the item never expires by itself.
    Never,
    /// The container's default counts from the item's last write.
    Inherit,
    /// An instant of its own.
    Own {
        /// When it expires, in the unit of the container.
        at: i64,
    },
}

/// A half of the expiry index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Half {
    /// Items that follow their container, by their last write.
    Inherit,
    /// Items with an instant of their own, by that instant.
    Own,
}

impl Half {
    /// Both halves.
    pub const BOTH: [Half; 2] = [Half::Inherit, Half::Own];
}

/// Where else an item stands. A container may have collections: each lists its items again, header and a few bytes, so
/// that it has an order, an index and counts of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Listed {
    /// Nowhere else.
    Nowhere,
    /// It is listed in a collection.
    In {
        /// The collection.
        collection: ContainerNo,
        /// How many bytes of the document, from its start, stand in the listing.
        shows: u16,
    },
    /// It is the listing of an item of this container.
    Of(ContainerNo),
}

/// The facts about an item that a list needs, so that it is drawn without parsing the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Header {
    /// Instant of the last write, in the unit of the container.
    pub ts: i64,
    /// How it expires.
    pub expiry: Expiry,
    /// Given when the item was made, kept by replaces.
    pub rid: u64,
    /// New with each write.
    pub etag: u64,
    /// Notes of the engine about the item.
    pub flags: u16,
    /// Where else it stands.
    pub listed: Listed,
}

/// Bytes of an encoded header of an item that stands nowhere else.
const LEN: usize = 8 + 8 + 8 + 2 + 1 + 8;
/// The bits of the kind of expiry.
const KIND: u8 = 0b11;
/// The bit of an item that is listed in a collection.
const LISTED_IN: u8 = 0b100;
/// The bit of the listing of an item.
const LISTING_OF: u8 = 0b1000;

impl Header {
    /// Its entry in the index: the half and the instant.
    pub fn entry(&self) -> Option<(Half, i64)> {
        match self.expiry {
            Expiry::Never => None,
            Expiry::Inherit => Some((Half::Inherit, self.ts)),
            Expiry::Own { at } => Some((Half::Own, at)),
        }
    }

    /// The collection that lists it.
    pub fn collection(&self) -> Option<ContainerNo> {
        match self.listed {
            Listed::In { collection, .. } => Some(collection),
            Listed::Nowhere | Listed::Of(_) => None,
        }
    }

    /// Of an item of container `no` that a collection lists: the collection, and the listing's header and body.
    pub(super) fn listing<'a>(&self, no: ContainerNo, body: &'a [u8]) -> Option<(ContainerNo, Header, &'a [u8])> {
        match self.listed {
            Listed::In { collection, shows } => {
                let shown = body.get(..usize::from(shows)).unwrap_or(body);
                Some((collection, Header { listed: Listed::Of(no), ..*self }, shown))
            }
            Listed::Nowhere | Listed::Of(_) => None,
        }
    }

    /// The stored value of an item with this header.
    pub(super) fn with_body(&self, body: &[u8]) -> Vec<u8> {
        let (kind, at) = match self.expiry {
            Expiry::Never => (0, 0),
            Expiry::Inherit => (1, 0),
            Expiry::Own { at } => (2, at),
        };
        let listed = match self.listed {
            Listed::Nowhere => 0,
            Listed::In { .. } => LISTED_IN,
            Listed::Of(_) => LISTING_OF,
        };
        let mut value = Vec::with_capacity(LEN + 6 + body.len());
        value.extend_from_slice(&self.ts.to_le_bytes());
        value.extend_from_slice(&self.rid.to_le_bytes());
        value.extend_from_slice(&self.etag.to_le_bytes());
        value.extend_from_slice(&self.flags.to_le_bytes());
        value.push(kind | listed);
        value.extend_from_slice(&at.to_le_bytes());
        match self.listed {
            Listed::Nowhere => {}
            Listed::In { collection, shows } => {
                value.extend_from_slice(&collection.0.to_le_bytes());
                value.extend_from_slice(&shows.to_le_bytes());
            }
            Listed::Of(no) => value.extend_from_slice(&no.0.to_le_bytes()),
        }
        value.extend_from_slice(body);
        value
    }

    /// The header of a stored value; `None` for bytes that are no such value.
    pub(super) fn of(value: &[u8]) -> Option<Header> {
        Self::split(value).map(|(header, _)| header)
    }

    /// The header of a stored value and where its body starts.
    fn split(value: &[u8]) -> Option<(Header, usize)> {
        let (ts, rest) = value.split_first_chunk()?;
        let (rid, rest) = rest.split_first_chunk()?;
        let (etag, rest) = rest.split_first_chunk()?;
        let (flags, rest) = rest.split_first_chunk()?;
        let (kind, rest) = rest.split_first()?;
        let (at, rest) = rest.split_first_chunk()?;
        let expiry = match kind & KIND {
            0 => Expiry::Never,
            1 => Expiry::Inherit,
            2 => Expiry::Own { at: i64::from_le_bytes(*at) },
            _ => return None,
        };
        let container = || Some(ContainerNo(u32::from_le_bytes(*rest.first_chunk()?)));
        let (listed, more) = match kind & !KIND {
            0 => (Listed::Nowhere, 0),
            LISTED_IN => {
                let shows = u16::from_le_bytes(*rest.get(4..)?.first_chunk()?);
                (Listed::In { collection: container()?, shows }, 6)
            }
            LISTING_OF => (Listed::Of(container()?), 4),
            _ => return None,
        };
        let header = Header {
            ts: i64::from_le_bytes(*ts),
            expiry,
            rid: u64::from_le_bytes(*rid),
            etag: u64::from_le_bytes(*etag),
            flags: u16::from_le_bytes(*flags),
            listed,
        };
        Some((header, LEN + more))
    }
}

/// A document's bytes as they were stored; cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    value: fjall::Slice,
    start: usize,
}

impl Deref for Body {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        self.value.get(self.start..).unwrap_or(&[])
    }
}

/// A stored item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredItem {
    /// The facts before the document.
    pub header: Header,
    /// The document.
    pub body: Body,
}

impl StoredItem {
    /// The document's bytes in a stored value.
    pub(super) fn body_of(value: &[u8]) -> &[u8] {
        Header::split(value).and_then(|(_, start)| value.get(start..)).unwrap_or(&[])
    }

    pub(super) fn of(value: fjall::Slice) -> Option<StoredItem> {
        let (header, start) = Header::split(&value)?;
        Some(StoredItem { header, body: Body { value, start } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn values_survive(
            ts: i64, rid: u64, etag: u64, flags: u16, kind in 0u8..3, at: i64, listed in 0u8..3, other: u32, shows: u16,
            body: Vec<u8>,
        ) {
            let listed = match listed {
                0 => Listed::Nowhere,
                1 => Listed::In { collection: ContainerNo(other), shows },
                _ => Listed::Of(ContainerNo(other)),
            };
            let expiry = match kind { 0 => Expiry::Never, 1 => Expiry::Inherit, _ => Expiry::Own { at } };
            let header = Header { ts, expiry, rid, etag, flags, listed };
            let item = StoredItem::of(header.with_body(&body).into()).expect("valid");
            prop_assert_eq!(item.header, header);
            prop_assert_eq!(&*item.body, body.as_slice());
        }

        #[test]
        fn no_bytes_panic(bytes: Vec<u8>) {
            let _ = StoredItem::of(bytes.into());
        }
    }
}
