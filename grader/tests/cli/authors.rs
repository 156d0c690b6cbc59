//! What authors see: `check` and `verify` for continuous integration, and a test that runs again.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use serde_json::json;

use crate::class::{SQUARE, WRONG, squares};
use crate::harness::Room;

/// The squares, with a sample that is not as its folder says.
fn room() -> Room {
    squares()
        .file("squares/square/submissions/accepted/square.c", WRONG)
        .file("squares/square/submissions/wrong-answer/wrong.c", WRONG)
        .file("squares/one/submissions/accepted/one.py", "print(1)\n")
}

/// The last two lines.
fn last(text: &str) -> &str {
    let lines: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    &text[lines[lines.len() - 3]..]
}

#[test]
fn verify_speaks_to_continuous_integration() {
    let room = room();
    let github = room.run(&["verify", "squares", "--all", "--github"]);
    assert_eq!(
        (github.status, last(&github.stdout)),
        (
            1,
            "squares: 3 samples, 2 as expected, 1 not\n\
             ::error file=squares/square/submissions/accepted/square.c,title=squares.square%3A accepted/square.c::\
             case small/n=1: expected AC, found WA: expected `1`, found `3`%0A\
             case small/n=3: expected AC, found WA: expected `9`, found `5`\n"
        )
    );
    let junit = room.run(&["verify", "squares", "--junit", "-"]);
    assert_eq!(junit.status, 1);
    let suites = r#"<testsuites name="verify" tests="5" skipped="0" failures="1" errors="0">"#;
    assert!(junit.stdout.contains(suites), "{}", junit.stdout);
    let test = r#"<testcase name="wrong-answer/wrong.c" classname="squares.square"/>"#;
    assert!(junit.stdout.contains(test), "{}", junit.stdout);
}

#[test]
fn check_speaks_to_continuous_integration() {
    let room = squares();
    let (status, right) = room.json(&["check", "squares", "--json", "-"]);
    let assignment = json!({ "id": "squares", "problems": 2, "cases": 4, "points": 10, "bonus": 2, "remarks": [] });
    assert_eq!(
        (status, right),
        (
            0,
            json!({ "format": "bitcraft-check/1", "assignments": [assignment], "mistakes": [] })
        )
    );
    let room = room.replace("squares/assignment.toml", "points = 10", "points = 11");
    let message = "problem `square` is worth 11 points here, but its subtasks make 10";
    let (status, wrong) = room.json(&["check", "squares", "--json", "-"]);
    let mistake = json!({ "file": "squares/assignment.toml", "line": 7, "column": 10, "message": message, "help": null });
    assert_eq!(
        (status, wrong),
        (
            2,
            json!({ "format": "bitcraft-check/1", "assignments": [], "mistakes": [mistake] })
        )
    );
    let verified = json!({
        "format": "bitcraft-verification/3", "holds": false, "interrupted": false, "assignments": [],
        "mistakes": [mistake]
    });
    let verify = ["verify", "squares", "--json", "-"];
    assert_eq!(room.json(&verify), (2, verified));
    let github = room.run(&["check", "squares", "--github"]);
    let file = "squares/assignment.toml";
    assert_eq!(
        (github.status, github.stdout),
        (
            2,
            format!("::error file={file},line=7,col=10,title=problem files%3A {file}::{message}\n")
        )
    );
    let junit = room.run(&["check", "squares", "--junit", "-"]);
    let test = r#"<testcase name="squares/assignment.toml:7:10" classname="problem files">"#;
    assert!(
        junit.status == 2 && junit.stdout.contains(test),
        "{}",
        junit.stdout
    );
}

/// No sleep: each line of standard output is waited for.
#[test]
fn a_watched_program_is_tested_again_when_it_changes() {
    let room = squares().file("square.c", "int main( {");
    let mut command = room.command(&["test", "square.c", "-a", "./squares", "--watch"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut verdict = || {
        let line = lines
            .find(|line| line.as_ref().unwrap().starts_with("  square: "))
            .unwrap();
        line.unwrap()
    };
    assert_eq!(verdict(), "  square: 0 of 10 points  CE compile error");
    // As an editor replaces a file.
    fs::write(room.path("new"), WRONG).unwrap();
    fs::rename(room.path("new"), room.path("square.c")).unwrap();
    assert_eq!(
        verdict(),
        "  square: 3.33 of 10 points  PC partially correct"
    );
    fs::write(room.path("square.c"), SQUARE).unwrap();
    assert_eq!(verdict(), "  square: 10 of 10 points  AC accepted");
    crate::streams::terminate(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
