//! `grader run`: one hostile command, as hostile programs in a class.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::room::Room;
use crate::station::Station;
use crate::{alone, rounds, skipped};

/// Programs, with so much wall time that a busy machine is no reason for a verdict, and one of which verdicts each must
/// get.
const COMMANDS: &[(&str, &str, &[&str])] = &[
    ("00-honest.c", "60s", &["OK"]),
    ("16-sleep.c", "1s", &["TLE"]),
    // As in the table: which limit comes first is chance.
    ("25-fork-bomb.c", "60s", &["TLE", "MLE"]),
    ("40-stdout-flood.c", "60s", &["OLE"]),
];

/// Compiles a program into the room.
fn compiled(room: &Room<'_>, file: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/hostile/programs")
        .join(file);
    let program = room.path(file).with_extension("");
    let mut compiler = Command::new("gcc");
    let status = compiler.arg("-o").arg(&program).arg(source).status();
    assert!(status.unwrap().success());
    program
}

fn run(station: &Station) {
    let _alone = alone();
    if !station.has("gcc") {
        skipped("hostile single commands", "`gcc` is not installed");
        return;
    }
    for round in 1..=rounds() {
        let room = Room::new(station);
        let mut complaints = Vec::new();
        for (file, wall, verdicts) in COMMANDS {
            let report = room.path("home/report.json");
            let mut grader = room.command("run");
            let output = grader
                .args(["--time=300ms", "--wall", wall, "--memory=64MiB"])
                .args(["--processes=16", "--output-limit=64KiB"])
                .arg("--report")
                .arg(&report)
                .arg("--")
                .arg(compiled(&room, file))
                .args(room.outside.arguments())
                .output()
                .unwrap();
            let told: Value = serde_json::from_slice(&fs::read(&report).unwrap()).unwrap();
            let verdict = told["verdict"].as_str().unwrap();
            if !verdicts.contains(&verdict) {
                complaints.push(format!("{file}: {verdict} instead of {verdicts:?}: {told}"));
            }
            let status = i32::from(verdict != "OK");
            if output.status.code() != Some(status) {
                complaints.push(format!("{file}: the grader ended with {}", output.status));
            }
            if output.stdout.len() > 64 << 10 {
                let size = output.stdout.len();
                complaints.push(format!("{file}: {size} bytes of output"));
            }
            if told["isolation"]["level"] != "strict" {
                complaints.push(format!("{file}: isolation is {}", told["isolation"]));
            }
        }
        complaints.extend(room.left());
        complaints.extend(room.outside.complaints());
        assert!(
            complaints.is_empty(),
            "round {round}:\n{}",
            complaints.join("\n")
        );
    }
}

#[test]
fn a_hostile_command_gets_its_verdict_and_leaves_nothing() {
    if let Some(station) = Station::own() {
        run(&station);
    }
}

#[test]
fn a_hostile_command_gets_its_verdict_from_an_ordinary_user() {
    if let Some(station) = Station::user() {
        run(&station);
    }
}
