//! A first-year course from nothing: problems of each kind, and a class with the names and mistakes that students bring.
//!
//! With `BITCRAFT_BLESS=1`, the outputs are written to `fixtures/course/expected`. The class is graded with `BITCRAFT_NIGHTLY`
//! only.

use std::io::Write as _;
use std::{env, fs};

use crate::docs::redacted;
use crate::harness::{Room, have, is_nightly, names, repository};
use crate::unit_tests;

/// Sentences that were said of these submissions once, and are wrong.
const MISLEADING: [&str; 8] = [
    "There is no module `gcd`",
    "does not read standard input; this task gives `a` and `b`",
    "does not look at its arguments",
    "More than one of the files has a `main`",
    "| python3 gcd.py",
    "cannot find symbol",
    "SK nothing submitted",
    "`Sum (1).java` matches no problem",
];

/// A text without times and the lines about the machine.
fn lasting(text: &str) -> String {
    let is_of_machine = |line: &str| line.contains(" cores · ") || line.starts_with("isolation: ");
    let lines = text.lines().filter(|line| !is_of_machine(line));
    lines.map(|line| redacted(line) + "\n").collect()
}

/// What a student has to do, and each hint and command: compilers and frameworks word the rest.
fn advice(text: &str) -> String {
    let (mut advice, mut inside) = (String::new(), usize::MAX);
    let mut is_summary = text.contains("\nTo fix\n");
    for line in text.lines().skip(3) {
        let words = line.trim_start();
        let indent = line.len() - words.len();
        if words.starts_with("hint: ") || words.starts_with("try it: ") {
            inside = indent + "hint: ".len();
        } else if indent != inside {
            inside = usize::MAX;
        }
        if is_summary || inside < usize::MAX {
            advice.extend([line, "\n"]);
        }
        is_summary &= !line.is_empty();
    }
    advice
}

/// Compares a text with a file of the fixture.
fn is_as_expected(name: &str, text: &str) {
    let path = repository().join(format!("grader/tests/fixtures/course/expected/{name}"));
    if env::var_os("BITCRAFT_BLESS").is_some() {
        fs::write(path, text).unwrap();
    } else {
        assert!(fs::read_to_string(path).unwrap() == text, "{text}");
    }
}

#[test]
fn a_course_is_made_graded_and_explained() {
    if !have(&["gcc", "python3"]) || !unit_tests::have_frameworks() {
        return;
    }
    let room = Room::new().env("PATH", &unit_tests::search_path());
    for (name, template) in [
        ("course", "stdin"),
        ("course/gcd", "function"),
        ("course/stack", "pytest"),
        ("course/pile", "junit"),
        ("course/guess", "interactive"),
    ] {
        let made = room.run(&["init", name, "--template", template]);
        assert_eq!((made.status, made.stderr.as_str()), (0, ""), "{name}");
    }
    // What `init` has no template for is written by hand.
    let mut assignment = fs::OpenOptions::new();
    let assignment = assignment
        .append(true)
        .open(room.path("course/assignment.toml"));
    let words = b"\n[[problem]]\npath = \"words\"\npoints = 6\n";
    assignment.unwrap().write_all(words).unwrap();
    let room = room
        .fixture("course/words", "course/words")
        .fixture("course/class", "class")
        .folder("class/fay");

    let verified = room.run(&["verify", "course"]);
    assert_eq!(verified.stderr, "");
    is_as_expected("verify.txt", &lasting(&verified.stdout));
    assert_eq!(verified.status, 0);
    if is_nightly() {
        the_class_is_graded_and_explained(&room.keeping());
    }
}

fn the_class_is_graded_and_explained(room: &Room) {
    let graded = room.run(&["grade", "class", "-a", "./course"]);
    let mut all = lasting(&graded.stdout);
    is_as_expected("class.txt", &all);
    let feedback = room.run(&["report", "class", "-q", "--feedback", "feedback"]);
    // Which problem `Main.java` is meant for is not certain.
    assert_eq!(feedback.status, 3);
    let mut advised = String::new();
    for student in names(&room.path("class")) {
        let text = fs::read_to_string(room.path(&format!("feedback/{student}.txt"))).unwrap();
        advised.extend([&student, "\n", &advice(&text), "\n"]);
        all += &text;
    }
    is_as_expected("students.txt", &advised);
    for sentence in MISLEADING {
        assert!(!all.contains(sentence), "{sentence}:\n{all}");
    }
    // What the framework prints is shown.
    let eve = "ImportError: cannot import name 'Stack' from 'stack' (Stack.py)";
    assert!(all.contains(eve), "{all}");
}
