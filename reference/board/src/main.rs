//! Draws one board of n queens that do not attack each other.

fn main() -> std::process::ExitCode {
    reference_program::main("board", reference_board::run)
}
