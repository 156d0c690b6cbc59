//! Grading a class.

use grader_sandbox::Cores;
use serde_json::{Value, json};

use crate::harness::{Room, names, problem};

/// A small assignment: print the square of `n`; three cases, 10 points; and a bonus of 2 for printing 1; its one case
/// is hidden.
pub(crate) fn squares() -> Room {
    Room::new().fixture("squares", "squares")
}

/// A class in which Ann is right and Bob is right for 2 only, graded with a ledger.
pub(crate) fn ann_and_bob() -> Room {
    squares()
        .keeping()
        .file("class/ann/square.c", SQUARE)
        .file("class/bob/square.c", WRONG)
}

pub(crate) const SQUARE: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) { int n = atoi(v[1]); (void)c; printf(\"%d\\n\", n * n); return 0; }\n";
/// Right for 2 only.
pub(crate) const WRONG: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) { (void)c; printf(\"%d\\n\", atoi(v[1]) + 2); return 0; }\n";

/// Grading with `squares`.
pub(crate) const GRADE: [&str; 4] = ["grade", "class", "-a", "./squares"];

#[test]
fn every_student_gets_a_row_and_nothing_is_lost() {
    let room = squares()
        .file("class/王 小明/我的 平方 #1 [final].c", SQUARE)
        .file("class/王 小明/one.py", "print(1)\n")
        .file("class/ann/square.c", WRONG)
        .file("class/ann/sqaure2.c", SQUARE)
        .file("class/bob/.DS_Store", "junk")
        .folder("class/cat")
        .file("class/dan/square.c", "int main( { }")
        .file("class/readme.txt", "beside the students");
    let (status, results) = room.json(&[&GRADE[..], &["--json", "-"]].concat());
    assert_eq!(status, 0);
    let row = |student: &Value| {
        let unused = student["unused"].as_array().unwrap().iter();
        json!([
            student["id"],
            student["points"],
            student["bonus"],
            student["nothing-submitted"],
            problem(student, "square")["verdict"],
            problem(student, "one")["verdict"],
            unused.map(|file| &file["path"]).collect::<Vec<_>>(),
        ])
    };
    let rows: Vec<Value> = results["students"]
        .as_array()
        .unwrap()
        .iter()
        .map(row)
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
    assert_eq!(results["unused"][0]["path"], "readme.txt");
}

#[test]
fn the_table_is_the_same_however_many_programs_run_at_a_time() {
    let mut room = squares();
    for index in 0..6 {
        let source = if index % 3 == 0 { WRONG } else { SQUARE };
        room = room.file(&format!("class/s{index}/square.c"), source);
    }
    let table = |jobs: &str| {
        let ran = room.run(&[&GRADE[..], &["-j", jobs]].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        (ran.stdout, ran.stderr)
    };
    let (one, stderr) = table("1");
    assert!(!stderr.contains("--jobs"), "{stderr}");
    let cores = Cores::here().order().len();
    let (same, stderr) = table(&(cores + 1).to_string());
    assert_eq!(one, same);
    let more = format!(
        "`--jobs {}` is more than the {cores} cores here: programs share cores, so times are less fair\n",
        cores + 1
    );
    assert_eq!(stderr.contains(&more), cores > 0, "{stderr}");
}

#[test]
fn a_folder_of_a_bundled_assignments_name_counts_and_a_warning_says_so_but_not_beside_the_work_of_one_student()
 {
    let room = Room::new()
        .fixture("squares", "n-queens")
        .file("class/ann/square.c", SQUARE)
        .file("queens/bob/count.txt", "none yet")
        .file("queens/bob/board.py", "print()\n");
    let warning = "`n-queens` is the folder here, not the bundled assignment; `./n-queens` says so without this warning\n";
    for (assignment, warning) in [
        ("n-queens", warning),
        ("./n-queens", ""),
        ("n-queens/assignment.toml", ""),
        ("class/../n-queens", ""),
    ] {
        let ran = room.run(&["grade", "class", "-a", assignment, "--json", "-"]);
        let results: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let id = results["assignment"]["id"].as_str();
        assert_eq!(
            (ran.status, id, ran.stderr.as_str()),
            (0, Some("squares"), warning)
        );
    }
    let tested = room.run(&["test", "class/ann/square.c", "-a", "n-queens", "-q"]);
    assert_eq!((tested.status, tested.stderr.as_str()), (0, warning));
    // The line that `docs/ci.md` gives for a repository: a student may have submitted an assignment with tests that anything passes.
    let ran = room.run(&["grade", ".", "--layout", "one", "--assignment", "n-queens"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    let refused = "error: `n-queens` is a bundled assignment and a folder here, which the student may have written: name the folder as \
                   `./n-queens`, or grade from another folder\n";
    assert!(ran.stderr.ends_with(refused), "{}", ran.stderr);
    // Without such a folder, or if it has no assignment, the bundled one is meant.
    let room = Room::new()
        .file("n-queens/notes.txt", "")
        .file("queens/bob/count.txt", "none yet")
        .file("queens/bob/board.py", "print()\n");
    let grade = ["grade", "queens", "-a", "n-queens", "--json", "-"];
    let (status, results) = room.json(&grade);
    assert_eq!(
        (status, &results["assignment"]["id"]),
        (0, &"n-queens".into())
    );
}

#[test]
fn a_report_for_a_student_is_about_that_student_and_has_no_hidden_case() {
    let room = squares()
        .keeping()
        .file("class/bob/square.c", WRONG)
        .file("class/eve/one.py", "print(2)\n")
        .file("roster.csv", "ID,Name\nbob,Robert Ray\neve,Eva Lee\n");
    let grade = [&GRADE[..], &["--roster", "roster.csv"]].concat();
    let run = |more: &[&str]| room.run(&[&grade[..], more].concat());
    let staff = run(&["--json", "-"]).stdout;
    assert!(staff.contains("secret"), "{staff}");
    for more in [&[][..], &["--explain", "eve", "--explain", "bob"]] {
        let ran = run(&[&["--audience", "student"], more].concat());
        let one =
            "error: a report for a student is about one: name the student with `--explain ID`\n";
        assert_eq!(
            (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
            (2, "", one)
        );
    }
    // By id, and by name.
    let audience = ["--audience", "student", "--explain"];
    for ran in [
        run(&[&audience[..], &["eve"]].concat()),
        run(&[&audience[..], &["eva lee", "--json", "-"]].concat()),
        run(&[&audience[..], &["eve", "--junit", "-"]].concat()),
        room.run(&["report", "--github", "--student", "eve"]),
        room.run(&[
            "report",
            "--github",
            "--student",
            "eve",
            "--student",
            "eve",
            "--explain",
            "eve",
        ]),
        room.run(&["report", "--gradescope", "-", "--student", "Eva Lee"]),
    ] {
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        for absent in ["bob", "Robert", "secret"] {
            assert!(!ran.stdout.contains(absent), "{}", ran.stdout);
        }
        assert!(ran.stdout.contains("one"), "{}", ran.stdout);
    }
    assert_eq!(room.run(&["report", "--feedback", "texts"]).status, 0);
    let text = std::fs::read_to_string(room.path("texts/eve.txt")).unwrap();
    assert!(!text.contains("secret") && !text.contains("bob"), "{text}");

    let tried = room.run(&["test", "class/eve/one.py", "-a", "./squares"]);
    assert_eq!(tried.status, 1);
    assert!(tried.stdout.contains("✗ #1  WA"), "{}", tried.stdout);
    assert!(!tried.stdout.contains("secret"), "{}", tried.stdout);

    let staff = run(&["--explain", "Robert Ray"]);
    for words in ["n=1", "expected", "found"] {
        assert!(staff.stdout.contains(words), "{words}: {}", staff.stdout);
    }
    let unknown = run(&["--explain", "Evan Lee"]);
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
    let room = squares().file("class/ann/square.c", SQUARE).with_tmp();
    let report = [&GRADE[..], &["--quiet", "--json"]].concat();
    let ran = room.run(&[&GRADE[..], &["--json", "report.json"]].concat());
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (0, "report written to `report.json`\n")
    );
    assert!(ran.stdout.contains("graded 1 of 1"), "{}", ran.stdout);
    let text = std::fs::read_to_string(room.path("report.json")).unwrap();
    let results: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(results["format"], "bitcraft-results/3");
    assert_eq!(
        names(&room.path(".")),
        ["class", "report.json", "squares", "tmp"]
    );
    assert!(names(&room.path("tmp")).is_empty());
    // What is not a file is written to, and not replaced.
    let ran = room.run(&[&report[..], &["/dev/fd/1"]].concat());
    let results: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        (ran.status, &results["students"][0]["id"]),
        (0, &"ann".into())
    );
    // A report that cannot be written is an error. It does not go to standard output, which others may read.
    let ran = room.run(&[&report[..], &["/dev/full"]].concat());
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (
            3,
            "",
            "error: cannot write `/dev/full`: No space left on device (os error 28)\n"
        )
    );
}
