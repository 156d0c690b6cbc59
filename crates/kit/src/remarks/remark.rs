//! One remark.

use std::fmt;
use std::path::Path;

use grader_model::escaped;
use grader_report::{Finding, FindingState};

/// What may be wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remark {
    /// The file; `None` if it is about no file.
    pub file: Option<String>,
    /// The line in the file, from 1; `None` if it is about the whole file.
    pub line: Option<usize>,
    /// What may be wrong, without the place.
    pub text: String,
}

impl Remark {
    pub(super) fn of_file(path: &Path, line: Option<usize>, text: impl Into<String>) -> Self {
        Self {
            file: Some(shown(path)),
            line,
            text: text.into(),
        }
    }

    /// The remark, for continuous integration.
    pub fn finding(&self) -> Finding {
        Finding {
            group: "problem files".to_owned(),
            name: self
                .file
                .clone()
                .unwrap_or_else(|| "this machine".to_owned()),
            file: self.file.clone(),
            line: self.line,
            state: FindingState::Doubtful,
            messages: vec![self.text.clone()],
            ..Finding::default()
        }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            f.write_str(file)?;
            if let Some(line) = self.line {
                write!(f, ":{line}")?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.text)
    }
}

/// The path of a file for a message, escaped: a name may hold anything.
pub(super) fn shown(path: &Path) -> String {
    escaped(path.as_os_str().as_encoded_bytes())
}
