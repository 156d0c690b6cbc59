//! A student tests a program.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::class::squares;
use crate::docs::redacted;
use crate::harness::{Ran, Room, have, problem, strict, student};

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

/// Right for 1 and 4, wrong for 2, and endless for 3.
const WORSE: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) { int n = atoi(v[1]); (void)c; for (volatile int i = n; i == 3;) { } printf(\"%d\\n\", n == 2 ? 3 : n * n); return 0; }\n";

#[test]
fn cases_that_cannot_change_the_points_are_skipped_unless_all_are_wanted() {
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
    // The points are those that `grade` gives, so a case after a time-out runs.
    let whole = run(&sum, &[]);
    for words in ["✓ n=1", "✗ n=2  WA", "✗ n=3  TLE", "✓ n=4", "5 of 10"] {
        assert!(whole.contains(words), "{words}:\n{whole}");
    }

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
    let room = Room::new()
        .program(python.to_str().unwrap(), answer.as_bytes())
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

/// Counts by bit masks; endless from n = 9 on with `SLOW`.
const COUNT: &str = "#include <stdio.h>\n#include <stdlib.h>\nstatic unsigned all;\n\
    static long place(unsigned c, unsigned l, unsigned r) {\n    long found = 0;\n    if (c == all) return 1;\n\
    for (unsigned free = all & ~(c | l | r); free; free &= free - 1) {\n        unsigned q = free & -free;\n\
    found += place(c | q, (l | q) << 1, (r | q) >> 1);\n    }\n    return found;\n}\n\
    int main(int c, char **v) {\n    int n = atoi(v[1]);\n    (void)c;\n#ifdef SLOW\n    for (volatile int i = n; i > 8;) { }\n#endif\n\
    all = (1u << n) - 1;\n    printf(\"%ld\\n\", place(0, 0, 0));\n    return 0;\n}\n";

#[test]
fn a_limit_follows_the_reference_in_a_smaller_case_and_a_program_too_slow_there_does_not_run_the_larger()
 {
    if !have(&["gcc"]) {
        return;
    }
    let problem_file = "format = 1\nid = \"count\"\ntitle = \"Count\"\n[submission]\nfiles = [\"count.*\"]\n\
        [run]\narguments = [\"{n}\"]\n[limits]\ntime = { reference = 100 }\n\
        [reference]\nbuiltin = \"fast-count\"\ncalibrate = [\"--method\", \"bitmask\"]\n[checker.tokens]\n\
        [[subtask]]\nname = \"large\"\npoints = 10\nascending = true\ncases = { n = \"8..=9\" }\n\
        [[subtask.case]]\nname = \"n=12\"\nvariables = { n = 12 }\ntime = { reference = 600, case = \"large/n=9\" }\n";
    let room = Room::new()
        .file(
            "queens/assignment.toml",
            "format = 1\nid = \"queens\"\ntitle = \"Queens\"\n[[problem]]\npath = \"count\"\npoints = 10\n",
        )
        .file("queens/count/problem.toml", problem_file)
        .file("class/ann/count.c", COUNT)
        .file("class/bob/count.c", format!("#define SLOW\n{COUNT}"));
    let (status, results) = room.json(&["grade", "class", "-a", "./queens", "--json", "-"]);
    assert_eq!(status, 0, "{results:#}");
    let cases = |id: &str| problem(student(&results, id), "count")["subtasks"][0]["cases"].clone();
    let verdicts = |id: &str| -> Vec<(String, String)> {
        let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
        let cases = cases(id);
        let cases = cases.as_array().unwrap().iter();
        cases
            .map(|it| (text(&it["verdict"]), text(&it["message"])))
            .collect()
    };
    let plain = |rows: [(&str, &str); 3]| rows.map(|(a, b)| (a.to_owned(), b.to_owned()));
    assert_eq!(verdicts("ann"), plain([("AC", ""); 3]));
    let [eight, nine, twelve] = <[_; 3]>::try_from(verdicts("bob")).unwrap();
    assert_eq!((eight.0.as_str(), nine.0.as_str()), ("AC", "TLE"));
    let skipped = "not run: a smaller case took too long".to_owned();
    assert_eq!(twelve, ("SK".to_owned(), skipped));

    // The reference is timed in the smaller cases only.
    let last = &cases("ann")[2];
    assert_eq!(last["reference-cpu-ms"], Value::Null);
    let origin = &last["limit-origin"];
    let named = json!({ "is": "other", "case": { "name": "large/n=9", "hidden": false } });
    assert_eq!(
        (&origin["case"], &origin["factor"]),
        (&named, &json!(600.0))
    );
    let timed = results["reference-times"].as_array().unwrap().iter();
    let timed: Vec<&Value> = timed.map(|it| &it["case"]).collect();
    assert_eq!(timed, ["n=8", "n=9"]);

    // A kit has the same limit.
    assert_eq!(
        room.run(&["bundle", "-o", "kit", "-a", "./queens"]).status,
        0
    );
    let kit = fs::read_to_string(room.path("kit/count/problem.toml")).unwrap();
    let time = "[subtask.case.time]\nreference = 600.0\ncase = \"large/n=9\"\n";
    assert!(kit.contains(time), "{kit}");
}

#[test]
fn what_differs_inside_a_line_is_marked_in_the_terminal_and_in_the_page() {
    let answer = "first\\na <b> & c\\n";
    let room = squares()
        .keeping()
        .replace(
            "squares/square/problem.toml",
            "[checker.tokens]",
            "[checker.lines]",
        )
        .replace(
            "squares/square/problem.toml",
            "\"9\\n\"",
            &format!("\"{answer}\""),
        )
        .file(
            "class/ann/square.py",
            "import sys\nn = int(sys.argv[1])\nprint(n * n if n < 3 else 'first\\na <i> & c')\n",
        );
    let test = [
        "test",
        "class/ann/square.py",
        "-a",
        "./squares",
        "--color",
        "always",
    ];
    let shown = room.run(&test).stdout;
    let [removed, added] = [
        "\x1b[32m-  2 | \x1b[0m\x1b[32ma <\x1b[0m\x1b[32;7mb\x1b[0m\x1b[32m> & c\x1b[0m\n",
        "\x1b[31m+  2 | \x1b[0m\x1b[31ma <\x1b[0m\x1b[31;7mi\x1b[0m\x1b[31m> & c\x1b[0m\n",
    ];
    assert!(shown.contains(removed) && shown.contains(added), "{shown}");
    assert_eq!(room.run(&["grade", "class", "-a", "./squares"]).status, 0);
    let pages = ["report", "class", "--html", "pages"];
    assert_eq!(room.run(&pages).status, 0);
    let page = std::fs::read_to_string(room.path("pages/students/ann.html")).unwrap();
    for line in [
        "-  2 | </span><span class=\"good\">a &lt;</span><del>b</del><span class=\"good\">&gt; &amp; c</span>\n",
        "+  2 | </span><span class=\"wrong\">a &lt;</span><ins>i</ins><span class=\"wrong\">&gt; &amp; c</span>\n",
    ] {
        assert!(page.contains(line), "{page}");
    }
}

#[test]
fn a_program_runs_on_an_input_of_ones_own() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let room = Room::new();
    room.run(&["init", "week", "--template", "stdin"]);
    room.run(&["init", "week/guess", "--template", "interactive"]);
    let sum = "import sys\na, b = map(int, input().split())\nprint(a + b, '\\x1b')\nsys.exit(a)\n";
    let room = room
        .file("sum.py", sum)
        .file("sum.c", "int main(void) { return 0 }\n")
        .file("guess.py", "print(1)\n")
        .file("numbers.txt", "3 4\n");
    let command = |file, input| room.command(&["test", file, "-a", "./week", "--input", input]);
    let ran = |file, input| {
        let stdin = fs::File::open(room.path("numbers.txt")).unwrap();
        let ran = Ran::of(command(file, input).stdin(stdin).output().unwrap());
        let last = ran.stderr.lines().last().unwrap_or_default().to_owned();
        let lines = ran.stdout.lines().map(redacted);
        (ran.status, lines.collect::<Vec<_>>().join("; "), last)
    };
    let seven = (1, "7 \\x1b; exit status 3, <measured>".to_owned());
    for input in ["numbers.txt", "-"] {
        let (status, printed, _) = ran("sum.py", input);
        assert_eq!((status, printed), seven);
    }
    let (status, printed, _) = ran("sum.c", "-");
    assert_eq!((status, &*printed), (1, "does not compile"));
    let of_game = "error: programs for `guess` do not read an input from a file";
    assert_eq!(ran("guess.py", "-"), (2, String::new(), of_game.to_owned()));
}
