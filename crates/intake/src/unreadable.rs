//! What was submitted and cannot be read.

use grader_model::{FaultCause, Text};

/// Why something that was submitted cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Whether this machine or what was submitted is to blame.
    pub cause: FaultCause,
    /// One sentence, with names escaped.
    pub reason: Text,
}

impl Unreadable {
    /// This machine is to blame.
    pub(crate) const fn ours(reason: Text) -> Self {
        Self {
            cause: FaultCause::Grader,
            reason,
        }
    }

    /// What was submitted is to blame.
    pub(crate) const fn submitted(reason: Text) -> Self {
        Self {
            cause: FaultCause::Unreadable,
            reason,
        }
    }
}
