//! The reference solutions that the grader carries.

use std::ffi::OsString;
use std::io::{self, BufRead, BufWriter, Write};
use std::process::ExitCode;

use crate::cli::ReferenceArgs;
use crate::exit::Exit;

/// A reference's command line: its exit status, and what it says on standard error where that is not 0.
type Run = fn(Vec<OsString>, &mut dyn BufRead, &mut dyn Write) -> Result<(), (u8, String)>;

macro_rules! references {
    ($($name:literal => $program:ident),* $(,)?) => {
        /// Names of the references, in alphabetical order.
        pub(crate) const NAMES: &[&str] = &[$($name),*];

        fn find(name: &str) -> Option<Run> {
            match name {
                $($name => Some(|arguments, input, output| {
                    $program::run(arguments, input, output)
                        .map_err(|error| (error.exit_status(), error.to_string()))
                }),)*
                _ => None,
            }
        }
    };
}

references! {
    "annealing" => reference_annealing,
    "binomial-parity" => reference_binomial_parity,
    "board" => reference_board,
    "count" => reference_count,
    "eight-queens" => reference_eight_queens,
    "fast-count" => reference_fast_count,
    "first-three" => reference_first_three,
    "gray-code" => reference_gray_code,
    "gray-grid" => reference_gray_grid,
    "hanoi" => reference_hanoi,
    "polynomial" => reference_polynomial,
    "queens-table" => reference_queens_table,
}

/// Runs one reference, with this process's standard input and output.
///
/// Standard error is not locked meanwhile: the reference's threads show their progress there.
pub(crate) fn run(args: &ReferenceArgs) -> ExitCode {
    let name = &args.task;
    let Some(reference) = find(name) else {
        let known = NAMES.join(", ");
        let name = grader_model::escaped(name.as_bytes());
        // When standard error is closed, the status still says it.
        let _ = writeln!(
            io::stderr(),
            "error: there is no reference `{name}`; known are {known}"
        );
        return Exit::Usage.into();
    };
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let done = reference(args.arguments.clone(), &mut io::stdin().lock(), &mut output);
    ended(name, done)
}

/// The exit status of a program of ours, which says on standard error why it failed.
fn ended(name: &str, done: Result<(), (u8, String)>) -> ExitCode {
    match done {
        Ok(()) => Exit::Done.into(),
        Err((status, message)) => {
            // When standard error is closed, the status still says it.
            let _ = writeln!(io::stderr(), "{name}: {message}");
            ExitCode::from(status)
        }
    }
}
