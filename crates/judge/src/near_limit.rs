//! How near to a limit a CPU time must be to need more runs.

use grader_model::{CpuTime, Limits};

/// A CPU time is near a threshold if it is between the threshold divided by this and multiplied by this: a shared
/// machine may be this much faster or slower than when the reference was measured. Further away, a wrong verdict needs
/// an error of more than this factor times the program's own margin.
pub(crate) const BAND: f64 = 1.3;

/// Whether a CPU time is within the band around a threshold.
pub(crate) fn is_near(cpu: CpuTime, threshold: CpuTime) -> bool {
    threshold.0 <= cpu.0.mul_f64(BAND) && cpu.0 < threshold.0.mul_f64(BAND)
}

/// The limits given to the sandbox. CPU time reaches to the end of the band above the limit, so that a program that is
/// a little too slow is seen to end.
pub(crate) fn with_band(limits: Limits) -> Limits {
    Limits {
        cpu: CpuTime(limits.cpu.0.mul_f64(BAND)),
        ..limits
    }
}
