//! From JSON to BSON: plain values by their spelling, the wrappers of extended JSON by their names.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bson::oid::ObjectId;
use bson::spec::BinarySubtype;
use bson::{Binary, Bson, DateTime, Document, JavaScriptCodeWithScope, Regex, Timestamp};

use crate::domain::mongodb::{MAX_DEPTH, number, pointer};

use super::json::{Fault, Json, Member, Node, too_deep};

/// The value of a whole text.
pub(super) fn value(node: Node<'_>) -> Result<Bson, Fault> {
    convert(node, 0)
}

fn convert(node: Node<'_>, depth: usize) -> Result<Bson, Fault> {
    let at = node.at;
    Ok(match node.json {
        Json::Null => Bson::Null,
        Json::Bool(b) => Bson::Boolean(b),
        Json::String(text) => Bson::String(text.into_owned()),
        Json::Number(text) => plain_number(text).ok_or_else(|| {
            let mut fault = Fault::new(at, format!("the number {text} is beyond a double"));
            fault.hint = Some("A Decimal128 reaches further: {\"$numberDecimal\": \"1e400\"}.");
            fault
        })?,
        Json::Array(items) => {
            let depth = deeper(at, depth)?;
            Bson::Array(items.into_iter().map(|item| convert(item, depth)).collect::<Result<_, _>>()?)
        }
        Json::Object(members) => match members.iter().find(|member| is_wrapper(&member.name)) {
            Some(member) => {
                let (at, name) = (member.at, member.name.clone().into_owned());
                without_duplicates(&members)?;
                wrapped(&name, members, depth)?.ok_or_else(|| {
                    let mut fault = Fault::new(at, format!("`{name}` does not have the form of its type"));
                    fault.hint = form_of(&name);
                    fault
                })?
            }
            None => Bson::Document(document(members, deeper(at, depth)?)?),
        },
    })
}

fn deeper(at: usize, depth: usize) -> Result<usize, Fault> {
    if depth == MAX_DEPTH { Err(too_deep(at)) } else { Ok(depth + 1) }
}

fn document(members: Vec<Member<'_>>, depth: usize) -> Result<Document, Fault> {
    let mut document = Document::new();
    for Member { at, name, value } in members {
        let value = convert(value, depth)?;
        if document.insert(name.as_ref(), value).is_some() {
            return Err(twice(at, &name));
        }
    }
    Ok(document)
}

fn without_duplicates(members: &[Member<'_>]) -> Result<(), Fault> {
    let mut seen = std::collections::HashSet::new();
    match members.iter().find(|member| !seen.insert(member.name.as_ref())) {
        Some(member) => Err(twice(member.at, &member.name)),
        None => Ok(()),
    }
}

fn twice(at: usize, name: &str) -> Fault {
    Fault::new(at, format!("the name `{name}` stands twice in one object"))
}

fn plain_number(text: &str) -> Option<Bson> {
    if !text.contains(['.', 'e', 'E']) {
        if let Ok(n) = text.parse() {
            return Some(Bson::Int32(n));
        }
        if let Ok(n) = text.parse() {
            return Some(Bson::Int64(n));
        }
    }
    text.parse().ok().filter(|n: &f64| n.is_finite()).map(Bson::Double)
}

/// The wrappers and their forms. `$regex` and `$type` are not among them: alone they are operators of a filter.
const FORMS: [(&str, &str); 17] = [
    ("$binary", "{\"$binary\": {\"base64\": \"…\", \"subType\": \"00\"}}"),
    ("$code", "{\"$code\": \"…\"} or {\"$code\": \"…\", \"$scope\": {}}"),
    ("$date", "{\"$date\": \"2026-12-01T00:00:00Z\"} or {\"$date\": {\"$numberLong\": \"0\"}}"),
    ("$dbPointer", "{\"$dbPointer\": {\"$ref\": \"db.coll\", \"$id\": {\"$oid\": \"…\"}}}"),
    ("$maxKey", "{\"$maxKey\": 1}"),
    ("$minKey", "{\"$minKey\": 1}"),
    ("$numberDecimal", "{\"$numberDecimal\": \"20\"}, at most 34 digits"),
    ("$numberDouble", "{\"$numberDouble\": \"20\"}, NaN, Infinity or -Infinity"),
    ("$numberInt", "{\"$numberInt\": \"20\"}, from -2147483648 to 2147483647"),
    ("$numberLong", "{\"$numberLong\": \"20\"}, in quotes, within 64 bits"),
    ("$oid", "{\"$oid\": \"…\"} with 24 hexadecimal digits"),
    ("$regularExpression", "{\"$regularExpression\": {\"pattern\": \"…\", \"options\": \"\"}}"),
    ("$scope", "{\"$code\": \"…\", \"$scope\": {}}"),
    ("$symbol", "{\"$symbol\": \"…\"}"),
    ("$timestamp", "{\"$timestamp\": {\"t\": 1, \"i\": 1}}"),
    ("$undefined", "{\"$undefined\": true}"),
    ("$uuid", "{\"$uuid\": \"00000000-0000-0000-0000-000000000000\"}"),
];

fn is_wrapper(name: &str) -> bool {
    name.starts_with('$') && FORMS.iter().any(|(known, _)| *known == name)
}

fn form_of(name: &str) -> Option<&'static str> {
    FORMS.iter().find(|(known, _)| *known == name).map(|(_, form)| *form)
}

/// The value that a wrapper stands for; `Ok(None)` when it does not have the form of its type.
fn wrapped(name: &str, mut members: Vec<Member<'_>>, depth: usize) -> Result<Option<Bson>, Fault> {
    let code_and_scope = matches!(name, "$code" | "$scope") && members.len() == 2;
    if code_and_scope {
        let (Some(code), Some(scope)) = (take(&mut members, "$code"), take(&mut members, "$scope")) else {
            return Ok(None);
        };
        let (Json::String(code), Json::Object(scope)) = (code.json, scope.json) else { return Ok(None) };
        let scope = document(scope, depth + 1)?;
        let code = code.into_owned();
        return Ok(Some(Bson::JavaScriptCodeWithScope(JavaScriptCodeWithScope { code, scope })));
    }
    if name == "$binary" && members.len() == 2 {
        let (Some(base64), Some(subtype)) = (take(&mut members, "$binary"), take(&mut members, "$type")) else {
            return Ok(None);
        };
        return Ok(binary(&base64, &subtype));
    }
    match (members.pop(), members.is_empty()) {
        (Some(member), true) => Ok(single(name, member.value)),
        _ => Ok(None),
    }
}

/// The wrappers with one member.
fn single(name: &str, node: Node<'_>) -> Option<Bson> {
    Some(match (name, node.json) {
        ("$numberInt", Json::String(text)) => Bson::Int32(text.parse().ok()?),
        ("$numberLong", Json::String(text)) => Bson::Int64(text.parse().ok()?),
        ("$numberDouble", Json::String(text)) => Bson::Double(number::parse_double(&text)?),
        ("$numberDecimal", Json::String(text)) => Bson::Decimal128(number::parse_decimal(&text)?),
        ("$oid", Json::String(text)) => Bson::ObjectId(ObjectId::parse_str(text).ok()?),
        ("$symbol", Json::String(text)) => Bson::Symbol(text.into_owned()),
        ("$code", Json::String(text)) => Bson::JavaScriptCode(text.into_owned()),
        ("$uuid", Json::String(text)) => {
            let bytes = uuid::Uuid::try_parse(&text).ok()?.into_bytes().to_vec();
            Bson::Binary(Binary { subtype: BinarySubtype::Uuid, bytes })
        }
        ("$date", Json::String(text)) => {
            let date = chrono::DateTime::parse_from_rfc3339(&text).ok()?;
            Bson::DateTime(DateTime::from_millis(date.timestamp_millis()))
        }
        ("$date", Json::Number(text)) => Bson::DateTime(DateTime::from_millis(text.parse().ok()?)),
        ("$date", Json::Object(members)) => match only(members, ["$numberLong"])? {
            [Node { json: Json::String(text), .. }] => Bson::DateTime(DateTime::from_millis(text.parse().ok()?)),
            _ => return None,
        },
        ("$undefined", Json::Bool(true)) => Bson::Undefined,
        ("$minKey", Json::Number("1")) => Bson::MinKey,
        ("$maxKey", Json::Number("1")) => Bson::MaxKey,
        ("$binary", Json::Object(members)) => {
            let [base64, subtype] = only(members, ["base64", "subType"])?;
            binary(&base64, &subtype)?
        }
        ("$regularExpression", Json::Object(members)) => match only(members, ["pattern", "options"])?.map(|n| n.json) {
            [Json::String(pattern), Json::String(options)] => regex(&pattern, &options)?,
            _ => return None,
        },
        ("$timestamp", Json::Object(members)) => match only(members, ["t", "i"])?.map(|n| n.json) {
            [Json::Number(time), Json::Number(increment)] => {
                Bson::Timestamp(Timestamp { time: time.parse().ok()?, increment: increment.parse().ok()? })
            }
            _ => return None,
        },
        ("$dbPointer", Json::Object(members)) => match only(members, ["$ref", "$id"])?.map(|n| n.json) {
            [Json::String(namespace), Json::Object(id)] => match only(id, ["$oid"])?.map(|n| n.json) {
                [Json::String(id)] => pointer::pointer(&namespace, ObjectId::parse_str(id).ok()?)?,
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    })
}

fn binary(base64: &Node<'_>, subtype: &Node<'_>) -> Option<Bson> {
    let (Json::String(base64), Json::String(subtype)) = (&base64.json, &subtype.json) else { return None };
    if !(1..=2).contains(&subtype.len()) {
        return None;
    }
    let subtype = u8::from_str_radix(subtype, 16).ok()?.into();
    Some(Bson::Binary(Binary { subtype, bytes: STANDARD.decode(base64.as_ref()).ok()? }))
}

/// A regular expression with its options in the order of the alphabet, as BSON wants them.
fn regex(pattern: &str, options: &str) -> Option<Bson> {
    let mut options: Vec<char> = options.chars().collect();
    options.sort_unstable();
    let options = options.into_iter().collect::<String>().try_into().ok()?;
    Some(Bson::RegularExpression(Regex { pattern: pattern.try_into().ok()?, options }))
}

/// The values of exactly these members, in any order.
fn only<'a, const N: usize>(mut members: Vec<Member<'a>>, names: [&str; N]) -> Option<[Node<'a>; N]> {
    if members.len() != N {
        return None;
    }
    let nodes: Option<Vec<Node<'a>>> = names.iter().map(|name| take(&mut members, name)).collect();
    nodes?.try_into().ok()
}

fn take<'a>(members: &mut Vec<Member<'a>>, name: &str) -> Option<Node<'a>> {
    let at = members.iter().position(|member| member.name == name)?;
    Some(members.swap_remove(at).value)
}
