//! The vendor's table as a screen: what a container's setting and an item's `ttl` make together, a cell each.

use crossterm::event::{KeyCode, KeyEvent};

use crate::domain::Instant;
use crate::domain::nosql::{DefaultTtl, Fate, ItemTtl, explain, fate};

/// The table with the cursor on one of its cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// The settings of a container, a row each.
    pub defaults: [DefaultTtl; 3],
    /// The `ttl` of an item, a column each.
    pub items: [ItemTtl; 3],
    /// The cell under the cursor: row, column.
    pub cursor: (usize, usize),
    /// The cell of the item that the table was opened on.
    pub of_item: Option<(usize, usize)>,
}

/// What a key did to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The cursor moved, or nothing happened.
    Stay,
    /// It is closed.
    Close,
    /// A container and an item for the cell are wanted.
    Try(DefaultTtl, ItemTtl),
}

impl Matrix {
    /// The seconds of the vendor's example, where the container or the item has none.
    const EXAMPLE: (u32, u32) = (1_000, 2_000);

    /// The table for a container's setting, and for an item in it.
    pub fn of(default: Option<DefaultTtl>, item: Option<ItemTtl>) -> Matrix {
        let secs = match default {
            Some(DefaultTtl::Seconds(secs)) => secs,
            _ => Self::EXAMPLE.0,
        };
        let own = match item {
            Some(ItemTtl::Seconds(own)) => own,
            _ => Self::EXAMPLE.1,
        };
        let row = default.map(|default| match default {
            DefaultTtl::Off => 0,
            DefaultTtl::NoDefault => 1,
            DefaultTtl::Seconds(_) => 2,
        });
        let column = item.map(|item| match item {
            ItemTtl::Absent => 0,
            ItemTtl::Never => 1,
            ItemTtl::Seconds(_) => 2,
        });
        Matrix {
            defaults: [DefaultTtl::Off, DefaultTtl::NoDefault, DefaultTtl::Seconds(secs)],
            items: [ItemTtl::Absent, ItemTtl::Never, ItemTtl::Seconds(own)],
            cursor: (row.unwrap_or(2), column.unwrap_or(0)),
            of_item: row.zip(column),
        }
    }

    /// What a cell says: `never`, `1000 s after the last write`.
    pub fn cell(&self, row: usize, column: usize) -> String {
        match fate(self.defaults[row], self.items[column], 0) {
            Fate::At { ttl, .. } => format!("_ts + {ttl} s"),
            Fate::Never(_) => "never".to_owned(),
        }
    }

    /// Why the cell under the cursor says so, of an item that is written at `now`.
    pub fn why(&self, now: Instant) -> String {
        let (row, column) = self.cursor;
        explain(self.defaults[row], self.items[column], now.secs(), &[], now)
    }

    /// The heading of a row.
    pub fn default_words(&self, row: usize) -> String {
        self.defaults[row].to_string()
    }

    /// The heading of a column.
    pub fn item_words(&self, column: usize) -> String {
        match self.items[column] {
            ItemTtl::Absent => "no ttl".to_owned(),
            ItemTtl::Never => "ttl -1".to_owned(),
            ItemTtl::Seconds(own) => format!("ttl {own}"),
        }
    }

    /// A key.
    pub fn input(&mut self, key: KeyEvent) -> Outcome {
        let (row, column) = self.cursor;
        self.cursor = match key.code {
            KeyCode::Up | KeyCode::Char('k') => (row.saturating_sub(1), column),
            KeyCode::Down | KeyCode::Char('j') => ((row + 1).min(2), column),
            KeyCode::Left | KeyCode::Char('h') => (row, column.saturating_sub(1)),
            KeyCode::Right | KeyCode::Char('l') => (row, (column + 1).min(2)),
            KeyCode::Enter => return Outcome::Try(self.defaults[row], self.items[column]),
            _ => return Outcome::Close,
        };
        Outcome::Stay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_opens_on_the_cell_of_the_item() {
        let matrix = Matrix::of(Some(DefaultTtl::Seconds(60)), Some(ItemTtl::Seconds(10)));
        assert_eq!((matrix.cursor, matrix.of_item), ((2, 2), Some((2, 2))));
        let cells: Vec<String> = (0..9).map(|at| matrix.cell(at / 3, at % 3)).collect();
        let never = "never";
        assert_eq!(cells, [never, never, never, never, never, "_ts + 10 s", "_ts + 60 s", never, "_ts + 10 s"]);
        let matrix = Matrix::of(Some(DefaultTtl::Off), None);
        assert_eq!((matrix.cursor, matrix.of_item, matrix.cell(2, 2).as_str()), ((0, 0), None, "_ts + 2000 s"));
    }

    #[test]
    fn the_cursor_stays_in_the_table() {
        let mut matrix = Matrix::of(None, None);
        let key = |code| KeyEvent::new(code, crossterm::event::KeyModifiers::NONE);
        for code in [KeyCode::Down, KeyCode::Down, KeyCode::Right, KeyCode::Right, KeyCode::Right] {
            assert_eq!(matrix.input(key(code)), Outcome::Stay);
        }
        assert_eq!(matrix.cursor, (2, 2));
        for code in [KeyCode::Up, KeyCode::Up, KeyCode::Up, KeyCode::Left] {
            assert_eq!(matrix.input(key(code)), Outcome::Stay);
        }
        assert_eq!(matrix.input(key(KeyCode::Enter)), Outcome::Try(DefaultTtl::Off, ItemTtl::Never));
        assert_eq!(matrix.input(key(KeyCode::Char('x'))), Outcome::Close);
    }
}
