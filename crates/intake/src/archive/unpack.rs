//! An archive to a folder.

use std::path::Path;

use grader_model::{Text, UnusedFile};

use super::{Caps, Failure};

/// What came of an archive.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Unpacked {
    /// What was passed over and why; paths are below the folder, escaped.
    pub(crate) passed: Vec<UnusedFile>,
    /// Parts that were refused and of which nothing is on disk: archives inside, and with
    /// [`Caps::apart`] entries at the top.
    pub(crate) refused: Vec<Refused>,
    /// What is to be known of the archive: that it is another format than its name says.
    pub(crate) notes: Vec<Text>,
    /// How many files were written.
    pub(crate) files: u64,
    /// Their bytes.
    pub(crate) bytes: u64,
}

/// A part of an archive that was refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    /// Its path below the folder, escaped.
    pub(crate) path: String,
    /// Why, in a sentence that names it.
    pub(crate) text: Text,
}

/// Unpacks an archive into `into`, a folder that is made for it; `shown_name` is the archive's name, escaped.
///
/// An archive inside is unpacked into a folder beside it, of its name without the ending (with it, where that is
/// taken), and then removed.
///
/// # Errors
/// Of the archive, or of this machine; `into` is removed again then.
pub(crate) fn unpack(
    archive: &Path,
    shown_name: &str,
    into: &Path,
    caps: &Caps,
) -> Result<Unpacked, Failure> {
    todo!()
}
