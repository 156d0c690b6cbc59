//! Messages between the grader and a launcher, and answers from its namespace holder.

use std::path::PathBuf;
use std::time::Duration;

use grader_model::{IsolationLevel, Outcome};
use serde::{Deserialize, Serialize};

use crate::error::StepError;
use crate::{LayerFinding, Request};

/// The first message to a launcher.
#[derive(Serialize, Deserialize)]
pub(crate) struct Greeting {
    /// How it isolates programs.
    pub(crate) level: IsolationLevel,
    /// Unique among the grader's launchers.
    pub(crate) number: u32,
    /// Programs of the host that no run may see.
    pub(crate) hidden: Vec<PathBuf>,
}

/// The answer to the greeting.
#[derive(Serialize, Deserialize)]
pub(crate) struct Hello {
    /// One finding for every layer.
    pub(crate) findings: Vec<LayerFinding>,
    /// Whether programs can run at all.
    pub(crate) is_ready: bool,
}

/// A message from the grader after the greeting.
#[derive(Serialize, Deserialize)]
pub(crate) enum GraderMessage {
    /// Run this.
    Run(Box<Order>),
    /// Start the prepared program.
    Go,
    /// Drop the prepared program or kill the running one. No effect if it has ended.
    Cancel,
    /// Exit. If the socket is closed without this message, the grader was killed.
    End,
}

/// A message from a launcher about a run.
#[derive(Serialize, Deserialize)]
pub(crate) enum LauncherMessage {
    /// The program is prepared, and waits for [`GraderMessage::Go`].
    Ready,
    /// The program and its descendants have ended. The answer follows.
    Over {
        /// As for [`crate::StartGate::leave`].
        waited: Option<Duration>,
    },
    /// The last message of every run.
    RunAnswer(RunAnswer),
}

/// The result of a run.
#[derive(Serialize, Deserialize)]
pub(crate) enum RunAnswer {
    /// The program ran.
    Done(Outcome),
    /// A step before `execve` failed.
    Failed(StepError),
    /// The program could not be executed, with this `errno`.
    NotExecuted(i32),
    /// The program was dropped before it started.
    Cancelled,
}

/// A request with the launcher's additional parameters.
#[derive(Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) request: Request,
    /// This run's own user, and group with the same number, at level `basic`.
    pub(crate) user: Option<u32>,
    /// How many launchers the grader has: so many programs may run at the same time.
    pub(crate) launchers: u32,
    /// The grader's temporary folder, to be removed if the grader is killed.
    pub(crate) guarded: Option<PathBuf>,
}

/// An answer from the namespace holder. The first one reports that the namespaces are ready. Then one per run reports
/// that it has started; it comes from the run's init, with the descriptor of its clock if it has one.
pub(crate) type HolderAnswer = Result<(), StepError>;
