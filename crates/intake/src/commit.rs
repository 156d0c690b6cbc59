//! When a student committed.

use std::path::Path;
use std::process::{Command, Stdio};

use jiff::Timestamp;

/// The time of the last commit in a student's clone; `None` if there is none, or no Git.
///
/// The repository is the student's, so nothing that its configuration names may run: with these options `log` starts no
/// program, whatever hooks, protocols or missing objects the repository has.
pub(crate) fn committed(repository: &Path) -> Option<Timestamp> {
    let output = Command::new("git")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "none")
        .env_remove("GIT_DIR")
        .args(["-c", "safe.directory=*", "-c", "core.fsmonitor=false"])
        .args(["-c", "core.hooksPath=/dev/null", "--no-pager"])
        .arg("--git-dir")
        .arg(repository.join(".git"))
        .args(["log", "-1", "--no-show-signature", "--format=%cI"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}
