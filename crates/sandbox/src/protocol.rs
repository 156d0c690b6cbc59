//! The words between a runner and its launcher: one line of JSON each way.

use std::ffi::OsString;
use std::path::PathBuf;

use grader_model::{Limits, Outcome};
use serde::{Deserialize, Serialize};

use crate::{Core, Finding, Request, Returns, System};

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
    /// The same folder as the program sees it.
    pub(crate) inside: OsString,
    pub(crate) returns: Returns,
    /// Paths on the host, and inside.
    pub(crate) readable: Vec<(OsString, OsString)>,
    pub(crate) system: System,
    pub(crate) room: u64,
    pub(crate) reserves_memory: bool,
    pub(crate) stdin: Option<OsString>,
    pub(crate) stdout: OsString,
    pub(crate) stderr: OsString,
    pub(crate) files: u64,
    pub(crate) limits: Limits,
    pub(crate) core: Option<Core>,
    /// Whether the program, when it is ready, waits for its turn. Only strict launchers know how.
    pub(crate) waits: bool,
    /// At level `basic`, to close to the program what is not its own.
    pub(crate) closed: Option<Closed>,
}

/// What a launcher needs to know to close the user's files to a program.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Closed {
    /// Programs of the host that nobody inside may see.
    pub(crate) hidden: Vec<OsString>,
    /// The grader's temporary folder: what is readable in it may have to be opened to the program's user.
    pub(crate) scratch: Option<OsString>,
    /// The user and the group of this run alone.
    pub(crate) user: Option<(u32, u32)>,
    /// Whether each run has a control group.
    pub(crate) grouped: bool,
}

impl From<&Request> for Order {
    fn from(request: &Request) -> Self {
        let text = |path: &PathBuf| path.clone().into_os_string();
        Self {
            program: text(&request.program),
            arguments: request.arguments.clone(),
            environment: request.environment.clone(),
            directory: text(&request.directory.host),
            inside: text(&request.directory.inside),
            returns: request.returns.clone(),
            readable: request
                .readable
                .iter()
                .map(|seen| (text(&seen.host), text(&seen.inside)))
                .collect(),
            system: request.system,
            room: request.room.0,
            reserves_memory: request.reserves_memory,
            stdin: request.stdin.as_ref().map(text),
            stdout: text(&request.stdout),
            stderr: text(&request.stderr),
            files: request.files.0,
            limits: request.limits,
            core: request.core,
            waits: false,
            closed: None,
        }
    }
}

/// What a strict launcher is told first.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Greeting {
    /// Its number, none of which is given twice at the same time.
    pub(crate) number: u32,
    /// Programs of the host that nobody inside may see.
    pub(crate) hidden: Vec<OsString>,
}

/// What it answers to that.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Hello {
    /// What it found of every layer.
    pub(crate) findings: Vec<Finding>,
    /// Whether it can run programs at all.
    pub(crate) ready: bool,
}

/// What a strict launcher is told from then on.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Word {
    /// Run this.
    Run(Box<Order>),
    /// It is the turn of the program that waits.
    Go,
    /// The program that waits is not wanted any more.
    Skip,
    /// When the grader is killed, remove this folder of its.
    Guard(OsString),
    /// There is nothing more to do. Without this word before the end, the grader was killed.
    End,
}

/// What a strict launcher says of a run.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Said {
    /// The program is ready, and waits for its turn.
    Ready,
    /// The program had its turn, and it and everything it started are gone. The answer follows.
    Over,
    /// The last word of every run.
    Answer(Answer),
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
    /// The program was not wanted any more when it was ready.
    Unwanted,
}
