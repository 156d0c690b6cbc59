//! Tells whether binomial coefficients are odd or even.

fn main() -> std::process::ExitCode {
    reference_program::main("binomial-parity", reference_binomial_parity::run)
}
