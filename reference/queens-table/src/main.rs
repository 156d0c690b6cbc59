//! Prints the number of ways to place n queens, for each n of its input.

fn main() -> std::process::ExitCode {
    reference_program::main("queens-table", reference_queens_table::run)
}
