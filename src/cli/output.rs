//! Results on standard output: tables for people, JSON and tab-separated values for programs.

use std::collections::HashSet;
use std::io::{self, Write};

use serde_json::{Map, Value};

use crate::app::text;

use super::args::Format;

/// Where results go, and in which form.
pub struct Output<'a> {
    /// The form.
    pub format: Format,
    out: &'a mut dyn Write,
}

impl<'a> Output<'a> {
    /// Results in this form.
    pub fn new(format: Format, out: &'a mut dyn Write) -> Self {
        Output { format, out }
    }

    /// A list with one column a name. Names are those of the JSON objects.
    pub fn list(&mut self, columns: &[&str], rows: &[Vec<Value>]) -> io::Result<()> {
        match self.format {
            Format::Json => {
                let object = |row: &Vec<Value>| -> Value {
                    columns.iter().map(|name| (*name).to_owned()).zip(row.iter().cloned()).collect::<Map<_, _>>().into()
                };
                let rows: Vec<Value> = rows.iter().map(object).collect();
                writeln!(self.out, "{:#}", Value::Array(rows))
            }
            Format::Tsv => {
                writeln!(self.out, "{}", columns.join("\t"))?;
                for row in rows {
                    let cells: Vec<String> = row.iter().map(|value| escaped(&shown(value))).collect();
                    writeln!(self.out, "{}", cells.join("\t"))?;
                }
                Ok(())
            }
            Format::Table => self.table(columns, rows),
        }
    }

    /// Values of any kind: as JSON; else objects as rows with the names of all of them, anything else in one column.
    pub fn values(&mut self, values: &[Value]) -> io::Result<()> {
        if self.format == Format::Json {
            return writeln!(self.out, "{:#}", Value::Array(values.to_vec()));
        }
        let mut names: Vec<&str> = Vec::new();
        if values.iter().all(Value::is_object) {
            let mut known = HashSet::new();
            let members = values.iter().filter_map(Value::as_object).flat_map(Map::keys);
            names.extend(members.map(String::as_str).filter(|name| known.insert(*name)));
        }
        if names.is_empty() {
            let rows: Vec<Vec<Value>> = values.iter().map(|value| vec![value.clone()]).collect();
            return self.list(&["value"], &rows);
        }
        let cell = |value: &Value, name: &str| value.get(name).cloned().unwrap_or(Value::Null);
        let rows: Vec<Vec<Value>> =
            values.iter().map(|value| names.iter().map(|name| cell(value, name)).collect()).collect();
        self.list(&names, &rows)
    }

    /// One thing, a name and a value a line.
    pub fn object(&mut self, fields: &[(&str, Value)]) -> io::Result<()> {
        match self.format {
            Format::Json => {
                let object: Map<String, Value> =
                    fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
                writeln!(self.out, "{:#}", Value::Object(object))
            }
            Format::Tsv => {
                for (name, value) in fields {
                    writeln!(self.out, "{name}\t{}", escaped(&shown(value)))?;
                }
                Ok(())
            }
            Format::Table => {
                let width = fields.iter().map(|(name, _)| text::width(name)).max().unwrap_or(0);
                for (name, value) in fields {
                    writeln!(self.out, "{name}{}  {}", " ".repeat(width - text::width(name)), readable(value))?;
                }
                Ok(())
            }
        }
    }

    /// A text as it is: a document.
    pub fn text(&mut self, words: &str) -> io::Result<()> {
        writeln!(self.out, "{words}")
    }

    /// Lets what was printed go.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// What was done: a line for people, an object for programs.
    pub fn done(&mut self, words: &str, fields: &[(&str, Value)]) -> io::Result<()> {
        match self.format {
            Format::Table => writeln!(self.out, "{words}"),
            Format::Json | Format::Tsv => self.object(fields),
        }
    }

    fn table(&mut self, columns: &[&str], rows: &[Vec<Value>]) -> io::Result<()> {
        let cells: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(readable).collect()).collect();
        let width = |at: usize| {
            let widest = cells.iter().filter_map(|row| row.get(at)).map(|cell| text::width(cell)).max().unwrap_or(0);
            widest.max(text::width(columns[at]))
        };
        let widths: Vec<usize> = (0..columns.len()).map(width).collect();
        let numeric: Vec<bool> = (0..columns.len())
            .map(|at| rows.iter().all(|row| row.get(at).is_none_or(|value| value.is_number() || value.is_null())))
            .collect();
        let line = |cells: &[String]| -> String {
            let padded: Vec<String> = cells
                .iter()
                .enumerate()
                .map(|(at, cell)| {
                    let blanks = " ".repeat(widths[at].saturating_sub(text::width(cell)));
                    if numeric[at] && !rows.is_empty() { format!("{blanks}{cell}") } else { format!("{cell}{blanks}") }
                })
                .collect();
            padded.join("  ").trim_end().to_owned()
        };
        let heading: Vec<String> = columns.iter().map(|name| (*name).to_owned()).collect();
        writeln!(self.out, "{}", line(&heading))?;
        for row in &cells {
            writeln!(self.out, "{}", line(row))?;
        }
        Ok(())
    }
}

/// A value as a program reads it from a cell.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A value as a person reads it; data never reaches the terminal raw.
fn readable(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        other => text::visible(&shown(other)).into_owned(),
    }
}

/// A cell of a tab-separated line.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn printed(format: Format) -> String {
        let mut out = Vec::new();
        let rows = [vec![json!("日本"), json!(7), json!(null)], vec![json!("a\tb\u{1b}"), json!(1_000), json!(true)]];
        Output::new(format, &mut out).list(&["name", "items", "x"], &rows).expect("printed");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn columns_are_aligned_and_data_is_shown_as_symbols() {
        assert_eq!(printed(Format::Table), "name  items  x\n日本      7  -\na␉b␛   1000  true\n");
    }

    #[test]
    fn programs_get_every_byte() {
        assert_eq!(printed(Format::Tsv), "name\titems\tx\n日本\t7\t\na\\tb\u{1b}\t1000\ttrue\n");
        let rows: Value = serde_json::from_str(&printed(Format::Json)).expect("JSON");
        assert_eq!(rows[1], json!({"name": "a\tb\u{1b}", "items": 1000, "x": true}));
    }
}
