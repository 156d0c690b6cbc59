//! Pipes, devices and endless files in the place of what somebody else wrote: one message, and no waiting.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::class::{GRADE, ann_and_bob, squares};
use crate::harness::{Ran, Room};

/// The grader, killed if it waits.
fn run(room: &Room, line: &str) -> Ran {
    let command = room.command(&line.split(' ').collect::<Vec<_>>());
    let mut command = assert_cmd::Command::from_std(command);
    Ran::of(command.timeout(Duration::from_secs(600)).output().unwrap())
}

fn pipe(path: &Path) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let made = Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
}

#[test]
fn a_pipe_in_the_place_of_a_file_is_refused() {
    let room = ann_and_bob();
    assert_eq!(room.run(&GRADE).status, 0);
    for (path, line) in [
        ("roster.csv", "grade class -a ./squares --roster roster.csv"),
        ("groups.csv", "grade class -a ./squares --groups groups.csv"),
        ("corrections/eve.toml", "report"),
        ("corrections.toml", "report"),
        ("given.csv", "correct --from given.csv"),
        ("grades.csv", "gradebook grades.csv -o filled.csv"),
        ("squares/square/problem.toml", "check squares"),
        ("course.toml", "report course.toml"),
        ("ledger.db", "report --ledger ledger.db"),
    ] {
        let kept = std::fs::read(room.path(path)).ok();
        let _ = std::fs::remove_file(room.path(path));
        pipe(&room.path(path));
        let ran = run(&room, line);
        assert_eq!(
            (ran.status, ran.stdout.as_str()),
            (2, ""),
            "{line}: {}",
            ran.stderr
        );
        assert!(ran.stderr.starts_with("error: "), "{line}: {}", ran.stderr);
        std::fs::remove_file(room.path(path)).unwrap();
        if let Some(kept) = kept {
            std::fs::write(room.path(path), kept).unwrap();
        }
    }
    pipe(&room.path("corrections/eve.toml"));
    let ran = run(&room, "report");
    let message = "corrections/eve.toml`: it is not a regular file\n";
    assert!(ran.stderr.ends_with(message), "{}", ran.stderr);
}

#[test]
fn a_formula_that_would_take_too_long_is_a_remark() {
    let deep = "{".repeat(20_000) + &"}".repeat(20_000);
    let columns = "c".repeat(65_536);
    let mut text = "# Square\n\n$n^2$ and $\\frac{1}{2}$\n".to_owned();
    for formula in [
        format!("\\begin{{array}}{{{columns}}}a\\end{{array}}"),
        deep,
        "{".repeat(65) + "x" + &"}".repeat(65),
        "\\def\\a#1{{{#1}}}\\a{x}".to_owned(),
    ] {
        writeln!(text, "\n${formula}$").unwrap();
    }
    let room = squares().file("squares/square/statement.en.md", text);
    let ran = run(&room, "check squares");
    let remarks = ran.stdout.lines().chain(ran.stderr.lines());
    let remarks: Vec<String> = remarks
        .filter_map(|line| line.split_once("statement.en.md:"))
        .map(|(_, line)| {
            let (place, reason) = (
                line.split(':').next().unwrap(),
                line.rsplit("`: ").next().unwrap(),
            );
            format!("{place}: {reason}")
        })
        .collect();
    assert_eq!(
        remarks,
        [
            "5: longer than 8192 bytes",
            "7: longer than 8192 bytes",
            "9: nested more than 64 deep",
            "11: a formula cannot define commands (`\\def`)",
        ],
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}
