//! What the shell answers to a statement that it cannot read.

use std::fmt;
use std::ops::Range;

use crate::domain::Place;

/// A fault in the text of a statement. It displays with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ShellError {
    /// Where it is.
    pub place: Place,
    /// The bytes of the text that it is about; empty at the end.
    pub span: Range<usize>,
    /// What was expected instead, or what is missing.
    pub message: String,
    /// The text only ends too early: another line may complete it.
    pub incomplete: bool,
}

impl ShellError {
    pub(super) fn new(text: &str, span: Range<usize>, message: impl Into<String>) -> Self {
        ShellError { place: Place::of_offset(text, span.start), span, message: message.into(), incomplete: false }
    }
}

impl fmt::Display for ShellError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}
