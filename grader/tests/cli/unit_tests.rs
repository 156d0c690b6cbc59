//! Unit tests as cases: harnesses in the student's process and in one of their own, and what students can forge.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

use crate::docs;
use crate::harness::{Room, have, is_nightly, names, repository, strict};

/// The page that says what students can forge.
const PAGE: &str = "docs/unit-tests.md";

/// The pages whose tasks are graded here: each has one, in this folder, and it is a template. Here it has this id.
const TASKS: [(&str, &str, &str, &str); 3] = [
    ("docs/pytest.md", "week-1/stack/", "pytest/stack", "stack"),
    ("docs/junit.md", "week-1/stack/", "junit/stack", "jstack"),
    (
        "docs/separate-tests.md",
        "week-1/gcd/",
        "pytest-separate/gcd",
        "gcd",
    ),
];

/// What the pages on unit tests say.
pub(crate) fn pages() -> String {
    let pages = TASKS.iter().map(|task| task.0).chain([PAGE]);
    let read = |page| fs::read_to_string(repository().join(page)).unwrap();
    pages.map(read).collect()
}

/// The search path on which the system's Python comes first: it has the system's pytest.
pub(crate) fn search_path() -> String {
    let path = env::var("PATH").unwrap_or_default();
    format!("/usr/bin:/bin:{path}")
}

/// Whether the frameworks of the page are installed; prints which one is not.
pub(crate) fn have_frameworks() -> bool {
    let mut python = Command::new("/usr/bin/python3");
    let has_pytest = python.args(["-c", "import pytest"]).output();
    let has_pytest = has_pytest.is_ok_and(|ran| ran.status.success());
    let library = "/usr/share/java/junit-platform-console-standalone.jar";
    for (framework, is_here) in [
        ("pytest", has_pytest),
        ("JUnit", Path::new(library).exists()),
    ] {
        if !is_here {
            eprintln!("skipped: {framework} is not installed");
            return false;
        }
    }
    have(&["gcc", "javac", "java"])
}

/// A room with the tasks of the pages, in one assignment.
pub(crate) fn room() -> Room {
    let mut room = Room::new().env("PATH", &search_path());
    let mut languages = String::new();
    for (page, folder, _, id) in TASKS {
        for (path, text) in docs::files(page) {
            let Some(file) = path.strip_prefix(folder) else {
                languages += languages_of(&text);
                continue;
            };
            let text = match file {
                "problem.toml" => text
                    .replace("id = \"stack\"", &format!("id = \"{id}\""))
                    .replace("[\"stack\", ", &format!("[\"{id}\", ")),
                _ => text,
            };
            room = room.file(&format!("tests/{id}/{file}"), text);
        }
    }
    let head = "format = 1\nid = \"tests\"\ntitle = \"Tests\"\n";
    let problems = [("stack", 10), ("jstack", 10), ("gcd", 5)];
    let problems =
        problems.map(|(id, points)| format!("[[problem]]\npath = \"{id}\"\npoints = {points}\n"));
    let assignment = format!("{head}{languages}{}", problems.concat());
    room.file("tests/assignment.toml", assignment)
}

/// The settings of languages in an assignment.
fn languages_of(assignment: &str) -> &str {
    let start = assignment.find("[languages").unwrap();
    &assignment[start..assignment.find("[[problem").unwrap()]
}

/// What became of an attempt: `possible` if it earned points.
fn fate(problem: &Value) -> &'static str {
    let flags = problem["flags"].as_array().unwrap();
    match problem["points"].as_f64() {
        Some(0.0) if flags.is_empty() => "refused",
        Some(0.0) => "flagged",
        Some(_) => "possible",
        None => "open",
    }
}

/// With `BITCRAFT_BLESS=1`, the table of the page is written.
#[test]
fn attempts_to_forge_results_end_as_the_page_says() {
    if !strict() || !have_frameworks() {
        return;
    }
    let problems = [("pytest", "stack"), ("junit", "jstack"), ("safe", "gcd")];
    let mut room = room();
    let folder = |kind| format!("grader/tests/fixtures/forging/{kind}");
    let attempts = |kind| names(&repository().join(folder(kind)));
    // Each starts two virtual machines.
    let step = if is_nightly() { 1 } else { 8 };
    let chosen: Vec<String> = attempts("safe").into_iter().step_by(step).collect();
    for (kind, _) in problems {
        assert_eq!(attempts(kind), attempts("safe"));
        for attempt in &chosen {
            let from = format!("{}/{attempt}", folder(kind));
            room = room.copy(&from, &format!("class/{attempt}"));
        }
    }
    let (_, results) = room.json(&["grade", "class", "-a", "./tests", "--json", "-"]);
    let text = fs::read_to_string(repository().join(PAGE)).unwrap();
    let mut rows = 0;
    let found = text.split_inclusive('\n').map(|line| {
        let name = line
            .strip_prefix("| `")
            .and_then(|rest| rest.split_once('`'));
        let students = results["students"].as_array().unwrap().iter();
        let student = students
            .clone()
            .find(|it| Some(it["id"].as_str().unwrap()) == name.map(|it| it.0));
        let Some(student) = student else {
            return line.to_owned();
        };
        rows += 1;
        let problems = student["problems"].as_array().unwrap();
        let fates = problems.iter().map(fate).collect::<Vec<_>>().join(" | ");
        let cells: Vec<&str> = line.splitn(3, '|').collect();
        format!("|{}| {fates} |\n", cells[1])
    });
    let found: String = found.collect();
    assert_eq!(rows, chosen.len());
    if env::var_os("BITCRAFT_BLESS").is_some() {
        fs::write(repository().join(PAGE), found).unwrap();
    } else {
        assert!(found == text, "{found}");
    }
}

#[test]
fn the_tasks_of_the_pages_are_templates() {
    let templates = repository().join("grader/templates");
    let read = |path: &str| fs::read_to_string(templates.join(path)).unwrap();
    for (page, folder, template, _) in TASKS {
        let mut count = 0;
        // The templates have no projects.
        let files = docs::files(page).into_iter();
        for (path, text) in files.filter(|(path, _)| !path.contains("/accepted/project/")) {
            let file = match path.strip_prefix(folder) {
                Some(file) => format!("{template}/{file}"),
                None => template.replace("/stack", "/assignment.toml"),
            };
            assert_eq!(read(&file), text, "{page}: {path}");
            count += 1;
        }
        assert!(count >= 5, "{page}");
    }
}

/// A harness that reports what JUnit 5 and pytest call the runs of tests with parameters and repetitions.
const RUNS: &str = r#"import sys
from sums import add
runs = [
    ("T", "push()", True), ("T", "works(int)[1]", True), ("T", "works(int)[2]", add(1, 2) == 3), ("T", "again()", True),
    ("T", "again()", True), ("T", "again()", add(0, 0) == 0), ("tests", "test_add[1-2]", True), ("tests", "test_add[3-4]", add(3, 4) == 7),
]
with open("report.xml", "w") as out:
    out.write("<testsuite>")
    for name, test, passed in runs:
        out.write(f'<testcase classname="{name}" name="{test}">' + ("" if passed else '<failure message="no"/>') + "</testcase>")
    out.write("</testsuite>")
"#;

#[test]
fn a_test_with_parameters_or_repetitions_counts_with_all_of_its_runs() {
    if !have(&["python3"]) {
        return;
    }
    let problem = r#"format = 1
id = "sums"
title = "Sums"
[submission]
file = "sums.py"
include = ["main.py"]
[run]
report = "junit"
[[subtask]]
name = "named"
points = 6
tests = ["push()", "T.works()", "again", "T.works(int)[1]", "test_add", "tests.test_add[3-4]"]
[[subtask]]
name = "all"
points = 8
case = [{ name = "class", test = "T.*", count = 6 }, { name = "parameters", test = "test_add[?-?]", count = 2 }]
"#;
    let room = Room::new()
        .file(
            "lab/assignment.toml",
            "format = 1\nid = \"lab\"\ntitle = \"Lab\"\n[[problem]]\npath = \"sums\"\npoints = 14\n",
        )
        .file("lab/sums/problem.toml", problem)
        .file("lab/sums/main.py", RUNS)
        .file("class/ada/sums.py", "def add(a, b):\n    return a + b\n")
        .file("class/bob/sums.py", "def add(a, b):\n    return a * b\n")
        .file(
            "lab/sums/submissions/accepted/sums.py",
            "def add(a, b):\n    return b + a\n",
        );
    let (status, results) = room.json(&["grade", "class", "-a", "./lab", "--json", "-"]);
    let rows = ["ada", "bob"].map(|id| {
        let problem = crate::harness::problem(crate::harness::student(&results, id), "sums");
        let subtasks = problem["subtasks"].as_array().unwrap().iter();
        let cases = subtasks.flat_map(|it| it["cases"].as_array().unwrap());
        let cases: Vec<_> = cases
            .map(|it| format!("{} {}", it["name"], it["verdict"]))
            .collect();
        format!("{} {}", problem["points"], cases.join(", ")).replace('"', "")
    });
    assert_eq!(status, 0);
    assert_eq!(
        rows,
        [
            "14 push() AC, T.works() AC, again AC, T.works(int)[1] AC, test_add AC, tests.test_add[3-4] AC, class AC, parameters AC",
            "8.33 push() AC, T.works() WA, again AC, T.works(int)[1] AC, test_add WA, tests.test_add[3-4] WA, class PC, parameters PC",
        ]
    );
}
