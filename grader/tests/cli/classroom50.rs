//! The autograder of Classroom 50 in `docs/ci.md`, as its runner starts it.

use std::fs;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use serde_json::{Value, json};

use crate::harness::{Ran, Room, have};

const ASSIGNMENT: &str = "format = 1\nid = \"hello\"\ntitle = \"Hello\"\n\
     [[problem]]\npath = \"sum\"\npoints = 4\n[[problem]]\npath = \"more\"\nbonus = 2\n";

fn problem(id: &str, points: u32, more: &str) -> String {
    format!(
        "format = 1\nid = \"{id}\"\ntitle = \"{id}\"\n[submission]\nfiles = [\"{id}.*\"]\n[limits]\ntime = \"10 s\"\n\
         [checker.tokens]\n[[subtask]]\nname = \"all\"\npoints = {points}\n\
         [[subtask.case]]\nname = \"a\"\nstdin = \"1 2\"\nanswer = \"3\"\n\
         [[subtask.case]]\nname = \"b\"\nstdin = \"40 2\"\nanswer = \"42\"\n{more}"
    )
}

/// What the autograder does with a repository that holds this file, and the result.
fn graded(source: &str, points: u32, more: &str) -> (Ran, Value) {
    let page = include_str!("../../../docs/ci.md");
    let (_, after) = page.split_once("```python\nimport subprocess\n").unwrap();
    let (script, _) = after.split_once("```").unwrap();
    let room = Room::new()
        .file(
            "bundle/autograder.py",
            format!("import subprocess\n{script}"),
        )
        .file("bundle/hello/assignment.toml", ASSIGNMENT)
        .file(
            "bundle/hello/sum/problem.toml",
            problem("sum", points, more),
        )
        .file("bundle/hello/more/problem.toml", problem("more", 2, ""))
        .file("bundle/hello/sum/fails.py", "exit(1)\n")
        .file("repository/sum.py", source)
        .file(
            "repository/more.py",
            "print(sum(map(int, input().split())))\n",
        )
        // What a student wrote is no result.
        .file("repository/result.json", "{\"score\": 100}\n")
        .program("bin/sudo", b"#!/bin/sh\n");
    std::os::unix::fs::symlink(cargo_bin!("grader"), room.path("bundle/grader")).unwrap();
    let mut command = Command::new("python3");
    command.arg(room.path("bundle/autograder.py"));
    let mut command = room.prepared(command);
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", room.path("bin").display());
    command
        .current_dir(room.path("repository"))
        .env("PATH", path);
    for (name, value) in [
        ("CLASSROOM", "cs1"),
        ("ASSIGNMENT", "hello"),
        ("SUBMISSION_TAG", "submit/2026-06-01T14-32-05Z-a1b2c3d"),
        ("COMMIT_URL", "https://github.com/o/r/commit/a1b2c3d"),
        ("RELEASE_URL", "https://github.com/o/r/releases/tag/x"),
        ("REVIEW_URL", "https://github.com/o/r/compare/0...a1b2c3d"),
    ] {
        command.env(name, value);
    }
    let ran = Ran::of(command.output().unwrap());
    let result = fs::read_to_string(room.path("repository/result.json"));
    let result = result.map_or(Value::Null, |text| serde_json::from_str(&text).unwrap());
    (ran, result)
}

fn numbers(of: &Value) -> Value {
    json!([of["score"], of["max-score"]])
}

#[test]
fn the_autograder_writes_whole_numbers_and_nothing_that_is_not_known() {
    if !have(&["python3"]) {
        return;
    }
    let right = "print(sum(map(int, input().split())))\n";
    let half = "print(3)\n";
    let thirds = "[[subtask.case]]\nname = \"c\"\nstdin = \"5 5\"\nanswer = \"10\"\n";
    for (source, more, total, first) in [
        (right, "", json!([400, 400]), json!([400, 400])),
        // The bonus fills up what is missing.
        (half, "", json!([400, 400]), json!([200, 400])),
        (half, thirds, json!([333, 400]), json!([133, 400])),
    ] {
        let (ran, result) = graded(source, 4, more);
        assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
        let tests = result["tests"].as_array().unwrap();
        assert_eq!(
            (numbers(&result), numbers(&tests[0])),
            (total, first),
            "{result}"
        );
        assert_eq!(
            (&result["schema"], &tests[0]["test-name"]),
            (&json!("classroom50/result/v1"), &json!("sum: all"))
        );
    }
    // Neither a checker that fails nor points that a person has to give are 0 points.
    let fails = "[subtask.checker.program]\nsource = \"fails.py\"\n";
    let by_hand = "[[subtask]]\nname = \"style\"\npoints = 1\nmanual = true\n";
    for (points, more) in [(4, fails), (3, by_hand)] {
        let (ran, result) = graded(right, points, more);
        assert_eq!((ran.status, &result), (1, &Value::Null), "{}", ran.stdout);
        let why = "no points are written: 1 submission is not scored yet: submission sum";
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
    }
}
