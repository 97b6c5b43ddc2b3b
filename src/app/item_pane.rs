//! The item that is open: its text in the editor, and what became of the stored one meanwhile.

use crate::domain::mongodb::{self, DocumentTtl};
use crate::domain::nosql::{PartitionKey, parse_item};
use crate::domain::ravendb::{id_prefix, key_of_id, parse_document};
use crate::domain::{Instant, Refusal};
use crate::engine::{Container, ContainerNo, Document, Kind, Lifetime, Row};

use super::{Editor, Intent};

/// Where the text comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// A new item.
    New,
    /// A stored one, as it was when it was opened or saved last.
    Stored(Row),
}

/// What became of the stored item while it was open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// It expired at this instant.
    Expired(Instant),
    /// Somebody deleted it.
    Deleted,
}

/// An open item.
#[derive(Clone, Debug)]
pub struct ItemPane {
    /// Its container.
    pub container: ContainerNo,
    kind: Kind,
    /// Where it comes from.
    pub origin: Origin,
    /// Its text.
    pub editor: Editor,
    /// Names in it that people take for `ttl`.
    pub lookalikes: Vec<String>,
    /// What the service would refuse in the present text.
    pub problem: Option<Refusal>,
    /// What the present text says of its end, while it is a text that can be saved.
    pub draft: Option<Lifetime>,
    /// What the service refused at the last save.
    pub refused: Option<Refusal>,
    /// The stored item is gone; the text stays.
    pub gone: Option<Gone>,
    /// A save is on its way, of the text in this revision.
    pub saving: Option<u64>,
    /// What to do when the save is done.
    pub then: Option<Intent>,
}

/// Texts longer than this are checked when they are saved, not at each key.
const CHECKED_WHILE_TYPING: usize = 64 * 1024;

impl ItemPane {
    /// A new item from a template: the portal's with an id and the partition key's paths, or a document of RavenDB with
    /// its collection.
    pub fn new_item(container: &Container, now: Instant) -> Self {
        let template = match &container.kind {
            Kind::NoSql { partition_key, .. } => template(partition_key),
            Kind::MongoDb { .. } => "{\n    \"id\": \"replace_with_new_document_id\"\n}".to_owned(),
            Kind::Documents { .. } => document_template("replace_with_collection"),
            Kind::Collection { .. } => document_template(&container.name),
        };
        let mut pane = ItemPane::with(container, Origin::New, &template);
        pane.check(now);
        pane
    }

    /// A stored item.
    pub fn stored(container: &Container, document: &Document) -> Self {
        let mut pane = ItemPane::with(container, Origin::Stored(document.row.clone()), &document.text);
        pane.lookalikes.clone_from(&document.lookalikes);
        if let (true, Some(at)) = (document.hidden, document.at) {
            pane.gone = Some(Gone::Expired(at));
        }
        pane
    }

    fn with(container: &Container, origin: Origin, text: &str) -> Self {
        ItemPane {
            container: container.no,
            kind: container.kind.clone(),
            origin,
            editor: Editor::new(text),
            lookalikes: Vec::new(),
            problem: None,
            draft: None,
            refused: None,
            gone: None,
            saving: None,
            then: None,
        }
    }

    /// The stored item.
    pub fn row(&self) -> Option<&Row> {
        match &self.origin {
            Origin::Stored(row) => Some(row),
            Origin::New => None,
        }
    }

    /// Its name in titles and messages.
    pub fn title(&self) -> &str {
        self.row().map_or("New Item", |row| &row.id)
    }

    /// Whether leaving it would lose text: edits, or a new item.
    pub fn is_dirty(&self) -> bool {
        self.editor.is_dirty()
    }

    /// Whether saving makes sense: something is changed, new, or the stored item is gone.
    pub fn can_save(&self) -> bool {
        self.saving.is_none() && (self.is_dirty() || self.origin == Origin::New || self.gone.is_some())
    }

    /// Looks at the text after an edit.
    pub fn check(&mut self, now: Instant) {
        self.refused = None;
        let text = self.editor.text();
        if text.len() > CHECKED_WHILE_TYPING {
            (self.problem, self.draft) = (None, None);
            return;
        }
        (self.problem, self.draft) = match self.parse(&text, now) {
            Ok((_, lifetime)) => (None, Some(lifetime)),
            Err(refusal) => (Some(refusal), None),
        };
    }

    /// The stored key of the present text and what it says of its end, as its system would take it.
    ///
    /// # Errors
    /// What the system would refuse.
    pub fn parse(&self, text: &str, now: Instant) -> Result<(Vec<u8>, Lifetime), Refusal> {
        match &self.kind {
            Kind::NoSql { partition_key, .. } => {
                let item = parse_item(text, partition_key, || "new".to_owned())?;
                Ok((item.key.encode(), Lifetime::Ttl(item.ttl)))
            }
            Kind::MongoDb { .. } => {
                let document = mongodb::text::parse(text)?;
                let lifetime = Lifetime::Typed(DocumentTtl::of(&document));
                // The engine makes the `_id` of a new document, and keeps that of a stored one.
                let key = match (document.get("_id"), self.row()) {
                    (Some(id), _) => mongodb::key_of_id(id)?,
                    (None, row) => row.map_or_else(Vec::new, |row| row.key.to_vec()),
                };
                Ok((key, lifetime))
            }
            Kind::Documents { .. } | Kind::Collection { .. } => {
                // The engine makes the id of a new document, and keeps that of a stored one.
                let id = |collection: &str| {
                    Ok(self.row().map_or_else(|| format!("{}/…-A", id_prefix(collection)), |row| row.id.clone()))
                };
                let document = parse_document(text, now, id)?;
                Ok((key_of_id(&document.id), Lifetime::Expires(document.expires)))
            }
        }
    }

    /// Whether the present text is that of another item than the stored one: another id or partition key.
    pub fn has_other_key(&self, now: Instant) -> bool {
        let Some(row) = self.row() else { return false };
        match self.parse(&self.editor.text(), now) {
            Ok((key, _)) => key != *row.key,
            Err(_) => false,
        }
    }

    /// Follows the item's fate: gone once its time has passed and it is hidden, back when it is visible again.
    pub fn follow(&mut self, container: &Container, now: Instant) {
        let Some(row) = self.row() else { return };
        match (row.is_hidden(container, now), self.gone) {
            (true, None) => self.gone = row.end(container).map(|end| Gone::Expired(end.at)),
            (false, Some(Gone::Expired(_))) => self.gone = None,
            _ => {}
        }
    }
}

/// The text of a new document of a collection.
fn document_template(collection: &str) -> String {
    let collection = serde_json::Value::from(collection);
    format!("{{\n    \"Name\": \"\",\n    \"@metadata\": {{\n        \"@collection\": {collection}\n    }}\n}}")
}

/// The text of a new item: an id to replace and the partition key's paths, indented by four spaces.
fn template(partition_key: &PartitionKey) -> String {
    let mut root: Vec<(String, Vec<Vec<String>>)> = vec![("id".to_owned(), Vec::new())];
    for path in partition_key.paths() {
        let mut steps = path[1..].split('/').map(str::to_owned);
        let Some(first) = steps.next() else { continue };
        let rest: Vec<String> = steps.collect();
        match root.iter_mut().find(|(name, _)| *name == first) {
            Some((_, nested)) => nested.push(rest),
            None => root.push((first, vec![rest])),
        }
    }
    let quoted = |name: &str| serde_json::Value::from(name).to_string();
    let members: Vec<String> = root
        .iter()
        .map(|(name, nested)| match name.as_str() {
            "id" => "    \"id\": \"replace_with_new_document_id\"".to_owned(),
            name => format!("    {}: {}", quoted(name), nested_template(nested, 2)),
        })
        .collect();
    format!("{{\n{}\n}}", members.join(",\n"))
}

fn nested_template(paths: &[Vec<String>], depth: usize) -> String {
    let mut names: Vec<(&String, Vec<Vec<String>>)> = Vec::new();
    for path in paths {
        let Some((first, rest)) = path.split_first() else {
            continue;
        };
        match names.iter_mut().find(|(name, _)| *name == first) {
            Some((_, nested)) => nested.push(rest.to_vec()),
            None => names.push((first, vec![rest.to_vec()])),
        }
    }
    if names.is_empty() {
        return "\"replace_with_new_partition_key_value\"".to_owned();
    }
    let indent = "    ".repeat(depth);
    let members: Vec<String> = names
        .iter()
        .map(|(name, nested)| {
            format!("{indent}{}: {}", serde_json::Value::from(name.as_str()), nested_template(nested, depth + 1))
        })
        .collect();
    format!("{{\n{}\n{}}}", members.join(",\n"), "    ".repeat(depth - 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(&["/userId"], "{\n    \"id\": \"replace_with_new_document_id\",\n    \"userId\": \"replace_with_new_partition_key_value\"\n}")]
    #[case(&["/id"], "{\n    \"id\": \"replace_with_new_document_id\"\n}")]
    #[case(&["/a/b", "/a/c", "/d"], "{\n    \"id\": \"replace_with_new_document_id\",\n    \"a\": {\n        \"b\": \"V\",\n        \"c\": \"V\"\n    },\n    \"d\": \"V\"\n}")]
    fn the_template_has_the_partition_key(#[case] paths: &[&str], #[case] text: &str) {
        let key = PartitionKey::new(paths).expect("valid");
        assert_eq!(template(&key), text.replace("\"V\"", "\"replace_with_new_partition_key_value\""));
        parse_item(text, &key, String::new).expect("the template can be saved");
    }
}
