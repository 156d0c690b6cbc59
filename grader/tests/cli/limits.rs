//! `limits` finds where a time limit belongs. What is measured here is certain: an answer at once and a loop without
//! end.

use crate::harness::{Room, have};

const AT_ONCE: &str = "#include <stdio.h>\nint main(void) { puts(\"1\"); return 0; }\n";
/// Twenty milliseconds of CPU time, and the answer.
const TWENTY_MS: &str = "#include <stdio.h>\n#include <time.h>\nint main(void) { while (clock() < CLOCKS_PER_SEC / 50) { } puts(\"1\"); return 0; }\n";
const NEVER: &str = "int main(void) { for (volatile int i = 0;; i = i + 1) { } }\n";
const WRONG: &str = "#include <stdio.h>\nint main(void) { puts(\"2\"); return 0; }\n";

/// A problem with one case, whose answer is 1.
fn one(limit: &str) -> Room {
    Room::new()
        .file(
            "one/problem.toml",
            format!(
                "format = 1\r\nid = \"one\" # time = \"9 s\"\r\ntitle = {{ zh = \"一\", en = \"One\" }}\r\n\r\n[limits]\r\ntime = {limit} # of one\r\n\r\n[submission]\r\nfiles = [\"one.*\"]\r\n\r\n[reference]\r\npath = \"solution.c\"\r\n\r\n[checker.tokens]\r\n\r\n[[subtask]]\r\nname = \"all\"\r\npoints = 1\r\n[[subtask.case]]\r\nname = \"only\"\r\nanswer = \"1\"\r\n"
            ),
        )
        .file("one/solution.c", AT_ONCE)
        .file("one/submissions/accepted/at-once.c", AT_ONCE)
        .file("one/submissions/time-limit/never.c", NEVER)
}

fn problem_file(room: &Room) -> String {
    std::fs::read_to_string(room.path("one/problem.toml")).unwrap()
}

#[test]
fn a_limit_in_its_window_is_told_with_both_witnesses() {
    if !have(&["gcc"]) {
        return;
    }
    let ran = one("\"500 ms\"").run(&["limits", "one", "--runs", "1"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    for words in [
        "accepted/at-once.c (C), all/only\n",
        "time-limit/never.c (C), all/only\n",
        "stopped after 1.5 s\n",
        "present    500 ms, inside: lower end × ",
        "one: the present limit is inside the window\n",
    ] {
        assert!(ran.stdout.contains(words), "`{words}`:\n{}", ran.stdout);
    }
}

#[test]
fn a_limit_outside_its_window_is_written_and_every_other_byte_stays() {
    if !have(&["gcc"]) {
        return;
    }
    // No process ends within twice a millisecond less than that.
    let room = one("\"1 ms\"").file("one/submissions/accepted/at-once.c", TWENTY_MS);
    let before = problem_file(&room);
    let ran = room.run(&["limits", "one", "--runs", "1"]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("present    1.0 ms, too small: "),
        "{}",
        ran.stdout
    );
    assert_eq!(problem_file(&room), before);
    let ran = room.run(&["limits", "one/problem.toml", "--runs", "1", "--write"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.ends_with("changed `one/problem.toml`\n"),
        "{}",
        ran.stdout
    );
    let after = problem_file(&room);
    let (head, rest) = before.split_once("\"1 ms\"").unwrap();
    let written = after
        .strip_prefix(head)
        .unwrap()
        .strip_suffix(rest)
        .unwrap();
    assert!(
        written.starts_with('"') && written.ends_with("s\""),
        "{written}"
    );
    assert_eq!(room.run(&["check", "one"]).status, 0);
}

#[test]
fn a_limit_that_is_a_multiple_has_a_window_of_multiples() {
    if !have(&["gcc"]) {
        return;
    }
    let limit = "{ reference = 3.0, at-least = \"300 ms\", at-most = \"20 s\" }";
    let ran = one(limit).run(&["limits", "one", "--runs", "1"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout
            .contains("must pass  any value: with its margin it ends within `at-least`\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("times the reference's"),
        "{}",
        ran.stdout
    );
}

#[test]
fn where_no_limit_suits_nothing_is_written() {
    if !have(&["gcc"]) {
        return;
    }
    let room = one("\"300 ms\"")
        .file("one/submissions/accepted/at-once.c", TWENTY_MS)
        .file("one/submissions/time-limit/never.c", AT_ONCE);
    let before = problem_file(&room);
    let ran = room.run(&["limits", "one", "--runs", "1", "--write"]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout
            .ends_with("one: no time limit does what the samples say\n"),
        "{}",
        ran.stdout
    );
    assert_eq!(problem_file(&room), before);
}

#[test]
fn a_sample_with_another_verdict_says_nothing_of_the_limit() {
    if !have(&["gcc"]) {
        return;
    }
    let room = one("\"300 ms\"").file("one/submissions/accepted/wrong.c", WRONG);
    let ran = room.run(&["limits", "one", "--runs", "1"]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout
            .contains("  accepted/wrong.c, case all/only: expected AC, found WA"),
        "{}",
        ran.stdout
    );
}

#[test]
fn what_cannot_be_asked_is_status_2() {
    let room = one("\"1 s\"");
    for (arguments, words) in [
        (
            &["limits", "n-queens/cuont"][..],
            "error: there is no problem `n-queens/cuont`: expected a folder that holds `problem.toml`, or `assignment/problem` of a bundled one; did you mean `n-queens/count`?",
        ),
        (
            &["limits", "n-queens/count", "--write"],
            "error: `n-queens/count` is inside this program and cannot be changed: --write needs the path of a problem's folder",
        ),
        (
            &["limits", "one", "--pass-margin", "0.5"],
            "expected a number from 1 to 100",
        ),
        (&["limits", "one", "--runs", "0"], "--runs"),
    ] {
        let ran = room.run(arguments);
        assert_eq!(ran.status, 2, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
}
