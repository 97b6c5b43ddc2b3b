//! From BSON to the editor's text.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bson::{Bson, Document};

use crate::domain::mongodb::{number, pointer};

/// A document as extended JSON, one field or element a line, indented by four spaces; wrappers stay on their line.
pub fn render(document: &Document) -> String {
    let mut out = String::new();
    write_document(&mut out, document, 0);
    out
}

fn write_document(out: &mut String, document: &Document, depth: usize) {
    write_list(out, ['{', '}'], document.iter(), depth, |out, (name, value)| {
        write_string(out, name);
        out.push_str(": ");
        write_value(out, value, depth + 1);
    });
}

fn write_list<T>(
    out: &mut String,
    [open, close]: [char; 2],
    items: impl Iterator<Item = T>,
    depth: usize,
    write: impl Fn(&mut String, T),
) {
    out.push(open);
    let mut empty = true;
    for (i, item) in items.enumerate() {
        if i > 0 {
            out.push(',');
        }
        new_line(out, depth + 1);
        write(out, item);
        empty = false;
    }
    if !empty {
        new_line(out, depth);
    }
    out.push(close);
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("    ", depth));
}

fn write_value(out: &mut String, value: &Bson, depth: usize) {
    match value {
        Bson::Document(document) => write_document(out, document, depth),
        Bson::Array(items) => {
            write_list(out, ['[', ']'], items.iter(), depth, |out, item| write_value(out, item, depth + 1));
        }
        Bson::String(text) => write_string(out, text),
        Bson::Boolean(b) => out.push_str(if *b { "true" } else { "false" }),
        Bson::Null => out.push_str("null"),
        Bson::Int32(n) => out.push_str(&n.to_string()),
        Bson::Int64(n) => wrap(out, "$numberLong", &n.to_string()),
        Bson::Double(n) if n.is_finite() => out.push_str(&number::spell_double(*n)),
        Bson::Double(n) => wrap(out, "$numberDouble", &number::spell_double(*n)),
        Bson::Decimal128(n) => wrap(out, "$numberDecimal", &n.to_string()),
        Bson::ObjectId(id) => wrap(out, "$oid", &id.to_hex()),
        Bson::Symbol(text) => wrap(out, "$symbol", text),
        Bson::DateTime(date) => write_date(out, date.timestamp_millis()),
        Bson::Timestamp(t) => {
            out.push_str(&format!("{{\"$timestamp\": {{\"t\": {}, \"i\": {}}}}}", t.time, t.increment));
        }
        Bson::Binary(binary) => {
            let (base64, subtype) = (STANDARD.encode(&binary.bytes), u8::from(binary.subtype));
            out.push_str(&format!("{{\"$binary\": {{\"base64\": \"{base64}\", \"subType\": \"{subtype:02x}\"}}}}"));
        }
        Bson::RegularExpression(regex) => {
            out.push_str("{\"$regularExpression\": {\"pattern\": ");
            write_string(out, regex.pattern.as_str());
            out.push_str(", \"options\": ");
            write_string(out, regex.options.as_str());
            out.push_str("}}");
        }
        Bson::JavaScriptCode(code) => wrap(out, "$code", code),
        Bson::JavaScriptCodeWithScope(code) => {
            out.push_str("{\"$code\": ");
            write_string(out, &code.code);
            out.push_str(", \"$scope\": ");
            write_document(out, &code.scope, depth);
            out.push('}');
        }
        Bson::Undefined => out.push_str("{\"$undefined\": true}"),
        Bson::MinKey => out.push_str("{\"$minKey\": 1}"),
        Bson::MaxKey => out.push_str("{\"$maxKey\": 1}"),
        Bson::DbPointer(p) => {
            let (namespace, id) = pointer::parts(p).unwrap_or_default();
            out.push_str("{\"$dbPointer\": {\"$ref\": ");
            write_string(out, &namespace);
            out.push_str(", \"$id\": ");
            wrap(out, "$oid", &id.to_hex());
            out.push_str("}}");
        }
    }
}

fn wrap(out: &mut String, name: &str, text: &str) {
    out.push_str("{\"");
    out.push_str(name);
    out.push_str("\": ");
    write_string(out, text);
    out.push('}');
}

fn write_date(out: &mut String, millis: i64) {
    const YEAR_10000: i64 = 253_402_300_800_000;
    let date = (0..YEAR_10000).contains(&millis).then(|| chrono::DateTime::from_timestamp_millis(millis)).flatten();
    match date {
        Some(date) => {
            let form = if millis % 1000 == 0 { "%Y-%m-%dT%H:%M:%SZ" } else { "%Y-%m-%dT%H:%M:%S%.3fZ" };
            wrap(out, "$date", &date.format(form).to_string());
        }
        None => out.push_str(&format!("{{\"$date\": {{\"$numberLong\": \"{millis}\"}}}}")),
    }
}

/// A string in double quotes with the escapes that JSON needs.
pub(in crate::domain::mongodb) fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}
