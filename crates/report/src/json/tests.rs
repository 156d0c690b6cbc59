use std::fs;
use std::path::Path;

use grader_model::Results;
use grader_view::{Comparison, Own};
use serde_json::json;

use super::*;
use crate::snapshots::{assert_kept, only, written};
use crate::{
    AuditDocument, CheckDocument, DoctorDocument, History, Replay, StressDocument,
    VerificationDocument, sample,
};

/// Set `BITCRAFT_BLESS` to rewrite the schema after a change of the types.
#[test]
fn the_committed_schema_is_the_one_of_the_types() {
    for (name, schema) in [
        ("results", schema::<Results>()),
        ("history", schema::<History>()),
        ("diff", schema::<Comparison>()),
        ("replay", schema::<Replay>()),
        ("check", schema::<CheckDocument>()),
        ("verification", schema::<VerificationDocument>()),
        ("stress", schema::<StressDocument>()),
        ("audit", schema::<AuditDocument>()),
        ("doctor", schema::<DoctorDocument>()),
    ] {
        let path = format!("schema/{name}.schema.json");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let generated = written(|out| write_value(&schema, out));
        if std::env::var_os("BITCRAFT_BLESS").is_some() {
            fs::write(&path, &generated).unwrap();
        }
        assert!(
            fs::read(&path).is_ok_and(|it| it == generated),
            "{name}: run with `BITCRAFT_BLESS` set"
        );
    }
}

#[test]
fn histories_and_comparisons_match_their_schemas() {
    for (kept, schema) in [
        (
            include_str!("../snapshots/history.json"),
            schema::<History>(),
        ),
        (
            include_str!("../snapshots/diff.json"),
            schema::<Comparison>(),
        ),
        (include_str!("../snapshots/replay.json"), schema::<Replay>()),
    ] {
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        let mut value: Value = serde_json::from_str(kept).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert_eq!(errors, Vec::<String>::new());
        assert!(kept.starts_with("{\n  \"format\": "), "{kept}");
        value["format"] = json!("bitcraft-results/3");
        assert!(!validator.is_valid(&value));
    }
}

#[test]
fn results_for_both_audiences_match_the_schema() {
    let validator = jsonschema::draft202012::new(&schema::<Results>()).unwrap();
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
