//! Which isolation programs run in, and what is said where it cannot be had.

use crate::harness::{Room, have, strict};

const NINETY_TWO: &str = "#include <stdio.h>\nint main(void) { puts(\"92\"); return 0; }\n";

fn room() -> Room {
    Room::new()
        .file("eight.c", NINETY_TWO)
        .file("class/s01/count.c", NINETY_TWO)
}

/// Whether this machine has no sandbox; says aloud when it has one.
fn lax() -> bool {
    if strict() {
        eprintln!("skipped: this machine has the sandbox, so that nothing is refused");
    }
    !strict()
}

#[test]
fn grade_refuses_to_start_without_a_layer_and_says_how_to_go_on() {
    if !lax() {
        return;
    }
    let ran = room().run_as_it_is(&["grade", "class"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (3, ""));
    let first = "error: strict isolation cannot be had here: ";
    assert!(ran.stderr.starts_with(first), "{}", ran.stderr);
    for words in [
        "tried: ",
        "mend: ",
        "to go on all the same:",
        "--allow-missing ",
        "--isolation basic",
        "`grader doctor`",
    ] {
        assert!(ran.stderr.contains(words), "{words}:\n{}", ran.stderr);
    }
}

#[test]
fn whoever_asks_for_strict_isolation_gets_it_or_nothing() {
    if !lax() {
        return;
    }
    let room = room();
    for arguments in [
        &[
            "test",
            "eight.c",
            "-p",
            "eight-queens",
            "--isolation",
            "strict",
        ][..],
        &["verify", "--isolation", "strict"],
        &["run", "--", "echo"],
    ] {
        let ran = room.run_as_it_is(arguments);
        assert_eq!((ran.status, ran.stdout.as_str()), (3, ""), "{arguments:?}");
    }
}

#[test]
fn a_refusal_speaks_the_language_that_is_asked_for() {
    if !lax() {
        return;
    }
    let ran = room().run_as_it_is(&["--lang", "zh", "grade", "class"]);
    let first = "错误：这台机器无法提供严格隔离：";
    assert!(ran.stderr.starts_with(first), "{}", ran.stderr);
    assert!(ran.stderr.contains("如果仍要继续："), "{}", ran.stderr);
}

#[test]
fn a_test_goes_on_without_a_sandbox_and_says_so_in_one_line() {
    if !have(&["gcc"]) {
        return;
    }
    let ran = room().run_as_it_is(&["test", "eight.c", "-p", "eight-queens"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    if strict() {
        assert_eq!(ran.stderr, "");
        assert!(!ran.stdout.contains("not a sandbox"), "{}", ran.stdout);
        return;
    }
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    let first = "no sandbox: this machine lacks ";
    assert!(ran.stderr.starts_with(first), "{}", ran.stderr);
    assert!(ran.stdout.contains("not a sandbox"), "{}", ran.stdout);
}

#[test]
fn who_asks_for_no_sandbox_is_not_told_twice() {
    if !have(&["gcc"]) {
        return;
    }
    let arguments = [
        "test",
        "eight.c",
        "-p",
        "eight-queens",
        "--isolation",
        "basic",
    ];
    let ran = room().run_as_it_is(&arguments);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("not a sandbox"), "{}", ran.stdout);
}

#[test]
fn a_waived_layer_that_holds_all_the_same_is_no_mistake() {
    if !strict() || !have(&["gcc"]) {
        return;
    }
    let (status, results) = room().json(&[
        "grade",
        "class",
        "--isolation",
        "strict",
        "--allow-missing",
        "seccomp",
        "--format",
        "json",
    ]);
    assert_eq!(status, 0);
    assert_eq!(results["isolation"]["level"], "strict");
    let layers = results["isolation"]["layers"].as_array().unwrap();
    assert!(layers.iter().any(|layer| layer == "seccomp"), "{layers:?}");
}

#[test]
fn a_wrong_word_about_isolation_is_exit_status_2() {
    let room = room();
    for (arguments, message) in [
        (
            &["grade", "class", "--allow-missing", "memory-cgrup"][..],
            "a similar value exists: 'memory-cgroup'",
        ),
        (
            &["test", "eight.c", "--isolation", "strickt"],
            "a similar value exists: 'strict'",
        ),
        (
            &[
                "grade",
                "class",
                "--isolation",
                "basic",
                "--allow-missing",
                "proc",
            ],
            "error: `--allow-missing` is about strict isolation",
        ),
        // Before the machine is looked at.
        (&["grade", "nowhere"], "error: there is no"),
    ] {
        let ran = room.run_as_it_is(arguments);
        assert_eq!(
            (ran.status, ran.stdout.as_str()),
            (2, ""),
            "{arguments:?}: {}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains(message),
            "{arguments:?}: {}",
            ran.stderr
        );
    }
}
