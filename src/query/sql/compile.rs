//! From clauses to a query that can run: names become slots, constants are computed, patterns are compiled.

use std::collections::HashSet;

use serde_json::Value as Json;

use crate::domain::Instant;
use crate::domain::time::TICKS_PER_SECOND;

use super::aggregate::{Aggregate, AggregateKind};
use super::ast::{self, Ast, Clauses, Field, Kind, Select};
use super::conditions::Conditions;
use super::expr::{Expr, Path, Step};
use super::functions;
use super::lex::{Fault, Parsed, short};
use super::like::Like;
use super::query::{Grouping, Key, Projection, Query, Source};
use super::value::Value;

/// Compiles a query. `now` is what its functions of the present time answer.
pub(super) fn compile(clauses: Clauses, now: Instant) -> Parsed<Query> {
    let Clauses { distinct, top, select, sources, filter, group, order, page } = clauses;
    let mut scope = Scope { names: Vec::new(), now, grouped: None };
    let sources: Vec<Source> = sources.into_iter().map(|source| scope.source(source)).collect::<Parsed<_>>()?;
    if let (Select::All(at), true) = (&select, sources.len() != 1 || !group.is_empty()) {
        let words = "SELECT * is for one source, without JOIN and GROUP BY";
        return Err(Fault::new(*at, words).with_hint("name the fields, or write SELECT VALUE"));
    }
    let filter = filter.map(|filter| scope.expr(&filter)).transpose()?;
    let keys: Vec<Expr> = group.iter().map(|key| scope.expr(key)).collect::<Parsed<_>>()?;
    let order_at = order.first().map(|key| key.value.at);
    let order = order.iter().map(|key| scope.key(key)).collect::<Parsed<_>>()?;
    let grouped = !group.is_empty() || has_aggregates(&select);
    if let (true, Some(at)) = (grouped, order_at) {
        return Err(Fault::new(at, "ORDER BY does not go together with GROUP BY and aggregates"));
    }
    scope.grouped = grouped.then(|| Grouped { keys: group, aggregates: Vec::new() });
    let projection = scope.projection(select)?;
    let grouping = scope.grouped.map(|grouped| Grouping { keys, aggregates: grouped.aggregates });
    let (offset, limit) = page.map_or((0, top), |page| (page.offset, Some(page.limit)));
    let of_document = sources.first().is_some_and(Source::is_document);
    let conditions = filter.as_ref().filter(|_| of_document).map(Conditions::of).unwrap_or_default();
    Ok(Query { sources, filter, conditions, projection, grouping, order, distinct, offset, limit })
}

/// What names stand for.
struct Scope {
    /// The names of the slots.
    names: Vec<String>,
    now: Instant,
    /// In the SELECT of a query with groups.
    grouped: Option<Grouped>,
}

struct Grouped {
    keys: Vec<Ast>,
    aggregates: Vec<Aggregate>,
}

impl Scope {
    /// A source, whose name can be used from here on. The first one starts at the container, whatever it is called.
    fn source(&mut self, source: ast::Source) -> Parsed<Source> {
        if self.names.is_empty() {
            self.names.push(root_name(&source.path).to_owned());
            let path = self.path(&source.path)?;
            self.names = vec![source.alias];
            return Ok(Source { each: source.each, path });
        }
        let path = self.path(&source.path)?;
        self.names.push(source.alias);
        Ok(Source { each: source.each, path })
    }

    fn path(&mut self, ast: &Ast) -> Parsed<Path> {
        match self.expr(ast)? {
            Expr::Path(path) => Ok(path),
            _ => Err(Fault::new(ast.at, "a source is a path of names and positions")),
        }
    }

    fn key(&mut self, key: &ast::Key) -> Parsed<Key> {
        match self.expr(&key.value)? {
            value @ Expr::Path(_) => Ok(Key { value, descending: key.descending }),
            _ => Err(Fault::new(key.value.at, "ORDER BY takes paths, such as c.price, and nothing that is computed")),
        }
    }

    fn projection(&mut self, select: Select) -> Parsed<Projection> {
        let fields = match select {
            Select::All(_) => return Ok(Projection::Whole),
            Select::Value(value) => return Ok(Projection::Value(self.expr(&value)?)),
            Select::Fields(fields) => fields,
        };
        let mut unnamed = 0;
        let mut members = Vec::with_capacity(fields.len());
        let mut seen = HashSet::new();
        for Field { alias, value } in fields {
            let name = alias.or_else(|| last_name(&value)).unwrap_or_else(|| {
                unnamed += 1;
                format!("${unnamed}")
            });
            if !seen.insert(name.clone()) {
                let words = format!("the name {} stands for two fields", short(&name));
                return Err(Fault::new(value.at, words).with_hint("give one of them another name with AS"));
            }
            members.push((name, self.expr(&value)?));
        }
        Ok(Projection::Object(members))
    }

    fn exprs(&mut self, parts: &[Ast]) -> Parsed<Vec<Expr>> {
        parts.iter().map(|part| self.expr(part)).collect()
    }

    fn boxed(&mut self, part: &Ast) -> Parsed<Box<Expr>> {
        self.expr(part).map(Box::new)
    }

    fn three(&mut self, parts: &[Ast; 3]) -> Parsed<Box<[Expr; 3]>> {
        let [first, second, third] = parts;
        Ok(Box::new([self.expr(first)?, self.expr(second)?, self.expr(third)?]))
    }

    fn expr(&mut self, ast: &Ast) -> Parsed<Expr> {
        let key = self.grouped.as_ref().and_then(|grouped| grouped.keys.iter().position(|key| key == ast));
        if let Some(slot) = key {
            return Ok(Expr::Path(Path { slot, steps: Vec::new() }));
        }
        let expr = match &ast.kind {
            Kind::Constant(value) => Expr::Constant(Value::of(Some(value)).into_owned()),
            Kind::Undefined => Expr::Constant(Value::Undefined),
            Kind::Name(name) => Expr::Path(Path { slot: self.slot(name, ast.at)?, steps: Vec::new() }),
            Kind::Member(base, member) => self.member(base, member)?,
            Kind::Not(part) => Expr::Not(self.boxed(part)?),
            Kind::All(parts) => Expr::All(self.exprs(parts)?),
            Kind::Any(parts) => Expr::Any(self.exprs(parts)?),
            Kind::Binary(operator, left, right) => Expr::Binary(*operator, self.boxed(left)?, self.boxed(right)?),
            Kind::Conditional(parts) => Expr::Conditional(self.three(parts)?),
            Kind::In(value, list) => Expr::In(self.boxed(value)?, self.exprs(list)?),
            Kind::Between(parts) => Expr::Between(self.three(parts)?),
            Kind::Like(value, pattern, escape) => match (self.boxed(value)?, self.expr(pattern)?) {
                (value, Expr::Constant(Value::String(pattern))) => Expr::Like(value, Like::new(&pattern, *escape)),
                (value, pattern) => Expr::LikeOf(value, Box::new(pattern), *escape),
            },
            Kind::Array(items) => Expr::Array(self.exprs(items)?),
            Kind::Object(members) => self.object(ast.at, members)?,
            Kind::Call(name, arguments) => self.call(name, ast.at, arguments)?,
        };
        Ok(expr.folded())
    }

    fn slot(&self, name: &str, at: usize) -> Parsed<usize> {
        let Some(slot) = self.names.iter().position(|known| known == name) else {
            let words = format!("nothing is called {} here", short(name));
            let known = self.names.join(", ");
            let hint =
                if known.is_empty() { "the query has no FROM".to_owned() } else { format!("FROM names {known}") };
            return Err(Fault::new(at, words).with_hint(hint));
        };
        if self.grouped.is_some() {
            let words = format!("{} stands here outside of an aggregate and is no key of GROUP BY", short(name));
            return Err(Fault::new(at, words));
        }
        Ok(slot)
    }

    fn member(&mut self, base: &Ast, member: &Ast) -> Parsed<Expr> {
        Ok(match (self.expr(base)?, self.expr(member)?) {
            (Expr::Path(mut path), Expr::Constant(member)) => match Step::of(&member) {
                Some(step) => {
                    path.steps.push(step);
                    Expr::Path(path)
                }
                None => Expr::Constant(Value::Undefined),
            },
            (base, member) => Expr::Member(Box::new(base), Box::new(member)),
        })
    }

    fn object(&mut self, at: usize, members: &[(String, Ast)]) -> Parsed<Expr> {
        let mut seen = HashSet::new();
        if let Some((name, _)) = members.iter().find(|(name, _)| !seen.insert(name)) {
            return Err(Fault::new(at, format!("the name {} stands for two members", short(name))));
        }
        let member = |(name, value): &(String, Ast)| Ok((name.clone(), self.expr(value)?));
        Ok(Expr::Object(members.iter().map(member).collect::<Parsed<_>>()?))
    }

    fn call(&mut self, name: &str, at: usize, arguments: &[Ast]) -> Parsed<Expr> {
        if let Some(kind) = AggregateKind::find(name) {
            return self.aggregate(kind, name, at, arguments);
        }
        let wrong_count = |least, most| Err(Fault::new(at, arity_words(name, least, most, arguments.len())));
        match (name, arguments) {
            ("IIF", [condition, then, otherwise]) => {
                return Ok(Expr::Conditional(Box::new([
                    self.expr(condition)?,
                    self.expr(then)?,
                    self.expr(otherwise)?,
                ])));
            }
            ("IIF", _) => return wrong_count(3, 3),
            ("GETCURRENTTIMESTAMP", []) => {
                return Ok(Expr::Constant(Value::of(Some(&Json::from(self.now.millis()))).into_owned()));
            }
            ("GETCURRENTDATETIME", []) => return Ok(Expr::Constant(date_and_time(self.now))),
            ("GETCURRENTTIMESTAMP" | "GETCURRENTDATETIME", _) => return wrong_count(0, 0),
            _ => {}
        }
        let Some(function) = functions::find(name) else {
            return Err(Fault::unsupported(at, &format!("the function {}", short(name))));
        };
        let (least, most) = function.arity;
        if !(least..=most).contains(&arguments.len()) {
            return wrong_count(least, most);
        }
        Ok(Expr::Call(function, self.exprs(arguments)?))
    }

    fn aggregate(&mut self, kind: AggregateKind, name: &str, at: usize, arguments: &[Ast]) -> Parsed<Expr> {
        let Some(mut grouped) = self.grouped.take() else {
            return Err(Fault::new(at, format!("{name} stands in SELECT alone, and not in another aggregate")));
        };
        let [argument] = arguments else {
            return Err(Fault::new(at, arity_words(name, 1, 1, arguments.len())));
        };
        // Inside of an aggregate names stand for documents again.
        let argument = self.expr(argument)?;
        let slot = grouped.keys.len() + grouped.aggregates.len();
        grouped.aggregates.push(Aggregate { kind, argument });
        self.grouped = Some(grouped);
        Ok(Expr::Path(Path { slot, steps: Vec::new() }))
    }
}

/// An instant to 100 ns, as the service writes it; undefined where the calendar ends.
fn date_and_time(now: Instant) -> Value<'static> {
    now.to_utc().map_or(Value::Undefined, |utc| {
        let ticks = now.ticks().rem_euclid(TICKS_PER_SECOND);
        Value::text(format!("{}.{ticks:07}Z", utc.format("%Y-%m-%dT%H:%M:%S")))
    })
}

fn arity_words(name: &str, least: usize, most: usize, count: usize) -> String {
    let wanted = match (least, most) {
        (least, most) if least == most => format!("{least}"),
        (least, usize::MAX) => format!("{least} or more"),
        (least, most) => format!("{least} or {most}"),
    };
    let noun = if wanted == "1" { "argument" } else { "arguments" };
    format!("{name} takes {wanted} {noun}, not {count}")
}

/// The name that a path starts with.
fn root_name(path: &Ast) -> &str {
    match &path.kind {
        Kind::Member(base, _) => root_name(base),
        Kind::Name(name) => name,
        _ => "",
    }
}

/// The name that a field has without AS.
fn last_name(value: &Ast) -> Option<String> {
    match &value.kind {
        Kind::Name(name) => Some(name.clone()),
        Kind::Member(_, member) => match &member.kind {
            Kind::Constant(Json::String(name)) => Some(name.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn has_aggregates(select: &Select) -> bool {
    let is_aggregate = |name: &str| AggregateKind::find(name).is_some();
    match select {
        Select::All(_) => false,
        Select::Value(value) => value.calls(is_aggregate),
        Select::Fields(fields) => fields.iter().any(|field| field.value.calls(is_aggregate)),
    }
}
