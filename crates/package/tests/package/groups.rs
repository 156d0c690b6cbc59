//! How the scores of test groups of Kattis and DOMjudge become points of subtasks.

use crate::common::{Imported, PYPY, Package, refused};

/// The points of the subtasks of a package that has two groups of two tests, and this source as its only submission.
fn worth_of_groups(source: &str) -> Vec<(String, f64)> {
    let mut package = Package::new()
        .file("problem.yaml", "name: Sum\ntype: scoring\n")
        .file(
            "data/testdata.yaml",
            "grader_flags: sum\non_reject: continue\n",
        )
        .file("submissions/accepted/a.py", source);
    for (group, score) in [("one", 10), ("two", 30)] {
        let settings = format!("accept_score: {score}\n");
        package = package.file(&format!("data/secret/{group}/testdata.yaml"), settings);
        for test in 1..3 {
            package = package.test(&format!("secret/{group}/{test}"), "1");
        }
    }
    worth_of_subtasks(&package.imported(&[PYPY]))
}

/// How the subtasks are scored, and their points.
fn worth_of_subtasks(imported: &Imported) -> Vec<(String, f64)> {
    let table = imported.table();
    let worth = table["subtask"].as_array().unwrap().iter().map(|it| {
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
    let package = Package::of(&[
        (
            "problem.yaml",
            "problem_format_version: 2025-09\nname: Sum\ntype: scoring\n",
        ),
        ("data/secret/test_group.yaml", "score_aggregation: sum\n"),
        ("data/secret/one/test_group.yaml", "max_score: 40\n"),
        // As in 2023-07.
        (
            "data/secret/two/testdata.yaml",
            "scoring: {score: 60, aggregation: min}\n",
        ),
    ]);
    let package = package.test("secret/one/1", "1").test("secret/two/1", "1");
    assert_eq!(
        worth_of_subtasks(&package.imported(&[NO_LIMIT])),
        [("all".to_owned(), 40.0), ("worst".to_owned(), 60.0)]
    );
}

/// A package whose group `secret` has groups of one test with these scores, and another with a test of its own.
fn nested_groups(settings: &str, scores: &[(&str, &str)]) -> Package {
    let mut package = Package::of(&[
        ("problem.yaml", "name: Sum\ntype: scoring\n"),
        ("data/testdata.yaml", "on_reject: continue\n"),
        ("data/secret/part/testdata.yaml", settings),
        ("data/secret/rest/testdata.yaml", "accept_score: 10\n"),
    ])
    .test("secret/rest/1", "1");
    for (group, settings) in scores {
        package = package
            .file(&format!("data/secret/part/{group}/testdata.yaml"), settings)
            .test(&format!("secret/part/{group}/1"), "1");
    }
    package
}

#[test]
fn mean_and_minimum_of_groups_are_points_of_subtasks_or_refused() {
    let scores = [
        ("a", "accept_score: 15\n"),
        ("b", "accept_score: 30\n"),
        ("c", "accept_score: 45\n"),
    ];
    let subtask = |name: &str, points: u32, score: &str, require: &str| {
        let folder = name.replace('-', "/");
        format!(
            "name = \"{name}\"\npoints = {points}\nscore = \"{score}\"\n{require}hidden = true\nfolder = \"data/secret/{folder}\"\n"
        )
    };
    for (settings, how, parts) in [
        (
            "grader_flags: avg\n",
            "sum",
            [("a", 5, ""), ("b", 10, ""), ("c", 15, "")],
        ),
        (
            "grader_flags: min\n",
            "worst",
            [
                ("a", 0, ""),
                ("b", 0, ""),
                ("c", 15, "require = [\"part-a\", \"part-b\"]\n"),
            ],
        ),
    ] {
        let imported = nested_groups(settings, &scores).imported(&[NO_LIMIT]);
        let parts = parts
            .map(|(name, points, require)| subtask(&format!("part-{name}"), points, how, require));
        let rest = subtask("rest", 10, "sum", "");
        let expected = [&parts[..], &[rest]].concat();
        assert_eq!(imported.subtasks(), expected.join("\n[[subtask]]\n"));
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

/// A note on these packages.
const NO_LIMIT: &str =
    "no accepted submission to derive the time limit from: `[limits]` has 2 s; adjust it";
