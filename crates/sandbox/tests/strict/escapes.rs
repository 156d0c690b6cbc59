//! The attempts of the canary to get out.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use grader_sandbox::{Attempt, LauncherCommand, Runner, StrictError, StrictRunner, attempts};

/// Names a launcher that is not the usual one, for the same tests as another user.
const LAUNCHER: &str = "GRADER_TEST_LAUNCHER";

fn strict() -> Option<StrictRunner> {
    let usual = crate::harness::launcher();
    let launcher = LauncherCommand {
        program: std::env::var_os(LAUNCHER).map_or(usual.program, PathBuf::from),
        arguments: usual.arguments,
    };
    match StrictRunner::start(&launcher, &crate::WAIVED) {
        Ok(runner) => Some(runner),
        Err(StrictError::Missing(findings)) => {
            eprintln!("skipped: this host does not hold level strict: {findings:#?}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn every_attempt_to_get_out_is_denied() {
    let Some(runner) = strict() else {
        return;
    };
    let made = attempts(&runner).unwrap();
    let without_clock = runner
        .isolation()
        .missing
        .iter()
        .any(|name| name == "cpu-clock");
    let reached: Vec<&Attempt> = made
        .iter()
        .filter(|attempt| !attempt.denied)
        .filter(|attempt| !(without_clock && attempt.what.starts_with("hide CPU time")))
        .collect();
    assert_eq!(reached, Vec::<&Attempt>::new());
    for attempt in &made {
        eprintln!("{}: {}", attempt.what, attempt.found);
    }
}

#[test]
fn every_attempt_has_a_name_of_its_own() {
    let Some(runner) = strict() else {
        return;
    };
    let made = attempts(&runner).unwrap();
    let names: BTreeSet<&str> = made.iter().map(|attempt| attempt.what.as_str()).collect();
    assert_eq!(names.len(), made.len(), "{made:#?}");
    assert!(names.len() >= 32, "{names:?}");
}

#[test]
fn every_attempt_is_denied_when_an_ordinary_user_grades() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("skipped: the other test is about an ordinary user already");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let open = Permissions::from_mode(0o755);
    fs::set_permissions(folder.path(), open.clone()).unwrap();
    let copy = |from: PathBuf, name: &str| {
        let to = folder.path().join(name);
        fs::copy(from, &to).unwrap();
        fs::set_permissions(&to, open.clone()).unwrap();
        to
    };
    let launcher = copy(crate::harness::launcher().program, "launcher");
    let tests = copy(std::env::current_exe().unwrap(), "tests");
    let Ok(output) = Command::new("setpriv")
        .args(["--reuid=1000", "--regid=1000", "--clear-groups"])
        .arg(tests)
        .args(["--exact", "escapes::every_attempt_to_get_out_is_denied"])
        .arg("--nocapture")
        .env(LAUNCHER, launcher)
        .env_remove("TMPDIR")
        .current_dir("/")
        .output()
    else {
        eprintln!("skipped: no setpriv");
        return;
    };
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{errors}");
    assert!(said.contains("1 passed"), "{said}{errors}");
    eprintln!("{errors}");
}
