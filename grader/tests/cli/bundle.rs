//! The zip for Gradescope: what is in it, and that its script grades.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use zip::ZipArchive;

use crate::class::{SQUARE, squares};
use crate::harness::{Room, strict};

fn bundled() -> Room {
    let room = squares()
        .file("squares/one/submissions/accepted/one.c", "int main;\n")
        .file("squares/class/ann/square.c", SQUARE)
        .file("squares/corrections.toml", "format = 1\n")
        .file(
            "squares/one/data/submissions/given.txt",
            "a file of the problem\n",
        );
    let ran = room.run(&[
        "bundle",
        "--gradescope",
        "-a",
        "./squares",
        "-o",
        "autograder.zip",
    ]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (
            0,
            "",
            "bundle written to `autograder.zip`: upload it as the autograder of a programming assignment\n"
        )
    );
    room
}

fn open(room: &Room) -> ZipArchive<File> {
    ZipArchive::new(File::open(room.path("autograder.zip")).unwrap()).unwrap()
}

/// Unpacks the bundle as Gradescope does, with nothing submitted yet.
fn installed() -> Room {
    let mut room = bundled().folder("root/source").folder("root/submission");
    let mut zip = open(&room);
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).unwrap();
        let path = format!("root/source/{}", file.name().unwrap());
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        room = match file.unix_mode().unwrap() & 0o777 {
            0o755 => room.program(&path, &bytes),
            _ => room.file(&path, bytes),
        };
    }
    room
}

/// Runs the script as Gradescope does: what it prints, and the results.
fn autograde(room: &Room) -> (String, Value) {
    let top = room.path("root");
    let output = Command::new(top.join("source/run_autograder"))
        .current_dir(&top)
        .env("AUTOGRADER_ROOT", &top)
        .env("XDG_CACHE_HOME", room.cache())
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let results = fs::read(top.join("results/results.json")).unwrap();
    let printed = [output.stdout, output.stderr].concat();
    (
        String::from_utf8(printed).unwrap(),
        serde_json::from_slice(&results).unwrap(),
    )
}

#[test]
fn a_bundle_holds_the_scripts_the_grader_and_the_assignment_without_its_samples() {
    let room = bundled();
    let mut zip = open(&room);
    let files = (0..zip.len()).map(|index| {
        let file = zip.by_index(index).unwrap();
        let mode = file.unix_mode().unwrap() & 0o777;
        format!("{mode:o} {}", file.name().unwrap())
    });
    assert_eq!(
        files.collect::<Vec<_>>(),
        [
            "755 setup.sh",
            "755 run_autograder",
            "755 grader",
            "644 assignment/assignment.toml",
            "644 assignment/one/data/submissions/given.txt",
            "644 assignment/one/problem.toml",
            "644 assignment/square/problem.toml",
        ]
    );
    let mut setup = String::new();
    zip.by_name("setup.sh")
        .unwrap()
        .read_to_string(&mut setup)
        .unwrap();
    for program in ["fp-compiler", "g++", "nodejs", "python3", "rustc"] {
        assert!(setup.contains(program), "{program}: {setup}");
    }
    let checked = Command::new("sh").args(["-n", "-c", &setup]).status();
    assert!(checked.unwrap().success());
    let before = fs::read(room.path("autograder.zip")).unwrap();
    let again = room.run(&[
        "bundle",
        "--gradescope",
        "-a",
        "./squares",
        "-o",
        "autograder.zip",
    ]);
    assert_eq!(again.status, 0);
    assert!(before == fs::read(room.path("autograder.zip")).unwrap());
}

#[test]
fn the_script_grades_a_submission() {
    if !strict() {
        return;
    }
    let room = installed();
    let (printed, results) = autograde(&room);
    assert_eq!(results["score"], 0.0, "{printed}{results}");
    let room = room.file("root/submission/square.c", SQUARE);
    let (printed, results) = autograde(&room);
    assert_eq!(results["score"], 10.0, "{printed}{results}");
    assert!(!printed.contains("grader ended"), "{printed}");
    assert!(!Path::new(&room.path("root/.grader")).exists());
}

#[test]
fn if_the_grader_fails_the_results_have_no_score() {
    let room = installed().file("root/source/assignment/assignment.toml", "broken");
    let (printed, results) = autograde(&room);
    assert_eq!(
        (results.get("score"), &results["tests"]),
        (None, &Value::Array(Vec::new()))
    );
    assert!(
        results["output"]
            .as_str()
            .unwrap()
            .starts_with("The grader failed"),
        "{results}"
    );
    assert!(
        printed.ends_with("grader ended with status 2: this submission has no score\n"),
        "{printed}"
    );
}

/// A grader that is this script, in which `$2` is the file for the results.
fn instead(script: &str) -> Room {
    let head = "#!/bin/sh\necho \"$@\" >&2\nwhile [ \"$1\" != --gradescope ]; do shift; done\n";
    installed().program("root/source/grader", format!("{head}{script}\n").as_bytes())
}

#[test]
fn what_a_program_writes_in_the_place_of_the_results_is_no_score() {
    let forge = "echo '{\"score\": 100}' > \"$AUTOGRADER_ROOT/results/results.json\"";
    for (end, status) in [
        ("kill -9 $$", 137),
        ("echo '{\"score\": 1}' > \"$2\"; exit 2", 2),
        ("exit 3", 3),
    ] {
        let (printed, results) = autograde(&instead(&format!("{forge}; {end}")));
        let tests = Value::Array(Vec::new());
        assert_eq!((results.get("score"), &results["tests"]), (None, &tests));
        let ended = format!("grader ended with status {status}: this submission has no score\n");
        assert!(printed.ends_with(&ended), "{printed}");
    }
}

#[test]
fn results_come_from_a_private_folder_if_the_grader_reports_that_they_are_complete() {
    let write = "stat -c %a \"${2%/*}\" >&2; echo '{\"score\": 7}' > \"$2\"; exit ";
    for status in [0, 3] {
        let room = instead(&format!("{write}{status}"));
        let (printed, results) = autograde(&room);
        assert_eq!(results["score"], 7, "{printed}");
        let mut lines = printed.lines();
        let arguments = lines.next().unwrap();
        assert_eq!(lines.next(), Some("700"), "{arguments}");
        assert!(arguments.contains(" --isolation strict "), "{arguments}");
        assert!(!arguments.contains("mount-namespace"), "{arguments}");
        let (_, file) = arguments.split_once("--gradescope ").unwrap();
        let private = Path::new(file.split(' ').next().unwrap()).parent().unwrap();
        assert!(!private.exists(), "{private:?}");
        assert!(!private.starts_with(room.path("root")));
    }
}
