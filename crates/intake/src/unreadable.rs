//! What was submitted and cannot be read.

use std::io;

use grader_model::{FaultCause, Text, text};

use crate::reason;

/// Why something that was submitted cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Whether this machine or what was submitted is to blame.
    pub cause: FaultCause,
    /// One sentence, with names escaped.
    pub reason: Text,
    /// The same for a list of files: the sentence without the name.
    pub(crate) why: Text,
}

impl Unreadable {
    /// What was submitted is to blame.
    pub(crate) fn submitted(reason: Text) -> Self {
        Self {
            cause: FaultCause::Unreadable,
            why: reason.clone(),
            reason,
        }
    }

    /// This machine cannot read the file or folder at this path.
    pub(crate) fn on_disk(path: &str, error: &io::Error) -> Self {
        Self::at(path, FaultCause::Grader, reason::unreadable(error))
    }

    /// A file or folder at this path in the student's folder, and the sentence that begins with it.
    pub(crate) fn at(path: &str, cause: FaultCause, why: Text) -> Self {
        let name = format!("`{path}` ");
        let (en, zh) = match path {
            "" => ("the student's folder ", "学生文件夹"),
            _ => (&*name, &*name),
        };
        let reason = text!("{en}{why}", "{zh}{why}", why);
        let row = why.en.strip_prefix("is ").unwrap_or(&why.en).to_owned();
        Self {
            cause,
            reason,
            why: Text::new(row, why.zh),
        }
    }
}
