//! What a problem or a class can have.

use std::fs;

use crate::harness::Room;

/// A class and its assignment.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) room: Room,
    /// What is done before the class is graded.
    pub(crate) before: fn(&Room),
    /// Arguments of `grade`, after the class and the assignment.
    pub(crate) arguments: &'static [&'static str],
    /// Where each student's program is, in the student's folder.
    pub(crate) file: &'static str,
    /// Whether a whole folder is handed in.
    pub(crate) is_project: bool,
    /// What each student has in the end; `?` is not scored yet, `EX` excused, `0+10` a bonus of 10.
    pub(crate) points: Vec<(&'static str, &'static str)>,
    /// The points that a student can have.
    pub(crate) max: u32,
    /// Exit status of commands that show the class.
    pub(crate) status: i32,
}

const ASSIGNMENT: &str = "format = 1
id = \"asg\"
title = \"Assignment\"
[[problem]]
path = \"twice\"
points = 10
";
const DEADLINE: &str = "[deadline]
due = 2026-10-01T12:00:00
zone = \"UTC\"
penalty = \"10% per day\"
";

// The parts of the problem that rows replace.
const FILES: &str = "files = [\"twice.*\"]\n";
const LIMITS: &str = "time = \"10 s\"\n";
const REFERENCE: &str = "[reference]\npath = \"right/twice.py\"\n";
const CHECKER: &str = "[checker.tokens]\n";
const STDIN: &str = "[run]\nstdin = \"{n}\\n\"\n";
const SEARCH: &str = "[search]\ncases = { n = \"1..=9\" }\n";
const POINTS: &str = "points = 10\n";
const CASES: &str = "cases = { n = \"1..=4\" }\n";

fn problem() -> String {
    format!(
        "format = 1\nid = \"twice\"\ntitle = \"Twice n\"\n[submission]\n{FILES}[limits]\n{LIMITS}{REFERENCE}{CHECKER}{STDIN}{SEARCH}\
         [[subtask]]\nname = \"all\"\n{POINTS}{CASES}"
    )
}

/// Unit tests that a harness in the student's process reports.
const IN_PROCESS: &str = "import twice

def case(n):
    failed = '' if twice.twice(n) == 2 * n else '<failure message=\"wrong\"/>'
    return f'<testcase classname=\"T\" name=\"n{n}\">{failed}</testcase>'

report = '<testsuite>' + ''.join(case(n) for n in (1, 2, 3, 4)) + '</testsuite>'
open('report.xml', 'w').write(report)
";

/// The same in a process of its own, which asks the student's for each answer.
const APART: &str = "import sys

def case(n):
    print(n, flush=True)
    right = sys.stdin.readline().strip() == str(2 * n)
    failed = '' if right else '<failure message=\"wrong\"/>'
    return f'<testcase classname=\"T\" name=\"n{n}\">{failed}</testcase>'

report = '<testsuite>' + ''.join(case(n) for n in (1, 2, 3, 4)) + '</testsuite>'
open(sys.argv[3] + '/report.xml', 'w').write(report)
";
const ANSWERS: &str = "import sys, twice
for line in sys.stdin:
    print(twice.twice(int(line)), flush=True)
";

const CHECK: &str = "import sys
n = int(open(sys.argv[1]).read())
sys.exit(42 if sys.stdin.read().split() == [str(2 * n)] else 43)
";

/// Makes a program of a script, with the line ends of Windows.
const BUILD: &str = "mkdir out\r\n(echo '#!/usr/bin/env python3'; cat twice.py) > out/twice\r\nchmod +x out/twice\r\n";

/// Asks for another run on the same input.
const TWO_PASSES: &str = "import os, sys
feedback, n = sys.argv[3], open(sys.argv[1]).read()
if sys.stdin.read().split() != [str(2 * int(n))]:
    sys.exit(43)
if not os.path.exists(feedback + '/first'):
    open(feedback + '/first', 'w').close()
    open(feedback + '/nextpass.in', 'w').write(n)
sys.exit(42)
";

const INTERACTOR: &str = "import sys
n = int(open(sys.argv[1]).read())
print(n, flush=True)
sys.exit(42 if sys.stdin.readline().strip() == str(2 * n) else 43)
";

fn program(expression: &str) -> String {
    format!("n = int(input())\nprint({expression})\n")
}

fn function(expression: &str) -> String {
    format!("def twice(n):\n    return {expression}\n")
}

/// Prints more than one answer that may be in memory beside others.
fn large(expression: &str) -> String {
    format!(
        "{}for _ in range(17):\n    print('x' * 999999)\n",
        program(expression)
    )
}

/// Half of the cases are right.
const HALF: &str = "2 * n if n < 3 else 1";

/// Right in all cases, and wrong for 7.
const LUCKY: &str = "2 * n if n != 7 else 1";

/// The reference, the samples and the submissions, each made of an expression of `n`. Students have a copy in `work`.
fn programs(room: Room, source: fn(&str) -> String) -> Room {
    placed(room, "", |expression| {
        vec![("twice.py", source(expression))]
    })
}

/// The same of several files. Samples are in a folder of this name.
fn placed(room: Room, sample: &str, files: impl Fn(&str) -> Vec<(&'static str, String)>) -> Room {
    let all = [
        ("asg/twice/right".to_owned(), "2 * n"),
        (format!("asg/twice/submissions/accepted/{sample}"), "2 * n"),
        (format!("asg/twice/submissions/wrong-answer/{sample}"), HALF),
        ("class/ada".to_owned(), "2 * n"),
        ("class/bob".to_owned(), HALF),
        ("class/cy".to_owned(), LUCKY),
        ("work/ada".to_owned(), "2 * n"),
        ("work/bob".to_owned(), HALF),
        ("work/cy".to_owned(), LUCKY),
    ];
    all.into_iter().fold(room, |room, (folder, expression)| {
        let files = files(expression).into_iter();
        files.fold(room, |room, (path, text)| {
            room.file(&format!("{folder}/{path}"), text)
        })
    })
}

/// An assignment and a class of four. Dan submits nothing.
fn plain() -> Room {
    programs(empty(), program)
}

/// The same without programs.
fn empty() -> Room {
    Room::new()
        .keeping()
        .file("asg/assignment.toml", ASSIGNMENT)
        .file("asg/twice/problem.toml", problem())
        .folder("class/dan")
}

/// The plain room with other parts of the problem.
fn with(parts: &[(&str, &str)]) -> Room {
    changed(plain(), parts)
}

/// A room with other parts of the problem.
fn changed(room: Room, parts: &[(&str, &str)]) -> Room {
    let change =
        |room: Room, (old, new): &(&str, &str)| room.replace("asg/twice/problem.toml", old, new);
    parts.iter().fold(room, change)
}

/// A room in which the reference is a folder, too.
fn projects(parts: &[(&str, &str)], files: impl Fn(&str) -> Vec<(&'static str, String)>) -> Room {
    let folder = [(REFERENCE, "[reference]\npath = \"right\"\n")];
    placed(changed(empty(), &[&folder, parts].concat()), "mine", files)
}

/// An author's `main.py` is compiled with each submission.
fn included(parts: &[(&str, &str)], main: &str) -> Room {
    let include = format!("{FILES}include = [\"main.py\"]\n");
    let room = with(&[parts, &[(FILES, &include)]].concat()).file("asg/twice/main.py", main);
    programs(room, function)
}

/// A row in which Ada is right, Bob is right in two of four cases, Cy is right in all of them, and Dan submits nothing.
fn row(name: &'static str, room: Room) -> Row {
    scored(name, room, ["10", "5", "10", "0"])
}

fn scored(name: &'static str, room: Room, points: [&'static str; 4]) -> Row {
    Row {
        name,
        room,
        before: |_| (),
        arguments: &[],
        file: "twice.py",
        is_project: false,
        points: ["ada", "bob", "cy", "dan"]
            .into_iter()
            .zip(points)
            .collect(),
        max: 10,
        status: 0,
    }
}

/// All rows.
pub(crate) fn rows() -> Vec<Row> {
    [
        problems(),
        by_hand(),
        classes(),
        deadlines(),
        folders(),
        unclear(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What a problem can have.
fn problems() -> Vec<Row> {
    let mut folder = with(&[
        (CASES, "folder = \"data\"\n"),
        (STDIN, ""),
        (SEARCH, &format!("{SEARCH}stdin = \"{{n}}\\n\"\n")),
    ]);
    for n in 1..=4 {
        folder = folder
            .file(&format!("asg/twice/data/{n}.in"), format!("{n}\n"))
            .file(&format!("asg/twice/data/{n}.ans"), format!("{}\n", 2 * n));
    }
    let generator = "[run]\ngenerate = \"gen.py {n}\"\n";
    let validator = format!("{CHECKER}[validator]\nsource = \"valid.py\"\n");
    let valid = "import sys\nsys.exit(42 if 1 <= int(input()) <= 9 else 43)\n";
    let checker = "[checker.program]\nsource = \"check.py\"\n";
    let interactor = "[interactor]\nsource = \"talk.py\"\n";
    let apart = "[interactor]\nsource = \"tests.py\"\nprotocol = \"junit\"\n";
    let (none, tests) = (
        [(SEARCH, ""), (REFERENCE, "")],
        "tests = [\"n1\", \"n2\", \"n3\", \"n4\"]\n",
    );
    let in_process = [
        (CHECKER, ""),
        (STDIN, "[run]\nreport = \"junit\"\n"),
        (CASES, tests),
    ];
    let apart = [(CHECKER, apart), (STDIN, ""), (CASES, tests)];
    let main = "import twice\nprint(twice.twice(int(input())))\n";
    let attempts = format!("{CASES}attempts = {{ runs = 2, at-least = 2 }}\n");
    let passes = format!("{STDIN}passes = 2\n");
    let timed = format!("{REFERENCE}timed = [\"other.py\"]\n");
    let limits = "time = { reference = 50 }\noutput = \"40 MiB\"\n";
    let timed =
        with(&[(REFERENCE, &timed), (LIMITS, limits)]).file("asg/twice/other.py", large("2 * n"));
    let built = format!(
        "{FILES}languages = [\"python\"]\ninclude = [\"build.sh\"]\n[build]\ncommand = [\"sh\", \"build.sh\"]\nprogram = \"out/twice\"\n"
    );
    let hidden =
        "[[subtask]]\nname = \"rest\"\nhidden = true\npoints = 4\ncases = { n = \"4..=4\" }\n";
    let hidden = format!("cases = {{ n = \"1..=3\" }}\n{hidden}");
    vec![
        row("variables", plain()),
        row(
            "generator",
            with(&[(STDIN, generator)])
                .file("asg/twice/gen.py", "import sys\nprint(sys.argv[1])\n"),
        ),
        row("folder of cases", folder),
        row(
            "validator",
            with(&[(CHECKER, &validator)]).file("asg/twice/valid.py", valid),
        ),
        row(
            "own checker",
            with(&[(CHECKER, checker)]).file("asg/twice/check.py", CHECK),
        ),
        row(
            "interactor",
            with(&[&none[..], &[(CHECKER, interactor)]].concat())
                .file("asg/twice/talk.py", INTERACTOR),
        ),
        row(
            "unit tests in process",
            included(&[&none[..], &in_process].concat(), IN_PROCESS),
        ),
        row(
            "unit tests apart",
            included(&[&none[..], &apart].concat(), ANSWERS).file("asg/twice/tests.py", APART),
        ),
        row("included main", included(&[], main)),
        row(
            "built by a command",
            with(&[(FILES, &built)]).file("asg/twice/build.sh", BUILD),
        ),
        row("attempts", with(&[(CASES, &attempts)])),
        row(
            "passes",
            with(&[(CHECKER, checker), (STDIN, &passes)]).file("asg/twice/check.py", TWO_PASSES),
        ),
        row("timed, above 16 MiB", programs(timed, large)),
        scored(
            "hidden cases",
            with(&[(POINTS, "points = 6\n"), (CASES, &hidden)]),
            ["10", "4", "10", "0"],
        ),
        scored(
            "bonus only",
            plain().replace("asg/assignment.toml", POINTS, "bonus = 10\n"),
            ["0+10", "0+5", "0+10", "0"],
        ),
    ]
}

fn correction(rest: &str) -> String {
    format!("[[correction]]\nassignment = \"asg\"\nproblem = \"twice\"\n{rest}")
}

/// What a person decides.
fn by_hand() -> Vec<Row> {
    let style = format!("{CASES}[[subtask]]\nname = \"style\"\npoints = 5\nmanual = true\n");
    let room = || with(&[(CASES, &style)]).replace("asg/assignment.toml", POINTS, "points = 15\n");
    let given = |(student, points): (&str, u32)| {
        correction(&format!(
            "subtask = \"style\"\nstudent = \"{student}\"\npoints = {points}\n"
        ))
    };
    let given = [("ada", 5), ("bob", 2), ("cy", 0)].map(given).concat();
    let add = correction("student = \"ada\"\nadd = -1\ncomment = \"no name\"\n");
    let excuse = correction("student = \"bob\"\nexcused = true\ncomment = \"ill\"\n");
    let corrected = |text: &str| plain().file("corrections.toml", format!("format = 1\n{text}"));
    vec![
        Row {
            max: 15,
            ..scored("points by hand, missing", room(), ["?", "?", "?", "0"])
        },
        Row {
            max: 15,
            ..scored(
                "points by hand",
                room().file("corrections.toml", format!("format = 1\n{given}")),
                ["15", "7", "10", "0"],
            )
        },
        scored("correction", corrected(&add), ["9", "5", "10", "0"]),
        scored("excuse", corrected(&excuse), ["10", "EX", "10", "0"]),
    ]
}

/// What a class can be.
fn classes() -> Vec<Row> {
    let two_files = plain()
        .file("class/bob/first/twice.py", program(HALF))
        .file("class/bob/second/twice.py", program("2 * n"));
    fs::remove_file(two_files.path("class/bob/twice.py")).unwrap();
    let two_sections = || plain().file("class-2/bob/twice.py", program(HALF));
    let names = "id,name\nada,Ada A\nbob,Bob B\ncy,Cy C\ndan,Dan D\n";
    vec![
        scored(
            "compile error",
            plain().file("class/bob/twice.py", "print(\n"),
            ["10", "0", "10", "0"],
        ),
        Row {
            status: 3,
            ..scored(
                "two files for one problem",
                two_files,
                ["10", "?", "10", "0"],
            )
        },
        scored("team", team(), ["10", "5", "10", "10"]),
        Row {
            arguments: &["--roster", "roster.csv"],
            ..row("roster", plain().file("roster.csv", names))
        },
        Row {
            arguments: &["--roster", "roster.csv"],
            ..row("clones", clones())
        },
        Row {
            before: |room| {
                done(room, "grade class-2 -a ./asg --quiet");
                done(room, "grade class -a ./asg --quiet");
                done(
                    room,
                    "correct class-2 --student bob --problem twice --excused --comment ill",
                );
            },
            ..row("another section, corrected", two_sections())
        },
        Row {
            before: |room| {
                done(room, "grade class-2 -a ./asg --quiet");
                done(room, "grade class -a ./asg --quiet");
                done(
                    room,
                    "correct class --student bob --problem twice --add 1 --comment kind",
                );
            },
            ..scored(
                "this section, corrected",
                two_sections(),
                ["10", "6", "10", "0"],
            )
        },
    ]
}

/// When work is handed in.
fn deadlines() -> Vec<Row> {
    let submitted =
        "id,submitted\nada,2026-10-01 11:00\nbob,2026-10-02 11:00\ncy,2026-10-01 11:00\ndan,\n";
    let room = |more: &str| {
        plain()
            .file(
                "asg/assignment.toml",
                format!("{ASSIGNMENT}{DEADLINE}{more}"),
            )
            .file("roster.csv", submitted)
    };
    let extension = "format = 1\n[[correction]]\nassignment = \"asg\"\nstudent = \"bob\"\ndeadline = 2026-10-02T12:00:00\ncomment = \"ill\"\n";
    vec![
        Row {
            arguments: &["--roster", "roster.csv"],
            ..scored("deadline", room(""), ["10", "4.5", "10", "0"])
        },
        Row {
            arguments: &["--roster", "roster.csv"],
            ..row("extension", room("").file("corrections.toml", extension))
        },
        Row {
            before: |room| {
                done(room, "grade class -a ./asg --quiet");
                fs::write(room.path("class/bob/twice.py"), program(HALF)).unwrap();
            },
            ..scored(
                "best attempt",
                room("attempts = \"best\"\n").file("class/bob/twice.py", program("2 * n")),
                ["10", "10", "10", "0"],
            )
        },
    ]
}

/// What a student hands in besides the program.
fn folders() -> Vec<Row> {
    let project = |expression: &str| {
        vec![
            (
                "HW 1/src/twice.py",
                "from parts.helper import double\nprint(double(int(input())))\n".to_owned(),
            ),
            (
                "HW 1/src/parts/helper.py",
                format!("def double(n):\n    return {expression}\n"),
            ),
            ("HW 1/README.md", "# Twice\n".to_owned()),
            ("HW 1/.idea/misc.xml", "<project/>\n".to_owned()),
        ]
    };
    let below = |expression: &str| {
        let files = project(expression).into_iter();
        let files = files.map(|(path, text)| (path.trim_start_matches("HW 1/"), text));
        files.collect()
    };
    let two_mains = |expression: &str| {
        let main = "if __name__ == '__main__':\n    print(twice(int(input())))\n";
        vec![
            ("twice.py", format!("{}{main}", function(expression))),
            ("demo.py", format!("from twice import twice\n{main}")),
        ]
    };
    let with_data = |expression: &str| {
        let expression = expression.replace('2', "two");
        vec![
            (
                "HW 1/src/twice.py",
                format!(
                    "two = int(open('data/two.txt').read())\n{}",
                    program(&expression)
                ),
            ),
            ("HW 1/data/two.txt", "2\n".to_owned()),
        ]
    };
    let header = "#ifndef TWICE_H\n#define TWICE_H\nint twice(int n);\n#endif\n";
    let main = "#include <stdio.h>\n#include \"twice.h\"\nint main(void) { int n; scanf(\"%d\", &n); printf(\"%d\\n\", twice(n)); }\n";
    let copied = |expression: &str| {
        let expression = match expression {
            HALF => "n < 3 ? 2 * n : 1",
            LUCKY => "n != 7 ? 2 * n : 1",
            right => right,
        };
        let include = "#include \"../include/twice.h\"\n";
        vec![
            (
                "src/twice.c",
                format!("{include}int twice(int n) {{ return {expression}; }}\n"),
            ),
            ("include/twice.h", header.replace('\n', "\r\n")),
        ]
    };
    let include = format!("{FILES}include = [\"main.c\", \"twice.h\"]\n");
    vec![
        Row {
            file: "HW 1/src/twice.py",
            is_project: true,
            ..row("project in a folder", projects(&[], project))
        },
        Row {
            file: "HW 1/src/twice.py",
            is_project: true,
            ..row("data file opened by name", projects(&[], with_data))
        },
        Row {
            file: "src/twice.py",
            ..row("project, named by its file", projects(&[], below))
        },
        Row {
            is_project: true,
            ..row("two mains", projects(&[], two_mains))
        },
        Row {
            file: "src/twice.c",
            is_project: true,
            ..row(
                "included header copied",
                projects(&[(FILES, &include)], copied)
                    .file("asg/twice/main.c", main)
                    .file("asg/twice/twice.h", header),
            )
        },
    ]
}

/// Nothing says which of a student's files is meant.
fn unclear() -> Vec<Row> {
    let undecided = plain()
        .file("class/bob/a.py", program(HALF))
        .file("class/bob/b.py", program("2 * n"));
    fs::remove_file(undecided.path("class/bob/twice.py")).unwrap();
    vec![
        Row {
            status: 3,
            ..scored(
                "two mains, and nothing says which",
                undecided,
                ["10", "?", "10", "0"],
            )
        },
        Row {
            status: 3,
            ..scored(
                "program in two languages",
                plain().file("class/bob/twice.c", "int main(void) { return 0; }\n"),
                ["10", "?", "10", "0"],
            )
        },
    ]
}

/// The class as repositories. Their names begin with the assignment's, and the logins begin alike.
fn clones() -> Room {
    let roster = "identifier,github_username\nada,cs-ada\nbob,cs-bob\ncy,cs-cy\ndan,cs-dan\n";
    let room = plain().file("roster.csv", roster);
    for id in ["ada", "bob", "cy"] {
        fs::create_dir_all(room.path(&format!("class/{id}/.git"))).unwrap();
        let to = room.path(&format!("class/asg-cs-{id}"));
        fs::rename(room.path(&format!("class/{id}")), to).unwrap();
    }
    fs::remove_dir(room.path("class/dan")).unwrap();
    room
}

/// Ada and Dan submit together.
fn team() -> Room {
    let room = plain().file("groups.csv", "id,team\nada,one\ndan,one\n");
    fs::rename(room.path("class/ada"), room.path("class/one")).unwrap();
    fs::remove_dir(room.path("class/dan")).unwrap();
    room
}

fn done(room: &Room, line: &str) {
    let ran = room.run(&line.split(' ').collect::<Vec<_>>());
    assert_eq!(ran.status, 0, "{line}: {}", ran.stderr);
}
