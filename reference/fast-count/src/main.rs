//! Prints the number of ways to place n queens on an n by n board, fast.

fn main() -> std::process::ExitCode {
    reference_program::main("fast-count", reference_fast_count::run)
}
