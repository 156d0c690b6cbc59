//! Grading a class.

use grader_sandbox::Cores;
use serde_json::{Value, json};

use crate::harness::{Room, problem, student};

/// A small assignment: print the square of `n`; three cases, 10 points; and a bonus of 2 for printing 1.
pub(crate) fn squares() -> Room {
    Room::new()
        .file(
            "squares/assignment.toml",
            r#"
format = 1
id = "squares"
title = { zh = "平方", en = "Squares" }

[[problem]]
path = "square"
points = 10

[[problem]]
path = "one"
bonus = 2
"#,
        )
        .file(
            "squares/square/problem.toml",
            r#"
format = 1
id = "square"
title = { zh = "平方", en = "The square of n" }

[submission]
files = ["square.*", "*平方*"]

[run]
arguments = ["{n}"]

[limits]
time = "2 s"

[checker.tokens]

[[subtask]]
name = "small"
points = 10

[[subtask.case]]
name = "n=1"
variables = { n = 1 }
answer = "1\n"

[[subtask.case]]
name = "n=2"
variables = { n = 2 }
answer = "4\n"

[[subtask.case]]
name = "n=3"
variables = { n = 3 }
answer = "9\n"
"#,
        )
        .file(
            "squares/one/problem.toml",
            r#"
format = 1
id = "one"
title = { zh = "一", en = "One" }

[submission]
files = ["one.*"]

[limits]
time = "2 s"

[checker.tokens]

[[subtask]]
name = "all"
points = 2
hidden = true

[[subtask.case]]
name = "secret"
answer = "1\n"
"#,
        )
}

pub(crate) const SQUARE: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) { int n = atoi(v[1]); (void)c; printf(\"%d\\n\", n * n); return 0; }\n";
const WRONG: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) { (void)c; printf(\"%d\\n\", atoi(v[1]) + 2); return 0; }\n";
const ONE: &str = "#include <stdio.h>\nint main(void) { puts(\"1\"); return 0; }\n";

#[test]
fn every_student_gets_a_row_and_nothing_is_lost() {
    let room = squares()
        .file("class/王 小明/我的 平方 #1 [final].c", SQUARE)
        .file("class/王 小明/one.c", ONE)
        .file("class/ann/square.c", WRONG)
        .file("class/ann/sqaure2.c", SQUARE)
        .file("class/bob/.DS_Store", "junk")
        .folder("class/cat")
        .file("class/dan/square.c", "int main( { }")
        .file("class/readme.txt", "beside the students");
    let (status, results) = room.json(&["grade", "class", "-a", "./squares", "--format", "json"]);
    assert_eq!(status, 0);
    let rows: Vec<Value> = results["students"]
        .as_array()
        .unwrap()
        .iter()
        .map(|student| {
            json!([
                student["id"],
                student["points"],
                student["bonus"],
                student["nothing-submitted"],
                problem(student, "square")["verdict"],
                problem(student, "one")["verdict"],
                student["unused"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|file| file["path"].clone())
                    .collect::<Vec<_>>(),
            ])
        })
        .collect();
    assert_eq!(
        rows,
        [
            json!(["ann", 3.33, 0, false, "PC", "SK", ["sqaure2.c"]]),
            json!(["bob", 0, 0, true, "SK", "SK", [".DS_Store"]]),
            json!(["cat", 0, 0, true, "SK", "SK", []]),
            json!(["dan", 0, 0, false, "CE", "SK", []]),
            json!(["王 小明", 10, 2, false, "AC", "AC", []]),
        ]
    );
    assert_eq!(
        problem(student(&results, "cat"), "square")["message"],
        "nothing submitted"
    );
    assert_eq!(results["unused"][0]["path"], "readme.txt");
}

#[test]
fn the_table_is_the_same_however_many_programs_run_at_a_time() {
    let mut room = squares();
    for index in 0..12 {
        let source = if index % 3 == 0 { WRONG } else { SQUARE };
        room = room.file(&format!("class/s{index}/square.c"), source);
    }
    let table = |jobs: &str| {
        let ran = room.run(&["grade", "class", "-a", "./squares", "-j", jobs]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        (ran.stdout, ran.stderr)
    };
    let (one, stderr) = table("1");
    assert!(!stderr.contains("--jobs"), "{stderr}");
    assert_eq!(one, table("5").0);
    let cores = Cores::here().order().len();
    let (same, stderr) = table(&(cores + 1).to_string());
    assert_eq!(one, same);
    let more = format!(
        "`--jobs {}` is more than the {cores} cores here: programs share cores, so times are less fair\n",
        cores + 1
    );
    assert_eq!(stderr.contains(&more), cores > 0, "{stderr}");
    assert!(one.contains("s10"), "{one}");
}

/// The id of the assignment that a report is on.
fn graded_by(room: &Room, arguments: &[&str]) -> Value {
    let arguments = [&["grade"], arguments, &["--format", "json"]].concat();
    let (status, results) = room.json(&arguments);
    assert_eq!(status, 0, "{arguments:?}");
    results["assignment"]["id"].clone()
}

#[test]
fn a_bare_name_is_a_bundled_assignment_whatever_lies_here() {
    // What a student may submit: an assignment of the bundled one's name, with tests that anything passes.
    let room = squares().file("class/ann/square.c", SQUARE);
    std::fs::rename(room.path("squares"), room.path("n-queens")).unwrap();
    for arguments in [
        &["class"][..],
        &["class", "-a", "n-queens"],
        // The line that `docs/ci.md` gives for a repository.
        &[".", "--layout", "one", "--assignment", "n-queens"],
    ] {
        assert_eq!(graded_by(&room, arguments), "n-queens", "{arguments:?}");
    }
    for path in ["./n-queens", "n-queens/", "class/../n-queens"] {
        assert_eq!(graded_by(&room, &["class", "-a", path]), "squares");
    }
    // A student's folder, where the class is the folder that we are in.
    assert_eq!(graded_by(&room, &["."]), "n-queens");

    let tested = room.run(&["test", "class/ann/square.c", "-a", "n-queens"]);
    assert_eq!((tested.status, tested.stdout.as_str()), (2, ""));
    let tested = room.run(&["test", "class/ann/square.c", "-a", "./n-queens"]);
    assert_eq!(tested.status, 0, "{}", tested.stdout);
    for arguments in [&[][..], &["-a", "n-queens"]] {
        let bundle = [&["gradescope-bundle", "-o", "bundle.zip"], arguments].concat();
        assert_eq!(room.run(&bundle).status, 0);
        let zip = std::fs::File::open(room.path("bundle.zip")).unwrap();
        let mut zip = zip::ZipArchive::new(zip).unwrap();
        assert!(zip.by_name("assignment/count/problem.toml").is_ok());
    }
}

#[test]
fn a_report_for_a_student_is_about_that_student_and_has_no_hidden_case() {
    let room = squares()
        .file("class/bob/square.c", WRONG)
        .file("class/eve/one.c", ONE.replace("\"1\"", "\"2\""))
        .file("roster.csv", "ID,Name\nbob,Robert Ray\neve,Eva Lee\n");
    let (_, staff) = room.json(&["grade", "class", "-a", "./squares", "--format", "json"]);
    let case = &problem(student(&staff, "eve"), "one")["subtasks"][0]["cases"][0];
    assert_eq!(case["name"], "secret");
    assert!(case["message"].is_string());

    let grade = [
        "grade",
        "class",
        "-a",
        "./squares",
        "--roster",
        "roster.csv",
    ];
    let to_student = |more: &[&str]| {
        let ran = room.run(&[&grade[..], &["--audience", "student"], more].concat());
        (ran.status, ran.stdout, ran.stderr)
    };
    let one = "error: this report is about one student: name the student with `--explain ID`\n";
    for more in [&[][..], &["--explain", "eve", "--explain", "bob"]] {
        assert_eq!(to_student(more), (2, String::new(), one.to_owned()));
    }
    // By id, and by name.
    let (status, text, _) = to_student(&["--explain", "eve"]);
    let (_, json, _) = to_student(&["--explain", "eva lee", "--format", "json"]);
    assert_eq!(status, 0);
    for shown in [&text, &json] {
        assert!(
            !shown.contains("bob") && !shown.contains("secret"),
            "{shown}"
        );
    }
    let results: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(results["students"].as_array().unwrap().len(), 1);
    let case = &problem(student(&results, "eve"), "one")["subtasks"][0]["cases"][0];
    assert_eq!(
        (&case["verdict"], &case["message"]),
        (&"WA".into(), &Value::Null)
    );

    let test = room.run(&["test", "class/eve/one.c", "-a", "./squares"]);
    assert_eq!(test.status, 1);
    assert!(test.stdout.contains("✗ #1  WA"), "{}", test.stdout);
    assert!(!test.stdout.contains("secret"), "{}", test.stdout);

    let staff = room.run(&[&grade[..], &["--explain", "Robert Ray"]].concat());
    for words in ["n=1", "expected", "found"] {
        assert!(staff.stdout.contains(words), "{words}: {}", staff.stdout);
    }
    let unknown = room.run(&[&grade[..], &["--explain", "Evan Lee"]].concat());
    assert_eq!(
        (unknown.status, unknown.stderr.as_str()),
        (
            2,
            "error: there is no student `Evan Lee` in `class`; did you mean `Eva Lee`?\n"
        )
    );
}

#[test]
fn a_report_file_appears_whole_and_nothing_else_is_left() {
    let room = squares().file("class/ann/square.c", SQUARE).folder("tmp");
    let tmp = room.path("tmp");
    let room = room.env("TMPDIR", tmp.to_str().unwrap());
    let grade = [
        "grade",
        "class",
        "-a",
        "./squares",
        "--format",
        "json",
        "-o",
        "report.json",
    ];
    let ran = room.run(&grade);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (0, "", "report written to `report.json`\n")
    );
    let report = std::fs::read_to_string(room.path("report.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["format"], "bitcraft-results/2");
    let names = |folder: &str| {
        let entries = std::fs::read_dir(room.path(folder)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names("."), ["class", "report.json", "squares", "tmp"]);
    assert!(names("tmp").is_empty());
}
