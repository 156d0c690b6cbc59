//! Two classes for the n-queens assignment, graded for real, against the pages with what they earn: the example of the
//! README, and a larger one with the mess that real classes submit.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::harness::{Room, have, is_nightly, problem, repository, student};

/// The rows of the table "Totals" of a page: a student's points for each problem, the total and the bonus. A dash means
/// that nothing was submitted, and is worth nothing; `?` means that it is not scored yet.
fn expected(page: &str) -> BTreeMap<String, Vec<Option<f64>>> {
    let page = std::fs::read_to_string(repository().join(page)).unwrap();
    let table = page.split("## Totals").nth(1).unwrap();
    let table = table.split("## ").next().unwrap();
    table
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let mut cells = line.trim_matches('|').split('|').map(str::trim);
            let id = cells.next().unwrap().trim_matches('`').to_owned();
            let points = cells.map(|cell| (cell != "?").then(|| cell.parse().unwrap_or(0.0)));
            (id, points.collect())
        })
        .collect()
}

fn found(student: &Value) -> Vec<Option<f64>> {
    let of = |id: &str| problem(student, id)["points"].as_f64();
    vec![
        of("count"),
        of("board"),
        of("polynomial"),
        of("annealing"),
        student["points"].as_f64(),
        student["bonus"].as_f64(),
    ]
}

fn earned(results: &Value) -> BTreeMap<String, Vec<Option<f64>>> {
    let students = results["students"].as_array().unwrap().iter();
    students
        .map(|student| (student["id"].as_str().unwrap().to_owned(), found(student)))
        .collect()
}

/// Grades a class. The exit status is 3 if something is not scored yet, which a person decides.
fn graded(class: &str, options: &[&str], is_open: bool) -> Value {
    let room = Room::new().copy(class, "class");
    let grade = ["grade", "class", "-a", "n-queens", "--json", "-"];
    let (status, results) = room.json(&[&grade, options].concat());
    assert_eq!(status, if is_open { 3 } else { 0 }, "{results:#}");
    results
}

#[test]
fn the_example_class_earns_what_its_page_says() {
    if !have(&["gcc", "g++", "rustc", "python3"]) {
        return;
    }
    let results = graded("grader/examples/class", &[], false);
    let all = earned(&results);
    assert_eq!(all.len(), 8);
    assert_eq!(all, expected("grader/examples/class.expected.md"));

    // What the README shows of it.
    let verdict = |id: &str, task: &str| problem(student(&results, id), task)["verdict"].clone();
    assert_eq!(verdict("s02-zhao-yi", "board"), "WA");
    assert_eq!(verdict("s03-he-tao", "annealing"), "CE");
    assert_eq!(verdict("s04-sun-li", "count"), "RE");
    assert_eq!(student(&results, "s07-gu-wen")["nothing-submitted"], true);
    assert_eq!(verdict("s02-zhao-yi", "first-three"), "TLE");
    let flags = |id: &str| -> Vec<String> {
        let problems = student(&results, id)["problems"].as_array().unwrap();
        let flags = problems
            .iter()
            .flat_map(|problem| problem["flags"].as_array().unwrap());
        flags
            .map(|flag| flag["code"].as_str().unwrap().to_owned())
            .collect()
    };
    for id in all.keys() {
        let expected: &[&str] = match id.as_str() {
            "s06-kong-yue" => &[
                "required-token-missing",
                "answers-in-source",
                "faster-than-known",
                "time-does-not-grow",
            ],
            _ => &[],
        };
        assert_eq!(flags(id), expected, "{id}");
    }
}

#[test]
fn the_messy_class_earns_what_its_page_says() {
    if !have(&["gcc", "g++", "rustc", "javac", "java", "fpc", "python3"]) {
        return;
    }
    // All problems take minutes. One shows that each student's files are found.
    let options: &[&str] = if is_nightly() {
        &[]
    } else {
        &["--problem", "board"]
    };
    let results = graded("grader/tests/classes/messy", options, is_nightly());
    let expected = expected("grader/tests/classes/messy.expected.md");
    assert_eq!(expected.len(), 17);
    // Full marks are exactly that, and an empty folder is exactly nothing.
    let points = |id: &str| {
        let student = student(&results, id);
        (student["points"].clone(), student["bonus"].clone())
    };
    assert_eq!(points("s08-empty"), (json!(0), json!(0)));
    if is_nightly() {
        assert_eq!(earned(&results), expected);
        assert_eq!(points("s01-lin-xia"), (json!(100), json!(10)));
    } else {
        let students = results["students"].as_array().unwrap();
        let earned = students.iter().map(|student| {
            let points = student["points"].as_f64();
            (student["id"].as_str().unwrap().to_owned(), points)
        });
        let board = expected.into_iter().map(|(id, points)| (id, points[1]));
        assert_eq!(earned.collect::<BTreeMap<_, _>>(), board.collect());
    }
    let empty = student(&results, "s08-empty");
    assert_eq!(empty["nothing-submitted"], true);
    for problem in empty["problems"].as_array().unwrap() {
        assert_eq!(problem["message"], "nothing submitted");
    }
    keeps_to_its_schema(&results);
}

fn keeps_to_its_schema(results: &Value) {
    let schema: Value =
        serde_json::from_str(&Room::new().run(&["schema", "results"]).stdout).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(results)
        .map(|error| error.to_string())
        .collect();
    assert_eq!(errors, Vec::<String>::new());
    // The keys that outside readers rely on.
    let problem = problem(student(results, "s01-lin-xia"), "board");
    for pointer in [
        "/id",
        "/points",
        "/max-points",
        "/verdict",
        "/flags",
        "/subtasks/0/cases/0/name",
        "/subtasks/0/cases/0/verdict",
        "/subtasks/0/cases/0/outcome/cpu-ms",
        "/subtasks/0/cases/0/message",
    ] {
        assert!(problem.pointer(pointer).is_some(), "{pointer}");
    }
}
