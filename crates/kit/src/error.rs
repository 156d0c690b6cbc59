//! Why something cannot be handed out.

use std::io;

use grader_problem::Diagnostic;
use zip::result::ZipError;

/// Why something cannot be handed out.
#[derive(Debug, thiserror::Error)]
pub enum KitError {
    /// A file of the assignment cannot be read.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// A file of the assignment is no TOML any more.
    #[error("`{0}` cannot be read: {1}")]
    NotToml(String, toml::de::Error),
    /// The kit's assignment cannot be written as TOML.
    #[error("cannot write the kit's `assignment.toml`: {0}")]
    Unwritable(#[from] toml::ser::Error),
    /// No case is public.
    #[error("no case is public: there is nothing that students could test")]
    AllHidden,
    /// The kit does not load, so it is no use to students.
    #[error("the kit's files have mistakes")]
    Mistakes(Vec<Diagnostic>),
    /// The zip cannot be made.
    #[error("cannot make the zip: {0}")]
    Zip(#[from] ZipError),
}
