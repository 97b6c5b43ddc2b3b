//! CSV with a heading: a document a record.

use std::io::Read;

use serde_json::{Map, Number, Value};

use super::split::Piece;

/// The records of a CSV file as documents. A field is a number, a boolean or null where JSON has it so and writes it the
/// same way; an empty one is left out; everything else is text.
pub fn pieces<R: Read>(reader: R) -> impl Iterator<Item = Result<Piece, csv::Error>> {
    let mut records = csv::ReaderBuilder::new().flexible(true).from_reader(reader);
    let names = records.headers().cloned();
    let mut failed = None;
    let names = names.unwrap_or_else(|error| {
        failed = Some(error);
        csv::StringRecord::new()
    });
    failed.into_iter().map(Err).chain(records.into_records().map(move |record| {
        let record = record?;
        let line = record.position().map_or(0, csv::Position::line);
        let fields = names.iter().zip(record.iter()).filter(|(_, field)| !field.is_empty());
        let object: Map<String, Value> = fields.map(|(name, field)| (name.to_owned(), value(field))).collect();
        Ok(Piece { line, text: Value::Object(object).to_string(), too_long: false })
    }))
}

fn value(field: &str) -> Value {
    match field {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "null" => Value::Null,
        // `007` and `1e400` stay text: as numbers they would be others.
        field => match field.parse::<Number>() {
            Ok(number) if number.to_string() == field => Value::Number(number),
            _ => Value::String(field.to_owned()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_what_json_would_write() {
        let text = "id,n,zip,ok,note\na,7,007,true,\"x, \"\"y\"\"\"\nb,,1.50,null,\n";
        let all: Vec<(u64, String)> =
            pieces(text.as_bytes()).map(|piece| piece.map(|piece| (piece.line, piece.text)).expect("read")).collect();
        assert_eq!(
            all,
            [
                (2, r#"{"id":"a","n":7,"zip":"007","ok":true,"note":"x, \"y\""}"#.to_owned()),
                (3, r#"{"id":"b","zip":"1.50","ok":null}"#.to_owned())
            ]
        );
    }
}
