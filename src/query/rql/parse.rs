//! From text to a query.

use serde_json::Value;

use super::condition::{Comparison, Condition};
use super::lex::{Fault, Kind, Parsed, Token, tokens};
use super::path::Field;
use super::query::{From, Query};
use super::sort::{Key, Sorting};

/// How deep brackets may be nested.
const DEEPEST: usize = 64;

/// Functions of conditions that this does not have.
const UNSUPPORTED: [&str; 12] = [
    "boost",
    "cmpxchg",
    "fuzzy",
    "intersect",
    "lucene",
    "moreLikeThis",
    "now",
    "proximity",
    "regex",
    "today",
    "vector",
    "when",
];

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
    alias: Option<String>,
}

/// A whole query.
pub(super) fn query(text: &str) -> Parsed<Query> {
    let mut parser = Parser::new(text)?;
    if parser.is_word("declare") {
        return Err(Fault::unsupported(parser.at(), "declare function"));
    }
    parser.need_word("from")?;
    let from = parser.from()?;
    parser.rest(from, true)
}

/// What stands behind `from …`.
pub(super) fn filter(text: &str) -> Parsed<Query> {
    Parser::new(text)?.rest(From::All, false)
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Parsed<Self> {
        Ok(Parser { text, tokens: tokens(text)?, next: 0, depth: 0, alias: None })
    }

    fn at(&self) -> usize {
        self.tokens[self.next].at
    }

    fn peek(&self) -> &Kind {
        &self.tokens[self.next].kind
    }

    fn second(&self) -> &Kind {
        self.tokens.get(self.next + 1).map_or(&Kind::End, |token| &token.kind)
    }

    fn step(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Kind::Word(found) if found.eq_ignore_ascii_case(word))
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.step();
        }
        found
    }

    fn eat(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), Kind::Symbol(found) if *found == symbol);
        if found {
            self.step();
        }
        found
    }

    fn need_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    fn need(&mut self, symbol: &str) -> Parsed<()> {
        if self.eat(symbol) { Ok(()) } else { Err(self.expected(&format!("`{symbol}`"))) }
    }

    fn expected(&self, what: &str) -> Fault {
        let at = self.at();
        if *self.peek() == Kind::End {
            return Fault::new(at, format!("expected {what}, and the text ends"));
        }
        let end = self.tokens.get(self.next + 1).map_or(self.text.len(), |token| token.at);
        let found: String = self.text[at..end].trim_end().chars().take(40).collect();
        Fault::new(at, format!("expected {what}, found `{found}`"))
    }

    fn from(&mut self) -> Parsed<From> {
        let at = self.at();
        if self.is_word("index") && matches!(self.second(), Kind::Text(_) | Kind::Word(_)) {
            return Err(Fault::unsupported(at, "from index").hint("name a collection, or @all_docs"));
        }
        let name = match self.peek().clone() {
            Kind::Word(name) | Kind::Text(name) => name,
            _ => return Err(self.expected("a collection, or @all_docs")),
        };
        self.step();
        let is_clause = ["where", "order", "select", "limit", "offset", "include", "load", "group", "update", "filter"];
        if self.eat_word("as")
            || matches!(self.peek(), Kind::Word(word) if !is_clause.iter().any(|c| c.eq_ignore_ascii_case(word)))
        {
            match self.peek().clone() {
                Kind::Word(alias) => {
                    self.step();
                    self.alias = Some(alias);
                }
                _ => return Err(self.expected("a name for the documents")),
            }
        }
        Ok(if name.eq_ignore_ascii_case("@all_docs") { From::All } else { From::Collection(name) })
    }

    /// The clauses behind `from`, in the order of the language.
    fn rest(mut self, from: From, selects: bool) -> Parsed<Query> {
        self.refuse_clause()?;
        let condition = if self.eat_word("where") { self.condition()? } else { Condition::Always };
        self.refuse_clause()?;
        let order = if self.eat_word("order") { self.order()? } else { Vec::new() };
        self.refuse_clause()?;
        let at = self.at();
        let select = if self.eat_word("select") {
            if !selects {
                return Err(Fault::new(at, "a filter answers whole documents: select belongs into a query"));
            }
            self.select()?
        } else {
            Vec::new()
        };
        self.refuse_clause()?;
        let (skip, take) = self.page()?;
        self.refuse_clause()?;
        match self.peek() {
            Kind::End => Ok(Query { from, condition, order, select, skip, take }),
            _ => Err(self.expected("where, order by, select, limit, or the end")),
        }
    }

    fn refuse_clause(&self) -> Parsed<()> {
        let known = ["include", "load", "group", "update", "filter", "declare"];
        match known.into_iter().find(|word| self.is_word(word)) {
            Some("group") => Err(Fault::unsupported(self.at(), "group by")),
            Some(word) => Err(Fault::unsupported(self.at(), word)),
            None => Ok(()),
        }
    }

    fn condition(&mut self) -> Parsed<Condition> {
        if self.depth == DEEPEST {
            return Err(Fault::new(self.at(), format!("the query is nested deeper than {DEEPEST} levels")));
        }
        self.depth += 1;
        let found = self.either();
        self.depth -= 1;
        found
    }

    fn either(&mut self) -> Parsed<Condition> {
        let mut parts = vec![self.both(true)?];
        while self.eat_word("or") {
            parts.push(self.both(false)?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::Any(parts) })
    }

    fn both(&mut self, starts: bool) -> Parsed<Condition> {
        let mut parts = vec![self.negated(starts)?];
        while self.eat_word("and") {
            parts.push(self.negated(false)?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::All(parts) })
    }

    /// A condition, perhaps with `not` in front: behind and, or alone.
    fn negated(&mut self, starts: bool) -> Parsed<Condition> {
        let at = self.at();
        if !self.eat_word("not") {
            return self.single();
        }
        if starts {
            let fault = Fault::new(at, "`not` stands behind `and` or `or` only");
            return Err(fault.hint("write where true and not (…)"));
        }
        Ok(Condition::Not(Box::new(self.single()?)))
    }

    fn single(&mut self) -> Parsed<Condition> {
        if self.eat("(") {
            let inner = self.condition()?;
            self.need(")")?;
            return Ok(inner);
        }
        let at = self.at();
        if let (Kind::Word(name), Kind::Symbol("(")) = (self.peek().clone(), self.second()) {
            if !name.eq_ignore_ascii_case("id") {
                self.step();
                self.step();
                let found = self.call(at, &name)?;
                self.need(")")?;
                return Ok(found);
            }
        } else if self.is_word("true") {
            self.step();
            return Ok(Condition::Always);
        }
        self.comparison()
    }

    fn call(&mut self, at: usize, name: &str) -> Parsed<Condition> {
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        if is("exact") {
            return self.condition().map(exact);
        }
        if is("exists") {
            return Ok(Condition::Exists(self.field()?));
        }
        if is("startsWith") || is("endsWith") {
            let field = self.field()?;
            self.need(",")?;
            let text = self.text_value()?;
            return Ok(if is("startsWith") {
                Condition::StartsWith { field, text, exact: false }
            } else {
                Condition::EndsWith { field, text, exact: false }
            });
        }
        if is("search") {
            let field = self.field()?;
            self.need(",")?;
            let at = self.at();
            let words: Vec<String> = self.text_value()?.split_whitespace().map(|word| word.to_lowercase()).collect();
            if words.iter().any(|word| word.trim_matches('*').contains(|c: char| !c.is_alphanumeric())) {
                let fault = Fault::unsupported(at, "a sign inside a word of search");
                return Err(fault.hint("words are letters and digits, with * at either end"));
            }
            let all = self.eat(",") && !self.eat_word("or") && {
                self.need_word("and")?;
                true
            };
            return Ok(Condition::Search { field, words, all });
        }
        match UNSUPPORTED.iter().find(|known| is(known)) {
            Some(known) => Err(Fault::unsupported(at, &format!("{known}()"))),
            None => Err(Fault::new(at, format!("there is no function `{name}` here"))
                .hint("There is exists, startsWith, endsWith, search, exact and id.")),
        }
    }

    fn comparison(&mut self) -> Parsed<Condition> {
        let field = self.field()?;
        let exact = false;
        let at = self.at();
        let how = match self.peek().clone() {
            Kind::Symbol("=" | "==") => Comparison::Equal,
            Kind::Symbol("!=" | "<>") => Comparison::NotEqual,
            Kind::Symbol("<") => Comparison::Less,
            Kind::Symbol("<=") => Comparison::LessOrEqual,
            Kind::Symbol(">") => Comparison::Greater,
            Kind::Symbol(">=") => Comparison::GreaterOrEqual,
            _ if self.eat_word("between") => {
                let low = self.value()?;
                self.need_word("and")?;
                let high = self.value()?;
                if std::mem::discriminant(&low) != std::mem::discriminant(&high) {
                    return Err(Fault::new(at, "both ends of between are of one type"));
                }
                return Ok(Condition::Between { field, low, high, exact });
            }
            _ if self.eat_word("in") => return Ok(Condition::In { field, values: self.values()?, exact }),
            _ if self.is_word("all") => {
                self.step();
                self.need_word("in")?;
                return Ok(Condition::AllIn { field, values: self.values()?, exact });
            }
            _ => return Err(self.expected("a comparison, between, in or all in")),
        };
        self.step();
        let to = self.value()?;
        let ordered = !matches!(how, Comparison::Equal | Comparison::NotEqual);
        if ordered && matches!(to, Value::Null | Value::Bool(_)) {
            return Err(Fault::new(at, format!("{to} has no order: it is compared with = and != alone")));
        }
        Ok(Condition::Compare { field, how, to, exact })
    }

    fn values(&mut self) -> Parsed<Vec<Value>> {
        self.need("(")?;
        let mut values = Vec::new();
        if self.eat(")") {
            return Ok(values);
        }
        loop {
            values.push(self.value()?);
            if !self.eat(",") {
                break;
            }
        }
        self.need(")")?;
        Ok(values)
    }

    fn value(&mut self) -> Parsed<Value> {
        let negative = self.eat("-");
        let value = match self.peek().clone() {
            Kind::Number(n) if negative => match (n.as_i64(), n.as_f64()) {
                (Some(n), _) => Value::from(-n),
                (None, Some(n)) => Value::from(-n),
                _ => return Err(self.expected("a number")),
            },
            _ if negative => return Err(self.expected("a number")),
            Kind::Number(n) => Value::Number(n),
            Kind::Text(text) => Value::String(text),
            Kind::Word(word) if word.eq_ignore_ascii_case("true") => Value::Bool(true),
            Kind::Word(word) if word.eq_ignore_ascii_case("false") => Value::Bool(false),
            Kind::Word(word) if word.eq_ignore_ascii_case("null") => Value::Null,
            _ => return Err(self.expected("a value")),
        };
        self.step();
        Ok(value)
    }

    fn text_value(&mut self) -> Parsed<String> {
        match self.peek().clone() {
            Kind::Text(text) => {
                self.step();
                Ok(text)
            }
            _ => Err(self.expected("a string")),
        }
    }

    /// `Name`, `Address.City`, `Lines[].Product`, `'@metadata'.'@expires'`, `id()`.
    fn field(&mut self) -> Parsed<Field> {
        if self.is_word("id") && *self.second() == Kind::Symbol("(") {
            self.step();
            self.step();
            // `id(o)` names the documents by their alias.
            if let (Some(alias), Kind::Word(word)) = (&self.alias, self.peek())
                && alias == word
            {
                self.step();
            }
            self.need(")")?;
            return Ok(Field::Id);
        }
        let mut names = Vec::new();
        loop {
            match self.peek().clone() {
                Kind::Word(name) | Kind::Text(name) => {
                    self.step();
                    // A quoted path is the same path.
                    names.extend(name.split('.').map(|part| part.trim_end_matches("[]").to_owned()));
                }
                _ => return Err(self.expected("a field")),
            }
            self.eat("[]");
            if !self.eat(".") {
                break;
            }
        }
        if names.len() > 1 && self.alias.as_ref() == names.first() {
            names.remove(0);
        }
        Ok(Field::Path(names))
    }

    fn order(&mut self) -> Parsed<Vec<Key>> {
        self.need_word("by")?;
        let mut keys = Vec::new();
        loop {
            let at = self.at();
            if let (Kind::Word(name), Kind::Symbol("(")) = (self.peek().clone(), self.second())
                && !name.eq_ignore_ascii_case("id")
            {
                return Err(Fault::unsupported(at, &format!("order by {name}()")));
            }
            let field = self.field()?;
            let sorting = if self.eat_word("as") {
                let at = self.at();
                if self.eat_word("long") || self.eat_word("double") {
                    Sorting::Number
                } else if self.eat_word("string") {
                    Sorting::Text
                } else if self.eat_word("alphaNumeric") {
                    Sorting::AlphaNumeric
                } else {
                    return Err(Fault { at, ..self.expected("long, double, string or alphaNumeric") });
                }
            } else {
                Sorting::Text
            };
            let descending = self.eat_word("desc") || self.eat_word("descending");
            if !descending && !self.eat_word("asc") {
                self.eat_word("ascending");
            }
            if self.is_word("nulls") {
                return Err(Fault::unsupported(self.at(), "nulls first and nulls last"));
            }
            keys.push(Key { field, sorting, descending });
            if !self.eat(",") {
                return Ok(keys);
            }
        }
    }

    fn select(&mut self) -> Parsed<Vec<(String, Field)>> {
        if self.is_word("distinct") {
            return Err(Fault::unsupported(self.at(), "select distinct"));
        }
        if self.eat("{") {
            let at = self.tokens[self.next - 1].at;
            return Err(Fault::unsupported(at, "a projection in JavaScript").hint("name the fields: select Name, Age"));
        }
        if self.eat("*") {
            return Ok(Vec::new());
        }
        let mut fields = Vec::new();
        loop {
            let at = self.at();
            if let (Kind::Word(name), Kind::Symbol("(")) = (self.peek().clone(), self.second())
                && !name.eq_ignore_ascii_case("id")
            {
                return Err(Fault::unsupported(at, &format!("{name}() in select")));
            }
            let field = self.field()?;
            let name = if self.eat_word("as") {
                match self.peek().clone() {
                    Kind::Word(name) | Kind::Text(name) => {
                        self.step();
                        name
                    }
                    _ => return Err(self.expected("a name")),
                }
            } else {
                match &field {
                    Field::Path(names) if names.len() == 1 => names[0].clone(),
                    _ => return Err(Fault::new(at, "this field has no name of its own").hint("name it: … as Name")),
                }
            };
            if fields.iter().any(|(known, _)| *known == name) {
                return Err(
                    Fault::new(at, format!("there are two fields `{name}`")).hint("name one of them: … as Name")
                );
            }
            fields.push((name, field));
            if !self.eat(",") {
                return Ok(fields);
            }
        }
    }

    /// `limit n`, `limit skip, take`, `limit n offset m`, `offset n`.
    fn page(&mut self) -> Parsed<(usize, Option<usize>)> {
        let (mut skip, mut take) = (0, None);
        if self.eat_word("limit") {
            let first = self.count()?;
            if self.eat(",") {
                (skip, take) = (first, Some(self.count()?));
                return Ok((skip, take));
            }
            take = Some(first);
        }
        if self.eat_word("offset") {
            skip = self.count()?;
        }
        Ok((skip, take))
    }

    fn count(&mut self) -> Parsed<usize> {
        match self.peek() {
            Kind::Number(n) if n.is_u64() => {
                let n = n.as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX);
                self.step();
                Ok(n)
            }
            _ => Err(self.expected("a whole number")),
        }
    }
}

/// The same, with the case of letters.
fn exact(condition: Condition) -> Condition {
    let all = |parts: Vec<Condition>| parts.into_iter().map(exact).collect();
    let exact_too = true;
    match condition {
        Condition::Not(part) => Condition::Not(Box::new(exact(*part))),
        Condition::All(parts) => Condition::All(all(parts)),
        Condition::Any(parts) => Condition::Any(all(parts)),
        Condition::Compare { field, how, to, .. } => Condition::Compare { field, how, to, exact: exact_too },
        Condition::Between { field, low, high, .. } => Condition::Between { field, low, high, exact: exact_too },
        Condition::In { field, values, .. } => Condition::In { field, values, exact: exact_too },
        Condition::AllIn { field, values, .. } => Condition::AllIn { field, values, exact: exact_too },
        Condition::StartsWith { field, text, .. } => Condition::StartsWith { field, text, exact: exact_too },
        Condition::EndsWith { field, text, .. } => Condition::EndsWith { field, text, exact: exact_too },
        other @ (Condition::Always | Condition::Exists(_) | Condition::Search { .. }) => other,
    }
}
