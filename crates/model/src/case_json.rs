//! JSON keys of a case's outcome and limits, which are flattened into the case.

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Breach, Bytes, CpuTime, End, Limits, Outcome, WallTime};

/// Keys of a case with its outcome; all `null` if it was not run.
#[derive(Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
        let keys = <Self as Deserialize>::deserialize(deserializer)?;
        if keys == Self::default() {
            return Ok(None);
        }
        let incomplete = || D::Error::custom("the keys of a run are incomplete");
        keys.outcome().map(Some).ok_or_else(incomplete)
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

/// Keys of a case with its limits; all `null` if it was not run.
#[derive(Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::struct_field_names, reason = "they are keys beside others")]
pub(crate) struct LimitKeys {
    /// Limit of CPU time.
    limit_cpu_ms: Option<CpuTime>,
    /// Limit of wall time.
    limit_wall_ms: Option<WallTime>,
    /// Limit of memory.
    limit_memory_bytes: Option<Bytes>,
    /// Limit of each output.
    limit_output_bytes: Option<Bytes>,
    /// Limit of processes and threads.
    limit_processes: Option<u32>,
}

impl LimitKeys {
    #[expect(clippy::ref_option, reason = "serde passes the field")]
    pub(crate) fn serialize<S: Serializer>(
        limits: &Option<Limits>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let keys = limits.map_or_else(Self::default, |limits| Self {
            limit_cpu_ms: Some(limits.cpu),
            limit_wall_ms: Some(limits.wall),
            limit_memory_bytes: Some(limits.memory),
            limit_output_bytes: Some(limits.output),
            limit_processes: Some(limits.processes),
        });
        Serialize::serialize(&keys, serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Limits>, D::Error> {
        let keys = <Self as Deserialize>::deserialize(deserializer)?;
        if keys == Self::default() {
            return Ok(None);
        }
        let incomplete = || D::Error::custom("the keys of the limits are incomplete");
        keys.limits().map(Some).ok_or_else(incomplete)
    }

    /// `None` if one of them is `null`.
    fn limits(self) -> Option<Limits> {
        Some(Limits {
            cpu: self.limit_cpu_ms?,
            wall: self.limit_wall_ms?,
            memory: self.limit_memory_bytes?,
            output: self.limit_output_bytes?,
            processes: self.limit_processes?,
        })
    }
}
