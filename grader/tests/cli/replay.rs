//! Judging a graded class again.

use std::fs;

use crate::class::{GRADE, ann_and_bob};
use crate::harness::Room;

/// A graded class of three, whose files exist in the ledger only.
fn graded() -> Room {
    let room = ann_and_bob().file("class/dan/square.c", "int main( { }");
    let ran = room.run(&GRADE);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    fs::remove_dir_all(room.path("class")).unwrap();
    room
}

/// The text up to the lines about this machine; and how many of those say that two differ.
fn replayed(room: &Room, arguments: &[&str]) -> (i32, String, usize) {
    let ran = room.run(&[&["replay", "--ledger", ".grader/ledger.db"], arguments].concat());
    assert_eq!(ran.stderr, "");
    let (text, receipt) = ran.stdout.split_once("\nReceipt\n").unwrap();
    let began = text.find('(').zip(text.find(')')).unwrap();
    let text = [&text[..=began.0], &text[began.1..]].concat();
    (ran.status, text, receipt.matches('→').count())
}

#[test]
fn the_programs_in_the_ledger_are_judged_again_and_nothing_is_stored() {
    let room = graded();
    let ledger = fs::read(room.path(".grader/ledger.db")).unwrap();
    let same = "squares
run 1 () → now
as judged, without late penalties and corrections

No result changed: 3 students.

Same verdict  9 of 9 cases
";
    assert_eq!(
        replayed(&room, &["-a", "./squares"]),
        (0, same.to_owned(), 0)
    );
    assert!(fs::read(room.path(".grader/ledger.db")).unwrap() == ledger);
    let (status, replay) = room.json(&["replay", "-a", "./squares", "--json", "-"]);
    let [before, after] = [0, 1].map(|at| replay["receipts"][at].clone());
    assert_eq!(
        (status, &before, before["results"].as_str().unwrap().len()),
        (0, &after, 64)
    );
}

#[test]
fn a_verdict_that_differs_comes_with_what_has_changed() {
    let room = graded().replace("squares/square/problem.toml", r#""9\n""#, r#""5\n""#);
    let changed = "squares
run 1 () → now
as judged, without late penalties and corrections

Changed (2)
  ann  10 → 6.67 (−3.33)
    square  10 → 6.67 (−3.33)  AC → PC: problem changed
      small/n=3 AC → WA
  bob  3.33 → 6.67 (+3.34)
    square  3.33 → 6.67 (+3.34)  PC: problem changed
      small/n=3 WA → AC

Unchanged (1)

Same verdict  7 of 9 cases
Not settled   0 of the 2 that differ
";
    let found = replayed(&room, &["-a", "./squares"]);
    // The assignment and the results.
    assert_eq!(found, (1, changed.to_owned(), 2));
}

#[test]
fn an_assignment_of_which_nothing_was_submitted_is_refused() {
    let room = graded()
        .fixture("squares", "other")
        .replace("other/assignment.toml", "\"squares\"", "\"other\"")
        .replace(
            "other/assignment.toml",
            "[[problem]]\npath = \"square\"\npoints = 10\n",
            "",
        );
    let ran = room.run(&["replay", "-a", "./other"]);
    let error = "error: run 1 has no submission for a problem of `other`\n";
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.ends_with(error), "{}", ran.stderr);
}
