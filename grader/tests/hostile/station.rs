//! As whom the grader is run.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use tempfile::TempDir;

use crate::skipped;

/// The ordinary user that root runs the grader as.
const USER: u32 = 1000;

/// What such a user has on the search path.
const USER_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The layer that an ordinary user may have to do without.
const MEMORY_GROUP: &str = "memory-cgroup";

/// A way to run the grader: as which user, with which control groups.
pub(crate) struct Station {
    kind: Kind,
    path: OsString,
    level: &'static str,
    /// Whether a control group holds the memory of programs.
    has_cgroups: bool,
}

enum Kind {
    /// As the user who runs the test.
    Own,
    /// As an ordinary user, put there by root.
    User {
        /// Holds a copy of the grader, which the user may not reach where it was built.
        folder: TempDir,
        /// Control groups that were made for the user, to be entered before.
        groups: Groups,
    },
}

impl Station {
    /// As the user who runs the test; nothing, said aloud, where there is no strict isolation.
    pub(crate) fn own() -> Option<Self> {
        let station = Self {
            kind: Kind::Own,
            path: std::env::var_os("PATH").unwrap_or_default(),
            level: "strict",
            has_cgroups: false,
        };
        station.examined("the grader as this user")
    }

    /// As an ordinary user without any rights to control groups; nothing, said aloud, where that cannot be.
    pub(crate) fn user() -> Option<Self> {
        let station = Self::of_user(Groups::default())?;
        station.examined("the grader as an ordinary user")
    }

    /// As an ordinary user at level `basic`; nothing, said aloud, where that cannot be.
    pub(crate) fn loose() -> Option<Self> {
        let station = Self::of_user(Groups::default())?;
        Some(Self {
            level: "basic",
            ..station
        })
    }

    /// As an ordinary user who may make control groups below those that root made for the purpose.
    pub(crate) fn delegated() -> Option<Self> {
        let station = Self::of_user(Groups::default())?;
        let groups = Groups::delegated().or_else(|| {
            skipped("delegated control groups", "there are none of version 1");
            None
        })?;
        let Kind::User { folder, .. } = station.kind else {
            return None;
        };
        let station = Self {
            kind: Kind::User { folder, groups },
            ..station
        };
        let station = station.examined("the grader with delegated control groups")?;
        assert!(
            station.has_cgroups,
            "delegated control groups are of no use"
        );
        Some(station)
    }

    /// Asks the grader itself what it can hold here; nothing, said aloud, if a layer is missing without which it
    /// refuses. It is told to do without the control group of memory where that is missing.
    fn examined(mut self, what: &str) -> Option<Self> {
        let folder = tempfile::tempdir_in("/tmp").unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let mut doctor = self.grader(folder.path());
        let output = doctor
            .args(["doctor", "--format", "json"])
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut missing: Vec<&str> = report["layers"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|layer| layer["required"] == true && layer["state"] == "missing")
            .map(|layer| layer["name"].as_str().unwrap())
            .collect();
        self.has_cgroups = !missing.contains(&MEMORY_GROUP);
        missing.retain(|&layer| layer != MEMORY_GROUP);
        if !missing.is_empty() {
            skipped(
                what,
                &format!("no strict isolation without {}", missing.join(", ")),
            );
            return None;
        }
        Some(self)
    }

    /// The level at which it grades.
    pub(crate) fn level(&self) -> &'static str {
        self.level
    }

    /// Options of the grader that say so.
    pub(crate) fn isolation(&self) -> &'static [&'static str] {
        if self.level == "basic" {
            &["--isolation", "basic"]
        } else if self.has_cgroups {
            &["--isolation", "strict"]
        } else {
            &["--isolation", "strict", "--allow-missing", MEMORY_GROUP]
        }
    }

    fn of_user(groups: Groups) -> Option<Self> {
        let what = "the grader as an ordinary user";
        if !is_root() {
            skipped(what, "only root can become another user");
            return None;
        }
        let path = OsString::from(USER_PATH);
        if !has(&path, "setpriv") {
            skipped(what, "`setpriv` is not installed");
            return None;
        }
        let folder = tempfile::tempdir_in("/tmp").unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let grader = folder.path().join("grader");
        fs::copy(cargo_bin!("grader"), &grader).unwrap();
        fs::set_permissions(&grader, Permissions::from_mode(0o755)).unwrap();
        Some(Self {
            kind: Kind::User { folder, groups },
            path,
            level: "strict",
            has_cgroups: false,
        })
    }

    /// Whether a control group holds the memory of programs.
    pub(crate) fn has_cgroups(&self) -> bool {
        self.has_cgroups
    }

    /// Whether a program is on the search path.
    pub(crate) fn has(&self, program: &str) -> bool {
        has(&self.path, program)
    }

    /// Makes a folder, and what is in it, belong to the grader's user.
    pub(crate) fn give(&self, folder: &Path) {
        if matches!(self.kind, Kind::User { .. }) {
            give(folder);
        }
    }

    /// The grader in a folder, its own temporary files in `tmp` there.
    pub(crate) fn grader(&self, folder: &Path) -> Command {
        let mut command = match &self.kind {
            Kind::Own => Command::new(cargo_bin!("grader")),
            Kind::User {
                folder: copy,
                groups,
            } => {
                // Enters the groups while it is root, and then becomes the user for good.
                let script = "until [ \"$1\" = -- ]; do echo $$ > \"$1/cgroup.procs\" || exit 9; shift; done; shift; exec \"$@\"";
                let mut command = Command::new("/bin/sh");
                command.args(["-c", script, "sh"]).args(&groups.0).args([
                    "--",
                    "setpriv",
                    &format!("--reuid={USER}"),
                    &format!("--regid={USER}"),
                    "--clear-groups",
                    "--",
                ]);
                command.arg(copy.path().join("grader"));
                command
            }
        };
        command
            .current_dir(folder)
            .env_clear()
            .env("PATH", &self.path)
            .env("LC_ALL", "en_GB.UTF-8")
            .env("HOME", folder.join("home"))
            .env("XDG_CACHE_HOME", folder.join("cache"))
            .env("TMPDIR", folder.join("tmp"));
        if let Kind::Own = self.kind {
            // Where shims find the toolchain that they stand for.
            for name in ["HOME", "RUSTUP_HOME", "CARGO_HOME", "PYENV_ROOT"] {
                if let Some(value) = std::env::var_os(name) {
                    command.env(name, value);
                }
            }
        }
        command
    }
}

/// Control groups for the grader to be put in, removed when dropped.
#[derive(Default)]
struct Groups(Vec<PathBuf>);

impl Groups {
    /// A group below our own in every hierarchy that the sandbox uses, given to the user; nothing where these
    /// hierarchies are not.
    ///
    /// Where control groups are all of version 2, a group that holds processes cannot hand out controllers, and
    /// the service manager does the delegating.
    fn delegated() -> Option<Self> {
        let own = fs::read_to_string("/proc/self/cgroup").unwrap();
        let mounts = fs::read_to_string("/proc/self/mounts").unwrap();
        let mut groups = Self::default();
        for line in own.lines() {
            let [_, controllers, path] = line.splitn(3, ':').collect::<Vec<_>>()[..] else {
                continue;
            };
            if !["", "memory", "pids"].contains(&controllers) {
                continue;
            }
            let mount = mounts.lines().find_map(|mount| {
                let fields: Vec<&str> = mount.split(' ').collect();
                let fits = if controllers.is_empty() {
                    fields[2] == "cgroup2"
                } else {
                    fields[2] == "cgroup" && fields[3].split(',').any(|it| it == controllers)
                };
                fits.then(|| PathBuf::from(fields[1]))
            });
            let Some(mount) = mount else { continue };
            let group = mount
                .join(path.trim_start_matches('/'))
                .join(format!("bitcraft-test-{}", std::process::id()));
            if fs::create_dir(&group).is_err() {
                continue;
            }
            give(&group);
            groups.0.push(group);
        }
        let holds_memory = groups
            .0
            .iter()
            .any(|group| group.join("memory.limit_in_bytes").exists());
        holds_memory.then_some(groups)
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        for group in &self.0 {
            // What was left in it is a complaint of its own, and is not to hide another.
            let _ = fs::remove_dir(group);
        }
    }
}

/// Makes a folder, and what is in it, belong to the ordinary user.
///
/// What a killed grader left is removed behind its back, so files may vanish meanwhile.
fn give(path: &Path) {
    let Some(()) = still_there(chown(path, Some(USER), Some(USER))) else {
        return;
    };
    let Some(entries) = still_there(fs::read_dir(path)) else {
        return;
    };
    for entry in entries {
        let entry = entry.unwrap();
        let Some(kind) = still_there(entry.file_type()) else {
            continue;
        };
        if kind.is_dir() {
            give(&entry.path());
        } else if !kind.is_symlink() {
            still_there(chown(entry.path(), Some(USER), Some(USER)));
        }
    }
}

/// What came of a call on a file; nothing where the file has vanished.
fn still_there<T>(result: io::Result<T>) -> Option<T> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        result => Some(result.unwrap()),
    }
}

fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

fn has(path: &OsString, program: &str) -> bool {
    std::env::split_paths(path).any(|folder| folder.join(program).is_file())
}
