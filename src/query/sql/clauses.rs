//! Clauses: SELECT, FROM, JOIN, WHERE, GROUP BY, ORDER BY, OFFSET and LIMIT.

use super::ast::{Ast, Clauses, Field, Key, Kind, Page, Select, Source};
use super::expression::expression;
use super::lex::{Fault, Parsed, TokenKind};
use super::parser::{Parser, is_reserved, node};

/// The service refuses more.
const MOST_JOINS: usize = 10;
/// Every part of SELECT is looked for among the keys.
const MOST_GROUP_KEYS: usize = 64;

/// A query from SELECT on.
pub(super) fn query(text: &str) -> Parsed<Clauses> {
    let parser = &mut Parser::new(text)?;
    parser.need_word("SELECT")?;
    let distinct = parser.eat_word("DISTINCT");
    let top = if parser.is_word("TOP") { Some(top(parser)?) } else { None };
    if !distinct && parser.is_word("DISTINCT") {
        return Err(Fault::new(parser.at(), "DISTINCT stands in front of TOP"));
    }
    let select = select(parser)?;
    let sources = if parser.eat_word("FROM") { sources(parser)? } else { Vec::new() };
    tail(parser, Clauses { distinct, top, ..Clauses::new(select, sources) })
}

/// What stands behind `SELECT * FROM c` in a filter bar.
pub(super) fn filter(text: &str) -> Parsed<Clauses> {
    let path = node(0, Kind::Name("c".to_owned()))?;
    let source = Source { alias: "c".to_owned(), each: false, path };
    tail(&mut Parser::new(text)?, Clauses::new(Select::All(0), vec![source]))
}

/// The clauses behind FROM, to the end of the text.
fn tail(parser: &mut Parser<'_>, mut clauses: Clauses) -> Parsed<Clauses> {
    let mut wanted = "WHERE, GROUP BY, ORDER BY, OFFSET or the end";
    if parser.eat_word("WHERE") {
        clauses.filter = Some(expression(parser)?);
        wanted = "an operator, GROUP BY, ORDER BY, OFFSET or the end";
    }
    if parser.eat_word("GROUP") {
        parser.need_word("BY")?;
        let at = parser.at();
        clauses.group = comma_separated(parser, expression)?;
        if clauses.group.len() > MOST_GROUP_KEYS {
            return Err(Fault::new(at, format!("a query groups by {MOST_GROUP_KEYS} keys at most")));
        }
        wanted = "`,`, ORDER BY, OFFSET or the end";
    }
    if parser.eat_word("ORDER") {
        parser.need_word("BY")?;
        if parser.is_word("RANK") && matches!(parser.peek_second(), TokenKind::Name(_)) {
            return Err(Fault::unsupported(parser.at(), "ORDER BY RANK"));
        }
        clauses.order = comma_separated(parser, key)?;
        wanted = "ASC, DESC, `,`, OFFSET or the end";
    }
    if parser.eat_word("OFFSET") {
        let at = parser.at();
        let offset = whole_number(parser, "OFFSET")?;
        parser.need_word("LIMIT")?;
        clauses.page = Some(Page { offset, limit: whole_number(parser, "LIMIT")? });
        if clauses.top.is_some() {
            return Err(Fault::new(at, "TOP and OFFSET do not go together").with_hint("OFFSET 0 LIMIT n is TOP n"));
        }
        wanted = "the end";
    }
    match parser.peek() {
        TokenKind::End => Ok(clauses),
        _ if parser.is_word("HAVING") => Err(Fault::unsupported(parser.at(), "HAVING")),
        _ if parser.is_word("LIMIT") => {
            Err(parser.expected(wanted).with_hint("LIMIT stands behind OFFSET: OFFSET 0 LIMIT 10"))
        }
        _ => Err(parser.expected(wanted)),
    }
}

fn comma_separated<T>(parser: &mut Parser<'_>, read: fn(&mut Parser<'_>) -> Parsed<T>) -> Parsed<Vec<T>> {
    let mut found = vec![read(parser)?];
    while parser.eat(",") {
        found.push(read(parser)?);
    }
    Ok(found)
}

fn top(parser: &mut Parser<'_>) -> Parsed<usize> {
    parser.step();
    whole_number(parser, "TOP")
}

fn whole_number(parser: &mut Parser<'_>, clause: &str) -> Parsed<usize> {
    const MOST: f64 = 2_147_483_647.0;
    match *parser.peek() {
        TokenKind::Number(number) if number.fract() == 0.0 && number <= MOST => {
            parser.step();
            Ok(number as usize)
        }
        _ => Err(parser.expected(&format!("a whole number behind {clause}"))),
    }
}

fn select(parser: &mut Parser<'_>) -> Parsed<Select> {
    let at = parser.at();
    if parser.eat("*") {
        return Ok(Select::All(at));
    }
    if parser.eat_word("VALUE") {
        return Ok(Select::Value(expression(parser)?));
    }
    Ok(Select::Fields(comma_separated(parser, field)?))
}

fn field(parser: &mut Parser<'_>) -> Parsed<Field> {
    let value = expression(parser)?;
    let alias = alias(parser)?.map(str::to_owned);
    Ok(Field { alias, value })
}

/// `AS name`, or the name alone.
fn alias<'s>(parser: &mut Parser<'s>) -> Parsed<Option<&'s str>> {
    if parser.eat_word("AS") {
        return parser.name("a name behind AS").map(Some);
    }
    match *parser.peek() {
        TokenKind::Name(name) if !is_reserved(name) => {
            parser.step();
            Ok(Some(name))
        }
        _ => Ok(None),
    }
}

fn key(parser: &mut Parser<'_>) -> Parsed<Key> {
    let value = expression(parser)?;
    let descending = parser.eat_word("DESC");
    if !descending {
        parser.eat_word("ASC");
    }
    Ok(Key { value, descending })
}

/// The source behind FROM and those behind JOIN.
fn sources(parser: &mut Parser<'_>) -> Parsed<Vec<Source>> {
    let mut found = vec![source(parser)?];
    loop {
        let at = parser.at();
        if !parser.eat_word("JOIN") {
            return Ok(found);
        }
        if found.len() > MOST_JOINS {
            return Err(Fault::new(at, format!("a query joins {MOST_JOINS} times at most")));
        }
        let source = source(parser)?;
        if found.iter().any(|other| other.alias == source.alias) {
            return Err(Fault::new(at, format!("the name {} stands for two sources", source.alias)));
        }
        found.push(source);
    }
}

fn source(parser: &mut Parser<'_>) -> Parsed<Source> {
    const WHAT: &str = "the name of a source";
    if parser.is_symbol("(") {
        return Err(Fault::unsupported(parser.at(), "subqueries"));
    }
    if matches!(parser.peek_second(), TokenKind::Name(word) if word.eq_ignore_ascii_case("IN")) {
        let alias = parser.name(WHAT)?.to_owned();
        parser.step();
        if parser.is_symbol("(") {
            return Err(Fault::unsupported(parser.at(), "subqueries"));
        }
        return Ok(Source { alias, each: true, path: source_path(parser, WHAT)?.0 });
    }
    let (path, last) = source_path(parser, WHAT)?;
    let alias = match (alias(parser)?, last) {
        (Some(alias), _) => alias.to_owned(),
        (None, Some(last)) => last,
        (None, None) => return Err(parser.expected("AS and a name: this source has none")),
    };
    Ok(Source { alias, each: false, path })
}

/// A name with constant members behind it, and the last of the names.
fn source_path(parser: &mut Parser<'_>, what: &str) -> Parsed<(Ast, Option<String>)> {
    let at = parser.at();
    let name = parser.name(what)?;
    let mut last = Some(name.to_owned());
    let mut path = node(at, Kind::Name(name.to_owned()))?;
    loop {
        let member_at = parser.at();
        let member = if parser.eat(".") {
            let name = parser.name("the name of a member")?;
            last = Some(name.to_owned());
            Kind::Constant(name.into())
        } else if parser.eat("[") {
            let member = match parser.peek() {
                TokenKind::String(name) => {
                    last = Some(name.clone());
                    Kind::Constant(name.as_str().into())
                }
                TokenKind::Number(index) => {
                    last = None;
                    Kind::Constant(super::value::number(*index))
                }
                _ => return Err(parser.expected("a name in quotes or a number")),
            };
            parser.step();
            parser.need("]")?;
            member
        } else {
            return Ok((path, last));
        };
        path = node(at, Kind::Member(Box::new(path), Box::new(node(member_at, member)?)))?;
    }
}
