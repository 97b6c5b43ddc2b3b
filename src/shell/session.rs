//! What the shell remembers between statements, and what it prints.

/// Between two statements.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Session {
    /// The database that `db` stands for.
    pub database: String,
    /// The find that `it` goes on with.
    pub more: Option<Box<super::More>>,
}

impl Session {
    /// A session in a database.
    pub fn new(database: &str) -> Session {
        Session { database: database.to_owned(), more: None }
    }
}

/// What a printed text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The answer to a statement.
    Answer,
    /// An error: `{ok: 0, code, codeName, errmsg}`, or a fault of the syntax with its place.
    Error,
    /// A remark of the shell.
    Note,
}

/// A printed text, of one or more lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// What it is.
    pub kind: Kind,
    /// The text.
    pub text: String,
}

/// What a text of statements came to.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Outcome {
    /// What the shell remembers from now on.
    pub session: Session,
    /// What it prints.
    pub printed: Vec<Printed>,
    /// `cls`: the screen is emptied before that.
    pub clear: bool,
    /// `exit`: the shell is left.
    pub leave: bool,
}
