//! Limits of a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Bytes, CpuTime, WallTime};

/// The limits of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// CPU time of the whole process tree.
    #[serde(rename = "cpu-ms")]
    pub cpu: CpuTime,
    /// Wall time: a lax second limit that catches sleepers.
    #[serde(rename = "wall-ms")]
    pub wall: WallTime,
    /// Memory of the whole process tree.
    #[serde(rename = "memory-bytes")]
    pub memory: Bytes,
    /// Largest size of each output (standard output, standard error, any file written).
    #[serde(rename = "output-bytes")]
    pub output: Bytes,
    /// Simultaneous processes and threads; enforced only by the strict sandbox.
    pub processes: u32,
}
