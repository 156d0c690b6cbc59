//! This crate's limits.

use std::time::Duration;

use grader_model::Bytes;

// Toolchains.

/// Time limit of a program that prints its version; a slower one is broken.
pub(crate) const MAX_PROBE_TIME: Duration = Duration::from_secs(60);

/// The interpreter for whose speed the time limits of many packages are made, and its name in versions.
pub(crate) const PYPY: &str = "pypy3";
pub(crate) const PYPY_NAME: &str = "PyPy";
/// Memory that PyPy gets on top of a program's limit: idle, it has 50 MiB resident; the rest is compiled code.
pub(crate) const PYPY_MEMORY: Bytes = Bytes(128 << 20);

// Sources.

/// Limit on a program's sources whose tokens are kept: nearly all are smaller, and a token may be one byte.
pub(crate) const MAX_KEPT_BYTES: usize = 64 << 10;
/// Longest name of an included file: a closing delimiter further away does not belong to it.
pub(crate) const MAX_INCLUDE_BYTES: usize = 256;
/// Limit on the tokens in the parameters of `main`, so that a source is not read to its end for every `main` in it.
pub(crate) const MAX_PARAMETER_TOKENS: usize = 64;
/// Limit on the tokens of a Java import.
pub(crate) const MAX_IMPORT_TOKENS: usize = 64;
/// Limit on the opened files that are reported.
pub(crate) const MAX_OPENED_FILES: usize = 8;
/// Limit on the quotients of a source that are kept.
pub(crate) const MAX_QUOTIENTS: usize = 8;

// Plans.

/// Limit on the files of a plan: their names are arguments of one command, and Linux limits those to 2 MiB.
pub(crate) const MAX_FILES: usize = 1000;
/// Longest component of a path: what file systems allow.
pub(crate) const MAX_PATH_PART_BYTES: usize = 255;
/// Longest path: with the build folder's path before it, it stays far below the system's 4096 bytes.
pub(crate) const MAX_PATH_BYTES: usize = 512;
/// Smallest heap with which the Java virtual machine starts without complaint.
pub(crate) const MIN_JAVA_HEAP_MIB: u64 = 8;

// Advice.

/// Limit on the pieces of advice: nobody reads more, and a source must not cause thousands.
pub(crate) const MAX_ADVICE: usize = 8;
/// Limit on the lines that one rule explains.
pub(crate) const MAX_LINES_PER_RULE: usize = 5;
/// Limit on a name whose spelling is compared.
pub(crate) const MAX_NAME_BYTES: usize = 40;
/// Limit on the lines that belong to the first error.
pub(crate) const MAX_LINES_ABOUT: usize = 16;
/// Limit on the tokens of a line that rules look at.
pub(crate) const MAX_LINE_TOKENS: usize = 200;
