use std::fs;
use std::path::Path;

use grader_view::Own;
use serde_json::json;

use super::*;
use crate::sample;
use crate::snapshots::{assert_kept, only, written};

/// Set `BITCRAFT_BLESS` to rewrite the schema after a change of the types.
#[test]
fn the_committed_schema_is_the_one_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/results.schema.json");
    let generated = written(|out| write_value(&schema(), out));
    if std::env::var_os("BITCRAFT_BLESS").is_some() {
        fs::write(&path, &generated).unwrap();
    }
    assert!(
        fs::read(&path).unwrap() == generated,
        "run with `BITCRAFT_BLESS` set"
    );
}

#[test]
fn results_for_both_audiences_match_the_schema() {
    let validator = jsonschema::draft202012::new(&schema()).unwrap();
    let results = sample::results();
    let own = Own::of(&results, &results.students[4]);
    for visible in [Visible::Staff(&results), Visible::Student(own)] {
        let mut value = serde_json::from_slice(&written(|out| write_json(&visible, out))).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert_eq!(errors, Vec::<String>::new());
        value["students"][0]["problems"][0]["verdict"] = json!("OK");
        assert!(!validator.is_valid(&value));
    }
}

/// Of the student with the most to show. What students may see is tested in `secrets`.
#[test]
fn a_document_has_every_key() {
    let results = sample::results();
    let close = only(&results, &results.students[4].id);
    assert_kept(
        "results.json",
        &written(|out| write_json(&Visible::Staff(&close), out)),
    );
}
