//! Mistakes of real programs, and all texts about them: the message of the verdict, then the hints.

mod mistakes;

use grader_store::Reader;
use serde_json::Value;

use crate::harness::{Room, have, student};
use mistakes::{MISTAKES, Mistake};

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

/// The verdict of the last problem that was submitted, and all texts about one student, each once: messages and hints of
/// the problems and their cases, and why files were not used.
fn texts_about(student: &Value) -> (&str, Vec<(&str, &str)>) {
    fn of(value: &Value) -> std::slice::Iter<'_, Value> {
        value.as_array().unwrap().iter()
    }
    let mut found = Vec::new();
    let mut verdict = "NS";
    for problem in of(&student["problems"]).filter(|it| of(&it["files"]).count() > 0) {
        verdict = problem["verdict"].as_str().unwrap();
        found.push(&problem["message"]);
        found.extend(of(&problem["hints"]));
        for case in of(&problem["subtasks"]).flat_map(|subtask| of(&subtask["cases"])) {
            found.push(&case["message"]);
            found.extend(of(&case["hints"]));
        }
    }
    found.extend(of(&student["unused"]).map(|file| &file["reason"]));
    let mut texts = Vec::new();
    for text in found.into_iter().filter(|text| !text.is_null()) {
        let pair = (text["en"].as_str().unwrap(), text["zh"].as_str().unwrap());
        if !texts.contains(&pair) {
            texts.push(pair);
        }
    }
    (verdict, texts)
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
    for Mistake {
        student: id,
        verdict,
        texts,
        ..
    } in &MISTAKES
    {
        let found = texts_about(student(&results, id));
        assert_eq!((found.0, found.1.as_slice()), (*verdict, *texts), "{id}");
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
