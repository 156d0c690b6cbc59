//! Exit statuses, signals and output are reported faithfully.

use std::io;

use grader_model::{Breach, End};
use grader_sandbox::SandboxError;

use crate::harness::Bench;

#[test]
fn exit_statuses_are_reported_exactly() {
    let statuses = [0, 1, 2, 42, 127, 128, 137, 254, 255];
    let ends = statuses.map(|status| Bench::shell(&format!("exit {status}")).run().outcome.end);
    assert_eq!(ends, statuses.map(End::Exited));
}

#[test]
fn signals_are_reported_exactly() {
    let signals = [1, 2, 3, 6, 8, 9, 10, 11, 13, 15];
    let ends = signals.map(|signal| {
        Bench::shell(&format!("kill -{signal} $$"))
            .run()
            .outcome
            .end
    });
    assert_eq!(ends, signals.map(End::Signalled));
}

#[test]
fn an_abort_differs_from_a_wild_pointer() {
    let Some(bench) = Bench::c(
        "#include <stdlib.h>\n#include <stdio.h>\nint main(int c, char **v) { \
         if (c > 1) abort(); volatile int *p = (int *)8; *p = 1; return 0; }",
    ) else {
        return;
    };
    assert_eq!(bench.run().outcome.end, End::Signalled(11));
    assert_eq!(bench.arguments(["x"]).run().outcome.end, End::Signalled(6));
}

#[test]
fn output_is_kept_and_counted() {
    let bench = Bench::shell("cat; printf error >&2").stdin(b"some input");
    let done = bench.run();
    assert_eq!(done.stdout, b"some input");
    assert_eq!(done.stderr, b"error");
    assert_eq!((done.outcome.stdout.0, done.outcome.stderr.0), (10, 5));
    assert_eq!(done.outcome.breach, None::<Breach>);
}

#[test]
fn a_missing_program_is_an_error_not_an_outcome() {
    let error = Bench::new("/no/such/program").try_run().unwrap_err();
    let SandboxError::Execute { program, source } = error else {
        panic!("{error:?}");
    };
    assert_eq!(program.to_str(), Some("/no/such/program"));
    assert_eq!(source.kind(), io::ErrorKind::NotFound);
}

#[test]
fn a_file_that_is_not_a_program_is_an_error() {
    let error = Bench::new("/etc/passwd").try_run().unwrap_err();
    assert!(matches!(error, SandboxError::Execute { .. }), "{error:?}");
}
