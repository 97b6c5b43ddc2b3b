//! Updates: operators that change fields, and documents that replace.

use bson::{Bson, Document};

use crate::domain::mongodb::{MAX_DEPTH, MongoError, Number, shell_text};

use super::document::{check_name, check_storable, check_value, with_id};
use super::filter::Filter;
use super::modify::{get, increment, set, unset};
use super::order::equal;
use super::path::{self, Path};
use super::types::name_of;

/// A compiled update.
#[derive(Clone, Debug)]
pub struct Update(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Replace(Document),
    Change(Vec<Change>),
}

#[derive(Clone, Debug)]
struct Change {
    path: Path,
    action: Action,
}

#[derive(Clone, Debug)]
enum Action {
    Set(Bson),
    SetOnInsert(Bson),
    Unset,
    Increment(Bson),
    Rename(Path),
    Push(Vec<Bson>),
}

impl Update {
    /// Compiles an update of operators: `$set`, `$unset`, `$inc`, `$setOnInsert`, `$rename`, `$push` (with `$each`).
    ///
    /// # Errors
    /// Code 9, FailedToParse, for what is no update of operators and, by its name, for an operator that is not known;
    /// 40 for paths that conflict; 52 and 56 for paths that cannot be; 14 for an increment that is no number.
    pub fn operators(update: &Document) -> Result<Update, MongoError> {
        if !update.keys().next().is_some_and(|name| name.starts_with('$')) {
            return Err(MongoError::failed_to_parse(
                "the update operation document must contain atomic operators, such as $set",
            ));
        }
        let mut changes = Vec::new();
        for (operator, operand) in update {
            add_changes(&mut changes, operator, operand)?;
        }
        refuse_conflicts(&changes)?;
        Ok(Update(Kind::Change(changes)))
    }

    /// Takes a document that replaces another.
    ///
    /// # Errors
    /// Code 9, FailedToParse, when it starts with an operator; those of [`check_storable`].
    pub fn replacement(document: &Document) -> Result<Update, MongoError> {
        if let Some(name) = document.keys().next().filter(|name| name.starts_with('$')) {
            let words = format!("the replace operation document must not contain atomic operators: {name}");
            return Err(MongoError::failed_to_parse(words));
        }
        check_storable(document)?;
        Ok(Update(Kind::Replace(document.clone())))
    }

    /// The document after the update; `_id` stays in front.
    ///
    /// # Errors
    /// Code 66, ImmutableField, when `_id` would change; 28 for a path through a value without fields; 14 and 2 for
    /// values that an operator does not work on.
    pub fn apply(&self, document: &Document) -> Result<Document, MongoError> {
        let id = document.get("_id");
        let mut changed = match &self.0 {
            Kind::Replace(new) => match (new.get("_id"), id) {
                (None, Some(id)) => with_id(new.clone(), || id.clone()),
                _ => new.clone(),
            },
            Kind::Change(changes) => {
                let mut changed = document.clone();
                for change in changes.iter().filter(|change| !matches!(change.action, Action::SetOnInsert(_))) {
                    change.apply(&mut changed)?;
                }
                changed
            }
        };
        match (id, changed.get("_id")) {
            (Some(old), Some(new)) if equal(old, new) => {
                // Equal by value is no change, so the stored type stays: `_id: 1` is not made `1.0`.
                changed.insert("_id", old.clone());
            }
            (None, None) => {}
            _ => return Err(MongoError::immutable_id()),
        }
        check_storable(&changed)?;
        Ok(with_id_first(changed))
    }

    /// The document that an upsert makes when the filter matches none: the filter's equalities, then the update. It may be
    /// without an `_id`.
    ///
    /// # Errors
    /// Those of [`Update::apply`].
    pub fn upsert(&self, filter: &Filter) -> Result<Document, MongoError> {
        let made = match &self.0 {
            Kind::Replace(new) => match (new.get("_id"), filter.id()) {
                (None, Some(id)) => with_id(new.clone(), || id.clone()),
                (Some(new_id), Some(id)) if !equal(new_id, id) => return Err(MongoError::immutable_id()),
                _ => new.clone(),
            },
            Kind::Change(changes) => {
                let mut made = Document::new();
                for (name, value) in filter.equalities() {
                    set(&mut made, &path::parse(name), value.clone())?;
                }
                let id = made.get("_id").cloned();
                changes.iter().try_for_each(|change| change.apply(&mut made))?;
                if id.is_some_and(|id| !made.get("_id").is_some_and(|new| equal(&id, new))) {
                    return Err(MongoError::immutable_id());
                }
                made
            }
        };
        check_storable(&made)?;
        Ok(with_id_first(made))
    }
}

fn with_id_first(document: Document) -> Document {
    if document.contains_key("_id") { with_id(document, || Bson::Null) } else { document }
}

impl Change {
    fn apply(&self, document: &mut Document) -> Result<(), MongoError> {
        match &self.action {
            Action::Set(value) | Action::SetOnInsert(value) => set(document, &self.path, value.clone()),
            Action::Unset => {
                unset(document, &self.path);
                Ok(())
            }
            Action::Increment(amount) => increment(document, &self.path, amount),
            Action::Rename(target) => match get(document, &self.path).cloned() {
                Some(value) => {
                    unset(document, &self.path);
                    set(document, target, value)
                }
                None => Ok(()),
            },
            Action::Push(items) => {
                let mut whole = match get(document, &self.path) {
                    Some(Bson::Array(items)) => items.clone(),
                    None => Vec::new(),
                    Some(other) => {
                        let (path, kind) = (self.path.join("."), name_of(other));
                        let words = format!("The field '{path}' must be an array but is of type {kind}");
                        return Err(MongoError::bad_value(words));
                    }
                };
                whole.extend(items.iter().cloned());
                set(document, &self.path, Bson::Array(whole))
            }
        }
    }
}

fn add_changes(changes: &mut Vec<Change>, operator: &str, operand: &Bson) -> Result<(), MongoError> {
    if !matches!(operator, "$set" | "$unset" | "$inc" | "$setOnInsert" | "$rename" | "$push") {
        let words =
            format!("Unknown modifier: {operator}. Known are $set, $unset, $inc, $setOnInsert, $rename, $push.");
        return Err(MongoError::failed_to_parse(words));
    }
    let Bson::Document(fields) = operand else {
        let words = format!(
            "Modifiers operate on fields but we found type {} instead. For example: {{{operator}: {{<field>: ...}}}}",
            name_of(operand)
        );
        return Err(MongoError::failed_to_parse(words));
    };
    if fields.is_empty() {
        let words =
            format!("'{operator}' is empty. You must specify a field like so: {{{operator}: {{<field>: ...}}}}");
        return Err(MongoError::failed_to_parse(words));
    }
    for (name, value) in fields {
        let path = checked_path(name)?;
        let action = match operator {
            "$unset" => Action::Unset,
            "$inc" => increment_of(name, value)?,
            "$rename" => rename(name, value)?,
            "$push" => push(value)?,
            _ => {
                check_value(value, path.len())?;
                match operator {
                    "$set" => Action::Set(value.clone()),
                    _ => Action::SetOnInsert(value.clone()),
                }
            }
        };
        changes.push(Change { path, action });
    }
    Ok(())
}

fn checked_path(name: &str) -> Result<Path, MongoError> {
    let path = path::parse(name);
    if path.iter().any(String::is_empty) {
        return Err(MongoError::empty_field_name(name));
    }
    if path.len() > MAX_DEPTH {
        return Err(MongoError::bad_value(format!("A path can be {MAX_DEPTH} names long.")));
    }
    for part in &path {
        if part == "$" || part.starts_with("$[") {
            return Err(MongoError::bad_value(format!("The positional operator in '{name}' is not supported.")));
        }
        check_name(part)?;
    }
    Ok(path)
}

fn increment_of(name: &str, value: &Bson) -> Result<Action, MongoError> {
    match Number::of(value) {
        Some(_) => Ok(Action::Increment(value.clone())),
        None => {
            let words = format!("Cannot increment with non-numeric argument: {{{name}: {}}}", shell_text(value));
            Err(MongoError::type_mismatch(words))
        }
    }
}

fn rename(name: &str, target: &Bson) -> Result<Action, MongoError> {
    match target {
        Bson::String(target) if target == name => {
            let words = format!("The source and target field for $rename must differ: {name}: \"{target}\"");
            Err(MongoError::bad_value(words))
        }
        Bson::String(target) => Ok(Action::Rename(checked_path(target)?)),
        other => {
            let words = format!("The 'to' field for $rename must be a string: {name}: {}", shell_text(other));
            Err(MongoError::bad_value(words))
        }
    }
}

fn push(value: &Bson) -> Result<Action, MongoError> {
    let items = match value {
        Bson::Document(modifiers) if modifiers.contains_key("$each") => {
            if let Some(other) = modifiers.keys().find(|name| *name != "$each") {
                return Err(MongoError::bad_value(format!("Unrecognized clause in $push: {other}")));
            }
            match modifiers.get("$each") {
                Some(Bson::Array(items)) => items.clone(),
                _ => return Err(MongoError::bad_value("The argument to $each in $push must be an array")),
            }
        }
        value => vec![value.clone()],
    };
    items.iter().try_for_each(|item| check_value(item, 2))?;
    Ok(Action::Push(items))
}

/// Two changes of one path, or of a path and one below it, have no order: they are refused.
fn refuse_conflicts(changes: &[Change]) -> Result<(), MongoError> {
    let targets = changes.iter().filter_map(|change| match &change.action {
        Action::Rename(target) => Some(target),
        _ => None,
    });
    let mut paths: Vec<&Path> = changes.iter().map(|change| &change.path).chain(targets).collect();
    // Behind a path stand first those below it.
    paths.sort_unstable();
    match paths.windows(2).find(|pair| pair[1].starts_with(pair[0])) {
        Some(pair) => Err(MongoError::conflicting_update(&pair[1].join("."), &pair[0].join("."))),
        None => Ok(()),
    }
}

#[cfg(test)]
#[path = "update_tests.rs"]
mod tests;
