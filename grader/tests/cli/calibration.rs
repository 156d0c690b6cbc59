//! What is kept of a reference's times between two runs.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::harness::Room;

const COUNT: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v)\n{\n    \
    static const int counts[] = { 2, 10, 4 };\n    (void)c;\n    printf(\"%d\\n\", counts[atoi(v[1]) - 4]);\n    \
    return 0;\n}\n";

/// Count the solutions for `n` from 4 to 6, under limits that are multiples of the reference's times.
pub(crate) fn room() -> Room {
    Room::new()
        .file(
            "boards/assignment.toml",
            "format = 1\nid = \"boards\"\ntitle = { zh = \"棋盘\", en = \"Boards\" }\n\n\
             [[problem]]\npath = \"count\"\npoints = 3\n",
        )
        .file(
            "boards/count/problem.toml",
            r#"
format = 1
id = "count"
title = { zh = "解的个数", en = "Count all solutions" }

[submission]
files = ["count.*"]

[run]
arguments = ["{n}"]

[limits]
time = { reference = 1000 }

[reference]
builtin = "count"

[checker.tokens]

[[subtask]]
name = "all"
points = 3
cases = { n = "4..=6" }
"#,
        )
        .file("class/ann/count.c", COUNT)
}

/// Grades the class; the yardsticks.
fn graded(room: &Room, options: &[&str]) -> Value {
    let grade = ["grade", "class", "-a", "./boards", "--format", "json"];
    let (status, mut results) = room.json(&[&grade[..], options].concat());
    assert_eq!(status, 0, "{results:#}");
    assert_eq!(results["students"][0]["points"], 3, "{results:#}");
    results["references"].take()
}

/// Of each yardstick: its case, and whether it was kept.
fn kept(yardsticks: &Value) -> Vec<(&str, bool)> {
    let yardsticks = yardsticks.as_array().unwrap().iter();
    yardsticks
        .map(|it| (it["case"].as_str().unwrap(), it["kept"].as_bool().unwrap()))
        .collect()
}

/// The one file in the grader's cache, and what it says.
fn file(room: &Room) -> (PathBuf, Value) {
    let folder = fs::read_dir(room.cache().join("bitcraft")).unwrap();
    let paths: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    let [path] = &paths[..] else {
        panic!("{paths:?}")
    };
    let text = fs::read_to_string(path).unwrap();
    (path.clone(), serde_json::from_str(&text).unwrap())
}

/// Says in the kept file that the reference once took 7 s. So what it takes now may differ by as much as is ever
/// allowed, for a busy machine.
fn widen(room: &Room) {
    let (path, mut kept) = file(room);
    for case in kept["cases"].as_array_mut().unwrap() {
        case["time"]["largest"] = json!(7000);
    }
    fs::write(path, kept.to_string()).unwrap();
}

#[test]
fn what_one_command_measures_is_kept_for_the_next_and_named_as_kept() {
    let room = room();
    let tried = room.run(&["test", "class/ann/count.c", "-a", "./boards"]);
    assert_eq!((tried.status, tried.stderr.as_str()), (0, ""));
    widen(&room);
    let yardsticks = graded(&room, &[]);
    assert_eq!(
        kept(&yardsticks),
        ["n=4", "n=5", "n=6"].map(|case| (case, true))
    );
    // Cases of a millisecond are too short to try whether the machine is as fast as it was.
    let yardsticks = yardsticks.as_array().unwrap().iter();
    let from_file = yardsticks.filter(|it| it["largest-cpu-ms"] == 7000 && it["samples"] == 3);
    assert_eq!(from_file.count(), 3);
}

#[test]
fn a_fresh_calibration_takes_nothing_that_is_kept_and_replaces_it() {
    let room = room();
    let all = |kept| ["n=4", "n=5", "n=6"].map(|case| (case, kept));
    assert_eq!(kept(&graded(&room, &[])), all(false));
    widen(&room);
    assert_eq!(kept(&graded(&room, &["--fresh-calibration"])), all(false));
    let (_, replaced) = file(&room);
    for case in replaced["cases"].as_array().unwrap() {
        assert_ne!(case["time"]["largest"], 7000, "{replaced:#}");
    }
    // What replaced it is kept in its turn.
    widen(&room);
    assert_eq!(kept(&graded(&room, &[])), all(true));
}

#[test]
fn what_is_kept_and_cannot_be_read_is_said_once_and_replaced() {
    let room = room();
    graded(&room, &[]);
    let (path, _) = file(&room);
    fs::write(path, "{").unwrap();
    let grade = ["grade", "class", "-a", "./boards"];
    let ran = room.run(&grade);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let said = ran.stderr.matches("cannot be used").count();
    assert_eq!(said, 1, "{}", ran.stderr);
    widen(&room);
    assert_eq!(room.run(&grade).stderr, "");
}
