//! What is asked for and is not there.

use std::fs;

use crate::room::{Room, refusal};

#[test]
fn a_ledger_that_is_not_there_has_one_sentence_for_all() {
    let room = Room::new();
    let none = room.shown("none.db");
    let expected = (
        format!(
            "nothing was graded here: there is no ledger `{none}`; `grader grade CLASS --ledger {none}` creates it"
        ),
        2,
    );
    for class in [None, Some("a"), Some("src")] {
        assert_eq!(refusal(room.find("none.db", class)), expected);
    }
    let missing = grader_session::ledger::refuse_missing(&room.path("none.db"));
    assert_eq!(refusal(missing.map_err(Into::into)), expected);
}

#[test]
fn what_is_no_ledger_or_no_class_says_which_it_is() {
    let room = Room::new();
    room.grade("all.db", "a", "cubes", &[("ann", "int a;")]);
    room.write("notes.txt", "notes");
    let notes = room.shown("notes.txt");
    assert_eq!(
        refusal(room.find("notes.txt", None)),
        (
            format!(
                "cannot use the ledger `{notes}`: it is not a ledger, and was not changed; expected a file that `grader grade` \
                 created, or a new name"
            ),
            2
        )
    );
    let ledger = room.shown("all.db");
    let as_class = room.find("all.db", Some(&ledger));
    assert_eq!(
        refusal(as_class).0,
        format!("`{ledger}` is a ledger: name it with `--ledger {ledger}`")
    );
    let stored = room.find("all.db", None).unwrap();
    assert_eq!(
        refusal(stored.run(Some(7))).0,
        format!("`{ledger}` has no run 7: `grader history` lists its runs")
    );
}

#[test]
fn a_class_in_no_ledger_is_not_graded_yet() {
    let room = Room::new();
    fs::create_dir(room.path("a")).unwrap();
    let asked = |class: &str| grader_session::AskedClass {
        class: Some(room.path(class)),
        ledger: None,
    };
    let a = room.shown("a");
    assert_eq!(
        refusal(grader_session::StoredRuns::find(&asked("a"))),
        (
            format!("`{a}` was not graded yet: `grader grade {a}` grades it"),
            2
        )
    );
    let b = room.shown("b");
    assert_eq!(
        refusal(grader_session::StoredRuns::find(&asked("b"))),
        (format!("`{b}` does not exist"), 2)
    );
}
