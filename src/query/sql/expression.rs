//! Expressions, from the weakest operator to the strongest: `?:`, `??`, OR, AND, IN and its like, comparisons, sums,
//! products, signs, paths.

use serde_json::Value as Json;

use super::ast::{Ast, Kind, Operator};
use super::lex::{Fault, Parsed, TokenKind};
use super::parser::{Parser, node};
use super::value;

/// The operators between two values and their strengths. `||` is as strong as a sum.
const OPERATORS: [(&str, u8, Operator); 14] = [
    ("??", 1, Operator::Coalesce),
    ("=", 5, Operator::Equal),
    ("!=", 5, Operator::NotEqual),
    ("<>", 5, Operator::NotEqual),
    ("<", 6, Operator::Less),
    ("<=", 6, Operator::LessOrEqual),
    (">", 6, Operator::Greater),
    (">=", 6, Operator::GreaterOrEqual),
    ("+", SUM, Operator::Add),
    ("-", SUM, Operator::Subtract),
    ("||", SUM, Operator::Concat),
    ("*", 8, Operator::Multiply),
    ("/", 8, Operator::Divide),
    ("%", 8, Operator::Remainder),
];
const OR: u8 = 2;
const AND: u8 = 3;
const PREDICATE: u8 = 4;
const SUM: u8 = 7;

/// What may stand behind a value.
#[derive(Clone, Copy)]
enum Infix {
    Operator(Operator),
    /// AND and OR: one node, however many parts they join.
    Joined(&'static str, fn(Vec<Ast>) -> Kind),
    /// IN, BETWEEN and LIKE, perhaps with NOT in front.
    Predicate,
}

/// An expression as a whole.
pub(super) fn expression(parser: &mut Parser<'_>) -> Parsed<Ast> {
    parser.nested(|parser| {
        let condition = operation(parser, 0)?;
        if !parser.eat("?") {
            return Ok(condition);
        }
        let then = expression(parser)?;
        parser.need(":")?;
        let otherwise = expression(parser)?;
        node(condition.at, Kind::Conditional(Box::new([condition, then, otherwise])))
    })
}

/// Values with operators between them that are at least so strong; equally strong ones go from left to right.
fn operation(parser: &mut Parser<'_>, weakest: u8) -> Parsed<Ast> {
    let mut left = signed(parser)?;
    let mut strongest = u8::MAX;
    while let Some((strength, infix)) = next_infix(parser) {
        if strength < weakest || strength > strongest {
            break;
        }
        strongest = strength;
        left = match infix {
            Infix::Operator(operator) => {
                parser.step();
                let right = operation(parser, strength + 1)?;
                node(left.at, Kind::Binary(operator, Box::new(left), Box::new(right)))?
            }
            Infix::Joined(word, kind) => {
                let at = left.at;
                let mut parts = vec![left];
                while parser.eat_word(word) {
                    parts.push(operation(parser, strength + 1)?);
                }
                node(at, kind(parts))?
            }
            Infix::Predicate => predicate(parser, left)?,
        };
    }
    Ok(left)
}

/// What comes next between two values, and how strong it is.
fn next_infix(parser: &Parser<'_>) -> Option<(u8, Infix)> {
    match parser.peek() {
        TokenKind::Symbol(symbol) => {
            let found = OPERATORS.iter().find(|(known, _, _)| known == symbol);
            found.map(|(_, strength, operator)| (*strength, Infix::Operator(*operator)))
        }
        TokenKind::Name(_) if parser.is_word("OR") => Some((OR, Infix::Joined("OR", Kind::Any))),
        TokenKind::Name(_) if parser.is_word("AND") => Some((AND, Infix::Joined("AND", Kind::All))),
        TokenKind::Name(_) => {
            let known = ["IN", "BETWEEN", "LIKE", "NOT"].iter().any(|word| parser.is_word(word));
            known.then_some((PREDICATE, Infix::Predicate))
        }
        _ => None,
    }
}

/// `IN`, `BETWEEN` or `LIKE` behind a value.
fn predicate(parser: &mut Parser<'_>, value: Ast) -> Parsed<Ast> {
    let at = value.at;
    let negated = parser.eat_word("NOT");
    let kind = if parser.eat_word("IN") {
        parser.need("(")?;
        refuse_subquery(parser)?;
        Kind::In(Box::new(value), list(parser, ")")?)
    } else if parser.eat_word("BETWEEN") {
        let low = operation(parser, SUM)?;
        parser.need_word("AND")?;
        Kind::Between(Box::new([value, low, operation(parser, SUM)?]))
    } else if parser.eat_word("LIKE") {
        let pattern = operation(parser, SUM)?;
        Kind::Like(Box::new(value), Box::new(pattern), escape(parser)?)
    } else {
        return Err(parser.expected("IN, BETWEEN or LIKE behind NOT"));
    };
    let found = node(at, kind)?;
    if negated { node(at, Kind::Not(Box::new(found))) } else { Ok(found) }
}

/// `ESCAPE '!'`
fn escape(parser: &mut Parser<'_>) -> Parsed<Option<char>> {
    if !parser.eat_word("ESCAPE") {
        return Ok(None);
    }
    let mut characters = match parser.peek() {
        TokenKind::String(text) => text.chars(),
        _ => return Err(parser.expected("a character in quotes behind ESCAPE")),
    };
    match (characters.next(), characters.next()) {
        (Some(c), None) => {
            parser.step();
            Ok(Some(c))
        }
        _ => Err(Fault::new(parser.at(), "ESCAPE takes one character")),
    }
}

/// A path, a call or a constant, with `-`, `+` and `NOT` in front.
fn signed(parser: &mut Parser<'_>) -> Parsed<Ast> {
    let at = parser.at();
    let operator = match parser.peek() {
        TokenKind::Symbol("-") => Operator::Subtract,
        TokenKind::Symbol("+") => Operator::Add,
        _ if parser.is_word("NOT") => return negation(parser),
        _ => return path(parser),
    };
    parser.step();
    let operand = parser.nested(signed)?;
    let zero = node(at, Kind::Constant(Json::from(0)))?;
    node(at, Kind::Binary(operator, Box::new(zero), Box::new(operand)))
}

/// `NOT` is as strong as a sign in the grammar of the service, and weaker than a comparison in that of SQL. What the two
/// would answer differently is refused.
fn negation(parser: &mut Parser<'_>) -> Parsed<Ast> {
    let at = parser.at();
    parser.step();
    let operand = parser.nested(signed)?;
    if next_infix(parser).is_some_and(|(strength, _)| strength >= PREDICATE) {
        let fault = Fault::new(at, "it is not clear how far NOT reaches here");
        return Err(fault.with_hint("put what is negated in brackets: NOT (a = b)"));
    }
    node(at, Kind::Not(Box::new(operand)))
}

/// Something, and the members of it.
fn path(parser: &mut Parser<'_>) -> Parsed<Ast> {
    let mut base = primary(parser)?;
    loop {
        let at = parser.at();
        let member = if parser.eat(".") {
            node(at, Kind::Constant(Json::from(parser.name("the name of a member")?)))?
        } else if parser.eat("[") {
            let index = expression(parser)?;
            parser.need("]")?;
            index
        } else {
            return Ok(base);
        };
        base = node(base.at, Kind::Member(Box::new(base), Box::new(member)))?;
    }
}

fn primary(parser: &mut Parser<'_>) -> Parsed<Ast> {
    let at = parser.at();
    let kind = match parser.peek() {
        TokenKind::Number(number) => Kind::Constant(value::number(*number)),
        TokenKind::String(text) => Kind::Constant(Json::from(text.as_str())),
        TokenKind::Symbol("(") => {
            parser.step();
            refuse_subquery(parser)?;
            let inner = expression(parser)?;
            parser.need(")")?;
            return Ok(inner);
        }
        TokenKind::Symbol("[") => {
            parser.step();
            return node(at, Kind::Array(list(parser, "]")?));
        }
        TokenKind::Symbol("{") => {
            parser.step();
            return node(at, Kind::Object(members(parser)?));
        }
        TokenKind::Name(name) => match name.to_ascii_uppercase().as_str() {
            "TRUE" => Kind::Constant(Json::Bool(true)),
            "FALSE" => Kind::Constant(Json::Bool(false)),
            "NULL" => Kind::Constant(Json::Null),
            "UNDEFINED" => Kind::Undefined,
            "EXISTS" => return Err(Fault::unsupported(at, "EXISTS")),
            "ARRAY" => return Err(Fault::unsupported(at, "ARRAY(…)")),
            "UDF" => return Err(Fault::unsupported(at, "user-defined functions")),
            _ => return named(parser),
        },
        _ => return Err(parser.expected("a value")),
    };
    parser.step();
    node(at, kind)
}

/// A name, or the call of a function.
fn named(parser: &mut Parser<'_>) -> Parsed<Ast> {
    let at = parser.at();
    let name = parser.name("a value")?;
    if !parser.eat("(") {
        return node(at, Kind::Name(name.to_owned()));
    }
    refuse_subquery(parser)?;
    let name = name.to_ascii_uppercase();
    if name == "COUNT" && parser.is_symbol("*") {
        return Err(Fault::unsupported(parser.at(), "COUNT(*)").with_hint("write COUNT(1)"));
    }
    let arguments = if parser.eat(")") { Vec::new() } else { list(parser, ")")? };
    node(at, Kind::Call(name, arguments))
}

/// Expressions with commas between them, and the symbol that ends them. Only an array may be empty.
fn list(parser: &mut Parser<'_>, end: &str) -> Parsed<Vec<Ast>> {
    let mut found = Vec::new();
    if end == "]" && parser.eat(end) {
        return Ok(found);
    }
    loop {
        found.push(expression(parser)?);
        if parser.eat(end) {
            return Ok(found);
        }
        if !parser.eat(",") {
            return Err(parser.expected(&format!("`,` or `{end}`")));
        }
    }
}

/// The members of an object, behind `{`.
fn members(parser: &mut Parser<'_>) -> Parsed<Vec<(String, Ast)>> {
    let mut found = Vec::new();
    if parser.eat("}") {
        return Ok(found);
    }
    loop {
        let name = match parser.peek() {
            TokenKind::String(name) => name.clone(),
            TokenKind::Name(name) => (*name).to_owned(),
            _ => return Err(parser.expected("the name of a member")),
        };
        parser.step();
        parser.need(":")?;
        found.push((name, expression(parser)?));
        if parser.eat("}") {
            return Ok(found);
        }
        if !parser.eat(",") {
            return Err(parser.expected("`,` or `}`"));
        }
    }
}

fn refuse_subquery(parser: &Parser<'_>) -> Parsed<()> {
    if parser.is_word("SELECT") { Err(Fault::unsupported(parser.at(), "subqueries")) } else { Ok(()) }
}
