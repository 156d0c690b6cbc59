//! Formats of the report of a class: where they go, what they need, and when points stay here.

use std::fs::{self, File};

use zip::ZipArchive;

use crate::class::{GRADE, SQUARE, WRONG, ann_and_bob, squares};
use crate::harness::{Ran, Room, zip};

fn grade(room: &Room, more: &[&str]) -> Ran {
    room.run(&[&GRADE, more].concat())
}

#[test]
fn every_format_of_a_report_from_the_ledger_is_that_of_the_run_to_the_byte() {
    let room = ann_and_bob()
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
            let (run, rest) = reported.stderr.split_once('\n').unwrap();
            assert!(
                run.ends_with(" of `class`, from `.grader/ledger.db`"),
                "{run}"
            );
            assert_eq!(rest, graded.stderr, "{shown:?}");
        }
        let filed = report(&["--color", "never", "-o", "filed"]);
        assert!(
            filed.stderr.ends_with("report written to `filed`\n"),
            "{}",
            filed.stderr
        );
        assert_eq!((filed.status, filed.stdout.as_str()), (0, ""));
        let file = fs::read_to_string(room.path("filed")).unwrap();
        assert_eq!(file, reported.stdout, "{shown:?}");
    }
}

#[test]
fn a_grade_that_a_person_entered_stays_unless_it_is_to_be_replaced() {
    let sheet = |points: &str| {
        format!(
            "Username,Squares Points Grade <Numeric MaxPoints:10>,End-of-Line Indicator\n#ann,{points},#\n"
        )
    };
    let room = ann_and_bob().file("grades.csv", sheet("9"));
    let fill = ["--format", "brightspace", "--gradebook", "grades.csv"];
    let kept = grade(&room, &fill);
    assert_eq!((kept.status, kept.stdout), (0, sheet("9")));
    assert!(
        kept.stderr
            .contains("ann: line 2 has 9, which stays; ours is 10 (`--overwrite` replaces it)\n"),
        "{}",
        kept.stderr
    );
    let replaced = grade(&room, &[&fill[..], &["--overwrite"]].concat());
    assert_eq!(replaced.stdout, sheet("10"));
}

#[test]
fn a_download_of_moodle_is_graded_as_it_comes_and_points_and_feedback_go_back() {
    let download = zip(&[
        ("Ann Lee_4711_assignsubmission_file_/square.c", SQUARE),
        ("王五_4712_assignsubmission_file_/square.c", WRONG),
    ]);
    let room = squares()
        .keeping()
        .file("CS101-Squares-1234.zip", download)
        .file("sheet.csv", "Identifier,Full name,Grade,Maximum Grade\nParticipant 4711,Ann Lee,,10.00\nParticipant 4712,王五,,10.00\n");
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
                 Participant 4712,王五,3.33,10.00\n"
            )
        );
        assert!(
            ran.stderr
                .ends_with("points of 2 of 2 students were filled in\n"),
            "{}",
            ran.stderr
        );
    }
    let feedback = [
        "report",
        "--format",
        "moodle-feedback",
        "-o",
        "feedback.zip",
    ];
    assert_eq!(room.run(&feedback).status, 0);
    let zip = ZipArchive::new(File::open(room.path("feedback.zip")).unwrap()).unwrap();
    assert_eq!(
        zip.file_names().map(Result::unwrap).collect::<Vec<_>>(),
        [
            "Ann Lee_4711_assignsubmission_file_/feedback.html",
            "王五_4712_assignsubmission_file_/feedback.html",
        ]
    );
}

#[test]
fn what_a_format_needs_is_checked_before_anything_runs() {
    let room = ann_and_bob().file("file", "").file(
        "sheet.csv",
        "Identifier,Grade,Maximum Grade\nParticipant 1,,20\n",
    );
    for (format, more, message) in [
        ("moodle", "", "--gradebook <FILE>"),
        (
            "text",
            "--gradebook sheet.csv",
            "`--gradebook` is not for `--format text`",
        ),
        (
            "gradescope",
            "",
            "this report is about one student: name the student with `--explain ID`",
        ),
        (
            "moodle",
            "--worksheet none.csv",
            "cannot read `none.csv`: No such file or directory (os error 2)",
        ),
        (
            "moodle",
            "--worksheet sheet.csv",
            "`sheet.csv`: the maximum grade is 20, but the assignment has 10 points and 2 bonus points; \
             set the maximum to 10, or scale the points to 20 with `--scale`",
        ),
        ("students", "", "--output <PATH>"),
        ("moodle-feedback", "", "--output <PATH>"),
        (
            "students",
            "-o file",
            "expected a folder, but `file` is a file",
        ),
    ] {
        let more: Vec<&str> = more.split_whitespace().collect();
        let ran = grade(&room, &[&["--format", format], &more[..]].concat());
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{format}");
        let required = "the following required arguments were not provided:\n  ";
        let missing = format!("error: {required}{message}\n");
        let is_expected = ran.stderr == format!("error: {message}\n");
        assert!(
            is_expected || ran.stderr.starts_with(&missing),
            "{}",
            ran.stderr
        );
        assert!(!room.path(".grader").exists());
    }
}

#[test]
fn every_student_gets_a_file_of_their_own() {
    let room = ann_and_bob();
    let ran = grade(&room, &["--format", "students", "-o", "texts/of/all"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (0, "", "report written to `texts/of/all`\n")
    );
    let text = fs::read_to_string(room.path("texts/of/all/bob.txt")).unwrap();
    assert!(text.contains("bob: 3.33 of 10 points"), "{text}");
    assert!(!text.contains("ann"), "{text}");
}

#[test]
fn no_points_are_exported_while_some_are_not_known() {
    let room = ann_and_bob().file("class/eve/square.zip", "PK\x03\x04 cut off");
    let ran = grade(&room, &["--format", "csv", "-o", "points.csv"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (
            3,
            "",
            "error: no points are written (`--format csv`): 2 submissions are not scored yet: \
             eve square, eve one\n\
             grade again to score them, or leave their cells empty with `--allow-faults`\n"
        )
    );
    assert!(!room.path("points.csv").exists());
    let ran = room.run(&["report", "class", "--format", "csv", "--allow-faults"]);
    assert_eq!(ran.status, 3);
    let eve = ran.stdout.lines().find(|line| line.starts_with("eve"));
    assert_eq!(eve, Some("eve,,,,,,,,no,0,"), "{}", ran.stdout);
    // What lists them is always written.
    for format in ["text", "json", "junit", "github", "markdown"] {
        let ran = room.run(&["report", "class", "--format", format]);
        let run = "run 1 of `class`, from `.grader/ledger.db`\n";
        assert_eq!((ran.status, ran.stderr.as_str()), (3, run), "{format}");
        assert!(ran.stdout.contains("eve"), "{format}: {}", ran.stdout);
    }
}

#[test]
fn a_step_of_github_gets_a_summary_beside_its_annotations() {
    let room = ann_and_bob().file("summary.md", "before\n").folder("taken");
    let summary = room.path("summary.md");
    let room = room.env("GITHUB_STEP_SUMMARY", summary.to_str().unwrap());
    let ran = grade(&room, &["--format", "github"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("::error "), "{}", ran.stdout);
    let page = fs::read_to_string(summary).unwrap();
    assert!(
        page.starts_with("before\n") && page.contains("ann"),
        "{page}"
    );
    // They are not lost with it.
    let room = room.env("GITHUB_STEP_SUMMARY", "taken");
    let ran = grade(&room, &["--format", "github"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("::error "), "{}", ran.stdout);
    let message = "cannot write the step summary (`$GITHUB_STEP_SUMMARY`): ";
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
}

#[test]
fn in_a_log_of_github_no_text_of_a_student_is_a_command() {
    let room = squares()
        .keeping()
        .file("class/::error::x/square.c", WRONG)
        .file("class/a/square.c", SQUARE)
        .env("GITHUB_ACTIONS", "true");
    for (format, count) in [("text", 0), ("markdown", 0), ("github", 3)] {
        let ran = grade(&room, &["--format", format]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let lines = || ran.stdout.lines().chain(ran.stderr.lines());
        assert!(lines().any(|line| line.contains("error")), "{format}");
        let commands: Vec<&str> = lines()
            .filter(|line| line.trim_start().starts_with("::"))
            .collect();
        assert_eq!(commands.len(), count, "{commands:?}");
        // In our own commands the student's name is only a property.
        assert!(
            commands.iter().all(|it| !it.contains("::error::")),
            "{commands:?}"
        );
    }
}

#[test]
fn the_work_of_one_student_is_a_class_of_one_and_needs_no_name() {
    let room = squares().file("alone/square.c", SQUARE);
    let one = ["grade", "alone", "--layout", "one", "-a", "./squares"];
    let ran = room.run(&[&one[..], &["--format", "gradescope"]].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("\"score\": 10"), "{}", ran.stdout);
}
