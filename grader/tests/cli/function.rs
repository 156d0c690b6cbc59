//! A task that asks for a function: files of the author are built with each submission, cases come from a folder, a
//! sample earns nothing, and a rule refuses sources.

use crate::harness::{Room, have, problem, student};

#[test]
fn the_authors_files_are_built_with_a_submission_and_cannot_be_replaced() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let room = Room::new().fixture("function", ".");
    let (status, results) = room.json(&["grade", "class", "-a", ".", "--format", "json"]);
    assert_eq!(status, 0);
    let row = |id: &str| {
        let problem = problem(student(&results, id), "double");
        let subtasks = problem["subtasks"].as_array().unwrap().iter();
        let cases = subtasks.flat_map(|it| it["cases"].as_array().unwrap());
        let cases: Vec<String> = cases
            .map(|case| format!("{} {}", case["name"], case["verdict"]).replace('"', ""))
            .collect();
        let message = problem["message"].as_str().unwrap_or_default();
        format!("{} {}: {}", problem["points"], cases.join(", "), message)
    };
    assert_eq!(
        ["right-c", "right-py", "replaces", "refused", "whole"].map(row),
        [
            "4 one AC, 2 AC, 9 AC, 10 AC: ",
            "4 one AC, 2 AC, 9 AC, 10 AC: ",
            "2.67 one AC, 2 AC, 9 AC, 10 WA: ",
            "0 one CE, 2 CE, 9 CE, 10 CE: refused: the source has `goto`, which it should not: use a loop (double.c:1:25)",
            "0 one CE, 2 CE, 9 CE, 10 CE: does not compile",
        ]
    );
}
