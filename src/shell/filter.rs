//! A find filter as people type it.

use bson::Document;

use crate::domain::mongodb::text;
use crate::domain::{Instant, Refusal};

use crate::engine::{Api, Container, Engine, EngineError, Filtered, GoOn, View};

use super::parse::document;

/// What matches a filter as people type it above a list: a view, or a filter in the language of the container's system.
///
/// # Errors
/// 400 with the place of the first fault; as the engine's.
pub fn matching(
    engine: &Engine,
    container: &Container,
    written: &str,
    most: usize,
    go_on: GoOn<'_>,
) -> Result<Filtered, EngineError> {
    if let Some(view) = View::of(written)? {
        return engine.view_items(container.no, view, most, go_on);
    }
    match container.api() {
        Api::NoSql | Api::RavenDb => engine.filter_items(container.no, written, most, go_on),
        Api::MongoDb => engine.filter_documents(container.no, &filter(written, engine.now())?, most, go_on),
    }
}

/// Reads a filter: a document in extended JSON, or in the shell's notation with names without quotes and constructors.
/// Nothing is the empty filter, which matches everything. `now` is what `ISODate()` stands for.
///
/// # Errors
/// 400 with the place of the first fault.
pub fn filter(written: &str, now: Instant) -> Result<Document, Refusal> {
    if written.trim().is_empty() {
        return Ok(Document::new());
    }
    text::parse(written)
        .or_else(|_| document(written, now).map_err(|error| Refusal::bad_request(error.message).at(error.place)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bson::doc;
    use rstest::rstest;

    #[rstest]
    #[case("", doc! {})]
    #[case("{ttl: NumberLong(20)}", doc! { "ttl": 20_i64 })]
    #[case("{\"ttl\": {\"$numberLong\": \"20\"}}", doc! { "ttl": 20_i64 })]
    #[case(" { 'a.b': { $gt: 1.5 } } ", doc! { "a.b": { "$gt": 1.5 } })]
    fn both_notations(#[case] written: &str, #[case] document: Document) {
        assert_eq!(filter(written, Instant::from_secs(0)), Ok(document));
    }

    #[rstest]
    #[case("ttl: 5", 1)]
    #[case("{ttl: }", 7)]
    #[case("{} {}", 4)]
    fn a_fault_has_its_place(#[case] written: &str, #[case] column: usize) {
        let refusal = filter(written, Instant::from_secs(0)).expect_err("no filter");
        assert_eq!(refusal.place.map(|place| (place.line, place.column)), Some((1, column)), "{refusal}");
    }
}
