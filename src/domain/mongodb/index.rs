//! Indexes as far as expiration goes: the TTL index on `_ts` is the collection's default (rules, section 2).

use bson::{Bson, Document, doc};

use crate::domain::nosql::{DefaultTtl, MAX_TTL};

use super::ttl::spelled;
use super::{MongoError, Number};

/// The name of the TTL index.
pub const TTL_INDEX_NAME: &str = "_ts_1";

/// What making the TTL index comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Creation {
    /// There was none: the collection's default becomes this one.
    New(DefaultTtl),
    /// The same index again: no change.
    Same,
}

/// Judges `expireAfterSeconds` by its numeric value: -1 (on, no default) or 1 to [`MAX_TTL`].
///
/// # Errors
/// Code 2, BadValue, for everything else.
pub fn expire_after_seconds(value: &Bson) -> Result<DefaultTtl, MongoError> {
    let seconds = Number::of(value).and_then(|number| number.as_integer());
    match seconds {
        Some(n) if n != 0 => DefaultTtl::from_wire(Some(n)).ok(),
        _ => None,
    }
    .ok_or_else(|| {
        MongoError::bad_value(format!(
            "The 'expireAfterSeconds' option must be a whole number of seconds from 1 to {MAX_TTL}, or -1 (on, no \
             default). Found: {}",
            spelled(value)
        ))
    })
}

/// The default that an index asks for; `None` for an index without `expireAfterSeconds`.
///
/// # Errors
/// Code 2, BadValue, for `expireAfterSeconds` on anything but `{_ts: 1}` and for values that it does not take; without
/// it for an option that is not kept.
pub fn requested_ttl(key: &Document, options: &Document) -> Result<Option<DefaultTtl>, MongoError> {
    let Some(value) = options.get("expireAfterSeconds") else {
        return check_kept(options).map(|()| None);
    };
    let on_ts = key.len() == 1 && key.contains_key("_ts");
    if !on_ts {
        return Err(MongoError::bad_value("The 'expireAfterSeconds' option is supported on '_ts' field only."));
    }
    let ascending = key.get("_ts").and_then(Number::of).and_then(|number| number.as_integer()) == Some(1);
    if !ascending {
        return Err(MongoError::bad_value("The key of a TTL index is {\"_ts\": 1}."));
    }
    expire_after_seconds(value).map(Some)
}

fn check_kept(options: &Document) -> Result<(), MongoError> {
    if let Some(option) = options.keys().find(|option| !["name", "background", "v", "ns"].contains(&option.as_str())) {
        let words = format!("The option '{option}' of an index is not kept here: an index is a name and a key.");
        return Err(MongoError::bad_value(words));
    }
    Ok(())
}

/// Makes the TTL index where `current` is the collection's default.
///
/// # Errors
/// Code 85, IndexOptionsConflict, when there is one with other seconds.
pub fn create_ttl_index(current: DefaultTtl, wanted: DefaultTtl) -> Result<Creation, MongoError> {
    match current.to_wire() {
        None => Ok(Creation::New(wanted)),
        Some(_) if current == wanted => Ok(Creation::Same),
        Some(seconds) => Err(MongoError::index_options_conflict(format!(
            "Index with name: {TTL_INDEX_NAME} already exists with different options: expireAfterSeconds is {seconds}. \
             Drop the index, then create it again."
        ))),
    }
}

/// What `collMod` is answered: the service does not know it.
pub fn coll_mod() -> MongoError {
    MongoError::command_not_found("collMod")
}

/// The name that an index gets when none is given: `{a: 1, b: -1}` is `a_1_b_-1`.
pub fn index_name(key: &Document) -> String {
    let part = |(field, direction): (&String, &Bson)| match (Number::of(direction), direction) {
        (Some(number), _) => match number.as_integer() {
            Some(n) => format!("{field}_{n}"),
            None => format!("{field}_{direction}"),
        },
        (None, Bson::String(kind)) => format!("{field}_{kind}"),
        (None, other) => format!("{field}_{other}"),
    };
    key.iter().map(part).collect::<Vec<_>>().join("_")
}

/// The row of `getIndexes()` for the index on `_id`; `ns` is `database.collection`.
pub fn id_index(ns: &str) -> Document {
    doc! { "v": 1, "key": { "_id": 1 }, "name": "_id_", "ns": ns }
}

/// The row of `getIndexes()` for the TTL index; `None` where time to live is off.
pub fn ttl_index(ns: &str, default: DefaultTtl) -> Option<Document> {
    let seconds = default.to_wire()?;
    let seconds = i32::try_from(seconds).map_or(Bson::Int64(seconds), Bson::Int32);
    Some(doc! { "v": 1, "key": { "_ts": 1 }, "name": TTL_INDEX_NAME, "ns": ns, "expireAfterSeconds": seconds })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn on_ts(value: impl Into<Bson>) -> Result<Option<DefaultTtl>, MongoError> {
        requested_ttl(&doc! { "_ts": 1 }, &doc! { "expireAfterSeconds": value })
    }

    #[rstest]
    #[case(Bson::Int32(10), DefaultTtl::Seconds(10))]
    #[case(Bson::Int64(10), DefaultTtl::Seconds(10))]
    #[case(Bson::Double(10.0), DefaultTtl::Seconds(10))]
    #[case(Bson::Decimal128("10".parse().expect("a decimal")), DefaultTtl::Seconds(10))]
    #[case(Bson::Int32(1), DefaultTtl::Seconds(1))]
    #[case(Bson::Int32(2_147_483_647), DefaultTtl::Seconds(2_147_483_647))]
    #[case(Bson::Int32(-1), DefaultTtl::NoDefault)]
    #[case(Bson::Double(-1.0), DefaultTtl::NoDefault)]
    fn seconds_that_are_taken(#[case] value: Bson, #[case] default: DefaultTtl) {
        assert_eq!(on_ts(value), Ok(Some(default)));
    }

    #[rstest]
    #[case(Bson::Int32(0))]
    #[case(Bson::Double(-0.0))]
    #[case(Bson::Int32(-2))]
    #[case(Bson::Double(10.5))]
    #[case(Bson::Int64(2_147_483_648))]
    #[case(Bson::Double(1e300))]
    #[case(Bson::Double(f64::NAN))]
    #[case(Bson::String("10".into()))]
    #[case(Bson::Null)]
    #[case(Bson::Boolean(true))]
    fn seconds_that_are_refused(#[case] value: Bson) {
        let error = on_ts(value).expect_err("refused");
        assert_eq!((error.code, error.code_name), (2, "BadValue"));
        assert!(error.errmsg.contains("from 1 to 2147483647"), "{error}");
    }

    #[rstest]
    #[case(doc! { "createdAt": 1 })]
    #[case(doc! { "_ts": 1, "a": 1 })]
    #[case(doc! { "$**": 1 })]
    #[case(doc! { "_id": 1 })]
    #[case(doc! {})]
    fn only_the_field_ts(#[case] key: Document) {
        let error = requested_ttl(&key, &doc! { "expireAfterSeconds": 10 }).expect_err("refused");
        assert_eq!(
            error.answer(),
            doc! { "ok": 0, "code": 2, "codeName": "BadValue",
            "errmsg": "The 'expireAfterSeconds' option is supported on '_ts' field only." }
        );
        assert_eq!(requested_ttl(&key, &doc! {}), Ok(None), "a plain index is no matter of expiration");
    }

    #[test]
    fn a_descending_ts_is_no_ttl_index() {
        let error = requested_ttl(&doc! { "_ts": -1 }, &doc! { "expireAfterSeconds": 10 }).expect_err("refused");
        assert_eq!(error.code, 2);
    }

    #[test]
    fn once_more_with_the_same_seconds_and_with_others() {
        let ten = DefaultTtl::Seconds(10);
        assert_eq!(create_ttl_index(DefaultTtl::Off, ten), Ok(Creation::New(ten)));
        assert_eq!(create_ttl_index(ten, ten), Ok(Creation::Same));
        for other in [DefaultTtl::NoDefault, DefaultTtl::Seconds(11)] {
            let error = create_ttl_index(ten, other).expect_err("refused");
            assert_eq!((error.code, error.code_name), (85, "IndexOptionsConflict"));
            assert!(error.errmsg.contains("expireAfterSeconds is 10"), "{error}");
        }
    }

    #[test]
    fn coll_mod_is_unknown() {
        assert_eq!((coll_mod().code, coll_mod().code_name), (59, "CommandNotFound"));
    }

    #[test]
    fn rows_of_get_indexes() {
        let row = ttl_index("db.coll", DefaultTtl::NoDefault).expect("on");
        assert_eq!(
            row,
            doc! { "v": 1, "key": { "_ts": 1 }, "name": "_ts_1", "ns": "db.coll", "expireAfterSeconds": -1 }
        );
        assert_eq!(ttl_index("db.coll", DefaultTtl::Off), None);
        assert_eq!(id_index("db.coll").get_str("name").ok(), Some("_id_"));
        assert_eq!(index_name(&doc! { "_ts": 1.0 }), TTL_INDEX_NAME);
        assert_eq!(index_name(&doc! { "a": 1, "b": -1, "c": "hashed" }), "a_1_b_-1_c_hashed");
    }
}
