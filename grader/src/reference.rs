//! The reference solutions that the grader carries.

use std::ffi::OsString;
use std::io::{self, BufRead, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use grader_language::Command;
use grader_model::Text;

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

/// The first argument that makes this binary a mutant of a reference. Not for people.
pub(crate) const MUTANT: &str = "__mutant";

/// The mutants of a reference, for the judge; `grader` is this binary.
pub(crate) fn mutants(grader: &Path, task: &str) -> Vec<grader_judge::Mutant> {
    reference_mutants::of(task)
        .iter()
        .map(|mutant| grader_judge::Mutant {
            name: mutant.name.to_owned(),
            mistake: Text::new(mutant.en, mutant.zh),
            command: Command {
                program: grader.to_owned(),
                arguments: vec![MUTANT.into(), task.into(), mutant.name.into()],
                environment: Vec::new(),
            },
        })
        .collect()
}

/// Runs a mutant: `arguments` are those behind [`MUTANT`], which are its task, its name and its own.
pub(crate) fn run_mutant(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let task = arguments.next().unwrap_or_default();
    let name = arguments.next().unwrap_or_default();
    let known = task.to_str().zip(name.to_str());
    let Some(mutant) = known.and_then(|(task, name)| reference_mutants::find(task, name)) else {
        // Not the status by which a mutant refuses what it is given.
        return ended("mutant", Err((1, "there is no such mutant".to_owned())));
    };
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let done = mutant.run(arguments, &mut io::stdin().lock(), &mut output);
    ended(
        mutant.name,
        done.map_err(|error| (error.exit_status(), error.to_string())),
    )
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
