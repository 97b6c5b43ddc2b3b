//! Expressions, from the weakest operator to the strongest: `?:`, `??`, OR, AND, comparisons, sums, products, signs, paths.

use serde_json::Value as Json;

use super::ast::{Ast, Kind, Operator};
use super::lex::{Fault, Parsed, TokenKind};
use super::parser::{Parser, node};
use super::value;

const COMPARISONS: [(&str, Operator); 7] = [
    ("=", Operator::Equal),
    ("!=", Operator::NotEqual),
    ("<>", Operator::NotEqual),
    ("<", Operator::Less),
    ("<=", Operator::LessOrEqual),
    (">", Operator::Greater),
    (">=", Operator::GreaterOrEqual),
];
const SUMS: [(&str, Operator); 3] = [("+", Operator::Add), ("-", Operator::Subtract), ("||", Operator::Concat)];
const PRODUCTS: [(&str, Operator); 3] =
    [("*", Operator::Multiply), ("/", Operator::Divide), ("%", Operator::Remainder)];

/// An expression as a whole.
pub(super) fn expression(parser: &mut Parser<'_>) -> Parsed<Ast> {
    parser.nested(|parser| {
        let condition = coalesce(parser)?;
        if !parser.eat("?") {
            return Ok(condition);
        }
        let then = expression(parser)?;
        parser.need(":")?;
        let otherwise = expression(parser)?;
        node(condition.at, Kind::Conditional(Box::new([condition, then, otherwise])))
    })
}

fn coalesce(parser: &mut Parser<'_>) -> Parsed<Ast> {
    chain(parser, &[("??", Operator::Coalesce)], any)
}

fn any(parser: &mut Parser<'_>) -> Parsed<Ast> {
    joined(parser, "OR", all, Kind::Any)
}

fn all(parser: &mut Parser<'_>) -> Parsed<Ast> {
    joined(parser, "AND", predicate, Kind::All)
}

/// Parts with a word between them: one node, however many they are.
fn joined(
    parser: &mut Parser<'_>,
    word: &str,
    part: fn(&mut Parser<'_>) -> Parsed<Ast>,
    kind: fn(Vec<Ast>) -> Kind,
) -> Parsed<Ast> {
    let first = part(parser)?;
    if !parser.is_word(word) {
        return Ok(first);
    }
    let at = first.at;
    let mut parts = vec![first];
    while parser.eat_word(word) {
        parts.push(part(parser)?);
    }
    node(at, kind(parts))
}

/// Operands with operators of one strength between them, from left to right.
fn chain(
    parser: &mut Parser<'_>,
    operators: &[(&str, Operator)],
    operand: fn(&mut Parser<'_>) -> Parsed<Ast>,
) -> Parsed<Ast> {
    let mut left = operand(parser)?;
    while let Some((_, operator)) = operators.iter().find(|(symbol, _)| parser.is_symbol(symbol)) {
        parser.step();
        let right = operand(parser)?;
        left = node(left.at, Kind::Binary(*operator, Box::new(left), Box::new(right)))?;
    }
    Ok(left)
}

/// A comparison, `IN`, `BETWEEN` or `LIKE`.
fn predicate(parser: &mut Parser<'_>) -> Parsed<Ast> {
    let value = chain(parser, &COMPARISONS[..3], relation)?;
    let at = value.at;
    let negated = parser.is_word("NOT");
    if negated {
        parser.step();
    }
    let kind = if parser.eat_word("IN") {
        parser.need("(")?;
        refuse_subquery(parser)?;
        Kind::In(Box::new(value), list(parser, ")")?)
    } else if parser.eat_word("BETWEEN") {
        let low = sum(parser)?;
        parser.need_word("AND")?;
        Kind::Between(Box::new([value, low, sum(parser)?]))
    } else if parser.eat_word("LIKE") {
        let pattern = sum(parser)?;
        Kind::Like(Box::new(value), Box::new(pattern), escape(parser)?)
    } else if negated {
        return Err(parser.expected("IN, BETWEEN or LIKE behind NOT"));
    } else {
        return Ok(value);
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

fn relation(parser: &mut Parser<'_>) -> Parsed<Ast> {
    chain(parser, &COMPARISONS[3..], sum)
}

fn sum(parser: &mut Parser<'_>) -> Parsed<Ast> {
    chain(parser, &SUMS, product)
}

fn product(parser: &mut Parser<'_>) -> Parsed<Ast> {
    chain(parser, &PRODUCTS, signed)
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
    let operators = COMPARISONS.iter().chain(&SUMS).chain(&PRODUCTS);
    let ambiguous = operators.into_iter().any(|(symbol, _)| parser.is_symbol(symbol))
        || ["IN", "BETWEEN", "LIKE", "NOT"].iter().any(|word| parser.is_word(word));
    if ambiguous {
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
