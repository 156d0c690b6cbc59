use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use grader_model::AssignmentId;
use serde_json::json;

use super::*;
use crate::snapshots::{assert_kept, written};

const HOSTILE: &[u8] = b"/home/\x1b[2J\x1b]0;x\x07\r\n\t\0\"\\\xff\xc3/\xe2\x80\xae\xc2\x9b31m\xe2\x80\x8b=1+1 \xe6\x9d\x8e\xe9\x9b\xb7<b>";

fn summary(id: u64, state: RunState) -> RunSummary {
    RunSummary {
        id,
        began: format!("2026-11-22T05:2{id}:00Z"),
        ended: None,
        state,
        class: PathBuf::from("/home/teacher/class-a"),
        assignment: AssignmentId::new("n-queens"),
        grader: "0.1.0".to_owned(),
        students: 500,
        judged: 2400,
        reused: 70,
        faults: 10,
    }
}

/// The runs of a ledger into which anybody may have written anything.
fn runs() -> Vec<RunSummary> {
    let hostile = String::from_utf8_lossy(HOSTILE).into_owned();
    vec![
        RunSummary {
            ended: Some("2026-11-22T06:00:07Z".to_owned()),
            ..summary(1, RunState::Finished)
        },
        RunSummary {
            began: hostile.clone(),
            ended: Some(hostile.clone()),
            class: PathBuf::from(OsStr::from_bytes(HOSTILE)),
            assignment: AssignmentId::new(hostile.clone()),
            grader: hostile,
            ..summary(2, RunState::Interrupted)
        },
        RunSummary {
            students: 0,
            judged: 0,
            reused: 0,
            faults: 0,
            ..summary(3, RunState::Killed)
        },
        summary(4, RunState::Running),
    ]
}

#[test]
fn the_document_is_the_one_that_is_kept_and_every_line_of_it_can_be_printed() {
    let document = written(|out| history_json(&runs(), out));
    for line in std::str::from_utf8(&document).unwrap().lines() {
        assert_eq!(safe(line), line);
    }
    assert_kept("history.json", &document);
}

/// Set `BITCRAFT_BLESS` to write the schema anew after a change of the types.
#[test]
fn the_committed_schema_is_the_one_that_the_types_give() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/history.schema.json");
    let generated = written(|out| write_value(&history_schema(), out));
    let generated = String::from_utf8(generated).unwrap();
    if std::env::var_os("BITCRAFT_BLESS").is_some() {
        fs::write(&path, &generated).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), generated);
}

#[test]
fn the_document_keeps_to_the_schema() {
    let validator = jsonschema::draft202012::new(&history_schema()).unwrap();
    let mut value = serde_json::to_value(history_document(&runs())).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert_eq!(errors, Vec::<String>::new());
    value["runs"][0]["state"] = json!("done");
    assert!(!validator.is_valid(&value));
}

#[test]
fn a_ledger_without_runs_is_an_empty_list() {
    assert_eq!(
        serde_json::to_value(history_document(&[])).unwrap(),
        json!({ "format": "bitcraft-history/1", "runs": [] })
    );
}
