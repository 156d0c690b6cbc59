//! Writing a ledger: what is reused, who may write it, and runs that are stopped.

use std::fs;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::class::{GRADE, SQUARE, WRONG, ann_and_bob};
use crate::harness::{Ran, Room, have, names};
use crate::stored::meddle;
use crate::streams::{STUCK, stuck_processes, terminate, wait_for_stuck, with_time_and_marks};

fn class() -> Room {
    ann_and_bob().folder("class/cat")
}

/// How the message of a run that is resumed begins.
const RESUMED: &str = "resuming run 2, started ";

fn grade(room: &Room, more: &[&str]) -> Ran {
    room.run(&[&GRADE, more].concat())
}

/// What a report states of the origin of its results; empty if that is nothing.
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
fn a_second_run_reuses_what_has_not_changed_and_names_what_has() {
    let room = class();
    let first = grade(&room, &[]);
    assert_eq!((first.status, first.stderr.as_str()), (0, ""));
    assert_eq!(origins(&first), "");
    let second = grade(&room, &["--explain", "ann"]);
    assert_eq!((second.status, second.stderr.as_str()), (0, ""));
    assert_eq!(
        origins(&second),
        "results of 2 of 2 submissions reused from earlier runs"
    );
    assert_eq!(table(&second), table(&first));
    for line in ["\nrun 2, started ", "\n  reused from run 1\n"] {
        assert!(second.stdout.contains(line), "{}", second.stdout);
    }
    let room = room
        .file("class/bob/square.c", SQUARE)
        .file("class/dan/square.c", SQUARE);
    let third = grade(&room, &["--explain", "bob"]);
    assert_eq!(
        origins(&third),
        "results of 1 of 3 submissions reused from earlier runs; 2 judged: source changed (1), new (1)"
    );
    let line = "\n  judged in this run: source changed\n";
    assert!(third.stdout.contains(line), "{}", third.stdout);
    let fresh = grade(&room, &["--fresh"]);
    assert_eq!(
        origins(&fresh),
        "results of 0 of 3 submissions reused from earlier runs; 3 judged: with `--fresh` (3)"
    );
    assert_eq!(table(&fresh), table(&third));
}

#[test]
fn the_ledger_is_where_the_option_or_else_the_environment_says() {
    let room = class();
    assert_eq!(grade(&room, &["--no-ledger"]).status, 0);
    assert_eq!(names(&room.path(".")), ["class", "squares"]);
    let ran = grade(&room, &["--no-ledger", "--fresh"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    let room = room.env("GRADER_LEDGER", "stored/here.db");
    assert_eq!(grade(&room, &[]).status, 0);
    assert!(room.path("stored/here.db").is_file());
    assert_eq!(grade(&room, &["--ledger", "there.db"]).status, 0);
    assert!(room.path("there.db").is_file());
    assert!(!room.path(".grader").exists());
    let (status, results) = room.json(&["report", "--json", "-"]);
    assert_eq!((status, &results["run"]["id"]), (0, &1.into()));
}

#[test]
fn refuses_a_ledger_that_cannot_be_created_or_is_none_before_anything_runs() {
    let room = class()
        .file("file", "text\n")
        .file("text.db", "some text\n");
    for (ledger, message) in [
        (
            "file/ledger.db",
            "; name another file with `--ledger FILE`, or store nothing with `--no-ledger`\n",
        ),
        ("text.db", ": it is not a ledger"),
        ("class", ": it is not a ledger"),
    ] {
        let ran = grade(&room, &["--ledger", ledger]);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{ledger}");
        let begins = format!("error: cannot use the ledger `{ledger}`: ");
        assert!(ran.stderr.starts_with(&begins), "{}", ran.stderr);
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
    let text = fs::read_to_string(room.path("text.db")).unwrap();
    assert_eq!(text, "some text\n");
}

/// A class in which one program never ends, and the grader that judges it, when it runs that one.
///
/// It is the second run, to which the others' results are known: who runs before whom is a matter of the machine.
fn stuck(more: &[&str]) -> (Room, Child) {
    let room = with_time_and_marks(class());
    assert_eq!(grade(&room, &[]).status, 0);
    let room = room.file("class/zoe/square.c", STUCK).with_tmp();
    let mut child = room
        .command(&[&GRADE[..], &["-j", "1"], more].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    loop {
        assert_eq!(child.try_wait().unwrap(), None, "it ended");
        let report = room.run(&["report", "class", "--run", "2", "--json", "-"]);
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
fn a_second_grader_sees_who_has_the_ledger_and_a_killed_run_is_resumed() {
    let (room, mut child) = stuck(&[]);
    let second = grade(&room, &[]);
    assert_eq!((second.status, second.stdout.as_str()), (2, ""));
    let who = format!(
        "error: cannot use the ledger `.grader/ledger.db`: process {} has been grading ",
        child.id()
    );
    assert!(second.stderr.starts_with(&who), "{}", second.stderr);
    let meanwhile = room.run(&["report"]);
    assert_eq!(
        (meanwhile.status, meanwhile.stderr.as_str()),
        (
            3,
            "run 2 of `class`, from `.grader/ledger.db`\n\
             this run is being graded now: these are the results so far\n"
        )
    );
    child.kill().unwrap();
    child.wait().unwrap();
    let points = room.run(&["report", "--csv", "-"]);
    assert_eq!((points.status, points.stdout.as_str()), (3, ""));
    let open = "2 submissions are not scored yet: ";
    assert!(points.stderr.contains(open), "{}", points.stderr);
    let room = room.file("class/zoe/square.c", SQUARE);
    let third = grade(&room, &[]);
    assert_eq!(third.status, 0, "{}", third.stderr);
    assert!(third.stderr.starts_with(RESUMED), "{}", third.stderr);
    assert!(third.stdout.contains("graded 4 of 4"), "{}", third.stdout);
}

#[cfg(target_os = "linux")]
#[test]
fn a_second_signal_also_shows_how_to_resume() {
    let (_room, child) = stuck(&[]);
    // All at once, so that the second comes before the first has ended the run.
    let id = child.id();
    let line = format!("kill -STOP {id}; kill -TERM {id}; kill -HUP {id}; kill -CONT {id}");
    let sent = Command::new("sh").args(["-c", &line]).status().unwrap();
    assert!(sent.success());
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(ran.status, 130, "{}", ran.stderr);
    let resume = "grade --no-pages class -a ./squares";
    assert!(ran.stderr.contains(resume), "{}", ran.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn a_stopped_run_exports_no_points_and_shows_the_command_that_resumes_it() {
    let (room, child) = stuck(&["--csv", "points.csv"]);
    // The program that never ends is killed.
    terminate(&child);
    let Ran { status, stderr, .. } = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(status, 130);
    assert!(stuck_processes(&room).is_empty());
    assert!(
        stderr.contains("1 submission is not scored yet"),
        "{stderr}"
    );
    assert!(!room.path("points.csv").exists());
    let shown = room.run(&["report", "class"]);
    assert_eq!(shown.status, 3, "{}", shown.stderr);
    let interrupted = "interrupted before the end: the results are incomplete";
    assert!(shown.stdout.contains(interrupted), "{}", shown.stdout);
    let mut lines = stderr.lines();
    let line = lines.find(|it| it.starts_with("stopped; ")).unwrap();
    let (_, again) = line.split_once(": ").unwrap();
    assert!(again.contains(" class -a ./squares -j 1"), "{again}");
    // This one ends.
    let room = room.file("class/zoe/square.c", SQUARE);
    let mut shell = room.prepared(Command::new("sh"));
    let resumed = Ran::of(shell.args(["-c", again]).output().unwrap());
    assert_eq!(resumed.status, 0, "{}", resumed.stderr);
    assert!(resumed.stderr.starts_with(RESUMED), "{}", resumed.stderr);
    let points = fs::read_to_string(room.path("points.csv")).unwrap();
    assert_eq!(points.lines().count(), 5, "{points}");
}

#[test]
fn a_ledger_of_another_format_is_refused_with_what_it_takes() {
    if !have(&["python3"]) {
        return;
    }
    let room = class();
    assert_eq!(grade(&room, &[]).status, 0);
    for (change, expected) in [
        (
            "PRAGMA user_version = 2;",
            "it has format 2, which no release of the grader wrote, and grader 0.1.0 reads formats 5 to 7; move it away, or \
             use another ledger (`--ledger FILE`), and grade the class again",
        ),
        (
            "INSERT INTO format VALUES (8, '0.3.0', 7, '2027-02-01T08:00:00Z', 'ledger.db.before-format-8'); \
             PRAGMA user_version = 8;",
            "it has format 8, and grader 0.1.0 reads formats 5 to 7; grader 0.3.0 wrote it: install that version or a newer \
             one, or use another ledger (`--ledger FILE`)",
        ),
    ] {
        meddle(&room, change);
        for ran in [room.run(&["report"]), grade(&room, &[])] {
            assert_eq!(ran.status, 2);
            let expected = expected.replace("0.1.0", env!("CARGO_PKG_VERSION"));
            let message = format!("error: cannot use the ledger `.grader/ledger.db`: {expected}\n");
            assert_eq!(ran.stderr, message);
        }
    }
}

#[test]
fn a_part_of_a_class_joins_the_run_of_the_class() {
    let room = class();
    let shown = |more: &[&str]| {
        let (status, results) = room.json(&[&GRADE[..], &["--json", "-"], more].concat());
        assert_eq!(status, 0);
        let students = results["students"].as_array().unwrap().iter();
        let shown = students.map(|it| format!("{} {}", it["id"].as_str().unwrap(), it["points"]));
        shown.collect::<Vec<_>>().join(", ")
    };
    let stored = || {
        let ran = room.run(&["report", "--csv", "-", "--allow-unscored"]);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
        let lines = ran.stdout.lines().skip(1);
        let cells = lines.map(|line| line.split(',').collect::<Vec<_>>());
        let points = cells.map(|cells| format!("{} {}", cells[0], cells[3]));
        points.collect::<Vec<_>>().join(", ")
    };
    // Nothing is known of the others yet.
    assert_eq!(shown(&["--student", "ann"]), "ann 10");
    assert_eq!(stored(), "ann 10, bob , cat 0");
    let open = "  Not scored yet: not graded in this run (1)\n    \
                bob  square  not graded yet: this run covered only a part of the class\n";
    let report = room.run(&["report"]).stdout;
    assert!(report.contains(open), "{report}");
    assert_eq!(shown(&[]), "ann 10, bob 3.33, cat 0");
    for (file, source) in [("ann", WRONG), ("bob", SQUARE)] {
        fs::write(room.path(&format!("class/{file}/square.c")), source).unwrap();
    }
    assert_eq!(shown(&["--student", "bob"]), "bob 10");
    // Ann's is the program that was judged, not the one that lies there now.
    assert_eq!(stored(), "ann 10, bob 10, cat 0");
    assert_eq!(shown(&["--student", "ann", "--case", "n=1"]), "ann null");
    assert_eq!(stored(), "ann 10, bob 10, cat 0");
    let some = grade(&room, &["--case", "n=1"]).stdout;
    for words in [
        "\nann\n  square small\n    ✗ n=1  WA\n        expected `1`, found `3`\n",
        "\nbob\n  square small\n    ✓ n=1  ",
        "\ncat\n  square\n    nothing submitted\n",
    ] {
        assert!(some.contains(words), "{some}");
    }
    for words in ["of 10", "mean", "graded"] {
        assert!(!some.contains(words), "{some}");
    }
    for (option, message) in [
        (
            "--csv=out",
            "`--csv` needs points, and `--case` gives none: use `--json` or `--junit`",
        ),
        (
            "--html=out",
            "`--html` needs points, and `--case` gives none: use `--json` or `--junit`",
        ),
        (
            "--audience=student",
            "`--case` shows staff the verdicts of cases: leave out `--audience student`",
        ),
    ] {
        let ran = grade(&room, &["--case", "n=1", option]);
        assert_eq!((ran.status, ran.stderr), (2, format!("error: {message}\n")));
    }
    assert_eq!(shown(&["--problem", "square"]), "ann 3.33, bob 10, cat 0");
    // The cases of Ann's result come first, and are those of Bob's.
    for ran in [
        grade(&room, &["--case", "n=33"]),
        room.run(&["report", "--case", "n=33"]),
    ] {
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
        assert_eq!(
            ran.stderr,
            "error: there is no case `n=33`; did you mean `n=3`?\n\
             known cases: small/n=1, small/n=2, small/n=3, all/secret\n"
        );
    }
    // Bob's result is of the problem as it was.
    let room = room.replace("squares/square/problem.toml", "\"2 s\"", "\"3 s\"");
    let outdated = "1 result is from an earlier version of the problem, carried over and not graded in this run; to grade again, leave out \
         `--student` and `--problem`\n";
    for (more, note) in [(&["--student", "ann"][..], outdated), (&[], "")] {
        let ran = grade(&room, more);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, note));
    }
    let refused = room.run(&["report", "--problem", "square", "--csv", "w.csv"]);
    assert_eq!(
        (refused.status, refused.stderr.as_str()),
        (
            2,
            "error: `--csv` needs whole totals: leave out `--problem`\n"
        )
    );
}
