//! Prints the number of ways to place eight queens on a chessboard.

fn main() -> std::process::ExitCode {
    reference_program::main("eight-queens", reference_eight_queens::run)
}
