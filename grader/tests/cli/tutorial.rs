//! The tutorial, as a reader follows it.

use std::fs;

use crate::harness::{Room, have, repository};

#[test]
fn the_three_tasks_of_the_tutorial_are_as_it_says() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let page = fs::read_to_string(repository().join("docs/tutorial.md")).unwrap();
    let mut room = Room::new();
    let mut files = 0;
    // `Save … as `PATH`:`, and the file in a block.
    for part in page.split("Save ").skip(1) {
        let Some((sentence, rest)) = part.split_once(":\n\n```") else {
            continue;
        };
        let path = sentence.rsplit('`').nth(1).unwrap();
        let (_, rest) = rest.split_once('\n').unwrap();
        let (text, _) = rest.split_once("```").unwrap();
        room = room.file(path, text);
        files += 1;
    }
    assert_eq!(files, 12);
    // What its command lines do.
    let solution = fs::read(room.path("mine/double/solution.py")).unwrap();
    let assignment = fs::read_to_string(room.path("mine/assignment.toml")).unwrap();
    let more =
        "[[problem]]\npath = \"pair\"\npoints = 4\n[[problem]]\npath = \"guess\"\npoints = 6\n";
    assert!(page.contains(&more.replace('\n', "\\n")));
    let room = room
        .file("mine/double/submissions/accepted/double.py", solution)
        .file("mine/assignment.toml", assignment + more);
    let ran = room.run(&["verify", "mine"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let last = "week-1: 6 samples, all as expected";
    assert!(page.contains(last));
    assert_eq!(ran.stdout.lines().last(), Some(last));
}
