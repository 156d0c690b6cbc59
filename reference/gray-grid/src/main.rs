//! Prints a grid of codes in which neighbours differ in one bit.

fn main() -> std::process::ExitCode {
    reference_program::main("gray-grid", reference_gray_grid::run)
}
