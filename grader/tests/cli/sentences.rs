//! Sentences that must be true: for each a program of which it is, and one that only looks like it. What compilers and
//! interpreters say is in the crate `language`, undefined behaviour in `undefined.rs`.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::class::{GRADE, SQUARE, WRONG, ann_and_bob, squares};
use crate::harness::{Room, have, problem, student};

/// A task, and two programs for it.
struct Row {
    id: &'static str,
    /// The rest of the problem file.
    task: &'static str,
    /// A part of what the first program's author is told, and the second's is not.
    part: &'static str,
    told: (&'static str, &'static str),
    other: (&'static str, &'static str),
}

const WORDS: &str = "[run]\nstdin = \"{n}\\n\"\n[checker.tokens]\n[[subtask]]\nname = \"all\"\npoints = 1\ncase = [\n    \
    { name = \"one\", variables = { n = 1 }, answer = \"Valid\" },\n    { name = \"other\", variables = { n = -1 }, answer = \"Not Valid\" },\n]\n";
const NUMBERS: &str = "[run]\nstdin = \"{n}\\n\"\n[checker.tokens]\n[[subtask]]\nname = \"all\"\npoints = 1\ncase = [\n    \
    { name = \"one\", variables = { n = 1 }, answer = \"0\" },\n    { name = \"other\", variables = { n = -1 }, answer = \"impossible\" },\n]\n";
const ONE: &str = "[checker.tokens]\n[[subtask]]\nname = \"all\"\npoints = 1\ncase = [{ name = \"one\", variables = { n = 1 }, answer = \"3\" }]\n";

#[rustfmt::skip]
const ROWS: [Row; 9] = [
    Row {
        id: "words", task: WORDS, part: "extra text before the answer",
        told: ("py", "print('Result:', 'Valid' if int(input()) > 0 else 'Not Valid')\n"),
        other: ("py", "print('Not Valid')\n"),
    },
    Row {
        id: "numbers", task: NUMBERS, part: "\"PE\"",
        told: ("py", "print('The answer is 0' if int(input()) > 0 else 'impossible')\n"),
        other: ("py", "print('impossible')\nprint(0)\n"),
    },
    Row {
        id: "ends", task: "[run]\nstdin = \"{n}\\n\"\n", part: "`return 0` from `int main`",
        told: ("c", "#include <stdio.h>\nint main(void) { puts(\"3\"); return 3; }\n"),
        other: ("py", "print(3, flush=True)\nraise ValueError(input())\n"),
    },
    Row {
        id: "crash", task: "[run]\nstdin = \"{n}\\n\"\n", part: "end with exit status 0",
        told: ("c", "#include <stdio.h>\nint main(void) { puts(\"3\"); return 3; }\n"),
        other: ("c", "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { puts(\"3\"); fflush(stdout); abort(); }\n"),
    },
    Row {
        id: "empty", task: "[run]\nstdin = \"{n}\\n\"\noutput-file = \"result.txt\"\n",
        part: "the file `result.txt` is empty; the program wrote to standard output instead",
        told: ("py", "open('result.txt', 'w').close()\nprint(int(input()) + 2)\n"),
        other: ("py", "print(int(input()) + 2, file=open('result.txt', 'w'))\nprint(4)\n"),
    },
    Row {
        id: "wrong", task: "[run]\nstdin = \"{n}\\n\"\noutput-file = \"result.txt\"\n",
        part: "printed to stderr, not to the file `result.txt`",
        told: ("py", "import sys\nopen('result.txt', 'w').close()\nprint(int(input()) + 2, file=sys.stderr)\n"),
        other: ("py", "open('result.txt', 'w').close()\nprint(int(input()) + 2)\n"),
    },
    Row {
        id: "signal", task: "[run]\nstdin = \"{n}\\n\"\nexit-status = \"ignored\"\n",
        part: "crashed: killed by signal 6 (SIGABRT); the program printed nothing",
        told: ("c", "#include <stdlib.h>\nint main(void) { abort(); }\n"),
        other: ("c", "int main(void) { return 3; }\n"),
    },
    Row {
        id: "given", task: "[run]\nstdin = \"{n}\\n\"\nfiles = [\"map.txt\"]\n", part: "which is not there",
        told: ("c", "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"maps.txt\", \"r\"); return !f; }\n"),
        other: ("c", "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"map.txt\", \"r\"); return !!f; }\n"),
    },
    Row {
        id: "made", task: "", part: "does not read standard input; this task gives the input there",
        told: ("py", "print(7)\n"),
        other: ("py", "print(int(input()) + 7)\n"),
    },
];

/// The verdicts of a problem's cases, and all that is said of it.
fn said(problem: &Value) -> String {
    let cases = problem["subtasks"].as_array().unwrap().iter();
    let cases = cases.flat_map(|subtask| subtask["cases"].as_array().unwrap());
    let parts = cases.map(|case| {
        format!(
            "{} {} {}\n",
            case["verdict"], case["message"], case["hints"]
        )
    });
    format!("{} {}\n", problem["message"], problem["hints"]) + &parts.collect::<String>()
}

#[test]
fn what_is_said_of_a_program_is_true_of_it() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let mut assignment = "format = 1\nid = \"a\"\ntitle = \"A\"\n".to_owned();
    let mut room = Room::new();
    for Row {
        id,
        task,
        told,
        other,
        ..
    } in &ROWS
    {
        writeln!(assignment, "[[problem]]\npath = \"{id}\"\npoints = 1").unwrap();
        let head = format!(
            "format = 1\nid = \"{id}\"\ntitle = \"P\"\n[submission]\nfiles = [\"{id}.*\"]\n[limits]\ntime = \"10 s\"\n"
        );
        let rest = match *id {
            "words" | "numbers" => "",
            "made" => {
                "[run]\ngenerate = \"make.py {n}\"\n[reference]\npath = \"sum.py\"\n[checker.tokens]\n[[subtask]]\nname = \"all\"\npoints = 1\ncases = { n = [2] }\n"
            }
            _ => ONE,
        };
        room = room
            .file(&format!("{id}/problem.toml"), head + task + rest)
            .file(&format!("class/told/{id}.{}", told.0), told.1)
            .file(&format!("class/other/{id}.{}", other.0), other.1);
    }
    let room = room
        .file("assignment.toml", assignment)
        .file("given/map.txt", "a map\n")
        .file("made/make.py", "import sys\nprint(int(sys.argv[1]) + 40)\n")
        .file("made/sum.py", "print(int(input()) + 1)\n");
    let (status, results) = room.json(&["grade", "class", "-a", ".", "--json", "-"]);
    assert_eq!(status, 0);
    for Row { id, part, .. } in &ROWS {
        let [told, other] = ["told", "other"].map(|who| said(problem(student(&results, who), id)));
        assert!(told.contains(part), "{id}: {part}\n{told}");
        assert!(!other.contains(part), "{id}: {part}\n{other}");
    }
}

#[test]
fn a_command_to_try_has_the_authors_flags() {
    if !have(&["gcc"]) {
        return;
    }
    let room = Room::new().fixture("function", ".").replace(
        "double/problem.toml",
        "[submission]",
        "[build]\nflags.c = [\"-DLIMIT=3\"]\n\n[submission]",
    );
    let room = room.file("class/wrong-c/double.c", "int twice(int n) { return n; }\n");
    let (_, results) = room.json(&["grade", "class", "-a", ".", "--json", "-"]);
    let problem = problem(student(&results, "wrong-c"), "double");
    assert_eq!(
        problem["subtasks"][0]["cases"][0]["command"],
        "cp double/main.c double/double.h . && gcc -DLIMIT=3 main.c double.c -lm -o program && printf '1\\n' | ./program"
    );
}

#[test]
fn a_folder_of_several_programs_and_a_notebook_are_open_and_say_why() {
    let main = "int main(void) { return 0; }\n";
    let room = squares()
        .file("class/ann/square/main.c", SQUARE)
        .file("class/ann/square/fast.c", main)
        .file(
            "class/bob/square.ipynb",
            "{\"cells\": [], \"nbformat\": 4}\n",
        )
        .file("class/cy/square.c", SQUARE);
    let (status, results) = room.json(&[&GRADE[..], &["--json", "-"]].concat());
    assert_eq!(status, 3);
    let of = |id: &str| {
        let square = problem(student(&results, id), "square");
        (square["points"].clone(), square["message"].clone())
    };
    assert_eq!(
        ["ann", "bob", "cy"].map(of),
        [
            (Value::Null, "`square/` has several files with a `main` (`fast.c`, `main.c`): keep only one program, or choose it with `grader correct --file`".into()),
            (Value::Null, "`square.ipynb` is a notebook whose code cannot be read as Python: export it as `.py`".into()),
            (10.into(), Value::Null),
        ]
    );
}

#[test]
fn a_function_that_prints_or_returns_nothing_is_told_so() {
    let problem_file = "format = 1\nid = \"f\"\ntitle = \"F\"\n[submission]\nfile = [\"f.py\"]\ninclude = [\"main.py\"]\n\
        [run]\nstdin = \"{n}\\n\"\n[limits]\ntime = \"5 s\"\n[checker.tokens]\n[[subtask]]\nname = \"all\"\npoints = 1\n\
        case = [{ name = \"three\", variables = { n = 3 }, answer = \"9\" }]\n";
    let room = Room::new()
        .file(
            "a/assignment.toml",
            "format = 1\nid = \"a\"\ntitle = \"A\"\n[[problem]]\npath = \"f\"\npoints = 1\n",
        )
        .file("a/f/problem.toml", problem_file)
        .file("a/f/main.py", "from f import f\nprint(f(int(input())))\n")
        .file(
            "class/ann/f.py",
            "def f(n):\n    print(n)\n    return n * n\n",
        )
        .file("class/bob/f.py", "def f(n):\n    print(n * n)\n")
        .file("class/cy/f.py", "def f(n):\n    return n\n");
    let (_, results) = room.json(&["grade", "class", "-a", "./a", "--json", "-"]);
    let said = |id: &str| said(problem(student(&results, id), "f"));
    let parts = ["The last line is right", "`None` is what a function gives"];
    let all = ["ann", "bob", "cy"].map(|id| parts.map(|part| said(id).contains(part)));
    assert_eq!(all, [[true, false], [false, true], [false, false]]);
}

#[test]
fn a_notebook_is_judged_as_the_python_program_of_its_code_cells() {
    let notebook = |code: &str| {
        json!({ "nbformat": 4, "metadata": null, "cells": [
            { "cell_type": "markdown", "source": ["# Squares"] },
            { "cell_type": "code", "outputs": [], "source": ["%matplotlib inline\n", "import sys"] },
            { "cell_type": "code", "source": code },
        ] })
        .to_string()
    };
    let square = "!ls\nprint(int(sys.argv[1]) ** 2)\n";
    let left = "get_ipython().system('ls')\n";
    let program = "import sys\nprint(int(sys.argv[1]) ** 2)\n";
    let only_square = "format = 1\nid = \"squares\"\ntitle = \"Squares\"\n[[problem]]\npath = \"square\"\npoints = 10\n";
    let room = squares()
        .file("squares/assignment.toml", only_square)
        .file("class/ann/square.ipynb", notebook(square))
        .file("class/bob/homework 1.ipynb", notebook(square))
        .file("class/cy/square.ipynb", notebook(left))
        .file("class/dan/square.py", program)
        .file("class/dan/square.ipynb", notebook(left))
        .file("class/eve/square.ipynb", "[".repeat(1 << 20))
        .file(
            "class/fay/square.ipynb",
            " ".repeat(2 << 20) + &notebook(square),
        )
        .file("class/gus/square.ipynb", notebook(square))
        .file("class/gus/helper.py", program);
    let (status, results) = room.json(&[&GRADE[..], &["--json", "-"]].concat());
    assert_eq!(status, 3);
    let of = |id: &str| {
        let square = problem(student(&results, id), "square");
        (square["points"].clone(), square["message"].clone())
    };
    // Its own reason says what to do: choosing it would lead to the same reason.
    let text = room.run(&["report", "class"]).stdout;
    let mut commands = text.lines().filter(|it| it.contains("correct --student"));
    assert!(!commands.any(|it| it.contains(".ipynb")), "{text}");
    let open = |why: &str| (Value::Null, why.into());
    assert_eq!(
        ["ann", "bob", "cy", "dan", "eve", "fay", "gus"].map(of),
        [
            (10.into(), Value::Null),
            open(
                "`homework 1.ipynb` is a notebook whose name fits no problem: export it as `square.py`"
            ),
            open(
                "`square.ipynb` is a notebook with a line that works only in a notebook (`get_ipython().system('ls')`): remove it, and export the notebook as `.py`"
            ),
            (10.into(), Value::Null),
            open(
                "`square.ipynb` is a notebook whose code cannot be read as Python: export it as `.py`"
            ),
            open("`square.ipynb` is a notebook of more than 2 MiB: export it as `.py`"),
            open(
                "`square.ipynb` is a notebook, which is judged only if it is the only file: export it as `.py`"
            ),
        ]
    );
    let note =
        "the code cells of the notebook are judged as one Python program, without other files";
    let notes = student(&results, "ann").to_string();
    assert!(notes.contains(note), "{notes}");
    let tested = room.run(&["test", "class/ann/square.ipynb", "-a", "./squares"]);
    assert_eq!(tested.status, 0, "{}{}", tested.stdout, tested.stderr);
    assert!(tested.stderr.contains(note), "{}", tested.stderr);
    let unnamed = room.run(&["test", "class/bob/homework 1.ipynb", "-a", "./squares"]);
    let why = "is a notebook whose name fits no problem: export it as `square.py`";
    assert!(unnamed.stderr.contains(why), "{}", unnamed.stderr);
}

#[test]
fn the_suggested_command_for_a_file_beside_the_program_grades_their_folder() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let own = SQUARE
        .replace("n * n", "times(n)")
        .replace("int main", "int times(int n);\nint main");
    let room = squares()
        .replace(
            "squares/square/problem.toml",
            "[submission]",
            "[submission]\nproject = false",
        )
        .keeping()
        .file("class/ann/src/square.c", own)
        .file(
            "class/ann/src/times.c",
            "int times(int n) { return n * n; }\n",
        )
        .file("class/ann/one.py", "print(1)\n");
    let ran = room.run(&GRADE);
    let command = "grader correct --student ann --problem square --file src/\n";
    assert!(ran.stdout.contains(command), "{}", ran.stdout);
    let words: Vec<&str> = command.split_whitespace().skip(1).collect();
    let corrected = room.run(&words);
    assert_eq!(corrected.status, 0, "{}", corrected.stderr);
    let (_, results) = room.json(&[&GRADE[..], &["--json", "-"]].concat());
    assert_eq!(problem(student(&results, "ann"), "square")["verdict"], "AC");
}

#[test]
fn a_remark_is_about_a_line_that_there_is() {
    let room = ann_and_bob();
    assert_eq!(room.run(&GRADE).status, 0);
    let remark = |at: &str| {
        let ran = room.run(&[
            "correct",
            "--student",
            "bob",
            "--problem",
            "square",
            "--at",
            at,
            "--comment",
            "why?",
        ]);
        (ran.status, ran.stderr)
    };
    let lines = WRONG.lines().count();
    for (at, message) in [
        ("square.c:999", format!("error: there is no line 999: `square.c` has {lines} lines\n")),
        ("sqare.c:1", "error: the submission for `square` has no file `sqare.c`; did you mean `square.c`?\nthe files are `square.c`\n".to_owned()),
    ] {
        assert_eq!(remark(at), (2, message));
    }
    assert!(!room.path("corrections.toml").exists());
    assert_eq!(remark(&format!("square.c:{lines}")).0, 0);
}

#[test]
fn grades_of_any_earlier_run_are_our_own() {
    let book = |grade: &str| {
        format!(
            "Username,Squares Points Grade <Numeric MaxPoints:10>,End-of-Line Indicator\n#ann,{grade},#\n"
        )
    };
    let room = ann_and_bob();
    assert_eq!(room.run(&GRADE).status, 0);
    let filled = |room: &Room, points: &str, grade: &str| {
        let ran = room.run(&[
            "correct",
            "--student",
            "ann",
            "--problem",
            "square",
            "--points",
            points,
        ]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let ran = room.run(&["gradebook", "book.csv", "-o", "-"]);
        assert!(!ran.stderr.contains("stays"), "{}", ran.stderr);
        assert_eq!(ran.stdout, book(grade));
    };
    let room = room.file("book.csv", book(""));
    filled(&room, "8", "8");
    // A trial, whose file nobody uploads.
    filled(&room, "9", "9");
    // The file with the first grade.
    let room = room.file("book.csv", book("8"));
    filled(&room, "10", "10");
    // A grade that nobody filled in is a person's.
    let room = room.file("book.csv", book("7"));
    let ran = room.run(&["gradebook", "book.csv", "-o", "-"]);
    assert!(
        ran.stderr.contains("has 7, which stays; ours is 10"),
        "{}",
        ran.stderr
    );
}
