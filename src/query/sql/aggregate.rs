//! Aggregates: COUNT, SUM, MIN, MAX, AVG.

use serde_json::Value as Json;

use super::expr::{Expr, Row};
use super::value::{Value, number, order};

/// An aggregate and what it is about.
#[derive(Clone, Debug)]
pub(super) struct Aggregate {
    pub kind: AggregateKind,
    pub argument: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AggregateKind {
    Count,
    Sum,
    Min,
    Max,
    Average,
}

impl AggregateKind {
    /// The aggregate of a name in capitals.
    pub fn find(name: &str) -> Option<AggregateKind> {
        Some(match name {
            "COUNT" => AggregateKind::Count,
            "SUM" => AggregateKind::Sum,
            "MIN" => AggregateKind::Min,
            "MAX" => AggregateKind::Max,
            "AVG" => AggregateKind::Average,
            _ => return None,
        })
    }
}

/// What an aggregate has seen. Undefined values are ignored.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    count: u64,
    sum: f64,
    best: Option<Json>,
    /// A value was among them that the aggregate is undefined for.
    spoiled: bool,
}

impl State {
    pub fn add(&mut self, aggregate: &Aggregate, row: Row<'_, '_>) {
        let value = aggregate.argument.eval(row);
        if !value.is_defined() {
            return;
        }
        self.count += 1;
        match (aggregate.kind, value) {
            (AggregateKind::Count, _) => {}
            (AggregateKind::Sum | AggregateKind::Average, Value::Number(number)) => self.sum += number,
            (AggregateKind::Sum | AggregateKind::Average, _) => self.spoiled = true,
            (_, Value::Array(_) | Value::Object(_)) => self.spoiled = true,
            (kind, value) => {
                let value = value.into_json();
                let order = order(value.as_ref(), self.best.as_ref());
                let better = if kind == AggregateKind::Min { order.is_lt() } else { order.is_gt() };
                if self.best.is_none() || better {
                    self.best = value;
                }
            }
        }
    }

    /// The result; `None` for undefined. SUM of nothing is 0, of MIN, MAX and AVG there is none.
    pub fn result(self, kind: AggregateKind) -> Option<Json> {
        let count = self.count as f64;
        match kind {
            AggregateKind::Count => Some(Json::from(self.count)),
            _ if self.spoiled => None,
            AggregateKind::Sum => self.sum.is_finite().then(|| number(self.sum)),
            AggregateKind::Average => (self.count > 0 && self.sum.is_finite()).then(|| number(self.sum / count)),
            AggregateKind::Min | AggregateKind::Max => self.best,
        }
    }
}
