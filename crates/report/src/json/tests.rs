use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::sample;

fn value(audience: Audience) -> Value {
    serde_json::to_value(document(&sample::results(), audience)).unwrap()
}

/// Set `BITCRAFT_BLESS` to write the schema anew after a change of the types.
#[test]
fn the_committed_schema_is_the_one_that_the_types_give() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/results.schema.json");
    let mut generated = Vec::new();
    write_value(&schema(), &mut generated).unwrap();
    let generated = String::from_utf8(generated).unwrap();
    if std::env::var_os("BITCRAFT_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &generated).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), generated);
}

#[test]
fn documents_of_both_audiences_keep_to_the_schema() {
    let validator = jsonschema::draft202012::new(&schema()).unwrap();
    for audience in [Audience::Staff, Audience::Student] {
        let document = value(audience);
        let errors: Vec<String> = validator
            .iter_errors(&document)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert_eq!(errors, Vec::<String>::new());
    }
    let mut wrong = value(Audience::Staff);
    wrong["students"][0]["problems"][0]["verdict"] = json!("OK");
    assert!(!validator.is_valid(&wrong));
}

#[test]
fn a_case_is_written_with_every_key() {
    let document = value(Audience::Staff);
    assert_eq!(
        document["students"][1]["problems"][0]["subtasks"][1]["cases"][0],
        json!({
            "name": "n=9",
            "verdict": "WA",
            "cpu-ms": 1.25,
            "wall-ms": 2.25,
            "memory-kib": 1229,
            "limit-cpu-ms": 1000,
            "limit-wall-ms": 5000,
            "yardstick-cpu-ms": 0.4,
            "exit": 0,
            "signal": null,
            "message": "the number of solutions is wrong",
            "hints": ["is every mirrored solution counted twice?"],
            "evidence": [{
                "code": "tokens-differ",
                "message": "token 1 differs",
                "expected": "352",
                "found": "351",
                "figure": null
            }],
            "stderr": null,
            "near-limit": false
        })
    );
}

#[test]
fn a_flag_is_written_with_its_evidence_for_staff_and_not_for_students() {
    assert_eq!(
        value(Audience::Staff)["students"][0]["problems"][0]["flags"],
        json!([{
            "code": "faster-than-enumeration",
            "message": "answers n=16 suspiciously fast: 0.9 ms, where counting takes 230 ms",
            "evidence": [
                {
                    "message": "n=16: 0.9 ms of CPU time",
                    "file": null,
                    "line": null,
                    "column": null,
                    "excerpt": null
                },
                {
                    "message": "73712, the answer of n=13",
                    "file": "count.c",
                    "line": 3,
                    "column": 21,
                    "excerpt": "const long table[] = {73712, 365596};\\x1b"
                },
                {
                    "message": "365596, the answer of n=14",
                    "file": "count.c",
                    "line": 3,
                    "column": 28,
                    "excerpt": "const long table[] = {73712, 365596};\\x1b"
                }
            ]
        }])
    );
    let document = value(Audience::Student);
    for student in document["students"].as_array().unwrap() {
        for problem in student["problems"].as_array().unwrap() {
            assert_eq!(problem["flags"], json!([]));
        }
    }
    assert!(!document.to_string().contains("the answer of"));
}

#[test]
fn the_head_of_the_document_has_the_shape_of_the_design() {
    let mut document = value(Audience::Staff);
    document["students"] = json!([]);
    assert_eq!(
        document,
        json!({
            "format": "bitcraft-results/1",
            "assignment": {
                "id": "n-queens",
                "points": 100,
                "bonus": 10,
                "title": "Bit craft and simulated annealing",
                "problems": [
                    { "id": "count", "title": "Count all solutions", "points": 35, "bonus": false },
                    { "id": "board", "title": "Print one solution", "points": 15, "bonus": false },
                    { "id": "polynomial", "title": "Local search", "points": 20, "bonus": false },
                    { "id": "annealing", "title": "Simulated annealing", "points": 30, "bonus": false },
                    { "id": "first-three", "title": "The first three", "points": 10, "bonus": true }
                ]
            },
            "host": {
                "cpu": "Example CPU 3000",
                "cores": 2,
                "kernel": "Linux 6.1.0",
                "toolchains": { "c": "gcc 12.2.0 -O2 -std=gnu17", "java": "not installed", "python": "CPython 3.11.2" }
            },
            "isolation": {
                "level": "strict",
                "layers": ["user-namespace", "pid-namespace", "network-namespace", "seccomp", "landlock"],
                "missing": []
            },
            "students": [],
            "unused": [],
            "interrupted": false
        })
    );
}

#[test]
fn a_student_who_is_not_graded_has_no_points() {
    let document = value(Audience::Staff);
    let student = document["students"]
        .as_array()
        .unwrap()
        .iter()
        .find(|student| student["graded"] == json!(false))
        .unwrap();
    assert_eq!(student["id"], "s10");
    assert_eq!(student["points"], Value::Null);
}

#[test]
fn a_student_learns_nothing_about_hidden_cases_but_their_verdicts() {
    let staff = sample::results();
    let hidden_words = ["n=12", "14200", "suspiciously", "73712", "Example CPU"];
    let whole = value(Audience::Staff).to_string();
    let reduced = value(Audience::Student).to_string();
    for word in hidden_words {
        assert!(whole.contains(word), "{word}");
        assert!(!reduced.contains(word), "{word}");
    }
    let document = value(Audience::Student);
    let subtask = &document["students"][1]["problems"][0]["subtasks"][2];
    assert_eq!(subtask["points"], json!(0));
    assert_eq!(
        subtask["cases"][0],
        json!({
            "name": "#1", "verdict": "WA", "cpu-ms": null, "wall-ms": null, "memory-kib": null,
            "limit-cpu-ms": null, "limit-wall-ms": null, "yardstick-cpu-ms": null, "exit": null,
            "signal": null, "message": null, "hints": [], "evidence": [], "stderr": null,
            "near-limit": false
        })
    );
    assert_eq!(
        Audience::Student.student(&staff.students[1]).as_ref(),
        &Audience::Student.view(&staff).students[1]
    );
}
