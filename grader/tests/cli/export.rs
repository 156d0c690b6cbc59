//! `export` from outside: problems that are imported again, and whose samples get the verdicts that they had.
//!
//! What is written is tested in `crates/package/tests`.

use std::fs;

use crate::harness::{Room, have, repository};

/// Copies a problem, with a few of its samples and cases, to `problem`.
fn bundled(room: Room, problem: &str, samples: &[&str], cases: (&str, &str)) -> Room {
    let from = repository().join("problems").join(problem);
    let to = problem.rsplit('/').next().unwrap();
    let samples = samples.iter().map(|sample| format!("submissions/{sample}"));
    let files = [
        "problem.toml",
        "statement.en.md",
        "statement.zh.md",
        "checker.cpp",
    ];
    let mut room = room;
    for file in files.into_iter().map(str::to_owned).chain(samples) {
        if let Ok(bytes) = fs::read(from.join(&file)) {
            room = room.file(&format!("{to}/{file}"), bytes);
        }
    }
    let path = format!("{to}/problem.toml");
    let text = fs::read_to_string(room.path(&path)).unwrap();
    room.file(&path, text.replace(cases.0, cases.1))
}

#[test]
fn exported_problems_judge_as_before() {
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
    let room = bundled(Room::new(), "n-queens/board", &samples, ("4..=16", "6, 12"));
    // Whoever earns points is accepted in a package that gives points.
    let nothing = [
        "presentation-error/other-symbols.c",
        "runtime-error/exit-status-one.c",
        "wrong-answer/phantom-queen.cpp",
    ];
    let nothing = nothing.map(|path| format!("[\"{path}\"]\npoints = 0\n"));
    let room = room.file("board/submissions/expected.toml", nothing.concat());
    let samples = ["accepted/xor-shift.c", "wrong-answer/ordinary-binary.c"];
    let room = bundled(
        room,
        "bit-practice/gray-code",
        &samples,
        ("1..=10", "2..=3"),
    );
    let ran = room.run(&["bundle", "-a", "board", "--icpc", "-o", "packages/board"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert_eq!(
        ran.stdout,
        "\
wrote 29 files to packages/board

Changes from the problem:
  3 samples are expected to do something else in the package than `expected.toml` says, such as `presentation-error/other-symbols.c`
  limits of languages are not exported: the package has one for all
  not exported, as only C, C++ and single files of Python can read arguments there: `accepted/backtracking.rs`
  not exported, as the package has no verdict CE: `compile-error/MissingBrace.java`
  students see the cases of `boards` here; the package's are secret, and its samples are copies of some
  the output limit becomes 1 MiB: the format has whole ones
"
    );
    // Without its points, the problem is one of a contest.
    let ran = room.run(&[
        "bundle",
        "-a",
        "gray-code",
        "--icpc=legacy",
        "--pass-fail",
        "-o",
        "packages/gray-code",
    ]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let notes = "the package is pass-fail: points are not exported, as `--pass-fail` is given";
    assert!(ran.stdout.contains(notes), "{}", ran.stdout);
    for name in ["board", "gray-code"] {
        let (package, output) = (format!("packages/{name}"), format!("again/{name}"));
        let ran = room.run(&["import", &package, "-o", &output]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    }
    let ran = room.run(&["verify", "again"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    for line in [
        "board: 5 samples, all as expected",
        "gray-code: 2 samples, all as expected",
    ] {
        assert!(ran.stdout.contains(line), "{}", ran.stdout);
    }
}

#[test]
fn what_cannot_be_exported_leaves_one_message_and_no_file() {
    let problem = "format = 1\nid = \"a\"\ntitle = \"A\"\n\n[submission]\nfiles = [\"a.*\"]\ninclude = [\"main.c\"]\n\n\
        [checker.exact]\n\n[limits]\ntime = \"1 s\"\n\n[[subtask]]\nname = \"all\"\npoints = 1\n\n[[subtask.case]]\nname = \"one\"\n\
        answer = \"1\"\n";
    let room = Room::new()
        .file("a/problem.toml", problem)
        .file("a/main.c", "");
    for (folder, message) in [
        (
            "a",
            "cannot export `a`: problems with `include` are not supported",
        ),
        (
            "b",
            "there is no assignment `b`: expected a folder that holds `assignment.toml` or `problem.toml`, or a bundled one: \
             `bit-practice`, `n-queens`",
        ),
    ] {
        let ran = room.assert(&["bundle", "-a", folder, "--icpc=2025-09", "-o", "out"]);
        let ran = ran.code(2).stdout("");
        ran.stderr(format!("error: {message}\n"));
    }
    let room = room.fixture("squares", "squares");
    let package = ["bundle", "-a", "squares", "--icpc", "-o", "out"];
    room.assert(&package)
        .code(2)
        .stdout("")
        .stderr("error: a package holds one problem: name it with `-p`: `square`, `one`\n");
    assert!(!room.path("out").exists());
}
