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

/// Texts of the good problem file, what replaces them, and the place and message of the mistake. The messages of all
/// mistakes are tested in the crate `problem`.
const MISTAKES: [[&str; 4]; 3] = [
    ["points = 4", "pionts = 4", "21:1", "unknown key `pionts`"],
    [
        "require = [\"small\"]",
        "require = [\"smal\"]",
        "27:12",
        "did you mean `small`?",
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
fn mistakes_of_all_files_are_reported_together() {
    let good = room(ASSIGNMENT, PROBLEM).run(&["check", "one"]);
    assert_eq!((good.status, good.stderr.as_str()), (0, ""));
    let bonus = ASSIGNMENT.replace("points = 10", "points = 10\nbonus = 1");
    let names = PROBLEM
        .replace("\"{n}\"", "\"{m}\"")
        .replace("[\"small\"]", "[\"smal\"]");
    let twice = format!("{ASSIGNMENT}\n[[problem]]\npath = \"task\"\nbonus = 10\n");
    let points = ASSIGNMENT.replace("points = 10", "points = 11");
    let mut latin1 = PROBLEM.as_bytes().to_vec();
    latin1[PROBLEM.find("Task\"").unwrap()] = 0xff;
    for (assignment, problem, places) in [
        (
            bonus.as_str(),
            names.as_bytes(),
            &[
                "assignment.toml:8:9",
                "problem.toml:9:15",
                "problem.toml:27:12",
            ][..],
        ),
        (&twice, PROBLEM.as_bytes(), &["assignment.toml:10:8"]),
        (&points, PROBLEM.as_bytes(), &["assignment.toml:7:10"]),
        (ASSIGNMENT, &latin1, &["problem.toml:3", "UTF-8"]),
    ] {
        let ran = room(assignment, problem).run(&["check", "one"]);
        assert_eq!(ran.status, 2);
        for place in places {
            assert!(ran.stderr.contains(place), "{place}:\n{}", ran.stderr);
        }
    }
}
