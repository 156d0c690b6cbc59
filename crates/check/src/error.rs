//! Why a checker could not decide.

use thiserror::Error;

/// A checker could not decide. Our fault, never the student's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CheckError {
    /// There is no expected output.
    #[error("checker `{0}` has no expected output to compare with")]
    NoAnswer(&'static str),
    /// Its patterns do not fit together. Those of a loaded problem do.
    #[error("the patterns of the checker are wrong")]
    Pattern,
}
