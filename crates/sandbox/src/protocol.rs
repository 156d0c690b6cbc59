//! Messages between the grader and a launcher: one line of JSON each.

use std::path::PathBuf;
use std::time::Duration;

use grader_model::Outcome;
use serde::{Deserialize, Serialize};

use crate::error::Failure;
use crate::{Finding, Request};

/// How a launcher isolates programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Mode {
    Strict,
    LimitsOnly,
}

/// The first message to a launcher.
#[derive(Serialize, Deserialize)]
pub(crate) struct Greeting {
    pub(crate) mode: Mode,
    /// Unique among the launchers that live.
    pub(crate) number: u32,
    /// Programs of the host that no run may see.
    pub(crate) hidden: Vec<PathBuf>,
}

/// The answer to the greeting.
#[derive(Serialize, Deserialize)]
pub(crate) struct Hello {
    /// What was found of every layer.
    pub(crate) findings: Vec<Finding>,
    /// Whether programs can run at all.
    pub(crate) is_ready: bool,
}

/// What the grader says afterwards.
#[derive(Serialize, Deserialize)]
pub(crate) enum Command {
    /// Run this.
    Run(Box<Order>),
    /// Let the program that waits begin.
    Go,
    /// Drop the program that waits, or kill the one that runs. If it has ended already, this says nothing.
    Cancel,
    /// End. Without this command before the end of the pipe, the grader was killed.
    End,
}

/// What a launcher says of a run.
#[derive(Serialize, Deserialize)]
pub(crate) enum Progress {
    /// The program is ready, and waits for [`Command::Go`].
    Ready,
    /// The program and everything it started are gone. The answer follows.
    Over {
        /// As for [`crate::StartGate::leave`].
        waited: Option<Duration>,
    },
    /// The last message of every run.
    Answer(Answer),
}

/// How a run went.
#[derive(Serialize, Deserialize)]
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

/// A request, and how it is run.
#[derive(Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) request: Request,
    /// Whether the program waits for [`Command::Go`] when it is ready.
    pub(crate) waits: bool,
    /// User, and group of the same number, of this run alone, in [`Mode::LimitsOnly`].
    pub(crate) user: Option<u32>,
    /// The grader's temporary folder: to be removed if the grader is killed.
    pub(crate) guarded: Option<PathBuf>,
}
