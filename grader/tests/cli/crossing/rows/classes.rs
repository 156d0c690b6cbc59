//! What a class can be.

use std::fs;

use super::room::{ASSIGNMENT, HALF, POINTS, plain, problem, program, two_files};
use super::{Row, done, row, scored};
use crate::harness::Room;

pub(super) fn rows() -> Vec<Row> {
    [kinds(), graded_before()].into_iter().flatten().collect()
}

fn kinds() -> Vec<Row> {
    let two_sections = || plain().file("class-2/bob/twice.py", program(HALF));
    let names = "id,name\nada,Ada A\nbob,Bob B\ncy,Cy C\ndan,Dan D\n";
    vec![
        scored(
            "compile error",
            plain().file("class/bob/twice.py", "print(\n"),
            ["10", "0", "10", "0"],
        ),
        Row {
            status: 3,
            ..scored(
                "two files for one problem",
                two_files(),
                ["10", "?", "10", "0"],
            )
        },
        scored("team", team(), ["10", "5", "10", "10"]),
        Row {
            arguments: &["--roster", "roster.csv"],
            ..row("roster", plain().file("roster.csv", names))
        },
        Row {
            arguments: &["--roster", "roster.csv"],
            ..row("clones", clones())
        },
        Row {
            before: |room| {
                done(room, "grade class-2 -a ./asg --quiet");
                done(room, "grade class -a ./asg --quiet");
                done(
                    room,
                    "correct class-2 --student bob --problem twice --excused --comment ill",
                );
            },
            ..row("another section, corrected", two_sections())
        },
        Row {
            before: |room| {
                done(room, "grade class-2 -a ./asg --quiet");
                done(room, "grade class -a ./asg --quiet");
                done(
                    room,
                    "correct class --student bob --problem twice --add 1 --comment kind",
                );
            },
            ..scored(
                "this section, corrected",
                two_sections(),
                ["10", "6", "10", "0"],
            )
        },
    ]
}

const TWENTY: &str = "points = 20\n";

/// What was graded before.
fn graded_before() -> Vec<Row> {
    let other = || {
        let id = ASSIGNMENT.replace("\"asg\"", "\"other\"");
        plain()
            .file("other/assignment.toml", id.replace(POINTS, TWENTY))
            .file(
                "other/twice/problem.toml",
                problem().replace(POINTS, TWENTY),
            )
            .file("other/twice/right/twice.py", program("2 * n"))
    };
    let earlier = plain();
    fs::rename(earlier.path("class"), earlier.path("earlier")).unwrap();
    vec![
        Row {
            before: |room| {
                done(room, "grade class -a ./asg --quiet");
                done(room, "grade class -a ./asg --quiet");
                fs::remove_dir_all(room.path("class")).unwrap();
            },
            ..row("class that is gone", plain())
        },
        Row {
            before: |room| {
                done(room, "grade earlier -a ./asg --quiet");
                done(
                    room,
                    "correct earlier --student bob --problem twice --add 1 --comment kind",
                );
                fs::rename(room.path("earlier"), room.path("class")).unwrap();
            },
            ..scored("class that was renamed", earlier, ["10", "6", "10", "0"])
        },
        Row {
            before: |room| done(room, "grade class -a ./other --quiet"),
            ..row("two assignments of one class", other())
        },
    ]
}

/// The class as repositories. Their names begin with the assignment's, and the logins begin alike.
fn clones() -> Room {
    let roster = "identifier,github_username\nada,cs-ada\nbob,cs-bob\ncy,cs-cy\ndan,cs-dan\n";
    let room = plain().file("roster.csv", roster);
    for id in ["ada", "bob", "cy"] {
        fs::create_dir_all(room.path(&format!("class/{id}/.git"))).unwrap();
        let to = room.path(&format!("class/asg-cs-{id}"));
        fs::rename(room.path(&format!("class/{id}")), to).unwrap();
    }
    fs::remove_dir(room.path("class/dan")).unwrap();
    room
}

/// Ada and Dan submit together.
fn team() -> Room {
    let room = plain().file("groups.csv", "id,team\nada,one\ndan,one\n");
    fs::rename(room.path("class/ada"), room.path("class/one")).unwrap();
    fs::remove_dir(room.path("class/dan")).unwrap();
    room
}
