//! When a student committed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use jiff::Timestamp;

/// The time of the last commit that changed a folder in the clone around it; `None` if there is none, or no Git.
pub(crate) fn committed_around(folder: &Path) -> Option<Timestamp> {
    let folder = fs::canonicalize(folder).ok()?;
    let mut above = folder.ancestors();
    let repository = above.find(|it| it.join(".git").symlink_metadata().is_ok())?;
    last_commit(repository, Some(&folder).filter(|it| **it != repository))
}

/// The time of the last commit in a student's clone; `None` if there is none, or no Git.
pub(crate) fn committed(repository: &Path) -> Option<Timestamp> {
    last_commit(repository, None)
}

/// The time of the last commit, or of the last one that changed the folder `below` (an absolute path).
///
/// The repository is the student's, so nothing that its configuration names may run: with these options `log` starts no
/// program, whatever hooks, protocols or missing objects the repository has.
fn last_commit(repository: &Path, below: Option<&PathBuf>) -> Option<Timestamp> {
    let output = Command::new("git")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "none")
        .env("GIT_LITERAL_PATHSPECS", "1")
        .env_remove("GIT_DIR")
        .args(["-c", "safe.directory=*", "-c", "core.fsmonitor=false"])
        .args(["-c", "core.hooksPath=/dev/null", "--no-pager"])
        .arg("--git-dir")
        .arg(repository.join(".git"))
        .arg("--work-tree")
        .arg(repository)
        .args(["log", "-1", "--no-show-signature", "--format=%cI", "--"])
        .args(below)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}
