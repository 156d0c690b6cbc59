use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::*;
use crate::sample;

fn written(results: &Results, audience: Audience) -> Value {
    let shown = audience.view(results).into_owned();
    serde_json::to_value(shown.in_language(Lang::En)).unwrap()
}

fn value(audience: Audience) -> Value {
    written(&sample::results(), audience)
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
            "limit-origin": null,
            "limit-wall-ms": 5000,
            "limit-memory-bytes": 268_435_456,
            "limit-output-bytes": 65536,
            "limit-processes": 1,
            "reference-cpu-ms": 0.4,
            "breach": null,
            "stdout-bytes": 4,
            "stderr-bytes": 0,
            "exit": 0,
            "signal": null,
            "message": "the number of solutions is wrong",
            "hints": ["is every mirrored solution counted twice?"],
            "evidence": [{
                "code": "tokens-differ",
                "message": "token 1 differs",
                "expected": { "text": "352", "before": 0, "after": 0 },
                "found": { "text": "351", "before": 0, "after": 0 },
                "figure": null,
                "staff-only": false
            }],
            "stderr": null,
            "near-limit": false,
            "confirmation": null,
            "attempts": null,
            "share": null,
            "skipped": false
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
                    "place": null,
                    "excerpt": null
                },
                {
                    "message": "73712, the answer of n=13",
                    "place": { "file": "count.c", "line": 3, "column": 21 },
                    "excerpt": { "text": "const long table[] = {73712, 365596};\\x1b", "before": 0, "after": 0 }
                },
                {
                    "message": "365596, the answer of n=14",
                    "place": { "file": "count.c", "line": 3, "column": 28 },
                    "excerpt": { "text": "const long table[] = {73712, 365596};\\x1b", "before": 0, "after": 0 }
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
    document["reference-times"] = json!([]);
    let version = "5e".repeat(32);
    let problem = |id: &str, title: &str, points: u32, bonus: bool| {
        json!({
            "id": id, "title": title, "points": points, "bonus": bonus,
            "version": version
        })
    };
    assert_eq!(
        document,
        json!({
            "format": "bitcraft-results/2",
            "run": { "id": 3, "began": "2026-11-22T05:00:00Z" },
            "assignment": {
                "id": "n-queens",
                "points": 100,
                "bonus": 10,
                "title": "Bit craft and simulated annealing",
                "problems": [
                    problem("count", "Count all solutions", 35, false),
                    problem("board", "Print one solution", 15, false),
                    problem("polynomial", "Local search", 20, false),
                    problem("annealing", "Simulated annealing", 30, false),
                    problem("first-three", "The first three", 10, true)
                ]
            },
            "host": {
                "cpu": "Example CPU 3000",
                "cores": 2,
                "kernel": "Linux 6.1.0",
                "toolchains": {
                    "c": { "version": "gcc 12.2.0", "flags": ["-O2", "-std=gnu17"] },
                    "java": { "version": null, "flags": [] },
                    "python": { "version": "CPython 3.11.2", "flags": [] }
                }
            },
            "isolation": {
                "level": "strict",
                "layers": ["user-namespace", "pid-namespace", "network-namespace", "seccomp", "landlock"],
                "missing": []
            },
            "students": [],
            "unused": [],
            "reference-times": [],
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
        .find(|student| student["points"] == Value::Null)
        .unwrap();
    assert_eq!(student["id"], "s10");
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
            "limit-cpu-ms": null, "limit-origin": null, "limit-wall-ms": null, "limit-memory-bytes": null,
            "limit-output-bytes": null, "limit-processes": null, "reference-cpu-ms": null, "exit": null, "breach": null,
            "stdout-bytes": null, "stderr-bytes": null,
            "signal": null, "message": null, "hints": [], "evidence": [], "stderr": null,
            "near-limit": false, "confirmation": null, "attempts": null, "share": null,
            "skipped": false
        })
    );
    assert_eq!(
        Audience::Student.student(&staff.students[1]).as_ref(),
        &Audience::Student.view(&staff).students[1]
    );
}

#[test]
fn reference_times_are_written_for_staff_and_not_for_students() {
    let reference_times = &value(Audience::Staff)["reference-times"];
    assert_eq!(reference_times.as_array().unwrap().len(), 4);
    assert_eq!(
        reference_times[2],
        json!({
            "problem": "count", "subtask": "large", "case": "n=17", "cpu-ms": 3050,
            "largest-cpu-ms": 3294, "samples": 4
        })
    );
    assert_eq!(value(Audience::Student)["reference-times"], json!([]));
}

#[test]
fn what_stands_behind_a_verdict_is_written_with_every_key() {
    let document = value(Audience::Staff);
    let problems = &document["students"][4]["problems"];
    let count = &problems[0]["subtasks"][1]["cases"];
    assert_eq!(
        count[1]["confirmation"],
        json!({
            "runs-ms": [6300, 6410, 6350], "references-ms": [2110, 2130, 2120],
            "limits-ms": [6330, 6390, 6360], "resolved": false
        })
    );
    assert_eq!(
        count[1]["limit-origin"],
        json!({
            "kind": "reference", "factor": 3.0, "reference-ms": 2110, "case": { "is": "own" },
            "language-factor": 1.0, "start-up-ms": 0, "slack-ms": 0
        })
    );
    assert_eq!(count[3]["share"], json!(60.0));
    let polynomial = &problems[2]["subtasks"];
    assert_eq!(
        polynomial[1]["message"],
        "its time grows too fast: about n^3 (95 %: 2.95 to 3.05); at most n^2.5 passes"
    );
    assert_eq!(
        polynomial[1]["growth"],
        json!({
            "over": "n",
            "at-most": 2.5,
            "startup-ms": 0.7,
            "points": [
                { "size": 100.0, "cpu-ms": 8, "kind": "measured" },
                { "size": 200.0, "cpu-ms": 64, "kind": "measured" },
                { "size": 400.0, "cpu-ms": 512, "kind": "measured" },
                { "size": 800.0, "cpu-ms": 4096, "kind": "measured" }
            ],
            "fit": { "exponent": 3.0, "low": 2.95, "high": 3.05, "factor": 5e-7 },
            "stopped": null,
            "verdict": "too-fast"
        })
    );
    assert_eq!(polynomial[1]["cases"][4]["skipped"], json!(true));
    assert_eq!(polynomial[2]["growth"]["fit"], Value::Null);
    assert_eq!(
        problems[3]["subtasks"][0]["cases"][1]["attempts"],
        json!({
            "runs": 12, "at-least": 3, "made": 12, "accepted": 1, "outputs": 12, "seconds": 1
        })
    );
}

#[test]
fn who_a_student_is_is_told_to_both_and_where_results_come_from_only_to_staff() {
    let document = value(Audience::Staff);
    let students = &document["students"];
    assert_eq!(
        students[0]["person"],
        json!({
            "name": "Ada Lovelace",
            "email": "ada@example.org",
            "ids": { "canvas": "501", "moodle": "12345" }
        })
    );
    assert_eq!(students[2]["person"], Value::Null);
    assert_eq!(
        students[4]["notes"],
        json!(["the second of two attempts; it came late"])
    );
    let origin = |student: usize, problem: usize| &students[student]["problems"][problem]["origin"];
    assert_eq!(*origin(0, 0), json!({ "kind": "reused", "run": 2 }));
    assert_eq!(
        *origin(1, 0),
        json!({ "kind": "ran", "because": ["sources", "judging"] })
    );
    assert_eq!(*origin(4, 0), json!({ "kind": "reused", "run": 2 }));
    assert_eq!(*origin(5, 0), Value::Null);
    let reduced = value(Audience::Student);
    assert_eq!(reduced["run"], Value::Null);
    assert_eq!(reduced["students"][0]["person"], students[0]["person"]);
    assert_eq!(reduced["students"][4]["notes"], students[4]["notes"]);
    assert_eq!(reduced["students"][0]["problems"][0]["origin"], Value::Null);
}
