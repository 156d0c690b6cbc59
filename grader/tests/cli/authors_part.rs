//! Problems whose own part does not work on this machine: nobody loses points by that.

use crate::harness::{Room, have, student};

/// What breaks a template: the file, and a line at its beginning.
type Broken = (&'static str, &'static str, &'static str);

/// Every template with a part of the author, and how it is broken; one of the accepted samples, and its name in a submission.
const TEMPLATES: [(Broken, &str, &str); 9] = [
    (
        ("checker", "pair/checker.py", PYTHON),
        "pair/submissions/accepted/pair.py",
        "pair.py",
    ),
    (
        ("classic", "double/solution.py", PYTHON),
        "double/submissions/accepted/double.py",
        "double.py",
    ),
    (
        ("function", "gcd/main.py", PYTHON),
        "gcd/submissions/accepted/gcd.py",
        "gcd.py",
    ),
    (
        ("function", "gcd/main.c", C),
        "gcd/submissions/accepted/gcd.c",
        "gcd.c",
    ),
    (
        ("function", "gcd/Main.java", JAVA),
        "gcd/submissions/accepted/Gcd.java",
        "Gcd.java",
    ),
    (
        ("interactive", "guess/interactor.py", PYTHON),
        "guess/submissions/accepted/guess.py",
        "guess.py",
    ),
    (
        ("junit", "stack/Main.java", JAVA),
        "stack/submissions/accepted/Stack.java",
        "Stack.java",
    ),
    (
        ("pytest", "stack/main.py", PYTHON),
        "stack/submissions/accepted/stack.py",
        "stack.py",
    ),
    (
        ("pytest-separate", "gcd/tests/main.py", PYTHON),
        "gcd/submissions/accepted/gcd.py",
        "gcd.py",
    ),
];

const PYTHON: &str = "import not_installed_here\n";
const C: &str = "#include <not_installed_here.h>\n";
const JAVA: &str = "import not.installed.here.Library;\n";

/// Each student with verdict and points.
fn rows(results: &serde_json::Value) -> Vec<String> {
    let students = results["students"].as_array().unwrap().iter();
    let rows = students.map(|it| {
        let problem = &it["problems"][0];
        format!("{} {} {}", it["id"], problem["verdict"], problem["points"]).replace('"', "")
    });
    rows.collect()
}

/// What staff and the student read as the reason.
fn reasons(room: &Room, results: &serde_json::Value, id: &str) -> [String; 2] {
    let staff = student(results, id)["problems"][0]["message"].as_str();
    let staff = staff.unwrap_or_default().to_owned();
    let own = [
        "report",
        "class",
        "--explain",
        id,
        "--audience",
        "student",
        "--json",
        "-",
    ];
    let (_, own) = room.json(&own);
    let own = own["students"][0]["problems"][0]["message"].as_str();
    [staff, own.unwrap_or_default().to_owned()]
}

/// Paths with their texts.
type Files<'a> = &'a [(&'a str, &'a str)];

#[test]
fn nobody_gets_a_0_if_the_problems_own_part_does_not_work_here_in_any_template() {
    if !have(&["gcc", "javac", "java", "python3"]) {
        return;
    }
    for ((template, file, line), sample, name) in TEMPLATES {
        let room = Room::new().keeping();
        assert_eq!(room.run(&["init", "lab", "--template", template]).status, 0);
        let read = |path: &str| std::fs::read_to_string(room.path(path)).unwrap();
        let (part, right) = (read(&format!("lab/{file}")), read(&format!("lab/{sample}")));
        let room = room
            .file(&format!("lab/{file}"), format!("{line}{part}"))
            .file(&format!("class/ada/{name}"), &right)
            .file(&format!("class/bob/{name}"), format!("{right}\n"));
        let arguments = [
            "grade",
            "class",
            "-a",
            "./lab",
            "--csv",
            "points.csv",
            "--json",
            "-",
        ];
        let is_retried = template == "pytest";
        // A result of ours is not reused either.
        for _ in 0..=usize::from(is_retried) {
            let (status, results) = room.json(&arguments);
            let open = ["ada JE null", "bob JE null"].map(str::to_owned).to_vec();
            assert_eq!((status, rows(&results)), (3, open), "{template} {file}");
            assert!(!room.path("points.csv").exists(), "{template} {file}");
        }
        if is_retried {
            let ran = room.run(&["test", &format!("class/ada/{name}"), "-a", "./lab"]);
            assert_eq!(ran.status, 3, "{}", ran.stdout);
        }
    }
}

/// A function task in C and Python with this many lines more, without samples and reference.
fn function(lines: &str) -> Room {
    let problem = format!(
        r#"format = 1
id = "gcd"
title = "GCD"
[submission]
file = ["gcd.py", "gcd.c"]
include = ["main.py", "main.c"]
[checker.tokens]
{lines}
[[subtask]]
name = "all"
points = 2
case = [{{ name = "one", stdin = "12 18\n", answer = "6" }}, {{ name = "two", stdin = "5 0\n", answer = "5" }}]
"#
    );
    Room::new()
        .keeping()
        .file("lab/assignment.toml", "format = 1\nid = \"lab\"\ntitle = \"Lab\"\n[[problem]]\npath = \"gcd\"\npoints = 2\n")
        .file("lab/gcd/problem.toml", problem)
        .file("lab/gcd/main.py", "from gcd import gcd\nprint(gcd(*map(int, input().split())))\n")
        .file(
            "lab/gcd/main.c",
            "#include <stdio.h>\nint gcd(int a, int b);\nint main(void) {\n    int a, b;\n    if (scanf(\"%d %d\", &a, &b) != 2) \
             return 1;\n    printf(\"%d\\n\", gcd(a, b));\n}\n",
        )
}

const RIGHT_PYTHON: &str = "def gcd(a, b):\n    return a if b == 0 else gcd(b, a % b)\n";
const RIGHT_C: &str = "int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }\n";
const OTHER_PYTHON: &str = "def ggt(a, b):\n    return 1\n";
const OTHER_C: &str = "int ggt(int a, int b) { return a + b; }\n";

#[test]
fn a_language_is_not_scored_if_a_right_program_fails_in_it() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let room = function("[build]\nflags.c = [\"-fnot-a-flag\"]")
        .file("lab/gcd/submissions/accepted/right.c", RIGHT_C)
        .file("lab/gcd/submissions/accepted/right.py", RIGHT_PYTHON)
        .file("class/ada/gcd.c", RIGHT_C)
        .file("class/bob/gcd.py", RIGHT_PYTHON)
        .file("class/cy/gcd.py", OTHER_PYTHON);
    let (status, results) = room.json(&["grade", "class", "-a", "./lab", "--json", "-"]);
    assert_eq!(
        (status, rows(&results)),
        (
            3,
            ["ada JE null", "bob AC 2", "cy RE 0"]
                .map(str::to_owned)
                .to_vec()
        )
    );
    let [staff, own] = reasons(&room, &results, "ada");
    let start = "the problem's own part does not work here in C: `submissions/accepted/right.c`, which is right, does not compile: ";
    assert!(
        staff.starts_with(start) && staff.contains("-fnot-a-flag"),
        "{staff}"
    );
    assert_eq!(
        own,
        "grading failed: not your program's fault, and not scored yet"
    );
    // Once the problem is repaired, nothing of that is left.
    let room = room.replace("lab/gcd/problem.toml", "-fnot-a-flag", "-fwrapv");
    let (status, results) = room.json(&["grade", "class", "-a", "./lab", "--json", "-"]);
    assert_eq!(
        (status, rows(&results)),
        (
            0,
            ["ada AC 2", "bob AC 2", "cy RE 0"]
                .map(str::to_owned)
                .to_vec()
        )
    );
}

#[test]
fn a_reference_that_exceeds_the_limits_shows_that_the_harness_works() {
    if !have(&["python3"]) {
        return;
    }
    let large = format!("table = bytearray(200 << 20)\n{RIGHT_PYTHON}");
    let lines = "[reference]\npath = \"large.py\"\n[limits]\ntime = \"5 s\"\nmemory = \"64 MiB\"";
    let room = function(lines)
        .file("lab/gcd/large.py", large)
        .file("class/ada/gcd.py", RIGHT_PYTHON)
        .file("class/bob/gcd.py", OTHER_PYTHON);
    let (status, results) = room.json(&["grade", "class", "-a", "./lab", "--json", "-"]);
    let expected = ["ada AC 2", "bob RE 0"].map(str::to_owned).to_vec();
    assert_eq!((status, rows(&results)), (0, expected));
}

#[test]
fn without_a_right_program_the_same_error_of_all_in_the_authors_files_is_not_scored() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let main_py = (
        "lab/gcd/main.py",
        "from gcd",
        "import not_installed_here\nfrom gcd",
    );
    let main_c = (
        "lab/gcd/main.c",
        "#include <stdio.h>",
        "#include <not_installed_here.h>\n#include <stdio.h>",
    );
    let none = ("lab/gcd/main.py", "from gcd", "from gcd");
    let [ada, bob] = ["class/ada/gcd.py", "class/bob/gcd.py"];
    #[rustfmt::skip]
    let table: [(_, Files<'_>, i32, &[&str]); 9] = [
        (none, &[(ada, RIGHT_PYTHON), (bob, OTHER_PYTHON)], 0, &["ada AC 2", "bob RE 0"]),
        (main_py, &[(ada, RIGHT_PYTHON), (bob, OTHER_PYTHON), ("class/cy/gcd.c", RIGHT_C)], 3, &["ada JE null", "bob JE null", "cy AC 2"]),
        // No student's file can be the cause.
        (main_py, &[(ada, RIGHT_PYTHON)], 3, &["ada JE null"]),
        (main_c, &[("class/cy/gcd.c", RIGHT_C)], 3, &["cy JE null"]),
        // Who forgets the function fails in the author's file, too.
        (none, &[(bob, OTHER_PYTHON)], 0, &["bob RE 0"]),
        (none, &[("class/cy/gcd.c", OTHER_C)], 0, &["cy CE 0"]),
        (none, &[("class/cy/gcd.c", OTHER_C), ("class/dan/gcd.c", RIGHT_C)], 0, &["cy CE 0", "dan AC 2"]),
        // Two who forget it may be right, and the harness wrong.
        (none, &[(ada, OTHER_PYTHON), (bob, OTHER_PYTHON)], 3, &["ada JE null", "bob JE null"]),
        // Different errors are theirs.
        (none, &[(ada, OTHER_PYTHON), (bob, "gcd = 1\n")], 0, &["ada RE 0", "bob RE 0"]),
    ];
    for ((file, old, new), submissions, status, expected) in table {
        let room = function("").replace(file, old, new);
        let room = submissions
            .iter()
            .fold(room, |room, (path, text)| room.file(path, text));
        // The second run takes what it may from the first.
        for _ in 0..2 {
            let (found, results) = room.json(&["grade", "class", "-a", "./lab", "--json", "-"]);
            assert_eq!(
                (found, rows(&results)),
                (status, expected.iter().map(ToString::to_string).collect()),
                "{new} {submissions:?}"
            );
        }
    }
}

#[test]
fn check_names_what_the_problems_own_part_lacks_here() {
    if !have(&["gcc", "python3", "javac"]) {
        return;
    }
    let java = "format = 1\nid = \"lab\"\ntitle = \"Lab\"\n[languages.java]\nflags = [\"-cp\", \"/nowhere/junit.jar:.\"]\n[[problem]]\n\
                path = \"gcd\"\npoints = 2\n";
    let checked = |room: &Room| {
        let ran = room.run(&["check", "lab"]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        let lines = ran.stdout.lines().filter(|it| it.starts_with("  gcd: "));
        lines.map(|it| it.trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(checked(&function("")), ["gcd: there is no statement"; 0]);
    let room = function("")
        .file(
            "lab/gcd/main.py",
            "import os, not_installed_here.part\nfrom gcd import gcd\nprint(gcd(1, 2))\n",
        )
        .replace(
            "lab/gcd/main.c",
            "#include <stdio.h>",
            "#include <stdio.h>\n#include <not_installed_here.h>",
        );
    let found = checked(&room);
    let ends = [
        " has no header `not_installed_here.h` here",
        "Python has no module `not_installed_here` here",
    ];
    assert_eq!(found.len(), 2, "{found:?}");
    for end in ends {
        assert!(found.iter().any(|it| it.ends_with(end)), "{found:?}");
    }
    let found = checked(&function("[build]\nflags.c = [\"-fnot-a-flag\"]"));
    assert!(
        found.len() == 1 && found[0].ends_with(" refuses the flags `-fnot-a-flag`"),
        "{found:?}"
    );
    let room = function("").file("lab/assignment.toml", java).replace(
        "lab/gcd/problem.toml",
        "file = [\"gcd.py\", \"gcd.c\"]",
        "file = [\"Gcd.java\"]",
    );
    assert_eq!(
        checked(&room),
        ["gcd: there is no `/nowhere/junit.jar` here, which the flags of Java name"]
    );
}
