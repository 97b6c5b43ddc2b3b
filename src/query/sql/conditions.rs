//! What WHERE says of every match, for whoever looks for a shorter way than reading all.

use serde_json::Value as Json;

use super::ast::Operator;
use super::expr::{Expr, Path, Step};
use super::value::Value;

/// The members that WHERE holds to one constant, or within bounds, by their path from the root: `id`, `address.city`.
#[derive(Clone, Debug, Default)]
pub(super) struct Conditions {
    pub(super) equal: Vec<(String, Json)>,
    low: Vec<(String, f64)>,
    high: Vec<(String, f64)>,
}

impl Conditions {
    /// Of a filter whose slot 0 is the document.
    pub fn of(filter: &Expr) -> Conditions {
        let mut conditions = Conditions::default();
        conditions.collect(filter);
        conditions
    }

    /// The constant that a member equals.
    pub fn equal(&self, path: &str) -> Option<&Json> {
        self.equal.iter().find(|(at, _)| at == path).map(|(_, value)| value)
    }

    /// The whole numbers between which a member stands, both included; `None` where it has no bound at all.
    pub fn whole_range(&self, path: &str) -> Option<(i64, i64)> {
        let of = |bounds: &[(String, f64)]| -> Vec<f64> {
            bounds.iter().filter(|(at, _)| at == path).map(|(_, bound)| *bound).collect()
        };
        let (mut low, mut high) = (of(&self.low), of(&self.high));
        if let Some(value) = self.equal(path).and_then(Json::as_f64) {
            low.push(value);
            high.push(value);
        }
        if low.is_empty() && high.is_empty() {
            return None;
        }
        // Casts of doubles end at the last whole number that there is.
        let low = low.into_iter().map(|bound| bound.ceil() as i64).max().unwrap_or(i64::MIN);
        let high = high.into_iter().map(|bound| bound.floor() as i64).min().unwrap_or(i64::MAX);
        Some((low, high))
    }

    fn collect(&mut self, filter: &Expr) {
        match filter {
            Expr::All(parts) => parts.iter().for_each(|part| self.collect(part)),
            Expr::Between(parts) => {
                if let [Expr::Path(path), Expr::Constant(low), Expr::Constant(high)] = parts.as_ref() {
                    self.compared(path, Operator::GreaterOrEqual, low);
                    self.compared(path, Operator::LessOrEqual, high);
                }
            }
            Expr::Binary(operator, left, right) => match (left.as_ref(), right.as_ref()) {
                (Expr::Path(path), Expr::Constant(value)) => self.compared(path, *operator, value),
                (Expr::Constant(value), Expr::Path(path)) => self.compared(path, turned(*operator), value),
                _ => {}
            },
            _ => {}
        }
    }

    /// A bound that a strict comparison leaves out stays in: the filter itself is asked again.
    fn compared(&mut self, path: &Path, operator: Operator, value: &Value<'static>) {
        let Some(name) = name_of(path) else { return };
        match (operator, value) {
            (Operator::Equal, _) => self.equal.extend(constant(value).map(|value| (name, value))),
            (Operator::Greater | Operator::GreaterOrEqual, Value::Number(bound)) => self.low.push((name, *bound)),
            (Operator::Less | Operator::LessOrEqual, Value::Number(bound)) => self.high.push((name, *bound)),
            _ => {}
        }
    }
}

/// The operator with its sides changed.
fn turned(operator: Operator) -> Operator {
    match operator {
        Operator::Less => Operator::Greater,
        Operator::LessOrEqual => Operator::GreaterOrEqual,
        Operator::Greater => Operator::Less,
        Operator::GreaterOrEqual => Operator::LessOrEqual,
        other => other,
    }
}

/// The path in words; names with a dot in them would be mistaken for two.
fn name_of(path: &Path) -> Option<String> {
    let name = |step: &Step| match step {
        Step::Name(name) if !name.contains('.') => Some(name.clone()),
        _ => None,
    };
    let names: Vec<String> = path.steps.iter().map(name).collect::<Option<_>>()?;
    (path.slot == 0 && !names.is_empty()).then(|| names.join("."))
}

/// A constant that nothing else equals: numbers beyond 2^53 equal their neighbours.
fn constant(value: &Value<'static>) -> Option<Json> {
    const LIMIT: f64 = 9_007_199_254_740_992.0;
    let ambiguous = matches!(value, Value::Number(number) if number.abs() >= LIMIT);
    if ambiguous { None } else { value.clone().into_json() }
}
