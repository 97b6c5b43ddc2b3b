//! Compiled expressions and their evaluation.

use std::cmp::Ordering;

use serde_json::{Map, Value as Json};

use super::ast::Operator;
use super::functions::Function;
use super::like::Like;
use super::value::Value;

/// What the names of a query stand for in one row: a slot for every source, or for every group key and aggregate.
pub(super) type Row<'r, 'd> = &'r [Option<&'d Json>];

/// A compiled expression.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Constant(Value<'static>),
    Path(Path),
    Member(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    All(Vec<Expr>),
    Any(Vec<Expr>),
    Binary(Operator, Box<Expr>, Box<Expr>),
    Conditional(Box<[Expr; 3]>),
    In(Box<Expr>, Vec<Expr>),
    Between(Box<[Expr; 3]>),
    Like(Box<Expr>, Like),
    /// A pattern that is not constant.
    LikeOf(Box<Expr>, Box<Expr>, Option<char>),
    Array(Vec<Expr>),
    Object(Vec<(String, Expr)>),
    Call(Function, Vec<Expr>),
}

/// Constant members of a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path {
    pub slot: usize,
    pub steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Name(String),
    Index(usize),
}

impl Path {
    /// What stands at the path; `None` for undefined.
    pub fn find<'d>(&self, row: Row<'_, 'd>) -> Option<&'d Json> {
        let mut at = row.get(self.slot).copied().flatten()?;
        for step in &self.steps {
            at = match (step, at) {
                (Step::Name(name), Json::Object(members)) => members.get(name)?,
                (Step::Index(index), Json::Array(items)) => items.get(*index)?,
                _ => return None,
            };
        }
        Some(at)
    }
}

impl Step {
    /// The step that a constant in brackets means: a name, or a position.
    pub fn of(member: &Value<'_>) -> Option<Step> {
        match member {
            Value::String(name) => Some(Step::Name(name.clone().into_owned())),
            Value::Number(index) if index.fract() == 0.0 && *index >= 0.0 => Some(Step::Index(*index as usize)),
            _ => None,
        }
    }
}

impl Expr {
    /// The value in a row.
    pub fn eval<'d>(&'d self, row: Row<'_, 'd>) -> Value<'d> {
        match self {
            Expr::Constant(value) => value.borrow(),
            Expr::Path(path) => Value::of(path.find(row)),
            Expr::Member(base, member) => self::member(base.eval(row), &member.eval(row)),
            Expr::Not(part) => match part.eval(row) {
                Value::Bool(b) => Value::Bool(!b),
                _ => Value::Undefined,
            },
            Expr::All(parts) => joined(parts, false, |part| truth(&part.eval(row))),
            Expr::Any(parts) => joined(parts, true, |part| truth(&part.eval(row))),
            Expr::Binary(operator, left, right) => binary(*operator, left.eval(row), right.eval(row)),
            Expr::Conditional(parts) => {
                let [condition, then, otherwise] = parts.as_ref();
                if condition.is_true(row) { then.eval(row) } else { otherwise.eval(row) }
            }
            Expr::In(value, list) => {
                let value = value.eval(row);
                // It is the OR of as many equalities.
                joined(list, true, |item| item.eval(row).equals(&value))
            }
            Expr::Between(parts) => {
                let [value, low, high] = parts.as_ref();
                let value = value.eval(row);
                joined(&[(low, Ordering::Less), (high, Ordering::Greater)], false, |(bound, outside)| {
                    value.compare(&bound.eval(row)).map(|order| order != *outside)
                })
            }
            Expr::Like(value, pattern) => match value.eval(row) {
                Value::String(text) => Value::Bool(pattern.matches(&text)),
                _ => Value::Undefined,
            },
            Expr::LikeOf(value, pattern, escape) => match (value.eval(row), pattern.eval(row)) {
                (Value::String(text), Value::String(pattern)) => {
                    Value::Bool(Like::new(&pattern, *escape).matches(&text))
                }
                _ => Value::Undefined,
            },
            // Undefined elements and members are left out.
            Expr::Array(items) => Value::array(items.iter().filter_map(|item| item.eval(row).into_json()).collect()),
            Expr::Object(members) => object(members, row),
            Expr::Call(function, arguments) => call(*function, arguments, row),
        }
    }

    /// Whether a row is one that WHERE lets pass: true, and neither undefined nor something else.
    pub fn is_true(&self, row: Row<'_, '_>) -> bool {
        matches!(self.eval(row), Value::Bool(true))
    }

    /// The constant in place of an expression that depends on no row.
    pub fn folded(self) -> Expr {
        if self.is_folded() || !self.has_constant_parts() { self } else { Expr::Constant(self.eval(&[]).into_owned()) }
    }

    fn is_folded(&self) -> bool {
        matches!(self, Expr::Constant(_))
    }

    fn has_constant_parts(&self) -> bool {
        let mut constant = !matches!(self, Expr::Path(_));
        self.each_part(&mut |part| constant = constant && part.is_folded());
        constant
    }

    /// Visits the expressions that this one is made of, not theirs.
    pub fn each_part(&self, visit: &mut dyn FnMut(&Expr)) {
        match self {
            Expr::Constant(_) | Expr::Path(_) => {}
            Expr::Not(part) | Expr::Like(part, _) => visit(part),
            Expr::Member(left, right) | Expr::Binary(_, left, right) | Expr::LikeOf(left, right, _) => {
                visit(left);
                visit(right);
            }
            Expr::Conditional(parts) | Expr::Between(parts) => parts.iter().for_each(visit),
            Expr::In(part, parts) => {
                visit(part);
                parts.iter().for_each(visit);
            }
            Expr::All(parts) | Expr::Any(parts) | Expr::Array(parts) | Expr::Call(_, parts) => {
                parts.iter().for_each(visit);
            }
            Expr::Object(members) => members.iter().for_each(|(_, part)| visit(part)),
        }
    }
}

/// An object of the members that are defined.
pub(super) fn object<'d>(members: &'d [(String, Expr)], row: Row<'_, 'd>) -> Value<'d> {
    let member = |(name, value): &'d (String, Expr)| Some((name.clone(), value.eval(row).into_json()?));
    let members: Map<String, Json> = members.iter().filter_map(member).collect();
    Value::Object(std::borrow::Cow::Owned(members))
}

fn truth(value: &Value<'_>) -> Option<bool> {
    match value {
        Value::Bool(b) => Some(*b),
        _ => None,
    }
}

/// AND and OR of three values: `decisive` as soon as one part is, else undefined if one is, else the opposite.
fn joined<'d, T>(parts: &[T], decisive: bool, mut truth: impl FnMut(&T) -> Option<bool>) -> Value<'d> {
    let mut undefined = false;
    for part in parts {
        match truth(part) {
            Some(found) if found == decisive => return Value::Bool(decisive),
            Some(_) => {}
            None => undefined = true,
        }
    }
    if undefined { Value::Undefined } else { Value::Bool(!decisive) }
}

fn binary<'d>(operator: Operator, left: Value<'d>, right: Value<'d>) -> Value<'d> {
    let of = |found: Option<bool>| found.map_or(Value::Undefined, Value::Bool);
    let ordered = |wanted: fn(Ordering) -> bool| of(left.compare(&right).map(wanted));
    let computed = |compute: fn(f64, f64) -> f64| match (&left, &right) {
        (Value::Number(left), Value::Number(right)) => Value::number(compute(*left, *right)),
        _ => Value::Undefined,
    };
    match operator {
        Operator::Equal => of(left.equals(&right)),
        // Of two arrays or objects it is undefined, in the service's words.
        Operator::NotEqual => ordered(Ordering::is_ne),
        Operator::Less => ordered(Ordering::is_lt),
        Operator::LessOrEqual => ordered(Ordering::is_le),
        Operator::Greater => ordered(Ordering::is_gt),
        Operator::GreaterOrEqual => ordered(Ordering::is_ge),
        Operator::Add => computed(|a, b| a + b),
        Operator::Subtract => computed(|a, b| a - b),
        Operator::Multiply => computed(|a, b| a * b),
        Operator::Divide => computed(|a, b| a / b),
        Operator::Remainder => computed(|a, b| a % b),
        Operator::Concat => match (&left, &right) {
            (Value::String(left), Value::String(right)) => Value::text(format!("{left}{right}")),
            _ => Value::Undefined,
        },
        Operator::Coalesce if left.is_defined() => left,
        Operator::Coalesce => right,
    }
}

fn member<'d>(base: Value<'d>, member: &Value<'_>) -> Value<'d> {
    use std::borrow::Cow;
    match (base, Step::of(member)) {
        (Value::Object(Cow::Borrowed(members)), Some(Step::Name(name))) => Value::of(members.get(&name)),
        (Value::Array(Cow::Borrowed(items)), Some(Step::Index(index))) => Value::of(items.get(index)),
        (Value::Object(Cow::Owned(members)), Some(Step::Name(name))) => Value::of(members.get(&name)).into_owned(),
        (Value::Array(Cow::Owned(items)), Some(Step::Index(index))) => Value::of(items.get(index)).into_owned(),
        _ => Value::Undefined,
    }
}

fn call<'d>(function: Function, arguments: &'d [Expr], row: Row<'_, 'd>) -> Value<'d> {
    // Most functions take three arguments at most: these need no memory of their own.
    let mut few = [const { Value::Undefined }; 3];
    match few.get_mut(..arguments.len()) {
        Some(values) => {
            values.iter_mut().zip(arguments).for_each(|(value, argument)| *value = argument.eval(row));
            (function.call)(values)
        }
        None => (function.call)(&arguments.iter().map(|argument| argument.eval(row)).collect::<Vec<_>>()),
    }
}
