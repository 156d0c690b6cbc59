//! Row 55: every death is told as it was, in every language.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::room::{Room, problem, student};
use crate::row::Speech;
use crate::station::Station;
use crate::{alone, rounds, skipped};

/// The number on the checklist.
pub(crate) const ROW: u8 = 55;

/// One program for each language: its argument says how to die.
pub(crate) const SOURCES: [&str; 6] = [
    "55-deaths.c",
    "55-deaths.cpp",
    "55-deaths.rs",
    "55-deaths.java",
    "55-deaths.pas",
    "55-deaths.py",
];

/// How a program ends.
#[derive(Clone, Copy)]
enum Death {
    Exit(i64),
    Signal(i64),
}
use Death::{Exit, Signal};

/// Ways to die that every language can express.
const COMMON: &[(&str, Death)] = &[
    ("abort", Signal(6)),
    ("term", Signal(15)),
    ("kill", Signal(9)),
    ("exit 1", Exit(1)),
    ("exit 2", Exit(2)),
    ("exit 127", Exit(127)),
    ("exit 128", Exit(128)),
    ("exit 137", Exit(137)),
    ("exit 143", Exit(143)),
    ("exit 255", Exit(255)),
];

/// The ways of a language, besides.
fn own(speech: Speech) -> &'static [(&'static str, Death)] {
    match speech {
        Speech::C => &[
            ("assert", Signal(6)),
            ("null", Signal(11)),
            ("divide", Signal(8)),
            ("usr1", Signal(10)),
        ],
        Speech::Cpp => &[
            ("throw", Signal(6)),
            ("null", Signal(11)),
            ("divide", Signal(8)),
        ],
        Speech::Rust => &[("panic", Exit(101)), ("null", Signal(11))],
        // The machine handles SIGTERM, and reports it in the way of shells.
        Speech::Java => &[("term", Exit(143)), ("halt 3", Exit(3)), ("throw", Exit(1))],
        // Its run-time library handles both, and ends with a number of its own.
        Speech::Pascal => &[("divide", Exit(200)), ("null", Exit(216))],
        Speech::Python => &[("throw", Exit(1)), ("null", Signal(11))],
    }
}

/// All ways of a language; its own take the place of common ones.
fn deaths(speech: Speech) -> Vec<(&'static str, Death)> {
    let own = own(speech);
    let common = COMMON
        .iter()
        .filter(|(word, _)| own.iter().all(|(known, _)| known != word));
    common.chain(own).copied().collect()
}

fn grade(station: &Station) {
    let _alone = alone();
    let room = Room::new(station);
    let mark = &room.outside.mark;
    let mut graded = Vec::new();
    let languages = [
        Speech::C,
        Speech::Cpp,
        Speech::Rust,
        Speech::Java,
        Speech::Pascal,
        Speech::Python,
    ];
    for (speech, file) in languages.into_iter().zip(SOURCES) {
        if !station.has(speech.program()) {
            let why = format!("`{}` is not installed", speech.program());
            skipped(&format!("row {ROW}: {file}"), &why);
            continue;
        }
        let id = speech.program().replace("++", "pp");
        let cases: Vec<String> = deaths(speech)
            .iter()
            .map(|(word, _)| {
                let arguments = word.replace(' ', "\", \"");
                format!("[[subtask.case]]\nname = \"{word}\"\narguments = [\"{mark}\", \"{arguments}\"]\nanswer = \"\"\n")
            })
            .collect();
        room.problem(
            &id,
            &format!("[submission]\nfiles = [\"{id}.*\"]\n[limits]\ntime = \"5 s\"\nmemory = \"256 MiB\"\nprocesses = 64\n"),
            &cases.concat(),
        );
        let source = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/hostile/programs")
            .join(file);
        let extension = speech.extension();
        room.write(
            &format!("class/eve/{id}.{extension}"),
            fs::read(source).unwrap(),
        );
        graded.push((speech, id));
    }
    for round in 1..=rounds() {
        let (report, mut complaints) = room.grade();
        for (speech, id) in &graded {
            let result = problem(student(&report, "eve"), id);
            let cases = result["subtasks"][0]["cases"].as_array().unwrap();
            for ((word, death), case) in deaths(*speech).iter().zip(cases) {
                let told = (&case["verdict"], &case["exit"], &case["signal"]);
                let verdict = Value::from("RE");
                let (exit, signal) = match death {
                    Exit(status) => (Value::from(*status), Value::Null),
                    Signal(number) => (Value::Null, Value::from(*number)),
                };
                if told != (&verdict, &exit, &signal) {
                    complaints.push(format!("{id}, {word}: {case}"));
                }
            }
        }
        assert!(
            complaints.is_empty(),
            "round {round}:\n{}",
            complaints.join("\n")
        );
    }
}

#[test]
fn every_death_is_told_as_it_was() {
    if let Some(station) = Station::own() {
        grade(&station);
    }
}

#[test]
fn every_death_is_told_as_it_was_to_an_ordinary_user() {
    if let Some(station) = Station::user() {
        grade(&station);
    }
}
