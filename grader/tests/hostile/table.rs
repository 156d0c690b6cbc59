//! The checklist: every row that can be graded, and why the others are not.
//!
//! Numbers are those of the checklist of hostile submissions, 1 to 59; 0 is for honest programs. A number has a
//! row for each program that it needs.

mod building;
mod limits;
mod reaching;

use crate::row::{Row, Speech};

const fn c(number: u8, name: &'static str) -> Row {
    Row::new(Speech::C, number, name)
}

const fn cpp(number: u8, name: &'static str) -> Row {
    Row::new(Speech::Cpp, number, name)
}

const fn rust(number: u8, name: &'static str) -> Row {
    Row::new(Speech::Rust, number, name)
}

const fn java(number: u8, name: &'static str) -> Row {
    Row::new(Speech::Java, number, name).task(crate::row::Task::Jvm)
}

const fn pascal(number: u8, name: &'static str) -> Row {
    Row::new(Speech::Pascal, number, name)
}

const fn python(number: u8, name: &'static str) -> Row {
    Row::new(Speech::Python, number, name)
}

/// Honest programs: what the others do must not be to their harm.
const HONEST: &[Row] = &[
    c(0, "honest"),
    cpp(0, "honest"),
    rust(0, "honest"),
    java(0, "honest"),
    pascal(0, "honest"),
    python(0, "honest"),
];

/// All rows that one run of the grader can grade.
pub(crate) fn rows() -> Vec<Row> {
    [HONEST, building::ROWS, limits::ROWS, reaching::ROWS].concat()
}

/// Those of them on which control groups have a bearing, with the honest ones.
pub(crate) fn rows_of_limits() -> Vec<Row> {
    [HONEST, limits::ROWS].concat()
}

/// What is on the checklist and not tried, or not whole, and why.
pub(crate) fn untried() -> [(u8, &'static str, &'static str); 4] {
    [
        (
            12,
            "compilers that run code (in part)",
            "Template Haskell and Nim are not among the languages",
        ),
        (
            14,
            "a compiler's output that is a link (in part)",
            "no source can make these compilers write a link; links and pipes in place of sources and answers are tried",
        ),
        (
            46,
            "commands typed on the teacher's terminal (in part)",
            "the test has no terminal to lose; only that none can be opened is tried",
        ),
        (
            57,
            "abuse of an interactive judge",
            "interactive tasks are not built",
        ),
    ]
}
