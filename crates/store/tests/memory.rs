//! Memory does not grow with the number of contents that are stored.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a panic in a test is its report")]
#![expect(dead_code, reason = "another test uses the rest of the sample")]

#[path = "ledger/sample.rs"]
mod sample;

use std::path::Path;

use grader_model::{Event, Sink as _, StudentId, StudentResult, Text};
use grader_store::Ledger;

/// The peak memory of this process, in KiB.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.unwrap().split_whitespace().nth(1).unwrap();
    number.parse().unwrap()
}

// The only test in its process: the peak is the process's.
/// A compressor takes 268 kB. With one for each content, ten thousand names without a submission took 2.5 GB.
#[test]
fn thousands_of_students_do_not_take_a_compressor_each() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(&folder.path().join("ledger.db"), Path::new("/classes/a")).unwrap();
    let run = ledger.begin(&sample::wanted(), Box::new(|_, error| panic!("{error}")));
    let run = run.unwrap();
    let mut kept = Vec::new();
    let before = peak();
    for number in 0..2_000 {
        let name = format!(
            "a student with the number {number}, and a note that is long enough to be compressed "
        );
        let student = StudentResult {
            id: StudentId::new(format!("s{number}")),
            notes: vec![Text::plain(name)],
            ..StudentResult::default()
        };
        let kind = sample::student_finished(&student);
        (&*run).event(&Event { at_ms: 0, kind }).unwrap();
        // As what reports need does.
        kept.push(student);
    }
    let grown = peak() - before;
    assert!(grown < 100 << 10, "{grown} KiB for {} students", kept.len());
}
