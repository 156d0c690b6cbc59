//! The words between a runner and its launcher: one line of JSON each way.

use std::ffi::OsString;
use std::path::PathBuf;

use grader_model::{Limits, Outcome};
use serde::{Deserialize, Serialize};

use crate::Request;

/// A request as it travels.
///
/// [`Request`] itself will not do: `serde` refuses paths that are not UTF-8, but takes any `OsString`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Order {
    pub(crate) program: OsString,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) environment: Vec<(OsString, OsString)>,
    pub(crate) directory: OsString,
    pub(crate) stdin: Option<OsString>,
    pub(crate) stdout: OsString,
    pub(crate) stderr: OsString,
    pub(crate) limits: Limits,
}

impl From<&Request> for Order {
    fn from(request: &Request) -> Self {
        let text = |path: &PathBuf| path.clone().into_os_string();
        Self {
            program: text(&request.program),
            arguments: request.arguments.clone(),
            environment: request.environment.clone(),
            directory: text(&request.directory.host),
            stdin: request.stdin.as_ref().map(text),
            stdout: text(&request.stdout),
            stderr: text(&request.stderr),
            limits: request.limits,
        }
    }
}

/// What the launcher answers.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Answer {
    /// The program ran.
    Done(Outcome),
    /// A step before the program failed with this `errno`.
    Setup {
        /// The step, to be read after "cannot".
        step: String,
        /// Why.
        errno: i32,
    },
    /// The program could not be executed.
    Execute {
        /// Why.
        errno: i32,
    },
}
