//! Formats that are about exactly one student.

use std::io;

use grader_model::{Results, StudentResult};

/// A format that is about one student was asked for results of none or of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this format is about exactly one student, and there are {students}")]
pub struct NotOneStudent {
    /// Number of students in the results.
    pub students: usize,
}

/// The only student of these results.
pub(crate) fn only_student(results: &Results) -> io::Result<&StudentResult> {
    match results.students.as_slice() {
        [student] => Ok(student),
        students => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            NotOneStudent {
                students: students.len(),
            },
        )),
    }
}
