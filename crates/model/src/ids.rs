//! Ids: distinct types, so that they cannot be confused.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Wraps a name, which the caller has validated.
            pub fn new(name: impl Into<String>) -> Self {
                Self(name.into().into())
            }

            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }
    };
}

id! {
    /// Name of an assignment, `[a-z0-9-]+`, such as `n-queens`.
    AssignmentId
}
id! {
    /// Name of a problem, unique in its assignment, `[a-z0-9-]+`, such as `first-three`.
    ProblemId
}
id! {
    /// Name of a subtask, unique in its problem, such as `small`.
    SubtaskName
}
id! {
    /// Name of a case, unique in its subtask, such as `n=8`.
    CaseName
}
id! {
    /// Name of a student: the name of the folder, escaped if it is not printable text.
    StudentId
}
id! {
    /// Name of a class, unlike that of every other: the name under which its folder or archive was graded first, and a hash
    /// of where that was, such as `submissions-5f3b2a1c`. It has letters, digits, `.`, `_` and single hyphens.
    SectionId
}

/// A class as it is graded by an assignment: whose corrections, objections, pages and reports something is.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub struct ClassId {
    /// The assignment.
    pub assignment: AssignmentId,
    /// The class.
    pub section: SectionId,
}

impl fmt::Display for ClassId {
    /// `week-1/submissions-5f3b2a1c`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.assignment, self.section)
    }
}
