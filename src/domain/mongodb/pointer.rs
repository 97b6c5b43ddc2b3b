//! DBPointer, a type of old documents. The crate `bson` keeps its parts to itself, so they are read from and put into its
//! bytes.

use bson::oid::ObjectId;
use bson::{Bson, DbPointer, Document, doc};

/// Length of the document, the type byte, the name `p` with its end, the length of the namespace.
const HEAD: usize = 4 + 1 + 2 + 4;
const TYPE: u8 = 0x0C;

/// The namespace and the id that it points to.
pub fn parts(pointer: &DbPointer) -> Option<(String, ObjectId)> {
    let bytes = doc! { "p": Bson::DbPointer(pointer.clone()) }.to_vec().ok()?;
    let id_at = bytes.len().checked_sub(13)?;
    let namespace = String::from_utf8(bytes.get(HEAD..id_at - 1)?.to_vec()).ok()?;
    let id: [u8; 12] = bytes.get(id_at..id_at + 12)?.try_into().ok()?;
    Some((namespace, ObjectId::from_bytes(id)))
}

/// A pointer of these parts.
pub fn pointer(namespace: &str, id: ObjectId) -> Option<Bson> {
    let size = HEAD + namespace.len() + 1 + 12 + 1;
    let mut bytes = Vec::with_capacity(size);
    bytes.extend_from_slice(&i32::try_from(size).ok()?.to_le_bytes());
    bytes.push(TYPE);
    bytes.extend_from_slice(b"p\0");
    bytes.extend_from_slice(&i32::try_from(namespace.len() + 1).ok()?.to_le_bytes());
    bytes.extend_from_slice(namespace.as_bytes());
    bytes.push(0);
    bytes.extend_from_slice(&id.bytes());
    bytes.push(0);
    Document::from_reader(bytes.as_slice()).ok()?.remove("p")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taken_apart_and_put_together() {
        for namespace in ["", "db.coll", "é"] {
            let id = ObjectId::from_bytes([7; 12]);
            let Some(Bson::DbPointer(made)) = pointer(namespace, id) else { panic!("no pointer") };
            assert_eq!(parts(&made), Some((namespace.to_owned(), id)));
        }
    }
}
