//! Files that were submitted.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// One file of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its path inside the submission, with `/` between the parts; never absolute, never with `..`.
    ///
    /// A name that is not UTF-8 is kept escaped: only the file's bytes are compiled, under a name of ours.
    pub path: String,
    /// Its bytes, in whatever encoding the student's editor wrote.
    pub bytes: Arc<[u8]>,
}

impl SourceFile {
    /// A file from its path and bytes.
    pub fn new(path: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Self {
        Self {
            path: path.into(),
            bytes: bytes.into(),
        }
    }

    /// The last part of the path.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The part of the name after the last dot, in lower case; empty where there is none.
    pub fn extension(&self) -> String {
        crate::extension_of(self.name())
    }
}
