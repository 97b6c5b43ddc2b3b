//! Changing one path of a document.

use bson::{Bson, Document};

use crate::domain::mongodb::{MongoError, Number, shell_text};

use super::path::index;
use super::types::name_of;

/// How many elements an array is filled up with to reach an index.
const MAX_BACKFILL: usize = 1_500_000;

/// The value at a path, without going through the documents of an array.
pub(super) fn get<'a>(document: &'a Document, path: &[String]) -> Option<&'a Bson> {
    let (first, rest) = path.split_first()?;
    rest.iter().try_fold(document.get(first)?, |value, part| match value {
        Bson::Document(document) => document.get(part),
        Bson::Array(items) => items.get(index(part)?),
        _ => None,
    })
}

/// Puts a value at a path; the documents on the way are made, an array is filled up with nulls.
pub(super) fn set(document: &mut Document, path: &[String], value: Bson) -> Result<(), MongoError> {
    match path {
        [] => {}
        [last] => {
            document.insert(last, value);
        }
        [first, rest @ ..] => {
            let inner = document.entry(first.as_str()).or_insert_with(|| Bson::Document(Document::new()));
            set_in(inner, first, rest, value)?;
        }
    }
    Ok(())
}

fn set_in(target: &mut Bson, name: &str, path: &[String], value: Bson) -> Result<(), MongoError> {
    let Some((first, rest)) = path.split_first() else {
        *target = value;
        return Ok(());
    };
    let not_viable =
        |kind| MongoError::path_not_viable(format!("Cannot create field '{first}' in element '{name}' of type {kind}"));
    match target {
        Bson::Document(document) => set(document, path, value),
        Bson::Array(items) => {
            let at = index(first).ok_or_else(|| not_viable("array"))?;
            if at >= items.len().saturating_add(MAX_BACKFILL) {
                let words = format!("can't backfill more than {MAX_BACKFILL} elements of the array '{name}'");
                return Err(MongoError::bad_value(words));
            }
            if at >= items.len() {
                items.resize(at, Bson::Null);
                items.push(if rest.is_empty() { Bson::Null } else { Bson::Document(Document::new()) });
            }
            match items.get_mut(at) {
                Some(item) => set_in(item, first, rest, value),
                None => Ok(()),
            }
        }
        other => Err(not_viable(name_of(other))),
    }
}

/// Takes the value at a path away; an element of an array becomes null. A path that leads nowhere changes nothing.
pub(super) fn unset(document: &mut Document, path: &[String]) {
    match path {
        [] => {}
        [last] => {
            document.remove(last);
        }
        [first, rest @ ..] => {
            if let Some(inner) = document.get_mut(first) {
                unset_in(inner, rest);
            }
        }
    }
}

fn unset_in(target: &mut Bson, path: &[String]) {
    match (target, path) {
        (Bson::Document(document), path) => unset(document, path),
        (Bson::Array(items), [first, rest @ ..]) => match (index(first).and_then(|index| items.get_mut(index)), rest) {
            (Some(item), []) => *item = Bson::Null,
            (Some(item), rest) => unset_in(item, rest),
            (None, _) => {}
        },
        _ => {}
    }
}

/// Adds `amount` to the number at a path. int32 and int32 make an int32, or an int64 where that is too small; with an int64
/// an int64; with a double a double. A missing field becomes `amount`.
pub(super) fn increment(document: &mut Document, path: &[String], amount: &Bson) -> Result<(), MongoError> {
    let sum = match get(document, path) {
        None => amount.clone(),
        Some(value) => add(value, amount).ok_or_else(|| refused_sum(document, path, value, amount))?,
    };
    set(document, path, sum)
}

fn add(a: &Bson, b: &Bson) -> Option<Bson> {
    Some(match (a, b) {
        (Bson::Int32(a), Bson::Int32(b)) => match a.checked_add(*b) {
            Some(sum) => Bson::Int32(sum),
            None => Bson::Int64(i64::from(*a) + i64::from(*b)),
        },
        (Bson::Int32(_) | Bson::Int64(_), Bson::Int32(_) | Bson::Int64(_)) => {
            Bson::Int64(integer(a)?.checked_add(integer(b)?)?)
        }
        _ => Bson::Double(double(a)? + double(b)?),
    })
}

fn integer(value: &Bson) -> Option<i64> {
    Number::of(value)?.as_integer()
}

fn double(value: &Bson) -> Option<f64> {
    match value {
        Bson::Int32(n) => Some(f64::from(*n)),
        // Rounded to the nearest double, as the result is one.
        Bson::Int64(n) => Some(*n as f64),
        Bson::Double(n) => Some(*n),
        _ => None,
    }
}

fn refused_sum(document: &Document, path: &[String], value: &Bson, amount: &Bson) -> MongoError {
    let path = path.join(".");
    let id = shell_text(document.get("_id").unwrap_or(&Bson::Null));
    match (Number::of(value), value, amount) {
        (None, ..) => MongoError::type_mismatch(format!(
            "Cannot apply $inc to a value of non-numeric type. {{_id: {id}}} has the field '{path}' of non-numeric type {}",
            name_of(value)
        )),
        (_, Bson::Decimal128(_), _) | (_, _, Bson::Decimal128(_)) => {
            MongoError::bad_value(format!("$inc does not add Decimal128 here: '{path}' of {{_id: {id}}}"))
        }
        _ => MongoError::bad_value(format!(
            "Failed to apply $inc operations to current value ({}) for document {{_id: {id}}}",
            shell_text(value)
        )),
    }
}
