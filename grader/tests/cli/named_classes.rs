//! Which class a command is about: one that is named, also after its folder is gone, or one of several in a ledger.

use std::fs;

use crate::class::{SQUARE, WRONG, squares};
use crate::harness::{Room, zip};

/// What a command writes to standard error.
fn run(room: &Room, line: &str) -> (i32, String) {
    let ran = room.run(&line.split(' ').collect::<Vec<_>>());
    (ran.status, ran.stderr)
}

fn grade(room: &Room, class: &str) -> String {
    let (status, stderr) = run(room, &format!("grade {class} --ledger all.db -q -j1"));
    assert_eq!(status, 0, "{class}: {stderr}");
    stderr
}

fn error(message: &str) -> (i32, String) {
    (2, format!("error: {message}\n"))
}

#[test]
fn a_class_that_is_gone_is_named_as_the_history_lists_it() {
    let files = [("zoe/square.c", SQUARE)];
    let room = squares()
        .keeping()
        .file("a/sub/ann/square.c", SQUARE)
        .file("b/sub/bob/square.c", WRONG)
        .file("week/cat/square.c", SQUARE)
        .file("old.zip", zip(&files));
    for class in ["a/sub", "b/sub", "week", "old.zip"] {
        grade(&room, &format!("{class} -a ./squares"));
    }
    fs::rename(room.path("a"), room.path("gone")).unwrap();
    fs::remove_file(room.path("old.zip")).unwrap();
    fs::rename(room.path("week"), room.path("week-1")).unwrap();
    grade(&room, "week-1 -a ./squares");
    let top = room.path(".").canonicalize().unwrap();
    let top = top.display();
    let is = |run: u64, class: &str| (0, format!("run {run} of `{class}`, from `all.db`\n"));
    let has = "`a/sub`, `b/sub`, `old.zip`, `week-1`";
    for (class, expected) in [
        // The path at which it was graded, in any spelling, also in a folder that is gone.
        ("a/sub", is(1, "a/sub")),
        (&format!("{top}/a/sub"), is(1, "a/sub")),
        ("old.zip", is(4, "old.zip")),
        // The end of a path, and the name that it had.
        ("week", is(5, "week-1")),
        (
            "sub",
            error("`sub` fits several classes of `all.db`: name one: `a/sub`, `b/sub`"),
        ),
        (
            "old",
            error(&format!(
                "`old` does not exist, and `all.db` has no class of that name: it has {has}; for a student, type `grader report --student ID`"
            )),
        ),
        // What is there is meant, not a class of its name.
        (
            "gone/sub",
            error(&format!(
                "no run of the class `gone/sub` is stored in `all.db`, which has {has}; another ledger can be named with `--ledger`"
            )),
        ),
    ] {
        let report = format!("report {class} --ledger all.db --csv -");
        assert_eq!(run(&room, &report), expected, "{class}");
        let (status, stderr) = run(&room, &format!("history {class} --ledger all.db"));
        let stderr_of_report = if expected.0 == 0 { "" } else { &expected.1 };
        assert_eq!(
            (status, stderr.as_str()),
            (expected.0, stderr_of_report),
            "{class}"
        );
    }
    // The end of a path, from elsewhere.
    let from_elsewhere = |class: &str| {
        let ledger = room.path("all.db");
        let ledger = ledger.to_str().unwrap();
        let mut command = room.command(&["history", class, "--ledger", ledger, "--json", "-"]);
        let output = command
            .current_dir(room.path("squares/one"))
            .output()
            .unwrap();
        let history: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let runs = history["runs"].as_array().unwrap().iter();
        runs.map(|run| run["id"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(from_elsewhere("a/sub"), [1]);
    assert_eq!(from_elsewhere("week"), [3, 5]);
    assert_eq!(from_elsewhere("old.zip"), [4]);
    // A new folder of the name that a class had is another class.
    let room = room.file("week/dan/square.c", SQUARE);
    let missing = error(&format!(
        "no run of the class `week` is stored in `all.db`, which has {has}; another ledger can be named with `--ledger`"
    ));
    assert_eq!(run(&room, "report week --ledger all.db"), missing);
    // Corrections go beside the place of the class, and are of it.
    let correct = "correct old.zip --ledger all.db --student zoe --problem square --points 3";
    assert_eq!(
        run(&room, correct),
        (
            0,
            "written to corrections.toml, for the class `old.zip`\n".to_owned()
        )
    );
    let corrections = fs::read_to_string(room.path("corrections.toml")).unwrap();
    assert!(corrections.contains("class = \"old.zip\""), "{corrections}");
}

/// Commands that show something, and those that change points or carry them elsewhere.
const SHOW: [&str; 9] = [
    "report",
    "report --json results.json",
    "report --html pages",
    "report --github --audience staff --junit results.xml --markdown results.md",
    "replay -a ./squares",
    "audit -a ./squares",
    "review",
    "diff --against 1",
    "correct --list",
];
const CARRY: [&str; 12] = [
    "report --csv -",
    // The classes have one student each.
    "report --github --json results.json",
    "report --feedback feedback",
    "report --moodle-feedback feedback.zip",
    "report --student ann --gradescope results.json",
    "report --explain ann --audience student",
    "gradebook sheet.csv --in-place",
    "gradebook sheet.csv --dry-run",
    "correct --student ann --problem square --points 5",
    "correct --student ann --problem square --points 5 --dry-run",
    "review --save",
    "audit --save -a ./squares",
];

#[test]
fn with_several_classes_what_shows_takes_the_last_and_what_carries_points_asks() {
    let sheet = "Identifier,Full name,Grade,Maximum Grade\nParticipant 1,ann,,10.00\n";
    let room = squares()
        .keeping()
        .file("sheet.csv", sheet)
        .file("a/ann/square.c", WRONG)
        .file("b/ann/square.c", SQUARE);
    for class in ["a", "b"] {
        grade(&room, &format!("{class} -a ./squares"));
    }
    let asks = error("`all.db` has several classes: name one: `a`, `b`");
    let takes = "run 2 of `b`, from `all.db`\n";
    check_several(&room, takes, &asks);
    // One that is named is taken; a run is of one class, too.
    for source in ["a", "--run 1"] {
        let (status, stderr) = run(
            &room,
            &format!("gradebook sheet.csv --dry-run --ledger all.db {source}"),
        );
        assert_eq!(status, 0, "{stderr}");
        assert!(
            stderr.starts_with("run 1 of `a`, from `all.db`\n"),
            "{stderr}"
        );
    }
    let (_, stderr) = run(
        &room,
        "correct --run 1 --ledger all.db --student ann --problem square --points 5",
    );
    assert_eq!(stderr, "written to corrections.toml, for the class `a`\n");
}

#[test]
fn two_assignments_of_one_folder_are_two_classes() {
    let sheet = "Identifier,Full name,Grade,Maximum Grade\nParticipant 1,ann,,10.00\n";
    let room = squares()
        .keeping()
        .file("sheet.csv", sheet)
        .fixture("squares", "cubes")
        .replace(
            "cubes/assignment.toml",
            "id = \"squares\"",
            "id = \"cubes\"",
        )
        .file("a/ann/square.c", WRONG);
    grade(&room, "a -a ./cubes");
    grade(&room, "a -a ./squares");
    let asks = error(
        "`a` was graded by several assignments: name a run of the one you mean: `--run 1` (`cubes`), `--run 2` (`squares`)",
    );
    let takes = "run 2 of `a` (`squares`), from `all.db`\n";
    check_several(&room, takes, &asks);
    // That a class is named does not say which assignment it is.
    let correct = "correct a --ledger all.db --student ann --problem square --points 5";
    assert_eq!(run(&room, correct), asks);
    assert_eq!(run(&room, &format!("{correct} --run 1")).0, 0);
    let corrections = fs::read_to_string(room.path("corrections.toml")).unwrap();
    assert!(
        corrections.contains("assignment = \"cubes\""),
        "{corrections}"
    );
}

fn check_several(room: &Room, takes: &str, asks: &(i32, String)) {
    for line in SHOW {
        let (status, stderr) = run(room, &format!("{line} --ledger all.db"));
        assert_eq!(status, 0, "{line}: {stderr}");
        assert_eq!(stderr.matches(takes).count(), 1, "{line}: {stderr}");
    }
    let corrections = room.path("corrections.toml");
    let sheet = fs::read(room.path("sheet.csv")).unwrap();
    for line in CARRY {
        assert_eq!(
            &run(room, &format!("{line} --ledger all.db")),
            asks,
            "{line}"
        );
    }
    assert!(!corrections.exists() && !room.path("corrections").exists());
    assert_eq!(fs::read(room.path("sheet.csv")).unwrap(), sheet);
}

#[test]
fn where_nothing_was_graded_every_command_says_so() {
    let room = squares().file("sheet.csv", "Identifier,Full name,Grade\n");
    let lines = SHOW.iter().chain(&CARRY).chain(&["history"]);
    for line in lines {
        assert_eq!(
            run(&room, line),
            error(
                "nothing was graded here: there is no `.grader/ledger.db` in this folder or above; `grader grade CLASS` grades a class"
            ),
            "{line}"
        );
        for source in ["--ledger none.db", "--ledger none.db squares"] {
            assert_eq!(
                run(&room, &format!("{line} {source}")),
                error(
                    "nothing was graded here: there is no ledger `none.db`; `grader grade CLASS --ledger none.db` creates it"
                ),
                "{line} {source}"
            );
        }
        assert_eq!(
            run(&room, &format!("{line} nowhere")),
            error("`nowhere` does not exist"),
            "{line}"
        );
    }
}
