//! The members of documents that a query names. Where it names few, a document is read several times faster than whole.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value as Json};

use super::expr::{Expr, Path, Step};
use super::query::Query;

/// Members at the root of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Members {
    /// Whatever it holds.
    All,
    /// Those of these names, each name once.
    Named(Vec<String>),
}

impl Members {
    /// What the sources, WHERE, GROUP BY, ORDER BY and the select list of a query name. The documents that `SELECT *`
    /// answers are not in it.
    pub(super) fn of(query: &Query) -> Members {
        let mut members = Members::Named(Vec::new());
        // The path of the first source starts at the document. Behind it, slot 0 is the document or of what was named.
        let of_document = match query.sources.split_first() {
            Some((first, _)) if first.is_document() => true,
            Some((first, _)) => {
                members.add(&first.path);
                false
            }
            None => false,
        };
        if !of_document {
            return members;
        }
        query.sources.iter().skip(1).for_each(|source| members.add(&source.path));
        query.each_expr(&mut |expr| members.collect(expr));
        members
    }

    /// With one more.
    pub fn with(self, name: &str) -> Members {
        match self {
            Members::Named(mut names) if !names.iter().any(|known| known == name) => {
                names.push(name.to_owned());
                Members::Named(names)
            }
            members => members,
        }
    }

    /// Whether a member of the name is one of them.
    pub fn has(&self, name: &str) -> bool {
        match self {
            Members::All => true,
            Members::Named(names) => names.iter().any(|known| known == name),
        }
    }

    /// Reads these members of a JSON text; what is between them is passed over.
    ///
    /// # Errors
    /// A text that is no JSON, and, unless all are read, one that is no object.
    pub fn read(&self, json: &[u8]) -> serde_json::Result<Json> {
        let mut reader = serde_json::Deserializer::from_slice(json);
        let document = match self {
            Members::All => return serde_json::from_slice(json),
            Members::Named(_) => reader.deserialize_map(Reader(self))?,
        };
        reader.end()?;
        Ok(Json::Object(document))
    }

    fn collect(&mut self, expr: &Expr) {
        if let Expr::Path(path) = expr {
            self.add(path);
        }
        expr.each_part(&mut |part| self.collect(part));
    }

    /// The start of a path from slot 0; other slots are of what was named before.
    fn add(&mut self, path: &Path) {
        if path.slot != 0 {
            return;
        }
        match path.steps.first() {
            Some(Step::Name(name)) => *self = std::mem::replace(self, Members::All).with(name),
            // A document has no positions.
            Some(Step::Index(_)) => {}
            None => *self = Members::All,
        }
    }
}

/// Reads an object's wanted members.
struct Reader<'m>(&'m Members);

impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Map<String, Json>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut read = Map::new();
        while let Some(name) = members.next_key_seed(Wanted(self.0))? {
            match name {
                Some(name) => drop(read.insert(name, members.next_value()?)),
                None => drop(members.next_value::<IgnoredAny>()?),
            }
        }
        Ok(read)
    }
}

/// Reads a name, and keeps it if it is wanted.
struct Wanted<'m>(&'m Members);

impl<'de> DeserializeSeed<'de> for Wanted<'_> {
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'de>>(self, name: D) -> Result<Self::Value, D::Error> {
        name.deserialize_str(self)
    }
}

impl Visitor<'_> for Wanted<'_> {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.has(name).then(|| name.to_owned()))
    }
}
