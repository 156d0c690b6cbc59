//! What a run may use.

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Bytes, CpuTime, WallTime};

/// The limits of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Limits {
    /// CPU time of the whole process tree.
    pub cpu: CpuTime,
    /// Wall time: a lax second limit that catches sleepers.
    pub wall: WallTime,
    /// Memory of the whole process tree.
    pub memory: Bytes,
    /// Largest size of each output (standard output, standard error, any file written).
    pub output: Bytes,
    /// Number of processes and threads at one time; held only where the sandbox can.
    pub processes: u32,
}

/// The keys of a case under which its limits are written, all `null` if it was not run.
#[derive(Serialize, Deserialize, JsonSchema)]
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
        let keys = Self {
            limit_cpu_ms: limits.map(|limits| limits.cpu),
            limit_wall_ms: limits.map(|limits| limits.wall),
            limit_memory_bytes: limits.map(|limits| limits.memory),
            limit_output_bytes: limits.map(|limits| limits.output),
            limit_processes: limits.map(|limits| limits.processes),
        };
        Serialize::serialize(&keys, serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Limits>, D::Error> {
        let keys: Self = Deserialize::deserialize(deserializer)?;
        let Some(cpu) = keys.limit_cpu_ms else {
            return Ok(None);
        };
        let missing = || D::Error::custom("a case that was run has all its limits");
        Ok(Some(Limits {
            cpu,
            wall: keys.limit_wall_ms.ok_or_else(missing)?,
            memory: keys.limit_memory_bytes.ok_or_else(missing)?,
            output: keys.limit_output_bytes.ok_or_else(missing)?,
            processes: keys.limit_processes.ok_or_else(missing)?,
        }))
    }
}
