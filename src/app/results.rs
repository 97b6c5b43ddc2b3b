//! What a query answered, as a table and as JSON: laid out once, drawn by the window.

use serde_json::Value;

use crate::engine::{Answered, Way};

use super::text;

/// Rows that are looked at for the columns and their widths.
const LOOKED_AT: usize = 200;
/// The widest column; longer values are cut, and whole in the JSON.
const WIDEST: usize = 40;
/// The column of rows that are no objects.
const VALUE: &str = "value";

/// A column of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The member's name.
    pub name: String,
    /// Cells it takes.
    pub width: usize,
}

/// How the rows are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Form {
    /// A line each.
    #[default]
    Table,
    /// Every member on a line.
    Json,
}

/// The rows of an answer, with a cursor.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// The rows.
    pub rows: Vec<Value>,
    /// There are more.
    pub more: bool,
    /// Documents that were read.
    pub read: u64,
    /// How they were found.
    pub way: Way,
    /// How long it took, in milliseconds.
    pub took_millis: f64,
    /// Only the selected part of the text was executed.
    pub part: bool,
    /// The columns: the members of the first rows in their order, those that the service adds last.
    pub columns: Vec<Column>,
    /// How they are shown.
    pub form: Form,
    /// Columns that are scrolled out to the left.
    pub left: usize,
    /// The row with the cursor; as JSON the line.
    cursor: usize,
    top: usize,
    height: usize,
    /// The JSON, laid out when it is looked at: lines, and where each row starts.
    lines: Vec<String>,
    starts: Vec<usize>,
}

impl Results {
    /// Of an answer.
    pub fn new(answered: Answered, part: bool) -> Results {
        let columns = columns(&answered.rows);
        let Answered { rows, more, read, way, took_millis } = answered;
        Results {
            rows,
            more,
            read,
            way,
            took_millis,
            part,
            columns,
            form: Form::Table,
            left: 0,
            cursor: 0,
            top: 0,
            height: 1,
            lines: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// Lines in the form that is shown.
    pub fn len(&self) -> usize {
        match self.form {
            Form::Table => self.rows.len(),
            Form::Json => self.lines.len(),
        }
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The line with the cursor.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// The first line on the screen.
    pub fn top(&self) -> usize {
        self.top
    }

    /// The lines of the JSON that are on the screen.
    pub fn json(&self) -> &[String] {
        let end = (self.top + self.height).min(self.lines.len());
        self.lines.get(self.top..end).unwrap_or_default()
    }

    /// What stands in a column of a row, and whether it is a number; nothing where the row has no such member.
    pub fn cell(row: &Value, name: &str) -> Option<(String, bool)> {
        let value = match row {
            Value::Object(members) => members.get(name)?,
            other if name == VALUE => other,
            _ => return None,
        };
        Some(match value {
            Value::String(text) => (text.clone(), false),
            Value::Number(n) => (n.to_string(), true),
            other => (other.to_string(), false),
        })
    }

    /// Moves the cursor by lines.
    pub fn step(&mut self, by: isize) {
        self.select(self.cursor.saturating_add_signed(by));
    }

    /// Puts the cursor on a line; behind the last it stays on the last.
    pub fn select(&mut self, line: usize) {
        self.cursor = line.min(self.len().saturating_sub(1));
        self.show_cursor();
    }

    /// So many lines are on the screen.
    pub fn resize(&mut self, height: usize) {
        self.height = height.max(1);
        self.show_cursor();
    }

    fn show_cursor(&mut self) {
        let last_top = self.len().saturating_sub(self.height);
        self.top = self.top.min(self.cursor).max((self.cursor + 1).saturating_sub(self.height)).min(last_top);
    }

    /// Scrolls the columns.
    pub fn step_left(&mut self, by: isize) {
        self.left = self.left.saturating_add_signed(by).min(self.columns.len().saturating_sub(1));
    }

    /// From the table to the JSON and back; the cursor stays in its row.
    pub fn toggle(&mut self) {
        let line = match self.form {
            Form::Table => {
                self.lay_out();
                self.form = Form::Json;
                self.starts.get(self.cursor).copied().unwrap_or(0)
            }
            Form::Json => {
                self.form = Form::Table;
                self.starts.partition_point(|start| *start <= self.cursor).saturating_sub(1)
            }
        };
        self.cursor = line;
        self.top = line;
        self.show_cursor();
    }

    fn lay_out(&mut self) {
        if !self.lines.is_empty() {
            return;
        }
        self.lines.push("[".to_owned());
        let last = self.rows.len();
        for (at, row) in self.rows.iter().enumerate() {
            self.starts.push(self.lines.len());
            let laid_out = serde_json::to_string_pretty(row).unwrap_or_default();
            self.lines.extend(laid_out.lines().map(|line| format!("  {line}")));
            if let (Some(line), true) = (self.lines.last_mut(), at + 1 < last) {
                line.push(',');
            }
        }
        self.lines.push("]".to_owned());
    }
}

fn columns(rows: &[Value]) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    let mut see = |name: &str, row: &Value| {
        let width = Results::cell(row, name).map_or(0, |(words, _)| text::width(&words));
        match columns.iter_mut().find(|column| column.name == name) {
            Some(column) => column.width = column.width.max(width),
            None => columns.push(Column { name: name.to_owned(), width: width.max(text::width(name)) }),
        }
    };
    for row in rows.iter().take(LOOKED_AT) {
        match row {
            Value::Object(members) => members.keys().for_each(|name| see(name, row)),
            _ => see(VALUE, row),
        }
    }
    columns.iter_mut().for_each(|column| column.width = column.width.min(WIDEST));
    // What the service adds is of the least interest.
    columns.sort_by_key(|column| ["_rid", "_self", "_etag", "_attachments", "_ts"].contains(&column.name.as_str()));
    columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn results(rows: Vec<Value>) -> Results {
        Results::new(Answered { rows, more: false, read: 9, way: Way::Scan, took_millis: 1.0 }, false)
    }

    #[test]
    fn columns_are_the_members_in_their_order_and_what_the_service_adds_comes_last() {
        let results = results(vec![json!({ "_ts": 1, "b": "x" }), json!({ "a": [1, 2], "b": "long" }), json!(7)]);
        let found: Vec<_> = results.columns.iter().map(|column| (column.name.as_str(), column.width)).collect();
        assert_eq!(found, [("b", 4), ("a", 5), ("value", 5), ("_ts", 3)]);
        assert_eq!(Results::cell(&results.rows[2], "value"), Some(("7".to_owned(), true)));
        assert_eq!(Results::cell(&results.rows[0], "a"), None);
    }

    #[test]
    fn the_cursor_stays_in_its_row_when_the_form_changes() {
        let mut results = results((0..9).map(|n| json!({ "n": n, "m": [n] })).collect());
        results.resize(4);
        results.step(5);
        assert_eq!((results.cursor(), results.top()), (5, 2));
        results.toggle();
        assert!(results.json()[1].contains("\"n\": 5"), "{:?}", results.json());
        results.step(3);
        results.toggle();
        assert_eq!(results.cursor(), 5);
        results.select(999);
        assert_eq!((results.cursor(), results.top()), (8, 5));
    }

    #[test]
    fn the_json_is_json() {
        for rows in [vec![], vec![json!({})], vec![json!([1, { "a": null }]), json!("x")]] {
            let mut results = results(rows.clone());
            results.toggle();
            results.resize(99);
            assert_eq!(serde_json::from_str::<Value>(&results.json().join("\n")).ok(), Some(Value::Array(rows)));
        }
    }
}
