//! A query as it was written.

use serde_json::Value as Json;

/// The clauses of a query.
#[derive(Debug)]
pub(super) struct Clauses {
    pub distinct: bool,
    pub top: Option<usize>,
    pub select: Select,
    /// `FROM` and every `JOIN`; empty for a query without `FROM`.
    pub sources: Vec<Source>,
    pub filter: Option<Ast>,
    pub group: Vec<Ast>,
    pub order: Vec<Key>,
    pub page: Option<Page>,
}

/// What stands behind `SELECT`.
#[derive(Debug)]
pub(super) enum Select {
    /// `*`, and where it stands.
    All(usize),
    Value(Ast),
    Fields(Vec<Field>),
}

/// An expression of the select list and the name behind `AS`.
#[derive(Debug)]
pub(super) struct Field {
    pub alias: Option<String>,
    pub value: Ast,
}

/// `c.tags AS t`, `t IN c.tags`.
#[derive(Debug)]
pub(super) struct Source {
    pub alias: String,
    /// Whether the elements of the array at the path are the source, each for itself.
    pub each: bool,
    pub path: Ast,
}

/// A key of `ORDER BY`.
#[derive(Debug)]
pub(super) struct Key {
    pub value: Ast,
    pub descending: bool,
}

/// `OFFSET … LIMIT …`
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    pub offset: usize,
    pub limit: usize,
}

/// An expression and the byte at which it starts.
#[derive(Debug)]
pub(super) struct Ast {
    pub at: usize,
    /// How deep it is nested: 1 for a name or a constant.
    pub height: usize,
    pub kind: Kind,
}

/// Two expressions are equal wherever they stand: a path in SELECT is the one in GROUP BY.
impl PartialEq for Ast {
    fn eq(&self, other: &Ast) -> bool {
        self.kind == other.kind
    }
}

#[derive(Debug, PartialEq)]
pub(super) enum Kind {
    Constant(Json),
    Undefined,
    Name(String),
    /// `base.name`, `base["name"]`, `base[index]`
    Member(Box<Ast>, Box<Ast>),
    Not(Box<Ast>),
    /// `AND` of all.
    All(Vec<Ast>),
    /// `OR` of all.
    Any(Vec<Ast>),
    Binary(Operator, Box<Ast>, Box<Ast>),
    Conditional(Box<[Ast; 3]>),
    In(Box<Ast>, Vec<Ast>),
    Between(Box<[Ast; 3]>),
    Like(Box<Ast>, Box<Ast>, Option<char>),
    Array(Vec<Ast>),
    Object(Vec<(String, Ast)>),
    /// The name is in capitals.
    Call(String, Vec<Ast>),
}

/// An operator between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Concat,
    Coalesce,
}

impl Clauses {
    /// SELECT and FROM alone.
    pub fn new(select: Select, sources: Vec<Source>) -> Clauses {
        let (group, order) = (Vec::new(), Vec::new());
        Clauses { distinct: false, top: None, select, sources, filter: None, group, order, page: None }
    }
}

impl Ast {
    pub fn new(at: usize, kind: Kind) -> Ast {
        let mut tallest = 0;
        kind.each_part(&mut |part| tallest = tallest.max(part.height));
        Ast { at, height: tallest + 1, kind }
    }

    /// Whether a call of one of these functions is in it.
    pub fn calls(&self, wanted: fn(&str) -> bool) -> bool {
        let mut found = matches!(&self.kind, Kind::Call(name, _) if wanted(name));
        self.kind.each_part(&mut |part| found = found || part.calls(wanted));
        found
    }
}

impl Kind {
    fn each_part(&self, visit: &mut dyn FnMut(&Ast)) {
        match self {
            Kind::Constant(_) | Kind::Undefined | Kind::Name(_) => {}
            Kind::Not(part) => visit(part),
            Kind::Member(left, right) | Kind::Binary(_, left, right) | Kind::Like(left, right, _) => {
                visit(left);
                visit(right);
            }
            Kind::Conditional(parts) | Kind::Between(parts) => parts.iter().for_each(visit),
            Kind::In(part, parts) => {
                visit(part);
                parts.iter().for_each(visit);
            }
            Kind::All(parts) | Kind::Any(parts) | Kind::Array(parts) | Kind::Call(_, parts) => {
                parts.iter().for_each(visit);
            }
            Kind::Object(members) => members.iter().for_each(|(_, part)| visit(part)),
        }
    }
}
