//! What this machine is, and what to type to get a missing layer of isolation.

use std::fs;
use std::path::Path;

use grader_sandbox::{Layer, LayerFinding};

/// What decides which layers a machine can hold.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Machine {
    is_container: bool,
    is_nspawn: bool,
    is_chroot: bool,
    /// Whether our user namespace is not the machine's.
    is_nested: bool,
    is_root: bool,
    /// Whether we hold `CAP_SYS_ADMIN`.
    is_admin: bool,
    has_systemd: bool,
    apparmor_restricts: bool,
    /// Debian's switch for user namespaces of ordinary users.
    userns_is_off: bool,
    max_user_namespaces: Option<i64>,
    /// Whether the kernel has Landlock, but does not use it.
    landlock_is_off: bool,
    memory_is_off: bool,
    /// Major and minor version of the kernel.
    linux: (u32, u32),
}

/// What a layer is made of. Layers of the same kind are missing for the same causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Namespace,
    Landlock,
    Cgroup,
    Memory,
    Limits,
}

use Kind::{Cgroup, Landlock, Limits, Memory, Namespace};

/// What stands in the way of a layer, and the command that removes it.
pub(crate) type Fix = (&'static str, Option<&'static str>);

/// A fix for layers of these kinds, when it applies, and whether nothing else helps before.
type Row = (&'static [Kind], fn(&Machine) -> bool, bool, Fix);

/// The most useful first.
#[rustfmt::skip]
const FIXES: [Row; 15] = [
    (&[Namespace, Landlock], |it| it.linux < (5, 13), true,
        ("Linux is too old: use 5.13 or newer", None)),
    (&[Namespace], |it| it.max_user_namespaces == Some(0), true,
        ("this machine allows no user namespaces (user.max_user_namespaces is 0)",
        Some("sudo sysctl -w user.max_user_namespaces=15000"))),
    (&[Limits], |_| true, true,
        ("raise it where it is set (`ulimit`, /etc/security/limits.conf, `Limit…=` of the service, `docker run --ulimit`)", None)),
    (&[Namespace], |it| it.is_chroot, true,
        ("this is a chroot, in which Linux allows no user namespaces: run the grader outside it, or in a container", None)),
    (&[Landlock], |it| it.landlock_is_off, true,
        ("Landlock is off: add `landlock` to `lsm=` on the kernel's command line", None)),
    (&[Landlock], |it| it.is_nspawn, true,
        ("systemd-nspawn refuses Landlock's system calls: allow them",
        Some("systemd-nspawn --system-call-filter='landlock_create_ruleset landlock_add_rule landlock_restrict_self' …"))),
    (&[Memory], |it| it.memory_is_off, true,
        ("the kernel's memory controller is off: add `cgroup_enable=memory` to the end of the kernel's command line (on a \
         Raspberry Pi, the one line of /boot/firmware/cmdline.txt) and restart", None)),
    (&[Namespace, Landlock, Cgroup, Memory], |it| it.is_container && !it.is_nspawn, false,
        ("the container is confined: start it with fewer restrictions, on a machine that does nothing else",
        Some("docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined \
         --security-opt systempaths=unconfined --security-opt writable-cgroups=true …"))),
    (&[Namespace], |it| it.userns_is_off && !it.is_admin, false,
        ("this machine allows ordinary users no user namespaces (kernel.unprivileged_userns_clone is 0)",
        Some("sudo sysctl -w kernel.unprivileged_userns_clone=1"))),
    (&[Namespace], |it| it.apparmor_restricts && !it.is_admin, false,
        ("AppArmor restricts user namespaces (Ubuntu 23.10 and newer): allow them to the grader alone",
        Some("printf 'abi <abi/4.0>,\\nprofile grader %s flags=(unconfined) {\\n  userns,\\n}\\n' \"$(realpath \"$(command -v grader)\")\" \
         | sudo tee /etc/apparmor.d/grader && sudo apparmor_parser -r /etc/apparmor.d/grader"))),
    (&[Namespace], |it| it.apparmor_restricts && !it.is_admin, false,
        ("allow them to all programs",
        Some("sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"))),
    (&[Cgroup, Memory], |it| it.has_systemd && !it.is_container && !it.is_root, false,
        ("systemd delegates a control group",
        Some("systemd-run --user --scope -p Delegate=yes -- grader …"))),
    (&[Cgroup, Memory], |it| it.has_systemd && !it.is_container && it.is_root, false,
        ("systemd delegates a control group",
        Some("systemd-run --scope -p Delegate=yes -- grader …"))),
    // Under systemd, root's own control group is not delegated either.
    (&[Cgroup, Memory], |it| !it.is_admin && !it.is_container && !it.has_systemd, false,
        AS_ROOT),
    (&[Namespace], |it| !it.is_admin && !it.is_container, false, AS_ROOT),
];

const AS_ROOT: Fix = (
    "run the grader as root; programs still run as an ordinary user",
    Some("sudo grader …"),
);

impl Machine {
    /// Reads what the system reports about itself.
    pub(crate) fn read() -> Self {
        let text = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let number = |path: &str| text(path).trim().parse::<i64>().ok();
        let status = text("/proc/self/status");
        let of_status = |name| status.lines().find_map(|line| line.strip_prefix(name));
        let capabilities = of_status("CapEff:");
        let capabilities = capabilities.and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok());
        let user = of_status("Uid:").and_then(|ids| ids.split_whitespace().nth(1));
        let modules = text("/sys/kernel/security/lsm");
        let manager = ["/run/host/container-manager", "/run/systemd/container"].map(text);
        let is_nspawn = manager.iter().any(|it| it.trim() == "systemd-nspawn");
        Self {
            is_container: is_nspawn || is_container(),
            is_nspawn,
            is_chroot: is_chroot(&text("/proc/self/mountinfo")),
            is_nested: !text("/proc/self/uid_map")
                .split_whitespace()
                .eq(["0", "0", "4294967295"]),
            is_root: user == Some("0"),
            is_admin: capabilities.is_some_and(|set| set & (1 << 21) != 0),
            has_systemd: Path::new("/run/systemd/system").exists(),
            apparmor_restricts: number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
                == Some(1),
            userns_is_off: number("/proc/sys/kernel/unprivileged_userns_clone") == Some(0),
            max_user_namespaces: number("/proc/sys/user/max_user_namespaces"),
            landlock_is_off: !modules.is_empty() && !modules.contains("landlock"),
            memory_is_off: lacks_memory(&text("/proc/cgroups"), &text("/proc/cmdline")),
            linux: version(&text("/proc/sys/kernel/osrelease")),
        }
    }

    /// Whether we run in a container, or in a user namespace such as one has.
    pub(crate) const fn is_contained(&self) -> bool {
        self.is_container || self.is_nested
    }

    /// Ways to get a layer on this machine, the most useful first; none if it is not missing.
    pub(crate) fn fixes(&self, finding: &LayerFinding) -> Vec<Fix> {
        let kind = match finding.layer {
            Layer::Landlock => Landlock,
            Layer::MemoryCgroup => Memory,
            Layer::ProcessCount | Layer::CpuClock => Cgroup,
            Layer::ResourceLimits => Limits,
            // Every kernel that has the others has it.
            Layer::Seccomp => return Vec::new(),
            _ => Namespace,
        };
        if !finding.probe_failed() {
            return Vec::new();
        }
        let is_usable = |(kinds, applies, ..): &&Row| kinds.contains(&kind) && applies(self);
        let usable: Vec<&Row> = FIXES.iter().filter(is_usable).collect();
        let only = usable.iter().position(|(_, _, is_only, _)| *is_only);
        let only = only.map(|at| &usable[at..=at]);
        only.unwrap_or(&usable).iter().map(|row| row.3).collect()
    }
}

/// Whether our root folder is not that of our mounts: then none of these is mounted at `/`.
fn is_chroot(mounts: &str) -> bool {
    let mut points = mounts.lines().filter_map(|line| line.split(' ').nth(4));
    !mounts.is_empty() && !points.any(|point| point == "/")
}

/// Whether the kernel was started without control groups of memory, by its list of them and its command line. Of the
/// switches on the line, the last counts.
fn lacks_memory(controllers: &str, line: &str) -> bool {
    let memory = controllers
        .lines()
        .find_map(|line| line.strip_prefix("memory"));
    let is_listed_off = memory.is_some_and(|rest| rest.split_whitespace().next_back() == Some("0"));
    let switches = ["cgroup_disable=memory", "cgroup_enable=memory"];
    let last = line
        .split_whitespace()
        .rfind(|word| switches.contains(word));
    is_listed_off || last == Some(switches[0])
}

/// The first two numbers of `6.1.0-18-amd64`; the largest if it has another shape.
fn version(release: &str) -> (u32, u32) {
    let mut numbers = release.split(|sign: char| !sign.is_ascii_digit());
    let mut number = || numbers.next()?.parse().ok();
    number().zip(number()).unwrap_or((u32::MAX, 0))
}

/// How many processes and threads a job may need at the same time: a compiler or a virtual machine, and the sandbox's own.
const PROCESSES_PER_JOB: u64 = 68;

/// Which limit of this machine leaves too few processes to the jobs that run by default, if one does.
pub(crate) fn few_processes() -> Option<String> {
    let jobs = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let needed = jobs * PROCESSES_PER_JOB;
    let limit = grader_sandbox::few_processes(needed)?;
    Some(format!(
        "{limit}, and {jobs} jobs may need {needed}: raise it, or use fewer jobs (`--jobs`)"
    ))
}

/// What was found about a layer, and how to get it, as lines.
pub(crate) fn lines(finding: &LayerFinding, fixes: &[Fix]) -> Vec<String> {
    let (name, state) = (finding.layer.name(), finding.state);
    let mut lines = vec![format!(
        "  {name:<18} {state:<8} {}",
        finding.layer.purpose()
    )];
    let mut add = |text: &str| lines.push(format!("{:30}{text}", ""));
    finding.detail.iter().for_each(|detail| add(detail));
    for (index, (cause, command)) in fixes.iter().enumerate() {
        let label = if index == 0 { "fix" } else { "or" };
        add(&format!("{label}: {cause}"));
        if let Some(command) = command {
            add(&format!("    {command}"));
        }
    }
    lines
}

/// Whether a container's tool left a trace.
fn is_container() -> bool {
    let groups = fs::read_to_string("/proc/1/cgroup").unwrap_or_default();
    let environment = fs::read("/proc/1/environ").unwrap_or_default();
    let mut variables = environment.split(|&byte| byte == 0);
    let has_file = |path: &str| Path::new(path).exists();
    let tools = ["docker", "kubepods", "containerd", "lxc"];
    has_file("/.dockerenv")
        || has_file("/run/.containerenv")
        || tools.iter().any(|tool| groups.contains(tool))
        || variables.any(|variable| variable.starts_with(b"container="))
}

#[cfg(test)]
mod tests {
    use grader_sandbox::LayerState;

    use super::*;

    type Change = fn(&mut Machine);

    /// A machine on which nothing stands in the way, as an ordinary user.
    fn usual() -> Machine {
        Machine {
            is_container: false,
            is_nspawn: false,
            is_chroot: false,
            is_nested: false,
            is_root: false,
            is_admin: false,
            has_systemd: false,
            apparmor_restricts: false,
            userns_is_off: false,
            max_user_namespaces: None,
            landlock_is_off: false,
            memory_is_off: false,
            linux: (6, 1),
        }
    }

    #[test]
    fn each_cause_has_its_fix() {
        #[rustfmt::skip]
        let rows: [(Layer, Change, &[&str]); 18] = [
            (Layer::PidNamespace, |_| (), &["sudo grader …"]),
            (Layer::UserNamespace, |it| it.max_user_namespaces = Some(0), &["sudo sysctl -w user.max_user_namespaces=15000"]),
            (Layer::UserNamespace, |it| it.is_container = true, &["docker run --security-opt seccomp=unconfined"]),
            (Layer::UserNamespace, |it| it.userns_is_off = true,
                &["sudo sysctl -w kernel.unprivileged_userns_clone=1", "sudo grader …"]),
            (Layer::UserNamespace, |it| it.apparmor_restricts = true,
                &["printf 'abi <abi/4.0>,\\nprofile grader ", "sudo sysctl -w kernel.apparmor_restrict_", "sudo grader …"]),
            (Layer::UserNamespace, |it| it.is_chroot = true, &["this is a chroot"]),
            (Layer::MountNamespace, |it| it.linux = (5, 10), &["Linux is too old: use 5.13 or newer"]),
            (Layer::Landlock, |it| it.linux = (5, 10), &["Linux is too old: use 5.13 or newer"]),
            (Layer::Landlock, |it| it.landlock_is_off = true, &["Landlock is off: add `landlock` to `lsm=`"]),
            (Layer::Landlock, |it| (it.is_container, it.is_nspawn) = (true, true),
                &["systemd-nspawn --system-call-filter='landlock_create_ruleset "]),
            (Layer::MemoryCgroup, |it| it.has_systemd = true,
                &["systemd-run --user --scope -p Delegate=yes -- grader …"]),
            (Layer::CpuClock, |it| it.has_systemd = true,
                &["systemd-run --user --scope -p Delegate=yes -- grader …"]),
            (Layer::MemoryCgroup, |it| (it.has_systemd, it.is_root, it.is_admin) = (true, true, true),
                &["systemd-run --scope -p Delegate=yes -- grader …"]),
            (Layer::MemoryCgroup, |_| (), &["sudo grader …"]),
            (Layer::MemoryCgroup, |it| (it.has_systemd, it.memory_is_off) = (true, true),
                &["the kernel's memory controller is off: add `cgroup_enable=memory`"]),
            (Layer::CpuClock, |it| (it.has_systemd, it.memory_is_off) = (true, true),
                &["systemd-run --user --scope -p Delegate=yes -- grader …"]),
            (Layer::ResourceLimits, |it| it.is_container = true, &["raise it where it is set"]),
            (Layer::Seccomp, |_| (), &[]),
        ];
        for (layer, change, expected) in rows {
            let mut machine = usual();
            change(&mut machine);
            let finding = LayerFinding {
                layer,
                state: LayerState::Missing,
                detail: Some(String::new()),
            };
            let fixes = machine.fixes(&finding);
            let found: Vec<&str> = fixes
                .iter()
                .map(|(cause, command)| command.unwrap_or(cause))
                .collect();
            assert_eq!(found.len(), expected.len(), "{layer}: {found:?}");
            for (found, expected) in found.iter().zip(expected) {
                assert!(found.starts_with(expected), "{layer}: {found}");
            }
        }
    }

    #[test]
    fn what_the_system_reports_is_understood() {
        let root =
            "21 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n22 21 0:5 / /proc rw - proc proc rw";
        let chroot = "22 21 0:5 / /proc rw - proc proc rw";
        assert_eq!([root, chroot, ""].map(is_chroot), [false, true, false]);
        let list = |enabled| {
            format!(
                "#subsys_name\thierarchy\tnum_cgroups\tenabled\ncpu\t0\t9\t1\nmemory\t0\t9\t{enabled}\n"
            )
        };
        for (controllers, line, expected) in [
            (list(1), "quiet", false),
            (list(0), "quiet", true),
            (String::new(), "cgroup_disable=memory quiet", true),
            (
                String::new(),
                "cgroup_disable=memory quiet cgroup_enable=memory",
                false,
            ),
            (String::new(), "", false),
        ] {
            assert_eq!(
                lacks_memory(&controllers, line),
                expected,
                "{controllers}{line}"
            );
        }
        assert_eq!(
            ["5.10.0-28-amd64", "6.18.44", "?"].map(version),
            [(5, 10), (6, 18), (u32::MAX, 0)]
        );
    }
}
