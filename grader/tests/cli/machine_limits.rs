//! Limits of the machine, its container or its user are not a student's failure.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::class::{GRADE, SQUARE, squares};
use crate::harness::{Ran, Room, have, problem, student};

/// A control group in which there may be so many processes, removed when dropped.
struct Group(PathBuf);

impl Group {
    /// Prints if this user may make none here.
    fn of(processes: u32) -> Option<Self> {
        let own = fs::read_to_string("/proc/self/cgroup").unwrap();
        let own = own.lines().find_map(|line| line.split_once(":pids:"));
        let own = own.map(|(_, path)| path.trim_start_matches('/'));
        let above = PathBuf::from("/sys/fs/cgroup/pids").join(own.unwrap_or("none"));
        let group = Self(above.join(format!(
            "bitcraft-limits-{processes}-{}",
            std::process::id()
        )));
        let made = fs::create_dir(&group.0);
        if made
            .and_then(|()| fs::write(group.0.join("pids.max"), processes.to_string()))
            .is_err()
        {
            eprintln!("skipped: this user may make no control group that limits processes here");
            return None;
        }
        Some(group)
    }

    /// The grader in the group.
    fn run(&self, room: &Room, arguments: &[&str]) -> Ran {
        let grader = room.command(arguments);
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", "echo $$ > \"$0\" && exec \"$@\""])
            .arg(self.0.join("cgroup.procs"))
            .arg(grader.get_program())
            .args(grader.get_args());
        ended(room.prepared(command))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // A launcher that was dismissed may need a moment to end.
        for _ in 0..100 {
            match fs::remove_dir(&self.0) {
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                    std::thread::yield_now();
                }
                _ => break,
            }
        }
    }
}

/// The grader, killed if it does not end.
fn ended(command: Command) -> Ran {
    let mut command = assert_cmd::Command::from_std(command);
    Ran::of(command.timeout(Duration::from_secs(1200)).output().unwrap())
}

/// The grader with hard limits that `prlimit` sets.
fn limited(room: &Room, limit: &str, arguments: &[&str]) -> Ran {
    let grader = room.command(arguments);
    let mut command = Command::new("prlimit");
    command
        .arg(limit)
        .arg(grader.get_program())
        .args(grader.get_args());
    ended(room.prepared(command))
}

/// What became of a program, with its message.
fn verdict(results: &Value, id: &str) -> (String, String) {
    let square = problem(student(results, id), "square");
    let cases = square["subtasks"][0]["cases"].as_array();
    let case = cases.and_then(|cases| cases.iter().find(|it| it["verdict"] == square["verdict"]));
    let message = [&square["message"], &case.unwrap_or(&Value::Null)["message"]];
    let message = message
        .iter()
        .find_map(|it| it.as_str())
        .unwrap_or_default();
    (
        square["verdict"].as_str().unwrap().to_owned(),
        message.to_owned(),
    )
}

/// Starts 40 processes, which it may, and prints the square.
const FORKS: &str = "import os, sys, time
children = []
for _ in range(40):
    child = os.fork()
    if not child:
        time.sleep(60)
    children.append(child)
for child in children:
    os.kill(child, 9)
print(int(sys.argv[1]) ** 2)
";

#[test]
fn a_control_group_without_room_for_processes_is_a_judge_error() {
    if !have(&["python3"]) {
        return;
    }
    // Fewer than the program needs, enough for the grader.
    let Some(group) = Group::of(40) else {
        return;
    };
    let room = squares()
        .replace(
            "squares/square/problem.toml",
            "time = \"2 s\"",
            "time = \"2 s\"\nprocesses = 50",
        )
        .file("class/ann/square.py", FORKS);
    let alone = room.run(&[&GRADE[..], &["--json", "-"]].concat());
    let alone: Value = serde_json::from_str(&alone.stdout).unwrap();
    assert_eq!(verdict(&alone, "ann"), ("AC".to_owned(), String::new()));
    for level in ["auto", "basic"] {
        let ran = group.run(
            &room,
            &[
                &GRADE[..],
                &["-j", "1", "--isolation", level, "--json", "-"],
            ]
            .concat(),
        );
        assert_eq!(ran.status, 3, "{level}: {}", ran.stderr);
        let results: Value = serde_json::from_str(&ran.stdout).unwrap();
        let (verdict, message) = verdict(&results, "ann");
        let place = group.0.display();
        let expected = format!(
            "the control group `{place}` has room for 40 processes (`pids.max`), too few for the programs that run at \
             the same time: raise it, or use fewer jobs (`--jobs`)"
        );
        assert_eq!(verdict, "JE", "{level}: {message}");
        assert_eq!(message.matches(&expected).count(), 1, "{level}: {message}");
    }
    let doctor = group.run(&room, &["doctor"]);
    let warning = format!(
        "\nwarning: the control group `{}` has room for 40 processes (`pids.max`), and ",
        group.0.display()
    );
    assert!(doctor.stdout.contains(&warning), "{}", doctor.stdout);
}

const JAVA: &str = "public class Square { public static void main(String[] a) { int n = Integer.parseInt(a[0]); \
                    System.out.println(n * n); } }\n";

#[test]
fn a_control_group_without_room_for_a_compiler_is_no_compile_error() {
    if !have(&["javac", "java"]) {
        return;
    }
    // Enough for one job, not for two.
    let Some(group) = Group::of(28) else {
        return;
    };
    let mut room = squares();
    for id in ["ann", "bob", "cat", "dan"] {
        room = room.file(&format!("class/{id}/Square.java"), JAVA);
    }
    let ran = group.run(&room, &[&GRADE[..], &["-j", "2", "--json", "-"]].concat());
    let results: Value = serde_json::from_str(&ran.stdout).unwrap();
    for id in ["ann", "bob", "cat", "dan"] {
        let (verdict, message) = verdict(&results, id);
        assert!(
            ["AC", "JE"].contains(&&*verdict),
            "{id}: {verdict}: {message}"
        );
    }
}

#[test]
fn a_hard_limit_below_what_programs_need_is_a_missing_layer() {
    if !have(&["prlimit"]) {
        return;
    }
    let room = squares().file("class/ann/square.c", SQUARE);
    for (limit, reason) in [
        (
            "--stack=8388608:8388608",
            "the hard limit on the stack is 8388608 (`ulimit -H -s`), and programs need no limit",
        ),
        (
            "--cpu=500:500",
            "the hard limit on CPU time is 500 (`ulimit -H -t`), and programs need 3600",
        ),
        (
            "--nofile=128:128",
            "the hard limit on open files is 128 (`ulimit -H -n`), and programs need 256",
        ),
    ] {
        let ran = limited(
            &room,
            limit,
            &["grade", "class", "-a", "./squares", "--isolation", "strict"],
        );
        assert_eq!((ran.status, &*ran.stdout), (3, ""), "{limit}");
        let layer = "  resource-limits    missing  ";
        assert!(
            ran.stderr.contains(layer) && ran.stderr.contains(reason),
            "{limit}: {}",
            ran.stderr
        );
    }
}

/// Fails if it cannot recurse 40 MB deep.
const DEEP: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
    static int deep(int n) { volatile char pad[1000]; pad[n % 1000] = 1; return n ? deep(n - 1) + pad[n % 1000] : 0; }\n\
    int main(int c, char **v) { int n = atoi(v[1]); (void)c; if (deep(40000) < 1) return 1; printf(\"%d\\n\", n * n); \
    return 0; }\n";

#[test]
fn a_program_that_fails_below_a_hard_limit_is_not_scored() {
    if !have(&["prlimit", "gcc"]) {
        return;
    }
    let room = squares()
        .file("class/ann/square.c", DEEP)
        .file("class/bob/square.c", SQUARE);
    let grade = [&GRADE[..], &["--isolation", "basic", "--json", "-"]].concat();
    let ran = limited(&room, "--stack=8388608:8388608", &grade);
    assert_eq!(ran.status, 3, "{}", ran.stderr);
    let results: Value = serde_json::from_str(&ran.stdout).unwrap();
    let (ann, why) = verdict(&results, "ann");
    assert_eq!((&*ann, &*verdict(&results, "bob").0), ("JE", "AC"), "{why}");
    let reason =
        "the hard limit on the stack is 8388608 (`ulimit -H -s`), and programs need no limit";
    assert!(why.contains(reason), "{why}");
}

#[test]
fn a_limit_on_the_size_of_files_does_not_end_the_grader() {
    if !have(&["prlimit"]) {
        return;
    }
    let room = squares().keeping().file("class/ann/square.c", SQUARE);
    let grade = [&GRADE[..], &["--isolation", "basic"]].concat();
    let ran = limited(&room, "--fsize=20000:20000", &grade);
    assert_eq!(ran.status, 3, "{ran:?}");
}
