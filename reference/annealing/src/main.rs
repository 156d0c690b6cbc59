//! Places n queens by simulated annealing.

fn main() -> std::process::ExitCode {
    reference_program::main("annealing", reference_annealing::run)
}
