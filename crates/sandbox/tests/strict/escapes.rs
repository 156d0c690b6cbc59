//! Ways out of the sandbox: each must be refused, and by whoever grades.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use grader_model::End;
use grader_sandbox::System;

use crate::harness::Bench;

/// Tries each way in a child of its own, because a forbidden system call may be its death, and prints those that
/// worked. Never run it outside of a sandbox. The arguments are a process and a file of the host.
const ESCAPES: &str = include_str!("escapes.c");

#[test]
fn every_way_out_is_refused() {
    let bench = Bench::c(ESCAPES).unwrap();
    // It ends when its input does.
    let mut decoy = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
    let file = bench.path("secret");
    fs::write(&file, "42").unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
    let mut bench = bench
        .limits(|limits| limits.processes = 8)
        .arguments([decoy.id().to_string(), file.display().to_string()]);
    for system in [System::Runtime, System::Whole] {
        bench.request.system = system;
        let done = bench.run();
        assert_eq!(done.outcome.end, End::Exited(0), "{done:?}");
        assert_eq!(done.text(), "49 tried\n");
    }
    drop(decoy.stdin.take());
    assert!(decoy.wait().unwrap().success());
}
