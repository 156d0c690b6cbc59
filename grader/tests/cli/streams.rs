//! Readers that leave, reports that go elsewhere, and runs that are stopped.

use std::io::{self, BufRead as _, BufReader, Read as _};
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};

use crate::class::{SQUARE, squares};
use crate::harness::Room;

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

/// What the processes have on their command lines in which a program of `room_of_stuck` runs this case.
fn mark(room: &Room, case: &str) -> String {
    let place = room.path("").canonicalize().unwrap();
    let name = place.file_name().unwrap().to_str().unwrap();
    format!("stuck{name}-{case}")
}

/// Gives the programs of `squares` a mark on their command lines, and so much time that none that is stuck comes to its
/// end before the test is done with it, however busy the machine is.
pub(crate) fn with_time_and_marks(room: Room) -> Room {
    let mark = mark(&room, "{n}");
    room.replace(
        "squares/square/problem.toml",
        "time = \"2 s\"",
        "time = \"600 s\"\nwall = \"600 s\"",
    )
    .replace(
        "squares/square/problem.toml",
        "arguments = [\"{n}\"]",
        &format!("arguments = [\"{{n}}\", \"{mark}\"]"),
    )
}

/// The ids of the processes that run a case of `n = 2`, in which a stuck program stays.
fn stuck_processes(room: &Room) -> Vec<String> {
    let mark = mark(room, "2");
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let is_marked = |id: &String| {
        // A process may end while it is looked at.
        let line = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0)
            .any(|word| word == mark.as_bytes())
    };
    processes
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
        .filter(is_marked)
        .collect()
}

/// Waits until a stuck program runs.
pub(crate) fn wait_for_stuck(room: &Room, grader: &mut Child) {
    while stuck_processes(room).is_empty() {
        assert_eq!(grader.try_wait().unwrap(), None, "it ended");
        std::thread::yield_now();
    }
}

/// Ends the program that is stuck, by a signal that is a crash: what others end while the grader stops is not judged.
fn end_stuck(room: &Room) {
    let ids = stuck_processes(room);
    assert!(!ids.is_empty());
    let status = Command::new("kill").arg("-SEGV").args(ids).status();
    assert!(status.unwrap().success());
}

pub(crate) fn terminate(child: &Child) {
    let line = format!("kill -TERM {}", child.id());
    let status = Command::new("sh").args(["-c", &line]).status().unwrap();
    assert!(status.success());
}

/// Asks the grader to end, waits until it says that it will, and ends the program that it still waits for.
pub(crate) fn stop(room: &Room, child: &Child, stderr: &mut BufReader<ChildStderr>) -> String {
    terminate(child);
    let said = wait_for_stopping(stderr);
    end_stuck(room);
    said
}

fn wait_for_stopping(stderr: &mut BufReader<ChildStderr>) -> String {
    let mut said = String::new();
    while !said.ends_with("stops at once\n") {
        assert_ne!(stderr.read_line(&mut said).unwrap(), 0, "{said}");
    }
    said
}

/// Starts the test of a program that never ends, with temporary files in `tmp`, and waits until its first case
/// has passed and its second one runs.
fn stuck(room: &Room) -> (Child, BufReader<ChildStdout>, BufReader<ChildStderr>) {
    let mut child = room
        .command(&["test", "square.c", "-a", "./squares"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let stderr = BufReader::new(child.stderr.take().unwrap());
    let mut seen = Vec::new();
    while !String::from_utf8_lossy(&seen).contains("✓ n=1") {
        let mut byte = [0];
        let read = stdout.read(&mut byte).unwrap();
        assert_eq!(read, 1, "ended after {:?}", String::from_utf8_lossy(&seen));
        seen.push(byte[0]);
    }
    wait_for_stuck(room, &mut child);
    (child, stdout, stderr)
}

fn room_of_stuck() -> Room {
    let room = squares().file("square.c", STUCK).folder("tmp");
    let tmp = room.path("tmp").to_str().unwrap().to_owned();
    with_time_and_marks(room.env("TMPDIR", &tmp))
}

fn left_in_tmp(room: &Room) -> usize {
    std::fs::read_dir(room.path("tmp")).unwrap().count()
}

#[cfg(target_os = "linux")]
#[test]
fn a_request_to_end_finishes_what_runs_and_a_second_one_stops_at_once_and_leaves_nothing() {
    let room = room_of_stuck();
    let (mut child, mut stdout, mut stderr) = stuck(&room);
    terminate(&child);
    assert_eq!(
        wait_for_stopping(&mut stderr),
        "\nstopping after the cases that run; Ctrl-C again stops at once\n"
    );
    assert_eq!(left_in_tmp(&room), 1);
    terminate(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    // The case that ran was not waited for.
    assert!(!rest.contains("n=2"), "{rest}");
    assert_eq!(left_in_tmp(&room), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn after_one_request_to_end_the_case_that_runs_is_told_and_the_next_is_not_begun() {
    let room = room_of_stuck();
    let (mut child, mut stdout, mut stderr) = stuck(&room);
    stop(&room, &child, &mut stderr);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(rest.contains("✗ n=2  RE"), "{rest}");
    assert!(!rest.contains("n=3"), "{rest}");
    assert!(rest.contains("interrupted before the end"), "{rest}");
    assert_eq!(left_in_tmp(&room), 0);
}
