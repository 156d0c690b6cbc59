//! Every verdict in every language.
//!
//! Without `BITCRAFT_NIGHTLY`, each verdict is tried in two languages, and each language with three verdicts.

use std::fs;

use serde_json::Value;

use crate::harness::{Room, have, is_nightly, problem, student};

const LANGUAGES: [&str; 6] = ["c", "cpp", "rust", "java", "pascal", "python"];
/// What a student submits in each language.
const FILES: [&str; 6] = [
    "square.c",
    "square.cpp",
    "square.rs",
    "Square.java",
    "square.pas",
    "square.py",
];
const KINDS: [&str; 9] = ["ac", "pc", "pe", "wa", "tle", "mle", "ole", "re", "ce"];

const GRADE: [&str; 6] = ["grade", "class", "-a", "./assignment", "--json", "-"];

fn room() -> Room {
    Room::new()
        .copy("grader/tests/verdicts/class", "class")
        .copy("grader/tests/verdicts/assignment", "assignment")
}

/// `verdict points (verdicts of the subtasks)` of one problem.
fn cell(problem: &Value) -> String {
    let subtasks: Vec<&str> = problem["subtasks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|subtask| subtask["verdict"].as_str().unwrap())
        .collect();
    format!(
        "{} {} ({})",
        problem["verdict"].as_str().unwrap(),
        problem["points"],
        subtasks.join(" ")
    )
}

#[test]
fn every_language_gets_every_verdict() {
    if !have(&["gcc", "g++", "rustc", "javac", "java", "fpc", "python3"]) {
        return;
    }
    let is_tried =
        |kind: usize, language: usize| is_nightly() || (kind + language).is_multiple_of(3);
    let room = room();
    for (number, kind) in KINDS.iter().enumerate() {
        let files = FILES.iter().enumerate();
        for (_, file) in files.filter(|(language, _)| !is_tried(number, *language)) {
            fs::remove_file(room.path(&format!("class/{kind}/{file}"))).unwrap();
        }
    }
    let (status, results) = room.json(&GRADE);
    assert_eq!(status, 0);
    let mut found = Vec::new();
    for (number, kind) in KINDS.iter().enumerate() {
        let student = student(&results, kind);
        let tried = LANGUAGES.iter().enumerate();
        let tried = tried.filter(|(language, _)| is_tried(number, *language));
        let mut cells: Vec<String> = tried
            .map(|(_, language)| cell(problem(student, language)))
            .collect();
        cells.dedup();
        found.push(format!("{kind}: {}", cells.join(", ")));
    }
    // One entry in a row: all languages agree.
    assert_eq!(
        found,
        [
            "ac: AC 20 (AC AC)",
            "pc: PC 5 (PC SK)",
            "pe: PE 0 (PE SK)",
            "wa: WA 0 (WA SK)",
            "tle: TLE 0 (TLE SK)",
            "mle: MLE 0 (MLE SK)",
            "ole: OLE 0 (OLE SK)",
            "re: RE 0 (RE SK)",
            "ce: CE 0 (CE CE)",
        ]
    );
}

#[test]
fn a_compiler_that_is_not_installed_is_our_fault_and_named() {
    let room = room().folder("empty").env("PATH", "");
    let (status, results) = room.json(&GRADE);
    assert_eq!(status, 3);
    let student = student(&results, "ac");
    assert_eq!(student["points"], Value::Null);
    let programs = ["gcc", "g++", "rustc", "java", "fpc", "python3"];
    for (language, program) in LANGUAGES.iter().zip(programs) {
        let problem = problem(student, language);
        let message = problem["message"].as_str().unwrap();
        let begins = format!("not installed: {program}");
        assert!(
            problem["verdict"] == "JE" && message.starts_with(&begins),
            "{message}"
        );
    }
}
