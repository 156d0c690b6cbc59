//! Defaults and maxima of problem files, with reasons where they are not obvious.

use std::ops::RangeInclusive;
use std::time::Duration;

use grader_model::{Bytes, CpuTime};

const MIB: u64 = 1 << 20;

// Limits on values in problem files.

/// Largest limit on the size of a submission: its sources stay in memory.
pub(crate) const MAX_SUBMISSION: u64 = 64 * MIB;
/// Range of memory limits.
pub(crate) const MIN_MEMORY: u64 = MIB;
pub(crate) const MAX_MEMORY: u64 = 64 << 30;
/// Largest limit on a run's output: it stays in memory while it is checked.
pub const MAX_OUTPUT: Bytes = Bytes(128 * MIB);
/// Largest input of a later pass: it stays in memory until that begins.
pub const MAX_NEXT_INPUT: Bytes = Bytes(64 * MIB);
/// Most cases of a subtask.
pub const MAX_CASES: usize = 10_000;
/// Most values that each student has of their own.
pub(crate) const MAX_OWN_VALUES: usize = 100;
/// Range of times.
pub(crate) const TIMES: RangeInclusive<Duration> =
    Duration::from_millis(1)..=Duration::from_secs(24 * 60 * 60);
/// Largest factor of a time.
pub(crate) const MAX_FACTOR: f64 = 1000.0;
/// Longest name of a case or subtask.
pub(crate) const MAX_NAME_CHARS: usize = 100;
/// Most attempts at a case.
pub(crate) const MAX_ATTEMPTS: u32 = 1000;
/// Limit on the validators of a problem or subtask.
pub(crate) const MAX_VALIDATORS: usize = 16;
/// Limit on the memory of compiled patterns.
pub(crate) const MAX_PATTERN_BYTES: usize = 256 << 10;
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
pub const MAX_FOLDER_DEPTH: usize = 16;

// Limits on messages about a file.

/// Most known names that are listed.
pub(crate) const MAX_LISTED: usize = 20;
/// How much of a found text is shown.
pub(crate) const MAX_FOUND_CHARS: usize = 60;
/// How much of a found value is shown.
pub(crate) const MAX_FOUND_BYTES: usize = 100;

// Defaults.

/// The version of the files that this grader reads.
pub(crate) const FORMAT: i64 = 1;
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
