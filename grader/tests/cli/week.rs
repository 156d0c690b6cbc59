//! An instructor's week: late work, corrections by hand, another policy, the next download. Points are compared with a table
//! that was computed by hand.

use std::fs;
use std::process::Stdio;

use serde_json::Value;

use crate::class::{SQUARE, WRONG};
use crate::harness::{Room, problem, student};

const CUBE: &str = "print(int(__import__('sys').argv[1]) ** 3)\n";
const GRADE: [&str; 6] = [
    "grade",
    "class",
    "-a",
    "./squares",
    "--roster",
    "roster.csv",
];

/// The squares, the cubes, and a deadline.
fn room() -> Room {
    let room = Room::new().fixture("squares", "squares").keeping();
    let square = fs::read_to_string(room.path("squares/square/problem.toml")).unwrap();
    let cube = square
        .replace("square", "cube")
        .replace("平方", "立方")
        .replace("\"4\\n\"", "\"8\\n\"")
        .replace("\"9\\n\"", "\"27\\n\"");
    let deadline = "[deadline]\ndue = 2026-11-20T23:59:00\nzone = \"Asia/Shanghai\"\ngrace = \"10 min\"\n\
                    penalty = \"10% per day\"\ncap = 25\nlast = 2026-11-26T00:00:00\nattempts = \"best\"\n\n\
                    [[problem]]\npath = \"cube\"\npoints = 10\n\n[[problem]]\npath = \"square\"";
    room.file("squares/cube/problem.toml", cube).replace(
        "squares/assignment.toml",
        "[[problem]]\npath = \"square\"",
        deadline,
    )
}

/// A download from Canvas, and a table of the students with the times that Canvas knows.
fn first_download(room: Room) -> Room {
    room.file("class/ada_11_1_square.c", SQUARE)
        .file("class/ada_11_2_cube.py", CUBE)
        .file("class/bob_LATE_12_3_square.c", WRONG)
        .file("class/bob_LATE_12_4_square-1.c", SQUARE)
        .file("class/bob_LATE_12_5_cube.c", SQUARE)
        .file("class/cy_LATE_13_6_square.c", WRONG)
        .file("class/cy_LATE_13_7_cube.py", CUBE)
        .file("class/dan_14_8_square.py", "print(0)\n")
        .file(
            "roster.csv",
            "id,canvas,name,submitted\ns1,11,Ada,2026-11-21T00:08:59+08:00\ns2,12,Bob,2026-11-21 10:00\n\
             s3,13,Cy,2026-11-22T16:30:00Z\ns4,14,Dan,2026-11-20 23:00\n",
        )
}

/// Bob submits again: a worse square, a better cube.
fn second_download(room: Room) -> Room {
    fs::remove_dir_all(room.path("class")).unwrap();
    let room = first_download(room)
        .file(
            "class/bob_LATE_12_4_square-1.c",
            "int main(void) { return 0; }\n",
        )
        .file("class/bob_LATE_12_5_cube.py", CUBE)
        .replace("roster.csv", "2026-11-21 10:00", "2026-11-24 10:00");
    fs::remove_file(room.path("class/bob_LATE_12_5_cube.c")).unwrap();
    room
}

/// `s1 20 (square 10, cube 10)` for each student, of a report in JSON.
fn table(results: &Value) -> Vec<String> {
    let students = results["students"].as_array().unwrap().iter();
    let line = |student: &Value| {
        let of = |id| problem(student, id)["points"].to_string();
        let (square, cube) = (of("square"), of("cube"));
        let id = student["id"].as_str().unwrap();
        format!("{id} {} (square {square}, cube {cube})", student["points"])
    };
    students.map(line).collect()
}

fn report(room: &Room) -> Value {
    let (status, results) = room.json(&["report", "class", "--json", "-"]);
    assert_eq!(status, 0);
    results
}

/// Grades, and gives the results and how many submissions were judged.
fn grade(room: &Room, more: &[&str]) -> (Value, u64) {
    let (status, results) = room.json(&[&GRADE[..], &["--json", "-"], more].concat());
    assert_eq!(status, 0, "{results:#}");
    let (_, runs) = room.json(&["history", "class", "--json", "-"]);
    let run = runs["runs"].as_array().unwrap().last().unwrap();
    (results, run["judged"].as_u64().unwrap())
}

fn correct(room: &Room, arguments: &[&str]) -> String {
    let ran = room.run(&[&["correct", "--student"], arguments].concat());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran.stdout
}

fn messages(results: &Value, id: &str, of: &str) -> Vec<String> {
    let adjustments = problem(student(results, id), of)["adjustments"]
        .as_array()
        .unwrap();
    let message = |it: &Value| it["message"].as_str().unwrap().to_owned();
    adjustments.iter().map(message).collect()
}

/// Fills the gradebook of Canvas, and uploads it.
fn exported(room: Room) -> Room {
    let book = "Student,ID,SIS Login ID,Section,Squares (77)\n    Points Possible,,,,20\nAda,11,ada,A,\nBob,12,bob,A,\nCy,13,cy,A,\nDan,14,dan,A,\n";
    let room = room.file("book.csv", book);
    fill(&room, &[], ["20", "11.664", "10.664", "8"]);
    // Canvas shows two decimals; a teacher thinks better of Dan.
    let uploaded = book
        .replace("ada,A,", "ada,A,20.00")
        .replace("bob,A,", "bob,A,11.66")
        .replace("cy,A,", "cy,A,10.66")
        .replace("dan,A,", "dan,A,9.00");
    room.file("book.csv", uploaded)
}

/// Fills it, and compares the grades. Returns what is said.
fn fill(room: &Room, more: &[&str], grades: [&str; 4]) -> String {
    let output = if more.is_empty() { &["-o", "-"] } else { more };
    let filled = room.run(&[&["gradebook", "book.csv", "class"], output].concat());
    assert_eq!(filled.status, 0, "{}", filled.stderr);
    let rows = filled.stdout.lines().skip(2);
    let found: Vec<&str> = rows.filter_map(|row| row.rsplit(',').next()).collect();
    assert_eq!(found, if more.is_empty() { &grades[..] } else { &[] });
    filled.stderr
}

/// The second upload replaces our own old grades, and keeps a teacher's. What is only tried is not remembered.
fn uploaded_again(room: &Room) {
    fill(room, &["--dry-run"], [""; 4]);
    let said = fill(room, &[], ["20.00", "13", "10.66", "9.00"]);
    let kept = "s4 (Dan): line 6 has 9.00, which stays; ours is 8 (`--overwrite` replaces it)\npoints of 3 of 4 students";
    assert!(said.contains(kept), "{said}");
}

#[test]
fn a_week_of_late_work_and_corrections_adds_up() {
    let room = first_download(room());
    let (results, judged) = grade(&room, &[]);
    assert_eq!(
        table(&results),
        [
            // Nine minutes after the deadline: within the grace.
            "s1 20 (square 10, cube 10)",
            "s2 11.997 (square 9, cube 2.997)",
            // Three days have begun, but no more than 25% is lost.
            "s3 9.998 (square 2.498, cube 7.5)",
            "s4 0 (square 0, cube 0)",
        ]
    );
    assert_eq!(judged, 7);
    assert_eq!(
        messages(&results, "s3", "cube"),
        [
            "2 days 31 min late: submitted 2026-11-23 00:30, due 2026-11-20 23:59 (Asia/Shanghai); −25%, from 10 to 7.5 points"
        ]
    );

    let idea = "--comment=the right idea";
    assert_eq!(
        correct(&room, &["s4", "--problem=square", "--points=4", idea]),
        "s4 square: 4 of 10 points  WA wrong answer\n  corrected by hand from 0 to 4 points: the right idea\n"
    );
    correct(
        &room,
        &["Bob", "--problem=cube", "--add=1", "--comment", "neat"],
    );
    correct(
        &room,
        &["s4", "--problem=cube", "--excused", "--comment", "ill"],
    );
    let moved = ["s3", "--deadline", "2026-11-22T23:59", "--comment", "moved"];
    correct(&room, &moved);
    let corrected = report(&room);
    assert_eq!(
        table(&corrected),
        [
            "s1 20 (square 10, cube 10)",
            "s2 12.997 (square 9, cube 3.997)",
            "s3 11.997 (square 2.997, cube 9)",
            "s4 8 (square 4, cube 4)",
        ]
    );
    assert_eq!(
        messages(&corrected, "s4", "cube"),
        ["excused: earns the same percentage as the other problems, 4 of 10: ill"]
    );

    assert_eq!(
        messages(&corrected, "s3", "cube"),
        [
            "deadline for this student: 2026-11-22 23:59 (Asia/Shanghai): moved",
            "31 min late: submitted 2026-11-23 00:30, due 2026-11-22 23:59 (Asia/Shanghai); −10%, from 10 to 9 points"
        ]
    );

    // One student again, from scratch: the others are carried over.
    let (results, judged) = grade(&room, &["--student", "Cy", "--fresh"]);
    assert_eq!(
        (table(&results), judged),
        (vec!["s3 11.997 (square 2.997, cube 9)".to_owned()], 2)
    );
    assert_eq!(table(&report(&room)), table(&corrected));

    // Another penalty: nothing is judged again.
    let room = room.replace(
        "squares/assignment.toml",
        "10% per day\"\ncap = 25",
        "20% per day\"\ncap = 50",
    );
    let (results, judged) = grade(&room, &[]);
    let changed = [
        "s1 20 (square 10, cube 10)",
        "s2 11.664 (square 8, cube 3.664)",
        "s3 10.664 (square 2.664, cube 8)",
        "s4 8 (square 4, cube 4)",
    ];
    assert_eq!(
        (table(&results), judged),
        (changed.map(str::to_owned).to_vec(), 0)
    );

    let room = exported(room);

    let room = second_download(room);
    let (results, judged) = grade(&room, &[]);
    let changed = [
        "s1 20 (square 10, cube 10)",
        "s2 13 (square 8, cube 5)",
        "s3 10.664 (square 2.664, cube 8)",
        "s4 8 (square 4, cube 4)",
    ];
    assert_eq!(
        (table(&results), judged),
        (changed.map(str::to_owned).to_vec(), 2)
    );
    assert_eq!(
        messages(&results, "s2", "square")[0],
        "attempt 1 of 2 counts: it has the most points after late penalties"
    );
    assert_eq!(
        student(&results, "s2")["remarks"][0],
        "cube: the correction at corrections.toml:13 does not apply: it was made for another submission"
    );
    uploaded_again(&room);
}

#[test]
fn best_attempts_keep_their_first_time_and_their_version_of_the_problem() {
    let room = first_download(room());
    grade(&room, &[]);
    // Ada submits the same files again, a day late.
    let room = room.replace(
        "roster.csv",
        "2026-11-21T00:08:59+08:00",
        "2026-11-22T10:00:00+08:00",
    );
    let (results, judged) = grade(&room, &[]);
    assert_eq!(
        (table(&results)[0].as_str(), judged),
        ("s1 20 (square 10, cube 10)", 0)
    );
    assert_eq!(
        messages(&results, "s1", "square"),
        ["the same files were submitted before, at 2026-11-21 00:08: that time counts"]
    );
    let commented = ["s1", "--problem=square", "--attempt=1", "--comment", "seen"];
    let printed = correct(&room, &commented);
    assert!(printed.contains("that time counts: seen\n"), "{printed}");
    // A problem changes. The result that a part of the class carries over stays one of the old problem.
    let path = "squares/square/problem.toml";
    let problem = fs::read_to_string(room.path(path)).unwrap() + "# One more line.\n";
    let room = room.file(path, problem);
    grade(&room, &["--student", "Ada"]);
    // A student submits something else.
    let room = room.file("class/dan_14_8_square.py", "print(1)\n");
    let (results, _) = grade(&room, &[]);
    assert_eq!(
        student(&results, "s4")["remarks"][0],
        "square: attempt 1 of 2 cannot count: the problem has changed since it was graded"
    );
}

#[test]
fn corrections_of_several_people_and_assignments_stay_apart() {
    let room = first_download(room());
    grade(&room, &[]);
    let other = "format = 1\r\n\r\n[[correction]]\r\nassignment = \"other\"\r\nstudent = \"s4\"\r\nproblem = \"maze\"\r\npoints = 3\r\n";
    let room = room.file("corrections.toml", other);
    let mut commands: Vec<_> = ["s1", "s2", "s3", "s4"]
        .map(|id| room.command(&["correct", "--student", id, "--problem=square", "--points=1"]))
        .into_iter()
        .map(|mut command| {
            command.stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().unwrap()
        })
        .collect();
    assert!(
        commands
            .iter_mut()
            .all(|command| command.wait().unwrap().success())
    );
    let text = fs::read_to_string(room.path("corrections.toml")).unwrap();
    assert!(text.starts_with(other), "{text}");
    assert_eq!(text.matches("points = 1\r\n").count(), 4, "{text}");
    let points = table(&report(&room));
    assert!(
        points.iter().all(|line| line.contains("(square 1,")),
        "{points:?}"
    );
    correct(&room, &["s1", "--problem=square", "--excused"]);
    correct(&room, &["s1", "--problem=square", "--points=2"]);
    assert_eq!(table(&report(&room))[0], "s1 12 (square 2, cube 10)");
    let refused = room.run(&[
        "correct",
        "--student=s1",
        "--problem=square",
        "--points",
        "-5",
    ]);
    assert_eq!(
        (refused.status, refused.stderr.lines().next()),
        (
            2,
            Some(
                "error: invalid value '-5' for '--points <N>': points must not be negative; to take points away, use `--add`"
            )
        )
    );
}

#[test]
fn a_student_who_is_excused_from_everything_has_no_points_and_none_is_open() {
    let room = first_download(room());
    grade(&room, &[]);
    assert_eq!(
        correct(&room, &["s4", "--excused"]),
        "s4 cube: excused (of 10 points)  nothing submitted\n  excused\n\
         s4 square: excused (of 10 points)  WA wrong answer\n  excused\n\
         s4 one: 0 of 2 bonus points  nothing submitted\n"
    );
    let ran = room.run(&["report", "class", "--explain", "s4"]);
    let line = "\ns4 (Dan): excused (of 20 points), 0 of 2 bonus points\n";
    assert!(
        ran.status == 0 && ran.stdout.contains(line),
        "{}",
        ran.stdout
    );
}

#[test]
fn mistakes_in_corrections_are_shown_before_anything_runs() {
    let room = first_download(room()).file(
        "corrections.toml",
        "format = 1\n\n[[correction]]\nstudent = \"s1\"\nproblem = \"sqare\"\npoints = -1\n\n\
         [[correction]]\nstudent = \"s2\"\nadd = 1\n\n[[correction]]\nstudent = \"s3\"\n",
    );
    let ran = room.run(&GRADE);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert_eq!(
        ran.stderr,
        "the class is a download from Canvas (`--layout canvas`)\n\
         error: there is no problem `sqare`\n --> corrections.toml:5:11\n  |\n5 | problem = \"sqare\"\n  |           ^^^^^^^\n  |\n  = help: did you mean `square`?\n\n\
         error: points must not be negative\n --> corrections.toml:6:10\n  |\n6 | points = -1\n  |          ^^\n  |\n  = help: to take points away, use `add`\n\n\
         error: `add` needs a `problem`\n  --> corrections.toml:10:7\n   |\n10 | add = 1\n   |       ^\n\n\
         error: expected `points`, `add`, `comment`, `excused`, `deadline`, `attempt` or `file`, found none\n  --> corrections.toml:12:1\n   |\n12 | [[correction]]\n   | ^^^^^^^^^^^^^^\n\n4 mistakes in 1 file\n"
    );
}

#[test]
fn times_in_names_of_brightspace_are_read_as_they_are_meant() {
    let python = "import sys\nprint(int(sys.argv[1]) ** 2)\n";
    let room = room()
        .replace(
            "squares/assignment.toml",
            "2026-11-20T23:59",
            "2026-11-20T20:00",
        )
        // Early in the afternoon, late in the evening, and twice.
        .file(
            "class/1-7 - Ada Lee - Nov 20, 2026 115 PM/square.py",
            python,
        )
        .file(
            "class/2-7 - Bob Lee - Nov 20, 2026 939 PM/square.py",
            python,
        )
        .file(
            "class/3-7 - 张三 - 2026年11月20日 930/square.py",
            "print(0)\n",
        )
        .file("class/3-7 - 张三 - 2026年11月20日 1830/square.py", python);
    let grade = ["grade", "class", "-a", "./squares", "--json", "-"];
    let (status, results) = room.json(&grade);
    assert_eq!(status, 0, "{results:#}");
    let students = results["students"].as_array().unwrap().iter();
    let points = students.map(|it| problem(it, "square")["points"].as_u64());
    // Bob is late by more than an hour; the second attempt of 张三 replaces the first.
    assert_eq!(
        points.collect::<Vec<_>>(),
        [Some(10), Some(9), Some(10)],
        "{results:#}"
    );
}
