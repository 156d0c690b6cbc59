//! The JSON Schemas accept what the reader accepts.

use crate::common::{ASSIGNMENT, COLUMNS, COUNT, TIMES};
use grader_problem::schema;
use jsonschema::Validator;
use serde_json::Value;

/// A TOML file as editors pass it to a schema: with dates as strings.
fn json(toml: &str) -> Value {
    fn with_dates(value: toml::Value) -> toml::Value {
        match value {
            toml::Value::Datetime(date) => date.to_string().into(),
            toml::Value::Array(items) => {
                toml::Value::Array(items.into_iter().map(with_dates).collect())
            }
            toml::Value::Table(table) => {
                let pairs = table.into_iter();
                toml::Value::Table(pairs.map(|(key, it)| (key, with_dates(it))).collect())
            }
            value => value,
        }
    }
    serde_json::to_value(with_dates(toml::from_str(toml).unwrap())).unwrap()
}

/// Editors check formats, too.
fn validator(schema: &str) -> Validator {
    let schema = serde_json::from_str(schema).unwrap();
    jsonschema::draft202012::meta::validate(&schema).unwrap();
    jsonschema::draft202012::options()
        .should_validate_formats(true)
        .build(&schema)
        .unwrap()
}

#[test]
fn right_files_pass_the_schema() {
    let assignment = validator(&schema::assignment());
    let problem = validator(&schema::problem());
    assert!(assignment.is_valid(&json(ASSIGNMENT)));
    for text in [COUNT, COLUMNS, TIMES] {
        let errors: Vec<String> = problem
            .iter_errors(&json(text))
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert_eq!(errors, [""; 0]);
    }
}

#[test]
fn the_deadline_that_the_documentation_shows_passes_the_schema() {
    let page = include_str!("../../../../docs/course.md");
    let (_, example) = page.split_once("```toml\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    assert!(example.starts_with("[deadline]\ndue = "), "{example}");
    let assignment = validator(&schema::assignment());
    for due in ["", "+08:00", "Z"] {
        let example = example.replacen("T23:59:00", &format!("T23:59:00{due}"), 1);
        let value = json(&format!("{ASSIGNMENT}\n{example}"));
        let errors: Vec<String> = assignment
            .iter_errors(&value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert_eq!(errors, [""; 0]);
    }
}

#[test]
fn spoilt_files_do_not_pass_the_schema() {
    let problem = validator(&schema::problem());
    for (from, to) in [
        ("[submission]", "[submission]\nfile = []"),
        ("format = 1", "format = 2"),
        ("id = \"count\"", ""),
        ("\"count\"", "\"Count\""),
        ("\"c\", \"python\"", "\"c\", \"basic\""),
        ("time-factor = 20", "time-factor = 0"),
        ("points = 10", "points = -1"),
        ("\"90 s\"", "\"90\""),
        ("[checker.tokens]", "[checker.tokens]\n[checker.exact]"),
        ("[checker.tokens]", "[checker.tokns]"),
        ("\"all\"", "\"al\""),
        (
            "[checker.tokens]",
            "[checker.program]\nprotocol = \"kattis\"",
        ),
    ] {
        assert!(COUNT.contains(from));
        let value = json(&COUNT.replacen(from, to, 1));
        assert!(!problem.is_valid(&value), "{to}");
    }
    for (from, to) in [
        ("confirm = 5", "confirm = 11"),
        ("0.0025", "1"),
        ("at-most = 3.5", "at-most = 0"),
        ("runs = 12", "runs = 1"),
        ("score = \"rate\"", "score = \"sum\""),
        ("[1.5, 100]", "[1.5, 101]"),
        ("[1.5, 100]", "[0, 100]"),
        ("[1.5, 100]", "[1.5]"),
        ("[1.5, 100]", "[1.5, 100, 1]"),
        ("\"worst\"", "\"best\""),
    ] {
        assert!(TIMES.contains(from));
        let value = json(&TIMES.replacen(from, to, 1));
        assert!(!problem.is_valid(&value), "{to}");
    }
}
