//! Caps on what is read of a package: packages come from strangers.

use grader_model::{Bytes, Points};

/// Most files of an imported problem.
pub(crate) const MAX_FILES: usize = 30_000;
/// Deepest nesting of folders: a link may lead into its own folder.
pub(crate) const MAX_FOLDER_DEPTH: usize = 16;
/// Most cases of a subtask, as in problem files.
pub(crate) const MAX_CASES: usize = 10_000;
/// Most points of a subtask, as in problem files.
pub(crate) const MAX_POINTS: Points = Points::whole(1_000_000);
/// Largest YAML file.
pub(crate) const MAX_YAML: Bytes = Bytes(1 << 20);

/// Deepest nesting of test groups in packages of Kattis.
pub(crate) const MAX_GROUP_DEPTH: usize = 8;

/// Largest `problem.xml` of Polygon.
pub(crate) const MAX_XML: Bytes = Bytes(8 << 20);
/// Most elements, texts and comments in it.
pub(crate) const MAX_XML_NODES: u32 = 1 << 20;
/// Most attributes of an element: the parser compares each with all others.
pub(crate) const MAX_XML_ATTRIBUTES: usize = 1000;
/// Most subtasks of a package of Polygon: tests with different points are different subtasks.
pub(crate) const MAX_SUBTASKS: usize = 200;

/// Most bytes of all files of cases of a package of DMOJ: they stay in memory.
pub(crate) const MAX_CASE_DATA: Bytes = Bytes(512 << 20);
/// Most entries of the archive with cases.
pub(crate) const MAX_ARCHIVE_ENTRIES: usize = 100_000;
/// Longest path in bytes.
pub(crate) const MAX_PATH_BYTES: usize = 1024;
/// Most bytes of a generator's arguments: they are repeated in each case.
pub(crate) const MAX_ARGUMENT_BYTES: usize = 4096;
