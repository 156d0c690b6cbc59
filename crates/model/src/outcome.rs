//! Outcomes of runs.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Bytes, CpuTime, WallTime};

/// The outcome of one run, as the sandbox saw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// How the program ended.
    pub end: End,
    /// The limit for which the sandbox stopped it, if it did.
    pub breach: Option<Breach>,
    /// CPU time of the process tree.
    #[serde(rename = "cpu-ms")]
    pub cpu: CpuTime,
    /// Wall time from start to end.
    #[serde(rename = "wall-ms")]
    pub wall: WallTime,
    /// Peak resident memory; `None` if it could not be measured.
    #[serde(rename = "memory-bytes")]
    pub memory: Option<Bytes>,
    /// Kept bytes of standard output, up to the limit.
    #[serde(rename = "stdout-bytes")]
    pub stdout: Bytes,
    /// Kept bytes of standard error, up to the limit.
    #[serde(rename = "stderr-bytes")]
    pub stderr: Bytes,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// It exited with this status, 0 to 255.
    Exited(i32),
    /// This signal killed it.
    Signalled(i32),
}

impl End {
    /// Whether it exited with status 0.
    pub const fn is_success(self) -> bool {
        matches!(self, Self::Exited(0))
    }

    /// Name of the signal, if it has one: `SIGSEGV`.
    pub const fn signal_name(signal: i32) -> Option<&'static str> {
        Some(match signal {
            1 => "SIGHUP",
            2 => "SIGINT",
            3 => "SIGQUIT",
            4 => "SIGILL",
            5 => "SIGTRAP",
            6 => "SIGABRT",
            7 => "SIGBUS",
            8 => "SIGFPE",
            9 => "SIGKILL",
            11 => "SIGSEGV",
            13 => "SIGPIPE",
            14 => "SIGALRM",
            15 => "SIGTERM",
            24 => "SIGXCPU",
            25 => "SIGXFSZ",
            31 => "SIGSYS",
            _ => return None,
        })
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Exited(status) => write!(f, "exit status {status}"),
            Self::Signalled(signal) => match Self::signal_name(signal) {
                Some(name) => write!(f, "signal {signal} ({name})"),
                None => write!(f, "signal {signal}"),
            },
        }
    }
}

/// A limit that a run exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Breach {
    /// CPU time.
    Cpu,
    /// Wall time.
    Wall,
    /// Memory.
    Memory,
    /// Size of an output.
    Output,
}
