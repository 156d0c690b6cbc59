//! Broken problem files: one message each, with the line and a caret, and exit status 2.

use crate::harness::Room;

const ASSIGNMENT: &str = "\
format = 1
id = \"one\"
title = { zh = \"一\", en = \"One\" }

[[problem]]
path = \"task\"
points = 10
";

const PROBLEM: &str = "\
format = 1
id = \"task\"
title = { zh = \"题\", en = \"Task\" }

[submission]
files = [\"task.*\"]

[run]
arguments = [\"{n}\"]

[limits]
time = \"2 s\"

[reference]
builtin = \"count\"

[checker.tokens]

[[subtask]]
name = \"small\"
points = 4
cases = { n = \"1..=3\" }

[[subtask]]
name = \"large\"
points = 6
require = [\"small\"]
cases = { n = \"4, 5\" }
";

fn room(assignment: &str, problem: impl AsRef<[u8]>) -> Room {
    Room::new()
        .file("one/assignment.toml", assignment)
        .file("one/task/problem.toml", problem)
}

#[test]
fn the_file_that_the_broken_ones_are_made_of_is_good() {
    let ran = room(ASSIGNMENT, PROBLEM).run(&["check", "one"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
}

/// Texts of the good problem file, what replaces them, and the place and message of the mistake. The messages of all
/// mistakes are tested in the crate `problem`.
const MISTAKES: [[&str; 4]; 8] = [
    ["points = 4", "pionts = 4", "21:1", "unknown key `pionts`"],
    [
        "time = \"2 s\"",
        "time = \"2 sec\"",
        "12:9",
        "unknown unit `sec`",
    ],
    [
        "points = 4",
        "points = \"four\"",
        "21:10",
        "expected a number",
    ],
    [
        "builtin = \"count\"",
        "path = \"../../secret.c\"",
        "15:8",
        "must not contain `..`",
    ],
    [
        "require = [\"small\"]",
        "require = [\"smal\"]",
        "27:12",
        "did you mean `small`?",
    ],
    [
        "arguments = [\"{n}\"]",
        "arguments = [\"{m}\"]",
        "9:15",
        "unknown variable `m`",
    ],
    [
        "[checker.tokens]",
        "[checker.token]",
        "17:10",
        "did you mean `tokens`?",
    ],
    [
        "id = \"task\"",
        "id = \"task",
        "2:11",
        "invalid basic string",
    ],
];

#[test]
fn a_mistake_in_a_problem_file_gets_one_message_with_its_place() {
    for [old, new, place, words] in MISTAKES {
        assert_eq!(PROBLEM.matches(old).count(), 1, "{old}");
        let room = room(ASSIGNMENT, PROBLEM.replace(old, new));
        for command in [&["check", "one"][..], &["grade", "one", "-a", "./one"]] {
            let ran = room.run(command);
            assert_eq!(
                (ran.status, ran.stdout.as_str()),
                (2, ""),
                "{new}: {}",
                ran.stderr
            );
            let place = format!("one/task/problem.toml:{place}\n");
            for part in [&place, "^", words, "1 mistake in 1 file"] {
                assert!(
                    ran.stderr.contains(part),
                    "{new}: no {part} in\n{}",
                    ran.stderr
                );
            }
        }
    }
}

#[test]
fn mistakes_of_all_files_are_reported_together() {
    let assignment = ASSIGNMENT.replace("points = 10", "points = 10\nbonus = 1");
    let problem = PROBLEM
        .replace("\"{n}\"", "\"{m}\"")
        .replace("[\"small\"]", "[\"smal\"]");
    let ran = room(&assignment, problem).run(&["check", "one"]);
    assert_eq!(ran.status, 2);
    for place in [
        "assignment.toml:8:9",
        "problem.toml:9:15",
        "problem.toml:27:12",
    ] {
        assert!(ran.stderr.contains(place), "{place}:\n{}", ran.stderr);
    }
}

#[test]
fn a_file_that_is_not_utf_8_is_refused_with_its_place() {
    let mut bytes = PROBLEM.as_bytes().to_vec();
    let at = PROBLEM.find("Task\"").unwrap();
    bytes[at] = 0xff;
    let ran = room(ASSIGNMENT, bytes).run(&["check", "one"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("problem.toml:3"), "{}", ran.stderr);
    assert!(ran.stderr.contains("UTF-8"), "{}", ran.stderr);
}

#[test]
fn a_file_that_is_missing_is_named() {
    let room = Room::new().file("one/assignment.toml", ASSIGNMENT);
    let ran = room.run(&["check", "one"]);
    assert_eq!(ran.status, 2);
    assert_eq!(
        ran.stderr,
        "\
error: there is no folder `one/task`
 --> one/assignment.toml:6:8
  |
6 | path = \"task\"
  |        ^^^^^^

1 mistake in 1 file
"
    );
}

#[test]
fn a_problem_that_is_listed_twice_is_refused() {
    let assignment = format!("{ASSIGNMENT}\n[[problem]]\npath = \"task\"\nbonus = 10\n");
    let ran = room(&assignment, PROBLEM).run(&["check", "one"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("assignment.toml:10:8"),
        "{}",
        ran.stderr
    );
}

#[test]
fn points_that_do_not_add_up_are_refused() {
    let ran =
        room(&ASSIGNMENT.replace("points = 10", "points = 11"), PROBLEM).run(&["check", "one"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("assignment.toml:7:10"),
        "{}",
        ran.stderr
    );
}
