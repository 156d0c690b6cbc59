//! What a run may use.

use schemars::JsonSchema;
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
#[derive(Default, Serialize, Deserialize, JsonSchema)]
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
        <Self as Deserialize>::deserialize(deserializer).map(Self::limits)
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
