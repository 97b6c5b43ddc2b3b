//! The names that the shell knows: for checks, for "did you mean", and for completion.

/// The methods of a collection.
pub const COLLECTION_METHODS: [&str; 22] = [
    "count",
    "countDocuments",
    "createIndex",
    "createIndexes",
    "deleteMany",
    "deleteOne",
    "distinct",
    "drop",
    "dropIndex",
    "dropIndexes",
    "ensureIndex",
    "estimatedDocumentCount",
    "find",
    "findOne",
    "getIndexes",
    "insert",
    "insertMany",
    "insertOne",
    "remove",
    "replaceOne",
    "updateMany",
    "updateOne",
];

/// The methods of `db`.
pub const DATABASE_METHODS: [&str; 6] =
    ["createCollection", "dropDatabase", "getCollection", "getCollectionNames", "getName", "runCommand"];

/// The methods of what `find` answers.
pub const CURSOR_METHODS: [&str; 8] = ["count", "itcount", "limit", "pretty", "size", "skip", "sort", "toArray"];

/// The known name that is nearest to what was typed, if one is near.
pub(super) fn nearest<'a>(typed: &str, known: &[&'a str]) -> Option<&'a str> {
    const LONGEST: usize = 40;
    if typed.len() > LONGEST {
        return None;
    }
    let allowed = (typed.len() / 2).clamp(1, 4);
    let distances = known.iter().map(|name| (distance(&typed.to_lowercase(), &name.to_lowercase()), *name));
    distances.filter(|(distance, _)| *distance <= allowed).min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// How many characters to put in, take out or change to make one text of the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("insertone", Some("insertOne"))]
    #[case("fnid", Some("find"))]
    #[case("update", Some("updateOne"))]
    #[case("getindices", Some("getIndexes"))]
    #[case("aggregate", None)]
    #[case("xyz", None)]
    fn the_nearest_name(#[case] typed: &str, #[case] name: Option<&str>) {
        assert_eq!(nearest(typed, &COLLECTION_METHODS), name);
    }
}
