//! Identity of a student, from a roster or a download.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{StudentId, escaped};

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

impl Person {
    /// The full name, unless it is the id.
    pub fn name_beside(&self, id: &StudentId) -> Option<&str> {
        self.name.as_deref().filter(|name| *name != id.as_str())
    }
}

/// The id of a student, and the name if it is another, escaped: `s03 (Ada)`.
pub fn called(id: &StudentId, person: Option<&Person>) -> String {
    let name = person.and_then(|person| person.name_beside(id));
    let name = name.map(|name| format!(" ({})", escaped(name.as_bytes())));
    escaped(id.as_str().as_bytes()) + &name.unwrap_or_default()
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
