//! Ids of documents, and the key that orders them.

/// The longest id, in bytes.
pub const MAX_ID_BYTES: usize = 512;

/// What is wrong with an id, for a sentence that begins with it; `None` when it can be one.
pub fn check_id(id: &str) -> Option<&'static str> {
    if id.is_empty() {
        Some("is empty")
    } else if id.len() > MAX_ID_BYTES {
        Some("is longer than 512 bytes")
    } else if id.chars().any(char::is_control) {
        Some("contains a control character")
    } else if id.ends_with(['/', '|']) {
        Some("ends in `/` or `|`: leave `@id` out, then one is made")
    } else {
        None
    }
}

/// The stored key of an id: ids are one whatever their case, and a run deletes documents of one instant in this order.
pub fn key_of_id(id: &str) -> Vec<u8> {
    id.to_lowercase().into_bytes()
}

/// What the ids of a collection's documents begin with: `users` for `Users`, `OrderLines` for `OrderLines`, which has
/// more than one capital letter.
pub fn id_prefix(collection: &str) -> String {
    if collection.chars().filter(|c| c.is_uppercase()).count() > 1 {
        collection.to_owned()
    } else {
        collection.to_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("users/1-A", None)]
    #[case("", Some("is empty"))]
    #[case("users/", Some("ends in `/` or `|`: leave `@id` out, then one is made"))]
    #[case("a\nb", Some("contains a control character"))]
    fn ids(#[case] id: &str, #[case] fault: Option<&str>) {
        assert_eq!(check_id(id), fault);
        assert_eq!(check_id(&"x".repeat(513)), Some("is longer than 512 bytes"));
    }

    #[test]
    fn an_id_is_one_whatever_its_case() {
        assert_eq!(key_of_id("G/UPPER"), key_of_id("g/upper"));
    }

    #[rstest]
    #[case("Users", "users")]
    #[case("OrderLines", "OrderLines")]
    #[case("@empty", "@empty")]
    fn prefixes_follow_the_client(#[case] collection: &str, #[case] prefix: &str) {
        assert_eq!(id_prefix(collection), prefix);
    }
}
