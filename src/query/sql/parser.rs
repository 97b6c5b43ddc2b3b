//! The tokens that are left to read, and how a reader steps through them.

use super::ast::{Ast, Kind};
use super::lex::{Fault, Parsed, Token, TokenKind, short, tokens};

/// How deep brackets and operators may be nested.
const DEEPEST: usize = 64;

/// Words that are no names: a member of that name is written in brackets.
const RESERVED: [&str; 29] = [
    "AND",
    "ARRAY",
    "AS",
    "ASC",
    "BETWEEN",
    "BY",
    "DESC",
    "DISTINCT",
    "ESCAPE",
    "EXISTS",
    "FALSE",
    "FROM",
    "GROUP",
    "IN",
    "JOIN",
    "LIKE",
    "LIMIT",
    "NOT",
    "NULL",
    "OFFSET",
    "OR",
    "ORDER",
    "SELECT",
    "TOP",
    "TRUE",
    "UDF",
    "UNDEFINED",
    "VALUE",
    "WHERE",
];

/// A reader of tokens.
pub(super) struct Parser<'s> {
    tokens: Vec<Token<'s>>,
    next: usize,
    depth: usize,
}

impl<'s> Parser<'s> {
    pub fn new(text: &'s str) -> Parsed<Self> {
        Ok(Parser { tokens: tokens(text)?, next: 0, depth: 0 })
    }

    /// The byte at which the next token starts.
    pub fn at(&self) -> usize {
        self.tokens[self.next].at
    }

    pub fn peek(&self) -> &TokenKind<'s> {
        &self.tokens[self.next].kind
    }

    /// The token behind the next one.
    pub fn peek_second(&self) -> &TokenKind<'s> {
        self.tokens.get(self.next + 1).map_or(&TokenKind::End, |token| &token.kind)
    }

    /// Steps over the next token; the end stays.
    pub fn step(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    /// Whether the next token is this word of the language.
    pub fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), TokenKind::Name(name) if name.eq_ignore_ascii_case(word))
    }

    pub fn is_symbol(&self, symbol: &str) -> bool {
        matches!(self.peek(), TokenKind::Symbol(found) if *found == symbol)
    }

    /// Steps over this word if it comes next.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.step();
        }
        found
    }

    /// Steps over this symbol if it comes next.
    pub fn eat(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol(symbol);
        if found {
            self.step();
        }
        found
    }

    pub fn need_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(word)) }
    }

    pub fn need(&mut self, symbol: &str) -> Parsed<()> {
        if self.eat(symbol) { Ok(()) } else { Err(self.expected(&format!("`{symbol}`"))) }
    }

    /// A name that is no word of the language.
    pub fn name(&mut self, what: &str) -> Parsed<&'s str> {
        let at = self.at();
        match *self.peek() {
            TokenKind::Name(name) if is_reserved(name) => {
                let words = format!("expected {what}, found `{name}`, which is a word of the language");
                Err(Fault::new(at, words).with_hint(format!("a member of this name is written [\"{name}\"]")))
            }
            TokenKind::Name(name) => {
                self.step();
                Ok(name)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// What was expected at the present place, and what stands there.
    pub fn expected(&self, what: &str) -> Fault {
        let found = match self.peek() {
            TokenKind::End => return Fault::new(self.at(), format!("expected {what}, and the text ends")),
            TokenKind::Name(name) => format!("`{}`", short(name)),
            TokenKind::Symbol(symbol @ ("&" | "|" | "^" | "~" | "<<" | ">>")) => {
                return Fault::unsupported(self.at(), &format!("the operator {symbol}"));
            }
            TokenKind::Symbol(symbol) => format!("`{symbol}`"),
            TokenKind::Number(number) => format!("the number {number}"),
            TokenKind::String(text) => format!("the string {:?}", short(text)),
        };
        Fault::new(self.at(), format!("expected {what}, found {found}"))
    }

    /// Reads something that may hold itself.
    pub fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            return Err(too_deep(self.at()));
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }
}

/// An expression, if it is not nested too deep.
pub(super) fn node(at: usize, kind: Kind) -> Parsed<Ast> {
    let ast = Ast::new(at, kind);
    if ast.height > DEEPEST { Err(too_deep(at)) } else { Ok(ast) }
}

fn too_deep(at: usize) -> Fault {
    Fault::new(at, format!("the query is nested deeper than {DEEPEST} levels"))
}

pub(super) fn is_reserved(name: &str) -> bool {
    RESERVED.iter().any(|word| word.eq_ignore_ascii_case(name))
}
