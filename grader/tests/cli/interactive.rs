//! Interactive tasks: programs that behave well and badly, in three languages, with interactors of both protocols. Java is
//! tried with `BITCRAFT_NIGHTLY` only: each of its runs starts a virtual machine.

use std::fs;

use serde_json::{Value, json};

use crate::harness::{Room, have, is_nightly, problem, student};

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

/// The programs that are tried.
fn players() -> &'static [&'static str] {
    const ALL: [&str; 3] = ["player.c", "player.py", "Player.java"];
    if is_nightly() { &ALL } else { &ALL[..2] }
}

fn room() -> Room {
    let mut room = Room::new().fixture("interactive", ".");
    for file in players() {
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
    let (status, results) = room.json(&["grade", "class", "-a", ".", "--json", "-"]);
    assert_eq!(status, 3);
    for player in players() {
        let (_, extension) = player.split_once('.').unwrap();
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
        "[limits]\ntime = \"20 s\"\nwall = \"60 s\"\n",
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

#[test]
fn a_program_is_ended_when_the_interactor_has_rejected_it() {
    if !have(&["gcc", "python3"]) {
        return;
    }
    // It would use up its time limit.
    let source =
        "#include <stdio.h>\nint main(void) { puts(\"what?\"); fflush(stdout); for (;;) {} }\n";
    let room = Room::new()
        .fixture("interactive", ".")
        .file("class/eve/guess.c", source);
    let (status, results) = room.json(&["grade", "class", "-a", ".", "--json", "-"]);
    assert_eq!(status, 0, "{results:#}");
    for case in cases(problem(student(&results, "eve"), "guess")) {
        assert_eq!(case["verdict"], "WA", "{case:#}");
        assert_eq!(case["message"], "expected a number, found 'what?'");
        // Killed, and not for a limit.
        assert_eq!(case["outcome"]["breach"], Value::Null);
        assert_eq!(case["outcome"]["end"], json!({ "signalled": 9 }));
    }
}

#[test]
fn verify_tries_each_interactor_with_nothing_with_junk_and_with_an_endless_line() {
    if !have(&["python3"]) {
        return;
    }
    let naive = "import sys\nsecret = int(open(sys.argv[1]).read())\nfor _ in range(10):\n    guess = int(input())\n    print(\"lower\" if secret < guess else \"higher\" if secret > guess else \"correct\", flush=True)\n    if guess == secret:\n        sys.exit(42)\nsys.exit(43)\n";
    let room = Room::new().fixture("interactive", ".");
    let toml = fs::read_to_string(room.path("guess/problem.toml")).unwrap();
    // One case.
    let (toml, _) = toml
        .split_once("\n[[subtask.case]]\nname = \"wrong\"")
        .unwrap();
    let player = fs::read(room.path("player.py")).unwrap();
    let room = room
        .file("guess/problem.toml", toml)
        .file("guess/submissions/accepted/guess.py", player);
    let ran = room.run(&["verify", "guess"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let room = room.file("guess/interactor.py", naive);
    let (status, found) = room.json(&["verify", "guess", "--json", "-"]);
    assert_eq!(status, 1, "{found:#}");
    let problem = &found["assignments"][0]["problems"][0];
    let mismatches = problem["mismatches"].as_array().unwrap().iter();
    let (places, messages): (Vec<_>, Vec<_>) = mismatches
        .map(|it| {
            (
                it["place"].as_str().unwrap(),
                it["message"].as_str().unwrap(),
            )
        })
        .unzip();
    let given = ["nothing", "junk", "an endless line"].map(|it| format!("interactor, given {it}"));
    assert_eq!(places, given);
    let said = "the problem's interactor `interactor.py` ended with exit status 1 instead of 42 or 43; it wrote: ";
    assert!(
        messages.iter().all(|it| it.starts_with(said)),
        "{messages:?}"
    );
}

#[test]
fn verify_records_only_the_first_failure_of_a_sample() {
    if !have(&["python3"]) {
        return;
    }
    let room = Room::new().fixture("interactive", ".");
    let player = fs::read(room.path("player.py")).unwrap();
    let room = room
        .file("nim/submissions/wrong-answer/nim.py", player)
        .file(
            "nim/submissions/expected.toml",
            "[\"wrong-answer/nim.py\"]\nexpected = [\"WA\", \"RE\"]\n",
        );
    let recorded = |more: &[&str]| {
        let (status, found) = room.json(&[&["verify", "nim", "--json", "-"], more].concat());
        assert_eq!(status, 0, "{found:#}");
        let problem = &found["assignments"][0]["problems"][0]["samples"][0]["found"];
        let recorded = cases(problem).iter().filter(|case| {
            let evidence = case["evidence"].as_array().unwrap();
            evidence.iter().any(|it| it["code"] == "transcript")
        });
        let names = recorded.map(|case| case["name"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(recorded(&[]), ["wrong"]);
    assert_eq!(
        recorded(&["--all"]),
        ["wrong", "early", "flood", "crash", "deaf"]
    );
}
