//! The ledger: what is kept, taken again, shown again, and who may write it.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::class::{SQUARE, squares};
use crate::harness::{Ran, Room, have};
use crate::streams::{STUCK, stop, terminate, wait_for_stuck, with_time_and_marks};

/// Right for 2 only.
const WRONG: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) { (void)c; printf(\"%d\\n\", atoi(v[1]) + 2); return 0; }\n";

const GRADE: [&str; 4] = ["grade", "class", "-a", "./squares"];

fn class() -> Room {
    squares()
        .keeping()
        .file("class/ann/square.c", SQUARE)
        .file("class/bob/square.c", WRONG)
        .folder("class/cat")
}

fn grade(room: &Room, more: &[&str]) -> Ran {
    room.run(&[&GRADE, more].concat())
}

/// The line of a report that begins the part on where its results come from; nothing where there is none.
fn origins(ran: &Ran) -> String {
    let (_, after) = ran.stdout.split_once("\ngraded ").unwrap();
    let lines = after.lines().skip(1).take_while(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

/// The numbers of the table, without what tells one run from another.
fn table(ran: &Ran) -> String {
    let (_, table) = ran.stdout.split_once("\nstudent ").unwrap();
    table.split_once("\ngraded ").unwrap().0.to_owned()
}

#[test]
fn a_second_run_takes_what_has_not_changed_and_says_what_has() {
    let room = class();
    let first = grade(&room, &[]);
    assert_eq!((first.status, first.stderr.as_str()), (0, ""));
    assert_eq!(origins(&first), "");
    assert!(first.stdout.contains("\nrun 1, begun "), "{}", first.stdout);
    let second = grade(&room, &["--explain", "ann"]);
    assert_eq!((second.status, second.stderr.as_str()), (0, ""));
    assert_eq!(origins(&second), "2 of 2 submissions taken from run 1");
    assert_eq!(table(&second), table(&first));
    assert!(
        second.stdout.contains("\nrun 2, begun "),
        "{}",
        second.stdout
    );
    assert!(
        second
            .stdout
            .contains("\n  taken from run 1: nothing has changed since\n"),
        "{}",
        second.stdout
    );
    let room = room
        .file("class/bob/square.c", SQUARE)
        .file("class/dan/square.c", SQUARE);
    let third = grade(&room, &["--explain", "bob"]);
    assert_eq!(
        origins(&third),
        "1 of 3 submissions taken from run 1; 2 judged: 1 source changed, 1 new"
    );
    assert!(
        third
            .stdout
            .contains("\n  judged in this run: source changed\n"),
        "{}",
        third.stdout
    );
}

#[test]
fn a_changed_checker_is_a_reason_to_judge_again() {
    let room = class();
    assert_eq!(grade(&room, &[]).status, 0);
    let room = room.replace(
        "squares/square/problem.toml",
        "[checker.tokens]",
        "[checker.lines]",
    );
    assert_eq!(
        origins(&grade(&room, &[])),
        "none of 2 submissions taken from earlier runs; 2 judged: 2 problem changed"
    );
}

#[test]
fn a_fresh_run_takes_nothing_and_a_run_without_a_ledger_leaves_nothing() {
    let room = class();
    assert_eq!(grade(&room, &["--no-ledger"]).status, 0);
    let names = |room: &Room| {
        let mut names: Vec<_> = fs::read_dir(room.path("."))
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(&room), ["class", "squares"]);
    assert_eq!(grade(&room, &[]).status, 0);
    assert_eq!(names(&room), [".grader", "class", "squares"]);
    let fresh = grade(&room, &["--fresh"]);
    assert!(fresh.stdout.contains("\nrun 2, begun "), "{}", fresh.stdout);
    assert_eq!(table(&fresh), table(&grade(&room, &["--no-ledger"])));
    let ran = grade(&room, &["--no-ledger", "--fresh"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
}

#[test]
fn the_ledger_is_where_the_option_says_or_else_the_environment() {
    let room = class();
    let room = room.env("GRADER_LEDGER", "kept/here.db");
    assert_eq!(grade(&room, &[]).status, 0);
    assert!(room.path("kept/here.db").is_file());
    assert_eq!(grade(&room, &["--ledger", "there.db"]).status, 0);
    assert!(room.path("there.db").is_file());
    assert!(!room.path(".grader").exists());
    let (status, results) = room.json(&["report", "--format", "json"]);
    assert_eq!((status, &results["run"]["id"]), (0, &1.into()));
    assert_eq!(grade(&room, &["--no-ledger"]).status, 0);
}

#[test]
fn a_ledger_that_cannot_be_made_or_is_none_is_a_mistake_before_anything_runs() {
    let room = class()
        .file("file", "text\n")
        .file("text.db", "some text\n");
    let refused = |ledger: &str| {
        let ran = grade(&room, &["--ledger", ledger]);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{ledger}");
        ran.stderr
    };
    let below = refused("file/ledger.db");
    assert!(
        below.starts_with("error: cannot use the ledger `file/ledger.db`: "),
        "{below}"
    );
    assert!(
        below.ends_with(
            "\nname another file with `--ledger FILE`, or keep nothing with `--no-ledger`\n"
        ),
        "{below}"
    );
    let text = refused("text.db");
    assert!(
        text.starts_with("error: cannot use the ledger `text.db`: it is not a ledger"),
        "{text}"
    );
    assert_eq!(
        fs::read_to_string(room.path("text.db")).unwrap(),
        "some text\n"
    );
    let folder = refused("class");
    assert!(
        folder.starts_with("error: cannot use the ledger `class`: it is a folder"),
        "{folder}"
    );
}

/// A class in which one program never ends, and the grader that judges it, when it runs that one.
///
/// It is the second run, to which the others' results are known: who runs before whom is a matter of the machine.
fn stuck(more: &[&str]) -> (Room, Child) {
    let room = with_time_and_marks(class());
    assert_eq!(grade(&room, &[]).status, 0);
    let room = room.file("class/zoe/square.c", STUCK).folder("tmp");
    let tmp = room.path("tmp");
    let room = room.env("TMPDIR", tmp.to_str().unwrap());
    let mut child = room
        .command(&[&GRADE[..], &["-j", "1"], more].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    loop {
        assert_eq!(child.try_wait().unwrap(), None, "it ended");
        let report = room.run(&["report", "class", "--run", "2", "--format", "json"]);
        // Nothing while the run has no student yet.
        let report: Value = serde_json::from_str(&report.stdout).unwrap_or_default();
        let students = report["students"].as_array().into_iter().flatten();
        let mut bobs = students.filter(|student| student["id"] == "bob");
        if bobs.any(|bob| bob["problems"][0]["verdict"] == "PC") {
            break;
        }
    }
    wait_for_stuck(&room, &mut child);
    (room, child)
}

#[cfg(target_os = "linux")]
#[test]
fn a_second_grader_is_told_who_has_the_ledger_and_a_killed_run_is_gone_on_with() {
    let (room, mut child) = stuck(&[]);
    let second = grade(&room, &[]);
    assert_eq!((second.status, second.stdout.as_str()), (2, ""));
    let who = format!(
        "error: cannot use the ledger `.grader/ledger.db`: process {} on `",
        child.id()
    );
    assert!(second.stderr.starts_with(&who), "{}", second.stderr);
    let meanwhile = room.run(&["report"]);
    assert_eq!(
        (meanwhile.status, meanwhile.stderr.as_str()),
        (
            3,
            "this run is being graded now: what follows is what is known so far\n"
        )
    );
    child.kill().unwrap();
    child.wait().unwrap();
    let points = room.run(&["report", "--format", "csv"]);
    assert_eq!((points.status, points.stdout.as_str()), (3, ""));
    assert_eq!(
        points.stderr,
        "error: no points are written (`--format csv`): grading was stopped before every student was graded, 2 \
         submissions are open\nthe same `grade` again goes on with it; `--allow-faults` leaves their cells empty\n"
    );
    let room = room.file("class/zoe/square.c", SQUARE);
    let third = grade(&room, &[]);
    assert_eq!(third.status, 0, "{}", third.stderr);
    assert!(
        third.stderr.starts_with("going on with run 2, begun "),
        "{}",
        third.stderr
    );
    assert!(third.stdout.contains("\nrun 2, begun "), "{}", third.stdout);
    assert!(third.stdout.contains("graded 4 of 4"), "{}", third.stdout);
}

/// What the grader leaves that is asked to end while a program is stuck, which then comes to an end.
fn terminated(room: &Room, mut child: Child) -> Ran {
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut said = stop(room, &child, &mut stderr);
    stderr.read_to_string(&mut said).unwrap();
    let ran = Ran::of(child.wait_with_output().unwrap());
    Ran {
        stderr: said,
        ..ran
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_is_stopped_carries_no_points_elsewhere() {
    let (room, child) = stuck(&["--format", "csv", "-o", "points.csv"]);
    let stopped = terminated(&room, child);
    assert_eq!((stopped.status, stopped.stdout.as_str()), (130, ""));
    let said = "no points are written (`--format csv`): grading was stopped before every student was graded, 1 \
                submission is open\n";
    assert!(stopped.stderr.contains(said), "{}", stopped.stderr);
    assert!(!room.path("points.csv").exists());
    let shown = room.run(&["report", "class"]);
    assert_eq!(shown.status, 3, "{}", shown.stderr);
    assert!(
        shown
            .stdout
            .contains("interrupted before the end: 3 of 4 students graded"),
        "{}",
        shown.stdout
    );
}

#[cfg(target_os = "linux")]
#[test]
fn who_stops_at_once_is_told_too_how_to_go_on() {
    let (room, mut child) = stuck(&[]);
    let mut last = String::new();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    for _ in 0..2 {
        terminate(&child);
        last.clear();
        // An empty line, and what is said.
        stderr.read_line(&mut last).unwrap();
        stderr.read_line(&mut last).unwrap();
    }
    assert!(
        last.starts_with("\nstopped; what is done is kept. To go on: "),
        "{last}"
    );
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let history = room.run(&["history"]).stdout;
    assert!(history.contains("killed"), "{history}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_is_stopped_says_the_command_that_goes_on_and_it_does() {
    let (room, child) = stuck(&[]);
    let stopped = terminated(&room, child);
    assert_eq!(stopped.status, 130, "{}", stopped.stderr);
    assert!(
        stopped
            .stdout
            .contains("interrupted before the end: 3 of 4 students graded"),
        "{}",
        stopped.stdout
    );
    let last = stopped.stderr.lines().last().unwrap();
    let again = last
        .strip_prefix("stopped; what is done is kept. To go on: ")
        .unwrap_or_else(|| panic!("{}", stopped.stderr));
    assert!(again.ends_with(" class -a ./squares -j 1"), "{again}");
    // Here it ends.
    let room = room.file("class/zoe/square.c", SQUARE);
    let mut shell = room.command_as_it_is(&[]);
    let mut environment = Command::new("sh");
    for (name, value) in shell.get_envs() {
        match value {
            Some(value) => environment.env(name, value),
            None => environment.env_remove(name),
        };
    }
    environment
        .current_dir(room.path("."))
        .stdin(Stdio::null())
        .args(["-c", again]);
    shell = environment;
    let went_on = Ran::of(shell.output().unwrap());
    assert_eq!(went_on.status, 0, "{}", went_on.stderr);
    assert!(
        went_on.stdout.contains("\nrun 2, begun "),
        "{}",
        went_on.stdout
    );
    assert!(
        went_on.stdout.contains("graded 4 of 4"),
        "{}",
        went_on.stdout
    );
}

#[test]
fn results_are_found_by_what_a_source_is() {
    let room = class();
    let first = grade(&room, &[]);
    assert_eq!(first.status, 0, "{}", first.stderr);
    let room = room.file("class/bob/square.c", SQUARE);
    assert_eq!(grade(&room, &[]).status, 0);
    let points = |source: &[&str]| {
        let (status, results) = room.json(&[&["report", "--format", "json"], source].concat());
        assert_eq!(status, 0, "{source:?}");
        let bob = &crate::harness::student(&results, "bob")["points"];
        format!("{} {bob}", results["run"]["id"])
    };
    assert_eq!(
        [
            points(&[]),
            points(&["class"]),
            points(&["."]),
            points(&[".grader/ledger.db"]),
            points(&["--run", "1"]),
        ],
        ["2 10", "2 10", "2 10", "2 10", "1 3.33"]
    );
    let refused = |arguments: &[&str]| {
        let ran = room.run(arguments);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{arguments:?}");
        ran.stderr
    };
    let missing = refused(&["report", "--run", "9"]);
    assert!(
        missing.ends_with("/ledger.db` has no run 9; it has 1, 2\n"),
        "{missing}"
    );
    assert_eq!(
        [
            refused(&["report", "squares/one"]),
            refused(&["report", "none.db"]),
        ],
        [
            "error: no run of the class `squares/one` is kept: looked in `squares/.grader/ledger.db`; `grader grade` \
             keeps one there, and another ledger is named by its file\n",
            "error: cannot use the ledger `none.db`: there is no such file; `grader grade` makes it\n",
        ]
    );
}

#[test]
fn the_runs_of_a_ledger_are_listed_and_two_of_them_compared() {
    let room = class();
    assert_eq!(grade(&room, &[]).status, 0);
    let alone = room.run(&["diff"]);
    assert_eq!(
        (alone.status, alone.stderr.as_str()),
        (
            2,
            "error: the ledger holds no two runs of one class: `grader history` lists those that it holds\n"
        )
    );
    let room = room.file("class/bob/square.c", SQUARE);
    assert_eq!(grade(&room, &[]).status, 0);
    let history = room.run(&["history"]);
    assert_eq!((history.status, history.stderr.as_str()), (0, ""));
    for words in ["class", "squares", "finished"] {
        assert!(history.stdout.contains(words), "{}", history.stdout);
    }
    assert_eq!(room.run(&["history", "class"]).stdout, history.stdout);
    let (status, mut kept) = room.json(&["history", "class", "--format", "json"]);
    assert_eq!(status, 0);
    let class = room.path("class").canonicalize().unwrap();
    for run in kept["runs"].as_array_mut().unwrap() {
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
            "faults": 0
        })
    };
    assert_eq!(
        kept,
        serde_json::json!({ "format": "bitcraft-history/1", "runs": [run(1, 2, 0), run(2, 1, 1)] })
    );
    let diff = room.run(&["diff"]);
    assert_eq!((diff.status, diff.stderr.as_str()), (0, ""));
    assert!(diff.stdout.contains("bob"), "{}", diff.stdout);
    assert!(!diff.stdout.contains("ann"), "{}", diff.stdout);
    assert_eq!(
        room.run(&["diff", "1", "2", "--ledger", "class"]).stdout,
        diff.stdout
    );
    let (status, difference) = room.json(&["diff", "--format", "json"]);
    assert_eq!((status, &difference["unchanged"]), (0, &2.into()));
}

#[test]
fn a_report_on_one_student_of_a_class_is_no_run_of_the_class() {
    let room = class();
    let one = grade(&room, &["--audience", "student", "--explain", "ann"]);
    assert_eq!((one.status, one.stderr.as_str()), (0, ""));
    assert!(!room.path(".grader").exists());
}

#[test]
fn a_ledger_that_fails_in_the_middle_is_said_at_once_and_the_results_are_still_reported() {
    if !have(&["python3"]) {
        return;
    }
    let room = class();
    assert_eq!(grade(&room, &[]).status, 0);
    // From now on no result can be written.
    let script = "import sqlite3\n\
        ledger = sqlite3.connect('.grader/ledger.db')\n\
        ledger.execute(\"CREATE TRIGGER full BEFORE INSERT ON job BEGIN SELECT RAISE(FAIL, 'no room'); END\")\n\
        ledger.commit()\n";
    let mut python = Command::new("python3")
        .arg("-")
        .current_dir(room.path("."))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = python.stdin.take().unwrap();
    input.write_all(script.as_bytes()).unwrap();
    drop(input);
    assert!(python.wait().unwrap().success());
    let room = room.file("class/bob/square.c", SQUARE);
    let ran = grade(&room, &[]);
    assert_eq!(ran.status, 3, "{}", ran.stderr);
    let said: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(said.len(), 1, "{}", ran.stderr);
    assert!(
        said[0].starts_with("grading goes on, but not all of it is kept: "),
        "{}",
        ran.stderr
    );
    assert!(said[0].contains("no room"), "{}", ran.stderr);
    assert!(ran.stdout.contains("graded 3 of 3"), "{}", ran.stdout);
}
