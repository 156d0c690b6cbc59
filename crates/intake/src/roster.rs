//! Who is in the class.

mod columns;
mod index;
mod read;

use std::path::Path;

use grader_model::Person;

use crate::error::IntakeError;

pub(crate) use index::Match;

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
    /// What the student is called in results: the first of what the table tells, in the order of
    /// [`Roster::read`].
    pub(crate) id: String,
    /// What else it tells.
    pub(crate) person: Person,
}

impl Roster {
    /// Reads a table of students: values separated by commas, semicolons or tabs, in UTF-8, UTF-16 or GBK.
    ///
    /// The first line names the columns, in English or Chinese (case, blanks, `_` and `-` do not matter): `id`
    /// (`student id`, `sid`, `学号`), `login` (`username`, `用户名`), `sis` (`sis user id`), `email` (`邮箱`), `github`,
    /// `name` (`full name`, `姓名`) or `first name` and `last name`, `moodle`, `canvas`. Others are passed over. The
    /// first of these that a line fills in is what the student is called in results. Grading worksheets of Moodle and
    /// gradebooks of Canvas are read as they come. In a table of one column whose first line is no such name, each
    /// line is an id. Where there is a column `role`, only students count.
    ///
    /// # Errors
    /// When it cannot be read, or a line of it makes no sense: [`IntakeError::Roster`] names the file and the line.
    pub fn read(path: &Path) -> Result<Self, IntakeError> {
        Ok(Self {
            entries: read::entries(path)?,
        })
    }

    /// How many students there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn entry(&self, index: usize) -> &Entry {
        &self.entries[index]
    }
}

impl Entry {
    /// The student, for people: `1001` (Ada Lovelace).
    pub(crate) fn described(&self) -> String {
        match &self.person.name {
            Some(name) if *name != self.id => format!("`{}` ({name})", self.id),
            _ => format!("`{}`", self.id),
        }
    }
}
