//! Every kind of mistake is reported exactly once, at its place.

use crate::common::{BUILTINS, files, short, spoilt};
use grader_problem::{load_assignment, load_corrections};

const MISTAKES: &str = include_str!("mistakes.txt");

/// Set `BITCRAFT_BLESS` to write the actual messages to the file.
#[test]
fn every_mistake_is_reported_once_at_its_place() {
    let is_blessed = std::env::var_os("BITCRAFT_BLESS").is_some();
    let mut blessed = MISTAKES.to_owned();
    let mut blocks = 0;
    for block in MISTAKES.trim_end().split("\n\n").skip(1) {
        let mut lines = block.lines();
        let mut text = |mark: char| {
            let line = lines.next().and_then(|line| line.strip_prefix(mark));
            let line = line.unwrap_or_else(|| panic!("no {mark} in {block}"));
            line.strip_prefix(' ').unwrap_or(line).replace('⏎', "\n")
        };
        let (file, from, to) = (text('#'), text('-'), text('+'));
        let library = spoilt(&file, &from, &to);
        let loaded = load_assignment(&library, "", BUILTINS);
        let mistakes = if file == "corrections.toml" {
            load_corrections(&library, [&*file], &loaded.unwrap().info()).unwrap_err()
        } else {
            loaded.unwrap_err()
        };
        let found: Vec<String> = mistakes.iter().map(short).collect();
        let expected: Vec<&str> = lines.collect();
        if is_blessed {
            let change: Vec<&str> = block.lines().take(3).collect();
            let new = format!("{}\n{}", change.join("\n"), found.join("\n"));
            blessed = blessed.replacen(block, &new, 1);
        } else {
            assert_eq!(found, expected, "{block}");
        }
        blocks += 1;
    }
    if is_blessed {
        std::fs::write("tests/problem/mistakes.txt", blessed).unwrap();
    }
    assert!(blocks > 100, "{blocks}");
}

#[test]
fn the_mistakes_of_all_files_are_reported_together() {
    let mut library = spoilt("count/problem.toml", "points = 25.5", "scor = 1");
    library.insert("columns/problem.toml", "format = 1\nid = = 2\n[limits\n");
    let assignment = String::from_utf8(files()["assignment.toml"].clone()).unwrap();
    library.insert(
        "assignment.toml",
        assignment.replace("points = 100", "points = 99"),
    );
    let loaded = load_assignment(&library, "", BUILTINS);
    let found: Vec<String> = loaded.unwrap_err().iter().map(short).collect();
    assert_eq!(
        found,
        [
            "p/assignment.toml:15:10 <99> problem `times` is worth 99 points here, but its subtasks make 100",
            "p/columns/problem.toml:2:6 <=> extra `=`, expected nothing",
            "p/count/problem.toml:55:1 <scor> unknown key `scor` / did you mean `score`?",
        ]
    );
}

#[test]
fn arguments_that_no_program_can_be_given_are_mistakes() {
    const KEY: &str = "arguments = [";
    let message = |sizes: &[usize]| {
        let all: Vec<String> = sizes
            .iter()
            .map(|size| format!("'{}'", "x".repeat(*size)))
            .collect();
        let checker = "[checker.queens-columns]\nsize = \"{n}\"\nbase = 0";
        let run = format!("[run]\n{KEY}{}]\n{checker}", all.join(","));
        let loaded = load_assignment(&spoilt("columns/problem.toml", checker, &run), "", BUILTINS);
        let found = loaded.err().into_iter().flatten();
        found.map(|it| it.message.clone()).collect::<Vec<_>>()
    };
    let none: [&str; 0] = [];
    assert_eq!(message(&[60_000]), none);
    assert_eq!(message(&[131_071; 7]), none);
    assert_eq!(
        message(&[131_072]),
        ["an argument must not be longer than 131071 bytes, found 131072"]
    );
    assert_eq!(
        message(&[131_071; 9]),
        ["the arguments of a program must not be longer than 1 MiB together"]
    );
}
