//! A course: several classes in one table.

use std::fs;

use jiff::{SignedDuration, Timestamp};

use crate::harness::{Room, have};

const RIGHT: &str = "print(sum(map(int, input().split())))\n";
/// Right in one of three cases.
const WRONG: &str = "print(3)\n";

const COURSE: &str = "format = 1
late-days = 2

[[part]]
name = \"Homework\"
weight = 60
drop-lowest = 1
classes = [\"hw-1/class\", \"hw-2/class\", \"hw-3/class\"]

[[part]]
name = \"Exam\"
weight = 40
classes = [\"exam/.grader/ledger.db\"]
";

/// Adds an assignment that is due so many days after 1 October, and grades its class. Submissions are so many hours late.
fn assignment(room: Room, id: &str, day: i64, class: &[(&str, &str, i64)]) -> Room {
    let due: Timestamp = "2026-10-01T12:00:00Z".parse().unwrap();
    let due = due + SignedDuration::from_hours(24 * day);
    let mut room = room
        .file(
            &format!("{id}/assignment.toml"),
            format!(
                "format = 1\nid = \"{id}\"\ntitle = \"Sums\"\n[[problem]]\npath = \"sum\"\npoints = 9\n[deadline]\n\
                 due = {due}\nzone = \"UTC\"\ngrace = \"10 min\"\npenalty = \"10% per day\"\nfile-times = true\n"
            ),
        )
        .file(
            &format!("{id}/sum/problem.toml"),
            "format = 1\nid = \"sum\"\ntitle = \"Sum\"\n[submission]\nfiles = [\"sum.*\"]\n[limits]\ntime = \"10 s\"\n\
             [checker.tokens]\n[[subtask]]\nname = \"all\"\npoints = 9\n\
             [[subtask.case]]\nname = \"3\"\nstdin = \"1 2\\n\"\nanswer = \"3\\n\"\n\
             [[subtask.case]]\nname = \"4\"\nstdin = \"2 2\\n\"\nanswer = \"4\\n\"\n\
             [[subtask.case]]\nname = \"5\"\nstdin = \"2 3\\n\"\nanswer = \"5\\n\"\n",
        );
    for (student, source, late_hours) in class {
        let path = format!("{id}/class/{student}/sum.py");
        room = room.file(&path, source);
        let submitted = due + SignedDuration::from_hours(*late_hours);
        let file = fs::File::options().append(true).open(room.path(&path));
        file.unwrap().set_modified(submitted.into()).unwrap();
    }
    let (class, from) = (format!("{id}/class"), format!("./{id}"));
    let ran = room.run(&["grade", &class, "-a", &from, "--quiet"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    room
}

#[test]
fn a_course_is_one_table_with_late_days_and_without_the_lowest() {
    if !have(&["python3"]) {
        return;
    }
    let room = Room::new().keeping();
    // Ada is one day late, then two: one late day is left then. Bo is wrong, and 30 hours late, which takes two days.
    let room = assignment(room, "hw-1", 0, &[("ada", RIGHT, 24), ("bo", WRONG, 30)]);
    let room = assignment(room, "hw-3", 10, &[("ada", RIGHT, 0), ("bo", RIGHT, 1)]);
    let room = assignment(room, "hw-2", 5, &[("ada", RIGHT, 47), ("bo", RIGHT, 0)]);
    let exam = [("ada", WRONG, 0), ("bo", RIGHT, 0), ("=zoë", RIGHT, 0)];
    let room = assignment(room, "exam", 15, &exam)
        .file("course.toml", COURSE)
        .file(
            "hw-3/corrections.toml",
            "format = 1\n[[correction]]\nstudent = \"ada\"\nproblem = \"sum\"\nexcused = true\ncomment = \"ill\"\n",
        );
    let ran = room.run(&["report", "course.toml", "--csv", "term.csv"]);
    let table = "\
student     hw-1  hw-2  hw-3  Homework   exam  late days  total
=zoë         (–)     –     –         0    100        0/2     40
ada          100  (90)    EX       100  33.33        2/2  73.33
bo       (33.33)   100    90        95    100        2/2     97

()  does not count: one of the lowest
–  not in this class: counts as 0
EX  excused: does not count
";
    let written = "report written to `term.csv`\n";
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (0, table, written)
    );
    let csv = "\u{feff}id,name,email,hw-1,hw-2,hw-3,Homework,exam,late days,total\r\n\
               '=zoë,,,,,,0,100,0,40\r\nada,,,100,90,,100,33.33,2,73.33\r\nbo,,,33.33,100,90,95,100,2,97\r\n";
    assert_eq!(fs::read_to_string(room.path("term.csv")).unwrap(), csv);

    let ran = room.run(&["report", "course.toml", "--html", "pages"]);
    let message = "error: `course.toml` is a course: only `--csv` applies to it; name a class for other reports\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (2, message));
    let room = room.replace("course.toml", "exam/.grader/ledger.db", "nowhere");
    let ran = room.run(&["report", "course.toml"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (2, "", "error: `nowhere` does not exist\n")
    );
}

#[test]
fn an_assignment_allows_no_more_late_days_than_it_says() {
    if !have(&["python3"]) {
        return;
    }
    // Both are three days late, and then one.
    let class = |late| [("ada", RIGHT, late), ("bo", WRONG, late)];
    let room = assignment(Room::new().keeping(), "hw-1", 0, &class(72));
    let room = assignment(room, "hw-2", 9, &class(24)).file(
        "course.toml",
        "format = 1\nlate-days = 5\n[[part]]\nname = \"Homework\"\nweight = 1\nclasses = [\"hw-1/class\", \"hw-2/class\"]\n",
    );
    let report = |room: &Room, more: &[&str]| {
        let ran = room.run(&[&["report", "course.toml"], more].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        ran.stdout
    };
    let capped = |room: Room, id: &str, most: u32| {
        let key = format!("penalty = \"10% per day\"\nlate-days-at-most = {most}");
        room.replace(
            &format!("{id}/assignment.toml"),
            "penalty = \"10% per day\"",
            &key,
        )
    };
    let room = capped(room, "hw-1", 2);
    let table = "\
student  hw-1   hw-2  Homework  late days  total
ada        90    100        95        3/5     95
bo         30  33.33     31.67        3/5  31.67

late days: at most 2 for `hw-1`
";
    assert_eq!(report(&room, &[]), table);
    let room = capped(room, "hw-2", 0);
    let table = "\
学生  hw-1  hw-2  Homework  迟交天数  总评
ada     90    90        90       2/5    90
bo      30    30        30       2/5    30

迟交天数：hw-1 最多使用 2 天
迟交天数：hw-2 最多使用 0 天
";
    assert_eq!(report(&room, &["--lang", "zh"]), table);
}

#[test]
fn mistakes_in_a_course_are_shown_with_their_places() {
    let room = Room::new().file("course.toml", "format = 1\nlate-days = -1\n");
    let ran = room.run(&["report", "course.toml"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: expected a whole number from 0 to 1000, found `-1`\n --> course.toml:2:13\n  |\n2 | late-days = -1\n  |             ^^\n\n1 mistake in 1 file\n"
        )
    );
    let room = room.file(
        "course.toml",
        "format = 1\n[[part]]\nname = \"A\"\nweight = 1\ndrop-lowest = 1\nclasses = [\"a\"]\n\
         [[part]]\nname = \"B\"\nweight = 1\nclasses = [\"a\"]\n[[part]]\nname = \"C\"\nweight = 1\nclasses = []\n",
    );
    let ran = room.run(&["report", "course.toml"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "\
error: a part must keep at least one assignment
 --> course.toml:5:15
  |
5 | drop-lowest = 1
  |               ^

error: this class is named twice
  --> course.toml:10:12
   |
10 | classes = [\"a\"]
   |            ^^^

error: a part needs at least one class
  --> course.toml:14:11
   |
14 | classes = []
   |           ^^

3 mistakes in 1 file
"
        )
    );
}

#[test]
fn late_days_are_spent_only_where_they_earn_points() {
    if !have(&["python3"]) {
        return;
    }
    let nothing = "print()\n";
    let room = Room::new().keeping();
    // Ada's first work is past the last date for any points, Bo's earns nothing anyway, Cy's is corrected by hand. What they saved
    // counts a week later.
    let first = [("ada", RIGHT, 200), ("bo", nothing, 30), ("cy", RIGHT, 30)];
    let room = assignment(room, "hw-1", 0, &first)
        .replace(
            "hw-1/assignment.toml",
            "grace = ",
            "last = 2026-10-02T12:00:00\ngrace = ",
        )
        .file(
            "hw-1/corrections.toml",
            "format = 1\n[[correction]]\nstudent = \"cy\"\nproblem = \"sum\"\npoints = 6\n",
        );
    let second = [("ada", RIGHT, 40), ("bo", RIGHT, 40), ("cy", RIGHT, 40)];
    let room = assignment(room, "hw-2", 20, &second).file(
        "course.toml",
        "format = 1\nlate-days = 2\n[[part]]\nname = \"Homework\"\nweight = 1\nclasses = [\"hw-1/class\", \"hw-2/class\"]\n",
    );
    let ran = room.run(&["report", "course.toml", "-q", "--csv", "-"]);
    let csv = "\u{feff}id,name,email,hw-1,hw-2,Homework,late days,total\r\n\
               ada,,,0,100,50,2,50\r\nbo,,,0,100,50,2,50\r\ncy,,,66.67,100,83.34,2,83.34\r\n";
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (0, csv),
        "{}",
        ran.stderr
    );
}

#[test]
fn an_assignment_with_only_bonus_points_has_no_percentage() {
    if !have(&["python3"]) {
        return;
    }
    let room = Room::new().keeping();
    let room = assignment(room, "hw-1", 0, &[("ada", RIGHT, 0), ("bo", RIGHT, 0)]);
    let room = assignment(room, "extra", 5, &[("ada", RIGHT, 0)])
        .folder("extra/class/bo")
        .replace("extra/assignment.toml", "points = 9", "bonus = 9")
        .file(
            "course.toml",
            "format = 1\n[[part]]\nname = \"Homework\"\nweight = 1\nclasses = [\"hw-1/class\", \"extra/class\"]\n",
        );
    let graded = room.run(&["grade", "extra/class", "-a", "./extra"]);
    assert!(
        graded
            .stdout
            .contains("\ngraded 2 of 2 · mean 4.5 · median 4.5 · 1 with full marks\n"),
        "{}",
        graded.stdout
    );
    let ran = room.run(&["report", "course.toml"]);
    let table = "\
student  hw-1  extra  Homework  total
ada       100     +9       100    100
bo        100     +0       100    100

+  bonus points of an assignment without others: they are no percentage, and do not count here
";
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (0, table),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_moved_deadline_counts_at_once_and_a_day_ends_at_the_same_time_of_day() {
    if !have(&["python3"]) {
        return;
    }
    let room = Room::new().keeping();
    let room = assignment(room, "hw-1", 0, &[("ada", RIGHT, 24), ("bo", RIGHT, 25)]);
    let points = |room: &Room| {
        let ran = room.run(&["report", "hw-1/class", "--csv", "-"]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let rows = ran.stdout.lines().skip(1);
        let rows: Vec<String> = rows
            .filter_map(|row| Some(row.split(',').nth(3)?.to_owned()))
            .collect();
        (rows, ran.stderr)
    };
    let told = "the deadline in `hw-1/assignment.toml` has changed since this run, and applies\n";
    assert_eq!(points(&room).0, ["8.1", "7.2"]);
    let room = room.replace(
        "hw-1/assignment.toml",
        "due = 2026-10-01T",
        "due = 2026-10-02T",
    );
    let (moved, stderr) = points(&room);
    assert_eq!(moved, ["9", "8.1"]);
    assert!(stderr.contains(told), "{stderr}");
    let book = "Student,ID,SIS User ID,SIS Login ID,Section,Sums (1)\nPoints Possible,,,,,9\n\"ada\",1,ada,ada,1,\n";
    let room = room.file("book.csv", book);
    let filled = room.run(&["gradebook", "book.csv", "hw-1/class", "-o", "filled.csv"]);
    assert!(filled.stderr.contains(told), "{}", filled.stderr);
    let filled = fs::read_to_string(room.path("filled.csv")).unwrap();
    assert!(filled.contains("ada,1,ada,ada,1,9"), "{filled}");

    // Due in the night before clocks go back: bo's work is 25 hours later, at the same time of day.
    let room = assignment(
        Room::new().keeping(),
        "hw-1",
        23,
        &[("ada", RIGHT, 25), ("bo", RIGHT, 26)],
    );
    let room = room.replace(
        "hw-1/assignment.toml",
        "zone = \"UTC\"",
        "zone = \"Europe/Berlin\"",
    );
    assert_eq!(points(&room).0, ["8.1", "7.2"]);
    let room = room.replace("hw-1/assignment.toml", "per day", "per 24 h");
    assert_eq!(points(&room).0, ["7.2", "7.2"]);
    // A mistake in the file says so, and the deadline of the run stays.
    let room = room.replace("hw-1/assignment.toml", "per 24 h", "per eon");
    let (rows, stderr) = points(&room);
    assert_eq!(rows, ["7.2", "7.2"]);
    assert!(
        stderr.contains("`hw-1/assignment.toml` has mistakes: the deadline is the one with which the class was graded; `grader check` shows them\n"),
        "{stderr}"
    );
}
