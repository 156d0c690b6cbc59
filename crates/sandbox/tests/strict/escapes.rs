//! Ways out of the sandbox: all are refused, whoever grades.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use grader_model::End;
use grader_sandbox::SystemFolders;

use crate::harness::Bench;

/// Tries each way in a new child, because a forbidden system call may kill it, and prints those that worked. Never run
/// it outside a sandbox. The arguments are a host process and a host file.
const ESCAPES: &str = include_str!("escapes.c");

#[test]
fn every_way_out_is_refused() {
    let bench = Bench::c(ESCAPES).unwrap();
    // It ends with its input.
    let mut decoy = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
    let file = bench.path("secret");
    fs::write(&file, "42").unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
    let mut bench = bench
        .limits(|limits| limits.processes = 8)
        .arguments([decoy.id().to_string(), file.display().to_string()]);
    for system in [SystemFolders::Runtime, SystemFolders::Whole] {
        bench.request.system = system;
        let done = bench.run();
        assert_eq!(done.outcome.end, End::Exited(0), "{done:?}");
        assert_eq!(done.text(), "49 tried\n");
    }
    drop(decoy.stdin.take());
    assert!(decoy.wait().unwrap().success());
}
