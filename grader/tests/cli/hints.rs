//! Mistakes of real programs, and all that is said of them: the message of the verdict, then the hints.

mod mistakes;

use grader_store::Reader;
use serde_json::Value;

use crate::harness::{Room, have, student};
use mistakes::MISTAKES;

/// Two tasks: `board` gives `n` on the command line and wants a board of 7 × 7; `answer` gives it on standard input
/// and wants a number.
const ASSIGNMENT: [(&str, &str); 3] = [
    (
        "mistakes/assignment.toml",
        r#"format = 1
id = "mistakes"
title = { en = "Mistakes", zh = "常见错误" }

[[problem]]
path = "board"
points = 10

[[problem]]
path = "answer"
points = 10
"#,
    ),
    (
        "mistakes/board/problem.toml",
        r##"format = 1
id = "board"
title = { en = "One board", zh = "画一个解" }

[submission]
files = ["board.*"]

[run]
arguments = ["{n}"]

[limits]
time = "10 s"
output = "64 KiB"

[checker.queens-board]
size = "{n}"
queen = "Q"
blank = "#"

[[subtask]]
name = "board"
points = 10
cases = { n = 7 }
"##,
    ),
    (
        "mistakes/answer/problem.toml",
        r#"format = 1
id = "answer"
title = { en = "How many", zh = "解的个数" }

[submission]
files = ["answer.*"]

[run]
stdin = "{n}\n"

[limits]
time = "10 s"
output = "64 KiB"

[checker.tokens]

[[subtask]]
name = "eight"
points = 10

[[subtask.case]]
name = "eight"
variables = { n = 8 }
answer = "92\n"
"#,
    ),
];

/// All texts about one student, each once: reasons and hints of the problems and their cases, and why files were not
/// judged.
fn said(student: &Value) -> (String, Vec<(String, String)>) {
    let array = |value: &Value| value.as_array().unwrap().clone();
    let mut texts = Vec::new();
    let mut verdict = "NS".to_owned();
    for problem in array(&student["problems"]) {
        if problem["files"] == Value::Array(Vec::new()) {
            continue;
        }
        problem["verdict"]
            .as_str()
            .unwrap()
            .clone_into(&mut verdict);
        texts.push(problem["message"].clone());
        texts.extend(array(&problem["hints"]));
        for case in array(&problem["subtasks"])
            .iter()
            .flat_map(|subtask| array(&subtask["cases"]))
        {
            texts.push(case["message"].clone());
            texts.extend(array(&case["hints"]));
        }
    }
    texts.extend(
        array(&student["unused"])
            .iter()
            .map(|file| file["reason"].clone()),
    );
    let mut said: Vec<(String, String)> = Vec::new();
    for text in texts.iter().filter(|text| !text.is_null()) {
        let pair = ["en", "zh"].map(|language| text[language].as_str().unwrap().to_owned());
        let pair = pair.into();
        if !said.contains(&pair) {
            said.push(pair);
        }
    }
    (verdict, said)
}

#[test]
fn usual_mistakes_are_called_what_they_are() {
    if !have(&["gcc", "g++", "rustc", "javac", "fpc", "python3"]) {
        return;
    }
    let mut room = Room::new().keeping();
    for (path, text) in ASSIGNMENT {
        room = room.file(path, text);
    }
    for mistake in &MISTAKES {
        for (path, text) in mistake.files {
            room = room.file(&format!("class/{}/{path}", mistake.student), text);
        }
    }
    let ran = room.run(&["grade", "class", "-a", "./mistakes"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    // The ledger has both languages of every text.
    let ledger = Reader::open(&room.path(".grader/ledger.db")).unwrap();
    let results = serde_json::to_value(ledger.results(1).unwrap()).unwrap();
    for mistake in &MISTAKES {
        let (verdict, found) = said(student(&results, mistake.student));
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|(en, zh)| (en.as_str(), zh.as_str()))
            .collect();
        assert_eq!(
            (verdict.as_str(), found.as_slice()),
            (mistake.verdict, mistake.said),
            "{}",
            mistake.student
        );
    }
}

#[test]
fn a_folder_with_two_programs_is_said_to_be_one() {
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
