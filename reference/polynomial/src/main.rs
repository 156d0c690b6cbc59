//! Places n queens by the local search of Sosic and Gu.

fn main() -> std::process::ExitCode {
    reference_program::main("polynomial", reference_polynomial::run)
}
