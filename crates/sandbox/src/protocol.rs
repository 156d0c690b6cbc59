//! Messages between the grader and a launcher: one line of JSON each.

use std::ffi::OsString;
use std::path::PathBuf;

use grader_model::{Limits, Outcome};
use serde::{Deserialize, Serialize};

use crate::error::Failure;
use crate::{Core, Finding, Request, Returns, System};

/// How a launcher isolates programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Mode {
    Strict,
    LimitsOnly,
}

/// The first message to a launcher.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Greeting {
    pub(crate) mode: Mode,
    /// Unique among the launchers that live.
    pub(crate) number: u32,
    /// Programs of the host that no run may see.
    pub(crate) hidden: Vec<OsString>,
}

/// The answer to the greeting.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Hello {
    /// What was found of every layer.
    pub(crate) findings: Vec<Finding>,
    /// Whether programs can run at all.
    pub(crate) is_ready: bool,
}

/// What the grader says afterwards.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Command {
    /// Run this.
    Run(Box<Order>),
    /// Let the program that waits begin.
    Go,
    /// Drop the program that waits.
    Cancel,
    /// The grader's temporary folder: remove it if the grader is killed.
    Guard(OsString),
    /// End. Without this command before the end of the pipe, the grader was killed.
    End,
}

/// What a launcher says of a run.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Progress {
    /// The program is ready, and waits for [`Command::Go`].
    Ready,
    /// The program and everything it started are gone. The answer follows.
    Over,
    /// The last message of every run.
    Answer(Answer),
}

/// How a run went.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Answer {
    /// The program ran.
    Done(Outcome),
    /// A step before the program failed.
    Failed(Failure),
    /// The program could not be executed, with this `errno`.
    NotExecuted(i32),
    /// The program was dropped before it began.
    Cancelled,
}

/// A request as it travels. (`serde` refuses paths that are not UTF-8, but takes any `OsString`.)
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
    pub(crate) scratch: u64,
    pub(crate) reserves_memory: bool,
    pub(crate) stdin: Option<OsString>,
    pub(crate) stdout: OsString,
    pub(crate) stderr: OsString,
    pub(crate) files: u64,
    pub(crate) limits: Limits,
    pub(crate) core: Option<Core>,
    /// Whether the program waits for [`Command::Go`] when it is ready.
    pub(crate) waits: bool,
    /// User and group of this run alone, in [`Mode::LimitsOnly`].
    pub(crate) user: Option<(u32, u32)>,
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
                .map(|mount| (text(&mount.host), text(&mount.inside)))
                .collect(),
            system: request.system,
            scratch: request.scratch.0,
            reserves_memory: request.reserves_memory,
            stdin: request.stdin.as_ref().map(text),
            stdout: text(&request.stdout),
            stderr: text(&request.stderr),
            files: request.files.0,
            limits: request.limits,
            core: request.core,
            waits: false,
            user: None,
        }
    }
}
