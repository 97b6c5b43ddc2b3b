//! Collections: made by their first document.

use crate::domain::Refusal;
use crate::engine::records::{self, ContainerRecord};
use crate::engine::service::Shared;
use crate::engine::{Container, ContainerNo, Engine, EngineError, Kind};
use crate::store::Writer;

impl Engine {
    /// The collection of a document that is being written; a new one is put among `made`. `there` is the collection of
    /// the stored document.
    ///
    /// # Errors
    /// The document is in another collection: it cannot move.
    pub(in crate::engine) fn collection(
        &self,
        writer: &mut Writer<'_>,
        documents: &Container,
        name: &str,
        there: Option<ContainerNo>,
        made: &mut Vec<Container>,
    ) -> Result<ContainerNo, EngineError> {
        let known = {
            let catalog = self.shared.catalog.read();
            let database = catalog.database(documents.database).ok_or_else(Shared::no_database)?;
            database.collection(name).map(|collection| collection.no)
        };
        let lower = name.to_lowercase();
        let known =
            known.or_else(|| made.iter().find(|new| new.name.to_lowercase() == lower).map(|collection| collection.no));
        match (known, there) {
            (Some(no), None) => Ok(no),
            (Some(no), Some(there)) if no == there => Ok(no),
            (_, Some(there)) => {
                let from = self.shared.container(there).map_or_else(|_| String::new(), |from| from.name.clone());
                Err(Refusal::bad_request(format!("The document is in the collection {from}, not in {name}."))
                    .with_hint("A document cannot change its collection: delete it and make it anew.")
                    .into())
            }
            (None, None) => {
                let collection = Container {
                    no: writer.new_container(),
                    database: documents.database,
                    name: name.to_owned(),
                    kind: Kind::Collection { documents: documents.no },
                };
                let record = records::encode(&ContainerRecord::from(&collection))?;
                writer.put_record(&records::container(collection.no), &record);
                let no = collection.no;
                made.push(collection);
                Ok(no)
            }
        }
    }
}
