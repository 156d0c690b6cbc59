use serde_json::{Value, json};

use super::*;
use crate::NotOneStudent;
use crate::sample;
use crate::snapshots::{assert_kept, only, written};

/// What `docs/specs.md` says, in the words of JSON Schema.
const SCHEMA: &str = include_str!("../../schema/gradescope.schema.json");

fn file(results: &Results, index: usize, lang: Lang) -> Vec<u8> {
    let results = only(results, &results.students[index].id);
    written(|out| write_gradescope(&results, lang, out))
}

fn value(results: &Results, index: usize) -> Value {
    serde_json::from_slice(&file(results, index, Lang::En)).unwrap()
}

#[test]
fn the_files_are_the_ones_that_are_kept() {
    let results = sample::with_hostile();
    for (index, name) in [
        "full", "mixed", "broken", "open", "close", "absent", "hostile",
    ]
    .iter()
    .enumerate()
    {
        let name = format!("gradescope.{name}.json");
        assert_kept(&name, &file(&results, index, Lang::En));
    }
    assert_kept("gradescope.mixed.zh.json", &file(&results, 1, Lang::Zh));
}

#[test]
fn every_file_keeps_to_the_specification() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let results = sample::with_hostile();
    for index in (0..results.students.len()).filter(|index| *index != 3) {
        let file = value(&results, index);
        let errors: Vec<String> = validator
            .iter_errors(&file)
            .map(|e| e.to_string())
            .collect();
        assert_eq!(errors, Vec::<String>::new());
        let mut wrong = file.clone();
        wrong["tests"][0]["status"] = json!("ok");
        assert!(!validator.is_valid(&wrong));
        let mut wrong = file;
        wrong.as_object_mut().unwrap().remove("score");
        wrong["tests"][0].as_object_mut().unwrap().remove("score");
        assert!(!validator.is_valid(&wrong));
    }
}

#[test]
fn while_points_are_open_there_is_no_number_that_could_be_taken_for_a_score() {
    let file = value(&sample::results(), 3);
    let mut scored = file["tests"].as_array().unwrap().iter();
    assert_eq!(file.get("score"), None);
    assert!(scored.all(|row| row.get("score").is_none() && row.get("max_score").is_none()));
    assert_eq!(
        file["output"],
        "not graded, of 100 points, 0 of 10 bonus points\n\
         There is no score yet: grading failed or was interrupted. This is not your\n\
         program's fault; it will be graded again."
    );
    assert_eq!(file["extra_data"]["graded"], json!(false));
    // Gradescope asks for a score somewhere: such a file counts as a failure of the autograder, which it is.
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let errors = jsonschema::draft202012::new(&schema).unwrap();
    assert_eq!(errors.iter_errors(&file).count(), 1);
}

#[test]
fn the_score_is_the_total_with_the_bonus_and_rows_are_numbered_by_problem() {
    let file = value(&sample::results(), 0);
    assert_eq!(file["score"], json!(110));
    let rows: Vec<(&str, &str, &Value)> = file["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let text = |key: &str| row[key].as_str().unwrap();
            (text("number"), text("name"), &row["score"])
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("1.1", "count: small", &json!(10)),
            ("1.2", "count: medium", &json!(15)),
            ("1.3", "count: large", &json!(10)),
            ("2.1", "board: all", &json!(15)),
            ("3.1", "polynomial: all", &json!(20)),
            ("4.1", "annealing: all", &json!(30)),
            ("5.1", "first-three: all (bonus)", &json!(10)),
        ]
    );
}

#[test]
fn results_of_a_class_or_of_nobody_are_refused() {
    let mut results = sample::results();
    for students in [6, 0] {
        let mut out = Vec::new();
        let error = write_gradescope(&results, Lang::En, &mut out).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        let why = error.into_inner().unwrap();
        assert_eq!(why.downcast_ref(), Some(&NotOneStudent { students }));
        assert_eq!(out, b"");
        results.students.clear();
    }
}
