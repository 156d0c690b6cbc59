//! The option `--assignment`, and where assignments are looked for.

use grader_model::text;
use grader_problem::Entry;
use grader_session::{Assignments, Failure};

use crate::bundled;
use crate::commands::reference;

/// The bundled assignment in which `test` looks for a problem first.
pub(crate) const USUAL: &str = "n-queens";

/// The default of `--assignment` for a command that is not about a class.
pub(crate) const HERE: &str = "the `assignment.toml` in this folder, or the nearest one above it";

/// Those on disk, and those that this binary carries.
pub(crate) fn assignments() -> Assignments {
    Assignments {
        bundled: bundled::FILES,
        references: reference::names(),
    }
}

/// Short help of `--assignment`.
pub(crate) fn help(default: &str) -> String {
    format!("Assignment [default: {default}]")
}

/// Long help of `--assignment`.
pub(crate) fn long_help(default: &str) -> String {
    format!(
        "Assignment: the path of a folder with an `assignment.toml`, such as `mine`, or the id of a bundled one ({})\n\n\
         [default: {default}]",
        assignments().ids().join(", ")
    )
}

/// The problem with the values of this student, if each has values of their own.
pub(crate) fn of_student(entry: &Entry, student: Option<&str>) -> Result<Entry, Failure> {
    let id = &entry.problem.id;
    match student.filter(|it| !it.trim().is_empty()) {
        Some(student) => Ok(entry.for_student(student)),
        None if entry.problem.needs_student() => Err(Failure::mistake(text!(
            "each student has other values in `{id}`: name the student with `--student`",
            "`{id}` 中每名学生的数值不同：请用 `--student` 指定学生"
        ))),
        None => Ok(entry.clone()),
    }
}
