//! Which of the classes in a ledger is meant.

use std::fs;
use std::os::unix::fs::symlink;

use grader_session::{AskedRun, Graded, IfSeveral, Sections, StoredRuns};

use crate::room::{Room, Said, assignment, here, intake, refusal};

const ANN: &[(&str, &str)] = &[("ann", "int a;")];
const BOB: &[(&str, &str)] = &[("bob", "int b;")];

#[test]
fn a_class_is_named_by_its_path_by_the_end_of_one_or_by_one_that_it_had() {
    let room = Room::new();
    room.grade("all.db", "a/sub", "cubes", ANN);
    room.grade("all.db", "b/sub", "cubes", BOB);
    room.grade("all.db", "week", "cubes", &[("cat", "int c;")]);
    symlink(room.path("a/sub"), room.path("link")).unwrap();
    fs::rename(room.path("a"), room.path("gone")).unwrap();
    fs::rename(room.path("week"), room.path("week-1")).unwrap();
    let said = room.grade("all.db", "week-1", "cubes", &[("cat", "int c;")]);
    let (old, new) = (room.shown("week"), room.shown("week-1"));
    assert_eq!(
        said.take(),
        [format!(
            "note: `{new}` has the submissions of `{old}`, whose runs are now runs of `{new}`"
        )]
    );
    for (class, expected) in [
        // The path at which it was graded, also in a folder that is gone, and through a link.
        (&*room.shown("a/sub"), "1 of a/sub"),
        (&room.shown("./a//sub/"), "1 of a/sub"),
        (&room.shown("link"), "1 of a/sub"),
        (&room.shown("b/sub"), "2 of b/sub"),
        // The end of one.
        ("a/sub", "1 of a/sub"),
        ("./b/sub/", "2 of b/sub"),
        ("week-1", "4 of week-1"),
        // One that it had.
        ("week", "4 of week-1"),
        (&room.shown("week"), "4 of week-1"),
    ] {
        assert_eq!(room.found("all.db", class).unwrap(), expected, "{class}");
    }
    let ledger = room.shown("all.db");
    let has = "`a/sub`, `b/sub`, `week-1`";
    for (class, expected) in [
        (
            "sub",
            format!("`sub` fits several classes of `{ledger}`: name one: `a/sub`, `b/sub`"),
        ),
        (
            "ub",
            format!(
                "`ub` does not exist, and `{ledger}` has no class of that name: it has {has}; for a student, type `grader report --student ID`"
            ),
        ),
        // What is there is meant, and no class of its name.
        (
            &room.shown("gone/sub"),
            format!(
                "no run of the class `{}` is stored in `{ledger}`, which has {has}; another ledger can be named with `--ledger`",
                room.shown("gone/sub")
            ),
        ),
        (
            "src",
            format!(
                "no run of the class `src` is stored in `{ledger}`, which has {has}; another ledger can be named with `--ledger`"
            ),
        ),
    ] {
        assert_eq!(
            refusal(room.found("all.db", class)),
            (expected, 2),
            "{class}"
        );
    }
}

#[test]
fn a_class_without_a_named_ledger_has_the_nearest_one_that_knows_it() {
    let room = Room::new();
    room.grade(".grader/ledger.db", "course/week", "cubes", ANN);
    room.grade("course/.grader/ledger.db", "course/other", "cubes", BOB);
    let found = |class: &str| {
        let asked = grader_session::AskedClass {
            class: Some(room.path(class)),
            ledger: None,
        };
        StoredRuns::find(&asked).map(|it| it.ledger())
    };
    let path = |ledger: &str| room.path(ledger);
    assert_eq!(found("course/week").unwrap(), path(".grader/ledger.db"));
    assert_eq!(
        found("course/other").unwrap(),
        path("course/.grader/ledger.db")
    );
    fs::create_dir(room.path("course/new")).unwrap();
    let (new, nearest) = (
        room.shown("course/new"),
        room.shown("course/.grader/ledger.db"),
    );
    assert_eq!(
        refusal(found("course/new")).0,
        format!(
            "no run of the class `{new}` is stored in `{nearest}`, which has `other`; another ledger can be named with `--ledger`"
        )
    );
}

#[test]
fn of_several_classes_what_shows_takes_the_last_and_what_carries_points_asks() {
    let room = Room::new();
    room.grade("all.db", "a", "cubes", ANN);
    room.grade("all.db", "b", "cubes", BOB);
    room.grade("all.db", "a", "cubes", ANN);
    room.grade("all.db", "b", "cubes", BOB);
    let stored = room.find("all.db", None).unwrap();
    let ledger = room.shown("all.db");
    assert_eq!(stored.choose(None, IfSeveral::TakeLast).unwrap().id, 4);
    assert_eq!(
        refusal(stored.choose(None, IfSeveral::Ask)),
        (
            format!("`{ledger}` has several classes: name one: `a`, `b`"),
            2
        )
    );
    // A run is of one class.
    let first = stored.choose(Some(1), IfSeveral::Ask).unwrap();
    assert_eq!(first.id, 1);
    let said = Said::default();
    stored.say_choice(&first, &said).unwrap();
    let a = room.shown("a");
    assert_eq!(
        said.take(),
        [format!("note: run 1 of `{a}`, from `{ledger}`")]
    );
    // What was before it is of the same class.
    assert_eq!(stored.last_of(first.clone()).unwrap().id, 3);
    let last = stored.run(Some(3)).unwrap();
    assert_eq!(stored.run_before(&last).unwrap().id, 1);
    assert_eq!(
        refusal(stored.run_before(&first)),
        (
            "the ledger has no two runs of one class: `grader history` lists its runs".to_owned(),
            2
        )
    );
    let [a, b] = ["a", "b"].map(|it| room.shown(it));
    assert_eq!(
        refusal(stored.run_before(&stored.run(Some(2)).unwrap())),
        (
            format!(
                "runs 1 and 2 are of two classes, `{a}` and `{b}`: `grader diff --run 2 --against 1` compares them"
            ),
            2
        )
    );
    // A class alone is never asked for, and needs no words.
    let alone = room.find("all.db", Some("a")).unwrap();
    let run = alone.choose(None, IfSeveral::Ask).unwrap();
    alone.say_choice(&run, &said).unwrap();
    assert_eq!((run.id, said.take()), (3, Vec::new()));
}

#[test]
fn two_assignments_of_one_folder_are_two_classes() {
    let room = Room::new();
    room.grade("all.db", "a", "cubes", ANN);
    room.grade("all.db", "a", "squares", ANN);
    let (a, ledger) = (room.shown("a"), room.shown("all.db"));
    let several = format!(
        "`{a}` was graded by several assignments: name a run of the one you mean: `--run 1` (`cubes`), `--run 2` (`squares`)"
    );
    for class in [None, Some("a")] {
        let stored = room.find("all.db", class).unwrap();
        let last = stored.choose(None, IfSeveral::TakeLast).unwrap();
        let said = Said::default();
        stored.say_choice(&last, &said).unwrap();
        let note = format!("note: run 2 of `{a}` (`squares`), from `{ledger}`");
        assert_eq!((last.id, said.take()), (2, vec![note]));
        let asked = stored.choose(None, IfSeveral::Ask);
        assert_eq!(refusal(asked), (several.clone(), 2));
    }
}

#[test]
fn a_class_whose_folder_was_renamed_keeps_its_id_and_its_lasting_name() {
    let room = Room::new();
    room.grade("all.db", "week", "cubes", ANN);
    let id = |class: &str, moved: bool| {
        let stored = StoredRuns::known(&room.path("all.db"));
        let (place, info) = (room.path(class), assignment("cubes"));
        let sections = if moved {
            Sections::to_grade(&place, info, None, &intake(ANN), stored.as_ref())
        } else {
            Sections::of(&place, &info.id, stored.as_ref())
        };
        let sections = sections.unwrap();
        (sections.id().to_string(), sections.lasting_name())
    };
    let before = id("week", false);
    assert_eq!(before.1, "week");
    fs::rename(room.path("week"), room.path("week-1")).unwrap();
    assert_eq!(id("week-1", true), before);
    // Other submissions are another class, and so is one without this ledger.
    assert_ne!(id("week-1", false).0, before.0);
    assert!(StoredRuns::known(&room.path("none.db")).is_none());
    // Afterwards it is in the ledger.
    room.grade("all.db", "week-1", "cubes", ANN);
    assert_eq!(id("week-1", false), before);
}

#[test]
fn a_name_that_leads_elsewhere_from_here_is_not_proposed() {
    // This crate has a folder `src`.
    assert!(here().join("src").is_dir());
    let room = Room::new();
    room.grade("all.db", "n/src", "cubes", ANN);
    room.grade("all.db", "n/other", "cubes", BOB);
    let stored = room.find("all.db", None).unwrap();
    let (message, _) = refusal(stored.choose(None, IfSeveral::Ask));
    assert!(
        message.ends_with(": name one: `other`, `n/src`"),
        "{message}"
    );
    assert_eq!(room.found("all.db", "n/src").unwrap(), "1 of n/src");
}

#[test]
fn a_student_who_is_not_in_the_class_is_looked_for_in_the_others() {
    let room = Room::new();
    room.grade("all.db", "old", "cubes", BOB);
    room.grade("all.db", "new", "cubes", ANN);
    let find = |class: Option<&str>, name: &str| {
        let asked = AskedRun {
            class: room.asked("all.db", class),
            ..AskedRun::default()
        };
        let graded = Graded::read(&asked, IfSeveral::TakeLast, &Said::default()).unwrap();
        let found = graded.people().find_all(name);
        found.map_or_else(|it| it.text.en, |ids| ids.concat())
    };
    let last = "in the class `new`, the last that was graded";
    for (class, name, expected) in [
        (None, "ann", "ann".to_owned()),
        (
            None,
            "bob",
            format!("there is no student `bob` {last}; `old` has one"),
        ),
        (
            None,
            "zoe",
            format!("there is no student `zoe` {last}; another class can be named: `old`"),
        ),
        (
            None,
            "anne",
            format!("there is no student `anne` {last}; did you mean `ann`?"),
        ),
        (
            Some("new"),
            "bob",
            "there is no student `bob` in the class `new`; `old` has one".to_owned(),
        ),
        (
            Some("new"),
            "zoe",
            "there is no student `zoe` in the class `new`".to_owned(),
        ),
    ] {
        assert_eq!(find(class, name), expected);
    }
}

#[test]
fn a_run_is_not_compared_with_itself() {
    let room = Room::new();
    room.grade("all.db", "a", "cubes", ANN);
    room.grade("all.db", "a", "cubes", BOB);
    let stored = room.find("all.db", None).unwrap();
    let shown = stored.run(None).unwrap();
    assert_eq!(stored.run_against(1, &shown).unwrap().id, 1);
    assert_eq!(
        refusal(stored.run_against(2, &shown)),
        (
            "run 2 is the one that is shown: `--against` names another one; `grader history` lists the runs".to_owned(),
            2
        )
    );
}
