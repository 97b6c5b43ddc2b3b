//! `find`, `findOne`, `countDocuments`, `distinct`, and `it`, which goes on.

use std::ops::ControlFlow;
use std::sync::Arc;

use bson::{Bson, Document, doc};

use crate::domain::mongodb::{MongoError, shell_pretty, shell_text};
use crate::engine::{ContainerNo, Key, Scope};
use crate::query::mongodb::{Filter, Projection, Sort, order, values_at};
use crate::shell::{Find, Kind};

use super::{Executor, in_mongodb};

/// Documents that a find prints before it waits for `it`.
const PAGE: u64 = 20;

/// A find that has more than it printed.
#[derive(Clone, Debug, PartialEq)]
pub struct More {
    collection: String,
    find: Find,
    /// The last that was printed. A number of documents to skip would skip others once some have expired.
    last: Arc<(Key, Document)>,
}

impl Executor<'_> {
    /// Prints the first page of a find.
    pub fn find(&mut self, collection: &str, find: Find) -> Result<(), MongoError> {
        self.page(collection, find, None)
    }

    /// Prints a page of a find: what comes behind `last`.
    fn page(&mut self, collection: &str, find: Find, last: Option<&(Key, Document)>) -> Result<(), MongoError> {
        let page = find.limit.map_or(PAGE, |limit| limit.min(PAGE));
        // One more than is printed tells whether there is more.
        let most = page + u64::from(find.limit.is_none_or(|limit| limit > page));
        let mut found = self.found(collection, &find, most, last)?;
        let more = found.len() as u64 > page;
        found.truncate(usize::try_from(page).unwrap_or(usize::MAX));
        let last = if more { found.last().cloned() } else { None };
        for document in projected(&find, found)? {
            let value = Bson::Document(document);
            self.print(Kind::Answer, if find.pretty { shell_pretty(&value) } else { shell_text(&value) });
        }
        self.outcome.session.more = last.map(|last| {
            let limit = find.limit.map(|limit| limit - page);
            let find = Find { skip: 0, limit, ..find };
            Box::new(More { collection: collection.to_owned(), find, last: Arc::new(last) })
        });
        if more {
            self.print(Kind::Note, "Type \"it\" for more");
        }
        Ok(())
    }

    /// `it`.
    pub fn more(&mut self) -> Result<(), MongoError> {
        match self.outcome.session.more.take() {
            Some(more) => self.page(&more.collection, more.find, Some(&more.last)),
            None => {
                self.print(Kind::Note, "no cursor");
                Ok(())
            }
        }
    }

    /// `findOne`: a document, or null.
    pub fn find_one(&mut self, collection: &str, find: &Find) -> Result<(), MongoError> {
        let found = projected(find, self.found(collection, find, 1, None)?)?.pop();
        self.answer(found.map_or(Bson::Null, Bson::Document));
        Ok(())
    }

    /// The documents of a find as one array.
    pub fn array(&mut self, collection: &str, find: &Find) -> Result<(), MongoError> {
        let found = projected(find, self.found(collection, find, u64::MAX, None)?)?;
        self.answer(Bson::Array(found.into_iter().map(Bson::Document).collect()));
        Ok(())
    }

    /// How many documents a find has; `limited` by its skip and limit.
    pub fn count(&mut self, collection: &str, find: &Find, limited: bool) -> Result<(), MongoError> {
        let filter = Filter::new(&find.filter)?;
        let mut n: u64 = 0;
        if let Some(no) = self.collection(collection)? {
            self.each_match(no, &filter, |_, _| {
                n += 1;
                ControlFlow::Continue(())
            })?;
        }
        if limited {
            n = n.saturating_sub(find.skip).min(find.limit.unwrap_or(u64::MAX));
        }
        self.answer(number(n));
        Ok(())
    }

    /// How many documents a collection has, from what it knows of itself.
    pub fn estimate(&mut self, collection: &str) -> Result<(), MongoError> {
        let n = match self.collection(collection)? {
            Some(no) => self.engine.totals(Scope::Container(no)).map_err(in_mongodb)?.alive().n,
            None => 0,
        };
        self.answer(number(n));
        Ok(())
    }

    /// The different values at a path.
    pub fn distinct(&mut self, collection: &str, path: &str, filter: &Document) -> Result<(), MongoError> {
        let filter = Filter::new(filter)?;
        let mut values: Vec<Bson> = Vec::new();
        if let Some(no) = self.collection(collection)? {
            self.each_match(no, &filter, |_, document| {
                values.extend(values_at(&document, path));
                ControlFlow::Continue(())
            })?;
        }
        values.sort_by(order);
        values.dedup_by(|a, b| order(a, b).is_eq());
        self.answer(Bson::Array(values));
        Ok(())
    }

    /// Up to `most` documents of a find, those that come behind `last`.
    fn found(
        &self,
        collection: &str,
        find: &Find,
        most: u64,
        last: Option<&(Key, Document)>,
    ) -> Result<Vec<(Key, Document)>, MongoError> {
        let (filter, sort) = (Filter::new(&find.filter)?, Sort::new(&find.sort)?);
        // Documents that the sort order leaves equal come in the order of their keys.
        let is_behind = |key: &Key, document: &Document| {
            last.is_none_or(|last| sort.compare(&last.1, document).then_with(|| last.0.cmp(key)).is_lt())
        };
        let most = usize::try_from(find.limit.unwrap_or(u64::MAX).min(most)).unwrap_or(usize::MAX);
        let skip = usize::try_from(find.skip).unwrap_or(usize::MAX);
        let Some(no) = self.collection(collection)? else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        let (mut skipped, sorts) = (0, !sort.is_empty());
        if most > 0 {
            self.each_match(no, &filter, |key, document| {
                if !is_behind(&key, &document) {
                    return ControlFlow::Continue(());
                }
                if !sorts && skipped < skip {
                    skipped += 1;
                    return ControlFlow::Continue(());
                }
                found.push((key, document));
                if !sorts && found.len() == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
        }
        if sorts {
            found.sort_by(|a, b| sort.compare(&a.1, &b.1));
            found = found.into_iter().skip(skip).take(most).collect();
        }
        Ok(found)
    }

    /// Hands the visible documents over that match; one whose `_id` the filter names is read by its key.
    pub(super) fn each_match(
        &self,
        no: ContainerNo,
        filter: &Filter,
        mut each: impl FnMut(Key, Document) -> ControlFlow<()>,
    ) -> Result<(), MongoError> {
        // A Decimal128 is no key, but may equal one.
        if let Some(id) = filter.id().filter(|id| !matches!(id, Bson::Decimal128(_))) {
            let found = self.engine.document_by_id(no, id).map_err(in_mongodb)?;
            if let Some((key, document)) = found.filter(|(_, document)| filter.matches(document)) {
                let _ = each(key, document);
            }
            return Ok(());
        }
        self.engine
            .each_document(
                no,
                |key, document| {
                    if filter.matches(&document) { each(key, document) } else { ControlFlow::Continue(()) }
                },
            )
            .map_err(in_mongodb)?;
        Ok(())
    }

    /// The keys of the documents that match: the first, or all.
    pub(super) fn matching(&self, no: ContainerNo, filter: &Filter, all: bool) -> Result<Vec<Key>, MongoError> {
        let mut keys = Vec::new();
        self.each_match(no, filter, |key, _| {
            keys.push(key);
            if all { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        Ok(keys)
    }

    /// `getIndexes()`.
    pub fn indexes(&mut self, collection: &str) -> Result<(), MongoError> {
        let listed = match self.collection(collection)? {
            Some(no) => self.engine.indexes(no).map_err(in_mongodb)?,
            None => Vec::new(),
        };
        self.answer(Bson::Array(listed.into_iter().map(Bson::Document).collect()));
        Ok(())
    }

    /// The command `listIndexes`.
    pub(super) fn list_indexes(&mut self, collection: &str) -> Result<(), MongoError> {
        let namespace = self.namespace(collection);
        let Some(no) = self.collection(collection)? else {
            let errmsg = format!("ns does not exist: {namespace}");
            return Err(MongoError { code: 26, code_name: "NamespaceNotFound", errmsg });
        };
        let batch: Vec<Bson> = self.engine.indexes(no).map_err(in_mongodb)?.into_iter().map(Bson::Document).collect();
        self.answer(super::ok(doc! { "cursor": { "id": 0i64, "ns": namespace, "firstBatch": batch } }));
        Ok(())
    }
}

/// What a find answers of documents.
fn projected(find: &Find, found: Vec<(Key, Document)>) -> Result<Vec<Document>, MongoError> {
    let projection = Projection::new(&find.projection)?;
    Ok(found.iter().map(|(_, document)| projection.apply(document)).collect())
}

/// A count as the shell prints it.
pub(super) fn number(n: u64) -> Bson {
    i32::try_from(n).map_or(Bson::Int64(n.cast_signed()), Bson::Int32)
}
