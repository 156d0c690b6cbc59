//! What a run did.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Bytes, CpuTime, WallTime};

/// What one run did, as far as the sandbox can tell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Outcome {
    /// How the program ended.
    pub end: End,
    /// The limit for which the sandbox stopped it, if it did.
    pub breach: Option<Breach>,
    /// CPU time of the process tree.
    pub cpu: CpuTime,
    /// Wall time from start to end.
    pub wall: WallTime,
    /// Peak resident memory; nothing where it could not be measured.
    pub memory: Option<Bytes>,
    /// Bytes of standard output that were kept (the cap where it was reached).
    pub stdout: Bytes,
    /// Bytes of standard error that were kept (the cap where it was reached).
    pub stderr: Bytes,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

    /// Usual name of the signal, where it has one: `SIGSEGV`.
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

/// A limit that a run went over.
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

/// The keys of a case under which its outcome is written, all `null` if it was not run.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct OutcomeKeys {
    /// Exit status; `null` if a signal ended the program.
    exit: Option<i32>,
    /// Number of the signal that ended the program.
    signal: Option<i32>,
    /// The limit for which the sandbox stopped the program.
    breach: Option<Breach>,
    /// CPU time of the process tree.
    cpu_ms: Option<CpuTime>,
    /// Wall time from start to end.
    wall_ms: Option<WallTime>,
    /// Peak resident memory, rounded up.
    memory_kib: Option<u64>,
    /// Size of standard output, up to the limit.
    stdout_bytes: Option<Bytes>,
    /// Size of standard error, up to the limit.
    stderr_bytes: Option<Bytes>,
}

impl OutcomeKeys {
    #[expect(clippy::ref_option, reason = "serde passes the field")]
    pub(crate) fn serialize<S: Serializer>(
        outcome: &Option<Outcome>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let keys = outcome.as_ref().map_or_else(Self::default, |outcome| Self {
            exit: match outcome.end {
                End::Exited(status) => Some(status),
                End::Signalled(_) => None,
            },
            signal: match outcome.end {
                End::Exited(_) => None,
                End::Signalled(signal) => Some(signal),
            },
            breach: outcome.breach,
            cpu_ms: Some(outcome.cpu),
            wall_ms: Some(outcome.wall),
            memory_kib: outcome.memory.map(Bytes::kib),
            stdout_bytes: Some(outcome.stdout),
            stderr_bytes: Some(outcome.stderr),
        });
        Serialize::serialize(&keys, serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Outcome>, D::Error> {
        <Self as Deserialize>::deserialize(deserializer).map(Self::outcome)
    }

    /// `None` if a key that every run has is `null`.
    fn outcome(self) -> Option<Outcome> {
        let exited = self.exit.map(End::Exited);
        Some(Outcome {
            end: exited.or(self.signal.map(End::Signalled))?,
            breach: self.breach,
            cpu: self.cpu_ms?,
            wall: self.wall_ms?,
            memory: self.memory_kib.map(|kib| Bytes(kib * 1024)),
            stdout: self.stdout_bytes?,
            stderr: self.stderr_bytes?,
        })
    }
}
