//! Limits of a run.

use serde::{Deserialize, Serialize};

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
    /// Simultaneous processes and threads; enforced only by the strict sandbox.
    pub processes: u32,
}
