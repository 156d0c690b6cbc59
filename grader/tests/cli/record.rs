//! Records of graded classes: shown again, and judged again by smaller limits.

use std::fs;

use serde_json::{Value, json};

use crate::class::{SQUARE, squares};
use crate::harness::{Room, problem, student};

/// Uses up the CPU time that its argument says, in milliseconds, times `times`; then prints `done`.
fn burner(times: u32) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n\
         int main(int c, char **v) {{ clock_t end = atoi(v[1]) * (CLOCKS_PER_SEC / 1000) * {times}; (void)c; \
         while (clock() < end) {{ }} puts(\"done\"); return 0; }}\n"
    )
}

/// Two problems: `burn`, whose limits are 50 times what the reference takes, and `still`, whose limit is absolute.
/// Of the class, `slow` takes six times as long as the reference, and `quick` no time at all.
fn burners() -> Room {
    let wanted = |id: &str, time: &str| {
        format!(
            "format = 1\nid = \"{id}\"\ntitle = {{ en = \"{id}\", zh = \"{id}\" }}\n\
             [submission]\nfiles = [\"{id}.*\"]\n[run]\narguments = [\"{{ms}}\"]\n[limits]\ntime = {time}\n\
             [reference]\npath = \"solution.c\"\n[checker.tokens]\n"
        )
    };
    let subtask = |name: &str, cases: &str, more: &str| {
        format!(
            "[[subtask]]\nname = \"{name}\"\npoints = 10\ncases = {{ ms = \"{cases}\" }}\n{more}"
        )
    };
    let burn = wanted(
        "burn",
        "{ reference = 50, at-least = \"40 ms\", at-most = \"20 s\" }",
    ) + &subtask("short", "1, 30", "")
        + &subtask("long", "40", "require = [\"short\"]\n");
    let still = wanted("still", "\"20 s\"") + &subtask("all", "30", "");
    Room::new()
        .file(
            "burners/assignment.toml",
            "format = 1\nid = \"burners\"\ntitle = { en = \"Burners\", zh = \"耗时\" }\n\
             [[problem]]\npath = \"burn\"\npoints = 20\n[[problem]]\npath = \"still\"\npoints = 10\n",
        )
        .file("burners/burn/problem.toml", burn)
        .file("burners/burn/solution.c", burner(1))
        .file("burners/still/problem.toml", still)
        .file("burners/still/solution.c", burner(1))
        .file("class/quick/burn.c", burner(0))
        .file("class/slow/burn.c", burner(6))
        .file("class/slow/still.c", burner(6))
}

const GRADE: [&str; 6] = ["grade", "class", "-a", "./burners", "--record", "r.json"];

fn graded() -> Room {
    let room = burners();
    let ran = room.run(&GRADE);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (0, "record written to `r.json`\n")
    );
    room
}

/// The points of a problem of a student, and of each case the name, the verdict and the first word of its message.
fn row(results: &Value, id: &str, of: &str) -> Value {
    let of = problem(student(results, id), of);
    let subtasks = of["subtasks"].as_array().unwrap().iter();
    let cases = subtasks.flat_map(|subtask| subtask["cases"].as_array().unwrap());
    let told = cases.map(|case| {
        let message = case["message"].as_str().unwrap_or_default();
        json!([case["name"], case["verdict"], message.split(' ').next()])
    });
    json!([of["points"], told.collect::<Vec<Value>>()])
}

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
fn a_smaller_factor_takes_the_points_of_what_took_longer() {
    let room = graded();
    let (status, results) = room.json(&["report", "r.json", "--format", "json"]);
    assert_eq!(status, 0);
    let all = json!([["ms=1", "AC", ""], ["ms=30", "AC", ""], ["ms=40", "AC", ""]]);
    assert_eq!(row(&results, "slow", "burn"), json!([20, all]));
    let again = room.run(&[
        "report",
        "r.json",
        "-a",
        "./burners",
        "--time-factor",
        "2",
        "--format",
        "json",
    ]);
    assert_eq!(
        (again.status, again.stderr.as_str()),
        (
            0,
            "`burn`: judged again by 2 times the reference's time instead of 50; 1 more run is over the limit\n\
             left as graded, the limit is no multiple: `still`\n"
        )
    );
    let results: Value = serde_json::from_str(&again.stdout).unwrap();
    assert_eq!(
        [
            row(&results, "quick", "burn"),
            row(&results, "slow", "burn"),
            row(&results, "slow", "still"),
        ],
        [
            json!([20, all]),
            json!([
                5,
                [
                    ["ms=1", "AC", ""],
                    ["ms=30", "TLE", "took"],
                    ["ms=40", "SK", "not"]
                ]
            ]),
            json!([10, [["ms=30", "AC", ""]]]),
        ]
    );
}

#[test]
fn judging_again_is_about_the_problem_and_the_student_that_are_named() {
    let room = graded();
    let again = |arguments: &[&str]| {
        let report = ["report", "r.json", "-a", "./burners", "--time-factor", "2"];
        room.run(&[&report, arguments].concat())
    };
    let one = again(&[
        "--problem",
        "burn",
        "--audience",
        "student",
        "--explain",
        "quick",
        "--format",
        "json",
    ]);
    assert_eq!(
        (one.status, one.stderr.as_str()),
        (
            0,
            "`burn`: judged again by 2 times the reference's time instead of 50; 0 more runs are over the limit\n"
        )
    );
    let results: Value = serde_json::from_str(&one.stdout).unwrap();
    let students = results["students"].as_array().unwrap();
    assert_eq!((students.len(), &students[0]["id"]), (1, &json!("quick")));
    let slow = again(&["--lang", "zh", "--explain", "slow", "-p", "burn"]);
    assert_eq!(
        (slow.status, slow.stderr.as_str()),
        (
            0,
            "`burn`：限制由参考用时的 50 倍改为 2 倍，重新判定；新增 1 次超时\n"
        )
    );
    assert!(slow.stdout.contains("CPU 时间；限制为"), "{}", slow.stdout);
    let still = again(&["-p", "still"]);
    assert_eq!(
        (still.status, still.stdout.as_str(), still.stderr.as_str()),
        (
            2,
            "",
            "error: no limit of `still` is a multiple of the reference's time: there is no factor to change\n"
        )
    );
}

#[test]
fn what_a_record_cannot_tell_is_refused() {
    let room = graded()
        .folder("folder")
        .file("report.json", "{ \"format\": \"bitcraft-results/1\" }\n");
    let record = fs::read(room.path("r.json")).unwrap();
    let room = room.file("half.json", &record[..record.len() / 2]);
    let refused = |arguments: &[&str]| {
        let ran = room.run(&[&["report"], arguments].concat());
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{arguments:?}");
        ran.stderr
    };
    assert_eq!(
        [
            refused(&["r.json", "-a", "./burners", "--time-factor", "51"]),
            refused(&["r.json", "--time-factor", "2"]),
            refused(&[
                "r.json",
                "-a",
                "./burners",
                "--time-factor",
                "2",
                "-p",
                "brun"
            ]),
            refused(&["r.json", "--explain", "nobody"]),
            refused(&["r.json", "--audience", "student"]),
            refused(&["none.json"]),
            refused(&["folder"]),
            refused(&["half.json"]),
            refused(&["report.json"]),
        ],
        [
            "error: a time factor of 51 is larger than that of problem `burn`, which was graded with 50: a run that \
             was stopped at its limit says nothing about a longer one\n",
            "error: the record is of the assignment `burners`, not of `n-queens`: name its own with `--assignment`\n",
            "error: the record has no problem `brun`: expected one of `burn`, `still`\n",
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
    for arguments in [
        &["r.json", "--time-factor", "0"][..],
        &["r.json", "--time-factor", "-1"],
        &["r.json", "--time-factor", "inf"],
        &["r.json", "--problem", "burn"],
        &["r.json", "--output", "no/such/report.txt"],
    ] {
        refused(arguments);
    }
    let room = room.replace("burners/burn/problem.toml", "\"1, 30\"", "\"1, 31\"");
    let ran = room.run(&["report", "r.json", "-a", "./burners", "--time-factor", "2"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: problem `burn` is not what it was when it was graded: its files have changed since, and points \
             by other rules need a new run of `grader grade`\n"
        )
    );
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
