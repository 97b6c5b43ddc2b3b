//! The item that is open: its text in the editor, and what became of the stored one meanwhile.

use crate::domain::nosql::{Fate, ItemTtl, NewItem, PartitionKey, lookalikes, parse_item};
use crate::domain::{Instant, Refusal};
use crate::engine::{Container, ContainerNo, Document, Row};

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
    /// It expired at this second.
    Expired(i64),
    /// Somebody deleted it.
    Deleted,
}

/// An open item.
#[derive(Clone, Debug)]
pub struct ItemPane {
    /// Its container.
    pub container: ContainerNo,
    partition_key: PartitionKey,
    /// Where it comes from.
    pub origin: Origin,
    /// Its text.
    pub editor: Editor,
    /// Names in it that people take for `ttl`.
    pub lookalikes: Vec<String>,
    /// What the service would refuse in the present text.
    pub problem: Option<Refusal>,
    /// The `ttl` of the present text, while it is a text that can be saved.
    pub draft: Option<ItemTtl>,
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
    /// A new item from the portal's template: an id and the partition key's paths.
    pub fn new_item(container: &Container) -> Self {
        let mut pane = ItemPane::with(container, Origin::New, &template(&container.partition_key));
        pane.check();
        pane
    }

    /// A stored item.
    pub fn stored(container: &Container, document: &Document) -> Self {
        let mut pane = ItemPane::with(container, Origin::Stored(document.row.clone()), &document.text);
        if document.row.has_lookalike {
            pane.lookalikes = lookalikes(&document.body);
        }
        if let (true, Some(at)) = (document.expired, document.at) {
            pane.gone = Some(Gone::Expired(at.secs()));
        }
        pane
    }

    fn with(container: &Container, origin: Origin, text: &str) -> Self {
        ItemPane {
            container: container.no,
            partition_key: container.partition_key.clone(),
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
    pub fn check(&mut self) {
        self.refused = None;
        let text = self.editor.text();
        if text.len() > CHECKED_WHILE_TYPING {
            (self.problem, self.draft) = (None, None);
            return;
        }
        (self.problem, self.draft) = match self.parse(&text) {
            Ok(item) => (None, Some(item.ttl)),
            Err(refusal) => (Some(refusal), None),
        };
    }

    /// The present text as the service would take it.
    ///
    /// # Errors
    /// What the service would refuse.
    pub fn parse(&self, text: &str) -> Result<NewItem, Refusal> {
        parse_item(text, &self.partition_key, || "new".to_owned())
    }

    /// Whether the present text has another id or partition key than the stored item.
    pub fn has_other_key(&self) -> bool {
        let Some(row) = self.row() else { return false };
        match self.parse(&self.editor.text()) {
            Ok(item) => item.key.id != row.id || item.key.partition != row.partition,
            Err(_) => false,
        }
    }

    /// Follows the item's fate: gone once its time has passed, back when it is visible again.
    pub fn follow(&mut self, container: &Container, now: Instant) {
        let Some(row) = self.row() else { return };
        let fate = row.fate(container.default_ttl);
        match (fate, self.gone) {
            (Fate::At { at, .. }, None) if at <= now.secs() => self.gone = Some(Gone::Expired(at)),
            (_, Some(Gone::Expired(_))) if !fate.is_expired(now.secs()) => self.gone = None,
            _ => {}
        }
    }
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
