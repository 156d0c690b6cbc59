//! What a person decides, and when work is handed in.

use std::fs;

use super::room::{ASSIGNMENT, CASES, DEADLINE, HALF, POINTS, plain, program, two_files, with};
use super::{Row, done, row, scored};

pub(super) fn rows() -> Vec<Row> {
    [by_hand(), deadlines()].into_iter().flatten().collect()
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
        Row {
            before: |room| {
                let graded = room.run(&["grade", "class", "-a", "./asg", "--quiet"]);
                assert_eq!(graded.status, 3, "{}", graded.stderr);
                done(
                    room,
                    "correct class --student bob --problem twice --points 0 --comment none",
                );
            },
            ..scored(
                "not judged, then 0 by hand",
                two_files(),
                ["10", "0", "10", "0"],
            )
        },
        Row {
            before: |room| {
                done(room, "grade class -a ./asg --quiet");
                done(
                    room,
                    "correct class --student bob --problem twice --comment why? --at twice.py:2",
                );
            },
            remark: Some(("bob", "why?")),
            ..row("remark at a line", plain())
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
