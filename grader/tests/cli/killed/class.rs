//! A class with fast programs that log when they run.

use std::fmt::Write as _;

use super::outside::Log;
use crate::harness::{Room, is_nightly};

/// The number of submissions: two for each student, but one for those of one kind.
pub(crate) const JOBS: usize = 2 * STUDENTS - STUDENTS / KINDS;

const STUDENTS: usize = 8;
/// The kinds of students.
const KINDS: usize = 8;

const ASSIGNMENT: &str = r#"
format = 1
id = "killed"
title = { zh = "中断", en = "Killed" }
[[problem]]
path = "square"
points = 3
[[problem]]
path = "double"
points = 3
"#;

fn problem(id: &str, answer: impl Fn(u32) -> u32, log: &Log) -> String {
    // The search costs several builds of each C program that fails.
    let searches = is_nightly();
    let mut text = format!(
        "format = 1\nid = \"{id}\"\ntitle = {{ zh = \"题\", en = \"Task\" }}\n[submission]\nfiles = [\"{id}.*\"]\n\
         [run]\narguments = [\"{{n}}\", \"{path}\"]\n[limits]\ntime = \"10 s\"\n\
         [checks]\nundefined-behaviour = {searches}\n[checker.tokens]\n[[subtask]]\nname = \"all\"\npoints = 3\n",
        path = log.path().display(),
    );
    for n in 1..=3 {
        writeln!(
            text,
            "[[subtask.case]]\nname = \"n={n}\"\nvariables = {{ n = {n} }}\nanswer = \"{}\\n\"",
            answer(n)
        )
        .unwrap();
    }
    text
}

/// A program in C that writes one line for each run, and then this statement's output.
fn c(student: &str, id: &str, statement: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {{\n    int n = atoi(argv[1]);\n    \
         FILE *log = fopen(argv[2], \"a\");\n    if (log) {{ fputs(\"{student} {id}\\n\", log); fclose(log); }}\n    \
         {statement}\n    return 0;\n}}\n"
    )
}

fn python(student: &str, id: &str, expression: &str) -> String {
    format!(
        "import sys\nn = int(sys.argv[1])\ntry:\n    with open(sys.argv[2], \"a\") as log:\n        \
         log.write(\"{student} {id}\\n\")\nexcept OSError:\n    pass\nprint({expression})\n"
    )
}

/// Writes the assignment and the class.
pub(crate) fn fill(room: Room, log: &Log) -> Room {
    let mut room = room
        .file("assignment/assignment.toml", ASSIGNMENT)
        .file(
            "assignment/square/problem.toml",
            problem("square", |n| n * n, log),
        )
        .file(
            "assignment/double/problem.toml",
            problem("double", |n| n + n, log),
        );
    for number in 0..STUDENTS {
        let student = format!("s{number:02}");
        let c = |id: &str, statement: &str| c(&student, id, statement);
        let python = |id: &str, expression: &str| python(&student, id, expression);
        let (extension, square) = match number % KINDS {
            0 => ("c", c("square", "abort();")),
            1 => ("c", c("square", "return n")),
            2 => ("c", c("square", r#"printf("%d\n", n * n);"#)),
            3 => ("py", python("square", "n + n")),
            4 => ("py", python("square", "'It is', n * n")),
            _ => ("py", python("square", "n * n")),
        };
        let double = match number % KINDS {
            0 => None,
            1 => Some(("c", c("double", r#"printf("%d\n", 2 * n);"#))),
            _ => Some(("py", python("double", "2 * n"))),
        };
        room = room.file(&format!("class/{student}/square.{extension}"), square);
        if let Some((extension, double)) = double {
            room = room.file(&format!("class/{student}/double.{extension}"), double);
        }
    }
    room
}
