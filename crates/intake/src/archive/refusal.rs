//! Why an archive is not unpacked.

use grader_model::Text;

/// Why an archive as a whole is not unpacked.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// By what it is: hostile, ambiguous, damaged, or of a format that is not read. One sentence that names the
    /// archive.
    Refused(Text),
    /// This machine failed: the disk is full, the archive cannot be read. It may be well; no mistake of the student's.
    Ours(Text),
}
