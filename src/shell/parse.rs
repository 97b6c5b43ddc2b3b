//! Statements.

use bson::{Bson, Document};
use winnow::combinator::opt;
use winnow::error::ErrMode;
use winnow::prelude::*;
use winnow::stream::{LocatingSlice, Stateful};
use winnow::token::{any, literal, take_till};

use crate::domain::Instant;

use super::ast::{Argument, Call, Shown, Statement, StatementKind, Target};
use super::error::ShellError;
use super::lex::{
    Input, Parsed, State, ahead, blanks, eat, expected, fault, is_line_end, is_name_part, name, peek, position, space,
};
use super::literal::{arguments, short, value};
use super::string::string;

/// Reads the statements of a text: one line, or many that were pasted. `;` and line ends stand between them; a line that
/// starts with a dot goes on with the one before; the prompt of a shell in front of a statement is skipped. `now` is what
/// `ISODate()` and `ObjectId()` stand for.
///
/// # Errors
/// The first fault, with its place and what was expected there; none of the statements is answered then.
pub fn parse(text: &str, now: Instant) -> Result<Vec<Statement>, ShellError> {
    whole(text, now, statements)
}

/// Reads one document, such as a filter, in the shell's notation: names without quotes, `NumberLong(20)`, `ISODate()`.
///
/// # Errors
/// The first fault, with its place and what was expected there.
pub(super) fn document(text: &str, now: Instant) -> Result<Document, ShellError> {
    whole(text, now, |input| {
        space(input)?;
        let value = match peek(input) {
            Some('{') => value(input)?,
            _ => return expected(input, "a document: `{`"),
        };
        space(input)?;
        match (peek(input), value) {
            (None, Bson::Document(document)) => Ok(document),
            _ => expected(input, "the end: a filter is one document"),
        }
    })
}

fn whole<T>(text: &str, now: Instant, reader: fn(&mut Input<'_>) -> Parsed<T>) -> Result<T, ShellError> {
    let state = State { source: text, depth: 0, now };
    let mut input = Stateful { input: LocatingSlice::new(text), state };
    reader(&mut input).map_err(|error| {
        let (ErrMode::Cut(fault) | ErrMode::Backtrack(fault)) = error else {
            return ShellError::new(text, text.len()..text.len(), "the text ends too early");
        };
        let end = text[fault.at..].chars().next().map_or(fault.at, |c| fault.at + c.len_utf8());
        let error = ShellError::new(text, fault.at..end, fault.words);
        ShellError { incomplete: fault.incomplete, ..error }
    })
}

fn statements(input: &mut Input<'_>) -> Parsed<Vec<Statement>> {
    let mut found = Vec::new();
    loop {
        space(input)?;
        while eat(input, ';')? {
            space(input)?;
        }
        skip_prompt(input)?;
        if peek(input).is_none() {
            return Ok(found);
        }
        if peek(input) == Some(';') {
            continue;
        }
        let start = position(input);
        let kind = statement(input)?;
        let span = start..position(input);
        found.push(Statement { span, kind });
        let line_ended = space(input)?;
        match peek(input) {
            None | Some(';') => {}
            Some(_) if line_ended => {}
            Some('=') => return fault(start, "the shell knows no variables: nothing can be assigned"),
            Some(_) => return expected(input, "`;` or the end of the line"),
        }
    }
}

/// `globaldb:PRIMARY> `, `test> `, `> `: what a copied line of a session starts with.
fn skip_prompt(input: &mut Input<'_>) -> Parsed<()> {
    const LONGEST: usize = 80;
    let is_prompt = |c: char| is_name_part(c) || matches!(c, ':' | '.' | '-' | '@' | '[' | ']' | ' ');
    let text = ahead(input);
    let end = text.char_indices().take(LONGEST).find(|(_, c)| !is_prompt(*c));
    if let Some((at, '>')) = end {
        let rest = &text[at + 1..];
        if rest.is_empty() || rest.starts_with([' ', '\n', '\r']) {
            (take_till(0.., '>'), any).void().parse_next(input)?;
            space(input)?;
        }
    }
    Ok(())
}

fn statement(input: &mut Input<'_>) -> Parsed<StatementKind> {
    const EXPECTED: &str = "a statement: db.…, use, show, it, help, cls or exit";
    let at = position(input);
    let word = name(input, EXPECTED)?;
    let kind = match word {
        "db" => return expression(input),
        "use" => return used(input),
        "show" => return shown(input),
        "it" => StatementKind::It,
        "help" => StatementKind::Help,
        "cls" => StatementKind::Clear,
        "exit" | "quit" => StatementKind::Exit,
        "var" | "let" | "const" => return fault(at, "the shell knows no variables: write the value where it is used"),
        "for" | "while" | "do" => {
            return fault(at, "the shell knows no loops: insertMany takes many documents at once");
        }
        "function" | "async" | "return" | "class" => return fault(at, "the shell runs no functions"),
        "if" | "else" | "switch" | "try" | "throw" | "import" | "await" => {
            return fault(at, format!("the shell runs no programs: `{word}` is not known"));
        }
        "print" | "printjson" | "load" | "sleep" => {
            return fault(at, format!("the shell has no function `{word}`: the answer of every statement is printed"));
        }
        _ => {
            blanks(input)?;
            if peek(input) == Some('=') {
                return fault(at, "the shell knows no variables: nothing can be assigned");
            }
            return fault(at, format!("expected {EXPECTED}; found `{}`", short(word)));
        }
    };
    opt(literal("()")).parse_next(input)?;
    Ok(kind)
}

/// `use NAME`, `use("NAME")`
fn used(input: &mut Input<'_>) -> Parsed<StatementKind> {
    blanks(input)?;
    let at = position(input);
    let bracket = eat(input, '(')?;
    let name = match peek(input) {
        Some('"' | '\'') => string(input)?,
        _ if bracket => return expected(input, "the name of a database in quotes"),
        _ => take_till(0.., |c: char| c.is_whitespace() || c == ';').parse_next(input)?.to_owned(),
    };
    if bracket && !eat(input, ')')? {
        return expected(input, "`)`");
    }
    if name.is_empty() {
        return fault(at, "use needs the name of a database: use test");
    }
    Ok(StatementKind::Use(name))
}

fn shown(input: &mut Input<'_>) -> Parsed<StatementKind> {
    blanks(input)?;
    let at = position(input);
    if peek(input).is_none_or(is_line_end) {
        return fault(at, "show needs a word: dbs or collections");
    }
    match name(input, "dbs or collections")? {
        "dbs" | "databases" => Ok(StatementKind::Show(Shown::Databases)),
        "collections" | "tables" => Ok(StatementKind::Show(Shown::Collections)),
        other => fault(at, format!("show lists dbs or collections, not `{}`", short(other))),
    }
}

/// What stands behind `db`: names and calls.
fn expression(input: &mut Input<'_>) -> Parsed<StatementKind> {
    let mut names: Vec<String> = Vec::new();
    let mut calls: Vec<Call> = Vec::new();
    loop {
        let before = input.checkpoint();
        let line_ended = space(input)?;
        match peek(input) {
            Some('.') => {
                any.parse_next(input)?;
                space(input)?;
                let start = position(input);
                let word = name(input, "the name of a collection or a method")?;
                let span = start..position(input);
                if called(input)? {
                    let call = Call { method: word.to_owned(), span, arguments: call_arguments(input)? };
                    match collection_of(&call, &names, &calls) {
                        Some(Ok(name)) => names.push(name),
                        Some(Err(words)) => return fault(start, words),
                        None => calls.push(call),
                    }
                } else if calls.is_empty() {
                    names.push(word.to_owned());
                } else {
                    return expected(input, &format!("`(` behind `{}`", short(word)));
                }
            }
            Some('[') if calls.is_empty() && !line_ended => {
                any.parse_next(input)?;
                space(input)?;
                names.push(string(input)?);
                space(input)?;
                if !eat(input, ']')? {
                    return expected(input, "`]`");
                }
            }
            _ => {
                // The space belongs to what follows: a line end in it ends the statement.
                input.reset(&before);
                break;
            }
        }
    }
    let target = if names.is_empty() { Target::Database } else { Target::Collection(names.join(".")) };
    Ok(StatementKind::Expression { target, calls })
}

/// Whether a call follows, with blanks in front at most.
fn called(input: &mut Input<'_>) -> Parsed<bool> {
    let before = input.checkpoint();
    blanks(input)?;
    let called = peek(input) == Some('(');
    if !called {
        input.reset(&before);
    }
    Ok(called)
}

fn call_arguments(input: &mut Input<'_>) -> Parsed<Vec<Argument>> {
    Ok(arguments(input)?.into_iter().map(|(value, span)| Argument { value, span }).collect())
}

/// The name in `db.getCollection("name")`; `None` for every other call.
fn collection_of(call: &Call, names: &[String], calls: &[Call]) -> Option<Result<String, &'static str>> {
    if call.method != "getCollection" || !names.is_empty() || !calls.is_empty() {
        return None;
    }
    Some(match call.arguments.as_slice() {
        [Argument { value: bson::Bson::String(name), .. }] if !name.is_empty() => Ok(name.clone()),
        _ => Err("getCollection needs the name of a collection in quotes"),
    })
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;
