//! A student tests a program.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use crate::class::squares;
use crate::harness::{Room, have, strict};

/// Tests a file for `eight-queens`: the status, and all that is printed.
fn eight(room: &Room, file: &str, more: &[&str]) -> (i32, String) {
    let ran = room.run(&[&["test", file, "-p", "eight-queens"], more].concat());
    (ran.status, ran.stdout + &ran.stderr)
}

const NINETY_TWO: &str = "print(92)\n";

#[test]
fn a_wrong_answer_is_explained() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let count = "import sys\nn = int(sys.argv[1])\nprint([0, 1, 0, 0, 2, 10, 5, 40, 92][n] if n < 9 else 0)\n";
    let diagonal = "import sys\nn = int(sys.argv[1])\nfor row in range(n):\n    print(''.join('Q' if c == row else '#' for c in range(n)))\n";
    let room = Room::new()
        .file("count.py", count)
        .file("board.py", diagonal)
        .file("hanoi.c", "int main(void) { return 0; }\n");
    for (file, lang, expected) in [
        ("count.py", "en", &["✗ n=6  WA", "expected", "found"][..]),
        (
            "board.py",
            "en",
            &["row 1, column 1", "row 2, column 2", "diagonal"],
        ),
        ("hanoi.c", "zh", &["分"]),
    ] {
        let ran = room.run(&["--lang", lang, "test", file, "--all"]);
        assert_eq!(ran.status, 1, "{}", ran.stderr);
        for words in expected {
            assert!(ran.stdout.contains(words), "{words}:\n{}", ran.stdout);
        }
    }
    // Its limit names a case that does not run.
    let ran = room.run(&["test", "count.py", "--case", "n=6"]);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("0 of 1 case"), "{}", ran.stdout);
}

#[test]
fn a_right_program_ends_with_status_0_and_a_file_that_grade_would_not_recognise_with_a_warning() {
    let room = Room::new()
        .file("eight-queens.py", NINETY_TWO)
        .file("mine.py", NINETY_TWO);
    let ran = room.run(&["test", "eight-queens.py"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("5 of 5"), "{}", ran.stdout);
    assert!(!ran.stdout.contains('\u{1b}'), "{}", ran.stdout);
    let (_, coloured) = eight(&room, "eight-queens.py", &["--color", "always"]);
    assert!(coloured.contains('\u{1b}'), "{coloured}");
    let ran = room.run(&["test", "mine.py", "-p", "eight-queens"]);
    let warning =
        "`grade` would not recognise `mine.py` as `eight-queens`: name it `eight-queens.py`\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (0, warning));
}

#[test]
fn only_regular_files_are_tested() {
    let room = Room::new();
    let made = Command::new("mkfifo").arg(room.path("eight.py")).status();
    assert!(made.unwrap().success());
    let refused =
        "error: expected source files or one folder, but `eight.py` is not a regular file\n";
    assert_eq!(eight(&room, "eight.py", &[]), (2, refused.to_owned()));
}

#[test]
fn several_files_are_one_submission() {
    let room = Room::new()
        .file("eight.py", "from answer import answer\nprint(answer)\n")
        .file("answer.py", "answer = 92\n");
    let (status, printed) = eight(&room, "eight.py", &["answer.py"]);
    assert_eq!(status, 0, "{printed}");
}

/// Right for 1, wrong for 2, and endless for 3.
const WORSE: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) { int n = atoi(v[1]); (void)c; for (volatile int i = n; i > 2;) { } printf(\"%d\\n\", n); return 0; }\n";

#[test]
fn cases_that_cannot_change_the_result_are_skipped_unless_all_are_wanted() {
    let file = "squares/square/problem.toml";
    let more = "\n[[subtask.case]]\nname = \"n=4\"\nvariables = { n = 4 }\nanswer = \"16\\n\"\n";
    let room = squares().file("square.c", WORSE);
    let text = fs::read_to_string(room.path(file)).unwrap();
    let sum = room
        .file(file, text.clone() + more)
        .replace(file, "\"2 s\"", "\"100 ms\"");
    let run = |room: &Room, more: &[&str]| {
        let ran = room.run(&[&["test", "square.c", "-a", "./squares"], more].concat());
        assert_eq!(ran.status, 1, "{}", ran.stderr);
        ran.stdout
    };
    let stopped = run(&sum, &[]);
    for words in [
        "✓ n=1",
        "✗ n=2  WA",
        "✗ n=3  TLE",
        "– n=4",
        "not run after a time-out",
    ] {
        assert!(stopped.contains(words), "{words}:\n{stopped}");
    }
    assert!(stopped.contains("2.5 of 10"), "{stopped}");
    assert!(run(&sum, &["--all"]).contains("✗ n=4  TLE"));

    let ascending = sum.replace(file, "points = 10\n", "points = 10\nascending = true\n");
    let stopped = run(&ascending, &["--all"]);
    for words in [
        "✗ n=3  TLE",
        "– n=4",
        "not run: a smaller case took too long",
    ] {
        assert!(stopped.contains(words), "{words}:\n{stopped}");
    }

    let all = ascending.replace(file, "ascending = true\n", "score = \"all\"\n");
    let stopped = run(&all, &[]);
    for words in ["✗ n=2  WA", "– n=3", "this subtask needs all of its cases"] {
        assert!(stopped.contains(words), "{words}:\n{stopped}");
    }

    let one = run(&all, &["--case", "n=2"]);
    assert!(one.contains("✗ n=2  WA") && !one.contains("n=1"), "{one}");
    let passed = all.run(&["test", "square.c", "-a", "./squares", "--case", "small/n=1"]);
    assert_eq!(passed.status, 0, "{}", passed.stdout);
    let unknown = all.run(&["test", "square.c", "-a", "./squares", "--case", "n=11"]);
    assert_eq!(
        (unknown.status, unknown.stderr.as_str()),
        (
            2,
            "error: there is no case `n=11`; did you mean `n=1`?\n\
             known cases: small/n=1, small/n=2, small/n=3, small/n=4\n"
        )
    );
}

#[test]
fn a_missing_compiler_is_named_with_the_command_that_installs_it() {
    let room = Room::new().env("PATH", "/nowhere");
    for (file, program, install) in [
        ("eight.c", "gcc", "apt-get install gcc"),
        (
            "eight.java",
            "javac",
            "apt-get install openjdk-17-jdk-headless",
        ),
    ] {
        fs::write(room.path(file), "").unwrap();
        let ran = room.run(&["test", file, "-p", "eight-queens"]);
        assert_eq!(ran.status, 3, "{file}: {}{}", ran.stdout, ran.stderr);
        let missing = format!("not installed: {program}");
        for words in [&missing, install] {
            assert!(ran.stdout.contains(words), "{file}: {}", ran.stdout);
        }
    }
}

#[test]
fn a_python_from_a_virtual_environment_below_tmp_runs_programs() {
    if !have(&["python3"]) {
        return;
    }
    for how in ["--symlinks", "--copies"] {
        // There, and not where `TMPDIR` says: programs in the sandbox have a `/tmp` of their own.
        let folder = tempfile::tempdir_in("/tmp").unwrap();
        let environment = folder.path().join("environment");
        let made = Command::new("python3")
            .args(["-m", "venv", "--without-pip", how])
            .arg(&environment)
            .output()
            .unwrap();
        if !made.status.success() {
            eprintln!("skipped: `python3 -m venv {how}` fails here: {made:?}");
            continue;
        }
        let bin = environment.join("bin");
        let room = Room::new()
            .file("eight.py", "print(92)\n")
            .env("PATH", bin.to_str().unwrap());
        let ran = room.run(&["test", "eight.py", "-p", "eight-queens"]);
        assert_eq!(ran.status, 0, "{how}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn a_python_that_is_itself_below_tmp_is_refused_with_the_reason() {
    // Without the sandbox programs see the same `/tmp` as we.
    if !strict() {
        return;
    }
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    let python = folder.path().join("python3");
    let answer = "#!/bin/sh\nprintf '%s\\n' \"$0\" 3.12.1 \"${0%/*}\"\n";
    fs::write(&python, answer).unwrap();
    fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
    let room = Room::new()
        .file("eight.py", "print(92)\n")
        .env("PATH", folder.path().to_str().unwrap());
    for (lang, words) in [
        ("en", ["cannot be used", "have a `/tmp` of their own"]),
        ("zh", ["无法使用", "有自己的 `/tmp`"]),
    ] {
        let ran = room.run(&["--lang", lang, "test", "eight.py", "-p", "eight-queens"]);
        assert_eq!(ran.status, 3, "{}{}", ran.stdout, ran.stderr);
        let shown = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        let path = folder.path().to_str().unwrap();
        for words in words.iter().chain([&path]) {
            assert!(shown.contains(words), "{}", ran.stdout);
        }
    }
}
