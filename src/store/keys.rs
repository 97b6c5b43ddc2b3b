//! The bytes of keys: container, then instant, then item, each so that bytes order as they should.

use super::ContainerNo;

/// The longest key of an item. fjall takes 65,535 bytes, and an index entry has twelve before the item's.
pub const MAX_ITEM_KEY: usize = 65_000;

/// Whether an item can have this key. fjall panics on longer ones even when it is only asked for them.
pub fn is_storable(key: &[u8]) -> bool {
    !key.is_empty() && key.len() <= MAX_ITEM_KEY
}

/// The key, or of one that is longer than any the part that a place can be found by.
pub fn place(key: &[u8]) -> &[u8] {
    &key[..key.len().min(MAX_ITEM_KEY)]
}

const SIGN: u64 = 1 << 63;

/// The prefix of everything of a container.
pub fn container(no: ContainerNo) -> [u8; 4] {
    no.0.to_be_bytes()
}

/// The key of an item.
pub fn item(no: ContainerNo, key: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(4 + key.len());
    bytes.extend_from_slice(&container(no));
    bytes.extend_from_slice(key);
    bytes
}

/// The key of an index entry, or with an empty item key the lower bound of all entries at that instant.
pub fn entry(no: ContainerNo, instant: i64, key: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(12 + key.len());
    bytes.extend_from_slice(&container(no));
    bytes.extend_from_slice(&(instant as u64 ^ SIGN).to_be_bytes());
    bytes.extend_from_slice(key);
    bytes
}

/// The first key behind everything of a container; `None` behind the last container.
pub fn behind_container(no: ContainerNo) -> Option<[u8; 4]> {
    no.0.checked_add(1).map(u32::to_be_bytes)
}

/// The item's key in a key of `items`.
pub fn of_item(bytes: &[u8]) -> Option<(ContainerNo, &[u8])> {
    let (no, key) = bytes.split_first_chunk()?;
    Some((ContainerNo(u32::from_be_bytes(*no)), key))
}

/// Container, instant and item of a key of the index.
pub fn of_entry(bytes: &[u8]) -> Option<(ContainerNo, i64, &[u8])> {
    let (no, rest) = of_item(bytes)?;
    let (instant, key) = rest.split_first_chunk()?;
    Some((no, (u64::from_be_bytes(*instant) ^ SIGN) as i64, key))
}

/// The value of an index entry: the collection that lists the item, so that its listing is deleted unseen.
pub fn of_collection(collection: Option<ContainerNo>) -> Vec<u8> {
    collection.map_or_else(Vec::new, |collection| container(collection).to_vec())
}

/// The collection in the value of an index entry.
pub fn collection(value: &[u8]) -> Option<ContainerNo> {
    of_item(value).map(|(no, _)| no)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn entries_order_by_container_instant_item(a: (u32, i64, Vec<u8>), b: (u32, i64, Vec<u8>)) {
            let bytes = |x: &(u32, i64, Vec<u8>)| entry(ContainerNo(x.0), x.1, &x.2);
            prop_assert_eq!(bytes(&a).cmp(&bytes(&b)), a.cmp(&b));
            let key = bytes(&a);
            prop_assert_eq!(of_entry(&key), Some((ContainerNo(a.0), a.1, a.2.as_slice())));
        }
    }
}
