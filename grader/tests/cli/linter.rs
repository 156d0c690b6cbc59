//! Remarks of tools on students' sources.

use std::fs;

use serde_json::{Value, json};

use crate::harness::{Room, problem, student};

const ASSIGNMENT: &str = "format = 1
id = \"hw\"
title = \"Homework\"
[[problem]]
path = \"twice\"
points = 10
";

const PROBLEM: &str = r#"format = 1
id = "twice"
title = "Twice"
[submission]
files = ["*twice.py"]
languages = ["python"]
extra = ["a:*", "*.cfg"]
[limits]
time = "10 s"
[checker.tokens]
[checks.lint]
command = ["python3", "lint.py", "--why=short", "{files}"]
files = ["lint.py"]
[[subtask]]
name = "right"
points = 8
case = [{ name = "3", stdin = "3\n", answer = "6\n" }]
[[subtask]]
name = "style"
points = 2
check = "lint"
each = 0.75
require = ["right"]
"#;

/// Does not like names of one letter. What it is given decides how it fails; settings beside a source silence it.
const LINT: &str = r"import os, re, signal, sys
assert sys.argv[1] == '--why=short' and os.listdir('.') == ['lint.py']
found = 0
for path in sys.argv[2:]:
    if os.path.exists(os.path.join(os.path.dirname(path), 'lint.cfg')):
        continue
    try:
        open(path, 'a')
        sys.exit('sources are not to be written')
    except OSError:
        pass
    text = open(path).read()
    if 'FLOOD' in text:
        sys.stdout.write((path + ':1: x\n') * 1_000_000)
    if 'CRASH' in text:
        os.kill(os.getpid(), signal.SIGSEGV)
    if 'BUG' in text:
        raise SystemExit('Traceback: a bug')
    for number, line in enumerate(text.split('\n'), 1):
        for name in re.finditer(r'\b[a-z]\b', line):
            # Twice: the same remark counts once.
            print(f'{path}:{number}:{name.start() + 1}: C1 {line!r}: short name\n' * 2, end='')
            found = 1
sys.exit(found)
";

const CLEAN: &str = "print(2 * int(input()))\n";
const SHORT: &str = "n = int(input())\nprint(2 * n)\n";

fn room() -> Room {
    let failing = |word: &str| format!("{CLEAN}# {word}\n");
    Room::new()
        .keeping()
        .file("hw/assignment.toml", ASSIGNMENT)
        .file("hw/twice/problem.toml", PROBLEM)
        .file("hw/twice/lint.py", LINT)
        .file("class/ann/twice.py", CLEAN)
        .file("class/bob/twice.py", SHORT)
        // Settings of a student's do not go along.
        .file("class/cy/twice.py", SHORT)
        .file("class/cy/lint.cfg", "silent")
        .file("class/dee/--help twice.py", SHORT)
        .file("class/eve/twice.py", failing("FLOOD"))
        .file("class/fay/twice.py", failing("CRASH"))
        .file("class/gus/twice.py", failing("BUG"))
        .file("class/hal/twice.py", CLEAN)
        .file("class/hal/a:1: b.py", SHORT)
        // A file of its own is built under a plain name.
        .file("class/max/a:1: twice.py", SHORT)
        .file("class/ian/twice.py", "print(1)\n")
        .file("class/joe/twice.py", "print(\n")
        .file("class/kim/twice.py", format!("{SHORT}a = b = 1\n"))
        .folder("class/lea")
}

/// The points of a student, of the style, what is said of it, and the remarks.
fn of(results: &Value, id: &str) -> Value {
    let problem = problem(student(results, id), "twice");
    let style = &problem["subtasks"][1];
    let remarks = problem["remarks"].as_array().unwrap().len();
    let message = &style["message"];
    json!([
        problem["verdict"],
        problem["points"],
        style["points"],
        message,
        remarks
    ])
}

#[test]
fn remarks_take_points_and_a_tool_that_fails_takes_none() {
    let room = room();
    let (status, results) = room.json(&["grade", "class", "-a", "./hw", "--json", "-"]);
    assert_eq!(status, 3);
    let failed = |why: &str| {
        let why = format!(
            "not scored yet, as the check `lint` failed: {why}; repair that, and grade again"
        );
        json!(["AC", null, null, why, 0])
    };
    let two = "2 remarks of `lint`, 0.75 points each";
    let lacking = "not run: subtask `right` is required and was not passed";
    let expected = [
        ("ann", json!(["AC", 10, 2, "0 remarks of `lint`", 0])),
        ("bob", json!(["AC", 8.5, 0.5, two, 2])),
        ("cy", json!(["AC", 8.5, 0.5, two, 2])),
        ("dee", json!(["AC", 8.5, 0.5, two, 2])),
        (
            "eve",
            failed("it was stopped: it wrote more than 8 MiB of messages"),
        ),
        ("fay", failed("it crashed: signal 11 (SIGSEGV)")),
        (
            "gus",
            failed("it failed with exit status 1: Traceback: a bug"),
        ),
        ("ian", json!(["WA", 0, 0, lacking, 0])),
        ("joe", json!(["CE", 0, 0, null, 0])),
        (
            "kim",
            json!(["AC", 8, 0, "4 remarks of `lint`, 0.75 points each", 4]),
        ),
        ("lea", json!(["SK", 0, 0, null, 0])),
    ];
    for (id, expected) in expected {
        assert_eq!(of(&results, id), expected, "{id}");
    }
    let hal = of(&results, "hal");
    let why = "remarks on `a:1: b.py` cannot be told from other lines: rename it without a colon and control characters";
    assert_eq!(hal, failed(why));
    let bob = problem(student(&results, "bob"), "twice");
    let remark = json!({
        "check": "lint", "file": "twice.py", "line": 1, "column": 1,
        "message": "C1 'n = int(input())': short name",
    });
    assert_eq!(bob["remarks"][0], remark);
    // A page has it at its line.
    let ran = room.run(&["report", "class", "--html", "pages", "--lang", "zh"]);
    assert_eq!(ran.status, 3, "{}", ran.stderr);
    let page = fs::read_to_string(room.path("pages/students/bob.html")).unwrap();
    for part in [
        "<li>lint: <a href=\"#twice.f0.1\">twice.py:1</a>:1: C1 &#39;n = int(input())&#39;: short name</li>",
        "<li id=\"twice.f0.1\">n = int(input())<div class=\"hint\">C1 &#39;n = int(input())&#39;: short name</div>",
        "<code>lint</code> 指出 2 处问题，每处扣 0.75 分",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    // What is known is used again; a check that failed is tried again, and a change of its files concerns everybody.
    let origins = |room: &Room| {
        let (_, results) = room.json(&["grade", "class", "-a", "./hw", "--json", "-"]);
        let of = |id| problem(student(&results, id), "twice")["origin"]["kind"].clone();
        ["ann", "bob", "eve"].map(of)
    };
    assert_eq!(origins(&room), ["reused", "reused", "ran"]);
    let room = room.file("hw/twice/lint.py", format!("{LINT}\n"));
    assert_eq!(origins(&room), ["ran", "ran", "ran"]);
}

#[test]
fn without_a_subtask_remarks_are_only_told_and_a_failure_is_for_staff() {
    let (told, _) = PROBLEM.split_once("[[subtask]]\nname = \"style\"").unwrap();
    let room = room().file("hw/twice/problem.toml", told).replace(
        "hw/assignment.toml",
        "points = 10",
        "points = 8",
    );
    let (status, results) = room.json(&["grade", "class", "-a", "./hw", "--json", "-"]);
    assert_eq!(status, 0);
    let seen = |id: &str| {
        let problem = problem(student(&results, id), "twice");
        let remarks = problem["remarks"].as_array().unwrap().len();
        json!([problem["points"], remarks, problem["flags"]])
    };
    assert_eq!(seen("ann"), json!([8, 0, []]));
    assert_eq!(seen("bob"), json!([8, 2, []]));
    let flag = json!({
        "code": "check-failed",
        "message": "the check `lint` failed: it crashed: signal 11 (SIGSEGV)",
        "evidence": [],
    });
    assert_eq!(seen("fay"), json!([8, 0, [flag]]));
    assert_eq!(seen("ian"), json!([0, 0, []]));
    // A program that does not exist.
    let room = room.replace("hw/twice/problem.toml", "\"python3\"", "\"no-such-linter\"");
    let checked = room.run(&["check", "./hw"]);
    assert_eq!(checked.status, 0);
    let sentence = "twice: check `lint`: not installed: no-such-linter";
    assert!(checked.stdout.contains(sentence), "{}", checked.stdout);
    let tested = room.run(&["test", "class/bob/twice.py", "-a", "./hw"]);
    assert_eq!(tested.status, 0, "{}", tested.stdout);
}
