//! Documents of the API for MongoDB: what is stored of them, and the operations of the shell.

mod collections;
mod documents;
mod history;
mod stored;

pub use documents::Inserted;
pub(super) use stored::{MongoDocument, document_of, header_of, id_of, row_of, shown, shown_id};
