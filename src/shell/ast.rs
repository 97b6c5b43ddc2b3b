//! What a text says: statements, with the bytes that each part stands on.

use std::ops::Range;

use bson::Bson;

/// One statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The bytes of the text that it stands on.
    pub span: Range<usize>,
    /// What it says.
    pub kind: StatementKind,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `use NAME`
    Use(String),
    /// `show dbs`, `show collections`
    Show(Shown),
    /// `it`: the next documents of the last cursor.
    It,
    /// `help`
    Help,
    /// `cls`
    Clear,
    /// `exit`, `quit`
    Exit,
    /// `db` alone, or calls on it or on a collection.
    Expression {
        /// What the first call is made on.
        target: Target,
        /// The calls, each on the answer of the one before.
        calls: Vec<Call>,
    },
}

/// What `show` lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// `dbs`, `databases`
    Databases,
    /// `collections`, `tables`
    Collections,
}

/// What calls are made on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// `db`
    Database,
    /// `db.NAME`, `db["NAME"]`, `db.getCollection("NAME")`
    Collection(String),
}

/// `.method(arguments)`
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The name of the method.
    pub method: String,
    /// The bytes of the name.
    pub span: Range<usize>,
    /// The arguments.
    pub arguments: Vec<Argument>,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// Its value.
    pub value: Bson,
    /// The bytes that it stands on.
    pub span: Range<usize>,
}
