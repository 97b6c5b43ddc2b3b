//! What stands before a document's bytes in a stored value.

use std::ops::Deref;

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
}

/// Bytes of an encoded header.
const LEN: usize = 8 + 8 + 8 + 2 + 1 + 8;

impl Header {
    /// Its entry in the index: the half and the instant.
    pub fn entry(&self) -> Option<(Half, i64)> {
        match self.expiry {
            Expiry::Never => None,
            Expiry::Inherit => Some((Half::Inherit, self.ts)),
            Expiry::Own { at } => Some((Half::Own, at)),
        }
    }

    /// The stored value of an item with this header.
    pub(super) fn with_body(&self, body: &[u8]) -> Vec<u8> {
        let (kind, at) = match self.expiry {
            Expiry::Never => (0, 0),
            Expiry::Inherit => (1, 0),
            Expiry::Own { at } => (2, at),
        };
        let mut value = Vec::with_capacity(LEN + body.len());
        value.extend_from_slice(&self.ts.to_le_bytes());
        value.extend_from_slice(&self.rid.to_le_bytes());
        value.extend_from_slice(&self.etag.to_le_bytes());
        value.extend_from_slice(&self.flags.to_le_bytes());
        value.push(kind);
        value.extend_from_slice(&at.to_le_bytes());
        value.extend_from_slice(body);
        value
    }

    /// The header of a stored value; `None` for bytes that are no such value.
    pub(super) fn of(value: &[u8]) -> Option<Header> {
        let (ts, rest) = value.split_first_chunk()?;
        let (rid, rest) = rest.split_first_chunk()?;
        let (etag, rest) = rest.split_first_chunk()?;
        let (flags, rest) = rest.split_first_chunk()?;
        let (kind, rest) = rest.split_first()?;
        let (at, _) = rest.split_first_chunk()?;
        let expiry = match kind {
            0 => Expiry::Never,
            1 => Expiry::Inherit,
            2 => Expiry::Own { at: i64::from_le_bytes(*at) },
            _ => return None,
        };
        Some(Header {
            ts: i64::from_le_bytes(*ts),
            expiry,
            rid: u64::from_le_bytes(*rid),
            etag: u64::from_le_bytes(*etag),
            flags: u16::from_le_bytes(*flags),
        })
    }
}

/// A document's bytes as they were stored; cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body(pub(super) fjall::Slice);

impl Deref for Body {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        self.0.get(LEN..).unwrap_or(&[])
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
    pub(super) fn of(value: fjall::Slice) -> Option<StoredItem> {
        Some(StoredItem { header: Header::of(&value)?, body: Body(value) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn values_survive(ts: i64, rid: u64, etag: u64, flags: u16, kind in 0u8..3, at: i64, body: Vec<u8>) {
            let expiry = match kind { 0 => Expiry::Never, 1 => Expiry::Inherit, _ => Expiry::Own { at } };
            let header = Header { ts, expiry, rid, etag, flags };
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
