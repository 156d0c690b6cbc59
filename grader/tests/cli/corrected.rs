//! Several corrections of the same thing: by one person, and by several.

use std::fs;

use crate::class::{GRADE, SQUARE, WRONG, ann_and_bob};
use crate::harness::{Ran, Room, problem, student};

const STYLE: &str = "
[[subtask]]
name = \"style\"
points = 5
manual = true
items = [{ id = \"names\", points = 3, text = \"names\" }, { id = \"short\", points = 2, text = \"short\" }]
";

fn room() -> Room {
    let room = ann_and_bob();
    assert_eq!(room.run(&GRADE).status, 0);
    room
}

/// The same, with 5 points for style.
fn with_style() -> Room {
    let room = ann_and_bob().replace("squares/assignment.toml", "points = 10", "points = 15");
    let path = room.path("squares/square/problem.toml");
    let text = fs::read_to_string(&path).unwrap() + STYLE;
    let room = room.file("squares/square/problem.toml", text);
    assert_eq!(room.run(&GRADE).status, 0);
    room
}

fn tried(room: &Room, line: &str) -> Ran {
    let line = format!("correct --problem square {line}");
    room.run(&line.split(' ').collect::<Vec<_>>())
}

/// What `correct` prints about a change.
fn correct(room: &Room, line: &str) -> String {
    let ran = tried(room, line);
    assert_eq!(ran.status, 0, "{line}: {}", ran.stderr);
    ran.stdout
}

fn list(room: &Room) -> Vec<String> {
    let ran = room.run(&["correct", "--list"]);
    let lines = ran.stdout.lines().map(str::to_owned);
    lines.take_while(|it| !it.starts_with("Nothing")).collect()
}

fn points(room: &Room, id: &str) -> serde_json::Value {
    let (_, results) = room.json(&["report", "class", "--json", "-"]);
    problem(student(&results, id), "square")["points"].clone()
}

#[test]
fn corrections_add_up_in_their_order_with_their_reasons() {
    let room = room();
    correct(&room, "--student ann --add -2 --comment nameless");
    assert_eq!(
        correct(&room, "--student ann --add -1 --comment tabs"),
        "ann square: 7 of 10 points  AC accepted\n  corrected by hand from 10 to 8 points: nameless\n  \
         corrected by hand from 8 to 7 points: tabs\n"
    );
    correct(&room, "--student bob --points 4 --comment idea");
    let added = "bob square: 5 of 10 points  PC partially correct\n  corrected by hand from 3.33 to 4 points: idea\n  \
                 corrected by hand from 4 to 5 points\n";
    assert_eq!(correct(&room, "--student bob --add 1"), added);
    // Points count from there on.
    assert_eq!(
        correct(&room, "--student ann --points 6"),
        "ann square: 6 of 10 points  AC accepted\n  corrected by hand from 10 to 8 points: nameless\n  \
         corrected by hand from 8 to 7 points: tabs\n  corrected by hand from 7 to 6 points\n"
    );
    let all = [
        "ann square: add = -2, comment = \"nameless\"",
        "ann square: add = -1, comment = \"tabs\"",
        "bob square: points = 4, comment = \"idea\"",
        "bob square: add = 1",
        "ann square: points = 6",
    ];
    assert_eq!(list(&room), all);
    // In the place of all of these.
    assert_eq!(
        correct(&room, "--student ann --add -1 --comment tabs --replace"),
        "ann square: 9 of 10 points  AC accepted\n  corrected by hand from 10 to 9 points: tabs\n"
    );
    assert_eq!(
        list(&room)[2..],
        ["ann square: add = -1, comment = \"tabs\""]
    );
    assert_eq!(
        (points(&room, "ann"), points(&room, "bob")),
        (9.into(), 5.into())
    );
    correct(&room, "--student bob --remove");
    assert_eq!(list(&room).len(), 1);
}

#[test]
fn a_remark_takes_no_reason_away_and_the_last_of_points_and_excuse_counts() {
    let room = room();
    correct(&room, "--student bob --excused --comment ill");
    let seen = correct(&room, "--student bob --comment seen");
    assert!(
        seen.contains("ill\n") && seen.contains("  comment: seen\n"),
        "{seen}"
    );
    assert_eq!(
        list(&room),
        [
            "bob square: excused = true, comment = \"ill\"",
            "bob square: comment = \"seen\"",
        ]
    );
    let ran = correct(&room, "--student bob --points 6 --comment oral");
    assert!(
        ran.starts_with("bob square: 6 of 10 points") && !ran.contains("excused"),
        "{ran}"
    );
    let ran = correct(&room, "--student bob --excused");
    assert!(ran.ends_with("  excused\n"), "{ran}");
    // A remark replaces remarks, and nothing else.
    correct(&room, "--student bob --comment asked --replace");
    assert_eq!(
        list(&room)[1..],
        [
            "bob square: points = 6, comment = \"oral\"",
            "bob square: excused = true",
            "bob square: comment = \"asked\"",
        ]
    );
}

#[test]
fn no_correction_makes_more_of_a_problem_than_it_is_worth_unless_that_is_meant() {
    let room = room();
    let above = "error: 12 points are more than `square` is worth, which is 10: add `--bonus` if more is meant\n";
    let ran = tried(&room, "--student bob --points 12");
    assert_eq!((ran.status, ran.stderr.as_str()), (2, above));
    assert!(!room.path("corrections.toml").exists());
    assert_eq!(
        correct(&room, "--student ann --add 1"),
        "ann square: 10 of 10 points  AC accepted\n  corrected by hand from 10 to 10 points (the maximum)\n\
         square: the correction at corrections.toml:4 makes 11 points of 10, and 10 count: write `bonus =\ntrue` there if more is meant\n"
    );
    correct(&room, "--student ann --add 1 --bonus --replace");
    assert_eq!(points(&room, "ann"), 11);
    correct(&room, "--student bob --points 12 --bonus");
    // What was meant is not cut by a later one.
    correct(&room, "--student bob --add -1");
    assert_eq!(points(&room, "bob"), 11);
    // As it was written before.
    let old =
        "format = 1\n\n[[correction]]\nstudent = \"bob\"\nproblem = \"square\"\npoints = 12\n";
    let room = room.file("corrections.toml", old);
    assert_eq!(points(&room, "bob"), 10);
}

#[test]
fn items_are_added_and_do_not_replace_a_number_without_a_word() {
    let room = with_style();
    correct(&room, "--student ann --item names --comment clear");
    correct(&room, "--student ann --item short --comment brief");
    assert_eq!(points(&room, "ann"), 15);
    let ran = room.run(&["report", "class", "--explain", "ann"]);
    assert!(ran.stdout.contains("clear; brief"), "{}", ran.stdout);
    correct(&room, "--student ann --item short --replace");
    assert_eq!(points(&room, "ann"), 12);
    correct(&room, "--student bob --subtask style --points 1.5");
    let ran = tried(&room, "--student bob --item names");
    let refused = "error: `bob square style` has points by hand already (`points = 1.5`): replace them with `--replace`\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (2, refused));
    correct(&room, "--student bob --subtask style --points 2");
    assert_eq!(points(&room, "bob"), 5.33);
}

#[test]
fn a_table_names_everybody_once_and_can_be_read_twice() {
    let room = with_style();
    let from = [
        "correct",
        "--from",
        "t.csv",
        "--problem",
        "square",
        "--subtask",
        "style",
    ];
    let read = |room: &Room, table: &str, more: &[&str]| {
        fs::write(room.path("t.csv"), table).unwrap();
        let ran = room.run(&[&from[..], more].concat());
        (
            ran.status,
            ran.stderr.lines().next().unwrap_or_default().to_owned(),
        )
    };
    for rows in ["ann,2\nbob,1\nann,5\n", "ann,2\nbob,1\nann,2\n"] {
        let twice = "error: t.csv:4: `ann square style` is on line 2 too: which row counts?";
        let found = read(&room, &format!("student,points\n{rows}"), &[]);
        assert_eq!(found, (2, twice.to_owned()));
        assert!(!room.path("corrections.toml").exists());
    }
    let new = |count| (0, format!("{count} in the table"));
    let table = "student,points,comment\nann,2,\nbob,1,late idea\n";
    assert_eq!(read(&room, table, &[]), new("2 new corrections"));
    assert_eq!(read(&room, table, &[]), new("0 new corrections"));
    let changed = table.replace("ann,2", "ann,4");
    let refused = "error: t.csv:2: `ann square style` has points by hand already (`points = 2`): replace them with `--replace`";
    assert_eq!(read(&room, &changed, &[]), (2, refused.to_owned()));
    assert_eq!(
        read(&room, &changed, &["--replace"]),
        new("1 new correction")
    );
    assert_eq!(list(&room).len(), 2);
    assert_eq!(
        (points(&room, "ann"), points(&room, "bob")),
        (14.into(), 4.33.into())
    );
    // Another submission was not looked at: its points are given anew.
    let room = room.file("class/bob/square.c", format!("{WRONG}\n"));
    assert_eq!(room.run(&GRADE).status, 0);
    assert_eq!(points(&room, "bob"), serde_json::Value::Null);
    assert_eq!(read(&room, &changed, &[]), new("1 new correction"));
    assert_eq!(points(&room, "bob"), 4.33);
}

#[test]
fn whoever_contradicts_another_person_is_refused_at_once() {
    let room = with_style().folder("corrections");
    let by = |room: &Room, who: &str, line: &str| {
        let line = format!("{line} --corrections corrections/{who}.toml");
        tried(room, &line)
    };
    assert_eq!(by(&room, "ann", "--student ann --item names").status, 0);
    let ran = by(&room, "bob", "--student ann --item short");
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.lines().next()),
        (
            2,
            "",
            Some(
                "error: `points` or `items` is given twice for this student: at corrections/ann.toml:4 too"
            )
        )
    );
    assert!(!room.path("corrections/bob.toml").exists());
    // What does not contradict: the same, another student, points to add.
    assert_eq!(by(&room, "bob", "--student ann --item names").status, 0);
    assert_eq!(by(&room, "bob", "--student bob --item names").status, 0);
    assert_eq!(by(&room, "ann", "--student bob --add -1").status, 0);
    let ran = by(&room, "bob", "--student bob --add -1");
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (
            0,
            "bob square: 4.33 of 15 points  PC partially correct\n  corrected by hand from 6.33 to 5.33 points\n  \
             corrected by hand from 5.33 to 4.33 points\n"
        )
    );
    let ran = tried(&room, "--student bob --points 3");
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    let ran = room.run(&["report", "class"]);
    assert_eq!((ran.status, points(&room, "ann")), (0, 13.into()));
    let room = room.file("class/ann/square.c", format!("{SQUARE}\n"));
    assert_eq!(room.run(&GRADE).status, 0);
}

#[test]
fn points_are_for_the_only_problem_or_the_one_that_is_named() {
    let line = ["correct", "--student", "ann", "--add", "-2"];
    let line = [&line[..], &["--reason", "nameless"]].concat();
    let room = ann_and_bob();
    assert_eq!(room.run(&GRADE).status, 0);
    let ran = room.run(&line);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: which problem? Name it with `--problem`: `square`, `one`\n"
        )
    );
    assert!(!room.path("corrections.toml").exists());

    let second = "\n[[problem]]\npath = \"one\"\nbonus = 2\n";
    let room = ann_and_bob().replace("squares/assignment.toml", second, "");
    assert_eq!(room.run(&GRADE).status, 0);
    let ran = room.run(&line);
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (
            0,
            "ann square: 8 of 10 points  AC accepted\n  corrected by hand from 10 to 8 points: nameless\n"
        )
    );
}
