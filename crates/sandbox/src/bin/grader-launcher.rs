//! The launcher as a program of its own, for tests. `grader __launch` is the same.

use std::process::ExitCode;

fn main() -> ExitCode {
    grader_sandbox::launcher_main()
}
