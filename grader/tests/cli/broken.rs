//! Broken problem files: one message each, with the line and a caret, and exit status 2. The messages of all mistakes are
//! tested in the crate `problem`.

use crate::class::squares;

const ASSIGNMENT: &str = "squares/assignment.toml";
const SQUARE: &str = "squares/square/problem.toml";

#[test]
fn a_mistake_is_reported_with_its_place() {
    for (file, old, new, message) in [
        (
            SQUARE,
            "points = 10",
            "pionts = 10",
            "\
error: unknown key `pionts`
  --> squares/square/problem.toml:18:1
   |
18 | pionts = 10
   | ^^^^^^
   |
   = help: did you mean `points`?

1 mistake in 1 file
",
        ),
        (
            ASSIGNMENT,
            "path = \"one\"",
            "path = \"two\"",
            "\
error: there is no folder `squares/two`
  --> squares/assignment.toml:10:8
   |
10 | path = \"two\"
   |        ^^^^^
   |
   = help: known folders: `one`, `square`

1 mistake in 1 file
",
        ),
    ] {
        let room = squares().replace(file, old, new).folder("class");
        for command in [
            &["check", "squares"][..],
            &["grade", "class", "-a", "./squares"],
        ] {
            let ran = room.run(command);
            assert_eq!(
                (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
                (2, "", message)
            );
        }
    }
}

#[test]
fn mistakes_of_all_files_are_reported_together() {
    let room = squares()
        .replace(ASSIGNMENT, "bonus = 2", "bonus = 3")
        .replace(SQUARE, "\"{n}\"", "\"{m}\"");
    let ran = room.run(&["check", "squares"]);
    assert_eq!(ran.status, 2);
    for part in [
        "assignment.toml:11:9\n",
        "square/problem.toml:9:15\n",
        "2 mistakes in 2 files\n",
    ] {
        assert!(ran.stderr.contains(part), "{part}:\n{}", ran.stderr);
    }
}
