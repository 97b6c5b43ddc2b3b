//! Values as the shell prints them.
//!
//! What is printed can be pasted back and gives the same value of the same type. So an int32 is `20`, as a bare integer is
//! read; a double always has a point or an exponent, `20.0`, where the vendor's shells drop it; an int64 is
//! `NumberLong(20)`. The three documents of the vendor's page stay three to the eye.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bson::spec::BinarySubtype;
use bson::{Bson, Document};

use super::text::write_string;
use super::{pointer, spell_double};

/// A value on one line: `{ "_id" : 1, "ttl" : NumberLong(20) }`.
pub fn shell_text(value: &Bson) -> String {
    let mut printer = Printer { out: String::new(), pretty: false, depth: 0 };
    printer.value(value);
    printer.out
}

/// A value with one field or element a line, indented by four spaces.
pub fn shell_pretty(value: &Bson) -> String {
    let mut printer = Printer { out: String::new(), pretty: true, depth: 0 };
    printer.value(value);
    printer.out
}

struct Printer {
    out: String,
    pretty: bool,
    depth: usize,
}

impl Printer {
    fn value(&mut self, value: &Bson) {
        match value {
            Bson::Document(document) => self.document(document),
            Bson::Array(items) => self.list(['[', ']'], items.iter(), |printer, item| printer.value(item)),
            Bson::String(text) => write_string(&mut self.out, text),
            Bson::JavaScriptCodeWithScope(code) => {
                self.out.push_str("Code(");
                write_string(&mut self.out, &code.code);
                self.out.push_str(", ");
                self.document(&code.scope);
                self.out.push(')');
            }
            scalar => self.out.push_str(&scalar_text(scalar)),
        }
    }

    fn document(&mut self, document: &Document) {
        self.list(['{', '}'], document.iter(), |printer, (name, value)| {
            write_string(&mut printer.out, name);
            printer.out.push_str(" : ");
            printer.value(value);
        });
    }

    fn list<T>(&mut self, [open, close]: [char; 2], items: impl Iterator<Item = T>, print: impl Fn(&mut Self, T)) {
        self.out.push(open);
        let mut empty = true;
        self.depth += 1;
        for (i, item) in items.enumerate() {
            if i > 0 {
                self.out.push(',');
            }
            self.gap();
            print(self, item);
            empty = false;
        }
        self.depth -= 1;
        if empty {
            self.out.push(' ');
        } else {
            self.gap();
        }
        self.out.push(close);
    }

    fn gap(&mut self) {
        if self.pretty {
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n("    ", self.depth));
        } else {
            self.out.push(' ');
        }
    }
}

fn scalar_text(value: &Bson) -> String {
    const LARGEST_EXACT: u64 = 1 << 53;
    match value {
        Bson::Null => "null".to_owned(),
        Bson::Undefined => "undefined".to_owned(),
        Bson::MinKey => "MinKey".to_owned(),
        Bson::MaxKey => "MaxKey".to_owned(),
        Bson::Boolean(b) => b.to_string(),
        Bson::Int32(n) => n.to_string(),
        // In quotes where a shell that reads every number as a double would round it.
        Bson::Int64(n) if n.unsigned_abs() > LARGEST_EXACT => format!("NumberLong(\"{n}\")"),
        Bson::Int64(n) => format!("NumberLong({n})"),
        Bson::Double(n) => spell_double(*n),
        Bson::Decimal128(n) => format!("NumberDecimal(\"{n}\")"),
        Bson::ObjectId(id) => format!("ObjectId(\"{}\")", id.to_hex()),
        Bson::DateTime(date) => date_text(date.timestamp_millis()),
        Bson::Timestamp(t) => format!("Timestamp({}, {})", t.time, t.increment),
        Bson::Binary(binary) => match <[u8; 16]>::try_from(binary.bytes.as_slice()) {
            Ok(bytes) if binary.subtype == BinarySubtype::Uuid => {
                format!("UUID(\"{}\")", uuid::Uuid::from_bytes(bytes))
            }
            _ => format!("BinData({}, \"{}\")", u8::from(binary.subtype), STANDARD.encode(&binary.bytes)),
        },
        Bson::RegularExpression(regex) => regex_text(regex.pattern.as_str(), regex.options.as_str()),
        Bson::JavaScriptCode(code) => format!("Code({})", quoted(code)),
        Bson::Symbol(text) => format!("BSONSymbol({})", quoted(text)),
        Bson::DbPointer(p) => {
            let (namespace, id) = pointer::parts(p).unwrap_or_default();
            format!("DBPointer({}, ObjectId(\"{}\"))", quoted(&namespace), id.to_hex())
        }
        Bson::String(_) | Bson::Array(_) | Bson::Document(_) | Bson::JavaScriptCodeWithScope(_) => shell_text(value),
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    write_string(&mut out, text);
    out
}

fn date_text(millis: i64) -> String {
    const YEAR_0: i64 = -62_167_219_200_000;
    const YEAR_10000: i64 = 253_402_300_800_000;
    let date =
        (YEAR_0..YEAR_10000).contains(&millis).then(|| chrono::DateTime::from_timestamp_millis(millis)).flatten();
    match date {
        Some(date) if millis % 1000 == 0 => format!("ISODate(\"{}\")", date.format("%Y-%m-%dT%H:%M:%SZ")),
        Some(date) => format!("ISODate(\"{}\")", date.format("%Y-%m-%dT%H:%M:%S%.3fZ")),
        None => format!("new Date({millis})"),
    }
}

fn regex_text(pattern: &str, options: &str) -> String {
    if has_literal_form(pattern) {
        format!("/{pattern}/{options}")
    } else {
        format!("RegExp({}, {})", quoted(pattern), quoted(options))
    }
}

/// Whether `/pattern/` is read back as it stands: it must not look like a comment, and not end too early or too late.
fn has_literal_form(pattern: &str) -> bool {
    let (mut escaped, mut class) = (false, false);
    for c in pattern.chars() {
        match c {
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => return false,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => class = true,
            ']' => class = false,
            '/' if !class => return false,
            _ => {}
        }
    }
    !pattern.is_empty() && !pattern.starts_with('*') && !escaped && !class
}

#[cfg(test)]
mod tests {
    use super::*;
    use bson::doc;
    use rstest::rstest;

    #[rstest]
    #[case(Bson::Int32(20), "20")]
    #[case(Bson::Int64(20), "NumberLong(20)")]
    #[case(Bson::Int64(i64::MAX), "NumberLong(\"9223372036854775807\")")]
    #[case(Bson::Double(20.0), "20.0")]
    #[case(Bson::Double(f64::NAN), "NaN")]
    #[case(Bson::DateTime(bson::DateTime::from_millis(0)), "ISODate(\"1970-01-01T00:00:00Z\")")]
    #[case(Bson::DateTime(bson::DateTime::from_millis(i64::MAX)), "new Date(9223372036854775807)")]
    #[case(Bson::RegularExpression(bson::Regex { pattern: "^a".try_into().expect("no NUL"), options: "i".try_into().expect("no NUL") }), "/^a/i")]
    #[case(Bson::RegularExpression(bson::Regex { pattern: "a/b".try_into().expect("no NUL"), options: "".try_into().expect("no NUL") }), "RegExp(\"a/b\", \"\")")]
    #[case(Bson::Document(doc! {}), "{ }")]
    #[case(Bson::Document(doc! { "_id": 1, "a": [1.0, {}] }), "{ \"_id\" : 1, \"a\" : [ 1.0, { } ] }")]
    fn printed(#[case] value: Bson, #[case] text: &str) {
        assert_eq!(shell_text(&value), text);
    }

    #[test]
    fn pretty_has_one_field_a_line() {
        let text = "{\n    \"_id\" : 1,\n    \"a\" : [\n        1.0,\n        { }\n    ]\n}";
        assert_eq!(shell_pretty(&Bson::Document(doc! { "_id": 1, "a": [1.0, {}] })), text);
    }
}
