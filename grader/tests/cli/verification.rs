//! `verify` notices when a problem no longer does what its samples say.

use crate::harness::{Room, have};

/// The practice task `gray-code`, alone.
fn gray_code() -> Room {
    Room::new().copy("problems/bit-practice/gray-code", "gray-code")
}

fn ready() -> bool {
    have(&["gcc", "g++", "rustc", "javac", "fpc", "python3"])
}

#[test]
fn a_problem_that_holds_ends_with_status_0() {
    if !ready() {
        return;
    }
    let ran = gray_code().run(&["verify", "gray-code"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
}

/// A problem with an answer file, a reference of its own and two samples.
fn own() -> Room {
    Room::new()
        .file(
            "double/problem.toml",
            r#"
format = 1
id = "double"
title = { zh = "两倍", en = "Twice n" }

[submission]
files = ["double.*"]

[run]
arguments = ["{n}"]

[limits]
time = { reference = 1000 }

[reference]
path = "solution.c"

[checker.tokens]

[[subtask]]
name = "small"
points = 6
cases = { n = "1..=3" }

[[subtask]]
name = "large"
points = 4
cases = { n = "10..=11" }
"#,
        )
        .file("double/solution.c", program("2 * n"))
        .file("double/submissions/accepted/twice.c", program("n + n"))
        .file("double/submissions/accepted/shift.c", program("n << 1"))
        .file("double/submissions/wrong-answer/square.c", program("n * n"))
        .file(
            "double/submissions/expected.toml",
            r#"
["wrong-answer/square.c"]
points = 2
subtasks = { small = "PC", large = "WA" }
because = "squares: right at n = 2 only"
"#,
        )
}

fn program(expression: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) {{ int n = atoi(v[1]); (void)c; printf(\"%d\\n\", {expression}); return 0; }}\n"
    )
}

/// Verifies, expects status 1, and looks for words in what is printed.
fn fails_with(room: &Room, words: &[&str]) {
    let ran = room.run(&["verify", "double"]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    let all = format!("{}{}", ran.stdout, ran.stderr);
    for word in words {
        assert!(all.contains(word), "`{word}`:\n{all}");
    }
}

#[test]
fn an_assignment_of_ones_own_is_verified() {
    let ran = own().run(&["verify", "double"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("small/n=2"),
        "the idle case is named:\n{}",
        ran.stdout
    );
}

#[test]
fn several_places_are_one_document_that_keeps_to_its_schema() {
    let room = own().copy("problems/bit-practice/eight-queens", "eight-queens");
    std::fs::remove_dir_all(room.path("eight-queens/submissions")).unwrap();
    let room = room
        .file(
            "eight-queens/submissions/accepted/a.c",
            "#include <stdio.h>\nint main(void) { puts(\"92\"); return 0; }\n",
        )
        .file(
            "eight-queens/submissions/wrong-answer/b.c",
            "#include <stdio.h>\nint main(void) { puts(\"91\"); return 0; }\n",
        );
    let (status, document) = room.json(&["verify", "double", "eight-queens", "--format", "json"]);
    assert_eq!(status, 0, "{document:#}");
    assert_eq!(document["format"], "bitcraft-verification/1");
    assert_eq!(document["holds"], true);
    let assignments = document["assignments"].as_array().unwrap();
    let ids: Vec<_> = assignments
        .iter()
        .map(|assignment| &assignment["id"])
        .collect();
    assert_eq!(ids, ["double", "eight-queens"]);
}

#[test]
fn one_wrong_digit_of_the_reference_is_found_and_the_reference_is_named() {
    let room = own().replace("double/solution.c", "2 * n", "2 * n + (n == 3)");
    fails_with(
        &room,
        &[
            "reference, case small/n=3",
            "accepted/twice.c",
            "expected `7`",
            "found `6`",
        ],
    );
}

#[test]
fn one_changed_weight_is_found() {
    let room = own().replace("double/problem.toml", "points = 6", "points = 7");
    fails_with(
        &room,
        &["wrong-answer/square.c", "points", "expected 2, found 2.33"],
    );
}

#[test]
fn one_changed_weight_is_found_in_an_assignment_too() {
    let room = own()
        .file(
            "assignment.toml",
            "format = 1\nid = \"own\"\ntitle = { zh = \"一\", en = \"One\" }\n[[problem]]\npath = \"double\"\npoints = 11\n",
        );
    let ran = room.run(&["verify", "."]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stderr.contains("assignment.toml:6:10"),
        "{}",
        ran.stderr
    );
    assert_eq!(room.run(&["check", "."]).status, 2);
}

#[test]
fn one_changed_expected_verdict_is_found() {
    let room = own().replace(
        "double/submissions/expected.toml",
        "large = \"WA\"",
        "large = \"AC\"",
    );
    fails_with(
        &room,
        &[
            "wrong-answer/square.c",
            "subtask large",
            "expected AC, found WA",
            "squares: right at n = 2 only",
        ],
    );
}

#[test]
fn a_flag_that_is_not_expected_is_found_and_so_is_one_that_is_not_raised() {
    let room = own().replace(
        "double/problem.toml",
        "[run]",
        "[source]\nforbid = [\"<<\"]\n\n[run]",
    );
    let ran = room.run(&["verify", "double"]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    let (_, found) = ran.stdout.split_once("accepted/shift.c").unwrap();
    let (found, _) = found.split_once("✓").unwrap();
    assert_eq!(
        found,
        "       C         AC        AC  10
      flags: raised the flag `forbidden-token`, which is not expected: the source has `<<`, which it
      should not; shift.c:3:75: `<<`
  "
    );
    let expected = "[\"accepted/shift.c\"]\nflags = [\"forbidden-token\"]\n";
    let room = room.file("double/submissions/expected.toml", expected);
    let ran = room.run(&["verify", "double"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let room = room.replace("double/problem.toml", "\"<<\"", "\">>\"");
    let (status, document) = room.json(&["verify", "double", "--format", "json"]);
    assert_eq!(status, 1);
    let samples = &document["assignments"][0]["problems"][0]["samples"];
    assert_eq!(samples[0]["path"], "accepted/shift.c");
    assert_eq!(
        samples[0]["mismatches"],
        serde_json::json!([{
            "place": "flags",
            "message": "did not raise the flag `forbidden-token`, which is expected",
        }])
    );
}

#[test]
fn a_wrong_program_that_passes_is_found() {
    let room = own().file("double/submissions/wrong-answer/right.c", program("2 * n"));
    fails_with(&room, &["wrong-answer/right.c", "expected WA, found AC"]);
}

#[test]
fn a_reference_that_does_not_build_is_our_fault() {
    let room = own().replace("double/solution.c", "2 * n", "2 * m");
    let ran = room.run(&["verify", "double"]);
    assert_eq!(ran.status, 3, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("the reference does not build"),
        "{}",
        ran.stdout
    );
}

/// A problem with a reference that the grader carries, and the cases that are given.
fn binomial(cases: &str) -> Room {
    let head = "format = 1\nid = \"parity\"\ntitle = { zh = \"奇偶\", en = \"Parity\" }\n[submission]\nfiles = [\"parity.*\"]\n[limits]\ntime = \"2 s\"\n[reference]\nbuiltin = \"binomial-parity\"\n[checker.lines]\n";
    Room::new()
        .file("parity/problem.toml", format!("{head}{cases}"))
        .file(
            "parity/submissions/accepted/and.c",
            "#include <stdio.h>\nint main(void) { unsigned long long n, k; while (scanf(\"%llu %llu\", &n, &k) == 2) puts((n & k) == k ? \"odd\" : \"even\"); return 0; }\n",
        )
        .file(
            "parity/submissions/wrong-answer/odd.c",
            "#include <stdio.h>\nint main(void) { unsigned long long n, k; while (scanf(\"%llu %llu\", &n, &k) == 2) puts(\"odd\"); return 0; }\n",
        )
}

const SMALL_CASES: &str = "[[subtask]]\nname = \"small\"\npoints = 5\n[[subtask.case]]\nname = \"even\"\nstdin = \"4 2\\n6 3\\n\"\n[[subtask.case]]\nname = \"odd\"\nstdin = \"8 8\\n\"\n";

#[test]
fn mutants_that_no_case_fails_are_found_and_the_table_shows_them() {
    let ran = binomial(SMALL_CASES).run(&["verify", "parity", "--table"]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    // How near the limit a run came is another number each time.
    let is_margin = |line: &&str| line.starts_with("  slowest that passes  ");
    assert_eq!(ran.stdout.lines().filter(is_margin).count(), 1);
    let rest: Vec<&str> = ran.stdout.lines().filter(|line| !is_margin(line)).collect();
    let stdout = rest.join("\n") + "\n";
    assert_eq!(
        stdout,
        "parity
  mutants/thirty-two-bits: survives: no case fails a program that holds n and k in thirty-two bits
  mutants/through-floating-point: survives: no case fails a program that reads n and k as
  floating-point numbers, which lose digits above 2^53
  mutants/last-line-without-end-lost: survives: no case fails a program that drops the last line
  where no line end follows it
    sample              language  expected  found
  ✓ accepted/and.c      C         AC        AC    5
  ✓ wrong-answer/odd.c  C         WA        PC  2.5
  cases that no wrong sample fails: small/odd

  table of the tests: which wrong program fails which case

                                        1 2
    wrong-answer/odd.c                  W ·
    mutants/odd-and-even-swapped        W W
    mutants/lowest-digit-only           W ·
    mutants/thirty-two-bits             · ·
    mutants/through-floating-point      · ·
    mutants/last-line-without-end-lost  · ·

    1  small: even
    2  small: odd
    · accepted, W wrong answer

  no case tells apart: wrong-answer/odd.c, mutants/lowest-digit-only
  3 of 6 wrong programs fail, and 1 case would be enough for that (chosen greedily: fewer may do):
  small/even

parity: 2 samples, all as expected, 5 mutants, 3 survive, 1 problem is faulty by itself
"
    );
}

#[test]
fn cases_that_fail_every_mutant_satisfy() {
    let cases = format!(
        "{SMALL_CASES}[[subtask.case]]\nname = \"large\"\nstdin = \"9007199254740992 1\\n9007199254740993 1\\n8589934592 4294967296\"\n"
    );
    let (status, document) = binomial(&cases).json(&["verify", "parity", "--format", "json"]);
    assert_eq!(status, 0, "{document:#}");
    let problem = &document["assignments"][0]["problems"][0];
    assert_eq!(problem["table"], serde_json::Value::Null);
    let killers: Vec<_> = problem["mutants"]
        .as_array()
        .unwrap()
        .iter()
        .map(|mutant| mutant["killed-by"].as_str().unwrap())
        .collect();
    assert_eq!(
        killers,
        [
            "small/even",
            "small/even",
            "small/large",
            "small/large",
            "small/large"
        ]
    );
}

#[test]
fn a_mutant_that_does_not_exist_cannot_be_started() {
    let ran = Room::new().run_as_it_is(&["__mutant", "count", "none"]);
    assert_eq!(
        (ran.status, ran.stdout.as_str(), ran.stderr.as_str()),
        (1, "", "mutant: there is no such mutant\n")
    );
}
