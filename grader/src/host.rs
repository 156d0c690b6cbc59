//! What this machine is, and what would give it a missing layer of isolation.

use std::path::Path;
use std::{env, fs};

use grader_sandbox::Layer;

/// What decides which layers a machine can hold.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Machine {
    /// The container that we run in: `docker`, `podman`, `kubernetes`, or empty if its kind is unknown.
    pub(crate) container: Option<&'static str>,
    /// Whether our user namespace is not the machine's.
    pub(crate) is_nested: bool,
    /// Whether we hold `CAP_SYS_ADMIN`.
    pub(crate) is_admin: bool,
    pub(crate) has_systemd: bool,
    /// Whether a file system of control groups is mounted.
    pub(crate) has_cgroups: bool,
    /// Version of the kernel.
    pub(crate) kernel: (u32, u32),
    /// The settings of the kernel that forbid user namespaces.
    pub(crate) apparmor_restricts: bool,
    pub(crate) userns_clone: Option<i64>,
    pub(crate) max_user_namespaces: Option<i64>,
    pub(crate) perf_paranoid: Option<i64>,
    /// The security modules in force, separated by commas.
    pub(crate) modules: Option<String>,
    /// The command that we were started with.
    pub(crate) command: String,
}

/// One way to get a layer: what stands in the way, and the command that removes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fix {
    pub(crate) cause: String,
    pub(crate) command: Option<String>,
}

impl Machine {
    /// Reads what the system says of itself.
    pub(crate) fn read() -> Self {
        let text = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let number = |path: &str| text(path).trim().parse::<i64>().ok();
        let status = text("/proc/self/status");
        let capabilities = status
            .lines()
            .find_map(|line| line.strip_prefix("CapEff:"))
            .and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok());
        let release = text("/proc/sys/kernel/osrelease");
        let mut version = release
            .split(['.', '-'])
            .map(|part| part.parse().unwrap_or(0));
        let command: Vec<String> = env::args_os()
            .map(|word| grader_model::escaped(word.as_encoded_bytes()))
            .collect();
        Self {
            container: container(),
            is_nested: !text("/proc/self/uid_map")
                .split_whitespace()
                .eq(["0", "0", "4294967295"]),
            is_admin: capabilities.is_some_and(|set| set & (1 << 21) != 0),
            has_systemd: Path::new("/run/systemd/system").exists(),
            has_cgroups: text("/proc/self/mountinfo").contains(" - cgroup"),
            kernel: (version.next().unwrap_or(0), version.next().unwrap_or(0)),
            apparmor_restricts: number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
                == Some(1),
            userns_clone: number("/proc/sys/kernel/unprivileged_userns_clone"),
            max_user_namespaces: number("/proc/sys/user/max_user_namespaces"),
            perf_paranoid: number("/proc/sys/kernel/perf_event_paranoid"),
            modules: fs::read_to_string("/sys/kernel/security/lsm").ok(),
            command: command.join(" "),
        }
    }

    /// Whether we run in a container, or in a user namespace such as one has.
    pub(crate) const fn is_contained(&self) -> bool {
        self.container.is_some() || self.is_nested
    }

    /// Ways to get a missing layer on this machine, the most useful first.
    pub(crate) fn fixes(&self, layer: Layer) -> Vec<Fix> {
        let rows: &[Row] = match layer {
            Layer::Landlock => &LANDLOCK,
            Layer::ProcessCount | Layer::MemoryCgroup => &CGROUPS,
            Layer::CpuClock => &CLOCK,
            // The kernel has these wherever it has the others.
            Layer::ResourceLimits | Layer::Seccomp => &[],
            _ => &NAMESPACES,
        };
        let mut fixes = Vec::new();
        for row in rows.iter().filter(|row| (row.applies)(self)) {
            fixes.push(Fix {
                cause: row.cause.to_owned(),
                command: (!row.command.is_empty()).then(|| self.filled_in(row.command)),
            });
            // Nothing else helps before that.
            if row.command.contains("max_user_namespaces") {
                break;
            }
        }
        fixes
    }

    fn filled_in(&self, command: &str) -> String {
        command
            .replace("COMMAND", &self.command)
            .replace(
                "TOOL",
                self.container
                    .filter(|kind| *kind == "podman")
                    .unwrap_or("docker"),
            )
            .replace(
                "MODULES",
                self.modules.as_deref().unwrap_or_default().trim(),
            )
    }
}

/// A cause, when it applies, and what to type. COMMAND is the present command line.
struct Row {
    applies: fn(&Machine) -> bool,
    cause: &'static str,
    command: &'static str,
}

const CONTAINER: Row = Row {
    applies: |it| it.container.is_some(),
    cause: "the container is confined: start it with fewer restrictions, on a machine that does nothing else",
    command: "TOOL run --security-opt seccomp=unconfined --security-opt apparmor=unconfined \
              --security-opt systempaths=unconfined --security-opt writable-cgroups=true …",
};
const AS_ROOT: Row = Row {
    applies: |it| !it.is_admin && it.container.is_none(),
    cause: "run the grader as root; programs still run as an ordinary user",
    command: "sudo COMMAND",
};
const NAMESPACES: [Row; 6] = [
    Row {
        applies: |it| it.kernel < (5, 12),
        cause: "mount_setattr came with Linux 5.12: use a newer kernel",
        command: "",
    },
    Row {
        applies: |it| it.max_user_namespaces == Some(0),
        cause: "this machine allows no user namespaces (user.max_user_namespaces is 0)",
        command: "sudo sysctl -w user.max_user_namespaces=15000",
    },
    CONTAINER,
    Row {
        applies: |it| it.apparmor_restricts && !it.is_admin,
        cause: "AppArmor restricts user namespaces (Ubuntu 23.10 and newer)",
        command: "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
    },
    Row {
        applies: |it| it.userns_clone == Some(0) && !it.is_admin,
        cause: "only root may make user namespaces (kernel.unprivileged_userns_clone is 0)",
        command: "sudo sysctl -w kernel.unprivileged_userns_clone=1",
    },
    AS_ROOT,
];
const LANDLOCK: [Row; 3] = [
    Row {
        applies: |it| it.kernel < (5, 13),
        cause: "Landlock came with Linux 5.13, and is whole since 6.12: use a newer kernel",
        command: "",
    },
    Row {
        applies: |it| {
            it.modules
                .as_deref()
                .is_some_and(|all| !all.split(',').any(|one| one.trim() == "landlock"))
        },
        cause: "Landlock is not turned on: name it on the kernel's command line",
        command: "lsm=landlock,MODULES",
    },
    CONTAINER,
];
const NO_CGROUPS: Row = Row {
    applies: |it| !it.has_cgroups && it.container.is_none(),
    cause: "no control groups are mounted",
    command: "sudo mount -t cgroup2 none /sys/fs/cgroup",
};
const OF_USER: Row = Row {
    applies: |it| it.has_systemd && !it.is_admin && it.container.is_none(),
    cause: "an ordinary user has no control groups; systemd delegates some",
    command: "systemd-run --user --scope -p Delegate=yes -- COMMAND",
};
const OF_ROOT: Row = Row {
    applies: |it| it.has_systemd && it.is_admin && it.container.is_none(),
    cause: "the control group of this login is not the grader's own; systemd delegates one",
    command: "systemd-run --scope -p Delegate=yes -- COMMAND",
};
const CGROUPS: [Row; 5] = [CONTAINER, NO_CGROUPS, OF_USER, OF_ROOT, AS_ROOT];
const CLOCK: [Row; 6] = [
    CONTAINER,
    NO_CGROUPS,
    OF_USER,
    OF_ROOT,
    Row {
        applies: |it| it.perf_paranoid.is_some_and(|level| level > 2) && it.container.is_none(),
        cause: "users may not count the time of their own processes (kernel.perf_event_paranoid is above 2)",
        command: "sudo sysctl -w kernel.perf_event_paranoid=2",
    },
    AS_ROOT,
];

/// The kind of container, by the files that its tool leaves in it and by the first process.
fn container() -> Option<&'static str> {
    let has = |path: &str| Path::new(path).exists();
    let groups = fs::read_to_string("/proc/1/cgroup").unwrap_or_default();
    let environment = fs::read("/proc/1/environ").unwrap_or_default();
    if groups.contains("kubepods") || has("/run/secrets/kubernetes.io") {
        Some("kubernetes")
    } else if has("/.dockerenv") || groups.contains("docker") {
        Some("docker")
    } else if has("/run/.containerenv") {
        Some("podman")
    } else if groups.contains("containerd")
        || groups.contains("lxc")
        || environment
            .split(|&byte| byte == 0)
            .any(|variable| variable.starts_with(b"container="))
    {
        Some("")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cause_has_its_fix() {
        let machine = Machine {
            kernel: (6, 8),
            has_cgroups: true,
            command: "grader grade class".to_owned(),
            ..Machine::default()
        };
        let first = |layer, change: fn(&mut Machine)| {
            let mut machine = machine.clone();
            change(&mut machine);
            machine
                .fixes(layer)
                .into_iter()
                .find_map(|fix| fix.command)
                .unwrap_or_default()
        };
        for (layer, change, command) in [
            (
                Layer::PidNamespace,
                (|_| ()) as fn(&mut Machine),
                "sudo grader grade class",
            ),
            (
                Layer::UserNamespace,
                |it| it.max_user_namespaces = Some(0),
                "sudo sysctl -w user.max_user_namespaces=15000",
            ),
            (
                Layer::UserNamespace,
                |it| it.container = Some("podman"),
                "podman run --security-opt seccomp=unconfined",
            ),
            (
                Layer::UserNamespace,
                |it| it.apparmor_restricts = true,
                "sudo sysctl -w kernel.apparmor_restrict_",
            ),
            (
                Layer::Landlock,
                |it| it.modules = Some("lockdown,yama\n".to_owned()),
                "lsm=landlock,lockdown,yama",
            ),
            (
                Layer::MemoryCgroup,
                |it| it.has_systemd = true,
                "systemd-run --user --scope -p Delegate=yes -- grader grade",
            ),
            (
                Layer::CpuClock,
                |it| it.perf_paranoid = Some(4),
                "sudo sysctl -w kernel.perf_event_paranoid=2",
            ),
            (Layer::Seccomp, |_| (), ""),
        ] {
            let found = first(layer, change);
            assert!(found.starts_with(command), "{layer}: {found}");
        }
    }
}
