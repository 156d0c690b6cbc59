use std::fs;
use std::path::Path;

use serde_json::json;

use super::*;
use crate::json::write_value;
use crate::sample;
use crate::snapshots::{assert_kept, each, written};

fn lines(results: &Results, audience: Audience) -> Vec<u8> {
    written(|out| write_events(results, audience, out))
}

/// The stream for staff, then that for each student.
fn streams() -> Vec<Vec<u8>> {
    let all = sample::with_hostile();
    let mut streams = vec![lines(&all, Audience::Staff)];
    streams.extend(each(&all).map(|own| lines(&own, Audience::Student)));
    streams
}

#[test]
fn the_stream_is_the_one_that_is_kept() {
    let streams = streams();
    assert_kept("events.staff.jsonl", &streams[0]);
    assert_kept("events.student.jsonl", &streams[1..].concat());
}

/// Set `BITCRAFT_BLESS` to write the schema anew after a change of the types.
#[test]
fn the_committed_schema_is_the_one_that_the_types_give() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/events.schema.json");
    let generated = written(|out| write_value(&events_schema(), out));
    let generated = String::from_utf8(generated).unwrap();
    if std::env::var_os("BITCRAFT_BLESS").is_some() {
        fs::write(&path, &generated).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), generated);
}

#[test]
fn each_line_is_a_value_by_itself_that_keeps_to_the_schema() {
    let validator = jsonschema::draft202012::new(&events_schema()).unwrap();
    for stream in streams() {
        let text = String::from_utf8(stream).unwrap();
        assert!(text.ends_with('\n'));
        let events: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        for event in &events {
            let errors: Vec<String> = validator
                .iter_errors(event)
                .map(|e| e.to_string())
                .collect();
            assert_eq!(errors, Vec::<String>::new());
        }
        let with_format = events.iter().filter(|event| event.get("format").is_some());
        assert_eq!(with_format.count(), 1);
        assert_eq!(events[0]["format"], "bitcraft-events/1");
        assert_eq!(
            events.last(),
            Some(&json!({ "event": "run-finished", "interrupted": false }))
        );
    }
    assert!(!validator.is_valid(&json!({ "event": "run-finished" })));
}

#[test]
fn a_submission_reads_as_in_the_document_of_the_class() {
    let results = sample::results();
    let text = written(|out| write_events(&results, Audience::Staff, out));
    let found: Vec<Value> = String::from_utf8(text)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|event| event["event"] == "job-finished")
        .map(|event| event["problem"].clone())
        .collect();
    let document = serde_json::to_value(json::document(&results, Audience::Staff)).unwrap();
    let students = document["students"].as_array().unwrap().iter();
    let expected: Vec<Value> = students
        .flat_map(|student| student["problems"].as_array().unwrap().clone())
        .collect();
    assert_eq!(found, expected);
}
