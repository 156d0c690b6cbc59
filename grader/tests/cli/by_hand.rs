//! Points that a person gives.

use std::fs;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::class::{GRADE, SQUARE, ann_and_bob};
use crate::harness::{Room, problem, student};

/// 5 points by a rubric, and 5 by a number.
const BY_HAND: &str = r#"
[[subtask]]
name = "style"
points = 5
manual = true
items = [
    { id = "names", points = 3, text = "Names say what they hold" },
    { id = "short", points = 2, text = { en = "No long lines", zh = "没有长行" } },
]

[[subtask]]
name = "report"
points = 5
manual = true
"#;

/// Ann, who is right, Bob, who is right for 2 only, Cy, whose program does not compile, and Dan, who submitted nothing.
fn room() -> Room {
    let room = ann_and_bob()
        .file("class/cy/square.c", "int main( { }")
        .folder("class/dan")
        .replace("squares/assignment.toml", "points = 10", "points = 20");
    let path = room.path("squares/square/problem.toml");
    let text = fs::read_to_string(&path).unwrap() + BY_HAND;
    room.file("squares/square/problem.toml", text)
}

/// The points of everybody for the square; `null` while they are open.
fn points(room: &Room) -> Value {
    let (_, results) = room.json(&["report", "class", "--json", "-"]);
    let points = |id| problem(student(&results, id), "square")["points"].clone();
    json!(["ann", "bob", "cy", "dan"].map(points))
}

#[test]
fn points_by_hand_are_open_until_somebody_gave_them() {
    let room = room();
    let graded = room.run(&GRADE);
    assert_eq!(graded.status, 0, "{}", graded.stderr);
    let (_, needs) = graded.stdout.split_once("Still to grade: ").unwrap();
    let (needs, _) = needs.split_once("\n\n").unwrap();
    assert_eq!(
        needs,
        "points by hand (6)\n    style: up to 5 points:\n      ann (square), bob (square), cy (square)\n    \
         report: up to 5 points:\n      ann (square), bob (square), cy (square)"
    );
    assert_eq!(points(&room), json!([null, null, null, 0]));

    let one = "correct --student ann --problem square --item names --item short --comment neat";
    let ran = room.run(&one.split(' ').collect::<Vec<_>>());
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (
            0,
            "ann square: not scored yet (of 20 points)  AC accepted\n"
        )
    );
    let table = "Student;Subtask;Points;Items;Comment\nann;report;4,5;;\nbob;;;names;\nbob;report;0;;no report\ncy;style;0;;\ncy;report;1;;\ndan;;;;\n";
    let room = room.file("points.csv", table);
    let ran = room.run(&["correct", "--from", "points.csv", "--problem", "square"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    assert_eq!(points(&room), json!([19.5, 6.33, 1, 0]));
    let listed = room.run(&["correct", "--list"]);
    assert_eq!(
        listed.stdout,
        "ann square style: items = [\"names\", \"short\"], comment = \"neat\"\n\
         ann square report: points = 4.5\n\
         bob square style: items = [\"names\"]\n\
         bob square report: points = 0, comment = \"no report\"\n\
         cy square style: points = 0\n\
         cy square report: points = 1\n\
         Nothing is left to grade by hand.\n"
    );
    let own = room.run(&["report", "class", "--explain", "bob"]);
    let lines = own.stdout.lines().filter(|line| line.contains(" of 5"));
    let lines: Vec<&str> = lines.map(str::trim).collect();
    assert_eq!(
        lines,
        [
            "style       3 of 5      ✓ Names say what they hold · ✗ No long lines",
            "report      0 of 5      graded by hand"
        ]
    );

    // Points are for the submission that was looked at.
    let room = room.file("class/bob/square.c", SQUARE);
    assert_eq!(room.run(&GRADE).status, 0);
    assert_eq!(points(&room), json!([19.5, null, 1, 0]));
}

#[test]
fn several_people_give_points_and_contradictions_are_mistakes() {
    let of = |points: u32| {
        format!(
            "format = 1\n\n[[correction]]\nstudent = \"ann\"\nproblem = \"square\"\nsubtask = \"style\"\npoints = {points}\n"
        )
    };
    let room = room().file("corrections/eve.toml", of(4));
    assert_eq!(room.run(&GRADE).status, 0);
    let room = room.file("corrections/fred.toml", of(5));
    let ran = room.run(&["report", "class"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: `points` or `items` is given twice for this student: at corrections/eve.toml:3 too\n \
             --> corrections/fred.toml:3:1\n  |\n3 | [[correction]]\n  | ^^^^^^^^^^^^^^\n\n1 mistake in 1 file\n"
        )
    );

    // Into one file, at the same time.
    fs::remove_dir_all(room.path("corrections")).unwrap();
    let jobs = ["ann", "bob", "cy"].map(|it| ["style", "report"].map(|subtask| (it, subtask)));
    let correct = |(student, subtask)| {
        let arguments =
            format!("correct --student {student} --problem square --subtask {subtask} --points 1");
        let mut command = room.command(&arguments.split(' ').collect::<Vec<_>>());
        command.stdout(Stdio::null()).spawn().unwrap()
    };
    let started: Vec<_> = jobs.into_iter().flatten().map(correct).collect();
    for mut child in started {
        assert!(child.wait().unwrap().success());
    }
    let listed = room.run(&["correct", "--list"]);
    let mut lines: Vec<&str> = listed.stdout.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "Nothing is left to grade by hand.",
            "ann square report: points = 1",
            "ann square style: points = 1",
            "bob square report: points = 1",
            "bob square style: points = 1",
            "cy square report: points = 1",
            "cy square style: points = 1",
        ]
    );
}

#[test]
fn a_table_with_a_mistake_changes_nothing() {
    let room = room();
    assert_eq!(room.run(&GRADE).status, 0);
    for (table, message) in [
        (
            "student,nome,points\nann,Ann,3\n",
            "points.csv:1: there is no column `nome`",
        ),
        (
            "points\n3\n",
            "points.csv:1: the column `student` is missing",
        ),
        (
            "student,problem,points\nann,square,3\nzoe,square,3\n",
            "points.csv:3: there is no student `zoe` in `.grader/ledger.db`",
        ),
        (
            "student,problem,items\nann,square,neat\n",
            "points.csv:2: no subtask has the items `neat`\nthe items are `names`, `short`",
        ),
        (
            "student,problem,points\nann,square,many\n",
            "points.csv:2: expected a number",
        ),
    ] {
        let path = room.path("points.csv");
        fs::write(path, table).unwrap();
        let ran = room.run(&["correct", "--from", "points.csv"]);
        assert_eq!(
            (ran.status, ran.stderr),
            (2, format!("error: {message}\n")),
            "{table}"
        );
        assert!(!room.path("corrections.toml").exists());
    }
}
