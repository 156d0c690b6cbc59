//! Limits on packages, which come from strangers, and defaults of their formats. The words of a format stand with their reader.

use grader_model::Bytes;
use grader_problem::MAX_OUTPUT;
pub(crate) use grader_problem::{MAX_CASES, MAX_FOLDER_DEPTH};

/// Maximum number of files in an imported problem.
pub(crate) const MAX_FILES: usize = 30_000;
/// Maximum number of entries of folders that are listed, each time that they are.
pub(crate) const MAX_ENTRIES: usize = 100_000;
/// Limit on all files of an imported problem together: links may name a large file many times.
pub(crate) const MAX_BYTES: Bytes = Bytes(4 << 30);
/// Largest limit on the output of a run in MiB.
pub(crate) const MAX_OUTPUT_MIB: f64 = MAX_OUTPUT.0 as f64 / 1_048_576.0;
/// Largest YAML or TOML file.
pub(crate) const MAX_YAML: Bytes = Bytes(1 << 20);

/// Maximum number of accepted submissions from which a time limit is derived.
pub(crate) const MAX_TIMED: usize = 16;
/// Limit on all files with constants together, which stay in memory, and on the text of a constant.
pub(crate) const MAX_FILLED_BYTES: usize = 64 << 20;
pub(crate) const MAX_CONSTANT_BYTES: usize = 256;
/// Maximum number of files of a submission that are searched for tags.
pub(crate) const MAX_TAG_FILES: usize = 20;
/// Maximum number of rules in `submissions.yaml`, and the longest pattern in bytes.
pub(crate) const MAX_RULES: usize = 1000;
pub(crate) const MAX_PATTERN_BYTES: usize = 256;
/// Maximum nesting of test groups in Kattis packages.
pub(crate) const MAX_GROUP_DEPTH: usize = 8;

/// Limit on the processes and threads of a validator of Kattis: the format has none.
pub(crate) const VALIDATOR_PROCESSES: u32 = 64;

/// Largest XML file of FPS, which has all tests of all its problems and stays in memory, the bytes by which it is recognised, and
/// those that may declare its encoding.
pub(crate) const MAX_FPS: Bytes = Bytes(256 << 20);
pub(crate) const MAX_FPS_HEAD_BYTES: usize = 4096;
pub(crate) const MAX_DECLARATION_BYTES: usize = 256;
/// Largest `problem.xml` (Polygon).
pub(crate) const MAX_XML: Bytes = Bytes(8 << 20);
/// Maximum number of elements, texts and comments in it.
pub(crate) const MAX_XML_NODES: u32 = 1 << 20;
/// Maximum number of attributes of an element: the parser compares each with all others.
pub(crate) const MAX_XML_ATTRIBUTES: usize = 1000;
/// Maximum number of namespaces that it declares; real packages declare none. The parser's time grows with the cube of those
/// that are nested.
pub(crate) const MAX_XML_NAMESPACES: usize = 100;
/// Maximum number of subtasks in a Polygon package: tests with different points are different subtasks.
pub(crate) const MAX_SUBTASKS: usize = 200;

/// Default output limit of DMOJ in bytes.
pub(crate) const DEFAULT_OUTPUT_BYTES: f64 = 25_165_824.0;
/// Limit on all case files of a DMOJ package together: they stay in memory.
pub(crate) const MAX_CASE_DATA: Bytes = Bytes(512 << 20);
/// Maximum number of entries in the archive with cases.
pub(crate) const MAX_ARCHIVE_ENTRIES: usize = 100_000;
/// Longest path in bytes.
pub(crate) const MAX_PATH_BYTES: usize = 1024;
/// Longest arguments of a generator in bytes: they are repeated in each case.
pub(crate) const MAX_ARGUMENT_BYTES: usize = 4096;
