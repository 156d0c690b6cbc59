//! A task that asks for a function: files of the author are built with each submission, cases come from a folder, a
//! sample earns nothing, and a rule refuses sources.

use crate::harness::{Room, have, problem, student};

#[test]
fn the_authors_files_are_built_with_a_submission_and_cannot_be_replaced() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let room = Room::new().fixture("function", ".");
    let (status, results) = room.json(&["grade", "class", "-a", ".", "--json", "-"]);
    assert_eq!(status, 0);
    let row = |id: &str| {
        let problem = problem(student(&results, id), "double");
        let subtasks = problem["subtasks"].as_array().unwrap().iter();
        let cases = subtasks.flat_map(|it| it["cases"].as_array().unwrap());
        let cases: Vec<String> = cases
            .map(|case| format!("{} {}", case["name"], case["verdict"]).replace('"', ""))
            .collect();
        let message = problem["message"].as_str().unwrap_or_default();
        format!("{} {}: {}", problem["points"], cases.join(", "), message)
    };
    assert_eq!(
        [
            "right-c", "right-py", "replaces", "refused", "whole", "tricks"
        ]
        .map(row),
        [
            "4 one AC, 2 AC, 9 AC, 10 AC: ",
            "4 one AC, 2 AC, 9 AC, 10 AC: ",
            "2.67 one AC, 2 AC, 9 AC, 10 WA: ",
            "0 one CE, 2 CE, 9 CE, 10 CE: source rejected: the source contains `goto`, which is not allowed: use a loop (double.c:1:25)",
            "0 one CE, 2 CE, 9 CE, 10 CE: does not compile",
            "0 one CE, 2 CE, 9 CE, 10 CE: does not compile",
        ]
    );
}

#[test]
fn nothing_is_said_that_holds_only_for_whole_programs() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let room = Room::new()
        .fixture("function", ".")
        .file("class/wrong-c/double.c", "int twice(int n) { return n; }\n")
        .file(
            "class/exits/double.c",
            "#include <stdlib.h>\nint twice(int n) { exit(n); }\n",
        )
        .file(
            "class/other-name/Double.py",
            "def twice(n):\n    return 2 * n\n",
        );
    let (_, results) = room.json(&["grade", "class", "-a", ".", "--json", "-"]);
    let first = |id: &str| {
        let problem = problem(student(&results, id), "double");
        let case = &problem["subtasks"][0]["cases"][0];
        let [verdict, hints, own] = [&case["verdict"], &case["hints"], &problem["hints"]];
        // A student's file does not start by itself: there is no command that runs it.
        let [input, command] = [&case["input"]["text"], &case["command"]];
        format!("{verdict} {hints} {own} {input} {command}")
    };
    assert_eq!(
        ["wrong-c", "exits", "other-name", "whole"].map(first),
        [
            r#""WA" [] [] "1" null"#,
            r#""RE" [] [] "1" null"#,
            r#""RE" ["An exception ended the program at line 1: ModuleNotFoundError: No module named 'double'"] [] "1" null"#,
            r#""CE" [] [] null null"#,
        ]
    );
}

/// A task in which the inputs are generated.
const GENERATED: &str = r#"
format = 1
id = "sum"
title = "Sum"
[submission]
files = ["sum.*"]
[run]
generate = "gen.py {n} {seed}"
[limits]
time = "10 s"
[checker.tokens]
[reference]
path = "sum.py"
[validator]
source = "validate.py"
[[subtask]]
name = "all"
points = 2
cases = { n = "2..=3", seed = 7 }
"#;

const GENERATOR: &str = "import random, sys\nrandom.seed(sys.argv[2])\nn = int(sys.argv[1])\nprint(n, *(random.randint(1, 9) for _ in range(n)))\n";
const VALIDATOR: &str = "import sys\nn, *rest = map(int, sys.stdin.read().split())\nif len(rest) != n:\n    print('line 1:', len(rest), 'numbers')\n    sys.exit(43)\n";
const SUM: &str = "n, *rest = map(int, input().split())\nprint(sum(rest))\n";

#[test]
fn inputs_are_generated_once_and_verified() {
    if !have(&["python3"]) {
        return;
    }
    let room = |generator: &str| {
        Room::new()
            .file("sum/problem.toml", GENERATED)
            .file("sum/gen.py", generator)
            .file("sum/validate.py", VALIDATOR)
            .file("sum/sum.py", SUM)
            .file("sum/submissions/accepted/sum.py", SUM)
            .file("sum/submissions/wrong-answer/count.py", "print(input())\n")
    };
    let mismatches = |room: &Room| {
        let (status, document) = room.json(&["verify", "sum", "--format", "json"]);
        let mismatches = document["assignments"][0]["problems"][0]["mismatches"].clone();
        let all = mismatches.as_array().unwrap().iter();
        let all = all.map(|it| format!("{}: {}", it["place"], it["message"]).replace('"', ""));
        (status, all.collect::<Vec<_>>())
    };
    assert_eq!(mismatches(&room(GENERATOR)), (0, Vec::new()));
    let random = GENERATOR.replace("random.seed(sys.argv[2])", "");
    let (status, found) = mismatches(&room(&random.replace("1, 9)", "1, 10**18)")));
    assert_eq!(
        (status, &*found[0]),
        (
            1,
            "input, case all/n=2,seed=7: the generator `gen.py 2 7` printed different output on a second run"
        )
    );
    assert_eq!(
        mismatches(&room(&GENERATOR.replace("print(n, ", "print(n + 1, "))).1[0],
        "input, case all/n=2,seed=7: the validator `validate.py` rejected the input (exit status 43): line 1: 2 numbers"
    );
    let (status, found) = mismatches(&room("import sys\nsys.exit('no such case')\n"));
    assert_eq!(
        (status, &*found[1]),
        (
            3,
            "input, case all/n=3,seed=7: the problem's generator `gen.py` ended with exit status 1; it wrote: no such case"
        )
    );
}
