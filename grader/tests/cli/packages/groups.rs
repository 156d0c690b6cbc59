//! How the scores of test groups of Kattis and DOMjudge become points of subtasks.

use std::fs;

use super::untrusted::refused;
use crate::harness::Room;

/// The points of the subtasks of a package that has two groups of two tests, and this source as its only submission.
fn worth_of_groups(source: &str) -> Vec<(String, f64)> {
    let mut room = Room::new()
        .file("sum/problem.yaml", "name: Sum\ntype: scoring\n")
        .file(
            "sum/data/testdata.yaml",
            "grader_flags: sum\non_reject: continue\n",
        )
        .file("sum/submissions/accepted/a.py", source);
    for (group, score) in [("one", 10), ("two", 30)] {
        let folder = format!("sum/data/secret/{group}");
        let settings = format!("accept_score: {score}\n");
        room = room.file(&format!("{folder}/testdata.yaml"), &settings);
        for test in 1..3 {
            room = room
                .file(&format!("{folder}/{test}.in"), "1\n")
                .file(&format!("{folder}/{test}.ans"), "1\n");
        }
    }
    worth_of_subtasks(&room)
}

/// How the subtasks of the package `sum` are scored, and their points.
fn worth_of_subtasks(room: &Room) -> Vec<(String, f64)> {
    let ran = room.run(&["import", "sum", "-o", "out"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    let problem = fs::read_to_string(room.path("out/problem.toml")).unwrap();
    let problem: toml::Table = problem.parse().unwrap();
    let subtasks = problem["subtask"].as_array().unwrap().iter();
    let worth = subtasks.map(|it| {
        let points = &it["points"];
        let points = points
            .as_float()
            .or(points.as_integer().map(|it| it as f64));
        (it["score"].as_str().unwrap().to_owned(), points.unwrap())
    });
    worth.collect()
}

#[test]
fn a_group_of_domjudge_gets_its_score_once_and_one_of_kattis_for_each_test() {
    let sum = |points| ("sum".to_owned(), points);
    let all = |points| ("all".to_owned(), points);
    assert_eq!(worth_of_groups("print(1)\n"), [sum(20.0), sum(60.0)]);
    let scored = "# @EXPECTED_SCORE@: 40\nprint(1)\n";
    assert_eq!(worth_of_groups(scored), [all(10.0), all(30.0)]);
}

#[test]
fn a_group_of_a_newer_format_does_not_inherit_how_its_score_is_combined() {
    let mut room = Room::new().file(
        "sum/problem.yaml",
        "problem_format_version: 2025-09\nname: Sum\ntype: scoring\n",
    );
    for (path, text) in [
        ("secret/test_group.yaml", "score_aggregation: sum\n"),
        ("secret/one/test_group.yaml", "max_score: 40\n"),
        // As in 2023-07.
        (
            "secret/two/testdata.yaml",
            "scoring: {score: 60, aggregation: min}\n",
        ),
        ("secret/one/1.in", "1\n"),
        ("secret/one/1.ans", "1\n"),
        ("secret/two/1.in", "1\n"),
        ("secret/two/1.ans", "1\n"),
    ] {
        room = room.file(&format!("sum/data/{path}"), text);
    }
    assert_eq!(
        worth_of_subtasks(&room),
        [("all".to_owned(), 40.0), ("worst".to_owned(), 60.0)]
    );
}

/// A package whose group `secret` has groups of one test with these scores, and another with a test of its own.
fn nested_groups(settings: &str, scores: &[(&str, &str)]) -> Room {
    let mut room = Room::new()
        .file("evil/problem.yaml", "name: Sum\ntype: scoring\n")
        .file("evil/data/testdata.yaml", "on_reject: continue\n")
        .file("evil/data/secret/part/testdata.yaml", settings)
        .file("evil/data/secret/rest/1.in", "1\n")
        .file("evil/data/secret/rest/1.ans", "1\n")
        .file("evil/data/secret/rest/testdata.yaml", "accept_score: 10\n");
    for (group, settings) in scores {
        let folder = format!("evil/data/secret/part/{group}");
        room = room
            .file(&format!("{folder}/testdata.yaml"), settings)
            .file(&format!("{folder}/1.in"), "1\n")
            .file(&format!("{folder}/1.ans"), "1\n");
    }
    room
}

#[test]
fn mean_and_minimum_of_groups_are_points_of_subtasks_or_refused() {
    let scores = [
        ("a", "accept_score: 15\n"),
        ("b", "accept_score: 30\n"),
        ("c", "accept_score: 45\n"),
    ];
    let subtask = |name: &str, points: u32, score: &str, require: &str| {
        format!(
            "[[subtask]]\nname = \"{name}\"\npoints = {points}\nscore = \"{score}\"\n{require}hidden = true\n"
        )
    };
    let rest = subtask("rest", 10, "sum", "");
    for (settings, parts) in [
        (
            "grader_flags: avg\n",
            [("a", 5, ""), ("b", 10, ""), ("c", 15, "")],
        ),
        (
            "grader_flags: min\n",
            [
                ("a", 0, ""),
                ("b", 0, ""),
                ("c", 15, "require = [\"part-a\", \"part-b\"]\n"),
            ],
        ),
    ] {
        let room = nested_groups(settings, &scores);
        let ran = room.run(&["import", "evil", "-o", "out"]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        let problem = fs::read_to_string(room.path("out/problem.toml")).unwrap();
        let (_, subtasks) = problem.split_once("[[subtask]]").unwrap();
        let lines = subtasks.lines().filter(|it| !it.starts_with("folder"));
        let found = lines.collect::<Vec<_>>().join("\n").replace("\n\n", "\n");
        let how = if settings.contains("min") {
            "worst"
        } else {
            "sum"
        };
        let parts = parts
            .map(|(name, points, require)| subtask(&format!("part-{name}"), points, how, require));
        let expected = parts.concat() + &rest;
        assert_eq!(format!("[[subtask]]{found}"), expected.trim_end());
    }
    let unlike = [("a", "accept_score: 15\ngrader_flags: sum\n"), scores[1]];
    refused(
        &nested_groups("reject_score: 1\n", &scores),
        "a score for tests that fail (`reject_score`) is not supported",
    );
    for (settings, scores, reason) in [
        ("grader_flags: max\n", &scores[..], "maximum (`max`)"),
        (
            "grader_flags: min\n",
            &unlike,
            "minimum of groups that may earn a part of their points",
        ),
    ] {
        refused(
            &nested_groups(settings, scores),
            &format!("`data/secret/part`: the score is a {reason}, which is not supported"),
        );
    }
}
