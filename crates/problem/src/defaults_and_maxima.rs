//! What runs may use at most, and what they get if the problem does not say.

use grader_model::{Bytes, CpuTime};

use crate::value::Size;

const MIB: u64 = 1 << 20;

pub(crate) type SubmissionSize = Size<1, { 64 * MIB }>;
pub(crate) type MemorySize = Size<MIB, { 64 << 30 }>;
pub(crate) type OutputSize = Size<1, { 128 * MIB }>;

pub(crate) const DEFAULT_SUBMISSION_SIZE: Bytes = Bytes(MIB);
pub(crate) const DEFAULT_MEMORY: Bytes = Bytes(256 * MIB);
pub(crate) const DEFAULT_OUTPUT: Bytes = Bytes(64 << 10);
pub(crate) const DEFAULT_COMPILE_TIME: CpuTime = CpuTime::from_millis(60_000);
pub(crate) const DEFAULT_CHECKER_CPU: CpuTime = CpuTime::from_millis(10_000);
pub(crate) const DEFAULT_CHECKER_MEMORY: Bytes = Bytes(1 << 30);
pub(crate) const DEFAULT_CONFIRM: u32 = 3;
pub(crate) const DEFAULT_GROWTH_UNTIL: CpuTime = CpuTime::from_millis(1000);
