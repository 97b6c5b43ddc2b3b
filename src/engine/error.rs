//! Why the engine did not do something.

use crate::domain::Refusal;
use crate::store::StoreError;

/// A refusal by the rules, or a store that cannot do its work.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The service refuses: nothing was stored, nothing was changed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The disk or the directory.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl EngineError {
    /// The words for a screen: a store that cannot do its work answers 500, one without room 507.
    pub fn into_refusal(self) -> Refusal {
        match self {
            EngineError::Refused(refusal) => refusal,
            EngineError::Store(error @ StoreError::WriteFailed { .. }) => Refusal::new(507, error.to_string()),
            EngineError::Store(error) => Refusal::new(500, error.to_string()),
        }
    }
}
