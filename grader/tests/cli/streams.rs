//! Readers that leave, and runs that are stopped.

use std::io;
use std::process::{Child, Command, Stdio};

use crate::class::{SQUARE, squares};
use crate::harness::{Ran, Room};

/// Squares its argument; for 2 and 3 it never ends.
pub(crate) const STUCK: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) { int n = atoi(v[1]); (void)c; for (volatile int i = n; i > 1;) { } printf(\"%d\\n\", n * n); return 0; }\n";

/// The exit status of the grader if nobody reads what it writes.
fn unread(room: &Room, arguments: &[&str]) -> Option<i32> {
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let mut command = room.command(arguments);
    command.stdout(writer.try_clone().unwrap()).stderr(writer);
    command.status().unwrap().code()
}

#[test]
fn the_exit_status_is_the_same_if_nobody_reads_to_the_end() {
    let room = squares()
        .file("class/ann/square.c", SQUARE)
        .file("square.c", SQUARE)
        .file("one.c", SQUARE)
        .file("n-queens/problem.toml", "format = 1\n");
    for (arguments, status) in [
        (&["schema", "problem"][..], 0),
        (&["schema", "corrections"], 0),
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

/// The word on the command lines of the programs that run this case.
pub(crate) fn mark(room: &Room, case: &str) -> String {
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
pub(crate) fn stuck_processes(room: &Room) -> Vec<String> {
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

/// Whether a process has used more CPU time than a program that is not stuck: over 5 ticks of 10 ms.
fn has_worked(id: &String) -> bool {
    let line = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    // The name in brackets may have blanks; the fields after it begin with the state, which is the third of all.
    let fields = line.rsplit(") ").next().unwrap_or_default();
    let ticks = fields.split(' ').nth(14 - 3);
    ticks.is_some_and(|ticks| ticks.parse::<u64>().is_ok_and(|ticks| ticks > 5))
}

/// Waits until a stuck program runs.
pub(crate) fn wait_for_stuck(room: &Room, grader: &mut Child) {
    while !stuck_processes(room).iter().any(has_worked) {
        assert_eq!(grader.try_wait().unwrap(), None, "it ended");
        std::thread::yield_now();
    }
}

pub(crate) fn terminate(child: &Child) {
    let line = format!("kill -TERM {}", child.id());
    let status = Command::new("sh").args(["-c", &line]).status().unwrap();
    assert!(status.success());
}

#[cfg(target_os = "linux")]
#[test]
fn the_first_request_to_end_ends_a_test_at_once_and_leaves_nothing() {
    let room = with_time_and_marks(squares().file("square.c", STUCK).with_tmp());
    let mut child = room
        .command(&["test", "square.c", "-a", "./squares"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_stuck(&room, &mut child);
    terminate(&child);
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!((ran.status, ran.stderr.as_str()), (130, ""));
    // What ended is shown, and the case that ran is not waited for.
    assert!(ran.stdout.contains("✓ n=1"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("n=2"), "{}", ran.stdout);
    assert_eq!(std::fs::read_dir(room.path("tmp")).unwrap().count(), 0);
}
