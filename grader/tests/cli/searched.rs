//! Searches that are stopped or killed while a program runs that does not end.

use std::fs;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::harness::{Ran, Room, have};
use crate::streams::{mark, terminate, wait_for_stuck};
use crate::stress::{FOUR, sums};

const PROBLEM: &str = "format = 1
id = \"@ID@\"
title = \"Twice n\"
[submission]
files = [\"@ID@.*\"]
[run]
arguments = [\"{n}\", \"@MARK@\"]
[limits]
time = \"600 s\"
wall = \"600 s\"
[reference]
path = \"solution.c\"
[checker.tokens]
[search]
cases = { n = \"1..=9\" }
[[subtask]]
name = \"all\"
hidden = true
score = \"all\"
points = 1
cases = { n = \"1..=2\" }
";

const STOPPING: &str = "\nstopping; Ctrl-C again ends without a report\n";

/// A program that prints 0 instead of 2n in some cases, and does not end in others.
fn double(wrong: &str, stuck: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) {{ int n = atoi(v[1]); (void)c; \
         for (volatile int i = 1; {stuck} && i;) {{ }} printf(\"%d\\n\", {wrong} ? 0 : 2 * n); }}\n"
    )
}

/// A class of two problems. Bob's program is accepted and wrong, Dan's is not accepted; Zoe's is accepted and Eve's is not, and
/// both do not end on inputs that no case has.
fn class() -> Room {
    let mut room = Room::new().keeping().file(
        "week/assignment.toml",
        "format = 1\nid = \"week\"\ntitle = \"Week\"\n[[problem]]\npath = \"first\"\npoints = 1\n\
         [[problem]]\npath = \"later\"\npoints = 1\n",
    );
    for id in ["first", "later"] {
        let text = PROBLEM.replace("@ID@", id);
        let text = text.replace("@MARK@", &mark(&room, "2"));
        room = room
            .file(&format!("week/{id}/problem.toml"), text)
            .file(&format!("week/{id}/solution.c"), double("0", "0"));
    }
    room.file("week/class/bob/first.c", double("n > 5", "0"))
        .file("week/class/dan/first.c", double("n > 1", "0"))
        .file("week/class/eve/later.c", double("n == 2", "n > 4"))
        .file("week/class/zoe/later.c", double("0", "n > 4"))
}

/// What was printed, without verdicts, times and the mark.
fn lines(room: &Room, ran: &Ran) -> Vec<String> {
    after(room, ran, "")
}

/// The same, after this text.
fn after(room: &Room, ran: &Ran, text: &str) -> Vec<String> {
    let (_, rest) = ran.stdout.split_once(text).unwrap();
    let lines = rest.lines().filter(|line| !line.contains('✗'));
    lines
        .map(|line| line.replace(&mark(room, "2"), "MARK"))
        .collect()
}

/// A grader that searches on one core, when the program that does not end runs.
pub(crate) fn stuck(room: &Room, arguments: &[&str]) -> Child {
    // `test` always does.
    let jobs = ["-j", "1"].into_iter().filter(|_| arguments[0] != "test");
    let mut child = room
        .command(&arguments.iter().copied().chain(jobs).collect::<Vec<_>>())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_stuck(room, &mut child);
    child
}

pub(crate) fn stop(child: Child) -> Ran {
    terminate(&child);
    Ran::of(child.wait_with_output().unwrap())
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The document in a file.
fn written(room: &Room, file: &str) -> Value {
    serde_json::from_slice(&fs::read(room.path(file)).unwrap()).unwrap()
}

/// The points of each student, and the input on which a program fails, if it was found.
fn results(room: &Room) -> Vec<(String, Value, Value)> {
    let (_, results) = room.json(&["report", "week/class", "--json", "-"]);
    let students = results["students"].as_array().unwrap().iter();
    let rows = students.map(|student| {
        let problems = student["problems"].as_array().unwrap().iter();
        let mut found = problems.map(|it| &it["counterexample"]["name"]);
        let found = found.find(|it| !it.is_null()).cloned();
        let id = student["id"].as_str().unwrap().to_owned();
        (id, student["points"].clone(), found.unwrap_or_default())
    });
    rows.collect()
}

fn expected(bob: Value, dan: Value) -> Vec<(String, Value, Value)> {
    let rows = [
        ("bob", 1, bob),
        ("dan", 0, dan),
        ("eve", 0, Value::Null),
        ("zoe", 1, Value::Null),
    ];
    let rows = rows.map(|(id, points, found)| (id.to_owned(), json!(points), found));
    rows.into()
}

#[test]
fn a_search_for_failing_programs_that_is_stopped_or_killed_keeps_all_results_and_what_it_found() {
    if !have(&["gcc"]) {
        return;
    }
    let grade = ["grade", "week/class", "--quiet", "--why", "--time", "600"];
    for is_killed in [false, true] {
        let room = class();
        let child = stuck(&room, &grade);
        if is_killed {
            kill(child);
        } else {
            assert_eq!(stop(child).status, 0);
        }
        assert_eq!(results(&room), expected(Value::Null, json!("n = 3")));
    }
}

#[test]
fn an_audit_that_is_stopped_or_killed_keeps_what_it_found() {
    if !have(&["gcc"]) {
        return;
    }
    let room = class();
    let audit = [
        "audit",
        "week/class",
        "--time",
        "600s",
        "--save",
        "--json",
        "found.json",
    ];
    assert_eq!(room.run(&["grade", "week/class", "--quiet"]).status, 0);
    let problem = || fs::read_to_string(room.path("week/first/problem.toml")).unwrap();
    let before = problem();
    kill(stuck(&room, &audit));
    assert_eq!(results(&room), expected(json!("n = 6"), Value::Null));
    assert_eq!(problem(), before);

    let ran = stop(stuck(&room, &audit));
    assert_eq!(ran.status, 1);
    assert_eq!(
        lines(&room, &ran),
        [
            "bob · first · first.c",
            "    expected `12`, found `0`",
            "    try it: ./first 6 MARK",
            "",
            "1 case added to subtask `all` in `week/first/problem.toml`",
            "1 of 2 accepted programs found wrong",
            "first: no program fails all/n=1",
            "later: no program fails all/n=1",
        ]
    );
    let found = written(&room, "found.json");
    let programs = found["programs"].as_array().unwrap().iter();
    let outcomes: Vec<&Value> = programs.map(|it| &it["outcome"]).collect();
    assert_eq!(found["interrupted"], true);
    assert_eq!(outcomes, ["wrong", "not-finished"]);
    assert_eq!(results(&room), expected(json!("n = 6"), Value::Null));
    let case = "\n[[subtask.case]]\nname = \"found-1\"\nvariables = { n = 6 }\n";
    assert_eq!(problem(), format!("{before}{case}"));
}

/// A problem whose case the program `max.c` fails. On a smaller input than the one found, the program never ends.
fn stuck_on_two() -> Room {
    let room = sums();
    let marked = format!(
        "[run]\narguments = [\"{}\"]\n[limits]\nwall = \"600 s\"",
        mark(&room, "2")
    );
    let program = FOUR
        .replace(
            "scanf(\"%d\", &n);",
            "scanf(\"%d\", &n);\n  for (volatile int i = 1; n == 2 && i;) { }",
        )
        .replace("printf", "best = n == 3 && a[0] == 1 ? 0 : best; printf");
    room.replace("sums/max/problem.toml", "[limits]", &marked)
        .replace("sums/max/problem.toml", "\"10 s\"", "\"600 s\"")
        .file("max.c", program)
}

#[test]
fn a_search_that_is_stopped_shows_what_it_found() {
    if !have(&["gcc"]) {
        return;
    }
    let room = class();
    let none = [
        "stress",
        "week/class/zoe/later.c",
        "-a",
        "./week",
        "--time",
        "600",
        "--json",
        "found.json",
    ];
    let ran = stop(stuck(&room, &none));
    let found = written(&room, "found.json");
    assert_eq!(
        (&found["interrupted"], &found["tried"]),
        (&json!(true), &json!(4))
    );
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (130, "no difference from the reference in 4 of 9 inputs\n")
    );

    let room = stuck_on_two();
    let ran = stop(stuck(
        &room,
        &["stress", "max.c", "-a", "./sums", "--time", "600"],
    ));
    assert_eq!(ran.status, 1);
    assert_eq!(
        lines(&room, &ran),
        [
            "    expected `105`, found `98`",
            "    input",
            "    │ 8",
            "    │ -50 34 54 -45 43 15 -94 98",
            "    try it: printf '8\\n-50 34 54 -45 43 15 -94 98\\n' | ./max MARK",
            "the smallest input found on which the program fails; 12 of about 2 × 10⁷ inputs tried",
        ]
    );
}

#[test]
fn a_test_that_is_stopped_while_it_searches_shows_what_it_found() {
    if !have(&["gcc"]) {
        return;
    }
    let room = stuck_on_two();
    let ran = stop(stuck(
        &room,
        &[
            "test",
            "max.c",
            "-a",
            "./sums",
            "--why",
            "--time",
            "600",
            "--json",
            "found.json",
            "--quiet",
        ],
    ));
    assert_eq!((ran.status, ran.stderr.as_str()), (1, STOPPING));
    let problem = written(&room, "found.json")["students"][0]["problems"][0].take();
    let message = "expected `105`, found `98`";
    assert_eq!(problem["counterexample"]["message"], message);
    assert_eq!(
        after(&room, &ran, "On an input outside the test cases:\n"),
        [
            "    expected `105`, found `98`",
            "    input",
            "    │ 8",
            "    │ -50 34 54 -45 43 15 -94 98",
            "    try it: printf '8\\n-50 34 54 -45 43 15 -94 98\\n' | ./max MARK",
        ]
    );

    let room = class();
    let test = [
        "test",
        "week/class/eve/later.c",
        "-a",
        "./week",
        "--why",
        "--time",
        "600",
        "--json",
        "found.json",
        "--quiet",
    ];
    let ran = stop(stuck(&room, &test));
    let problem = written(&room, "found.json")["students"][0]["problems"][0].take();
    assert_eq!(
        (&problem["verdict"], &problem["counterexample"]),
        (&json!("WA"), &Value::Null)
    );
    let stderr = format!("{STOPPING}error: the run was stopped\n");
    assert_eq!((ran.status, ran.stderr), (130, stderr));
    assert!(!ran.stdout.contains("input"), "{}", ran.stdout);
}

#[test]
fn an_audit_of_samples_that_is_stopped_shows_what_it_found() {
    if !have(&["gcc"]) {
        return;
    }
    let folder = "week/first/submissions/accepted";
    let room = class()
        .file(&format!("{folder}/one.c"), double("n > 5", "0"))
        .file(&format!("{folder}/two.c"), double("0", "n > 4"));
    let ran = stop(stuck(
        &room,
        &[
            "verify",
            "week/first",
            "--audit",
            "--time",
            "600",
            "--json",
            "found.json",
        ],
    ));
    let found = written(&room, "found.json");
    assert_eq!(
        (&found["interrupted"], &found["holds"]),
        (&json!(true), &json!(false))
    );
    let message = "expected AC on n = 6, found WA: expected `12`, found `0`";
    let sample = &found["assignments"][0]["problems"][0]["samples"][0];
    assert_eq!(sample["mismatches"][0]["message"], message);
    let stderr = format!("{STOPPING}report written to `found.json`\nerror: the run was stopped\n");
    assert_eq!((ran.status, ran.stderr.as_str()), (130, stderr.as_str()));
    assert_eq!(
        after(&room, &ran, "first · accepted/one.c\n"),
        [
            "    expected `12`, found `0`",
            "    try it: ./one 6 MARK",
            ""
        ]
    );
}
