//! What is said while a command works.

use grader_model::Text;

use crate::error::SessionError;

/// Whoever gave a command, and reads what is said while it works.
pub trait Console {
    /// Says something that some want to do without.
    fn note(&self, text: &Text);
    /// Says something that everybody should know.
    fn warn(&self, text: &Text);
    /// Says that something failed; the command goes on.
    fn error(&self, error: SessionError);
}
