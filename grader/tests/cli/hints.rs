//! Mistakes of real programs, and all texts about them in both languages; languages of a site.

use grader_store::Reader;
use serde_json::{Map, Value, json};

use crate::harness::{Room, have, problem, student};

/// The verdict of the last problem that was submitted, and all texts about one student, each once: messages and hints of
/// the problems and their cases, and why files were not used.
fn texts_about(student: &Value) -> Value {
    fn of(value: &Value) -> std::slice::Iter<'_, Value> {
        value.as_array().unwrap().iter()
    }
    let mut found = Vec::new();
    let mut verdict = &Value::from("NS");
    for problem in of(&student["problems"]).filter(|it| of(&it["files"]).count() > 0) {
        verdict = &problem["verdict"];
        found.push(&problem["message"]);
        found.extend(of(&problem["hints"]));
        for case in of(&problem["subtasks"]).flat_map(|subtask| of(&subtask["cases"])) {
            found.push(&case["message"]);
            found.extend(of(&case["hints"]));
        }
    }
    found.extend(of(&student["unused"]).map(|file| &file["reason"]));
    let mut texts: Vec<&Value> = Vec::new();
    for text in found.into_iter().filter(|text| !text.is_null()) {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    json!({ "verdict": verdict, "texts": texts })
}

#[test]
fn usual_mistakes_are_explained_in_both_languages() {
    if !have(&["gcc", "g++", "rustc", "javac", "fpc", "python3"]) {
        return;
    }
    let room = Room::new().keeping().fixture("mistakes", ".");
    // One folder has two programs.
    let ran = room.run(&["grade", "class", "-a", "./assignment"]);
    assert_eq!(ran.status, 3, "{}", ran.stderr);
    // The ledger has both languages of every text.
    let ledger = Reader::open(&room.path(".grader/ledger.db")).unwrap();
    let results = serde_json::to_value(ledger.results(1).unwrap()).unwrap();
    let expected: Map<String, Value> =
        serde_json::from_str(include_str!("../fixtures/mistakes/expected.json")).unwrap();
    for (id, expected) in expected {
        assert_eq!(texts_about(student(&results, &id)), expected, "{id}");
    }
}

#[test]
fn a_folder_with_two_programs_is_refused() {
    let room = Room::new()
        .file("mine/count/first.c", "int main(void) { return 0; }\n")
        .file("mine/count/second.c", "int main(void) { return 0; }\n");
    let ran = room.run(&["test", "mine"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert_eq!(
        ran.stderr,
        "error: `mine`: several files for `count` have a `main` (`first.c`, `second.c`): submit only one program, or \
         name it `count.c`\n"
    );
}

/// Students, verdicts, and a part of the results.
const SITE: [[&str; 3]; 11] = [
    ["go-right", "AC", ""],
    ["go-unused", "CE", "`os` is imported and not used"],
    [
        "go-index",
        "RE",
        "The program panicked at answer.go:6: runtime error: index out of range [1] with length 1",
    ],
    ["go-package", "CE", "There is no `package main`"],
    ["js-right", "AC", ""],
    ["js-bracket", "CE", "Unbalanced brackets near line 1"],
    ["js-null", "RE", "at line 2: TypeError: Cannot read"],
    ["js-memory", "MLE", ""],
    ["shell", "AC", ""],
    ["copied", "AC", ""],
    ["flags", "AC", ""],
];

#[test]
fn go_javascript_and_the_languages_of_a_site_are_judged() {
    if !have(&["go", "node"]) {
        return;
    }
    let room = Room::new().fixture("site", ".");
    let (status, results) = room.json(&["grade", "class", "-a", "./assignment", "--json", "-"]);
    assert_eq!(status, 0);
    for [id, verdict, part] in SITE {
        let problem = &problem(student(&results, id), "answer");
        assert_eq!(problem["verdict"], verdict, "{id}: {problem:#}");
        assert!(problem.to_string().contains(part), "{id}: {problem:#}");
    }
}

#[test]
fn a_compiler_that_makes_no_program_found_a_mistake_in_the_source() {
    // As Go does for a package that is not `main`: what it makes cannot be started.
    let room = Room::new()
        .fixture("site/assignment", "assignment")
        .replace(
            "assignment/assignment.toml",
            "run = [\"sh\", \"{program}\"]",
            "run = [\"{program}\"]",
        )
        .file("class/eve/answer.copied", "echo 92\n");
    let (status, results) = room.json(&["grade", "class", "-a", "./assignment", "--json", "-"]);
    let problem = problem(student(&results, "eve"), "answer");
    assert_eq!(
        (status, &problem["verdict"]),
        (0, &json!("CE")),
        "{problem:#}"
    );
    let message = "the compiler made no program that can be started";
    assert_eq!(problem["message"], message);
}

const ADVISED: &str = r#"
format = 1
id = "sum"
title = "Sum"

[submission]
files = ["sum.*"]

[run]
stdin = "{a}\n"

[limits]
time = "10 s"

[checker.tokens]

[[subtask]]
name = "small"
points = 2
hint = "Read the statement again."
case = [
    { name = "one", variables = { a = 1 }, answer = "2" },
    { name = "two", variables = { a = 5 }, answer = "10", hint = { en = "Twice, not squared.", zh = "是两倍，不是平方。" } },
    { name = "three", variables = { a = 2 }, answer = "4" },
]

[[subtask]]
name = "large"
points = 1
hidden = true
hint = "Think of negative numbers."
case = [
    { name = "secret", variables = { a = -7 }, answer = "-14" },
    { name = "secret too", variables = { a = -8 }, answer = "-16" },
]
"#;

#[test]
fn the_authors_advice_is_shown_for_cases_that_failed_hidden_ones_too() {
    if !have(&["python3"]) {
        return;
    }
    let assignment =
        "format = 1\nid = \"week\"\ntitle = \"Week\"\n[[problem]]\npath = \"sum\"\npoints = 3\n";
    let room = Room::new()
        .file("week/assignment.toml", assignment)
        .file("week/sum/problem.toml", ADVISED)
        .file("class/ann/sum.py", "print(int(input()) ** 2)\n")
        .file("class/bob/sum.py", "print(int(input()) * 2)\n");
    let (_, results) = room.json(&["grade", "class", "-a", "./week", "--json", "-"]);
    let all = |id: &str| {
        let problem = problem(student(&results, id), "sum");
        let subtasks = problem["subtasks"].as_array().unwrap().iter();
        let cases = subtasks.flat_map(|subtask| subtask["cases"].as_array().unwrap());
        let hints = cases.map(|case| case["hints"].clone());
        (problem["hints"].clone(), hints.collect::<Vec<_>>())
    };
    let read = json!(["Read the statement again."]);
    let twice = json!(["Twice, not squared."]);
    assert_eq!(
        all("ann"),
        (
            json!(["Think of negative numbers."]),
            vec![read, twice, json!([]), json!([]), json!([])]
        )
    );
    let none = vec![json!([]); 5];
    assert_eq!(all("bob"), (json!([]), none));
    // What students read.
    let ran = room.run(&["test", "class/ann/sum.py", "-a", "./week"]);
    let hints = ran
        .stdout
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("hint: "));
    assert_eq!(
        hints.collect::<Vec<_>>(),
        [
            "hint: Read the statement again.",
            "hint: Twice, not squared.",
            "hint: Think of negative numbers."
        ]
    );
}

const ADDED: &str = r#"
format = 1
id = "sum"
title = "Sum"

[submission]
files = ["sum.*"]

[limits]
time = "10 s"

[checker.tokens]

[[subtask]]
name = "open"
points = 1
case = [
    { name = "one", stdin = "1 3\n", answer = "4" },
    { name = "two", stdin = "20 5\n", answer = "25" },
]

[[subtask]]
name = "closed"
points = 1
hidden = true
case = [{ name = "secret", stdin = "8 9\n", answer = "17" }]
"#;

#[test]
fn a_usual_wrong_answer_is_explained_once_if_all_failed_cases_show_it() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let comma = "#include <stdio.h>\nint main(void)\n{\n    int a = 0, b = 0;\n    scanf(\"%d,%d\", &a, &b);\n    printf(\"%d\\n\", a + b);\n    return 0;\n}\n";
    let assignment =
        "format = 1\nid = \"week\"\ntitle = \"Week\"\n[[problem]]\npath = \"sum\"\npoints = 2\n";
    let room = Room::new()
        .file("week/assignment.toml", assignment)
        .file("week/sum/problem.toml", ADDED)
        .file("class/comma/sum.c", comma)
        .file(
            "class/joined/sum.py",
            "a, b = input().split()\nprint(a + b)\n",
        )
        .file(
            "class/prompt/sum.py",
            "print(sum(map(int, input(\"> \").split())))\n",
        )
        .file(
            "class/other/sum.py",
            "a, b = input().split()\nprint(a + b if a == \"1\" else a)\n",
        );
    let (_, results) = room.json(&["grade", "class", "-a", "./week", "--json", "-"]);
    let texts = |id: &str| {
        let problem = problem(student(&results, id), "sum");
        let case = |at: usize| &problem["subtasks"][at]["cases"][0]["hints"];
        let start = |it: &Value| it.as_str().unwrap().chars().take(24).collect::<String>();
        let starts = |it: &Value| it.as_array().unwrap().iter().map(start).collect::<Vec<_>>();
        [case(0), case(1)].map(starts)
    };
    // The first public case, and the hidden one.
    let joined = "Numbers of the input are";
    let prompt = "The right answer is ther";
    let comma = "`scanf(\"%d,%d\", …)` wait";
    for (id, hint) in [
        ("joined", joined),
        ("prompt", prompt),
        ("comma", comma),
        ("other", ""),
    ] {
        let expected = [hint, hint].map(|it| {
            let it = Some(it.to_owned()).filter(|it| !it.is_empty());
            it.into_iter().collect::<Vec<_>>()
        });
        assert_eq!(texts(id), expected, "{id}");
    }
    // Students read it once, and nothing of hidden cases.
    let ran = room.run(&["test", "class/joined/sum.py", "-a", "./week"]);
    assert_eq!(ran.stdout.matches("hint: ").count(), 1, "{}", ran.stdout);
    assert!(ran.stdout.contains(joined), "{}", ran.stdout);
}
