//! Shards of a class for several machines, and the merged ledger.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;

use serde_json::Value;

use crate::class::{SQUARE, WRONG, squares};
use crate::docs;
use crate::harness::{Ran, Room, have, repository, strict};

/// Seven students, of whom the last submitted nothing.
fn room() -> Room {
    let mut room = squares().keeping().folder("class/s7");
    for (number, source) in [SQUARE, WRONG, SQUARE, "int main(", WRONG, SQUARE]
        .iter()
        .enumerate()
    {
        room = room.file(&format!("class/s{}/square.c", number + 1), source);
    }
    room.file("class/s2/one.py", "print(1)\n")
}

fn grade(room: &Room, more: &[&str]) -> Ran {
    let ran = room.run(&[&["grade", "class", "-a", "./squares"], more].concat());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran
}

fn grade_shards(room: &Room) {
    for number in ["1", "2", "3"] {
        let (shard, ledger) = (format!("{number}/3"), format!("part-{number}.db"));
        grade(room, &["--shard", &shard, "--ledger", &ledger]);
    }
}

/// Merges, and gives the exit status and what was printed.
fn merge(room: &Room, parts: &[&str], output: &str) -> (i32, String) {
    let ran = room.run(&[&["merge"], parts, &["-o", output]].concat());
    (ran.status, ran.stdout + &ran.stderr)
}

const PARTS: [&str; 3] = ["part-2.db", "part-1.db", "part-3.db"];

/// The results of a ledger without what differs from run to run.
fn results(room: &Room, ledger: &str) -> Value {
    let (status, mut results) = room.json(&["report", "--ledger", ledger, "--json", "-"]);
    assert_eq!(status, 0);
    without_times(&mut results);
    results
}

fn without_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|key, _| {
                !["run", "reference-times", "shards"].contains(&key.as_str())
                    && !key.ends_with("-ms")
                    && !key.starts_with("memory")
            });
            fields.values_mut().for_each(without_times);
        }
        Value::Array(items) => items.iter_mut().for_each(without_times),
        _ => {}
    }
}

#[test]
fn a_class_that_three_machines_grade_is_the_class_that_one_grades() {
    let room = room();
    grade(&room, &["--ledger", "whole.db"]);
    grade_shards(&room);
    let merged = (
        0,
        "class.db: 7 students and 14 results of 3 shards\n".to_owned(),
    );
    assert_eq!(merge(&room, &PARTS, "class.db"), merged);
    let (merged_results, whole) = (results(&room, "class.db"), results(&room, "whole.db"));
    assert!(
        merged_results == whole,
        "{}\n{}",
        merged_results["host"],
        whole["host"]
    );
    // Again: the same.
    let before = std::fs::read(room.path("class.db")).unwrap();
    assert_eq!(merge(&room, &PARTS, "class.db"), merged);
    assert!(std::fs::read(room.path("class.db")).unwrap() == before);

    let (_, report) = room.json(&["report", "--ledger", "class.db", "--json", "-"]);
    assert_eq!(report["shards"].as_array().unwrap().len(), 3);
    // The merged ledger goes on like any other.
    let again = grade(&room, &["--ledger", "class.db", "--csv", "-"]);
    let whole = room.run(&["report", "--ledger", "whole.db", "--csv", "-"]);
    assert_eq!(again.stdout, whole.stdout);
    let (_, history) = room.json(&["history", "--ledger", "class.db", "--json", "-"]);
    let runs = history["runs"].as_array().unwrap();
    let row = |run: &Value| {
        format!(
            "{} {} {} {}",
            run["shard"], run["students"], run["judged"], run["reused"]
        )
    };
    // What did not compile is built again.
    assert_eq!(
        runs.iter().map(row).collect::<Vec<_>>(),
        ["\"merged\" 7 7 0", "null 7 1 6"]
    );
    assert_eq!(
        merge(&room, &PARTS, "class.db"),
        (
            2,
            "error: `class.db` has runs of its own, which would be lost: name a new file\n"
                .to_owned()
        )
    );
}

#[test]
fn a_student_of_another_shard_is_no_mistake() {
    let room = room();
    let one = ["--shard", "1/3", "--ledger", "part-1.db"];
    let there = "not in shard 1/3, so not graded here: s4\n";
    let ran = grade(&room, &[&one[..], &["--student", "s4"]].concat());
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", there));
    assert!(!room.path("part-1.db").exists());
    let both = ["--student", "s4", "--student", "s6", "--csv", "-"];
    let ran = grade(&room, &[&one[..], &both].concat());
    assert_eq!(
        (ran.stdout.lines().count(), ran.stderr.as_str()),
        (2, there)
    );
    let ran = room.run(
        &[
            &["grade", "class", "-a", "./squares"],
            &one[..],
            &["--student", "s0"],
        ]
        .concat(),
    );
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: there is no student `s0` in `class`; did you mean `s1`?\n"
        )
    );
}

#[test]
fn the_environment_may_name_the_ledger_of_a_shard() {
    let room = room().env("GRADER_LEDGER", "part-1.db");
    grade(&room, &["--shard", "1/3"]);
    assert!(room.path("part-1.db").is_file());
}

#[test]
fn what_is_no_class_is_not_merged() {
    let room = room();
    grade_shards(&room);
    grade(&room, &["--ledger", "whole.db"]);
    grade(&room, &["--shard", "1/2", "--ledger", "half.db"]);
    let room = room.file("notes.txt", "not a ledger").file("empty.db", "");
    for (parts, message) in [
        (&["part-1.db"][..], "missing shards: 2/3, 3/3"),
        (
            &["part-1.db", "part-1.db", "part-2.db", "part-3.db"],
            "`part-1.db` and `part-1.db` are both shard 1/3",
        ),
        (
            &["part-1.db", "half.db"],
            "`half.db` and `part-1.db` have different numbers of shards",
        ),
        (
            &["whole.db"],
            "`whole.db` is not of a shard: grade it with `--shard`",
        ),
        (
            &["notes.txt"],
            "cannot use the ledger `notes.txt`: it is not a ledger, and was not changed; expected a file that \
             `grader grade` created, or a new name",
        ),
        (
            &["gone.db"],
            "nothing was graded here: there is no ledger `gone.db`; `grader grade CLASS --ledger gone.db` creates it",
        ),
        (
            &["empty.db"],
            "cannot use the ledger `empty.db`: the file is empty; expected a ledger that `grader grade` created",
        ),
    ] {
        assert_eq!(
            merge(&room, parts, "class.db"),
            (2, format!("error: {message}\n")),
            "{parts:?}"
        );
    }
    assert_eq!(
        merge(&room, &[&PARTS[..], &["--class", "nowhere"]].concat(), "class.db"),
        (
            2,
            "error: cannot read the class `nowhere` of `--class`: No such file or directory (os error 2)\n"
                .to_owned()
        )
    );
    assert!(!room.path("class.db").exists());
    let room = room.replace("squares/assignment.toml", "Squares", "The squares");
    grade(&room, &["--shard", "3/3", "--ledger", "part-3.db"]);
    assert_eq!(
        merge(&room, &PARTS, "class.db"),
        (
            2,
            "error: `part-1.db` and `part-3.db` have different assignments, or versions of the assignment\n"
                .to_owned()
        )
    );
    let ran = room.run(&["grade", "class", "--shard", "1/3"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: `--shard` needs a ledger of its own: name it with `--ledger FILE` or `GRADER_LEDGER`\n"
        )
    );
    for (shard, message) in [
        (
            "4/3",
            "the number of a shard must be from 1 to the number of shards",
        ),
        ("half", "expected a shard such as `3/16`"),
    ] {
        let ran = room.run(&["grade", "class", "--ledger", "x.db", "--shard", shard]);
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
}

/// Places in a ledger that are damaged in turn.
const PLACES: usize = 60;

#[test]
fn a_damaged_part_is_named_or_does_no_harm() {
    let room = room();
    grade_shards(&room);
    let whole = fs::read(room.path("part-3.db")).unwrap();
    let mut refused = 0;
    for place in (0..PLACES).map(|at| at * whole.len() / PLACES + at * 37 % 101) {
        let mut damaged = whole.clone();
        let end = damaged.len().min(place + 4);
        damaged[place..end]
            .iter_mut()
            .for_each(|byte| *byte ^= 0x55);
        fs::write(room.path("part-3.db"), damaged).unwrap();
        let (status, message) = merge(&room, &PARTS, "class.db");
        if status == 0 {
            let ran = room.run(&["report", "--ledger", "class.db"]);
            assert_eq!(ran.status, 0, "{place}: {}", ran.stderr);
            fs::remove_file(room.path("class.db")).unwrap();
            continue;
        }
        refused += 1;
        assert_eq!(status, 2, "{place}: {message}");
        assert!(message.contains("`part-3.db`"), "{place}: {message}");
        assert!(!message.contains("class.db"), "{place}: {message}");
        assert!(!room.path("class.db").exists(), "{place}");
    }
    assert!(refused > 5, "{refused}");
}

#[test]
fn the_path_of_a_part_need_not_be_utf_8() {
    let room = room();
    grade_shards(&room);
    let odd = OsStr::from_bytes(b"part-\xff.db");
    fs::rename(room.path("part-3.db"), room.path(".").join(odd)).unwrap();
    let mut command = room.command(&["merge", "part-1.db", "part-2.db", "-o", "class.db"]);
    let ran = Ran::of(command.arg(odd).output().unwrap());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
}

#[test]
fn a_shard_of_which_only_a_part_was_graded_is_not_merged() {
    let room = room();
    grade_shards(&room);
    fs::remove_file(room.path("part-3.db")).unwrap();
    let shard = ["--shard", "3/3", "--ledger", "part-3.db"];
    grade(&room, &[&shard[..], &["--student", "s4"]].concat());
    let message = "error: `part-3.db` has no result for 4 submissions: run the command of shard 3/3 again, without `--student` and \
                   `--problem`\n";
    assert_eq!(merge(&room, &PARTS, "class.db"), (2, message.to_owned()));
    grade(&room, &shard);
    assert_eq!(merge(&room, &PARTS, "class.db").0, 0);
}

/// The text between two others in `docs/cluster.md`, which has both once.
fn recipe<'a>(page: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = page.split_once(before).unwrap();
    rest.split_once(after).unwrap().0
}

#[test]
fn every_recipe_for_a_cluster_grades_its_shards() {
    if !strict() || !have(&["gcc", "python3"]) {
        return;
    }
    let mut room = room();
    for (name, text) in docs::files("docs/cluster.md") {
        room = room.file(&name, text);
    }
    fs::rename(room.path("class"), room.path("submissions")).unwrap();
    fs::rename(room.path("squares"), room.path("week-1")).unwrap();
    let page = fs::read_to_string(repository().join("docs/cluster.md")).unwrap();
    let kubernetes = recipe(&page, "command: [sh, -c, \"", "\"]");
    let condor = recipe(&page, "arguments = ", "\n");
    for index in 0..4 {
        let (second, third) = (index + 4, (index + 8).to_string());
        let condor = condor.replace("$(Process)", &third);
        for command in [
            format!("$ SLURM_ARRAY_TASK_ID={index} sh grade.sh"),
            format!("$ export JOB_COMPLETION_INDEX={second}; {kubernetes}"),
            format!("$ sh {condor}"),
        ] {
            docs::printed(&room, &command);
        }
    }
    let parallel = recipe(&page, "$ seq 0 15 | ", "\n");
    let last = if have(&["parallel"]) {
        let here = parallel.replace("--sshloginfile nodes", "--will-cite --sshlogin :");
        format!("$ seq 12 15 | {here}")
    } else {
        "$ for index in 12 13 14 15; do sh shard.sh $index 16; done".to_owned()
    };
    docs::printed(&room, &last);
    let parts: Vec<String> = (1..=16).map(|number| format!("part-{number}.db")).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let expected = "class.db: 7 students and 14 results of 16 shards\n".to_owned();
    assert_eq!(merge(&room, &parts, "class.db"), (0, expected));
}

#[test]
fn a_few_of_many_missing_shards_are_named() {
    let room = room();
    grade(&room, &["--shard", "1/40", "--ledger", "part.db"]);
    let named: Vec<String> = (2..18).map(|number| format!("{number}/40")).collect();
    assert_eq!(
        merge(&room, &["part.db"], "class.db"),
        (
            2,
            format!("error: missing shards: {} and 23 more\n", named.join(", "))
        )
    );
}

#[test]
fn shards_of_a_class_that_grew_between_them_are_not_merged() {
    let room = room();
    grade(&room, &["--shard", "1/2", "--ledger", "part-1.db"]);
    let mut room = room;
    for number in 8..12 {
        room = room.file(&format!("class/s{number}/square.c"), SQUARE);
    }
    grade(&room, &["--shard", "2/2", "--ledger", "part-2.db"]);
    assert_eq!(
        merge(&room, &["part-1.db", "part-2.db"], "class.db"),
        (
            2,
            "error: the class has changed between the shards: 2/2 (`part-2.db`), which was graded last, is of 11 students; \
             grade the others again: 1/2 (`part-1.db`, 7 students)\n"
                .to_owned()
        )
    );
    assert!(!room.path("class.db").exists());
    // Again: whole.
    grade(&room, &["--shard", "1/2", "--ledger", "part-1.db"]);
    let merged = "class.db: 11 students and 22 results of 2 shards\n".to_owned();
    assert_eq!(
        merge(&room, &["part-1.db", "part-2.db"], "class.db"),
        (0, merged)
    );
}
