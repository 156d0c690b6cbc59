//! Prints the reflected Gray code of n bits.

fn main() -> std::process::ExitCode {
    reference_program::main("gray-code", reference_gray_code::run)
}
