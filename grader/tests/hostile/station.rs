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

/// The layers that an ordinary user may have to do without: on a stock Debian both, without a delegated control group.
const MEMORY_GROUP: &str = "memory-cgroup";
const CLOCK: &str = "cpu-clock";

/// Becomes the command that follows, without the kernel's task clock (`perf_event_open`), which Debian and Ubuntu keep from
/// ordinary users.
const WITHOUT_CLOCK: &str = "
import ctypes, os, struct, sys
number = {'x86_64': 298, 'aarch64': 241, 'riscv64': 241}[os.uname().machine]
code = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x5000d), (0x06, 0, 0, 0x7fff0000)]
filters = ctypes.create_string_buffer(b''.join(struct.pack('HBBI', *line) for line in code))
program = ctypes.create_string_buffer(struct.pack('HP', len(code), ctypes.addressof(filters)))
libc = ctypes.CDLL(None, use_errno=True)
long = ctypes.c_ulong
if libc.prctl(38, long(1), long(0), long(0), long(0)) or libc.prctl(22, long(2), program):
    sys.exit(os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[1], sys.argv[1:])
";

/// A way to run the grader: as which user, with which control groups.
pub(crate) struct Station {
    kind: Kind,
    path: OsString,
    level: &'static str,
    /// Layers that are missing here and waived.
    waived: Vec<&'static str>,
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
        /// Whether the kernel's task clock is kept from the user.
        is_without_clock: bool,
    },
}

impl Station {
    /// As the user who runs the test; nothing, said aloud, where there is no strict isolation.
    pub(crate) fn own() -> Option<Self> {
        let station = Self {
            kind: Kind::Own,
            path: std::env::var_os("PATH").unwrap_or_default(),
            level: "strict",
            waived: Vec::new(),
        };
        station.examined("the grader as this user")
    }

    /// As an ordinary user without any rights to control groups; nothing, said aloud, where that cannot be.
    pub(crate) fn user() -> Option<Self> {
        let station = Self::of_user(Groups::default())?;
        station.examined("the grader as an ordinary user")
    }

    /// The same on a stock Debian or Ubuntu, where users have no task clock either.
    pub(crate) fn user_without_clock() -> Option<Self> {
        let mut station = Self::of_user(Groups::default())?;
        if !station.has("python3") {
            skipped(
                "the grader without a task clock",
                "`python3` is not installed",
            );
            return None;
        }
        if let Kind::User {
            is_without_clock, ..
        } = &mut station.kind
        {
            *is_without_clock = true;
        }
        station.examined("the grader as an ordinary user without a task clock")
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
            skipped(
                "delegated control groups",
                "this machine has none that we may make",
            );
            None
        })?;
        let Kind::User { folder, .. } = station.kind else {
            return None;
        };
        let kind = Kind::User {
            folder,
            groups,
            is_without_clock: false,
        };
        let station = Self { kind, ..station };
        let station = station.examined("the grader with delegated control groups")?;
        assert!(
            station.has_cgroups(),
            "delegated control groups are of no use"
        );
        Some(station)
    }

    /// Asks the grader itself what it can hold here; nothing, said aloud, if a layer is missing without which it
    /// refuses. It is told to do without a control group and a clock where these are missing.
    fn examined(mut self, what: &str) -> Option<Self> {
        let folder = tempfile::tempdir_in("/tmp").unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        let mut doctor = self.grader(folder.path());
        let output = doctor.args(["doctor", "--json", "-"]).output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut missing: Vec<&str> = report["layers"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|layer| layer["required"] == true && layer["state"] == "missing")
            .map(|layer| layer["name"].as_str().unwrap())
            .collect();
        self.waived = vec![MEMORY_GROUP, CLOCK];
        self.waived.retain(|layer| missing.contains(layer));
        missing.retain(|layer| !self.waived.contains(layer));
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
    pub(crate) fn isolation(&self) -> Vec<&'static str> {
        let waived = self.waived.iter();
        let waived = waived.flat_map(|layer| ["--allow-missing", layer]);
        ["--isolation", self.level]
            .into_iter()
            .chain(waived)
            .collect()
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
            kind: Kind::User {
                folder,
                groups,
                is_without_clock: false,
            },
            path,
            level: "strict",
            waived: Vec::new(),
        })
    }

    /// Whether a control group holds the memory of programs.
    pub(crate) fn has_cgroups(&self) -> bool {
        !self.waived.contains(&MEMORY_GROUP)
    }

    /// Whether the CPU time of all processes of a program is counted while it runs.
    pub(crate) fn has_clock(&self) -> bool {
        !self.waived.contains(&CLOCK)
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
                is_without_clock,
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
                if *is_without_clock {
                    command.args(["python3", "-c", WITHOUT_CLOCK]);
                }
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
            .env("TMPDIR", folder.join("tmp"))
            // Other tests run graders at the same time.
            .env("BITCRAFT_CORE_LOCKS", folder.join("home"));
        // On an emulated machine.
        if let Some(scale) = std::env::var_os("BITCRAFT_CLOCK_SCALE") {
            command.env("BITCRAFT_CLOCK_SCALE", scale);
        }
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
    /// A group in every hierarchy that the sandbox uses, given to the user; nothing where these hierarchies are not. In
    /// version 1 it is below our own group. Where all are of version 2, a group that holds processes cannot hand out
    /// controllers: there it is below the root, as if a service manager had delegated it.
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
            let has_controllers = controllers.is_empty() && {
                let offered = fs::read_to_string(mount.join("cgroup.controllers"));
                offered.is_ok_and(|offered| offered.split_whitespace().any(|it| it == "memory"))
            };
            let above = if has_controllers {
                // The service manager has usually done that.
                let _ = fs::write(mount.join("cgroup.subtree_control"), "+memory +pids");
                mount
            } else {
                mount.join(path.trim_start_matches('/'))
            };
            let group = above.join(format!("bitcraft-test-{}", std::process::id()));
            if fs::create_dir(&group).is_err() {
                continue;
            }
            give(&group);
            groups.0.push(group);
        }
        let holds_memory = groups.0.iter().any(|group| {
            let files = ["memory.limit_in_bytes", "memory.max"];
            files.iter().any(|file| group.join(file).exists())
        });
        holds_memory.then_some(groups)
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        for group in &self.0 {
            // What was left in it is a complaint of its own, and is not to hide another. The leaf is the grader's own.
            let _ = fs::remove_dir(group.join("bitcraft-supervisor"));
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
