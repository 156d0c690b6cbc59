//! Readers that leave, reports that go elsewhere, and runs that are stopped.

use std::io::{self, BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};

use crate::class::{SQUARE, squares};
use crate::harness::{Room, has_folder};

/// Squares its argument; for 2 and 3 it never ends.
pub(crate) const STUCK: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) { int n = atoi(v[1]); (void)c; for (volatile int i = n; i > 1;) { } printf(\"%d\\n\", n * n); return 0; }\n";

/// The exit status of the grader where nobody reads what it writes.
fn unread(room: &Room, arguments: &[&str]) -> Option<i32> {
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let mut command = room.command(arguments);
    command.stdout(writer.try_clone().unwrap()).stderr(writer);
    command.status().unwrap().code()
}

#[test]
fn the_exit_status_is_the_same_when_nobody_reads_to_the_end() {
    let room = squares()
        .file("class/ann/square.c", SQUARE)
        .file("square.c", SQUARE)
        .file("one.c", SQUARE)
        .file("n-queens/problem.toml", "format = 1\n");
    for (arguments, status) in [
        (&["schema", "problem"][..], 0),
        (&["completions", "bash"], 0),
        (&["reference", "--help"], 0),
        (&["check", "squares"], 0),
        (&["check", "n-queens"], 2),
        (&["grade", "class", "-a", "./squares"], 0),
        (&["test", "square.c", "-a", "./squares"], 0),
        (&["test", "one.c", "-a", "./squares"], 1),
        // No sample submissions at all.
        (&["verify", "squares"], 1),
    ] {
        assert_eq!(unread(&room, arguments), Some(status), "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_report_may_go_to_a_stream_that_is_open_already() {
    let room = squares().file("class/ann/square.c", SQUARE);
    if !std::path::Path::new("/dev/fd/1").exists() {
        eprintln!("skipped: this system has no `/dev/fd`");
        return;
    }
    let ran = room.run(&["grade", "class", "-a", "./squares", "-o", "/dev/fd/1"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (0, "report written to `/dev/fd/1`\n")
    );
    assert!(
        ran.stdout.starts_with("Squares (squares)\n"),
        "{}",
        ran.stdout
    );
}

/// Starts the test of a program that never ends, with temporary files in `tmp`, and waits until its first case
/// has passed and its second one runs. The test would take as long as the time limit of two cases.
fn stuck(room: &Room) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut child = room
        .command(&["test", "square.c", "-a", "./squares"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut seen = Vec::new();
    while !String::from_utf8_lossy(&seen).contains("✓ n=1") {
        let mut byte = [0];
        let read = stdout.read(&mut byte).unwrap();
        assert_eq!(read, 1, "ended after {:?}", String::from_utf8_lossy(&seen));
        seen.push(byte[0]);
    }
    // The folder of the second run says that its case has begun.
    let tmp = room.path("tmp");
    while !has_folder(&tmp, "run-") {
        std::thread::yield_now();
    }
    (child, stdout)
}

fn room_of_stuck() -> Room {
    let room = squares().file("square.c", STUCK).folder("tmp").replace(
        "squares/square/problem.toml",
        "time = \"2 s\"",
        "time = \"3 s\"",
    );
    let tmp = room.path("tmp").to_str().unwrap().to_owned();
    room.env("TMPDIR", &tmp)
}

fn terminate(child: &Child) {
    let line = format!("kill -TERM {}", child.id());
    let status = Command::new("sh").args(["-c", &line]).status().unwrap();
    assert!(status.success());
}

fn left_in_tmp(room: &Room) -> usize {
    std::fs::read_dir(room.path("tmp")).unwrap().count()
}

#[cfg(unix)]
#[test]
fn a_request_to_end_finishes_what_runs_and_a_second_one_stops_at_once_and_leaves_nothing() {
    let room = room_of_stuck();
    let (mut child, mut stdout) = stuck(&room);
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    terminate(&child);
    let mut said = String::new();
    while !said.ends_with("stops at once\n") {
        assert_ne!(stderr.read_line(&mut said).unwrap(), 0, "{said}");
    }
    assert_eq!(
        said,
        "\nstopping after the cases that run; Ctrl-C again stops at once\n"
    );
    assert_eq!(left_in_tmp(&room), 1);
    terminate(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    // The case that ran was not waited for.
    assert!(!rest.contains("TLE"), "{rest}");
    assert_eq!(left_in_tmp(&room), 0);
}

#[cfg(unix)]
#[test]
fn after_one_request_to_end_the_case_that_runs_is_told_and_the_next_is_not_begun() {
    let room = room_of_stuck();
    let (mut child, mut stdout) = stuck(&room);
    terminate(&child);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(rest.contains("✗ n=2  TLE"), "{rest}");
    assert!(!rest.contains("n=3"), "{rest}");
    assert!(rest.contains("interrupted before the end"), "{rest}");
    assert_eq!(left_in_tmp(&room), 0);
}
