//! The reference solutions that the grader carries.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use reference_program::Error;

use crate::cli::ReferenceArgs;
use crate::exit::Exit;

/// A reference's command line.
type Run = fn(Vec<OsString>, &mut dyn BufRead, &mut dyn Write) -> Result<(), Error>;

/// The references, in alphabetical order.
const REFERENCES: [(&str, Run); 12] = [
    ("annealing", reference_annealing::run),
    ("binomial-parity", reference_binomial_parity::run),
    ("board", reference_board::run),
    ("count", reference_count::run),
    ("eight-queens", reference_eight_queens::run),
    ("fast-count", reference_fast_count::run),
    ("first-three", reference_first_three::run),
    ("gray-code", reference_gray_code::run),
    ("gray-grid", reference_gray_grid::run),
    ("hanoi", reference_hanoi::run),
    ("polynomial", reference_polynomial::run),
    ("queens-table", reference_queens_table::run),
];

/// Names of the references, in alphabetical order.
pub(crate) fn names() -> Vec<&'static str> {
    REFERENCES.iter().map(|(name, _)| *name).collect()
}

/// Runs one reference, with this process's standard input and output.
pub(crate) fn run(args: &ReferenceArgs) -> ExitCode {
    let task = args.task.as_str();
    let Some((name, run)) = REFERENCES.iter().find(|(name, _)| *name == task) else {
        let known = names().join(", ");
        let name = grader_model::escaped(task.as_bytes());
        // If standard error is closed, the status still tells.
        let _ = writeln!(
            io::stderr(),
            "error: there is no reference `{name}`; known are {known}"
        );
        return Exit::Usage.into();
    };
    reference_program::exit(name, |input, output| {
        run(args.arguments.clone(), input, output)
    })
}
