//! Languages that an assignment turns on by naming them.

use serde_json::Value;

use crate::harness::{Room, have, student};

/// The verdict of a student's only submission, and the last hint.
fn result(results: &Value, id: &str) -> String {
    let all = student(results, id)["problems"].as_array().unwrap();
    let problem = all.iter().find(|it| !it["language"].is_null()).unwrap();
    let hints = &problem["subtasks"][0]["cases"][0]["hints"];
    let hint = hints.as_array().unwrap().last().and_then(Value::as_str);
    let verdict = problem["verdict"].as_str().unwrap();
    format!("{verdict} {}", hint.unwrap_or_default())
}

#[test]
fn languages_that_an_assignment_turns_on_run_where_they_are_installed() {
    let missing = "RE Your program opens the file `data.txt`, which is not there; this task gives the input on standard input.";
    let lua = "RE Your program does not read standard input; this task gives the input there.";
    let sql = "RE The program ended with exit status 1 (`.exit`); only 0 means success.";
    let table: [(&str, &[&str], &str); 9] = [
        ("csharp", &["mcs", "mono"], missing),
        ("haskell", &["ghc"], missing),
        ("kotlin", &["kotlinc", "java"], missing),
        ("lua", &["lua5.4"], lua),
        ("ocaml", &["ocamlopt"], missing),
        ("php", &["php"], missing),
        ("ruby", &["ruby"], missing),
        ("sh", &["sh"], missing),
        ("sqlite", &["sqlite3"], sql),
    ];
    let room = Room::new().fixture("languages", ".");
    let (_, results) = room.json(&["grade", "class", "-a", ".", "--json", "-"]);
    for (language, programs, fails) in table {
        if !have(programs) {
            continue;
        }
        for (kind, expected) in [("ac", "AC "), ("re", fails), ("ce", "CE ")] {
            // Nothing compiles SQL.
            if (language, kind) != ("sqlite", "ce") {
                let found = result(&results, &format!("{language}-{kind}"));
                assert_eq!(found, expected, "{language}-{kind}");
            }
        }
    }
}
