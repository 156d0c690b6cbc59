//! Who a student is, as far as a roster or a download tells.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What other systems call a student. All of it comes from outside and is never trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Person {
    /// Full name.
    pub name: Option<String>,
    /// Address of electronic mail.
    pub email: Option<String>,
    /// What each system calls this student, by the word for the system.
    pub ids: BTreeMap<System, String>,
}

/// A system that has a number or a name of its own for each student.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum System {
    /// Moodle's number of the participant in one assignment (`Participant 12345`).
    Moodle,
    /// Canvas' number of the user.
    Canvas,
    /// The student information system's number.
    Sis,
    /// The name with which the student logs in to the course's system.
    Login,
    /// Gradescope's number of the submission.
    Gradescope,
    /// The user's name at GitHub.
    Github,
}
