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
    let (one, quiet) = table("1");
    assert!(!quiet.contains("--jobs"), "{quiet}");
    assert_eq!(one, table("5").0);
    let cores = Cores::here().order().len();
    let (same, said) = table(&(cores + 1).to_string());
    assert_eq!(one, same);
    let more = format!(
        "`--jobs {}` is more than the cores here ({cores}): programs share them, and times are less fair\n",
        cores + 1
    );
    assert_eq!(
        said.matches(&more).count(),
        usize::from(cores > 0),
        "{said}"
    );
    assert!(one.contains("s10"), "{one}");
}

#[test]
fn a_report_for_students_keeps_hidden_cases_to_itself() {
    let room = squares().file(
        "class/eve/one.c",
        "#include <stdio.h>\nint main(void) { puts(\"2\"); return 0; }\n",
    );
    let (_, staff) = room.json(&["grade", "class", "-a", "./squares", "--format", "json"]);
    let case = &problem(student(&staff, "eve"), "one")["subtasks"][0]["cases"][0];
    assert_eq!(case["name"], "secret");
    assert!(case["message"].is_string());
    let ran = room.run(&[
        "grade",
        "class",
        "-a",
        "./squares",
        "--format",
        "json",
        "--audience",
        "student",
        "--explain",
        "eve",
    ]);
    assert!(!ran.stdout.contains("secret"), "{}", ran.stdout);
    let results: Value = serde_json::from_str(&ran.stdout).unwrap();
    let case = &problem(student(&results, "eve"), "one")["subtasks"][0]["cases"][0];
    assert_eq!(case["verdict"], "WA");
    assert_eq!(case["message"], Value::Null);
}

#[test]
fn a_report_for_a_student_is_about_one_student_only() {
    let room = squares()
        .file("class/ann/square.c", SQUARE)
        .file("class/bob/square.c", WRONG);
    let student = |more: &[&str]| {
        let mut arguments = vec!["grade", "class", "-a", "./squares", "--audience", "student"];
        arguments.extend(more);
        room.run(&arguments)
    };
    for more in [&[][..], &["--explain", "ann", "--explain", "bob"][..]] {
        let ran = student(more);
        assert_eq!(
            (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
            (
                2,
                "",
                "error: a report for a student is about one student: name the one with `--explain ID`\n"
            )
        );
    }
    let text = student(&["--explain", "ann"]);
    let json = student(&["--explain", "ann", "--format", "json"]);
    assert_eq!((text.status, json.status), (0, 0));
    assert!(
        text.stdout.starts_with("ann: 10 of 10 points"),
        "{}",
        text.stdout
    );
    for stdout in [&text.stdout, &json.stdout] {
        assert!(!stdout.contains("bob"), "{stdout}");
    }
    let results: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(results["students"].as_array().unwrap().len(), 1);
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
    // What a student may hand in: an assignment of the bundled one's name, with tests that anything passes.
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
fn a_folder_that_is_named_without_a_slash_is_asked_about() {
    let room = squares().file("class/ann/square.c", SQUARE);
    let ran = room.run(&["grade", "class", "-a", "squares"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (
            2,
            "",
            "error: there is no assignment `squares`: expected the path of a folder, such as `./mine`, or one of \
             `bit-practice`, `n-queens`; did you mean `./squares`?\n"
        )
    );
    for path in ["./squares", "squares/", "./class/../squares"] {
        assert_eq!(graded_by(&room, &["class", "-a", path]), "squares");
    }
    let path = room.path("squares");
    let absolute = path.to_str().unwrap();
    assert_eq!(graded_by(&room, &["class", "-a", absolute]), "squares");
    let ran = room.run(&["grade", "class", "-a", "./nowhere/none"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(!ran.stderr.contains("did you mean"), "{}", ran.stderr);
}

#[test]
fn a_hidden_case_of_a_test_is_a_number_and_a_verdict() {
    let room = squares().file(
        "one.c",
        "#include <stdio.h>\nint main(void) { puts(\"2\"); return 0; }\n",
    );
    let ran = room.run(&["test", "one.c", "-a", "./squares"]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.stdout.contains("\n  all\n    ✗ #1  WA\n\n"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("secret"), "{}", ran.stdout);
}

#[test]
fn mistakes_are_told_in_chinese_too() {
    let room = squares()
        .file("class/ann/square.c", SQUARE)
        .file("other.c", ONE);
    for (arguments, message) in [
        (
            &["grade", "class", "-a", "sqares"][..],
            "错误：没有作业 `sqares`：应为文件夹的路径（如 `./mine`），或者 `bit-practice`、`n-queens` 之一\n",
        ),
        (
            &["grade", "class", "-a", "./squares", "--explain", "nobody"][..],
            "错误：`class` 中没有学生 `nobody`\n",
        ),
        (
            &["grade", "class", "-a", "./squares", "-o", "class"][..],
            "错误：无法写入 `class`：查看路径失败：is a directory\n",
        ),
        (
            &["test", "other.c", "-a", "./squares", "-p", "squares"][..],
            "错误：没有题目 `squares`；是不是 `square`？\n已有的题目：\n  squares: square, one\n",
        ),
        (&["check", "gone"][..], "错误：没有文件夹 `gone`\n"),
    ] {
        let mut zh = vec!["--lang", "zh"];
        zh.extend(arguments);
        let ran = room.run(&zh);
        assert_eq!(
            (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
            (2, "", message),
            "{arguments:?}"
        );
    }
}

#[test]
fn a_report_file_appears_whole_and_standard_output_stays_silent() {
    let room = squares().file("class/ann/square.c", SQUARE);
    let ran = room.run(&[
        "grade",
        "class",
        "-a",
        "./squares",
        "--format",
        "json",
        "-o",
        "report.json",
    ]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (0, "", "report written to `report.json`\n")
    );
    let report: Value =
        serde_json::from_str(&std::fs::read_to_string(room.path("report.json")).unwrap()).unwrap();
    assert_eq!(report["format"], "bitcraft-results/2");
    let mut names: Vec<_> = std::fs::read_dir(room.path("."))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["class", "report.json", "squares"]);
}

#[test]
fn an_explained_score_names_the_case_and_the_reason() {
    let room = squares().file("class/ann/square.c", WRONG);
    let ran = room.run(&["grade", "class", "-a", "./squares", "--explain", "ann"]);
    assert_eq!(ran.status, 0);
    for words in ["n=1", "expected", "found"] {
        assert!(ran.stdout.contains(words), "{words}: {}", ran.stdout);
    }
    let ran = room.run(&["grade", "class", "-a", "./squares", "--explain", "nobody"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (2, "error: there is no student `nobody` in `class`\n")
    );
}

#[test]
fn a_class_without_students_is_a_mistake() {
    let room = squares().folder("class");
    let ran = room.run(&["grade", "class", "-a", "./squares"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("no students in"), "{}", ran.stderr);
}

#[test]
fn nobody_is_left_in_the_temporary_folder() {
    let room = squares().file("class/ann/square.c", SQUARE).folder("tmp");
    let tmp = room.path("tmp");
    let room = room.env("TMPDIR", tmp.to_str().unwrap());
    assert_eq!(room.run(&["grade", "class", "-a", "./squares"]).status, 0);
    assert_eq!(std::fs::read_dir(tmp).unwrap().count(), 0);
}
