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

#[test]
fn an_answer_is_submitted_instead_of_a_program() {
    let assignment =
        "format = 1\nid = \"lab\"\ntitle = \"Lab\"\n[[problem]]\npath = \"square\"\npoints = 2\n";
    let problem = "format = 1\nid = \"square\"\ntitle = \"Magic square\"\n\
                   [submission]\noutputs = \"square.out\"\n[checker.lines]\n[[subtask]]\nname = \"all\"\npoints = 2\n\
                   case = [{ name = \"only\", answer = \"2 7 6\\n9 5 1\\n4 3 8\" }]\n";
    let room = Room::new()
        .file("assignment.toml", assignment)
        .file("square/problem.toml", problem)
        .file("class/ann/square.out", "2 7 6\n9 5 1\n4 3 8\n")
        .file("class/bob/square.out", "2 7 6\n9 5 1\n4 8 3\n");
    let (status, results) = room.json(&["grade", "class", "-a", ".", "--json", "-"]);
    let verdict = |id| {
        let problem = &student(&results, id)["problems"][0];
        let message = &problem["subtasks"][0]["cases"][0]["message"];
        format!("{} {} {message}", problem["verdict"], problem["points"])
    };
    assert_eq!(
        (status, verdict("ann"), verdict("bob")),
        (
            0,
            r#""AC" 2 null"#.to_owned(),
            r#""WA" 0 "line 3: expected `4 3 8`, found `4 8 3`""#.to_owned()
        )
    );
}
