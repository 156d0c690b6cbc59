//! Stored runs: which one is shown, and what is lost when the ledger fails.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::class::{SQUARE, WRONG, ann_and_bob, squares};
use crate::harness::{Ran, Room, have, student, zip};

const GRADE: [&str; 5] = ["grade", "class", "-a", "./squares", "-j1"];

fn class() -> Room {
    ann_and_bob().file("class/cat/square.c", SQUARE)
}

fn graded(room: &Room, more: &[&str]) -> Ran {
    let ran = room.run(&[&GRADE, more].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    ran
}

/// Does something to the ledger that no grader does.
pub(crate) fn meddle(room: &Room, sql: &str) {
    let mut python = Command::new("python3")
        .args(["-c", "import sqlite3, sys\nledger = sqlite3.connect('.grader/ledger.db')\nledger.executescript(sys.stdin.read())\n"])
        .current_dir(room.path("."))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = python.stdin.take().unwrap();
    input.write_all(sql.as_bytes()).unwrap();
    drop(input);
    assert!(python.wait().unwrap().success());
}

fn refused(room: &Room, arguments: &[&str]) -> String {
    let ran = room.run(arguments);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{arguments:?}");
    ran.stderr
}

#[test]
fn finds_a_ledger_by_itself_or_by_its_class() {
    let room = class();
    graded(&room, &[]);
    let room = room.file("class/bob/square.c", SQUARE);
    graded(&room, &[]);
    let points = |source: &[&str]| {
        let (status, results) = room.json(&[&["report", "--json", "-"], source].concat());
        assert_eq!(status, 0, "{source:?}");
        let bob = &student(&results, "bob")["points"];
        format!("{} {bob}", results["run"]["id"])
    };
    assert_eq!(
        [
            points(&[]),
            points(&["class"]),
            points(&["--ledger", ".grader/ledger.db"]),
            points(&["class", "--ledger", ".grader/ledger.db"]),
            points(&["--run", "1"]),
        ],
        ["2 10", "2 10", "2 10", "2 10", "1 3.33"]
    );
    let missing = refused(&room, &["report", "--run", "9"]);
    assert!(
        missing.ends_with("/ledger.db` has no run 9: `grader history` lists its runs\n"),
        "{missing}"
    );
    assert_eq!(
        refused(&room, &["report", "--ledger", "none.db"]),
        "error: nothing was graded here: there is no ledger `none.db`; `grader grade CLASS --ledger none.db` creates it\n"
    );
    assert_eq!(
        refused(&room, &["report", "nowhere"]),
        "error: `nowhere` does not exist, and `.grader/ledger.db` has no class of that name: it has `class`; for a student, type `grader report --student ID`\n"
    );
    assert_eq!(
        refused(&room, &["report", ".grader/ledger.db"]),
        "error: `.grader/ledger.db` is a ledger: name it with `--ledger .grader/ledger.db`\n"
    );
}

#[test]
fn a_ledger_in_which_anything_changed_that_points_depend_on_gives_none() {
    if !have(&["python3"]) {
        return;
    }
    let room = class();
    graded(&room, &[]);
    let bytes = fs::read(room.path(".grader/ledger.db")).unwrap();
    for (change, what) in [
        ("result SET submitted = '2026-11-20T15:59:00Z'", "a result"),
        ("result SET submitted = 'tomorrow'", "a result"),
        ("result SET submission = 'another'", "a result"),
        (
            "result SET content = (SELECT content FROM result WHERE student = 'ann')",
            "a result",
        ),
        (
            "run SET info = replace(info, 'squares', 'circles')",
            "a run",
        ),
        (
            "run SET start = replace(start, 'strict', 'basic ')",
            "a run",
        ),
    ] {
        fs::write(room.path(".grader/ledger.db"), &bytes).unwrap();
        meddle(&room, &format!("UPDATE {change};"));
        let ran = room.run(&["report", "class"]);
        let ledger = fs::canonicalize(room.path(".grader/ledger.db")).unwrap();
        let expected = format!(
            "error: cannot use the ledger `{}`: it is damaged ({what} does not match its hash), and was not changed; \
             move it away, or use another ledger (`--ledger FILE`)\n",
            ledger.display()
        );
        let found = (ran.status, ran.stdout.as_str(), ran.stderr.as_str());
        assert_eq!(found, (3, "", expected.as_str()), "{change}");
    }
}

#[test]
fn lists_the_runs_of_a_ledger_and_compares_two_of_them() {
    let room = class();
    graded(&room, &[]);
    let room = room.file("class/bob/square.c", SQUARE);
    graded(&room, &[]);
    let history = room.run(&["history"]);
    assert_eq!((history.status, history.stderr.as_str()), (0, ""));
    for word in ["class", "squares", "finished"] {
        assert!(history.stdout.contains(word), "{}", history.stdout);
    }
    let (status, mut stored) = room.json(&["history", "class", "--json", "-"]);
    assert_eq!(status, 0);
    let class = room.path("class").canonicalize().unwrap();
    for run in stored["runs"].as_array_mut().unwrap() {
        for time in ["began", "ended"] {
            assert!(run[time].take().as_str().unwrap().ends_with('Z'), "{run}");
        }
    }
    let run = |id, judged, reused| {
        serde_json::json!({
            "id": id,
            "began": null,
            "ended": null,
            "state": "finished",
            "class": class,
            "assignment": "squares",
            "grader": env!("CARGO_PKG_VERSION"),
            "students": 3,
            "judged": judged,
            "reused": reused,
            "faults": 0,
            "shard": null
        })
    };
    assert_eq!(
        stored,
        serde_json::json!({ "format": "bitcraft-history/1", "runs": [run(1, 3, 0), run(2, 1, 2)], "upgrades": [] })
    );
    let diff = room.run(&["diff"]);
    assert_eq!((diff.status, diff.stderr.as_str()), (0, ""));
    assert!(diff.stdout.contains("bob"), "{}", diff.stdout);
    assert!(!diff.stdout.contains("ann"), "{}", diff.stdout);
    let same = room.run(&["diff", "class", "--run", "2", "--against", "1"]);
    assert_eq!(same.stdout, diff.stdout);
    let (status, difference) = room.json(&["diff", "--json", "-"]);
    assert_eq!((status, &difference["unchanged"]), (0, &2.into()));
}

#[test]
fn a_run_that_knew_no_student_is_not_the_last_one() {
    if !have(&["python3"]) {
        return;
    }
    let room = class();
    graded(&room, &[]);
    let alone = refused(&room, &["diff"]);
    assert!(alone.contains("no two runs of one class"), "{alone}");
    graded(&room, &[]);
    meddle(
        &room,
        "INSERT INTO run (class, assignment, info, grader, fresh, began, state) \
         SELECT class, assignment, info, grader, 0, began, 'running' FROM run WHERE id = 1;",
    );
    let (status, results) = room.json(&["report", "--json", "-"]);
    assert_eq!((status, &results["run"]["id"]), (0, &2.into()));
    let (status, difference) = room.json(&["diff", "--json", "-"]);
    let runs = [&difference["before"]["run"], &difference["after"]["run"]];
    assert_eq!((status, runs), (0, [&1.into(), &2.into()]));
    meddle(&room, "DELETE FROM student;");
    assert_eq!(
        refused(&room, &["report"]),
        "error: the ledger holds no results yet\n"
    );
}

#[test]
fn a_class_that_was_unpacked_or_renamed_keeps_its_runs() {
    let files = [
        ("ann/square.c", SQUARE),
        ("bob/square.c", WRONG),
        ("cat/square.c", SQUARE),
    ];
    let room = squares().keeping().file("class.zip", zip(&files));
    let grade = |room: &Room, class: &str| {
        let ran = room.run(&["grade", class, "-a", "./squares", "-j1"]);
        assert_eq!(ran.status, 0);
        ran.stderr
    };
    assert_eq!(grade(&room, "class.zip"), "");
    let room = files.iter().fold(room, |room, (path, text)| {
        room.file(&format!("class/{path}"), text)
    });
    let room = room.file("class/bob/square.c", SQUARE);
    assert_eq!(
        grade(&room, "class"),
        "`class` has the submissions of `class.zip`, whose runs are now runs of `class`\n"
    );
    let (_, difference) = room.json(&["diff", "--json", "-"]);
    assert_eq!(difference["unchanged"], 2);
    fs::rename(room.path("class"), room.path("week")).unwrap();
    assert_eq!(
        grade(&room, "week"),
        "`week` has the submissions of `class`, whose runs are now runs of `week`\n"
    );
    // A class beside it that has the same submissions is another one.
    let room = files.iter().fold(room, |room, (path, text)| {
        room.file(&format!("other/{path}"), text)
    });
    assert_eq!(grade(&room, "other"), "");
    assert_eq!(
        refused(&room, &["diff"]),
        "error: runs 3 and 4 are of two classes, `week` and `other`: `grader diff --run 4 --against 3` compares them\n"
    );
    let (_, runs) = room.json(&["history", "--json", "-"]);
    let runs = runs["runs"].as_array().unwrap().iter();
    let counts = runs.map(|run| format!("{} {}", run["judged"], run["reused"]));
    assert_eq!(counts.collect::<Vec<_>>(), ["3 0", "1 2", "0 3", "3 0"]);
}

#[test]
fn shows_only_the_runs_of_the_class_that_is_named() {
    let room = class();
    graded(&room, &[]);
    let room = room.file("other/dan/square.c", SQUARE);
    let ran = room.run(&["grade", "other", "-a", "./squares"]);
    assert_eq!(ran.status, 0);
    assert_eq!(
        [
            refused(&room, &["report", "class", "--run", "2"]),
            refused(&room, &["diff", "other", "--run", "2", "--against", "1"]),
            refused(&room, &["history", "squares/one"]),
        ],
        [
            "error: `class` has no run 2: `grader history` lists its runs\n",
            "error: `other` has no run 1: `grader history` lists its runs\n",
            "error: no run of the class `squares/one` is stored in `.grader/ledger.db`, which has `class`, `other`; another \
             ledger can be named with `--ledger`\n",
        ]
    );
    // A ledger that is named has all runs.
    let (status, results) = room.json(&["report", "--run", "2", "--json", "-"]);
    assert_eq!((status, &results["students"][0]["id"]), (0, &"dan".into()));
}

#[test]
fn a_resumed_run_reports_what_was_measured_before_it_was_killed() {
    if !have(&["python3"]) {
        return;
    }
    let room = Room::new().keeping().fixture("boards", "boards").file(
        "class/ann/count.py",
        "import sys\nprint({4: 2, 5: 10, 6: 4}[int(sys.argv[1])])\n",
    );
    let grade = ["grade", "class", "-a", "./boards", "--json", "-"];
    let (status, first) = room.json(&grade);
    assert_eq!(status, 0);
    assert_eq!(first["reference-times"].as_array().unwrap().len(), 3);
    meddle(&room, "UPDATE run SET state = 'running', ended = NULL;");
    let (status, second) = room.json(&grade);
    assert_eq!((status, &second), (0, &first));
    assert_eq!(room.json(&["report", "--json", "-"]), (0, first));
}

#[test]
fn a_ledger_that_cannot_be_written_any_more_loses_no_result() {
    if !have(&["python3"]) {
        return;
    }
    let room = class();
    let whole = graded(&room, &["--no-ledger", "--csv", "-"]).stdout;
    graded(&room, &[]);
    // There is room for one job and one student of the second run.
    meddle(
        &room,
        "CREATE INDEX full ON result (json(student)) WHERE run = 2 AND student <> 'ann'; \
         CREATE INDEX fuller ON student (json(id)) WHERE run = 2 AND id <> 'ann' AND about IS NOT NULL;",
    );
    let fresh = [&GRADE[..], &["--fresh", "--csv", "-"]].concat();
    let ran = room.run(&fresh);
    assert_eq!((ran.status, &ran.stdout), (3, &whole));
    let ledger = fs::canonicalize(room.path(".grader/ledger.db")).unwrap();
    let message = format!(
        "some results cannot be stored; grading continues: cannot use the ledger `{}`: malformed JSON\n",
        ledger.display()
    );
    assert_eq!(ran.stderr, message);
    // When there is room again the run is resumed.
    meddle(&room, "DROP INDEX full; DROP INDEX fuller;");
    let ran = room.run(&[&GRADE[..], &["--csv", "-"]].concat());
    assert_eq!((ran.status, &ran.stdout), (0, &whole));
    assert!(
        ran.stderr.starts_with("resuming run 2, started "),
        "{}",
        ran.stderr
    );
}

#[test]
fn stored_results_that_cannot_be_read_are_judged_again() {
    if !have(&["python3"]) {
        return;
    }
    let room = class();
    let first = graded(&room, &["--csv", "-"]).stdout;
    meddle(
        &room,
        "UPDATE content SET zlib = zeroblob(length(zlib)) WHERE hash IN (SELECT content FROM result);",
    );
    let ran = room.run(&[&GRADE[..], &["--csv", "-"]].concat());
    let begins = "some stored results cannot be read and are judged again: ";
    assert!(ran.stderr.starts_with(begins), "{}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    assert_eq!((ran.status, &ran.stdout), (3, &first));
}
