//! Values that each student has of their own.

use std::collections::BTreeSet;

use crate::common::files;
use grader_language::Languages;
use grader_problem::{
    Case, Checker, InputValidator, MemoryLibrary, Problem, Wanted, load_inputs, load_problem,
};

const PROBLEM: &str = r#"format = 1
id = "p"
title = "P"
submission.files = ["p.*"]
limits.time = "1 s"
[student]
variables = { n = "1..=3, 7", word = ["a", "b"] }
[run]
arguments = ["{student.n}", "{{student.n}}", "{k}{student.word}"]
stderr = "{student.n} errors"
[second-run]
change = "change.py {student}"
[validator]
source = "check.py"
arguments = ["{student.n}"]
[checker.program]
source = "check.py"
arguments = ["x{student.word}"]
[search]
cases = { k = "1..=2" }
stdin = "{k} {student.n}"
[[subtask]]
name = "all"
points = 1
[[subtask.case]]
name = "generated"
variables = { k = 1 }
generate = "gen.py {student.n} {student}"
[[subtask.case]]
name = "typed"
variables = { k = 2 }
stdin = "{student.n}\n"
[subtask.checker.contains]
text = ["{student.word}!"]
never = ["{student.n}?"]
[[subtask]]
name = "others"
points = 1
[[subtask.case]]
name = "file"
arguments = []
stdin-file = "data"
stderr = "x"
"#;

fn library(problem: &str) -> MemoryLibrary {
    let mut library = MemoryLibrary::default();
    library.insert("problem.toml", problem);
    for path in ["check.py", "change.py", "gen.py"] {
        library.insert(path, path);
    }
    library.insert("data", "{student.n} \u{10fffe}student.n");
    library
}

fn load(problem: &str) -> Problem {
    load_problem(&library(problem), "", &[], &Languages::built_in()).unwrap()
}

/// Everything in the cases that a student's values stand in.
fn shown(problem: &Problem) -> Vec<String> {
    let cases = problem.subtasks.iter().flat_map(|it| &it.cases);
    cases.map(shown_case).collect()
}

fn shown_case(case: &Case) -> String {
    let calls = case.generator.iter();
    let second = case.second_run.iter();
    let calls = calls.chain(second.filter_map(|it| it.change.as_ref()));
    let calls = calls.chain(case.validators.iter().filter_map(InputValidator::program));
    let mut all: Vec<String> = calls.flat_map(|it| it.arguments.clone()).collect();
    match &case.checker {
        Checker::Program(call) => all.extend(call.arguments.clone()),
        Checker::Contains(rule) => {
            all.push(format!("{:?}", (&rule.lists[0][0].what, &rule.never)));
        }
        _ => {}
    }
    let stderr = case.stderr.iter().map(|it| match &it.lists[0][0].what {
        Wanted::Text(text) => text.clone(),
        Wanted::Pattern(_) => unreachable!(),
    });
    all.extend(case.arguments.iter().cloned().chain(stderr));
    all.push(String::from_utf8(case.input.to_vec()).unwrap());
    all.join(" | ")
}

fn values(problem: &Problem) -> Vec<String> {
    let own = problem.own.as_ref().unwrap();
    own.all()
        .map(|(name, value)| format!("{name}={value}"))
        .collect()
}

#[test]
fn the_values_of_a_student_stand_wherever_a_template_has_them() {
    let example = load(PROBLEM);
    assert!(example.needs_student());
    let ada = example.for_student("ada");
    // They are the same on every machine and in every version of the grader.
    let digits = "658fb190ba68aa8b";
    assert_eq!(
        values(&ada),
        [
            &format!("student={digits}"),
            "student.n=7",
            "student.word=a"
        ]
    );
    let words = "(Text(\"a!\"), [\"7?\"])";
    assert_eq!(
        shown(&ada),
        [
            format!("7 | {digits} | {digits} | 7 | {words} | 7 | {{student.n}} | 1a | 7 errors | "),
            format!("{digits} | 7 | {words} | 7 | {{student.n}} | 2a | 7 errors | 7\n"),
            // What a file has is no template.
            format!("{digits} | 7 | xa | x | {{student.n}} \u{10fffe}student.n"),
        ]
    );
    assert_ne!(values(&example), values(&ada));
    assert_ne!(example.own_version(), ada.own_version());
    assert_eq!(example.for_student(" Ada "), ada);
    let [one, other] = ["JOS\u{c9}", "jose\u{301}"].map(|it| example.for_student(it));
    assert_eq!(one, other);
    // Whoever has values keeps them.
    assert!(!ada.needs_student());
    assert_eq!(ada.for_student("bob"), ada);
    let found = load_inputs(&library(PROBLEM), &ada, &[vec![1]]).unwrap();
    assert_eq!(
        shown_case(&found[0]),
        format!("{digits} | 7 | {words} | 7 | {{student.n}} | 2a | 7 errors | 2 7")
    );
}

#[test]
fn every_value_is_someones_and_another_key_gives_others() {
    let problem = load(PROBLEM);
    let keyed = load(&PROBLEM.replace("[student]", "[student]\nkey = \"secret\""));
    let fixed = load(&PROBLEM.replace("[student]", "[student]\nseed = \"00000000000000ff\""));
    assert!(!fixed.needs_student());
    assert_eq!(values(&fixed)[0], "student=00000000000000ff");
    let (mut seen, mut counts) = (BTreeSet::new(), [0; 8]);
    for number in 0..1000 {
        let own = values(&problem.for_student(&number.to_string()));
        assert_ne!(own[0], values(&keyed.for_student(&number.to_string()))[0]);
        counts[own[1].rsplit('=').next().unwrap().parse::<usize>().unwrap()] += 1;
        seen.insert(own[1..].to_vec());
    }
    assert_eq!(seen.len(), 8);
    assert_eq!(counts, [0, 245, 256, 235, 0, 0, 0, 264]);
}

#[test]
fn a_problem_without_them_is_the_same_for_all() {
    let library = MemoryLibrary::new("p", files());
    let plain = load_problem(&library, "columns", &[], &Languages::built_in()).unwrap();
    assert_eq!(
        (plain.needs_student(), plain.own_version()),
        (false, plain.version.clone())
    );
    assert_eq!(plain.for_student("ada"), plain);
}

#[test]
fn nobody_has_more_values_than_anybody_needs() {
    let variables: Vec<String> = (0..=100).map(|number| format!("v{number} = 1")).collect();
    let old = "n = \"1..=3, 7\", word = [\"a\", \"b\"]";
    let problem = PROBLEM.replace(old, &variables.join(", "));
    let loaded = load_problem(&library(&problem), "", &[], &Languages::built_in());
    let mistakes = loaded.unwrap_err();
    assert_eq!(
        mistakes[0].message,
        "each student may have at most 100 values"
    );
}
