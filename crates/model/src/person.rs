//! Identity of a student, from a roster or a download.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A student's identity in other systems. It comes from outside and is never trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Person {
    /// Full name.
    pub name: Option<String>,
    /// Email address.
    pub email: Option<String>,
    /// The student's name or number in each system.
    pub ids: BTreeMap<System, String>,
}

/// A system with its own number or name for each student.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum System {
    /// Moodle's number of the participant in one assignment (`Participant 12345`).
    Moodle,
    /// Canvas's user number.
    Canvas,
    /// The student information system's number.
    Sis,
    /// Login name in the course system.
    Login,
    /// Gradescope's number of the submission.
    Gradescope,
    /// GitHub user name.
    Github,
}
