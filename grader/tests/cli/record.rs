//! Records of graded classes, shown again.

use std::fs;

use crate::class::{SQUARE, squares};

#[test]
fn a_report_from_a_record_is_the_report_of_the_run_to_the_byte() {
    let room = squares()
        .file("class/ann/square.c", SQUARE)
        .file("class/ann/notes.txt", "for myself")
        .file("class/bob/square.c", "int main( { }")
        .file("class/cat/one.c", SQUARE)
        .folder("class/dan");
    for shown in [
        &["--format", "json"][..],
        &["--explain", "ann", "--explain", "bob"],
        &["--color", "always", "--lang", "zh"],
        &["--audience", "student", "--explain", "ann"],
        &[
            "--audience",
            "student",
            "--explain",
            "cat",
            "--format",
            "json",
        ],
    ] {
        let grade = ["grade", "class", "-a", "./squares", "--record", "r.json"];
        let report = ["report", "r.json"];
        let grade = room.run(&[&grade, shown].concat());
        let report = room.run(&[&report, shown].concat());
        assert_eq!((grade.status, report.status), (0, 0), "{}", grade.stderr);
        assert_eq!(report.stdout, grade.stdout, "{shown:?}");
        assert_eq!(report.stderr, "", "{shown:?}");
    }
    let ran = room.run(&["report", "r.json", "-o", "report.txt"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (0, "", "report written to `report.txt`\n")
    );
    let ran = room.run(&["report", "r.json"]);
    assert_eq!(
        fs::read_to_string(room.path("report.txt")).unwrap(),
        ran.stdout
    );
}

#[test]
fn what_a_record_cannot_tell_is_refused() {
    let room = squares()
        .file("class/ann/square.c", SQUARE)
        .folder("class/bob")
        .folder("folder")
        .file("report.json", "{ \"format\": \"bitcraft-results/2\" }\n");
    let graded = room.run(&["grade", "class", "-a", "./squares", "--record", "r.json"]);
    assert_eq!(graded.status, 0, "{}", graded.stderr);
    let record = fs::read(room.path("r.json")).unwrap();
    let room = room.file("half.json", &record[..record.len() / 2]);
    let refused = |arguments: &[&str]| {
        let ran = room.run(&[&["report"], arguments].concat());
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{arguments:?}");
        ran.stderr
    };
    assert_eq!(
        [
            refused(&["r.json", "--explain", "nobody"]),
            refused(&["r.json", "--audience", "student"]),
            refused(&["none.json"]),
            refused(&["folder"]),
            refused(&["half.json"]),
            refused(&["report.json"]),
        ],
        [
            "error: there is no student `nobody` in `r.json`\n",
            "error: a report for a student is about one student: name the one with `--explain ID`\n",
            "error: cannot read the record `none.json`: No such file or directory (os error 2)\n",
            "error: no run of the class `folder` is kept: looked in `.grader/ledger.db`; `grader grade` keeps one there, \
             and another ledger is named by its file\n",
            "error: cannot read the record `half.json`: it is cut off: it ends in line 1, in the middle of a value\n",
            "error: cannot read the record `report.json`: it is a report (`--format json`), from which not everything \
             can be told; expected a file that `grader grade --record FILE` wrote\n",
        ]
    );
    refused(&["r.json", "--output", "no/such/report.txt"]);
}

#[test]
fn a_record_that_cannot_be_written_is_refused_before_anything_runs() {
    let room = squares()
        .file("class/ann/square.c", SQUARE)
        .folder("folder");
    let refused = |arguments: &[&str]| {
        let ran = room.run(&[&["grade", "class", "-a", "./squares"], arguments].concat());
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{arguments:?}");
        ran.stderr
    };
    assert_eq!(
        [
            refused(&["--record", "folder"]),
            refused(&["--record", "r.json", "-o", "r.json"]),
        ],
        [
            "error: cannot write `folder`: looking at the path failed: is a directory\n",
            "error: the report and the record cannot be one file: `--output` and `--record` name the same\n",
        ]
    );
    assert!(!room.path("r.json").exists());
    let missing = refused(&["--record", "no/such/r.json"]);
    let begin =
        "error: cannot write `no/such/r.json`: creating a temporary file in its folder failed: ";
    assert!(missing.starts_with(begin), "{missing}");
}
