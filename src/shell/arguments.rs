//! The arguments of one call, checked one by one.

use std::ops::Range;

use bson::{Bson, Document};

use crate::domain::mongodb::Number;

use super::ast::{Argument, Call};

/// What is wrong with a statement, and with which bytes of it.
#[derive(Debug)]
pub(super) struct Fault {
    pub span: Range<usize>,
    pub words: String,
}

impl Fault {
    pub fn new(span: Range<usize>, words: impl Into<String>) -> Self {
        Fault { span, words: words.into() }
    }
}

/// The arguments of a call.
pub(super) struct Arguments<'a> {
    call: &'a Call,
}

/// Options that change nothing here: there is one machine, and a write is kept when it is answered.
const WITHOUT_EFFECT: [&str; 3] = ["comment", "maxTimeMS", "writeConcern"];

impl<'a> Arguments<'a> {
    pub fn of(call: &'a Call) -> Self {
        Arguments { call }
    }

    pub fn get(&self, index: usize) -> Option<&'a Argument> {
        self.call.arguments.get(index)
    }

    pub fn none(&self) -> Result<(), Fault> {
        self.at_most(0)
    }

    pub fn at_most(&self, count: usize) -> Result<(), Fault> {
        match self.get(count) {
            None => Ok(()),
            Some(extra) => {
                let method = &self.call.method;
                let words = match count {
                    0 => format!("{method} takes no argument"),
                    1 => format!("{method} takes one argument at most"),
                    n => format!("{method} takes {n} arguments at most"),
                };
                Err(Fault::new(extra.span.clone(), words))
            }
        }
    }

    /// A fault of the whole call: `insertOne needs a document`.
    pub fn needs(&self, what: &str) -> Fault {
        Fault::new(self.call.span.clone(), format!("{} needs {what}", self.call.method))
    }

    /// A fault of one argument: `insertOne needs a document, not a string`.
    pub fn instead(&self, argument: &Argument, what: &str) -> Fault {
        let words = format!("{} needs {what}, not {}", self.call.method, kind(&argument.value));
        Fault::new(argument.span.clone(), words)
    }

    /// A document that must be there.
    pub fn document(&self, index: usize, what: &str) -> Result<Document, Fault> {
        match self.get(index) {
            Some(Argument { value: Bson::Document(document), .. }) => Ok(document.clone()),
            Some(other) => Err(self.instead(other, what)),
            None => Err(self.needs(what)),
        }
    }

    /// A document that may be left out; also as null or undefined.
    pub fn optional(&self, index: usize, what: &str) -> Result<Document, Fault> {
        match self.get(index).map(|argument| &argument.value) {
            None | Some(Bson::Null | Bson::Undefined) => Ok(Document::new()),
            Some(_) => self.document(index, what),
        }
    }

    pub fn text(&self, index: usize, what: &str) -> Result<String, Fault> {
        match self.get(index) {
            Some(Argument { value: Bson::String(text), .. }) if !text.is_empty() => Ok(text.clone()),
            Some(other) => Err(self.instead(other, what)),
            None => Err(self.needs(what)),
        }
    }

    /// A whole number that must be there.
    pub fn whole(&self, index: usize) -> Result<i64, Fault> {
        const WHAT: &str = "a whole number";
        let argument = self.get(index).ok_or_else(|| self.needs(WHAT))?;
        Number::of(&argument.value).and_then(|n| n.as_integer()).ok_or_else(|| self.instead(argument, WHAT))
    }

    /// A document of options, all of which are among `known`.
    pub fn options(&self, index: usize, known: &[&str]) -> Result<Document, Fault> {
        let options = self.optional(index, "a document of options")?;
        let unknown =
            options.keys().find(|name| !known.contains(&name.as_str()) && !WITHOUT_EFFECT.contains(&name.as_str()));
        match (unknown, self.get(index)) {
            (Some(name), Some(argument)) => {
                let words = format!("{} has no option `{}` here", self.call.method, super::literal::short(name));
                Err(Fault::new(argument.span.clone(), words))
            }
            _ => Ok(options),
        }
    }

    /// An option that is true or false, and false when it is left out.
    pub fn switch(&self, options: &Document, name: &str, default: bool) -> Result<bool, Fault> {
        match options.get(name) {
            None => Ok(default),
            Some(Bson::Boolean(b)) => Ok(*b),
            Some(_) => Err(Fault::new(self.call.span.clone(), format!("the option `{name}` is true or false"))),
        }
    }
}

/// A kind of value with its article, for messages.
pub(super) fn kind(value: &Bson) -> &'static str {
    match value {
        Bson::String(text) if text.is_empty() => "an empty string",
        Bson::String(_) => "a string",
        Bson::Double(n) if n.fract() != 0.0 => "a number with a fraction",
        Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Decimal128(_) => "a number",
        Bson::Boolean(_) => "true or false",
        Bson::Array(items) if items.is_empty() => "an empty array",
        Bson::Array(_) => "an array",
        Bson::Document(_) => "a document",
        Bson::Null => "null",
        Bson::Undefined => "undefined",
        Bson::ObjectId(_) => "an ObjectId",
        Bson::DateTime(_) => "a date",
        Bson::RegularExpression(_) => "a regular expression",
        _ => "a value of this type",
    }
}
