//! `grader reference`: the reference solutions that the grader carries.

use std::ffi::OsString;
use std::io::{BufRead, Write};
use std::process::ExitCode;

use clap::Args;
use grader_session::Failure;
use reference_program::Error;

#[derive(Debug, Args)]
#[command(after_help = help())]
pub(crate) struct ReferenceArgs {
    /// Task, such as `count`, and its arguments.
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "TASK [ARGS]"
    )]
    words: Vec<OsString>,
}

fn help() -> String {
    format!(
        "Tasks: {}\n\nExamples:\n  grader reference count 8\n  grader reference count --help",
        names().join(", ")
    )
}

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
pub(crate) fn run(args: &ReferenceArgs) -> anyhow::Result<ExitCode> {
    let task = args.words.first().cloned().unwrap_or_default();
    let Some((name, run)) = REFERENCES.iter().find(|(name, _)| *name == task) else {
        let (name, known) = (task.display(), names().join(", "));
        let message = format!("there is no reference `{name}`; known are {known}");
        return Err(Failure::usage(message).into());
    };
    let arguments = args.words.iter().skip(1).cloned().collect();
    Ok(reference_program::exit(name, |input, output| {
        run(arguments, input, output)
    }))
}
