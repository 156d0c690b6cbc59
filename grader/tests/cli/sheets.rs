//! What a person said of a submission stays with it: comments of a sheet, and points together with the attempt that counts.

use std::fs;

use crate::class::{GRADE, SQUARE, WRONG, squares};
use crate::harness::{Room, without_submissions};

/// A class with a subtask that people grade.
fn room() -> Room {
    let style = "\n[[subtask]]\nname = \"style\"\npoints = 5\nmanual = true\n";
    let room = squares()
        .keeping()
        .replace("squares/assignment.toml", "points = 10", "points = 15");
    let path = room.path("squares/square/problem.toml");
    let text = fs::read_to_string(path).unwrap() + style;
    room.file("squares/square/problem.toml", text)
        .file("class/ann/square.c", WRONG)
        .file("class/bob/square.c", SQUARE)
}

fn ran(room: &Room, arguments: &[&str]) -> String {
    let ran = room.run(arguments);
    assert_eq!(ran.status, 0, "{arguments:?}: {}", ran.stderr);
    ran.stdout
}

#[test]
fn a_comment_of_a_sheet_is_for_the_submission_that_was_looked_at() {
    let room = room();
    ran(&room, &GRADE);
    let sheet = ["correct", "--sheet", "-"];
    let from = ["correct", "--from", "points.csv"];
    let heads = "student,name,problem,style/points (5),comment\r\n";
    let heads = format!("\u{feff}{heads}");
    let filled = format!("{heads}ann,,square,4,late answers\r\nbob,,square,5,\r\n");
    let room = room.file("points.csv", &filled);
    ran(&room, &from);
    let written = ran(&room, &sheet);
    assert_eq!(without_submissions(&written), filled);

    // She submits again: points and comment are for what she had, and the next report says so.
    let room = room.file("class/ann/square.c", SQUARE.replace("n * n", "(n * n)"));
    let text = ran(&room, &GRADE);
    assert_eq!(text.matches("it was made for another").count(), 2, "{text}");
    let of_student = [
        "report",
        "class",
        "--student",
        "ann",
        "--audience",
        "student",
        "--json",
        "-",
    ];
    assert!(!ran(&room, &of_student).contains("late answers"));
    let open = format!("{heads}ann,,square,,\r\nbob,,square,5,\r\n");
    assert_eq!(without_submissions(&ran(&room, &sheet)), open);

    // What was written for the earlier one is not taken for it.
    let room = room.file("points.csv", &written);
    assert_eq!(
        room.run(&from).stderr,
        "line 2: `ann square style` was not taken: another submission counts now. Write a new sheet, and look at that one\n\
         line 2: `ann square` was not taken: another submission counts now. Write a new sheet, and look at that one\n\
         0 new corrections in the table\nwritten to corrections.toml, for the class `class`\n"
    );
    assert_eq!(without_submissions(&ran(&room, &sheet)), open);

    // The same words again, without that column, are for the new one.
    let room = room.file("points.csv", &filled);
    ran(&room, &from);
    assert_eq!(without_submissions(&ran(&room, &sheet)), filled);
    assert!(ran(&room, &of_student).contains("late answers"));
    assert_eq!(
        room.run(&from).stderr.lines().next(),
        Some("0 new corrections in the table")
    );
}

#[test]
fn points_that_are_given_with_an_attempt_are_for_it() {
    let room = room();
    ran(&room, &GRADE);
    let room = room.file("class/ann/square.c", SQUARE);
    ran(&room, &GRADE);
    let correct = |more: &[&str]| {
        let to = ["correct", "--student", "ann", "--problem", "square"];
        ran(&room, &[&to, more].concat())
    };
    let first = correct(&["--attempt", "1", "--points", "7"]);
    assert_eq!(
        first,
        "ann square: 7 of 15 points  PC partially correct\n  attempt 1 of 2 counts\n  corrected by hand from 3.33 + ? to 7 points\n"
    );
    // Of the last one, which was judged now.
    let last = correct(&["--replace", "--attempt", "2", "--points", "9"]);
    assert_eq!(
        last,
        "ann square: 9 of 15 points  AC accepted\n  attempt 2 of 2 counts\n  corrected by hand from 10 + ? to 9 points\n"
    );
    let refused = room.run(&[
        "correct",
        "--student",
        "ann",
        "--problem",
        "square",
        "--attempt",
        "3",
        "--points",
        "1",
    ]);
    assert_eq!(
        (refused.status, refused.stderr.as_str()),
        (
            2,
            "error: there is no attempt 3: the ledger has only 2 by this student for `square`\n"
        )
    );
}
