//! Why an item expires when it does, in the words of its system.

use crate::domain::ravendb::{self, Cleaner};
use crate::domain::{Instant, mongodb, nosql};

use super::{Catalog, ContainerNo, Kind, Lifetime};

impl Catalog {
    /// What deletes the expired documents of a RavenDB database, given by the number of its documents or a collection; for
    /// any other container nothing.
    pub fn cleaner(&self, no: ContainerNo, now: Instant) -> Cleaner {
        match self.root(no) {
            Some(root) => match &root.kind {
                Kind::Documents { configuration, .. } => Cleaner::new(configuration.as_ref(), root.schedule(now)),
                Kind::NoSql { .. } | Kind::MongoDb { .. } | Kind::Collection { .. } => Cleaner::Off,
            },
            None => Cleaner::Off,
        }
    }

    /// The fate of an item in one sentence. `run` is the run that will delete a document of RavenDB, where it is known;
    /// `lookalikes` are properties that people take for a time to live.
    pub fn explain(
        &self,
        no: ContainerNo,
        lifetime: &Lifetime,
        written: Instant,
        lookalikes: &[String],
        run: Option<Instant>,
        now: Instant,
    ) -> String {
        let default = self.container(no).map_or(nosql::DefaultTtl::Off, |container| container.default_ttl());
        match lifetime {
            Lifetime::Ttl(ttl) => nosql::explain(default, *ttl, written.secs(), lookalikes, now),
            Lifetime::Typed(ttl) => mongodb::explain(default, ttl, written.secs(), now),
            Lifetime::Expires(expires) => ravendb::explain(*expires, lookalikes, self.cleaner(no, now), run, now),
        }
    }
}
