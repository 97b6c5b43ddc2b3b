//! JSON as a tree in which numbers are still text and every value knows where it stands: serde_json would make doubles of
//! the one and forget the other.

use std::borrow::Cow;

use crate::domain::mongodb::MAX_DEPTH;

/// The wrappers of extended JSON nest deeper than the value that they stand for: `{"$date": {"$numberLong": "1"}}`.
const DEPTH_OF_WRAPPERS: usize = 3;

/// A value and the byte at which it starts.
#[derive(Debug)]
pub(super) struct Node<'a> {
    pub at: usize,
    pub json: Json<'a>,
}

#[derive(Debug)]
pub(super) enum Json<'a> {
    Null,
    Bool(bool),
    Number(&'a str),
    String(Cow<'a, str>),
    Array(Vec<Node<'a>>),
    Object(Vec<Member<'a>>),
}

#[derive(Debug)]
pub(super) struct Member<'a> {
    pub at: usize,
    pub name: Cow<'a, str>,
    pub value: Node<'a>,
}

/// What is wrong, and at which byte.
#[derive(Debug)]
pub(super) struct Fault {
    pub at: usize,
    pub words: String,
    pub hint: Option<&'static str>,
}

impl Fault {
    pub fn new(at: usize, words: impl Into<String>) -> Self {
        Fault { at, words: words.into(), hint: None }
    }

    fn hint(mut self, hint: &'static str) -> Self {
        self.hint = Some(hint);
        self
    }
}

/// Reads one JSON value that is the whole text.
pub(super) fn read(text: &str) -> Result<Node<'_>, Fault> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    reader.space();
    let node = reader.value()?;
    reader.space();
    if reader.at < text.len() {
        return Err(Fault::new(reader.at, "there is text after the end of the object"));
    }
    Ok(node)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// A fault at the present place: what was expected there.
    fn expected<T>(&self, what: &str) -> Result<T, Fault> {
        let fault = match self.text[self.at..].chars().next() {
            None => Fault::new(self.at, format!("the text ends where {what} was expected"))
                .hint("A closing quote, bracket or brace is missing."),
            Some(found) => Fault::new(self.at, format!("{what} was expected, not `{}`", found.escape_debug())),
        };
        Err(fault)
    }

    fn value(&mut self) -> Result<Node<'a>, Fault> {
        let at = self.at;
        let json = match self.peek() {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::array)?,
            Some(b'"') => Json::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => Json::Number(self.number()?),
            _ if self.word("null") => Json::Null,
            _ if self.word("true") => Json::Bool(true),
            _ if self.word("false") => Json::Bool(false),
            Some(b'N' | b'I') if self.word("NaN") || self.word("Infinity") => {
                return Err(Fault::new(at, "this number has no plain form in JSON")
                    .hint("Write {\"$numberDouble\": \"NaN\"} or {\"$numberDouble\": \"Infinity\"}."));
            }
            Some(b'A'..=b'Z' | b'a'..=b'z') => {
                return self.expected("a value").map_err(|fault| {
                    fault.hint("Types are written as {\"$numberLong\": \"20\"}, {\"$date\": \"…\"}, {\"$oid\": \"…\"}.")
                });
            }
            _ => return self.expected("a value"),
        };
        Ok(Node { at, json })
    }

    fn word(&mut self, word: &str) -> bool {
        let rest = &self.text.as_bytes()[self.at..];
        let found = rest.starts_with(word.as_bytes()) && !rest.get(word.len()).is_some_and(u8::is_ascii_alphanumeric);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn nested(&mut self, inner: impl Fn(&mut Self) -> Result<Json<'a>, Fault>) -> Result<Json<'a>, Fault> {
        if self.depth == MAX_DEPTH + DEPTH_OF_WRAPPERS {
            return Err(too_deep(self.at));
        }
        self.depth += 1;
        self.at += 1;
        let json = inner(self)?;
        self.depth -= 1;
        Ok(json)
    }

    fn object(&mut self) -> Result<Json<'a>, Fault> {
        let mut members = Vec::new();
        self.space();
        if self.eat(b'}') {
            return Ok(Json::Object(members));
        }
        loop {
            self.space();
            let at = self.at;
            if self.peek() != Some(b'"') {
                return self.expected("a name in double quotes");
            }
            let name = self.string()?;
            if name.contains('\0') {
                return Err(Fault::new(at, "a name cannot hold the character NUL"));
            }
            self.space();
            if !self.eat(b':') {
                return self.expected("a colon");
            }
            self.space();
            let value = self.value()?;
            members.push(Member { at, name, value });
            self.space();
            if self.eat(b'}') {
                return Ok(Json::Object(members));
            }
            if !self.eat(b',') {
                return self.expected("a comma or `}`");
            }
        }
    }

    fn array(&mut self) -> Result<Json<'a>, Fault> {
        let mut items = Vec::new();
        self.space();
        if self.eat(b']') {
            return Ok(Json::Array(items));
        }
        loop {
            self.space();
            items.push(self.value()?);
            self.space();
            if self.eat(b']') {
                return Ok(Json::Array(items));
            }
            if !self.eat(b',') {
                return self.expected("a comma or `]`");
            }
        }
    }

    fn number(&mut self) -> Result<&'a str, Fault> {
        let start = self.at;
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _signed = self.eat(b'+') || self.eat(b'-');
            self.digits()?;
        }
        Ok(&self.text[start..self.at])
    }

    fn digits(&mut self) -> Result<(), Fault> {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start { self.expected("a digit") } else { Ok(()) }
    }

    fn string(&mut self) -> Result<Cow<'a, str>, Fault> {
        let open = self.at;
        self.at += 1;
        let mut text = Cow::Borrowed("");
        loop {
            let start = self.at;
            while self.peek().is_some_and(|b| b != b'"' && b != b'\\' && b >= 0x20) {
                self.at += 1;
            }
            let plain = &self.text[start..self.at];
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    text += plain;
                    return Ok(text);
                }
                Some(b'\\') => {
                    text += plain;
                    text.to_mut().push(self.escape()?);
                }
                Some(_) => {
                    return Err(Fault::new(self.at, "a string holds a control character or a line break")
                        .hint("Write a line break as \\n, a tab as \\t."));
                }
                None => {
                    return Err(Fault::new(open, "the text ends in a string")
                        .hint("The closing quote of this string is missing."));
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let start = self.at;
        self.at += 2;
        Ok(match self.text.as_bytes().get(start + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let lone = || Fault::new(start, "half a surrogate pair is no character");
                let mut code = self.hex4(start)?;
                if (0xD800..0xDC00).contains(&code) {
                    if !(self.eat(b'\\') && self.eat(b'u')) {
                        return Err(lone());
                    }
                    let low = self.hex4(start)?;
                    if !(0xDC00..0xE000).contains(&low) {
                        return Err(lone());
                    }
                    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                }
                char::from_u32(code).ok_or_else(lone)?
            }
            _ => return Err(Fault::new(start, "JSON has no such escape")),
        })
    }

    fn hex4(&mut self, start: usize) -> Result<u32, Fault> {
        let digits =
            self.text.as_bytes().get(self.at..self.at + 4).filter(|four| four.iter().all(u8::is_ascii_hexdigit));
        let code = digits.and_then(|four| u32::from_str_radix(std::str::from_utf8(four).ok()?, 16).ok());
        self.at += 4;
        code.ok_or_else(|| Fault::new(start, "the escape \\u takes four hexadecimal digits"))
    }
}

pub(super) fn too_deep(at: usize) -> Fault {
    Fault::new(at, format!("documents and arrays can be nested {MAX_DEPTH} deep"))
}
