//! Flags: what instructors should look at in sources, and students do not see.

use serde_json::{Value, json};

use crate::class::{GRADE, squares};
use crate::harness::{Room, problem, student};

const TABLE: &str = "#include <stdio.h>\n#include <stdlib.h>\nstatic const int table[] = { 1, 1600, 0x9c4 };\n\
    int main(int c, char **v) { (void)c; goto print; /* goto */\nprint:\n    printf(\"%d\\n\", table[atoi(v[1]) / 21]); return 0; }\n";
const HONEST: &str = "import sys\n# 1600 2500\nn = int(sys.argv[1])\nprint(n * n)\n";

/// Squares of 1, 40 and 50, to be computed by multiplying.
fn room() -> Room {
    let file = "squares/square/problem.toml";
    let mut room = squares()
        .file("class/ann/square.c", TABLE)
        .file("class/bob/square.py", HONEST);
    for (old, new) in [
        ("n=2", "n=40"),
        ("n = 2", "n = 40"),
        ("4\\n", "1600\\n"),
        ("n=3", "n=50"),
        ("n = 3", "n = 50"),
        ("9\\n", "2500\\n"),
        (
            "[run]",
            "[source]
forbid = [\"goto\"]
require = [{ any = [\"* n\"], because = { zh = \"要用乘法\", en = \"squares are computed\" } }]
answers = 2

[run]",
        ),
    ] {
        room = room.replace(file, old, new);
    }
    room
}

#[test]
fn a_flag_takes_no_points_and_is_in_the_table_the_explanation_and_the_json() {
    let room = room();
    let ran = room.run(&[&GRADE[..], &["--explain", "ann"]].concat());
    let (_, end) = ran.stdout.split_once("Needs human attention\n").unwrap();
    assert!(
        end.starts_with(
            "
  Flags: worth a look, no points deducted (3)
    ann  square  the source contains `goto`, which is not allowed
    ann  square  the source does not have `* n`: squares are computed
    ann  square  the source has 2 of this problem's answers in it: 1600, 2500
"
        ),
        "{end}"
    );
    let (_, flags) = ran.stdout.split_once("  flag: ").unwrap();
    let (flags, _) = flags.split_once("\n  small").unwrap();
    assert_eq!(
        flags,
        "\
the source contains `goto`, which is not allowed
    │ int main(int c, char **v) { (void)c; goto print; /* goto */
    square.c:4:38  `goto`
  flag: the source does not have `* n`: squares are computed
    square.c: searched 73 tokens
  flag: the source has 2 of this problem's answers in it: 1600, 2500
    │ static const int table[] = { 1, 1600, 0x9c4 };
    square.c:3:33  1600, the answer of n=40
    square.c:3:39  2500, the answer of n=50"
    );
    let (status, results) = room.json(&[&GRADE[..], &["--json", "-"]].concat());
    assert_eq!(status, 0);
    let square = |id: &str| problem(student(&results, id), "square");
    assert_eq!(
        [&square("ann")["points"], &square("bob")["points"]],
        [10, 10]
    );
    let codes = |id: &str| -> Vec<Value> {
        let flags = square(id)["flags"].as_array().unwrap().iter();
        flags.map(|flag| flag["code"].clone()).collect()
    };
    assert_eq!(
        codes("ann"),
        [
            "forbidden-token",
            "required-token-missing",
            "answers-in-source"
        ]
    );
    assert_eq!(codes("bob"), Vec::<Value>::new());
    assert_eq!(
        square("ann")["flags"][0]["evidence"][0]["place"],
        json!({ "file": "square.c", "line": 4, "column": 38 })
    );
}

#[test]
fn students_see_no_flag_in_any_report() {
    let room = room();
    let to_student = ["--explain", "ann", "--audience", "student"];
    let to_student = [&GRADE[..], &to_student].concat();
    let json = [&to_student[..], &["--json", "-"]].concat();
    let test = ["test", "class/ann/square.c", "-a", "./squares"].to_vec();
    for arguments in [to_student, json, test] {
        let ran = room.run(&arguments);
        assert_eq!(ran.status, 0, "{}", ran.stdout);
        assert!(ran.stdout.contains("square"), "{}", ran.stdout);
        for word in ["flag:", "goto", "the source", "searched", "1600"] {
            assert!(!ran.stdout.contains(word), "{word}: {}", ran.stdout);
        }
    }
}
