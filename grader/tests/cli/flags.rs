//! Flags: what instructors should look at in sources, and students do not see.

use serde_json::{Value, json};

use crate::class::squares;
use crate::harness::{Room, problem, student};

const TABLE: &str = "#include <stdio.h>\n#include <stdlib.h>\nstatic const int table[] = { 1, 1600, 0x9c4 };\n\
    int main(int c, char **v) { (void)c; goto print; /* goto */\nprint:\n    printf(\"%d\\n\", table[atoi(v[1]) / 21]); return 0; }\n";
const HONEST: &str = "#include <stdio.h>\n#include <stdlib.h>\n// 1600 2500\n\
    int main(int c, char **v) { int n = atoi(v[1]); (void)c; printf(\"%d\\n\", n * n); return 0; }\n";

/// Squares of 1, 40 and 50, to be computed by multiplying.
fn room() -> Room {
    let file = "squares/square/problem.toml";
    squares()
        .replace(file, "n=2", "n=40")
        .replace(file, "n = 2", "n = 40")
        .replace(file, "4\\n", "1600\\n")
        .replace(file, "n=3", "n=50")
        .replace(file, "n = 3", "n = 50")
        .replace(file, "9\\n", "2500\\n")
        .replace(
            file,
            "[run]",
            "[source]
forbid = [\"goto\"]
require = [{ any = [\"* n\"], because = { zh = \"要用乘法\", en = \"squares are computed\" } }]
answers = 2

[run]",
        )
        .file("class/ann/square.c", TABLE)
        .file("class/bob/square.c", HONEST)
}

#[test]
fn a_flag_takes_no_points_and_is_in_the_table_the_explanation_and_the_json() {
    let room = room();
    let grade = ["grade", "class", "-a", "./squares"];
    let ran = room.run(&grade);
    let (_, end) = ran.stdout.split_once("What needs a human\n").unwrap();
    assert_eq!(
        end,
        "
  Flags: worth a look, no points taken (3)
    ann  square  the source has `goto`, which it should not
    ann  square  the source does not have `* n`: squares are computed
    ann  square  the source has 2 of this problem's answers in it: 1600, 2500
"
    );
    let ran = room.run(&[&grade[..], &["--explain", "ann"]].concat());
    let (_, flags) = ran.stdout.split_once("  flag: ").unwrap();
    let (flags, _) = flags.split_once("\n  small").unwrap();
    assert_eq!(
        flags,
        "\
the source has `goto`, which it should not
    │ int main(int c, char **v) { (void)c; goto print; /* goto */
    square.c:4:38  `goto`
  flag: the source does not have `* n`: squares are computed
    square.c: looked through, 73 tokens
  flag: the source has 2 of this problem's answers in it: 1600, 2500
    │ static const int table[] = { 1, 1600, 0x9c4 };
    square.c:3:33  1600, the answer of n=40
    square.c:3:39  2500, the answer of n=50"
    );
    let (status, results) = room.json(&[&grade[..], &["--format", "json"]].concat());
    assert_eq!(status, 0);
    for id in ["ann", "bob"] {
        assert_eq!(student(&results, id)["points"], 10);
    }
    let flags = &problem(student(&results, "ann"), "square")["flags"];
    assert_eq!(
        flags[0],
        json!({
            "code": "forbidden-token",
            "message": "the source has `goto`, which it should not",
            "evidence": [{
                "message": "`goto`",
                "place": { "file": "square.c", "line": 4, "column": 38 },
                "excerpt": {
                    "text": "int main(int c, char **v) { (void)c; goto print; /* goto */",
                    "before": 0,
                    "after": 0
                }
            }]
        })
    );
    assert_eq!(flags[1]["code"], "required-token-missing");
    assert_eq!(flags[2]["code"], "answers-in-source");
    assert_eq!(flags.as_array().unwrap().len(), 3);
    let honest = problem(student(&results, "bob"), "square");
    assert_eq!(honest["flags"], json!([]));
}

#[test]
fn students_see_no_flag_in_any_report() {
    let room = room();
    let to_student = [
        "grade",
        "class",
        "-a",
        "./squares",
        "--explain",
        "ann",
        "--audience",
        "student",
    ];
    let text = room.run(&to_student).stdout;
    let json = room.run(&[&to_student[..], &["--format", "json"]].concat());
    let tried = room.run(&["test", "class/ann/square.c", "-a", "./squares"]);
    assert_eq!((json.status, tried.status), (0, 0), "{}", tried.stdout);
    for stdout in [&text, &json.stdout, &tried.stdout] {
        assert!(stdout.contains("square"), "{stdout}");
        for word in ["flag:", "goto", "the source has", "looked through", "1600"] {
            assert!(!stdout.contains(word), "{word}: {stdout}");
        }
    }
    let results: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(
        problem(student(&results, "ann"), "square")["flags"],
        json!([])
    );
}
