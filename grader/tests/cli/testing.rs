//! A student tests a program.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use crate::class::squares;
use crate::harness::{Room, have, strict};

const COUNT_C: &str = r#"
#include <stdio.h>
#include <stdlib.h>

static unsigned all;
static long total;

static void place(unsigned columns, unsigned left, unsigned right)
{
    if (columns == all) {
        total++;
        return;
    }
    for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
        unsigned queen = free & -free;
        place(columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    all = (1u << n) - 1;
    if (n <= 10)
        place(0, 0, 0);
    printf("%ld\n", n == 6 ? 5 : total);
    return argc - 2;
}
"#;

/// Tests a file for `eight-queens`: the status, and all that is printed.
fn eight(room: &Room, file: &str, more: &[&str]) -> (i32, String) {
    let ran = room.run(&[&["test", file, "-p", "eight-queens"], more].concat());
    (ran.status, ran.stdout + &ran.stderr)
}

const NINETY_TWO: &str = "#include <stdio.h>\nint main(void) { puts(\"92\"); return 0; }\n";

#[test]
fn a_wrong_answer_is_explained() {
    if !have(&["gcc", "g++", "python3"]) {
        return;
    }
    let diagonal = "import sys\nn = int(sys.argv[1])\nfor row in range(n):\n    print(''.join('Q' if c == row else '#' for c in range(n)))\n";
    let waits =
        "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << 92 << std::endl; }\n";
    let room = Room::new()
        .file("count.c", COUNT_C)
        .file("board.py", diagonal)
        .file("board.cpp", waits)
        .file("hanoi.c", "int main(void) { return 0; }\n");
    for (file, lang, expected) in [
        (
            "count.c",
            "en",
            &["✗ n=6  WA", "expected", "found", "13 of 35"][..],
        ),
        (
            "board.py",
            "en",
            &["row 1, column 1", "row 2, column 2", "diagonal"],
        ),
        (
            "board.cpp",
            "en",
            &["Your program waits for standard input; this task gives `n` on the command line"],
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
    let ran = room.run(&["test", "count.c", "--case", "n=6"]);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("0 of 1 case"), "{}", ran.stdout);
}

#[test]
fn a_right_program_ends_with_status_0_and_colour_is_used_only_if_wanted() {
    let room = Room::new().file("eight-queens.c", NINETY_TWO);
    let ran = room.run(&["test", "eight-queens.c"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("5 of 5"), "{}", ran.stdout);
    assert!(!ran.stdout.contains('\u{1b}'), "{}", ran.stdout);
    let (_, coloured) = eight(&room, "eight-queens.c", &["--color", "always"]);
    assert!(coloured.contains('\u{1b}'), "{coloured}");
}

#[test]
fn several_files_are_one_submission() {
    let room = Room::new()
        .file("eight.cpp", "#include <iostream>\n#include \"answer.hpp\"\nint main() { std::cout << answer() << std::endl; }\n")
        .file("answer.cpp", "#include \"answer.hpp\"\nint answer() { return 92; }\n")
        .file("answer.hpp", "int answer();\n");
    let (status, printed) = eight(&room, "eight.cpp", &["answer.cpp", "answer.hpp"]);
    assert_eq!(status, 0, "{printed}");
}

#[test]
fn a_file_that_grade_would_not_recognise_is_tested_with_a_warning() {
    let room = Room::new().file("mine.c", NINETY_TWO);
    let ran = room.run(&["test", "mine.c", "-p", "eight-queens"]);
    let warning =
        "`grade` would not recognise `mine.c` as `eight-queens`: name it `eight-queens.c`\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (0, warning));
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

    let all = sum.replace(file, "points = 10\n", "points = 10\nscore = \"all\"\n");
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
        ("eight.cpp", "g++", "apt-get install g++"),
        ("eight.rs", "rustc", "apt-get install rustc"),
        (
            "eight.java",
            "javac",
            "apt-get install openjdk-17-jdk-headless",
        ),
        ("eight.pas", "fpc", "apt-get install fp-compiler"),
        ("eight.py", "python3", "apt-get install python3"),
    ] {
        fs::write(room.path(file), "").unwrap();
        let ran = room.run(&["test", file, "-p", "eight-queens"]);
        assert_eq!(ran.status, 3, "{file}: {}{}", ran.stdout, ran.stderr);
        let english = format!("not installed: {program}");
        let there = ran.stdout.contains(&english) && ran.stdout.contains(install);
        assert!(there, "{file}: {}", ran.stdout);
        assert!(!ran.stdout.contains("grading failed"), "{}", ran.stdout);
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
