//! The canary: a program of ours that tries to get out of the strict sandbox in every way it knows.
//!
//! What makes a sandbox is that attempts fail, not that its layers were set up. So the launcher's binary is run
//! once more, as an ordinary program, and tries; each attempt in a child of its own, because a forbidden system
//! call may be its death. Outside, the grader has put out bait: a process, services, a file and shared memory,
//! which are anybody's to reach who gets out. What a program could only hide (CPU time, memory) is judged from
//! outside by what was charged to it.
//!
//! No attempt does harm where it succeeds: it asks for what changes nothing, or takes back at once what it did,
//! or asks with an argument that is refused only after the permission was found. Such a late refusal is no denial.

#[cfg(target_os = "linux")]
mod bait;
#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod found;
#[cfg(target_os = "linux")]
mod inside;
#[cfg(target_os = "linux")]
mod network;
#[cfg(target_os = "linux")]
mod outside;
#[cfg(target_os = "linux")]
mod processes;
#[cfg(target_os = "linux")]
mod rights;

use serde::{Deserialize, Serialize};

#[cfg(target_os = "linux")]
pub(crate) use inside::serve;
#[cfg(target_os = "linux")]
pub use outside::{attempts, whereabouts};

/// The argument that makes a launcher the canary.
#[cfg(target_os = "linux")]
pub(crate) const CANARY: &str = "canary";

/// One attempt of [`attempts`] to get out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Attempt {
    /// What was tried, in a few technical English words: `mount a tmpfs`.
    pub what: String,
    /// Whether it was denied, as it must be.
    pub denied: bool,
    /// What came of it: the error, or what was reached.
    pub found: String,
}

/// Runs a program of ours in the sandbox that tries to get out in every way it knows.
///
/// # Errors
/// When it could not be run.
#[cfg(not(target_os = "linux"))]
pub fn attempts(_runner: &crate::StrictRunner) -> Result<Vec<Attempt>, crate::SandboxError> {
    Err(crate::SandboxError::Protocol(
        "strict isolation is built from parts of Linux".to_owned(),
    ))
}

/// Runs a program of ours on this core, and tells on which it may run by its own word: on this one alone.
///
/// # Errors
/// When it could not be run.
#[cfg(not(target_os = "linux"))]
pub fn whereabouts(
    _runner: &dyn crate::Runner,
    _launcher: &crate::LauncherCommand,
    _core: crate::Core,
) -> Result<Vec<crate::Core>, crate::SandboxError> {
    Err(crate::SandboxError::Protocol(
        "programs are put on cores by a service of Linux".to_owned(),
    ))
}

/// What the canary is to do; it reads this from its standard input.
#[cfg(target_os = "linux")]
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Task {
    /// Try everything, and say what came of it.
    Escape(Scene),
    /// Use so many milliseconds of CPU time in a child that nobody waits for.
    HideTime(u64),
    /// Fill so many mebibytes in each of so many processes.
    TakeMemory(u64, u32),
    /// Say on which cores it may run.
    Whereabouts,
}

/// What is outside, and what is allowed inside.
#[cfg(target_os = "linux")]
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Scene {
    /// A process of the grader's user.
    decoy: i32,
    /// A file that anybody may read.
    file: String,
    /// The name of an abstract socket on which somebody listens.
    abstract_socket: String,
    /// The same with a file.
    socket: String,
    /// A TCP port of 127.0.0.1 on which somebody listens.
    port: u16,
    /// The id of a shared memory segment that anybody may read.
    shared: i32,
    /// Processes that the canary may have, itself among them.
    processes: u32,
}

/// What the canary says, one a line.
#[cfg(target_os = "linux")]
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    /// It is about to try this.
    Trying(String),
    /// This came of it.
    Tried(Attempt),
}
