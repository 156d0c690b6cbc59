//! What authors see: `check` and `verify` for continuous integration, and a test that runs again.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use serde_json::json;

use crate::class::{SQUARE, WRONG, squares};
use crate::harness::{Room, have};

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
             case small/n=3: expected AC, found WA: expected `9`, found `5`%0Atry it: ./square 1\n"
        )
    );
    let junit = room.run(&["verify", "squares", "--junit", "-"]);
    assert_eq!(junit.status, 1);
    let suites = r#"<testsuites name="verify" tests="5" skipped="0" failures="1" errors="0">"#;
    assert!(junit.stdout.contains(suites), "{}", junit.stdout);
    // As for a student: what the case is, and how to try it.
    for part in [
        r#"<testcase name="wrong-answer/wrong.c" classname="squares.square" time=""#,
        r#"<failure message="case small/n=1: expected AC, found WA: expected `1`, found `3`">"#,
        "\n      try it: ./square 1</failure>",
    ] {
        assert!(junit.stdout.contains(part), "`{part}`: {}", junit.stdout);
    }
}

#[test]
fn an_annotation_of_a_sample_or_a_remark_has_its_line_and_the_step_its_summary() {
    if !have(&["gcc"]) {
        return;
    }
    let room = room()
        .file(
            "squares/square/submissions/accepted/two/square.c",
            "int main(void) {\n  return x;\n}\n",
        )
        .file("squares/square/statement.md", "# Square\n\n![](gone.png)\n")
        .file("squares/one/statement.md", "One.\n");
    let summary = room.path("summary.md");
    let room = room.env("GITHUB_STEP_SUMMARY", summary.to_str().unwrap());
    let ran = room.run(&["verify", "squares", "--github"]);
    let folder = "squares/square/submissions/accepted";
    let begins = format!(
        "::error file={folder}/two/square.c,line=2,col=10,title=squares.square%3A accepted/two::verdict: expected AC, found CE%0A"
    );
    assert!(ran.stdout.contains(&begins), "{}", ran.stdout);
    let ran = room.run(&["check", "squares", "--github"]);
    let file = "squares/square/statement.md";
    let remark = format!(
        "::warning file={file},line=3,title=problem files%3A {file}::`gone.png` does not exist"
    );
    assert_eq!((ran.status, ran.stdout.lines().last()), (0, Some(&*remark)));
    let page = fs::read_to_string(summary).unwrap();
    let heads: Vec<&str> = page.lines().filter(|it| it.starts_with("## ")).collect();
    assert_eq!(
        heads,
        [
            "## verify: 6 checks, 4 passed",
            "## check: 2 checks, 1 passed"
        ]
    );
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
        "format": "bitcraft-verification/4", "holds": false, "interrupted": false, "assignments": [],
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
    assert_eq!(verdict(), "  square: 0 of 10 points  CE does not compile");
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
