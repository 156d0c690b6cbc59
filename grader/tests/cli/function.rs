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
            "class/other-name/double.py",
            "def thrice(n):\n    return 3 * n\n",
        );
    let (_, results) = room.json(&["grade", "class", "-a", ".", "--json", "-"]);
    let first = |id: &str| {
        let problem = problem(student(&results, id), "double");
        let case = &problem["subtasks"][0]["cases"][0];
        let [verdict, hints, own] = [&case["verdict"], &case["hints"], &problem["hints"]];
        // A student's file does not start by itself: the command starts the author's.
        let [input, command] = [&case["input"]["text"], &case["command"]];
        format!("{verdict} {hints} {own} {input} {command}")
    };
    assert_eq!(
        ["wrong-c", "exits", "other-name", "whole"].map(first),
        [
            r#""WA" [] [] "1" "cp double/main.c double/double.h . && gcc main.c double.c -lm -o program && printf '1\\n' | ./program""#,
            r#""RE" [] [] "1" "cp double/main.c double/double.h . && gcc main.c double.c -lm -o program && printf '1\\n' | ./program""#,
            r#""RE" ["An exception ended the program at line 1 of `main.py`: ImportError: cannot import name 'twice' from 'double' (double.py)","`double` has no `twice`: the name is misspelt, or missing in `double.py` if that is a file of the program."] [] "1" "cp double/main.py . && printf '1\\n' | python3 main.py""#,
            r#""CE" [] ["This task has its own `main`. Remove yours and keep the function."] null null"#,
        ]
    );
}

/// A task with its own flags and data files: count the words of a text that are in no list.
const WORDS: &str = r#"
format = 1
id = "words"
title = "Words"
[submission]
files = ["words.*"]
[build]
flags.c = ["-Werror", "-DLIMIT=3"]
[run]
input-file = "text.txt"
files = ["data/stop.txt"]
stdin = "{word} the cat"
[checker.tokens]
[[subtask]]
name = "all"
points = 3
[[subtask.case]]
name = "more"
files = ["more.txt"]
answer = "1"
variables = { word = "a" }
[[subtask.case]]
name = "fewer"
answer = "2"
variables = { word = "dog" }
[[subtask]]
name = "word"
points = 2
case = [{ name = "none", answer = "0", variables = { word = "the" }, files = ["more.txt"] }]
"#;

const COUNTER: &str = "import os\nskip = set(open('stop.txt').read().split())\nif os.path.exists('more.txt'):\n    \
                       skip |= set(open('more.txt').read().split())\nopen('stop.txt', 'w').close()\n\
                       print(sum(word not in skip for word in open('text.txt').read().split()))\n";

#[test]
fn each_run_has_its_own_copies_of_the_data_files_and_a_kit_has_them() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let limit = "#if LIMIT != 3\n#error no limit\n#endif\nint main(void) { return 3; }\n";
    let room = Room::new()
        .file(
            "week/assignment.toml",
            "format = 1\nid = \"week\"\ntitle = \"Week\"\n[[problem]]\npath = \"words\"\npoints = 5\n",
        )
        .file("week/words/problem.toml", WORDS)
        .file("week/words/data/stop.txt", "the of\n")
        .file("week/words/more.txt", "a\n")
        .file("class/py/words.py", COUNTER)
        .file("class/c/words.c", limit)
        .file("class/warned/words.c", format!("{limit}static int unused(void) {{ return 0; }}\n"));
    let verdicts = |room: &Room, assignment: &str| {
        let (_, results) = room.json(&["grade", "class", "-a", assignment, "--json", "-"]);
        ["py", "c", "warned"].map(|id| {
            let problem = problem(student(&results, id), "words");
            format!("{} {}", problem["verdict"], problem["points"]).replace('"', "")
        })
    };
    let expected = ["PC 3", "RE 0", "CE 0"];
    assert_eq!(verdicts(&room, "./week"), expected);
    assert_eq!(room.run(&["bundle", "-a", "./week", "-o", "kit"]).status, 0);
    assert_eq!(verdicts(&room, "./kit"), expected);
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
        let (status, document) = room.json(&["verify", "sum", "--json", "-"]);
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
