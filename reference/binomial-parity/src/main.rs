//! Tells whether binomial coefficients are odd or even.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = std::env::args_os().skip(1);
    let mut output = BufWriter::new(io::stdout().lock());
    match reference_binomial_parity::run(arguments, &mut io::stdin().lock(), &mut output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to tell when standard error is closed too.
            _ = writeln!(io::stderr(), "binomial-parity: {error}");
            ExitCode::from(error.exit_status())
        }
    }
}
