//! What this machine is, and what to type to get a missing layer of isolation.

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
    is_nested: bool,
    /// Whether we hold `CAP_SYS_ADMIN`.
    is_admin: bool,
    has_systemd: bool,
    has_cgroups: bool,
    kernel: (u32, u32),
    apparmor_restricts: bool,
    userns_clone: Option<i64>,
    max_user_namespaces: Option<i64>,
    perf_paranoid: Option<i64>,
    /// The security modules in force, separated by commas.
    modules: Option<String>,
    /// The command that started us.
    command: String,
}

/// One way to get a layer: what stands in the way, and the command that removes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fix {
    pub(crate) cause: String,
    pub(crate) command: Option<String>,
}

/// What a layer is made of. Layers of the same kind are missing for the same causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Namespace,
    Landlock,
    Cgroup,
    Clock,
}

use Kind::{Cgroup, Clock, Landlock, Namespace};

/// For the layers of these kinds: a cause, when it applies, and what to type. `COMMAND` is the present command line.
type Row = (
    &'static [Kind],
    fn(&Machine) -> bool,
    &'static str,
    &'static str,
);

/// The most useful first.
#[rustfmt::skip]
const FIXES: [Row; 12] = [
    (&[Namespace], |it| it.kernel < (5, 12), "mount_setattr came with Linux 5.12: use a newer kernel", ""),
    (&[Namespace], |it| it.max_user_namespaces == Some(0),
        "this machine allows no user namespaces (user.max_user_namespaces is 0)",
        "sudo sysctl -w user.max_user_namespaces=15000"),
    (&[Landlock], |it| it.kernel < (5, 13),
        "Landlock came with Linux 5.13, and is complete since 6.12: use a newer kernel", ""),
    (&[Landlock], |it| it.modules.as_deref().is_some_and(|all| !all.trim().split(',').any(|it| it == "landlock")),
        "Landlock is not turned on: add it to the kernel's command line",
        "lsm=landlock,MODULES"),
    (&[Namespace, Landlock, Cgroup, Clock], |it| it.container.is_some(),
        "the container is confined: start it with fewer restrictions, on a machine that does nothing else",
        "TOOL run --security-opt seccomp=unconfined --security-opt apparmor=unconfined \
         --security-opt systempaths=unconfined --security-opt writable-cgroups=true …"),
    (&[Namespace], |it| it.apparmor_restricts && !it.is_admin,
        "AppArmor restricts user namespaces (Ubuntu 23.10 and newer)",
        "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"),
    (&[Namespace], |it| it.userns_clone == Some(0) && !it.is_admin,
        "only root may make user namespaces (kernel.unprivileged_userns_clone is 0)",
        "sudo sysctl -w kernel.unprivileged_userns_clone=1"),
    (&[Cgroup, Clock], |it| !it.has_cgroups && it.container.is_none(),
        "no control groups are mounted",
        "sudo mount -t cgroup2 none /sys/fs/cgroup"),
    (&[Cgroup, Clock], |it| it.has_systemd && !it.is_admin && it.container.is_none(),
        "an ordinary user has no control groups; systemd delegates some",
        "systemd-run --user --scope -p Delegate=yes -- COMMAND"),
    (&[Cgroup, Clock], |it| it.has_systemd && it.is_admin && it.container.is_none(),
        "the control group of this login is not the grader's own; systemd delegates one",
        "systemd-run --scope -p Delegate=yes -- COMMAND"),
    (&[Clock], |it| it.perf_paranoid.is_some_and(|level| level > 2) && it.container.is_none(),
        "users may not count the time of their own processes (kernel.perf_event_paranoid is above 2)",
        "sudo sysctl -w kernel.perf_event_paranoid=2"),
    (&[Namespace, Cgroup, Clock], |it| !it.is_admin && it.container.is_none(),
        "run the grader as root; programs still run as an ordinary user",
        "sudo COMMAND"),
];

impl Machine {
    /// Reads what the system reports about itself.
    pub(crate) fn read() -> Self {
        let text = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let number = |path: &str| text(path).trim().parse::<i64>().ok();
        let status = text("/proc/self/status");
        let mut lines = status.lines();
        let capabilities = lines.find_map(|line| line.strip_prefix("CapEff:"));
        let capabilities = capabilities.and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok());
        let release = text("/proc/sys/kernel/osrelease");
        let mut version = release.split(['.', '-']);
        let mut version = || version.next().and_then(|part| part.parse().ok());
        let words = env::args_os().map(|word| grader_model::escaped(word.as_encoded_bytes()));
        Self {
            container: container(),
            is_nested: !text("/proc/self/uid_map")
                .split_whitespace()
                .eq(["0", "0", "4294967295"]),
            is_admin: capabilities.is_some_and(|set| set & (1 << 21) != 0),
            has_systemd: Path::new("/run/systemd/system").exists(),
            has_cgroups: text("/proc/self/mountinfo").contains(" - cgroup"),
            kernel: (version().unwrap_or(0), version().unwrap_or(0)),
            apparmor_restricts: number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
                == Some(1),
            userns_clone: number("/proc/sys/kernel/unprivileged_userns_clone"),
            max_user_namespaces: number("/proc/sys/user/max_user_namespaces"),
            perf_paranoid: number("/proc/sys/kernel/perf_event_paranoid"),
            modules: fs::read_to_string("/sys/kernel/security/lsm").ok(),
            command: words.collect::<Vec<_>>().join(" "),
        }
    }

    /// Whether we run in a container, or in a user namespace such as one has.
    pub(crate) const fn is_contained(&self) -> bool {
        self.container.is_some() || self.is_nested
    }

    /// Ways to get a missing layer on this machine, the most useful first.
    pub(crate) fn fixes(&self, layer: Layer) -> Vec<Fix> {
        let kind = match layer {
            Layer::Landlock => Landlock,
            Layer::ProcessCount | Layer::MemoryCgroup => Cgroup,
            Layer::CpuClock => Clock,
            // The kernel has these wherever it has the others.
            Layer::ResourceLimits | Layer::Seccomp => return Vec::new(),
            _ => Namespace,
        };
        let mut fixes = Vec::new();
        for (kinds, applies, cause, command) in FIXES {
            if !kinds.contains(&kind) || !applies(self) {
                continue;
            }
            fixes.push(Fix {
                cause: cause.to_owned(),
                command: (!command.is_empty()).then(|| self.filled_in(command)),
            });
            // Nothing else helps before that.
            if command.contains("max_user_namespaces") {
                break;
            }
        }
        fixes
    }

    fn filled_in(&self, command: &str) -> String {
        let tool = self.container.filter(|kind| *kind == "podman");
        let modules = self.modules.as_deref().unwrap_or_default();
        command
            .replace("COMMAND", &self.command)
            .replace("TOOL", tool.unwrap_or("docker"))
            .replace("MODULES", modules.trim())
    }
}

/// The kind of container, by the files that its tool leaves in it and by the first process.
fn container() -> Option<&'static str> {
    let has = |path: &str| Path::new(path).exists();
    let groups = fs::read_to_string("/proc/1/cgroup").unwrap_or_default();
    let environment = fs::read("/proc/1/environ").unwrap_or_default();
    let mut variables = environment.split(|&byte| byte == 0);
    if groups.contains("kubepods") || has("/run/secrets/kubernetes.io") {
        Some("kubernetes")
    } else if has("/.dockerenv") || groups.contains("docker") {
        Some("docker")
    } else if has("/run/.containerenv") {
        Some("podman")
    } else {
        let is_other = groups.contains("containerd")
            || groups.contains("lxc")
            || variables.any(|variable| variable.starts_with(b"container="));
        is_other.then_some("")
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
        #[rustfmt::skip]
        let rows: [(Layer, fn(&mut Machine), &str); 8] = [
            (Layer::PidNamespace, |_| (), "sudo grader grade class"),
            (Layer::UserNamespace, |it| it.max_user_namespaces = Some(0), "sudo sysctl -w user.max_user_namespaces=15000"),
            (Layer::UserNamespace, |it| it.container = Some("podman"), "podman run --security-opt seccomp=unconfined"),
            (Layer::UserNamespace, |it| it.apparmor_restricts = true, "sudo sysctl -w kernel.apparmor_restrict_"),
            (Layer::Landlock, |it| it.modules = Some("lockdown,yama\n".to_owned()), "lsm=landlock,lockdown,yama"),
            (Layer::MemoryCgroup, |it| it.has_systemd = true, "systemd-run --user --scope -p Delegate=yes -- grader grade"),
            (Layer::CpuClock, |it| it.perf_paranoid = Some(4), "sudo sysctl -w kernel.perf_event_paranoid=2"),
            (Layer::Seccomp, |_| (), ""),
        ];
        for (layer, change, command) in rows {
            let mut machine = machine.clone();
            change(&mut machine);
            let fixes = machine.fixes(layer);
            let found = fixes.into_iter().find_map(|fix| fix.command);
            let found = found.unwrap_or_default();
            assert!(found.starts_with(command), "{layer}: {found}");
        }
    }
}
