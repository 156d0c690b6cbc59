use grader_model::Results;

use super::*;
use crate::sample;
use crate::snapshots::{assert_kept, written};

/// What `docs/specs.md` of Gradescope says, in the words of JSON Schema.
const SCHEMA: &str = include_str!("results.schema.json");

fn file(results: &Results, index: usize, lang: Lang) -> Vec<u8> {
    let own = Own::of(results, &results.students[index]);
    written(|out| write_gradescope(&own, lang, out))
}

/// One student of each kind; the fourth has points that are not known.
#[test]
fn the_files_are_the_kept_ones_and_keep_to_the_specification() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let results = sample::with_hostile();
    for (index, name) in [
        "full", "mixed", "broken", "open", "close", "absent", "hostile",
    ]
    .iter()
    .enumerate()
    {
        let file = file(&results, index, Lang::En);
        assert_kept(&format!("gradescope.{name}.json"), &file);
        let value: Value = serde_json::from_slice(&file).unwrap();
        let is_scored = |value: &Value| value.get("score").is_some();
        let rows = value["tests"].as_array().unwrap();
        if *name == "open" {
            // Gradescope asks for a score somewhere: without one the autograder has failed, which it has.
            assert!(!is_scored(&value) && !rows.iter().any(is_scored));
            assert_eq!(validator.iter_errors(&value).count(), 1);
            assert_eq!(value["extra_data"]["graded"], json!(false));
        } else {
            let errors: Vec<String> = validator
                .iter_errors(&value)
                .map(|e| e.to_string())
                .collect();
            assert_eq!(errors, Vec::<String>::new());
            let sum: f64 = rows.iter().filter_map(|row| row["score"].as_f64()).sum();
            assert_eq!(value["score"].as_f64(), Some(sum), "{name}");
        }
    }
    assert_kept("gradescope.mixed.zh.json", &file(&results, 1, Lang::Zh));
}
