//! The bundled class, against the page that says what it earns.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::harness::{Room, have, problem, repository, student};

/// The rows of the table "Totals" of `class.expected.md`: a student's points for each problem, the total and the
/// bonus; a dash is nothing handed in, and worth nothing.
fn expected() -> BTreeMap<String, Vec<f64>> {
    let page = repository().join("grader/examples/class.expected.md");
    let page = std::fs::read_to_string(page).unwrap();
    let table = page.split("## Totals").nth(1).unwrap();
    let table = table.split("## ").next().unwrap();
    table
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let mut cells = line.trim_matches('|').split('|').map(str::trim);
            let id = cells.next().unwrap().trim_matches('`').to_owned();
            let points = cells.map(|cell| cell.parse().unwrap_or(0.0)).collect();
            (id, points)
        })
        .collect()
}

fn found(student: &Value) -> Vec<f64> {
    let of = |id: &str| problem(student, id)["points"].as_f64().unwrap();
    vec![
        of("count"),
        of("board"),
        of("polynomial"),
        of("annealing"),
        student["points"].as_f64().unwrap(),
        student["bonus"].as_f64().unwrap(),
    ]
}

/// The results of the class. It is graded for real: some minutes of processor time, nearly all of it in the students'
/// programs. Where `BITCRAFT_GRADED_CLASS` names a ledger its last run is taken instead, as `.ci/run` does after the
/// README's command has graded the class. Nothing on a machine without the six languages.
fn results() -> Option<Value> {
    if let Some(ledger) = std::env::var_os("BITCRAFT_GRADED_CLASS") {
        let ledger = ledger.to_str().unwrap();
        let (status, results) = Room::new().json(&["report", ledger, "--format", "json"]);
        assert_eq!(status, 0);
        return Some(results);
    }
    if !have(&["gcc", "g++", "rustc", "javac", "java", "fpc", "python3"]) {
        return None;
    }
    let room = Room::new().copy("grader/examples/class", "class");
    let (status, results) = room.json(&["grade", "class", "--format", "json"]);
    assert_eq!(status, 0);
    Some(results)
}

#[test]
fn the_bundled_class_earns_what_its_page_says() {
    let Some(results) = results() else {
        return;
    };
    let all: BTreeMap<String, Vec<f64>> = results["students"]
        .as_array()
        .unwrap()
        .iter()
        .map(|student| (student["id"].as_str().unwrap().to_owned(), found(student)))
        .collect();
    assert!(all.len() >= 15);
    assert_eq!(all, expected());

    // Full marks are exactly that, and an empty folder is exactly nothing.
    let points = |id: &str| {
        let student = student(&results, id);
        (student["points"].clone(), student["bonus"].clone())
    };
    assert_eq!(points("s01-lin-xia"), (json!(100), json!(10)));
    assert_eq!(points("s08-empty"), (json!(0), json!(0)));
    let empty = student(&results, "s08-empty");
    assert_eq!(empty["nothing-handed-in"], true);
    for problem in empty["problems"].as_array().unwrap() {
        assert_eq!(problem["message"], "nothing handed in");
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
    // The fields of section 8 of the design.
    for pointer in [
        "/format",
        "/assignment/id",
        "/assignment/points",
        "/assignment/bonus",
        "/host/cpu",
        "/host/cores",
        "/host/kernel",
        "/host/toolchains/c",
        "/isolation/level",
        "/isolation/layers",
        "/isolation/missing",
    ] {
        assert!(results.pointer(pointer).is_some(), "{pointer}");
    }
    let problem = problem(student(results, "s01-lin-xia"), "count");
    for pointer in [
        "/id",
        "/points",
        "/max-points",
        "/verdict",
        "/language",
        "/files",
        "/flags",
        "/subtasks/0/name",
        "/subtasks/0/points",
        "/subtasks/0/max-points",
        "/subtasks/0/verdict",
        "/subtasks/0/cases/0/name",
        "/subtasks/0/cases/0/verdict",
        "/subtasks/0/cases/0/cpu-ms",
        "/subtasks/0/cases/0/wall-ms",
        "/subtasks/0/cases/0/memory-kib",
        "/subtasks/0/cases/0/limit-cpu-ms",
        "/subtasks/0/cases/0/exit",
        "/subtasks/0/cases/0/signal",
        "/subtasks/0/cases/0/message",
        "/subtasks/0/cases/0/near-limit",
    ] {
        assert!(problem.pointer(pointer).is_some(), "{pointer}");
    }
}

#[test]
fn what_two_references_have_in_common_is_the_same_in_both() {
    for file in ["random.rs", "legality.rs", "line.rs"] {
        let read = |task: &str| {
            let path = repository()
                .join("reference")
                .join(task)
                .join("src")
                .join(file);
            std::fs::read_to_string(path).unwrap()
        };
        assert_eq!(read("annealing"), read("polynomial"), "{file}");
    }
}
