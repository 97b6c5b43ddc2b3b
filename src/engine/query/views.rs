//! Views that no query language can express: what expires soon, what never does, what is ignored, what is hidden.

use std::ops::Bound;

use crate::domain::mongodb::DocumentTtl;
use crate::domain::nosql::{DefaultTtl, ItemTtl};
use crate::domain::ravendb::Expires;
use crate::domain::{Refusal, words};
use crate::store::Direction;

use super::{Filtered, GoOn, Way, asked};
use crate::engine::document::row_of;
use crate::engine::{
    Container, ContainerNo, CountdownAnchor, CountdownRequest, Engine, EngineError, Lifetime, Row, Scope,
};

/// A view of the items of a container. As a filter it is written with a colon in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// `:next 1h`: what expires within so many seconds, in that order.
    Next(u64),
    /// `:never`: what never expires by itself.
    Never,
    /// `:ignored`: what says something of its end that has no effect.
    Ignored,
    /// `:hidden`: what is expired and not deleted yet.
    Hidden,
}

impl View {
    /// The view that a filter names; `None` for a filter in the language of the system.
    ///
    /// # Errors
    /// 400 for a colon with something else behind it.
    pub fn of(filter: &str) -> Result<Option<View>, Refusal> {
        let Some(name) = filter.trim().strip_prefix(':') else { return Ok(None) };
        let (name, rest) = name.trim().split_once(char::is_whitespace).unwrap_or((name.trim(), ""));
        let view = match (name, rest.trim()) {
            ("never", "") => Some(View::Never),
            ("ignored", "") => Some(View::Ignored),
            ("hidden", "") => Some(View::Hidden),
            ("next", "") => Some(View::Next(60 * 60)),
            ("next", span) => words::parse_duration(span).map(View::Next),
            _ => None,
        };
        view.map(Some).ok_or_else(|| {
            Refusal::bad_request(format!("`{}` is no view.", filter.trim()))
                .with_hint("There is :next 1h, :never, :ignored and :hidden.")
        })
    }
}

impl Engine {
    /// The items of a view, at most so many.
    ///
    /// # Errors
    /// 404 for the container; 499 when `go_on` says no.
    pub fn view_items(
        &self,
        no: ContainerNo,
        view: View,
        most: usize,
        go_on: GoOn<'_>,
    ) -> Result<Filtered, EngineError> {
        let started = std::time::Instant::now();
        let container = self.shared.container(no)?;
        let mut filtered = match view {
            View::Next(secs) => {
                let until = self.now().plus_secs(i64::try_from(secs).unwrap_or(i64::MAX));
                self.in_order(&container, CountdownAnchor::Now, until, most)?
            }
            View::Hidden => self.in_order(&container, CountdownAnchor::First, self.now(), most)?,
            View::Never => self.scanned(&container, most, go_on, |row| row.end(&container).is_none())?,
            View::Ignored => self.scanned(&container, most, go_on, |row| is_ignored(row, &container))?,
        };
        filtered.took_millis = started.elapsed().as_secs_f64() * 1_000.0;
        Ok(filtered)
    }

    /// Rows by the expiry index, up to an instant.
    fn in_order(
        &self,
        container: &Container,
        anchor: CountdownAnchor,
        until: crate::domain::Instant,
        most: usize,
    ) -> Result<Filtered, EngineError> {
        let request = CountdownRequest {
            scope: Scope::Container(container.no),
            anchor,
            before: 0,
            after: most.saturating_add(1),
        };
        let window = self.countdown(&request)?;
        let ahead = window.rows.into_iter().skip(window.anchor);
        let mut rows: Vec<Row> = ahead.take_while(|row| row.position.at <= until).map(|row| row.row).collect();
        let read = rows.len() as u64;
        let more = rows.len() > most;
        rows.truncate(most);
        Ok(Filtered { rows, more, read, way: Way::ExpiryIndex, took_millis: 0.0 })
    }

    /// Visible rows, by reading all of them; their documents are not looked at.
    fn scanned(
        &self,
        container: &Container,
        most: usize,
        go_on: GoOn<'_>,
        is_wanted: impl Fn(&Row) -> bool,
    ) -> Result<Filtered, EngineError> {
        let (now, snapshot) = (self.now(), self.shared.store.snapshot()?);
        let (mut rows, mut more, mut read) = (Vec::new(), false, 0);
        for item in snapshot.items(container.no, Bound::Unbounded, Direction::Forward) {
            let (key, item) = item?;
            asked(&mut read, go_on)?;
            if container.hides(&item.header, now) {
                continue;
            }
            let row = row_of(container, &key, &item.header, &item.body);
            if let Some(row) = row.filter(&is_wanted) {
                more = rows.len() == most;
                if more {
                    break;
                }
                rows.push(row);
            }
        }
        Ok(Filtered { rows, more, read, way: Way::Scan, took_millis: 0.0 })
    }
}

/// Whether an item says something of its end that has no effect: the line below the list says why.
fn is_ignored(row: &Row, container: &Container) -> bool {
    let off = container.default_ttl() == DefaultTtl::Off;
    row.has_lookalike
        || match &row.lifetime {
            Lifetime::Ttl(ttl) => off && *ttl != ItemTtl::Absent,
            Lifetime::Typed(DocumentTtl::Ignored(_)) => true,
            Lifetime::Typed(ttl) => off && *ttl != DocumentTtl::Absent,
            Lifetime::Expires(expires) => matches!(expires, Expires::Untracked(_)),
        }
}
