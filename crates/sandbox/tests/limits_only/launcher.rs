//! Failures of the launcher itself.

use std::fs;
use std::process::Command;

use grader_model::End;
use grader_sandbox::{LauncherCommand, LimitsOnlyRunner, SandboxError};

use crate::harness::Bench;
use crate::is_alive;

#[test]
fn a_program_dies_with_its_launcher() {
    let bench = Bench::shell("echo $PPID > launcher; echo $$ > pid; exec sleep 600");
    let killer = "until grep -q . pid 2>/dev/null; do :; done; kill -9 $(cat launcher)";
    let mut killer = Command::new("/bin/sh")
        .args(["-c", killer])
        .current_dir(&bench.request.directory.host)
        .spawn()
        .unwrap();
    let error = bench.try_run().unwrap_err();
    assert!(killer.wait().unwrap().success());
    assert!(error.to_string().contains("signal: 9"), "{error}");
    let pid = fs::read_to_string(bench.inside("pid")).unwrap();
    // The kernel delivers the signal when the launcher ends, which we may notice a moment earlier.
    while is_alive(&pid) {
        std::thread::yield_now();
    }
}

#[test]
fn the_launcher_ignores_all_signals_that_can_be_blocked() {
    let bench =
        Bench::shell("for s in HUP INT QUIT TERM USR1 PIPE TSTP; do kill -$s $PPID; done; exit 4");
    assert_eq!(bench.run().outcome.end, End::Exited(4));
}

#[test]
fn a_missing_launcher_is_named() {
    let missing = LauncherCommand {
        program: "/no/such/launcher".into(),
        arguments: Vec::new(),
    };
    let error = LimitsOnlyRunner::start(&missing).unwrap_err();
    assert!(matches!(error, SandboxError::Launcher { .. }), "{error:?}");
    assert_eq!(
        error.to_string(),
        "cannot start the launcher `/no/such/launcher`"
    );
}

#[test]
fn a_launcher_that_talks_nonsense_is_an_error() {
    let failure = |script: &str| {
        let nonsense = LauncherCommand {
            program: "/bin/sh".into(),
            arguments: ["-c", script].map(Into::into).to_vec(),
        };
        LimitsOnlyRunner::start(&nonsense).unwrap_err().to_string()
    };
    assert_eq!(
        failure("printf '\\5\\0\\0\\0\\0\\0\\0\\0hello' >&0"),
        "the launcher failed: cannot read its answer: expected value at line 1 column 1"
    );
    assert_eq!(
        failure("echo hello, grader >&0"),
        "the launcher failed: cannot read its answer: a message of 1819043176 bytes, and at most 67108864 are \
         allowed"
    );
    assert_eq!(
        failure("echo hello >&0"),
        "the launcher failed: cannot read its answer: a message is cut off"
    );
    // Standard output is not the socket.
    assert_eq!(
        failure("echo hello, grader"),
        "the launcher failed: it did not answer"
    );
    assert_eq!(
        failure("echo 'no \u{1b}[31msuch' >&2; exit 9"),
        "the launcher failed: it did not answer (exit status: 9): no \\x1b[31msuch"
    );
}

#[test]
fn a_missing_folder_or_input_names_the_step() {
    let mut bench = Bench::shell("exit 0");
    bench.request.stdin = Some("/no/such/input".into());
    let input = bench.try_run().unwrap_err().to_string();
    bench.request.stdin = None;
    bench.request.directory.host = "/no/such/folder".into();
    let folder = bench.try_run().unwrap_err().to_string();
    assert_eq!(input, "cannot open standard input `/no/such/input`");
    assert_eq!(folder, "cannot enter the run's folder");
}

#[test]
fn a_nul_byte_in_an_argument_is_an_error() {
    let error = Bench::shell("exit 0")
        .arguments(["a\0b"])
        .try_run()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot pass a text that contains a NUL byte to the program"
    );
}
