//! What a name may be: ids of items, names of databases and containers.

/// The longest id, in characters.
pub const MAX_ID_CHARS: usize = 255;

/// Why a name is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdFault {
    /// Nothing was given.
    #[error("is empty")]
    Empty,
    /// Over 255 characters.
    #[error("has more than 255 characters")]
    TooLong,
    /// It would be lost on the way through an address.
    #[error("ends in a space")]
    EndsInSpace,
    /// One of the four that cannot stand in an address.
    #[error("contains `{0}`: the characters / \\ ? # are not allowed")]
    Forbidden(char),
}

/// Checks the id of an item or the name of a database or container.
///
/// # Errors
/// The first rule that it breaks.
pub fn check_name(name: &str) -> Result<(), IdFault> {
    if name.is_empty() {
        Err(IdFault::Empty)
    } else if name.chars().count() > MAX_ID_CHARS {
        Err(IdFault::TooLong)
    } else if name.ends_with(' ') {
        Err(IdFault::EndsInSpace)
    } else if let Some(c) = name.chars().find(|c| matches!(c, '/' | '\\' | '?' | '#')) {
        Err(IdFault::Forbidden(c))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("", Err(IdFault::Empty))]
    #[case("a ", Err(IdFault::EndsInSpace))]
    #[case("a/b", Err(IdFault::Forbidden('/')))]
    #[case("a\\b", Err(IdFault::Forbidden('\\')))]
    #[case("a?", Err(IdFault::Forbidden('?')))]
    #[case("#a", Err(IdFault::Forbidden('#')))]
    #[case(" a", Ok(()))]
    #[case("ünï 1", Ok(()))]
    fn names(#[case] name: &str, #[case] answer: Result<(), IdFault>) {
        assert_eq!(check_name(name), answer);
    }

    #[test]
    fn length_counts_characters() {
        assert_eq!(check_name(&"é".repeat(255)), Ok(()));
        assert_eq!(check_name(&"é".repeat(256)), Err(IdFault::TooLong));
    }
}
