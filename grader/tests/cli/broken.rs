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

/// Replaces one text in the good problem file, and says what the complaint must hold: the place and words of
/// it.
struct Broken {
    old: &'static str,
    new: &'static str,
    place: &'static str,
    words: &'static [&'static str],
}

const fn broken(
    old: &'static str,
    new: &'static str,
    place: &'static str,
    words: &'static [&'static str],
) -> Broken {
    Broken {
        old,
        new,
        place,
        words,
    }
}

#[test]
fn the_file_that_the_broken_ones_are_made_of_is_good() {
    let ran = room(ASSIGNMENT, PROBLEM).run(&["check", "one"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
}

#[expect(clippy::too_many_lines, reason = "a table")]
#[test]
fn each_mistake_in_a_problem_file_gets_one_message_with_its_place() {
    let all = [
        broken(
            "cases = { n = \"1..=3\" }",
            "case = { n = \"1..=3\" }",
            "problem.toml:22:8",
            &["subtask.case", "array"],
        ),
        broken(
            "points = 4",
            "pionts = 4",
            "problem.toml:21:1",
            &["pionts", "points"],
        ),
        broken(
            "time = \"2 s\"",
            "time = \"2 sec\"",
            "problem.toml:12:8",
            &["sec"],
        ),
        broken("time = \"2 s\"", "time = 2", "problem.toml:12:8", &["2"]),
        broken(
            "time = \"2 s\"",
            "time = \"0 s\"",
            "problem.toml:12:8",
            &["0"],
        ),
        broken(
            "points = 4",
            "points = -4",
            "problem.toml:21:10",
            &["negative"],
        ),
        broken(
            "points = 4",
            "points = \"four\"",
            "problem.toml:21:10",
            &["points"],
        ),
        broken(
            "points = 4",
            "points = 4.0001",
            "problem.toml:21:10",
            &["three decimals"],
        ),
        broken(
            "[reference]\nbuiltin = \"count\"\n",
            "",
            "problem.toml:",
            &["reference"],
        ),
        broken(
            "builtin = \"count\"",
            "builtin = \"cuont\"",
            "problem.toml:15:11",
            &["cuont", "count"],
        ),
        broken(
            "builtin = \"count\"",
            "path = \"gone.c\"",
            "problem.toml:15:8",
            &["gone.c"],
        ),
        broken(
            "builtin = \"count\"",
            "path = \"../../secret.c\"",
            "problem.toml:15:8",
            &["secret.c"],
        ),
        broken(
            "require = [\"small\"]",
            "require = [\"large\"]",
            "problem.toml:27:12",
            &["large"],
        ),
        broken(
            "require = [\"small\"]",
            "require = [\"smal\"]",
            "problem.toml:27:12",
            &["smal", "small"],
        ),
        broken(
            "name = \"large\"",
            "name = \"small\"",
            "problem.toml:25:8",
            &["small"],
        ),
        broken(
            "cases = { n = \"4, 5\" }",
            "cases = { n = \"5..=4\" }",
            "problem.toml:28:",
            &["5..=4"],
        ),
        broken(
            "cases = { n = \"4, 5\" }",
            "cases = { n = [] }",
            "problem.toml:28:",
            &["n"],
        ),
        broken(
            "cases = { n = \"4, 5\" }\n",
            "",
            "problem.toml:24:",
            &["large", "case"],
        ),
        broken(
            "cases = { n = \"4, 5\" }",
            "cases = { n = \"4, 4\" }",
            "problem.toml:28:",
            &["n=4"],
        ),
        broken(
            "arguments = [\"{n}\"]",
            "arguments = [\"{m}\"]",
            "problem.toml:9:",
            &["m"],
        ),
        broken(
            "arguments = [\"{n}\"]",
            "arguments = [\"{n\"]",
            "problem.toml:9:",
            &["brace"],
        ),
        broken(
            "[checker.tokens]",
            "[checker.token]",
            "problem.toml:17:",
            &["token", "tokens"],
        ),
        broken(
            "[checker.tokens]",
            "[checker.tokens]\n[checker.exact]",
            "problem.toml:",
            &["checker"],
        ),
        broken(
            "[checker.tokens]",
            "[checker.numbers]",
            "problem.toml:17:",
            &["absolute"],
        ),
        broken(
            "files = [\"task.*\"]",
            "files = [\"task.[\"]",
            "problem.toml:6:",
            &["task.["],
        ),
        broken("format = 1", "format = 2", "problem.toml:1:10", &["2"]),
        broken(
            "title = { zh = \"题\", en = \"Task\" }",
            "title = { zh = \"题\" }",
            "problem.toml:3:",
            &["en"],
        ),
        broken(
            "id = \"task\"",
            "id = \"The Task\"",
            "problem.toml:2:6",
            &["The Task"],
        ),
        broken("id = \"task\"", "id = \"task", "problem.toml:2:", &[]),
    ];
    assert!(all.len() >= 20);
    for Broken {
        old,
        new,
        place,
        words,
    } in all
    {
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
            assert!(
                ran.stderr.contains(place),
                "{new}: no {place} in\n{}",
                ran.stderr
            );
            assert!(
                ran.stderr.contains('^'),
                "{new}: no caret in\n{}",
                ran.stderr
            );
            assert_eq!(
                ran.stderr.matches("-->").count(),
                1,
                "{new}: not one message:\n{}",
                ran.stderr
            );
            for word in words {
                assert!(
                    ran.stderr.contains(word),
                    "{new}: no `{word}` in\n{}",
                    ran.stderr
                );
            }
        }
    }
}

#[test]
fn mistakes_of_all_files_are_reported_together() {
    let assignment = ASSIGNMENT.replace("id = \"one\"", "id = \"One\"");
    let problem = PROBLEM
        .replace("points = 4", "pionts = 4")
        .replace("time = \"2 s\"", "time = \"2 parsecs\"");
    let ran = room(&assignment, problem).run(&["check", "one"]);
    assert_eq!(ran.status, 2);
    for place in [
        "assignment.toml:2:6",
        "problem.toml:12:8",
        "problem.toml:21:1",
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
