//! How a program has to end: `exit-status`.

use grader_model::End;

use crate::suggest::quoted;
use crate::value::value;

/// How a program has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitPolicy {
    /// With this exit status; any other end is a runtime error.
    Status(u8),
    /// In any way.
    Ignored,
}

impl Default for ExitPolicy {
    fn default() -> Self {
        Self::Status(0)
    }
}

impl ExitPolicy {
    /// Whether a program that ended so has ended as it should.
    pub fn accepts(self, end: End) -> bool {
        match self {
            Self::Status(status) => end == End::Exited(status.into()),
            Self::Ignored => true,
        }
    }
}

impl TryFrom<&str> for ExitPolicy {
    type Error = String;

    fn try_from(word: &str) -> Result<Self, String> {
        match word {
            "zero" => Ok(Self::default()),
            "ignored" => Ok(Self::Ignored),
            _ => Err(expected(&quoted(word))),
        }
    }
}

impl TryFrom<i64> for ExitPolicy {
    type Error = String;

    fn try_from(status: i64) -> Result<Self, String> {
        let status = u8::try_from(status).map_err(|_| expected(&format!("`{status}`")))?;
        Ok(Self::Status(status))
    }
}

fn expected(found: &str) -> String {
    format!("{EXPECTED}, found {found}")
}

const EXPECTED: &str = "expected an exit status from 0 to 255, or `ignored`";

value!(
    ExitPolicy,
    "an exit status from 0 to 255, or \"ignored\"",
    {
        "anyOf": [
            { "type": "integer", "minimum": 0, "maximum": 255 },
            { "type": "string", "enum": ["zero", "ignored"] },
        ]
    },
    string: &str,
    integer: i64
);
