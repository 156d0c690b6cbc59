//! Prints where the discs of the tower of Hanoi are after k moves.

fn main() -> std::process::ExitCode {
    reference_program::main("hanoi", reference_hanoi::run)
}
