//! Programs that reach for more than their answer.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use serde_json::Value;

use crate::harness::{Room, has_folder, have, problem, student};

/// A task with three cases, each worth a point: print `n`.
fn room(run: &str) -> Room {
    Room::new()
        .file(
            "assignment.toml",
            "format = 1\nid = \"mischief\"\ntitle = { zh = \"捣蛋\", en = \"Mischief\" }\n[[problem]]\npath = \"task\"\npoints = 3\n",
        )
        .file(
            "task/problem.toml",
            format!(
                r#"
format = 1
id = "task"
title = {{ zh = "题", en = "Task" }}

[submission]
files = ["task.*"]

[run]
arguments = ["{{n}}"]
{run}

[limits]
time = "5 s"

[checker.tokens]

[[subtask]]
name = "all"
points = 3
[[subtask.case]]
name = "n=1"
variables = {{ n = 1 }}
answer = "1\n"
[[subtask.case]]
name = "n=2"
variables = {{ n = 2 }}
answer = "2\n"
[[subtask.case]]
name = "n=3"
variables = {{ n = 3 }}
answer = "3\n"
"#
            ),
        )
}

/// A C program with the body of `main`, in which `n` is the argument.
fn c(body: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/stat.h>\n#include <unistd.h>\nint main(int c, char **v) {{ int n = atoi(v[1]); (void)c; {body} return 0; }}\n"
    )
}

fn results(room: &Room) -> Value {
    room.json(&["grade", "class", "-a", ".", "--format", "json"])
        .1
}

/// The verdicts of the cases of the one student, and the points.
fn outcome(room: &Room) -> (Vec<String>, Value) {
    outcome_of(&results(room))
}

/// The same where nothing but limits holds a program: what it can reach there must not become our fault.
fn outcome_without_sandbox(room: &Room) -> (Vec<String>, Value) {
    let basic = ["--isolation", "basic"];
    let arguments = ["grade", "class", "-a", ".", "--format", "json"];
    outcome_of(&room.json(&[&arguments[..], &basic].concat()).1)
}

fn outcome_of(results: &Value) -> (Vec<String>, Value) {
    let problem = problem(student(results, "eve"), "task");
    let cases = problem["subtasks"][0]["cases"].as_array().unwrap();
    let verdicts = cases
        .iter()
        .map(|case| case["verdict"].as_str().unwrap().to_owned())
        .collect();
    (verdicts, problem["points"].clone())
}

#[test]
fn a_package_is_not_a_way_out_of_the_build_folder() {
    if !have(&["javac", "java"]) {
        return;
    }
    let room = room("");
    let outside = room.path("outside");
    let package = outside.to_str().unwrap().to_owned();
    let source = format!(
        "package {package};\npublic class Task {{ public static void main(String[] a) {{ System.out.println(a[0]); }} }}\n"
    );
    let room = room.file("class/eve/Task.java", source);
    let (verdicts, points) = outcome(&room);
    assert_eq!(verdicts, ["CE", "CE", "CE"]);
    assert_eq!(points, 0);
    assert!(!outside.exists());
}

#[test]
fn a_flood_on_standard_error_is_named_as_such() {
    let room = room("").file(
        "class/eve/task.c",
        c("for (int i = 0; i < 20000; i++) fputs(\"debug\\n\", stderr); printf(\"%d\\n\", n);"),
    );
    let results = results(&room);
    let case = &problem(student(&results, "eve"), "task")["subtasks"][0]["cases"][0];
    assert_eq!(case["verdict"], "OLE");
    assert_eq!(
        case["message"],
        "wrote more than 64 KiB to standard error (are there debug prints left?)"
    );
    assert!(case["evidence"].to_string().contains("debug"), "{case}");
}

#[test]
fn an_output_file_that_is_not_a_file_is_no_answer() {
    let declared = "output-file = \"task.out\"";
    let linked = c(
        "char path[64]; snprintf(path, 64, \"/proc/%d/environ\", n); symlink(path, \"task.out\");",
    );
    let piped = c("(void)n; mkfifo(\"task.out\", 0600);");
    let closed = c(
        "FILE *f = fopen(\"task.out\", \"w\"); fprintf(f, \"%d\\n\", n); fclose(f); mkdir(\"x\", 0); chmod(\".\", 0);",
    );
    for (source, verdict) in [(linked, "WA"), (piped, "WA")] {
        let room = room(declared).file("class/eve/task.c", source);
        assert_eq!(outcome(&room).0, [verdict; 3]);
    }
    let room = room(declared).file("class/eve/task.c", closed);
    assert_eq!(results(&room)["students"].as_array().unwrap().len(), 1);
}

#[test]
fn a_run_that_is_stopped_keeps_what_is_done_and_says_what_is_not() {
    let mut room = room("").keeping().folder("tmp");
    for index in 0..40 {
        room = room.file(
            &format!("class/s{index}/task.c"),
            c("volatile long i = 200000000; while (i) i--; printf(\"%d\\n\", n);"),
        );
    }
    let tmp = room.path("tmp");
    let room = room.env("TMPDIR", tmp.to_str().unwrap());
    let mut grader = room
        .command(&[
            "grade",
            "class",
            "-a",
            ".",
            "-j",
            "1",
            "-o",
            "report.json",
            "--format",
            "json",
        ])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A job folder in the temporary folder says that the run has begun, and with it that Ctrl-C is listened to.
    while !has_folder(&tmp, "job-") {
        std::thread::yield_now();
    }
    let pid = grader.id().to_string();
    assert!(
        std::process::Command::new("kill")
            .args(["-INT", &pid])
            .status()
            .unwrap()
            .success()
    );
    let printed: Vec<String> = BufReader::new(grader.stderr.take().unwrap())
        .lines()
        .map(Result::unwrap)
        .collect();
    assert_eq!(grader.wait().unwrap().code(), Some(130));
    assert!(
        printed.iter().any(|line| line.contains("stopping after")),
        "{printed:?}"
    );
    let report = std::fs::read_to_string(room.path("report.json")).unwrap();
    let again = room.run(&["report", "class", "--format", "json"]);
    assert_eq!((again.status, again.stdout.as_str()), (3, report.as_str()));
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["interrupted"], true);
    let students = report["students"].as_array().unwrap();
    assert_eq!(students.len(), 40);
    let last = problem(student(&report, "s39"), "task");
    assert_eq!(last["points"], Value::Null);
    assert_eq!(last["message"], "not judged: the run was stopped");
    assert_eq!(std::fs::read_dir(tmp).unwrap().count(), 0);
}

#[test]
fn folders_in_folders_are_cleared_away() {
    let room = room("").folder("tmp").file(
        "class/eve/task.c",
        c("printf(\"%d\\n\", n); for (int i = 0; i < 300; i++) { char d[201]; memset(d, 'd', 200); d[200] = 0; mkdir(d, 0700); if (chdir(d)) break; }"),
    );
    let tmp = room.path("tmp");
    let room = room.env("TMPDIR", tmp.to_str().unwrap());
    for outcome in [outcome, outcome_without_sandbox] {
        assert_eq!(outcome(&room).0, ["AC"; 3]);
        assert_eq!(std::fs::read_dir(&tmp).unwrap().count(), 0);
    }
}

#[test]
fn what_a_source_does_to_its_compiler_is_the_sources_doing() {
    if !have(&["gcc"]) {
        return;
    }
    let room = room("")
        .file(
            "class/waits/task.c",
            "#include \"/dev/stderr\"\nint main(void) { return 0; }\n",
        )
        .file("class/says/task.c", "#error No space left on device\n");
    let results = results(&room);
    let verdict = |who| {
        let problem = &problem(student(&results, who), "task");
        (
            problem["verdict"].as_str().unwrap().to_owned(),
            problem["points"].as_f64(),
        )
    };
    assert_eq!(verdict("waits"), ("CE".to_owned(), Some(0.0)));
    assert_eq!(verdict("says"), ("CE".to_owned(), Some(0.0)));
}
