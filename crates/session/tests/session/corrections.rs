//! Corrections beside a class.

use std::path::PathBuf;

use grader_judge::WholeClass;
use grader_model::{AssignmentInfo, AttemptChoice, Deadline, Penalty, StudentId};
use grader_session::{AskedRun, Graded, IfSeveral, SessionError, StoredRuns};
use grader_store::BeginRun;

use crate::room::{Room, Said, assignment, refusal};

fn asked(room: &Room, class: &str, corrections: Option<PathBuf>) -> AskedRun {
    AskedRun {
        class: room.asked("all.db", Some(class)),
        run: None,
        corrections,
    }
}

/// The points of each student of a class, and what was said.
fn points(room: &Room, class: &str, corrections: Option<PathBuf>) -> (Vec<String>, Vec<String>) {
    let said = Said::default();
    let asked = asked(room, class, corrections);
    let graded = Graded::read(&asked, IfSeveral::Ask, &said).unwrap();
    let points = graded.results.students.iter().map(|student| {
        let problem = &student.problems[0];
        let points = problem.points.map(|it| it.to_string());
        format!("{} {}", student.id, points.unwrap_or("?".to_owned()))
    });
    (points.collect(), said.take())
}

fn correction(class: &str, student: &str, what: &str) -> String {
    format!("\n[[correction]]\n{class}student = \"{student}\"\nproblem = \"square\"\n{what}\n")
}

#[test]
fn the_file_beside_a_class_corrects_it_unless_another_is_named() {
    let room = Room::new();
    room.grade(
        "all.db",
        "a",
        "cubes",
        &[("ann", "int a;"), ("bob", "int b;")],
    );
    let file = |what: &str| format!("format = 1\n{}", correction("", "ann", what));
    assert_eq!(points(&room, "a", None).0, ["ann 4", "bob 4"]);
    room.write("corrections.toml", &file("points = 7"));
    room.write(
        "corrections/cat.toml",
        &format!("format = 1\n{}", correction("", "cat", "add = 1")),
    );
    let beside = room.shown("corrections/cat.toml");
    assert_eq!(
        points(&room, "a", None),
        (
            vec!["ann 7".to_owned(), "bob 4".to_owned()],
            vec![format!(
                "warning: {beside}:3: there is no student `cat` in these results"
            )]
        )
    );
    let other = room.write("other.toml", &file("add = -1"));
    let (found, said) = points(&room, "a", Some(other));
    assert_eq!(
        (found, said),
        (vec!["ann 3".to_owned(), "bob 4".to_owned()], Vec::new())
    );
    // The last of its runs is corrected, and another one in the same way.
    room.grade(
        "all.db",
        "a",
        "cubes",
        &[("ann", "int a;"), ("bob", "int b;")],
    );
    let graded = Graded::read(&asked(&room, "a", None), IfSeveral::Ask, &Said::default()).unwrap();
    let again = graded.corrected(1, &Said::default()).unwrap();
    assert_eq!(again.students, graded.results.students);
}

#[test]
fn a_file_that_was_named_must_be_there_and_have_no_mistakes() {
    let room = Room::new();
    room.grade("all.db", "a", "cubes", &[("ann", "int a;")]);
    let read = |path| {
        Graded::read(
            &asked(&room, "a", Some(path)),
            IfSeveral::Ask,
            &Said::default(),
        )
    };
    let none = room.path("none.toml");
    assert_eq!(
        refusal(read(none)),
        (format!("there is no file `{}`", room.shown("none.toml")), 2)
    );
    let wrong = room.write(
        "wrong.toml",
        "format = 1\n[[correction]]\nstudnet = \"ann\"\n",
    );
    let Err(SessionError::Mistakes(mistakes)) = read(wrong) else {
        panic!("expected mistakes");
    };
    assert!(
        mistakes[0].message.contains("studnet"),
        "{}",
        mistakes[0].message
    );
}

#[test]
fn a_file_that_gets_mistakes_while_a_class_is_graded_keeps_what_it_had() {
    let room = Room::new();
    room.grade("all.db", "a", "cubes", &[("ann", "int a;")]);
    let good = format!("format = 1\n{}", correction("", "ann", "points = 7"));
    let path = room.write("corrections.toml", &good);
    let graded = Graded::read(&asked(&room, "a", None), IfSeveral::Ask, &Said::default()).unwrap();
    room.write("corrections.toml", "format = ");
    let said = Said::default();
    let kept = graded.corrections.reread(&assignment("cubes"), &said);
    assert_eq!(said.take(), ["error: the files have mistakes"]);
    assert_eq!((kept.path.clone(), kept.list().len()), (path, 1));
    room.write("corrections.toml", "format = 1\n");
    assert!(kept.reread(&assignment("cubes"), &said).list().is_empty());
    assert!(said.take().is_empty());
}

#[test]
fn a_file_beside_the_work_of_one_student_may_be_the_students() {
    let room = Room::new();
    room.grade_as("all.db", "repository", "cubes", &[("ann", "int a;")], true);
    let file = format!("format = 1\n{}", correction("", "ann", "points = 10"));
    let path = room.write("corrections.toml", &file);
    assert_eq!(points(&room, "repository", None).0, ["ann 4"]);
    assert_eq!(points(&room, "repository", Some(path)).0, ["ann 10"]);
}

#[test]
fn of_two_classes_each_has_the_corrections_that_name_it() {
    let room = Room::new();
    room.grade("all.db", "sec/1", "cubes", &[("ann", "int a;")]);
    room.grade("all.db", "sec/2", "cubes", &[("ann", "int b;")]);
    let write = |class: &str| {
        let text = format!("format = 1\n{}", correction(class, "ann", "add = 1"));
        room.write("sec/corrections.toml", &text);
        ["sec/1", "sec/2"].map(|it| points(&room, it, None).0.concat())
    };
    assert_eq!(write("class = \"1\"\n"), ["ann 5", "ann 4"]);
    assert_eq!(write("class = \"sec/2\"\n"), ["ann 4", "ann 5"]);
    // Nobody's points are guessed, and the sentence has the lines to write.
    assert_eq!(write(""), ["ann ?", "ann ?"]);
    let graded = Graded::read(
        &asked(&room, "sec/2", None),
        IfSeveral::Ask,
        &Said::default(),
    )
    .unwrap();
    let unclear = graded.corrections.list()[0].unclear.clone().unwrap();
    assert_eq!(
        unclear.en,
        "the correction at corrections.toml:3 does not say for which class it is: add `class = \"2\"` or `class = \"1\"`"
    );
    // No such class: it is nobody's, and a warning says so.
    let text = format!(
        "format = 1\n{}",
        correction("class = \"3\"\n", "zoe", "add = 1")
    );
    room.write("sec/corrections.toml", &text);
    let place = room.shown("sec/corrections.toml");
    assert_eq!(
        points(&room, "sec/1", None).1,
        [format!(
            "warning: {place}:3: there is no class `3`: write `class = \"1\"` or `class = \"2\"`"
        )]
    );
    // It may be that of a class which was graded elsewhere: it is not certain, unless it was made for other work.
    let points_of_ann = |submission: &str| {
        let correction = correction("class = \"3\"\n", "ann", &format!("points = 9{submission}"));
        room.write("sec/corrections.toml", &format!("format = 1\n{correction}"));
        points(&room, "sec/1", None)
    };
    assert_eq!(points_of_ann("").0, ["ann ?"]);
    assert_eq!(
        points_of_ann("\nsubmission = \"of-3\""),
        (
            vec!["ann 4".to_owned()],
            vec![format!(
                "warning: {place}:3: there is no class `3` here, and it was made for another submission than that of `ann`: it does not apply"
            )]
        )
    );
    let stored = StoredRuns::find(&room.asked("all.db", Some("sec/1"))).unwrap();
    assert_eq!(stored.run(None).unwrap().id, 1);
}

#[test]
fn a_shard_warns_only_of_unknown_students_that_would_be_its_own() {
    let room = Room::new();
    let ids = ["ann", "bob", "cat", "dan"].map(StudentId::new);
    let corrections = ["ann", "bob", "cat", "dan", "zoe"].map(|it| correction("", it, "add = 1"));
    room.write(
        "corrections.toml",
        &format!("format = 1\n{}", corrections.concat()),
    );
    let mut said = Vec::new();
    for shard in ["1/2", "2/2"].map(|it| it.parse::<grader_judge::Shard>().unwrap()) {
        let wanted = BeginRun {
            shard: Some(shard),
            whole: Some(WholeClass::of(ids.iter())),
            ..room.wanted("a", assignment("cubes"))
        };
        let own = ids.iter().filter(|it| shard.has(it));
        let work: Vec<_> = own.map(|it| (it.as_str(), "int a;")).collect();
        assert!((1..4).contains(&work.len()), "{work:?}");
        let ledger = format!("{}.db", shard.number);
        room.grade_run(&ledger, &wanted, &work);
        let heard = Said::default();
        let asked = AskedRun {
            class: room.asked(&ledger, Some("a")),
            ..AskedRun::default()
        };
        Graded::read(&asked, IfSeveral::Ask, &heard).unwrap();
        said.extend(heard.take());
    }
    let place = room.shown("corrections.toml");
    assert_eq!(
        said,
        [format!(
            "warning: {place}:23: there is no student `zoe` in these results"
        )]
    );
}

/// A deadline at this time, with a penalty of 10 percent a day.
fn deadline(due: &str) -> Deadline {
    Deadline {
        due: due.parse().unwrap(),
        zone: "UTC".to_owned(),
        grace_s: 0,
        grace_days: 0,
        penalty: Penalty::Rate {
            percent: 10,
            every_s: 86_400,
            every_days: 0,
        },
        cap: 100,
        last: None,
        attempts: AttemptChoice::Latest,
        late_days_at_most: None,
        file_times: false,
    }
}

#[test]
fn that_a_deadline_may_have_moved_is_said_where_something_is_late() {
    let note = "note: the deadline is the one with which the class was graded: if it has moved since, run `grader grade` again";
    for (due, expected) in [
        ("2026-11-19T00:00:00Z", vec![note.to_owned()]),
        ("2026-11-21T00:00:00Z", vec![]),
    ] {
        let room = Room::new();
        let info = AssignmentInfo {
            deadline: Some(deadline(due)),
            ..assignment("cubes")
        };
        room.grade_run("all.db", &room.wanted("a", info), &[("ann", "int a;")]);
        assert_eq!(points(&room, "a", None).1, expected, "{due}");
    }
}
