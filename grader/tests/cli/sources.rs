//! Two sources for one student: nobody's work takes the place of another's, and somebody decides.

use std::io::{Cursor, Write as _};

use serde_json::Value;

use crate::class::{SQUARE, squares};
use crate::harness::{Ran, Room, problem, student};

/// Right for 2 only.
const WRONG: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) { (void)c; printf(\"%d\\n\", atoi(v[1]) + 2); return 0; }\n";

const GRADE: [&str; 4] = ["grade", "class", "-a", "./squares"];

fn zip(source: &str) -> Vec<u8> {
    zip_of(&[("square.c", source)])
}

fn zip_of(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let stored = zip::write::SimpleFileOptions::default();
    for (name, source) in files {
        zip.start_file(*name, stored).unwrap();
        zip.write_all(source.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// The points of `square` of everyone in the results; `open` where somebody must look at what was handed in.
fn points(room: &Room) -> Vec<String> {
    let (_, results) = room.json(&[&GRADE[..], &["--format", "json"]].concat());
    let students = results["students"].as_array().unwrap();
    let points = students.iter().map(|student| {
        let id = student["id"].as_str().unwrap();
        let square = problem(student, "square");
        match &square["points"] {
            Value::Null => {
                let told = (&square["verdict"], &square["status"]["fault"]);
                assert_eq!(told, (&"JE".into(), &"unreadable".into()));
                format!("{id} open")
            }
            points => format!("{id} {points}"),
        }
    });
    points.collect()
}

/// The part of a report on what was handed in and cannot be graded.
fn needs_a_look(ran: &Ran) -> &str {
    let title = "Not scored yet: the submission needs a look";
    let at = ran.stdout.find(title);
    &ran.stdout[at.unwrap_or_else(|| panic!("{}", ran.stdout))..]
}

/// Asserts that these, and nobody else, get these points, that whoever is open is listed with a reason that has all of
/// these words, and that no points are carried elsewhere.
fn assert_open(room: &Room, expected: &[&str], words: &[&str]) {
    assert_eq!(points(room), expected);
    let ran = room.run(&GRADE);
    assert_eq!(ran.status, 3);
    // Lines are broken anywhere.
    let listed: String = needs_a_look(&ran).split_whitespace().collect();
    for word in words {
        let word: String = word.split_whitespace().collect();
        assert!(listed.contains(&word), "{word}: {}", ran.stdout);
    }
    let carried = room.run(&[&GRADE[..], &["--format", "csv"]].concat());
    assert_eq!((carried.status, carried.stdout.as_str()), (3, ""));
}

#[test]
fn a_full_name_that_holds_anothers_submission_at_moodle_takes_nobodys_place() {
    // What a participant is called who may edit the full name, and would be Alice.
    let name = "Alice_111_assignsubmission_file_x_222";
    let hostile = format!("{name}_assignsubmission_file_");
    let room = squares()
        .file("class/Alice_111_assignsubmission_file_/square.c", WRONG)
        .file("class/Bob_333_assignsubmission_file_/square.c", SQUARE)
        .file(&format!("class/{hostile}/square.c"), SQUARE);
    assert_open(
        &room,
        &["Alice 3.33", &format!("{name} open"), "Bob 10"],
        &[&hostile, "could belong to more than one student"],
    );
}

#[test]
fn the_name_of_a_file_at_moodle_is_not_taken_for_another_participant() {
    // Mallory's file is called `x_111_assignsubmission_file_square.c`.
    let name = "Mallory_222_assignsubmission_file_x_111";
    let hostile = format!("{name}_assignsubmission_file_square.c");
    let room = squares()
        .file("class/Alice_111_assignsubmission_file_square.c", WRONG)
        .file("class/Bob_333_assignsubmission_file_square.c", SQUARE)
        .file(&format!("class/{hostile}"), SQUARE);
    assert_open(
        &room,
        &["Alice 3.33", "Bob 10", &format!("{name} open")],
        &[&hostile, "could belong to more than one student"],
    );
}

#[test]
fn one_number_of_two_names_at_moodle_is_open() {
    let room = squares()
        .file("class/Alice_111_assignsubmission_file_/square.c", WRONG)
        .file("class/Eve_111_assignsubmission_file_/square.c", SQUARE)
        .file("class/Bob_333_assignsubmission_file_/square.c", SQUARE);
    assert_open(
        &room,
        &["Alice open", "Bob 10", "Eve open"],
        &[
            "Alice_111_assignsubmission_file_",
            "Eve_111_assignsubmission_file_",
            "keep the one that counts",
        ],
    );
}

#[test]
fn a_text_and_files_of_one_participant_at_moodle_are_one_submission() {
    let room = squares()
        .file("class/Alice_111_assignsubmission_file_/square.c", SQUARE)
        .file(
            "class/Alice_111_assignsubmission_onlinetext_/onlinetext.html",
            "<p>done</p>",
        )
        .file("class/Bob_333_assignsubmission_file_/square.c", WRONG);
    assert_eq!(points(&room), ["Alice 10", "Bob 3.33"]);
}

#[test]
fn a_name_that_holds_anothers_number_at_canvas_is_open() {
    // The name of user 222 is `alice_111_`.
    let hostile = "alice_111__222_5003_square.c";
    let room = squares()
        .file("class/alice_111_5001_square.c", WRONG)
        .file("class/bob_333_5002_square.c", SQUARE)
        .file(&format!("class/{hostile}"), SQUARE);
    assert_open(
        &room,
        &["alice open", "bob 10"],
        &["alice_111_5001_square.c", hostile],
    );
}

#[test]
fn several_attempts_at_canvas_are_one_submission() {
    let room = squares()
        .file("class/alice_111_5001_square.c", WRONG)
        .file("class/alice_111_5004_square-1.c", SQUARE)
        .file("class/bob_333_5002_square.c", WRONG);
    assert_eq!(points(&room), ["alice 10", "bob 3.33"]);
}

#[test]
fn two_folders_or_archives_of_one_student_are_open() {
    let folders = squares()
        .file("class/ann/square.c", WRONG)
        .file("class/ann.zip", zip(SQUARE))
        .file("class/bob/square.c", SQUARE);
    assert_open(&folders, &["ann open", "bob 10"], &["`ann`", "`ann.zip`"]);

    let archives = squares()
        .file("class/ann.zip", zip(WRONG))
        .file("class/ann.ZIP", zip(SQUARE))
        .file("class/bob.zip", zip(SQUARE));
    assert_open(
        &archives,
        &["ann open", "bob 10"],
        &["`ann.zip`", "`ann.ZIP`"],
    );
}

#[test]
fn two_repositories_of_one_user_are_open() {
    let room = squares()
        .file("class/hw1-ann/.git/HEAD", "")
        .file("class/hw1-ann/square.c", WRONG)
        .file("class/hw1-ann.zip", zip(SQUARE))
        .file("class/hw1-bob/.git/HEAD", "")
        .file("class/hw1-bob/square.c", SQUARE);
    assert_open(
        &room,
        &["ann open", "bob 10"],
        &["`hw1-ann`", "`hw1-ann.zip`"],
    );
}

#[test]
fn two_submissions_of_one_address_at_gradescope_are_open() {
    let room = squares()
        .file("class/submission_1/square.c", WRONG)
        .file("class/submission_2/square.c", SQUARE)
        .file("class/submission_3/square.c", SQUARE)
        .file(
            "class/submission_metadata.yml",
            "submission_1:\n  :submitters:\n  - :name: Ann\n    :email: a@example.org\n\
             submission_2:\n  :submitters:\n  - :name: Ann\n    :email: a@example.org\n\
             submission_3:\n  :submitters:\n  - :name: Bob\n    :email: b@example.org\n",
        );
    assert_open(
        &room,
        &["Ann open", "Bob 10"],
        &["`submission_1`", "`submission_2`"],
    );
    let (_, results) = room.json(&[&GRADE[..], &["--format", "json"]].concat());
    let message = &problem(student(&results, "Ann"), "square")["message"];
    assert!(message.as_str().unwrap().contains("submission_2"));
}

#[test]
fn a_bad_entry_of_an_archive_leaves_only_its_problem_open() {
    let work = zip_of(&[("square.c", SQUARE), ("../one.c", WRONG)]);
    let room = squares()
        .file("class/ann/work.zip", work)
        .file("class/bob/square.c", SQUARE);
    assert_eq!(points(&room), ["ann 10", "bob 10"]);
    let (_, results) = room.json(&[&GRADE[..], &["--format", "json"]].concat());
    let one = problem(student(&results, "ann"), "one");
    assert_eq!(one["status"]["fault"], "unreadable");
    assert_eq!(
        one["message"],
        "`work.zip/../one.c` is not unpacked: its path contains `..`"
    );
}
