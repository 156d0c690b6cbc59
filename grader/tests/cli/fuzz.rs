//! Validators and checkers that are fed broken inputs and broken answers.

use std::fs;

use crate::harness::{Room, have};

const PROBLEM: &str = "format = 1
id = \"@ID@\"
title = \"Sum\"
[submission]
files = [\"@ID@.*\"]
[limits]
time = \"10 s\"
[checker.program]
source = \"check.c\"
[validator]
source = \"valid.c\"
[[subtask]]
name = \"all\"
points = 1
case = [
  { name = \"three\", stdin = \"3\\n1 2 3\\n\", answer = \"6\\n\" },
  { name = \"one\", stdin = \"1\\n5\\n\", answer = \"5\\n\" },
]
";

const SOLUTION: &str = "#include <stdio.h>
int main() { int n, x, sum = 0; scanf(\"%d\", &n); while (n-- && scanf(\"%d\", &x) == 1) sum += x; printf(\"%d\\n\", sum); }
";

/// Reads standard input as a whole, and the answer as a number.
const HEAD: &str = "#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char text[9999];
static double answer(char **argv) { double x; FILE *file = fopen(argv[2], \"r\"); if (fscanf(file, \"%lf\", &x) != 1) exit(9); return x; }
int main(int argc, char **argv) { size_t length = fread(text, 1, sizeof text - 1, stdin); char *end = text; (void)argc; (void)argv;
  (void)answer; (void)end; (void)length;
";

const STRICT_VALIDATOR: &str = "if (strlen(text) != length) return 1;
  long n = strtol(end, &end, 10), x; if (n < 1 || n > 9) return 1;
  while (n--) { char *before = end; x = strtol(end, &end, 10); if (end == before || x < -100 || x > 100) return 1; }
  while (isspace(*end)) end++;
  return *end ? 1 : 0; }
";

/// Does not look whether a number was read, nor for what follows.
const LAX_VALIDATOR: &str =
    "int n, x = 0; n = (int)strtol(end, &end, 10); if (n < 1 || n > 9) return 1;
  while (n--) { x = (int)strtol(end, &end, 10); if (x < -100 || x > 100) return 1; }
  return 0; }
";

const STRICT_CHECKER: &str =
    "double x = strtod(text, &end); if (end == text || strlen(text) != length) return 43;
  while (isspace(*end)) end++;
  return *end || !(fabs(x - answer(argv)) < 1e-6) ? 43 : 42; }
";

/// Lets `nan` pass, and whatever follows.
const LAX_CHECKER: &str = "double x = strtod(text, &end); if (end == text) return 43;
  return fabs(x - answer(argv)) > 1e-6 ? 43 : 42; }
";

const LAX: &str = "\
validator `valid.c`: accepts every input with junk in place of a word (2 tried), such as that of
all/one
  │ 1
  │ \\xff?\\x01
validator `valid.c`: accepts every input with text after the end (2 tried), such as that of
all/one
  │ 1
  │ 5
  │ more text 7
validator `valid.c`: accepts every input with a NUL byte at the end (2 tried), such as that of
all/one
  │ 1
  │ 5
  │ \\0
validator `valid.c`: accepts every input with a NUL byte in the middle (2 tried), such as that of
all/one
  │ 1
  │ \\05
validator `valid.c`: accepts every input with a huge last number (2 tried), such as that of
all/one
  │ 1
  │ 9999999999999999999999999999999999999999999999999999999999…
validator `valid.c`: accepts every input with `nan` in place of the last number (2 tried), such as
that of all/one
  │ 1
  │ nan
validator `valid.c`: accepts every input without the last word (2 tried), such as that of all/one
  │ 1
checker `check.c`: accepts answers with text after the end (2 of 2 tried), such as that of
all/three
  │ 6
  │ more text 7
checker `check.c`: accepts answers with a NUL byte at the end (2 of 2 tried), such as that of
all/three
  │ 6
  │ \\0
checker `check.c`: accepts answers with a NUL byte in the middle (2 of 2 tried), such as that of
all/three
  │ 6\\0
checker `check.c`: accepts answers with `nan` in place of the last number (2 of 2 tried), such as
that of all/three
  │ nan";
const FAILING: &str = "\
checker, given junk: the problem's checker `check.c` was killed by signal 6 (SIGABRT)
checker, given an endless line: the problem's checker `check.c` was killed by signal 6 (SIGABRT)
validator `valid.c`, given the input of all/one replaced by nothing: the problem's validator
`valid.c` was killed by signal 6 (SIGABRT)
checker `check.c`, given the answer of all/three with a huge first number: the problem's checker
`check.c` was killed by signal 6 (SIGABRT)
  │ 999999999999999999999999999999999999999999999999999999999999…";
const FREE: &str = "\
checker `check.c`: accepts answers with text after the end (2 of 2 tried), such as that of
all/three
  │ 6
  │ more text 7
checker `check.c`: accepts answers with a NUL byte at the end (2 of 2 tried), such as that of
all/three
  │ 6
  │ \\0
checker `check.c`: accepts answers with a NUL byte in the middle (2 of 2 tried), such as that of
all/three
  │ 6\\0";

fn with_problem(room: Room, id: &str, validator: &str, checker: &str) -> Room {
    room.file(&format!("{id}/problem.toml"), PROBLEM.replace("@ID@", id))
        .file(&format!("{id}/submissions/accepted/{id}.c"), SOLUTION)
        .file(&format!("{id}/valid.c"), format!("{HEAD}{validator}"))
        .file(&format!("{id}/check.c"), format!("{HEAD}{checker}"))
}

/// What `verify --fuzz` says of a problem itself, with huge numbers as `HUGE`, and its exit status.
fn fuzzed(room: &Room, id: &str) -> (i32, String) {
    let ran = room.run(&["verify", id, "--fuzz", "--verbose"]);
    let lines = ran.stdout.lines().skip(1);
    let lines = lines.take_while(|line| !line.starts_with("    sample"));
    let lines: Vec<&str> = lines.map(|line| line.strip_prefix("  ").unwrap()).collect();
    assert_eq!(ran.stderr, "");
    (ran.status, lines.join("\n"))
}

#[test]
fn what_accepts_or_fails_on_broken_texts_is_named() {
    if !have(&["gcc"]) {
        return;
    }
    let mut room = Room::new();
    for (id, validator, checker) in [
        ("strict", STRICT_VALIDATOR, STRICT_CHECKER),
        ("lax", LAX_VALIDATOR, LAX_CHECKER),
        (
            "failing",
            &format!("if (length == 0) abort();{STRICT_VALIDATOR}"),
            &format!("if (length > 4000) abort();{STRICT_CHECKER}"),
        ),
    ] {
        room = with_problem(room, id, validator, checker);
    }
    assert_eq!(fuzzed(&room, "strict"), (0, String::new()));
    let (lax, failing) = (fuzzed(&room, "lax"), fuzzed(&room, "failing"));
    assert_eq!((lax.0, lax.1.as_str()), (1, LAX));
    assert_eq!((failing.0, failing.1.as_str()), (1, FAILING));
}

#[test]
fn a_lenient_validator_is_not_reported_beside_a_strict_one() {
    if !have(&["gcc"]) {
        return;
    }
    let lenient = format!("{HEAD}{LAX_VALIDATOR}");
    let room = with_problem(Room::new(), "two", STRICT_VALIDATOR, STRICT_CHECKER)
        .file("two/lax.c", lenient)
        .replace(
            "two/problem.toml",
            "[validator]\nsource = \"valid.c\"\n",
            "[[validator]]\nsource = \"valid.c\"\n[[validator]]\nsource = \"lax.c\"\n",
        );
    assert_eq!(fuzzed(&room, "two"), (0, String::new()));
}

#[test]
fn without_a_reference_the_output_of_an_accepted_sample_is_the_right_answer() {
    if !have(&["gcc"]) {
        return;
    }
    let checker = "int n, sum = 0, x; FILE *file = fopen(argv[1], \"r\"); if (fscanf(file, \"%d\", &n) != 1) return 1;
        while (n-- && fscanf(file, \"%d\", &x) == 1) sum += x;
        return atoi(text) == sum ? 42 : 43; }\n";
    let room = with_problem(Room::new(), "free", STRICT_VALIDATOR, checker);
    let path = room.path("free/problem.toml");
    let text = fs::read_to_string(&path).unwrap();
    let text = text
        .replace(", answer = \"6\\n\"", "")
        .replace(", answer = \"5\\n\"", "");
    fs::write(path, text).unwrap();
    let (status, found) = fuzzed(&room, "free");
    assert_eq!((status, found.as_str()), (1, FREE));
}
