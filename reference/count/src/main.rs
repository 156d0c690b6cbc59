//! Prints the number of ways to place n queens on an n by n board.

fn main() -> std::process::ExitCode {
    reference_program::main("count", reference_count::run)
}
