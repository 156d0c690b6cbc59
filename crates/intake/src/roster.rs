//! Who is in the class.

use std::path::Path;

use grader_model::Person;

use crate::IntakeError;

/// The students of a class as a table lists them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roster {
    entries: Vec<Entry>,
}

/// One student of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The line of the file, from 1.
    pub(crate) line: u64,
    /// What the student is called in results: the first of what the table tells.
    pub(crate) id: String,
    /// What else it tells.
    pub(crate) person: Person,
}

impl Roster {
    /// Reads a table of students: values separated by commas, semicolons or tabs.
    ///
    /// # Errors
    /// When it cannot be read, or a line of it makes no sense. The message names the file and the line.
    pub fn read(path: &Path) -> Result<Self, IntakeError> {
        let _ = path;
        Ok(Self::default())
    }

    /// How many students there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
