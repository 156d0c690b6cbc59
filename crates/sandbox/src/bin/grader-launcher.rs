//! The launcher as a separate program, for tests. Equivalent to `grader __launch`.

use std::process::ExitCode;

fn main() -> ExitCode {
    grader_sandbox::launcher_main()
}
