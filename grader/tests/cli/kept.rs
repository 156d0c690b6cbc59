//! Runs of a ledger: which one is shown, and what is lost when the ledger fails.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::class::{SQUARE, squares};
use crate::harness::{Ran, Room, have};

const GRADE: [&str; 5] = ["grade", "class", "-a", "./squares", "-j1"];

fn class() -> Room {
    squares()
        .keeping()
        .file("class/ann/square.c", SQUARE)
        .file("class/bob/square.c", SQUARE)
        .file("class/cat/square.c", SQUARE)
}

const COUNT: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v)\n{\n    \
    static const int counts[] = { 2, 10, 4 };\n    (void)c;\n    printf(\"%d\\n\", counts[atoi(v[1]) - 4]);\n    \
    return 0;\n}\n";

/// Count the solutions for `n` from 4 to 6, under limits that are multiples of the reference's times.
fn boards() -> Room {
    Room::new()
        .file(
            "boards/assignment.toml",
            "format = 1\nid = \"boards\"\ntitle = { zh = \"棋盘\", en = \"Boards\" }\n\n\
             [[problem]]\npath = \"count\"\npoints = 3\n",
        )
        .file(
            "boards/count/problem.toml",
            r#"
format = 1
id = "count"
title = { zh = "解的个数", en = "Count all solutions" }

[submission]
files = ["count.*"]

[run]
arguments = ["{n}"]

[limits]
time = { reference = 1000 }

[reference]
builtin = "count"

[checker.tokens]

[[subtask]]
name = "all"
points = 3
cases = { n = "4..=6" }
"#,
        )
        .file("class/ann/count.c", COUNT)
}

fn graded(room: &Room, more: &[&str]) -> Ran {
    let ran = room.run(&[&GRADE, more].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    ran
}

/// Does something to the ledger that no grader does.
fn meddle(room: &Room, sql: &str) {
    let mut python = Command::new("python3")
        .args(["-c", "import sqlite3, sys\nledger = sqlite3.connect('.grader/ledger.db')\nledger.executescript(sys.stdin.read())\n"])
        .current_dir(room.path("."))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = python.stdin.take().unwrap();
    input.write_all(sql.as_bytes()).unwrap();
    drop(input);
    assert!(python.wait().unwrap().success());
}

/// A run that ended before it knew its students.
const NOBODY: &str = "INSERT INTO run (class, assignment, grader, fresh, began, state) \
    SELECT class, assignment, grader, 0, began, 'running' FROM run WHERE id = 1;";

fn refused(room: &Room, arguments: &[&str]) -> String {
    let ran = room.run(arguments);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{arguments:?}");
    ran.stderr
}

#[test]
fn a_run_that_knew_no_student_is_not_the_last_one() {
    if !have(&["python3"]) {
        return;
    }
    let room = class();
    graded(&room, &[]);
    graded(&room, &[]);
    meddle(&room, NOBODY);
    let (status, results) = room.json(&["report", "--format", "json"]);
    assert_eq!((status, &results["run"]["id"]), (0, &2.into()));
    let (status, difference) = room.json(&["diff", "--format", "json"]);
    let compared = (
        &difference["before"]["run"],
        &difference["after"]["run"],
        status,
    );
    assert_eq!(compared, (&1.into(), &2.into(), 0));
    meddle(&room, "DELETE FROM student;");
    assert_eq!(
        refused(&room, &["report"]),
        "error: the ledger holds no results yet\n"
    );
}

#[test]
fn of_a_class_that_is_named_only_its_own_runs_are_shown() {
    let room = class();
    graded(&room, &[]);
    let room = room.file("other/dan/square.c", SQUARE);
    let other = ["grade", "other", "-a", "./squares"];
    for _ in 0..2 {
        assert_eq!(room.run(&other).status, 0);
    }
    assert_eq!(
        [
            refused(&room, &["report", "class", "--run", "2"]),
            refused(&room, &["diff", "1", "2", "--ledger", "other"]),
        ],
        [
            "error: `class` has no run 2; it has 1\n",
            "error: `other` has no run 1; it has 2, 3\n",
        ]
    );
    // Who names the ledger may have any.
    let (status, results) = room.json(&["report", "--run", "2", "--format", "json"]);
    assert_eq!((status, &results["students"][0]["id"]), (0, &"dan".into()));
}

#[test]
fn a_class_is_looked_for_in_the_ledger_of_the_environment_and_then_beside_it() {
    let room = class();
    graded(&room, &[]);
    let room = room.env("GRADER_LEDGER", "kept.db");
    graded(&room, &[]);
    graded(&room, &["--ledger", ".grader/ledger.db"]);
    let (_, results) = room.json(&["report", "class", "--format", "json"]);
    assert_eq!(results["run"]["id"], 1);
    fs::remove_file(room.path("kept.db")).unwrap();
    let (_, results) = room.json(&["report", "class", "--format", "json"]);
    assert_eq!(results["run"]["id"], 2);
    assert_eq!(
        refused(&room, &["history", "squares/one"]),
        "error: no run of the class `squares/one` is kept: looked in `kept.db` and `squares/.grader/ledger.db`; `grader \
         grade` keeps one there, and another ledger is named by its file\n"
    );
}

#[test]
fn a_run_that_goes_on_reports_what_was_measured_before_it_was_killed() {
    if !have(&["python3"]) {
        return;
    }
    let room = boards().keeping();
    let grade = ["grade", "class", "-a", "./boards", "--format", "json"];
    let (status, first) = room.json(&grade);
    assert_eq!(status, 0);
    assert_eq!(first["reference-times"].as_array().unwrap().len(), 3);
    meddle(&room, "UPDATE run SET state = 'running', ended = NULL;");
    let (status, second) = room.json(&grade);
    assert_eq!((status, &second), (0, &first));
    assert_eq!(room.json(&["report", "--format", "json"]), (0, first));
}

#[test]
fn what_was_kept_and_what_could_not_be_make_one_report() {
    if !have(&["python3"]) {
        return;
    }
    let room = class();
    let whole = graded(&room, &["--no-ledger", "--format", "csv"]).stdout;
    graded(&room, &[]);
    // Of a second run one job finds room; nothing is said of anyone after.
    meddle(
        &room,
        "CREATE TRIGGER full BEFORE INSERT ON job WHEN (SELECT count(*) FROM job WHERE run = new.run) > 0 \
             BEGIN SELECT RAISE(FAIL, 'no room'); END; \
         CREATE TRIGGER fuller BEFORE UPDATE ON student WHEN (SELECT count(*) FROM student \
             WHERE run = new.run AND about IS NOT NULL) > 0 BEGIN SELECT RAISE(FAIL, 'no room'); END;",
    );
    let fresh = [&GRADE[..], &["--fresh", "--format", "csv"]].concat();
    let ran = room.run(&fresh);
    assert_eq!((ran.status, &ran.stdout), (3, &whole));
    let ledger = fs::canonicalize(room.path(".grader/ledger.db")).unwrap();
    let said = format!(
        "grading goes on, but not all of it is kept: cannot use the ledger `{}`: no room\n",
        ledger.display()
    );
    assert_eq!(ran.stderr, said);
    // It is gone on with when there is room.
    meddle(&room, "DROP TRIGGER full; DROP TRIGGER fuller;");
    let ran = room.run(&[&GRADE[..], &["--format", "csv"]].concat());
    assert_eq!((ran.status, &ran.stdout), (0, &whole));
    assert!(
        ran.stderr.starts_with("going on with run 2, begun "),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_cannot_be_read_of_earlier_runs_is_judged_anew_and_kept() {
    if !have(&["python3"]) {
        return;
    }
    let room = class();
    let first = graded(&room, &["--format", "csv"]).stdout;
    meddle(
        &room,
        "UPDATE content SET bytes = zeroblob(length(bytes)) WHERE id IN (SELECT result FROM job);",
    );
    let grade = [&GRADE[..], &["--format", "csv"]].concat();
    let ran = room.run(&grade);
    let said: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(said.len(), 1, "{}", ran.stderr);
    assert!(
        said[0].starts_with("what cannot be read of earlier runs is judged anew, and kept: "),
        "{}",
        ran.stderr
    );
    assert_eq!((ran.status, &ran.stdout), (3, &first));
}

#[test]
fn a_pipe_is_no_ledger_and_stays_a_pipe() {
    let room = class();
    let made = Command::new("mkfifo").arg(room.path("pipe")).status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no `mkfifo`");
        return;
    }
    let said = refused(&room, &[&GRADE[..], &["--ledger", "pipe"]].concat());
    assert!(
        said.starts_with("error: cannot use the ledger `pipe`: "),
        "{said}"
    );
    let found = fs::metadata(room.path("pipe")).unwrap().file_type();
    assert!(std::os::unix::fs::FileTypeExt::is_fifo(&found));
}

#[test]
fn what_is_about_one_student_says_that_it_leaves_the_ledger_alone() {
    let room = class();
    let one = [&GRADE[..], &["--audience", "student", "--explain", "ann"]].concat();
    let words = |option: &str| {
        format!(
            "`{option}` has no effect: a run for one student is not kept; `grader report` takes the same options and \
             shows what is\n"
        )
    };
    let said = |more: &[&str]| room.run(&[&one[..], more].concat()).stderr;
    assert_eq!(
        [said(&["--fresh"]), said(&["--ledger", "kept.db"])],
        [words("--fresh"), words("--ledger")]
    );
    assert!(!room.path("kept.db").exists());
}
