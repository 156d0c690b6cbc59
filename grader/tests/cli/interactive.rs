//! Interactive tasks: programs that behave well and badly, in three languages, with interactors of both protocols.

use std::fs;

use serde_json::Value;

use crate::harness::{Room, have, problem, student};

/// For each problem its cases, with their verdicts.
const EXPECTED: [(&str, &str); 5] = [
    (
        "guess",
        "right AC, wrong WA, too-many WA, early WA, flood WA, crash RE, deaf WA, late AC",
    ),
    ("silent", "silent TLE"),
    (
        "nim",
        "right AC, wrong WA, early WA, flood WA, crash RE, deaf WA",
    ),
    (
        "count",
        "right AC, wrong WA, too-many WA, early WA, crash RE",
    ),
    ("broken", "right JE, crash RE"),
];

fn room() -> Room {
    let mut room = Room::new().fixture("interactive", ".");
    for file in ["player.c", "player.py", "Player.java"] {
        let source = fs::read_to_string(room.path(file)).unwrap();
        let (stem, extension) = file.split_once('.').unwrap();
        for (id, _) in EXPECTED {
            if (extension, id) == ("java", "silent") {
                continue;
            }
            let source = source.replace(&format!("class {stem}"), &format!("class {id}"));
            room = room.file(&format!("class/{extension}/{id}.{extension}"), source);
        }
    }
    room
}

fn cases(problem: &Value) -> &[Value] {
    problem["subtasks"][0]["cases"].as_array().unwrap()
}

#[test]
fn who_ends_first_decides_and_what_both_wrote_is_shown() {
    if !have(&["gcc", "javac", "java", "python3"]) {
        return;
    }
    let room = room();
    let (status, results) = room.json(&["grade", "class", "-a", ".", "--format", "json"]);
    assert_eq!(status, 3);
    for extension in ["c", "py", "java"] {
        let student = student(&results, extension);
        for (id, expected) in EXPECTED {
            // On a busy machine it takes a minute to tell a Java program that sleeps from one that waits its turn.
            if (extension, id) == ("java", "silent") {
                continue;
            }
            let verdicts: Vec<String> = cases(problem(student, id))
                .iter()
                .map(|case| {
                    let name = case["name"].as_str().unwrap();
                    format!("{name} {}", case["verdict"].as_str().unwrap())
                })
                .collect();
            assert_eq!(verdicts.join(", "), expected, "{extension}: {id}");
        }
        let early = &cases(problem(student, "guess"))[3];
        assert_eq!(early["message"], "expected a number, found ''");
        let broken = &cases(problem(student, "broken"))[0];
        let message = broken["message"].as_str().unwrap();
        let said = "the problem's interactor `interactor.py` ended with exit status 1 instead of 42 or 43; it wrote: ";
        assert!(message.starts_with(said), "{message}");
    }
    let wrong = &cases(problem(student(&results, "c"), "nim"))[1];
    let evidence = wrong["evidence"].as_array().unwrap();
    let transcript = evidence.iter().find(|it| it["code"] == "transcript");
    let lines = transcript.unwrap()["figure"].as_array().unwrap().iter();
    // Without the time.
    let text = lines.map(|line| {
        let [time, text] = &line.as_array().unwrap()[..] else {
            panic!("{line}");
        };
        let side = time["text"].as_str().unwrap().trim_end().chars().last();
        format!("{}{}", side.unwrap(), text["text"].as_str().unwrap())
    });
    assert_eq!(
        text.collect::<Vec<_>>(),
        ["<10", ">1", "<1", ">1", "<3", ">1", "<lost"]
    );
}

#[test]
fn a_reference_plays_too_and_an_interactor_that_does_not_compile_is_named() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    let reference = "[limits]\ntime = { reference = 50 }\n[reference]\npath = \"player.py\"\n";
    let room = Room::new().fixture("interactive", ".").replace(
        "count/problem.toml",
        "[limits]\ntime = \"2 s\"\nwall = \"3 s\"\n",
        &reference.replace("[reference]", "languages.c.time-factor = 1\n[reference]"),
    );
    let toml = fs::read_to_string(room.path("count/problem.toml")).unwrap();
    // One case, and no exceptions for languages after the reference.
    let (toml, _) = toml
        .split_once("\n[[subtask.case]]\nname = \"wrong\"")
        .unwrap();
    let toml = toml
        .replace("languages.python.time-factor = 1\n", "")
        .replace("languages.java.time-factor = 1\n", "");
    let player = fs::read(room.path("player.py")).unwrap();
    let room = room
        .file("count/problem.toml", &toml)
        .file("count/player.py", &player)
        .file("count/submissions/accepted/count.py", &player);
    let ran = room.run(&["verify", "count"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let room = room
        .file("count/interactor.c", "int main(void) { return }\n")
        .file(
            "count/problem.toml",
            toml.replace("interactor.py", "interactor.c"),
        );
    let ran = room.run(&["verify", "count"]);
    assert_eq!(ran.status, 3, "{}{}", ran.stdout, ran.stderr);
    let why = "the problem's interactor `interactor.c` does not compile: ";
    assert!(ran.stdout.contains(why), "{}", ran.stdout);
}
