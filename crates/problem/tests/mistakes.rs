//! Every kind of mistake is reported exactly once, where it stands.
#![allow(clippy::unwrap_used, reason = "a panic in a test is the report")]

mod common;

use common::{BUILTINS, files, short, spoilt};
use grader_problem::{Diagnostic, load_assignment};

const MISTAKES: [&str; 2] = [
    include_str!("mistakes.txt"),
    include_str!("mistakes-fairness.txt"),
];

#[test]
fn every_mistake_is_reported_once_where_it_stands() {
    let mut blocks = 0;
    let blocks_of = |text: &'static str| text.trim_end().split("\n\n").skip(1);
    for block in MISTAKES.into_iter().flat_map(blocks_of) {
        let mut lines = block.lines();
        let mut text = |mark: char| {
            let line = lines.next().and_then(|line| line.strip_prefix(mark));
            let line = line.unwrap_or_else(|| panic!("no {mark} in {block}"));
            line.strip_prefix(' ').unwrap_or(line).replace('⏎', "\n")
        };
        let (file, from, to) = (text('#'), text('-'), text('+'));
        let loaded = load_assignment(&spoilt(&file, &from, &to), "", BUILTINS);
        let found: Vec<String> = loaded.diagnostics.iter().map(short).collect();
        let expected: Vec<&str> = lines.collect();
        assert_eq!(found, expected, "{block}");
        let whole = loaded.diagnostics.iter().all(Diagnostic::is_inconsistency);
        assert_eq!(loaded.value.is_some(), whole, "{block}");
        blocks += 1;
    }
    assert!(blocks > 100, "{blocks}");
}

#[test]
fn an_inconsistency_leaves_the_assignment_usable() {
    let library = spoilt("assignment.toml", "points = 35.5", "points = 35");
    let loaded = load_assignment(&library, "", BUILTINS);
    assert!(loaded.diagnostics[0].is_inconsistency());
    assert_eq!(loaded.value.as_ref().unwrap().problems.len(), 3);
    assert!(loaded.strict().is_err());
}

#[test]
fn mistakes_of_all_files_are_reported_together() {
    let mut library = spoilt(
        "count/problem.toml",
        "points = 25.5",
        "points = -2.5\nscor = 1\nhiden = true",
    );
    library.insert("gray/problem.toml", "format = 1\nid = = 2\n[limits\n");
    let assignment = String::from_utf8(files()["assignment.toml"].clone()).unwrap();
    library.insert(
        "assignment.toml",
        assignment.replace("bonus = 10", "bonus = 0"),
    );
    let loaded = load_assignment(&library, "", BUILTINS);
    let found: Vec<String> = loaded.diagnostics.iter().map(short).collect();
    assert_eq!(
        found,
        [
            "p/assignment.toml:11:9 <0> bad-value: points must be more than 0, found `0`",
            "p/count/problem.toml:55:10 <-2.5> bad-value: points must not be negative, found `-2.5`",
            "p/count/problem.toml:56:1 <scor> unknown-key: unknown key `scor` in `subtask` / did you mean `score`?",
            "p/count/problem.toml:57:1 <hiden> unknown-key: unknown key `hiden` in `subtask` / did you mean `hidden`?",
            "p/gray/problem.toml:2:6 <=> syntax: extra `=`, expected nothing",
            "p/gray/problem.toml:3:8 <> syntax: unclosed table, expected `]`",
        ]
    );
}
