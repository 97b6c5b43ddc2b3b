//! The constructors of types: `NumberLong(20)`, `new Date(0)`, `ObjectId("…")`.

use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bson::oid::ObjectId;
use bson::spec::BinarySubtype;
use bson::{Binary, Bson, DateTime, Document, JavaScriptCodeWithScope, Timestamp};
use chrono::{NaiveDate, NaiveDateTime};
use winnow::prelude::*;

use crate::domain::Instant;
use crate::domain::mongodb::{MAX_DEPTH, Number, parse_decimal, parse_double, pointer};

use super::lex::{Input, Parsed, fault, peek, space};
use super::literal::{arguments, nested, short};
use super::methods::nearest;
use super::string::regex_value;

const CLASSES: [&str; 21] = [
    "BSONSymbol",
    "BinData",
    "Code",
    "DBPointer",
    "DBRef",
    "Date",
    "Decimal128",
    "Double",
    "ISODate",
    "Int32",
    "Long",
    "MaxKey",
    "MinKey",
    "NumberDecimal",
    "NumberInt",
    "NumberLong",
    "ObjectId",
    "RegExp",
    "Symbol",
    "Timestamp",
    "UUID",
];

/// How deep calls can be nested in the innermost value.
const CALLS: usize = 8;

/// Reads the arguments behind the name of a type, and makes the value.
pub(super) fn construct(input: &mut Input<'_>, at: usize, class: &str, new: bool) -> Parsed<Bson> {
    let ahead = input.checkpoint();
    space(input)?;
    let given = if peek(input) == Some('(') {
        nested(input, MAX_DEPTH + CALLS, arguments)?
    } else {
        // `MinKey` and `new Date` stand without brackets; the space belongs to what follows.
        input.reset(&ahead);
        Vec::new()
    };
    let source = input.state.source;
    let arguments: Vec<Given<'_>> =
        given.into_iter().map(|(value, span)| Given { text: &source[span.clone()], value, span }).collect();
    if class == "Date" && !new {
        return fault(at, "Date() without `new` is a string: write new Date() or ISODate()");
    }
    match make(class, &arguments, input.state.now) {
        Some(Ok(value)) => Ok(value),
        Some(Err(words)) => fault(arguments.first().map_or(at, |first| first.span.start), words),
        None => {
            let hint = nearest(class, &CLASSES).map_or(String::new(), |known| format!(": did you mean `{known}`?"));
            fault(at, format!("the shell has no function `{}`{hint}", short(class)))
        }
    }
}

/// An argument: its value, and as it was written.
struct Given<'s> {
    value: Bson,
    text: &'s str,
    span: Range<usize>,
}

type Made = Result<Bson, String>;

/// The value of a class; `None` when there is no such class.
fn make(class: &str, given: &[Given<'_>], now: Instant) -> Option<Made> {
    let wrong = |form: &str| Err(format!("{class} takes {form}"));
    Some(match (class, given) {
        ("NumberInt" | "Int32", []) => Ok(Bson::Int32(0)),
        ("NumberInt" | "Int32", [n]) => match n.whole().and_then(|n| i32::try_from(n).ok()) {
            Some(n) => Ok(Bson::Int32(n)),
            None => wrong("a whole number from -2147483648 to 2147483647"),
        },
        ("NumberInt" | "Int32", _) => wrong("one number"),
        ("NumberLong" | "Long", []) => Ok(Bson::Int64(0)),
        ("NumberLong" | "Long", [n]) => match n.whole() {
            Some(n) => Ok(Bson::Int64(n)),
            None => wrong("a whole number within 64 bits"),
        },
        ("NumberLong" | "Long", _) => wrong("one number"),
        ("Double", [n]) => match n.number_text().and_then(|text| parse_double(&text)) {
            Some(n) => Ok(Bson::Double(n)),
            None => wrong("one number that a double can hold"),
        },
        ("NumberDecimal" | "Decimal128", [n]) => match n.number_text().and_then(|text| parse_decimal(&text)) {
            Some(n) => Ok(Bson::Decimal128(n)),
            None => wrong("one number of at most 34 digits"),
        },
        ("Double" | "NumberDecimal" | "Decimal128", _) => wrong("one number"),
        ("ISODate" | "Date", []) => Ok(date(now.millis())),
        ("ISODate" | "Date", [Given { value: Bson::String(text), .. }]) => match iso_millis(text) {
            Some(millis) => Ok(date(millis)),
            None => wrong("a date such as \"2026-12-01\" or \"2026-12-01T21:47:44Z\""),
        },
        ("Date", [n]) => match n.whole() {
            Some(millis) => Ok(date(millis)),
            None => wrong("nothing, milliseconds since 1970, or an ISO date in quotes"),
        },
        ("ISODate" | "Date", _) => wrong("nothing or one ISO date in quotes"),
        ("ObjectId", []) => Ok(Bson::ObjectId(new_object_id(now))),
        ("ObjectId", [Given { value: Bson::String(text), .. }]) => match ObjectId::parse_str(text) {
            Ok(id) => Ok(Bson::ObjectId(id)),
            Err(_) => wrong("24 hexadecimal digits in quotes"),
        },
        ("ObjectId", _) => wrong("nothing or 24 hexadecimal digits in quotes"),
        ("UUID", []) => Ok(uuid_value(uuid::Uuid::new_v4())),
        ("UUID", [Given { value: Bson::String(text), .. }]) => match uuid::Uuid::try_parse(text) {
            Ok(uuid) => Ok(uuid_value(uuid)),
            Err(_) => wrong("32 hexadecimal digits in quotes"),
        },
        ("UUID", _) => wrong("nothing or 32 hexadecimal digits in quotes"),
        ("MinKey", []) => Ok(Bson::MinKey),
        ("MaxKey", []) => Ok(Bson::MaxKey),
        ("MinKey" | "MaxKey", _) => wrong("nothing"),
        ("Timestamp", []) => Ok(Bson::Timestamp(Timestamp { time: 0, increment: 0 })),
        ("Timestamp", [time, increment]) => {
            let part = |n: &Given<'_>| n.whole().and_then(|n| u32::try_from(n).ok());
            match (part(time), part(increment)) {
                (Some(time), Some(increment)) => Ok(Bson::Timestamp(Timestamp { time, increment })),
                _ => wrong("seconds and a counter, both from 0 to 4294967295"),
            }
        }
        ("Timestamp", _) => wrong("seconds and a counter"),
        ("BinData", [subtype, Given { value: Bson::String(text), .. }]) => {
            match (subtype.whole().and_then(|n| u8::try_from(n).ok()), STANDARD.decode(text)) {
                (Some(subtype), Ok(bytes)) => Ok(Bson::Binary(Binary { subtype: subtype.into(), bytes })),
                _ => wrong("a subtype from 0 to 255 and base64 in quotes"),
            }
        }
        ("BinData", _) => wrong("a subtype and base64 in quotes"),
        ("RegExp", [Given { value: Bson::String(pattern), .. }]) => regex_value(pattern, ""),
        ("RegExp", [Given { value: Bson::String(pattern), .. }, Given { value: Bson::String(flags), .. }]) => {
            regex_value(pattern, flags)
        }
        ("RegExp", _) => wrong("a pattern and flags, both in quotes"),
        ("Code", [Given { value: Bson::String(code), .. }]) => Ok(Bson::JavaScriptCode(code.clone())),
        ("Code", [Given { value: Bson::String(code), .. }, Given { value: Bson::Document(scope), .. }]) => {
            Ok(Bson::JavaScriptCodeWithScope(JavaScriptCodeWithScope { code: code.clone(), scope: scope.clone() }))
        }
        ("Code", _) => wrong("code in quotes, and perhaps a document"),
        ("BSONSymbol" | "Symbol", [Given { value: Bson::String(text), .. }]) => Ok(Bson::Symbol(text.clone())),
        ("BSONSymbol" | "Symbol", _) => wrong("one string"),
        ("DBPointer", [Given { value: Bson::String(namespace), .. }, Given { value: Bson::ObjectId(id), .. }])
            if !namespace.contains('\0') =>
        {
            pointer(namespace, *id).ok_or_else(|| "this is no DBPointer".to_owned())
        }
        ("DBPointer", _) => wrong("\"database.collection\" and an ObjectId"),
        ("DBRef", [Given { value: Bson::String(collection), .. }, id, rest @ ..]) if rest.len() < 2 => {
            let mut reference = Document::new();
            reference.insert("$ref", collection.clone());
            reference.insert("$id", id.value.clone());
            reference.extend(rest.first().map(|database| ("$db".to_owned(), database.value.clone())));
            Ok(Bson::Document(reference))
        }
        ("DBRef", _) => wrong("the name of a collection in quotes and an _id"),
        _ => return None,
    })
}

impl Given<'_> {
    /// The number as it was written, also inside quotes: a literal has been rounded to a double already.
    fn number_text(&self) -> Option<String> {
        match &self.value {
            Bson::String(text) => Some(text.trim().to_owned()),
            Bson::Int32(n) => Some(n.to_string()),
            Bson::Int64(n) => Some(n.to_string()),
            Bson::Double(n) if self.text.contains(['x', 'X']) => Some(format!("{n:.0}")),
            Bson::Double(_) => Some(self.text.split_whitespace().collect()),
            Bson::Decimal128(n) => Some(n.to_string()),
            _ => None,
        }
    }

    /// A number without a fraction that fits 64 bits.
    fn whole(&self) -> Option<i64> {
        let text = self.number_text()?;
        let by_value = || Number::of(&Bson::Decimal128(parse_decimal(&text)?))?.as_integer();
        text.parse().ok().or_else(by_value)
    }
}

fn date(millis: i64) -> Bson {
    Bson::DateTime(DateTime::from_millis(millis))
}

fn uuid_value(uuid: uuid::Uuid) -> Bson {
    Bson::Binary(Binary { subtype: BinarySubtype::Uuid, bytes: uuid.into_bytes().to_vec() })
}

/// A new id of the instant `now`.
fn new_object_id(now: Instant) -> ObjectId {
    let mut bytes = ObjectId::new().bytes();
    // An id holds the low 32 bits of the second.
    bytes[..4].copy_from_slice(&(now.secs() as u32).to_be_bytes());
    ObjectId::from_bytes(bytes)
}

/// Milliseconds since 1970 of a date, with or without time and zone; without one it is UTC.
fn iso_millis(text: &str) -> Option<i64> {
    let text = text.trim();
    const ZONED: [&str; 4] =
        ["%Y-%m-%dT%H:%M:%S%.f%#z", "%Y-%m-%d %H:%M:%S%.f%#z", "%Y-%m-%dT%H:%M%#z", "%Y-%m-%d %H:%M%#z"];
    const PLAIN: [&str; 4] = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"];
    let zoned = ZONED.iter().find_map(|form| chrono::DateTime::parse_from_str(text, form).ok());
    if let Some(date) = zoned {
        return Some(date.timestamp_millis());
    }
    let plain = PLAIN.iter().find_map(|form| NaiveDateTime::parse_from_str(text, form).ok());
    let day = || NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0);
    Some(plain.or_else(day)?.and_utc().timestamp_millis())
}
