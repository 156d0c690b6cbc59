//! Problems exported for other judges. They are imported again, and their samples get the verdicts that they had.

use std::fs;
use std::path::Path;

use crate::harness::{Room, have, repository};

/// Copies a problem with a few of its samples and cases.
fn room(problem: &str, samples: &[&str], cases: (&str, &str)) -> Room {
    let mut room = Room::new();
    let from = repository().join("problems").join(problem);
    let samples = samples.iter().map(|sample| format!("submissions/{sample}"));
    let files = [
        "problem.toml",
        "statement.en.md",
        "statement.zh.md",
        "checker.cpp",
    ];
    for file in files.into_iter().map(str::to_owned).chain(samples) {
        if let Ok(bytes) = fs::read(from.join(&file)) {
            room = room.file(&format!("problem/{file}"), bytes);
        }
    }
    let text = fs::read_to_string(room.path("problem/problem.toml")).unwrap();
    room.file("problem/problem.toml", text.replace(cases.0, cases.1))
}

fn files(folder: &Path, below: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder.join(below)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{below}{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            files(folder, &format!("{path}/"), found);
        } else {
            found.push(path);
        }
    }
    found.sort();
}

#[test]
fn an_exported_problem_judges_as_before() {
    if !have(&["gcc", "g++", "python3"]) {
        return;
    }
    let samples = [
        "accepted/backtracking.c",
        "accepted/backtracking.rs",
        "accepted/sets.py",
        "compile-error/MissingBrace.java",
        "presentation-error/other-symbols.c",
        "runtime-error/exit-status-one.c",
        "wrong-answer/phantom-queen.cpp",
    ];
    let room = room("n-queens/board", &samples, ("4..=16", "6, 12"));
    let ran = room.run(&["export", "problem", "--format", "icpc", "-o", "board"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert_eq!(
        ran.stdout,
        "\
wrote 21 files to board

Changes from the problem:
  not exported, as only C, C++ and single files of Python can read arguments there: `accepted/backtracking.rs`
  not exported, as the package has no verdict CE: `compile-error/MissingBrace.java`
  the package is pass-fail: points are not exported
"
    );
    let mut found = Vec::new();
    files(&room.path("board"), "", &mut found);
    assert_eq!(
        found,
        [
            "data/secret/boards/001-n-6/001-n-6.ans",
            "data/secret/boards/001-n-6/001-n-6.in",
            "data/secret/boards/001-n-6/testdata.yaml",
            "data/secret/boards/002-n-12/002-n-12.ans",
            "data/secret/boards/002-n-12/002-n-12.in",
            "data/secret/boards/002-n-12/testdata.yaml",
            "input_validators/input.cpp",
            "output_validator/queens.cpp",
            "problem.yaml",
            "statement/problem.en.md",
            "statement/problem.zh.md",
            "submissions/accepted/backtracking-c/arguments.c",
            "submissions/accepted/backtracking-c/backtracking.c",
            "submissions/accepted/sets-py/main.py",
            "submissions/accepted/sets-py/sets.py",
            "submissions/run_time_error/exit-status-one-c/arguments.c",
            "submissions/run_time_error/exit-status-one-c/exit-status-one.c",
            "submissions/wrong_answer/other-symbols-c/arguments.c",
            "submissions/wrong_answer/other-symbols-c/other-symbols.c",
            "submissions/wrong_answer/phantom-queen-cpp/arguments.cpp",
            "submissions/wrong_answer/phantom-queen-cpp/phantom-queen.cpp",
        ]
    );
    let ran = room.run(&["import", "board", "-o", "again"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (0, "wrote 20 files to again\n")
    );
    let ran = room.run(&["verify", "again"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("board: 5 samples, all as expected"),
        "{}",
        ran.stdout
    );
}

#[test]
fn an_exported_checker_of_testlib_judges_as_before() {
    if !have(&["gcc", "g++"]) {
        return;
    }
    let samples = ["accepted/xor-shift.c", "wrong-answer/ordinary-binary.c"];
    let room = room("bit-practice/gray-code", &samples, ("1..=10", "2..=3"));
    let ran = room.run(&["export", "problem", "--format", "icpc", "-o", "gray"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let ran = room.run(&["import", "gray", "-o", "again"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let ran = room.run(&["verify", "again"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("gray: 2 samples, all as expected"),
        "{}",
        ran.stdout
    );
}

#[test]
fn what_the_format_cannot_express_is_refused() {
    let problem = "format = 1\nid = \"a\"\ntitle = \"A\"\n\n[submission]\nfiles = [\"a.*\"]\n";
    let cases = "\n[limits]\ntime = \"1 s\"\n\n[[subtask]]\nname = \"all\"\npoints = 1\n\n[[subtask.case]]\nname = \"one\"\nanswer = \"1\"\n";
    let room = Room::new();
    let text = format!("{problem}include = [\"main.c\"]\n\n[checker.exact]\n{cases}");
    let room = room.file("a/problem.toml", text).file("a/main.c", "");
    let ran = room.run(&["export", "a", "--format", "icpc", "-o", "out"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert_eq!(
        ran.stderr,
        "error: cannot export `a`: problems with `include` are not supported\n"
    );
    let text = format!("{problem}\n[checker.exact]\n{cases}arguments = [\"two words\"]\n");
    let room = room.file("a/problem.toml", text);
    let ran = room.run(&["export", "a", "--format", "icpc", "-o", "out"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: cannot export `a`: arguments with blanks are not supported, found `two words`\n"
        )
    );
    let ran = room.run(&["export", "b", "--format", "icpc", "-o", "out"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: there is no `problem.toml` in `b`: expected one problem\n"
        )
    );
    assert!(!room.path("out").exists());
}
