//! Whether points are known is one truth: exit statuses, tables, statistics and exports agree.

use std::fs;

use crate::class::{GRADE, SQUARE, ann_and_bob, squares};
use crate::harness::{Ran, Room, zip};

fn grade(room: &Room, more: &[&str]) -> Ran {
    room.run(&[&GRADE[..], more].concat())
}

/// The exit status, and the lines of a report that count students.
fn counted(ran: &Ran) -> (i32, Vec<&str>) {
    let lines = ran.stdout.lines();
    (
        ran.status,
        lines.filter(|it| it.starts_with("graded ")).collect(),
    )
}

#[test]
fn a_report_exits_with_3_if_and_only_if_something_in_it_is_open() {
    let room = ann_and_bob().file("class/eve/square.zip", "PK\x03\x04 cut off");
    // The others were not graded yet.
    let ann = grade(&room, &["--student", "ann"]);
    let of_ann = (
        0,
        vec!["graded 1 of 1 · mean 10 · median 10 · 1 with full marks"],
    );
    assert_eq!(counted(&ann), of_ann, "{}", ann.stderr);
    let report = |more: &[&str]| room.run(&[&["report", "class"], more].concat());
    let all = report(&[]);
    let some = (
        3,
        vec!["graded 1 of 3 · mean 10 · median 10 · 1 with full marks"],
    );
    assert_eq!(counted(&all), some, "{}", all.stderr);
    assert_eq!(report(&["--csv", "-"]).status, 3);
    // Now only Eve's submission, which cannot be read, is open.
    let all = grade(&room, &[]);
    let both = (
        3,
        vec!["graded 2 of 3 · mean 6.67 · median 6.67 · 1 with full marks"],
    );
    assert_eq!(counted(&all), both, "{}", all.stderr);
    let ann = grade(&room, &["--student", "ann"]);
    assert_eq!(counted(&ann), of_ann, "{}", ann.stderr);
    for (more, status) in [
        (&["--student", "ann"][..], 0),
        (&["--student", "ann", "--csv", "-"], 0),
        (&["--student", "eve"], 3),
        (&["--student", "bob", "--case", "n=1"], 0),
        (&["--student", "eve", "--case", "n=1"], 3),
        (&["--json", "-"], 3),
    ] {
        assert_eq!(report(more).status, status, "{more:?}");
    }
    // Points by hand are points.
    for problem in ["square", "one"] {
        let ran = room.run(&[
            "correct",
            "--student=eve",
            "--problem",
            problem,
            "--points=1",
        ]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    }
    let all = report(&[]);
    let everybody = (
        0,
        vec!["graded 3 of 3 · mean 4.78 · median 3.33 · 1 with full marks"],
    );
    assert_eq!(counted(&all), everybody, "{}", all.stderr);
    assert!(!all.stdout.contains("Not scored yet"), "{}", all.stdout);
    let eve = report(&["--csv", "-"]);
    let row = eve.stdout.lines().find(|line| line.starts_with("eve,"));
    assert!(row.unwrap().starts_with("eve,,,1,1,1,1,2,yes,"), "{row:?}");
}

/// Ann has full marks, and her bonus cannot be read.
fn open_bonus() -> Room {
    let work = zip(&[("square.c", SQUARE), ("../one.c", SQUARE)]);
    let room = squares().keeping().file("class/ann/work.zip", work);
    room.file("class/bob/square.c", SQUARE)
}

#[test]
fn a_student_with_an_open_bonus_is_not_graded_and_no_statistic_counts_the_student() {
    let ran = grade(&open_bonus(), &[]);
    let expected = (
        3,
        vec!["graded 1 of 2 · mean 10 · median 10 · 1 with full marks"],
    );
    assert_eq!(counted(&ran), expected, "{}", ran.stderr);
}

#[test]
fn the_open_bonus_of_an_excused_student_is_not_exported() {
    let room = open_bonus();
    assert_eq!(grade(&room, &[]).status, 3);
    let ran = room.run(&["correct", "--student=ann", "--excused"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let table = room.run(&["report", "class"]);
    assert_eq!(
        counted(&table),
        (
            3,
            vec!["graded 1 of 2 · mean 10 · median 10 · 1 with full marks"]
        )
    );
    let csv = room.run(&["report", "class", "--csv", "-"]);
    assert_eq!(
        (csv.status, csv.stdout.as_str(), csv.stderr.as_str()),
        (
            3,
            "",
            "run 1 of `class`, from `.grader/ledger.db`\n\
             error: no points are written: 1 submission is not scored yet: ann one\n\
             `grader report` says what to do; `--allow-unscored` leaves their cells empty\n"
        )
    );
    let csv = room.run(&["report", "class", "--csv", "-", "--allow-unscored"]);
    let ann = csv.stdout.lines().find(|line| line.starts_with("ann,"));
    let ann = ann.and_then(|line| line.rsplit_once(",squares/class-"));
    assert_eq!(
        (csv.status, ann.map(|(line, _)| line)),
        (3, Some("ann,,,,,,,,no,0,square: excused"))
    );
}

#[test]
fn hidden_cases_are_shown_once_their_time_is_past() {
    let own = "2026-12-02T12:00:00";
    for (hidden, before, after) in [
        (
            "\"until due\"",
            "2026-12-01T04:10:00Z",
            "2026-12-01T04:10:01Z",
        ),
        (
            "2026-12-01T12:00:00",
            "2026-12-01T04:00:00Z",
            "2026-12-01T04:00:01Z",
        ),
        (
            "2026-12-01T12:00:00Z",
            "2026-12-01T12:00:00Z",
            "2026-12-01T12:00:01Z",
        ),
    ] {
        let room = ann_and_bob().replace(
            "squares/square/problem.toml",
            "points = 10",
            &format!("points = 10\nhidden = {hidden}"),
        );
        let assignment = fs::read_to_string(room.path("squares/assignment.toml")).unwrap();
        let deadline = "\n[deadline]\ndue = 2026-12-01T12:00:00\nzone = \"Asia/Shanghai\"\ngrace = \"10 min\"\n";
        let mut room = room.file("squares/assignment.toml", assignment + deadline);
        assert_eq!(grade(&room, &[]).status, 0);
        let mut found = Vec::new();
        for (name, now) in [("early", before), ("late", after)] {
            room = room.env("BITCRAFT_NOW", now);
            room.run(&["report", "class", "-q", "--feedback", name]);
            let text = fs::read_to_string(room.path(&format!("{name}/bob.txt"))).unwrap();
            let kit = format!("kit-{name}");
            // A kit without cases is refused.
            let status = room.run(&["bundle", "-a", "./squares", "-o", &kit]).status;
            found.push((text.contains("found `3`"), status));
        }
        assert_eq!(found, [(false, 2), (true, 0)], "{hidden}");
        // A student's own deadline replaces the one of the class.
        room.run(&[
            "correct",
            "--student",
            "bob",
            "--deadline",
            own,
            "--comment",
            "ill",
        ]);
        room.run(&["report", "class", "-q", "--feedback", "ill"]);
        let text = fs::read_to_string(room.path("ill/bob.txt")).unwrap();
        assert_eq!(
            text.contains("found `3`"),
            !hidden.starts_with('"'),
            "{text}"
        );
    }
}
