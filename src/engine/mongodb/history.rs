//! The statements of the shell, kept in the store.

use crate::engine::{Engine, EngineError, records};

impl Engine {
    /// The statements that were typed into the shell, the oldest first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn shell_history(&self) -> Result<Vec<String>, EngineError> {
        let snapshot = self.shared.store.snapshot()?;
        Ok(match snapshot.record(records::SHELL_HISTORY)? {
            Some(bytes) => records::decode(records::SHELL_HISTORY, &bytes)?,
            None => Vec::new(),
        })
    }

    /// Keeps a statement as the newest; one that was typed before is kept once. The oldest of more than `most` go.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn keep_statement(&self, statement: &str, most: usize) -> Result<(), EngineError> {
        self.shared.store.write(
            |writer| {
                let mut kept: Vec<String> = match writer.record(records::SHELL_HISTORY)? {
                    Some(bytes) => records::decode(records::SHELL_HISTORY, &bytes)?,
                    None => Vec::new(),
                };
                kept.retain(|old| old != statement);
                kept.push(statement.to_owned());
                let surplus = kept.len().saturating_sub(most);
                writer.put_record(records::SHELL_HISTORY, &records::encode(&kept[surplus..].to_vec())?);
                Ok(())
            },
            |()| {},
        )
    }
}
