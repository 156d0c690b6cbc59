//! What this machine is, and what to type to get a missing layer of isolation.

use std::fs;
use std::path::Path;

use grader_sandbox::{Finding, Layer};

/// What decides which layers a machine can hold.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Machine {
    is_container: bool,
    /// Whether our user namespace is not the machine's.
    is_nested: bool,
    /// Whether we hold `CAP_SYS_ADMIN`.
    is_admin: bool,
    has_systemd: bool,
    apparmor_restricts: bool,
    max_user_namespaces: Option<i64>,
    /// Whether the kernel has Landlock, but does not use it.
    landlock_is_off: bool,
}

/// What a layer is made of. Layers of the same kind are missing for the same causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Namespace,
    Landlock,
    Cgroup,
}

use Kind::{Cgroup, Landlock, Namespace};

/// What stands in the way of a layer, and the command that removes it.
pub(crate) type Fix = (&'static str, Option<&'static str>);

/// A fix for layers of these kinds, and when it applies.
type Row = (&'static [Kind], fn(&Machine) -> bool, Fix);

/// The most useful first.
#[rustfmt::skip]
const FIXES: [Row; 6] = [
    (&[Namespace], |it| it.max_user_namespaces == Some(0),
        ("this machine allows no user namespaces (user.max_user_namespaces is 0)",
        Some("sudo sysctl -w user.max_user_namespaces=15000"))),
    (&[Landlock], |it| it.landlock_is_off,
        ("Landlock is off: use Linux 5.13 or newer, with `landlock` in `lsm=` on its command line", None)),
    (&[Namespace, Landlock, Cgroup], |it| it.is_container,
        ("the container is confined: start it with fewer restrictions, on a machine that does nothing else",
        Some("docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined \
         --security-opt systempaths=unconfined --security-opt writable-cgroups=true …"))),
    (&[Namespace], |it| it.apparmor_restricts && !it.is_admin,
        ("AppArmor restricts user namespaces (Ubuntu 23.10 and newer)",
        Some("sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"))),
    (&[Cgroup], |it| it.has_systemd && !it.is_container,
        ("systemd delegates a control group (as root, leave out `--user`)",
        Some("systemd-run --user --scope -p Delegate=yes -- grader …"))),
    (&[Namespace, Cgroup], |it| !it.is_admin && !it.is_container,
        ("run the grader as root; programs still run as an ordinary user",
        Some("sudo grader …"))),
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
        let modules = text("/sys/kernel/security/lsm");
        Self {
            is_container: is_container(),
            is_nested: !text("/proc/self/uid_map")
                .split_whitespace()
                .eq(["0", "0", "4294967295"]),
            is_admin: capabilities.is_some_and(|set| set & (1 << 21) != 0),
            has_systemd: Path::new("/run/systemd/system").exists(),
            apparmor_restricts: number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
                == Some(1),
            max_user_namespaces: number("/proc/sys/user/max_user_namespaces"),
            landlock_is_off: !modules.is_empty() && !modules.contains("landlock"),
        }
    }

    /// Whether we run in a container, or in a user namespace such as one has.
    pub(crate) const fn is_contained(&self) -> bool {
        self.is_container || self.is_nested
    }

    /// Ways to get a layer on this machine, the most useful first; none if it is not missing.
    pub(crate) fn fixes(&self, finding: &Finding) -> Vec<Fix> {
        let kind = match finding.layer {
            Layer::Landlock => Landlock,
            Layer::ProcessCount | Layer::MemoryCgroup | Layer::CpuClock => Cgroup,
            // Every kernel that has the others has these.
            Layer::ResourceLimits | Layer::Seccomp => return Vec::new(),
            _ => Namespace,
        };
        let is_usable = |(kinds, applies, _): &&Row| kinds.contains(&kind) && applies(self);
        let fixes = FIXES.iter().filter(is_usable);
        // Nothing else helps before user namespaces are allowed.
        let is_only = kind == Namespace && self.max_user_namespaces == Some(0);
        let most = if is_only { 1 } else { FIXES.len() };
        let fixes = fixes.filter(|_| finding.was_tried_in_vain()).take(most);
        fixes.map(|(_, _, fix)| *fix).collect()
    }
}

/// What was found about a layer, and how to get it, as lines.
pub(crate) fn lines(finding: &Finding, fixes: &[Fix]) -> Vec<String> {
    let (name, state) = (finding.layer.name(), finding.state.name());
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

    #[test]
    fn each_cause_has_its_fix() {
        let machine = Machine::default();
        #[rustfmt::skip]
        let rows: [(Layer, Change, &str); 6] = [
            (Layer::PidNamespace, |_| (), "sudo grader …"),
            (Layer::UserNamespace, |it| it.max_user_namespaces = Some(0), "sudo sysctl -w user.max_user_namespaces=15000"),
            (Layer::UserNamespace, |it| it.is_container = true, "docker run --security-opt seccomp=unconfined"),
            (Layer::UserNamespace, |it| it.apparmor_restricts = true, "sudo sysctl -w kernel.apparmor_restrict_"),
            (Layer::MemoryCgroup, |it| it.has_systemd = true, "systemd-run --user --scope -p Delegate=yes -- grader …"),
            (Layer::Seccomp, |_| (), ""),
        ];
        for (layer, change, command) in rows {
            let mut machine = machine.clone();
            change(&mut machine);
            let finding = Finding {
                layer,
                state: LayerState::Missing,
                detail: Some(String::new()),
            };
            let fixes = machine.fixes(&finding);
            let found = fixes.first().and_then(|(_, command)| *command);
            let found = found.unwrap_or_default();
            assert!(found.starts_with(command), "{layer}: {found}");
        }
    }
}
