//! Whole outputs, kept in files: `src/snapshots/<name>`.

use std::fs;
use std::path::Path;

use grader_model::{Results, StudentId};

/// Asserts that the output is the one that is kept. Set `BITCRAFT_BLESS` to keep it instead, and read what changed.
pub(crate) fn assert_kept(name: &str, output: &[u8]) {
    let output = std::str::from_utf8(output).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src/snapshots")
        .join(name);
    if std::env::var_os("BITCRAFT_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, output).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(stored == output, "{name} is now:\n{output}");
}

/// The results of this student alone.
pub(crate) fn only(results: &Results, student: &StudentId) -> Results {
    let mut results = results.clone();
    results.students.retain(|other| other.id == *student);
    results
}

/// The results of each student alone.
pub(crate) fn each(results: &Results) -> impl Iterator<Item = Results> {
    let students = results.students.iter();
    students.map(|student| only(results, &student.id))
}

/// What a format writes.
pub(crate) fn written(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> Vec<u8> {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    out
}
