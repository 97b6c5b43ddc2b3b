//! From a filter document to clauses. Every operator is named here once.

use bson::{Bson, Document};
use regex::RegexBuilder;

use crate::domain::mongodb::{MongoError, Number};

use super::filter::{Clause, Comparison, Leaf, Test};
use super::path;
use super::types::TypeName;

/// A filter document: fields and logical operators, all of which must hold.
pub(super) fn document(filter: &Document) -> Result<Clause, MongoError> {
    let mut clauses = Vec::with_capacity(filter.len());
    for (name, operand) in filter {
        clauses.push(match name.as_str() {
            "$and" => Clause::All(clauses_of(name, operand)?),
            "$or" => Clause::Any(clauses_of(name, operand)?),
            "$nor" => Clause::Not(Box::new(Clause::Any(clauses_of(name, operand)?))),
            "$comment" => continue,
            _ if name.starts_with('$') => {
                return Err(MongoError::bad_value(format!("unknown top level operator: {name}")));
            }
            path => Clause::At(path::parse(path), condition(operand)?),
        });
    }
    Ok(Clause::All(clauses))
}

/// The fields at the top, and in `$and`, that are held to one value.
pub(super) fn equalities(filter: &Document) -> Vec<(String, Bson)> {
    let mut found = Vec::new();
    for (name, operand) in filter {
        match operand {
            Bson::Array(items) if name == "$and" => {
                found.extend(items.iter().filter_map(Bson::as_document).flat_map(equalities));
            }
            _ if name.starts_with('$') => {}
            Bson::Document(operators) if is_operators(operators) => {
                if let Some(value) = operators.get("$eq") {
                    found.push((name.clone(), value.clone()));
                }
            }
            Bson::RegularExpression(_) => {}
            value => found.push((name.clone(), value.clone())),
        }
    }
    found
}

fn clauses_of(name: &str, operand: &Bson) -> Result<Vec<Clause>, MongoError> {
    let items = match operand {
        Bson::Array(items) if !items.is_empty() => items,
        _ => return Err(MongoError::bad_value(format!("{name} must be a nonempty array"))),
    };
    let clause = |item: &Bson| match item {
        Bson::Document(filter) => document(filter),
        _ => Err(MongoError::bad_value(format!("{name} entries need to be full objects"))),
    };
    items.iter().map(clause).collect()
}

/// What stands behind a field's name: operators, a regular expression, or the value itself.
fn condition(operand: &Bson) -> Result<Test, MongoError> {
    match operand {
        Bson::Document(document) if is_operators(document) => operators(document),
        Bson::RegularExpression(regex) => Ok(Test::Leaf(matches(regex)?)),
        value => Ok(Test::Leaf(Leaf::Equal(value.clone()))),
    }
}

/// A document whose first name starts with `$` holds operators, but for a reference to another document.
fn is_operators(document: &Document) -> bool {
    let first = document.keys().next();
    first.is_some_and(|name| name.starts_with('$') && !matches!(name.as_str(), "$ref" | "$id" | "$db"))
}

fn operators(document: &Document) -> Result<Test, MongoError> {
    let mut tests = Vec::with_capacity(document.len());
    for (name, operand) in document {
        tests.push(match name.as_str() {
            "$regex" => Test::Leaf(regex(operand, document.get("$options"))?),
            "$options" if document.contains_key("$regex") => continue,
            "$options" => return Err(MongoError::bad_value("$options needs a $regex")),
            _ => operator(name, operand)?,
        });
    }
    Ok(Test::Every(tests))
}

fn operator(name: &str, operand: &Bson) -> Result<Test, MongoError> {
    let not = |test| Test::Not(Box::new(test));
    Ok(match name {
        "$eq" => Test::Leaf(Leaf::Equal(operand.clone())),
        "$ne" => match operand {
            Bson::RegularExpression(_) => return Err(MongoError::bad_value("Can't have regex as arg to $ne.")),
            value => not(Test::Leaf(Leaf::Equal(value.clone()))),
        },
        "$lt" => comparison(operand, Comparison::Less)?,
        "$lte" => comparison(operand, Comparison::LessOrEqual)?,
        "$gt" => comparison(operand, Comparison::Greater)?,
        "$gte" => comparison(operand, Comparison::GreaterOrEqual)?,
        "$in" => Test::Leaf(any_of(name, operand)?),
        "$nin" => not(Test::Leaf(any_of(name, operand)?)),
        "$not" => match operand {
            Bson::RegularExpression(regex) => not(Test::Leaf(matches(regex)?)),
            Bson::Document(document) if document.is_empty() => {
                return Err(MongoError::bad_value("$not cannot be empty"));
            }
            Bson::Document(document) => not(operators(document)?),
            _ => return Err(MongoError::bad_value("$not needs a regex or a document")),
        },
        "$exists" => {
            if truthy(operand) {
                Test::Exists
            } else {
                not(Test::Exists)
            }
        }
        "$type" => Test::Leaf(types(operand)?),
        "$size" => size(operand)?,
        "$all" => all(operand)?,
        "$elemMatch" => element(operand)?,
        "$mod" => Test::Leaf(modulo(operand)?),
        _ => return Err(MongoError::bad_value(format!("unknown operator: {name}"))),
    })
}

fn comparison(operand: &Bson, comparison: Comparison) -> Result<Test, MongoError> {
    match operand {
        Bson::RegularExpression(_) => Err(MongoError::bad_value("Can't have RegEx as arg to predicate over field.")),
        bound => Ok(Test::Leaf(Leaf::Compare(bound.clone(), comparison))),
    }
}

fn any_of(name: &str, operand: &Bson) -> Result<Leaf, MongoError> {
    let Bson::Array(items) = operand else {
        return Err(MongoError::bad_value(format!("{name} needs an array")));
    };
    let leaf = |item: &Bson| match item {
        Bson::RegularExpression(regex) => matches(regex),
        Bson::Document(document) if is_operators(document) => {
            Err(MongoError::bad_value(format!("cannot nest $ under {name}")))
        }
        value => Ok(Leaf::Equal(value.clone())),
    };
    Ok(Leaf::In(items.iter().map(leaf).collect::<Result<_, _>>()?))
}

/// How `$exists` takes its operand: everything but false, null and 0 is true.
fn truthy(operand: &Bson) -> bool {
    match operand {
        Bson::Boolean(b) => *b,
        Bson::Null | Bson::Undefined => false,
        other => Number::of(other).is_none_or(|number| number.as_integer() != Some(0)),
    }
}

fn types(operand: &Bson) -> Result<Leaf, MongoError> {
    match operand {
        Bson::Array(names) if names.is_empty() => {
            Err(MongoError::failed_to_parse("$type must match at least one type"))
        }
        Bson::Array(names) => Ok(Leaf::Type(names.iter().map(TypeName::parse).collect::<Result<_, _>>()?)),
        name => Ok(Leaf::Type(vec![TypeName::parse(name)?])),
    }
}

fn size(operand: &Bson) -> Result<Test, MongoError> {
    let number = Number::of(operand).ok_or_else(|| MongoError::bad_value("$size needs a number"))?;
    let integer = number.as_integer().ok_or_else(|| MongoError::bad_value("$size must be a whole number"))?;
    usize::try_from(integer).map(Test::Size).map_err(|_| MongoError::bad_value("$size may not be negative"))
}

fn all(operand: &Bson) -> Result<Test, MongoError> {
    let Bson::Array(items) = operand else {
        return Err(MongoError::bad_value("$all needs an array"));
    };
    let test = |item: &Bson| match item {
        Bson::RegularExpression(regex) => Ok(Test::Leaf(matches(regex)?)),
        Bson::Document(document) if is_operators(document) => match document.get("$elemMatch") {
            Some(operand) if document.len() == 1 => element(operand),
            _ => Err(MongoError::bad_value("no $ expressions in $all")),
        },
        value => Ok(Test::Leaf(Leaf::Equal(value.clone()))),
    };
    let tests: Vec<Test> = items.iter().map(test).collect::<Result<_, _>>()?;
    // An empty list is matched by nothing, not by everything.
    Ok(if tests.is_empty() { Test::Leaf(Leaf::In(Vec::new())) } else { Test::Every(tests) })
}

fn element(operand: &Bson) -> Result<Test, MongoError> {
    let Bson::Document(conditions) = operand else {
        return Err(MongoError::bad_value("$elemMatch needs an Object"));
    };
    let logical = conditions.keys().next().is_some_and(|name| matches!(name.as_str(), "$and" | "$or" | "$nor"));
    if is_operators(conditions) && !logical {
        Ok(Test::ElementValue(Box::new(operators(conditions)?)))
    } else {
        Ok(Test::ElementDocument(Box::new(document(conditions)?)))
    }
}

fn modulo(operand: &Bson) -> Result<Leaf, MongoError> {
    let numbers = match operand {
        Bson::Array(items) => items.as_slice(),
        _ => return Err(MongoError::bad_value("malformed mod, needs to be an array")),
    };
    let [divisor, remainder] = numbers else {
        let which = if numbers.len() < 2 { "not enough" } else { "too many" };
        return Err(MongoError::bad_value(format!("malformed mod, {which} elements")));
    };
    let whole = |value: &Bson, what: &str| {
        let number = Number::of(value).and_then(|number| number.truncated());
        number.ok_or_else(|| MongoError::bad_value(format!("malformed mod, {what} not a number")))
    };
    match whole(divisor, "divisor")? {
        0 => Err(MongoError::bad_value("divisor cannot be 0")),
        divisor => Ok(Leaf::Mod { divisor, remainder: whole(remainder, "remainder")? }),
    }
}

fn regex(pattern: &Bson, options: Option<&Bson>) -> Result<Leaf, MongoError> {
    let options = match options {
        None => None,
        Some(Bson::String(options)) => Some(options.as_str()),
        Some(_) => return Err(MongoError::bad_value("$options has to be a string")),
    };
    match pattern {
        Bson::String(pattern) => compiled(pattern, options.unwrap_or_default()),
        Bson::RegularExpression(regex) => match options {
            Some(options) if !regex.options.as_str().is_empty() && !options.is_empty() => {
                Err(MongoError::bad_value(format!("options set in both $regex and $options: {options}")))
            }
            Some(options) if !options.is_empty() => compiled(regex.pattern.as_str(), options),
            _ => matches(regex),
        },
        _ => Err(MongoError::bad_value("$regex has to be a string")),
    }
}

fn matches(regex: &bson::Regex) -> Result<Leaf, MongoError> {
    compiled(regex.pattern.as_str(), regex.options.as_str())
}

fn compiled(pattern: &str, options: &str) -> Result<Leaf, MongoError> {
    let nul = |_| MongoError::bad_value("Regular expression cannot contain an embedded null byte");
    let itself = bson::Regex { pattern: pattern.try_into().map_err(nul)?, options: options.try_into().map_err(nul)? };
    let mut builder = RegexBuilder::new(pattern);
    for option in options.chars() {
        match option {
            'i' => builder.case_insensitive(true),
            'm' => builder.multi_line(true),
            's' => builder.dot_matches_new_line(true),
            'x' => builder.ignore_whitespace(true),
            'u' => builder.unicode(true),
            other => return Err(MongoError::bad_value(format!("invalid flag in regex options: {other}"))),
        };
    }
    let words = |error: regex::Error| {
        let text = error.to_string();
        let last = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
        MongoError::bad_value(format!("Regular expression is invalid: {last}"))
    };
    Ok(Leaf::Matches(builder.build().map_err(words)?, itself))
}
