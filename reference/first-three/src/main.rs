//! Prints the first three boards of n queens in numerical order, and the total.

fn main() -> std::process::ExitCode {
    reference_program::main("first-three", reference_first_three::run)
}
