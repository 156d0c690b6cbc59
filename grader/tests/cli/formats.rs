//! Formats of the report of a class: where they go, what they need, and when points stay here.

use std::fs::{self, File};
use std::io::Write as _;

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::class::{SQUARE, squares};
use crate::harness::{Ran, Room};

const WRONG: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) { (void)c; printf(\"%d\\n\", atoi(v[1]) + 2); return 0; }\n";

fn class() -> Room {
    squares()
        .keeping()
        .file("class/ann/square.c", SQUARE)
        .file("class/bob/square.c", WRONG)
}

fn grade(room: &Room, more: &[&str]) -> Ran {
    room.run(&[&["grade", "class", "-a", "./squares"], more].concat())
}

#[test]
fn every_format_of_a_report_from_the_ledger_is_that_of_the_run_to_the_byte() {
    let room = class()
        .file("sheet.csv", "Identifier,Full name,Grade,Maximum Grade,Feedback comments\nParticipant 1,ann,,10.00,\n")
        .file("book.csv", "Student,ID,Squares (77)\n    Points Possible,,10\nbob,,\n");
    for shown in [
        &["--format", "text"][..],
        &["--format", "json"],
        &["--format", "csv"],
        &["--format", "junit"],
        &["--format", "markdown"],
        &["--format", "github"],
        &["--format", "classroom", "--explain", "ann"],
        &["--format", "gradescope", "--explain", "bob"],
        &["--format", "moodle", "--worksheet", "sheet.csv"],
        &["--format", "canvas", "--gradebook", "book.csv"],
    ] {
        let whole = !shown.contains(&"--explain");
        let graded = grade(&room, if whole { shown } else { &[] });
        let report = |more: &[&str]| room.run(&[&["report", "class"], more, shown].concat());
        let reported = report(&[]);
        assert_eq!(
            (graded.status, reported.status),
            (0, 0),
            "{}",
            reported.stderr
        );
        assert!(!reported.stdout.is_empty(), "{shown:?}");
        if whole {
            assert_eq!(reported.stdout, graded.stdout, "{shown:?}");
            assert_eq!(reported.stderr, graded.stderr, "{shown:?}");
        }
        let filed = report(&["--color", "never", "-o", "filed"]);
        assert!(
            filed.stderr.ends_with("report written to `filed`\n"),
            "{}",
            filed.stderr
        );
        assert_eq!((filed.status, filed.stdout.as_str()), (0, ""));
        assert_eq!(
            fs::read_to_string(room.path("filed")).unwrap(),
            reported.stdout,
            "{shown:?}"
        );
    }
}

#[test]
fn the_tables_of_moodle_and_canvas_come_back_with_points_in_them() {
    let room = class()
        .file("sheet.csv", "Identifier,Full name,Grade,Maximum Grade\nParticipant 1,ann,,10.00\nParticipant 3,zoe,7,10.00\n")
        .file("book.csv", "Student,ID,Squares (77),Other (78)\n    Points Possible,,10,5\nbob,,,4\n")
        .file("grades.csv", "Username,Squares Points Grade <Numeric MaxPoints:10>,End-of-Line Indicator\n#ann,9,#\n");
    assert_eq!(grade(&room, &[]).status, 0);
    let moodle = room.run(&[
        "report",
        "class",
        "--format",
        "moodle",
        "--worksheet",
        "sheet.csv",
    ]);
    assert_eq!(
        (moodle.status, moodle.stdout.as_str()),
        (
            0,
            "Identifier,Full name,Grade,Maximum Grade\nParticipant 1,ann,10,10.00\nParticipant 3,zoe,7,10.00\n"
        )
    );
    assert!(
        moodle
            .stderr
            .ends_with("points of 1 of 2 students were filled in\n"),
        "{}",
        moodle.stderr
    );
    let canvas = room.run(&[
        "report",
        "class",
        "--format",
        "canvas",
        "--gradebook",
        "book.csv",
    ]);
    assert_eq!(
        (canvas.status, canvas.stdout.as_str()),
        (
            0,
            "Student,ID,Squares (77),Other (78)\n    Points Possible,,10,5\nbob,,3.33,4\n"
        )
    );
    let brightspace = |more: &[&str]| {
        let fill = [
            "report",
            "class",
            "--format",
            "brightspace",
            "--gradebook",
            "grades.csv",
        ];
        room.run(&[&fill, more].concat())
    };
    // A grade that a person entered stays.
    let kept = brightspace(&[]);
    let sheet = |points: &str| {
        format!(
            "Username,Squares Points Grade <Numeric MaxPoints:10>,End-of-Line Indicator\n#ann,{points},#\n"
        )
    };
    assert_eq!((kept.status, kept.stdout), (0, sheet("9")));
    assert!(
        kept.stderr
            .contains("ann: line 2 has 9, which stays; ours is 10 (`--overwrite` replaces it)\n"),
        "{}",
        kept.stderr
    );
    assert_eq!(brightspace(&["--overwrite"]).stdout, sheet("10"));
}

#[test]
fn a_download_of_moodle_is_graded_as_it_comes_and_its_worksheet_comes_back_filled() {
    let room = class().file(
        "sheet.csv",
        "Identifier,Full name,Grade,Maximum Grade\nParticipant 4711,Ann Lee,,10.00\nParticipant 4712,Bob Ray,,10.00\n",
    );
    let mut zip = ZipWriter::new(File::create(room.path("CS101-Squares-1234.zip")).unwrap());
    for (name, source) in [("Ann Lee_4711", SQUARE), ("Bob Ray_4712", WRONG)] {
        let path = format!("{name}_assignsubmission_file_/square.c");
        zip.start_file(path, SimpleFileOptions::default()).unwrap();
        zip.write_all(source.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    let ran = room.run(&["grade", "CS101-Squares-1234.zip", "-a", "./squares"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            0,
            "the class is a download from Moodle (`--layout moodle`)\n"
        )
    );
    for source in [&[][..], &["CS101-Squares-1234.zip"]] {
        let report = ["--format", "moodle", "--worksheet", "sheet.csv"];
        let ran = room.run(&[&["report"], source, &report].concat());
        assert_eq!(
            (ran.status, ran.stdout.as_str()),
            (
                0,
                "Identifier,Full name,Grade,Maximum Grade\nParticipant 4711,Ann Lee,10,10.00\n\
                 Participant 4712,Bob Ray,3.33,10.00\n"
            )
        );
        assert!(
            ran.stderr
                .ends_with("points of 2 of 2 students were filled in\n"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn a_folder_and_a_zip_need_a_place_and_are_written_there() {
    let room = class().file("file", "");
    assert_eq!(grade(&room, &[]).status, 0);
    let report = |more: &[&str]| room.run(&[&["report", "class", "--format"], more].concat());
    for (format, what) in [("students", "a folder"), ("moodle-feedback", "a zip")] {
        let ran = report(&[format]);
        assert_eq!(
            (ran.status, ran.stderr),
            (
                2,
                format!("error: `--format {format}` is {what}: say where with `--output PATH`\n")
            )
        );
    }
    let ran = report(&["students", "-o", "file"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: cannot write the folder `file`: there is a file of that name\n"
        )
    );
    let ran = report(&["students", "-o", "texts/of/all"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (0, "", "report written to `texts/of/all`\n")
    );
    let text = fs::read_to_string(room.path("texts/of/all/bob.txt")).unwrap();
    assert!(text.contains("bob: 3.33 of 10 points"), "{text}");
    assert!(!text.contains("ann"), "{text}");
    let ran = report(&["moodle-feedback", "-o", "feedback.zip"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (
            2,
            "",
            "error: no student has a Moodle participant ID: grade the zip of `Download all submissions` as it is, or use \
             a roster with these IDs\n"
        )
    );
    assert!(!room.path("feedback.zip").exists());
}

#[test]
fn feedback_for_a_download_of_moodle_lies_in_its_folders() {
    let room = squares()
        .keeping()
        .file("class/Ann Lee_11_assignsubmission_file/square.c", SQUARE)
        .file("class/王五_12_assignsubmission_file/square.c", WRONG);
    let more = ["--format", "moodle-feedback", "-o", "feedback.zip"];
    let ran = grade(&room, &more);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let zip = ZipArchive::new(File::open(room.path("feedback.zip")).unwrap()).unwrap();
    assert_eq!(
        zip.file_names().map(Result::unwrap).collect::<Vec<_>>(),
        [
            "Ann Lee_11_assignsubmission_file_/feedback.html",
            "王五_12_assignsubmission_file_/feedback.html",
        ]
    );
}

#[test]
fn what_a_format_needs_is_missed_and_what_it_does_not_is_refused_before_anything_runs() {
    let room = class().file("text.csv", "nothing,of,use\n1,2,3\n").file(
        "sheet.csv",
        "Identifier,Grade,Maximum Grade\nParticipant 1,,20\n",
    );
    let refused = |more: &[&str]| {
        let ran = grade(&room, more);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{more:?}");
        assert!(!room.path(".grader").exists());
        ran.stderr
    };
    assert_eq!(
        [
            refused(&["--format", "moodle"]),
            refused(&["--format", "canvas"]),
            refused(&["--worksheet", "sheet.csv"]),
            refused(&[
                "--format",
                "moodle",
                "--worksheet",
                "sheet.csv",
                "--gradebook",
                "text.csv"
            ]),
            refused(&["--scale"]),
            refused(&["--format", "gradescope"]),
            refused(&[
                "--format",
                "classroom",
                "--explain",
                "ann",
                "--explain",
                "bob"
            ]),
            refused(&["--format", "moodle", "--worksheet", "none.csv"]),
            refused(&["--format", "moodle", "--worksheet", "sheet.csv"]),
        ],
        [
            "error: `--format moodle` fills in the grading worksheet that Moodle lets you download: name it with \
             `--worksheet FILE`\n",
            "error: `--format canvas` fills in the gradebook that the course system exports: name it with `--gradebook FILE`\n",
            "error: `--worksheet` is not for `--format text`\n",
            "error: `--gradebook` is not for `--format moodle`\n",
            "error: `--scale` is not for `--format text`\n",
            "error: `--format gradescope` is about one student: name the one with `--explain ID`\n",
            "error: `--format classroom` is about one student: name the one with `--explain ID`\n",
            "error: cannot read `none.csv`: No such file or directory (os error 2)\n",
            "error: `sheet.csv`: the maximum grade is 20, but the assignment has 10 points and 2 bonus points; \
             set the maximum to 10, or scale the points to 20 with `--scale`\n",
        ]
    );
    for more in [
        &["--format", "moodle", "--worksheet", "text.csv"][..],
        &["--format", "canvas", "--gradebook", "text.csv"],
        &[
            "--format",
            "moodle",
            "--worksheet",
            "sheet.csv",
            "--column",
            "mark=Grade",
        ],
    ] {
        refused(more);
    }
}

#[test]
fn no_points_are_exported_while_some_are_not_known() {
    let room = class().file("class/eve/square.zip", "PK\x03\x04 cut off");
    let ran = grade(&room, &["--format", "csv", "-o", "points.csv"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (
            3,
            "",
            "error: no points are written (`--format csv`): 2 submissions are not scored yet\n  \
             eve  square: `square.zip` is not unpacked: it is damaged or cut off\n  \
             eve  one: `square.zip` is not unpacked: it is damaged or cut off\n\
             grade again when the cause is fixed, or leave their cells empty with `--allow-faults`\n"
        )
    );
    assert!(!room.path("points.csv").exists());
    let ran = room.run(&["report", "class", "--format", "csv", "--allow-faults"]);
    assert_eq!(ran.status, 3);
    let eve = ran.stdout.lines().find(|line| line.starts_with("eve"));
    assert_eq!(eve, Some("eve,,,,,,,,no,0,"), "{}", ran.stdout);
    // What tells of them is always written.
    for format in ["text", "json", "junit", "github", "markdown"] {
        let ran = room.run(&["report", "class", "--format", format]);
        assert_eq!((ran.status, ran.stderr.as_str()), (3, ""), "{format}");
        assert!(ran.stdout.contains("eve"), "{format}: {}", ran.stdout);
    }
    // The ledger knows that it is no failure of ours.
    let text = room.run(&["report", "class"]).stdout;
    let (_, list) = text.split_once("What needs a human\n\n").unwrap();
    assert!(
        list.starts_with(
            "  Not scored yet: the submission needs a look (2)\n    \
             eve  square  `square.zip` is not unpacked: it is damaged or cut off\n    \
             eve  one     `square.zip` is not unpacked: it is damaged or cut off\n"
        ),
        "{text}"
    );
    let (_, results) = room.json(&["report", "class", "--format", "json"]);
    assert_eq!(
        results["students"][2]["problems"][0]["status"]["fault"],
        "unreadable"
    );
}

#[test]
fn a_step_of_github_gets_a_summary_beside_its_annotations() {
    let room = class().file("summary.md", "before\n");
    let summary = room.path("summary.md");
    let room = room.env("GITHUB_STEP_SUMMARY", summary.to_str().unwrap());
    let ran = grade(&room, &["--format", "github"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("::"), "{}", ran.stdout);
    let page = fs::read_to_string(summary).unwrap();
    assert!(page.starts_with("before\n"), "{page}");
    assert!(page.contains("ann"), "{page}");
}

#[test]
fn annotations_are_not_lost_with_the_summary() {
    let room = class().folder("taken").env("GITHUB_STEP_SUMMARY", "taken");
    let ran = grade(&room, &["--format", "github"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("::error "), "{}", ran.stdout);
    let said = "the summary of the step is not written (`$GITHUB_STEP_SUMMARY`): ";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn in_a_log_of_github_no_text_of_a_student_is_a_command() {
    let room = squares()
        .keeping()
        .file("class/::error::x/square.c", WRONG)
        .file("class/a/square.c", SQUARE)
        .env("GITHUB_ACTIONS", "true");
    for format in ["text", "markdown", "github"] {
        let ran = grade(&room, &["--format", format]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let lines = || ran.stdout.lines().chain(ran.stderr.lines());
        assert!(lines().any(|line| line.contains("error")), "{format}");
        let commands: Vec<&str> = lines()
            .filter(|line| line.trim_start().starts_with("::"))
            .collect();
        if format == "github" {
            // Ours, of which the student's name is only a property.
            let begins = [
                "::error title=%3A%3Aerror%3A%3Ax square%3A PC",
                "::warning title=%3A%3Aerror%3A%3Ax one%3A SK",
                "::warning title=a one%3A SK",
            ];
            assert_eq!(commands.len(), begins.len(), "{commands:?}");
            for (command, begin) in commands.iter().zip(begins) {
                assert!(command.starts_with(begin), "{command}");
            }
        } else {
            assert_eq!(commands, Vec::<&str>::new(), "{format}");
        }
    }
    // What programs read is what it is everywhere.
    let (status, results) = room.json(&["report", "class", "--format", "json"]);
    assert_eq!(
        (status, &results["students"][0]["id"]),
        (0, &"::error::x".into())
    );
}

#[test]
fn the_work_of_one_student_is_a_class_of_one_and_needs_no_name() {
    let room = class().folder("alone").file("alone/square.c", SQUARE);
    let (status, results) = room.json(&[
        "grade",
        "alone",
        "--layout",
        "one",
        "-a",
        "./squares",
        "--format",
        "json",
    ]);
    assert_eq!(
        (status, results["students"].as_array().unwrap().len()),
        (0, 1)
    );
    let ran = room.run(&[
        "grade",
        "alone",
        "--layout",
        "one",
        "-a",
        "./squares",
        "--format",
        "gradescope",
        "--no-ledger",
    ]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
}
