//! Defaults and maxima of problem files, with reasons where they are not obvious.

use grader_model::{Bytes, CpuTime};

use crate::value::Size;

const MIB: u64 = 1 << 20;

// Limits on values in problem files.

/// Size of a submission: its sources stay in memory.
pub(crate) type SubmissionSize = Size<1, { 64 * MIB }>;
pub(crate) type MemorySize = Size<MIB, { 64 << 30 }>;
/// Size of a run's output: it stays in memory while it is checked.
pub(crate) type OutputSize = Size<1, { 128 * MIB }>;
/// Most cases of a subtask.
pub(crate) const MAX_CASES: u128 = 10_000;
/// Largest drawn board: it must fit into the largest output.
pub(crate) const MAX_DRAWN_BOARD: u32 = 10_000;
pub(crate) const MAX_COLUMNS: u32 = 10_000_000;
/// Minimum number of cases in a growth subtask: a line through fewer points has no useful interval.
pub(crate) const MIN_GROWTH_CASES: usize = 4;
/// Maximum of `until`: half of the longest run allowed in a growth subtask.
pub(crate) const MAX_GROWTH_UNTIL: CpuTime = CpuTime::from_millis(30_000);

// Limits on files in a library.

/// Longest argument that Linux passes to a program: 128 KiB with the final NUL byte.
pub(crate) const MAX_ARGUMENT_BYTES: usize = (128 << 10) - 1;
/// All arguments of a program together: half of what Linux passes if the stack limit is 8 MiB.
pub(crate) const MAX_ARGUMENTS_BYTES: usize = 1 << 20;
/// Largest file: it stays in memory.
pub(crate) const MAX_FILE: Bytes = Bytes(1 << 30);
/// All inputs and answers of a problem together: they stay in memory.
pub(crate) const MAX_DATA: Bytes = Bytes(1 << 30);
/// Deepest nesting of source folders: a link may point into its own folder.
pub(crate) const MAX_FOLDER_DEPTH: usize = 16;

// Defaults.

pub(crate) const DEFAULT_SUBMISSION_SIZE: Bytes = Bytes(MIB);
/// Enough for a first-year program that does what it should. A multiple of the reference would need one.
pub(crate) const DEFAULT_TIME: CpuTime = CpuTime::from_millis(2000);
pub(crate) const DEFAULT_MEMORY: Bytes = Bytes(256 * MIB);
pub(crate) const DEFAULT_OUTPUT: Bytes = Bytes(64 << 10);
pub(crate) const DEFAULT_COMPILE_TIME: CpuTime = CpuTime::from_millis(60_000);
pub(crate) const DEFAULT_CHECKER_CPU: CpuTime = CpuTime::from_millis(10_000);
pub(crate) const DEFAULT_CHECKER_MEMORY: Bytes = Bytes(1 << 30);
/// Pairs of runs near a limit.
pub(crate) const DEFAULT_CONFIRM: u32 = 3;
pub(crate) const DEFAULT_GROWTH_UNTIL: CpuTime = CpuTime::from_millis(1000);
