//! A class and its assignment on disk, and the parts of its problem that rows replace.

use std::fs;

use crate::harness::Room;

pub(super) const ASSIGNMENT: &str = "format = 1
id = \"asg\"
title = \"Assignment\"
[[problem]]
path = \"twice\"
points = 10
";
pub(super) const DEADLINE: &str = "[deadline]
due = 2026-10-01T12:00:00
zone = \"UTC\"
penalty = \"10% per day\"
";

// The parts of the problem that rows replace.
pub(super) const FILES: &str = "files = [\"twice.*\"]\n";
pub(super) const LIMITS: &str = "time = \"10 s\"\n";
pub(super) const REFERENCE: &str = "[reference]\npath = \"right/twice.py\"\n";
pub(super) const CHECKER: &str = "[checker.tokens]\n";
pub(super) const STDIN: &str = "[run]\nstdin = \"{n}\\n\"\n";
pub(super) const SEARCH: &str = "[search]\ncases = { n = \"1..=9\" }\n";
pub(super) const POINTS: &str = "points = 10\n";
pub(super) const CASES: &str = "cases = { n = \"1..=4\" }\n";

pub(super) fn problem() -> String {
    format!(
        "format = 1\nid = \"twice\"\ntitle = \"Twice n\"\n[submission]\n{FILES}[limits]\n{LIMITS}{REFERENCE}{CHECKER}{STDIN}{SEARCH}\
         [[subtask]]\nname = \"all\"\n{POINTS}{CASES}"
    )
}

/// Unit tests that a harness in the student's process reports.
pub(super) const IN_PROCESS: &str = "import twice

def case(n):
    failed = '' if twice.twice(n) == 2 * n else '<failure message=\"wrong\"/>'
    return f'<testcase classname=\"T\" name=\"n{n}\">{failed}</testcase>'

report = '<testsuite>' + ''.join(case(n) for n in (1, 2, 3, 4)) + '</testsuite>'
open('report.xml', 'w').write(report)
";

/// The same in a process of its own, which asks the student's for each answer.
pub(super) const APART: &str = "import sys

def case(n):
    print(n, flush=True)
    right = sys.stdin.readline().strip() == str(2 * n)
    failed = '' if right else '<failure message=\"wrong\"/>'
    return f'<testcase classname=\"T\" name=\"n{n}\">{failed}</testcase>'

report = '<testsuite>' + ''.join(case(n) for n in (1, 2, 3, 4)) + '</testsuite>'
open(sys.argv[3] + '/report.xml', 'w').write(report)
";
pub(super) const ANSWERS: &str = "import sys, twice
for line in sys.stdin:
    print(twice.twice(int(line)), flush=True)
";

pub(super) const VALID: &str = "import sys\nsys.exit(42 if 1 <= int(input()) <= 9 else 43)\n";

pub(super) const CHECK: &str = "import sys
n = int(open(sys.argv[1]).read())
sys.exit(42 if sys.stdin.read().split() == [str(2 * n)] else 43)
";

/// Makes a program of a script, with the line ends of Windows.
pub(super) const BUILD: &str = "mkdir out\r\n(echo '#!/usr/bin/env python3'; cat twice.py) > out/twice\r\nchmod +x out/twice\r\n";

/// A linter that does not like conditional expressions.
pub(super) const LINT: &str = "import sys
for path in sys.argv[1:]:
    for number, line in enumerate(open(path), 1):
        if ' if ' in line:
            print(f'{path}:{number}: C1 a condition')
            sys.exit(1)
";

/// Asks for another run on the same input.
pub(super) const TWO_PASSES: &str = "import os, sys
feedback, n = sys.argv[3], open(sys.argv[1]).read()
if sys.stdin.read().split() != [str(2 * int(n))]:
    sys.exit(43)
if not os.path.exists(feedback + '/first'):
    open(feedback + '/first', 'w').close()
    open(feedback + '/nextpass.in', 'w').write(n)
sys.exit(42)
";

pub(super) const INTERACTOR: &str = "import sys
n = int(open(sys.argv[1]).read())
print(n, flush=True)
sys.exit(42 if sys.stdin.readline().strip() == str(2 * n) else 43)
";

pub(super) fn program(expression: &str) -> String {
    format!("n = int(input())\nprint({expression})\n")
}

pub(super) fn function(expression: &str) -> String {
    format!("def twice(n):\n    return {expression}\n")
}

/// Prints more than one answer that may be in memory beside others.
pub(super) fn large(expression: &str) -> String {
    format!(
        "{}for _ in range(17):\n    print('x' * 999999)\n",
        program(expression)
    )
}

/// Sends `n` in a first run, and computes in a second.
pub(super) fn two_runs(expression: &str) -> String {
    format!("import sys\nn = int(input())\nprint(n if 'send' in sys.argv else {expression})\n")
}

/// Adds the student's own number, which is its argument.
pub(super) fn own(expression: &str) -> String {
    format!("import sys\nn = int(input())\nprint(({expression}) + int(sys.argv[1]))\n")
}

/// Prints nothing wrong, says so on standard error, and ends with exit status 3.
pub(super) fn ended(expression: &str) -> String {
    let program = program(expression);
    format!("import sys\n{program}print('done with', n, file=sys.stderr)\nsys.exit(3)\n")
}

/// Half of the cases are right.
pub(super) const HALF: &str = "2 * n if n < 3 else 1";

/// Right in all cases, and wrong for 7.
pub(super) const LUCKY: &str = "2 * n if n != 7 else 1";

/// The reference, the samples and the submissions, each made of an expression of `n`. Students have a copy in `work`.
pub(super) fn programs(room: Room, source: fn(&str) -> String) -> Room {
    placed(room, "", |expression| {
        vec![("twice.py", source(expression))]
    })
}

/// The same of several files. Samples are in a folder of this name.
pub(super) fn placed(
    room: Room,
    sample: &str,
    files: impl Fn(&str) -> Vec<(&'static str, String)>,
) -> Room {
    let all = [
        ("asg/twice/right".to_owned(), "2 * n"),
        (format!("asg/twice/submissions/accepted/{sample}"), "2 * n"),
        (format!("asg/twice/submissions/wrong-answer/{sample}"), HALF),
    ];
    let room = all.into_iter().fold(room, |room, (folder, expression)| {
        in_folder(room, &folder, files(expression))
    });
    submitted(room, files)
}

fn in_folder(room: Room, folder: &str, files: Vec<(&str, String)>) -> Room {
    files.into_iter().fold(room, |room, (path, text)| {
        room.file(&format!("{folder}/{path}"), text)
    })
}

/// What students submit, made of expressions of `n`. They have a copy in `work`.
pub(super) fn submitted(room: Room, files: impl Fn(&str) -> Vec<(&'static str, String)>) -> Room {
    let all = [("ada", "2 * n"), ("bob", HALF), ("cy", LUCKY)];
    all.into_iter().fold(room, |room, (id, expression)| {
        let room = in_folder(room, &format!("class/{id}"), files(expression));
        in_folder(room, &format!("work/{id}"), files(expression))
    })
}

/// An assignment and a class of four. Dan submits nothing.
pub(super) fn plain() -> Room {
    programs(empty(), program)
}

/// The plain room in which Bob has two programs of the right name.
pub(super) fn two_files() -> Room {
    let room = plain()
        .file("class/bob/first/twice.py", program(HALF))
        .file("class/bob/second/twice.py", program("2 * n"));
    fs::remove_file(room.path("class/bob/twice.py")).unwrap();
    room
}

/// The same without programs.
pub(super) fn empty() -> Room {
    unmade().file("asg/twice/problem.toml", problem())
}

/// The same without the problem.
pub(super) fn unmade() -> Room {
    let of_classroom50 = [
        "CLASSROOM",
        "ASSIGNMENT",
        "SUBMISSION_TAG",
        "COMMIT_URL",
        "RELEASE_URL",
        "REVIEW_URL",
    ];
    let room = of_classroom50
        .into_iter()
        .fold(Room::new(), |room, name| room.env(name, "x"));
    room.keeping()
        .file("asg/assignment.toml", ASSIGNMENT)
        .folder("class/dan")
}

/// The plain room with other parts of the problem.
pub(super) fn with(parts: &[(&str, &str)]) -> Room {
    changed(plain(), parts)
}

/// A room with other parts of the problem.
pub(super) fn changed(room: Room, parts: &[(&str, &str)]) -> Room {
    let change =
        |room: Room, (old, new): &(&str, &str)| room.replace("asg/twice/problem.toml", old, new);
    parts.iter().fold(room, change)
}

/// A room in which the reference is a folder, too.
pub(super) fn projects(
    parts: &[(&str, &str)],
    files: impl Fn(&str) -> Vec<(&'static str, String)>,
) -> Room {
    let folder = [(REFERENCE, "[reference]\npath = \"right\"\n")];
    placed(changed(empty(), &[&folder, parts].concat()), "mine", files)
}

/// An author's `main.py` is compiled with each submission.
pub(super) fn included(parts: &[(&str, &str)], main: &str) -> Room {
    let include = format!("{FILES}include = [\"main.py\"]\n");
    let room = with(&[parts, &[(FILES, &include)]].concat()).file("asg/twice/main.py", main);
    programs(room, function)
}
