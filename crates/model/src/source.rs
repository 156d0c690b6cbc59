//! Source files.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A source file of a submission, a reference or another program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Path in the submission, with `/` between the parts; never absolute, never with `..`.
    ///
    /// A name that is not UTF-8 is escaped: the file is compiled under another name anyway.
    pub path: String,
    /// Bytes, in the encoding of the student's editor.
    pub bytes: Arc<[u8]>,
}

impl AsRef<Self> for SourceFile {
    fn as_ref(&self) -> &Self {
        self
    }
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
        file_name(&self.path)
    }

    /// The part of the name after the last dot, in lower case; empty if there is none.
    pub fn extension(&self) -> String {
        crate::extension_of(self.name())
    }
}

/// The last part of a path.
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The last part of a path, without its extension.
pub fn file_stem(path: &str) -> &str {
    let name = file_name(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The path of the folder that holds what has this path; empty for a submission's own.
pub fn folder_of(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    path.strip_suffix(file_name(path))
        .unwrap_or_default()
        .trim_end_matches('/')
}

/// Whether a path lies in a folder or below. The empty path is the submission's own folder.
pub fn is_below(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder);
    folder.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The folder that holds both.
pub fn common_folder<'p>(one: &'p str, other: &str) -> &'p str {
    let mut folder = one;
    while !is_below(other, folder) {
        folder = folder_of(folder);
    }
    folder
}
