//! Prints the number of ways to place n queens, for each n of its input.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = std::env::args_os().skip(1);
    let mut output = BufWriter::new(io::stdout().lock());
    match reference_queens_table::run(arguments, &mut io::stdin().lock(), &mut output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to tell when standard error is closed too.
            _ = writeln!(io::stderr(), "queens-table: {error}");
            ExitCode::from(error.exit_status())
        }
    }
}
