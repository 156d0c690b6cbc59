//! From what a machine is to what would give it a layer.

use grader_model::Text;
use grader_report::doctor::Mend;
use grader_sandbox::{Hold, Layer};

use super::facts::{Cgroups, Container, Facts};

/// `perf_event_open` on one's own processes is allowed up to here.
const PERF_ALLOWS: i64 = 2;

/// Ways to have a layer that is not held. Each is enough by itself, unless something else is in the way too: then
/// the next look finds that.
pub(super) fn mends(layer: Layer, hold: Hold, facts: &Facts) -> Vec<Mend> {
    if hold == Hold::Held {
        return Vec::new();
    }
    if !facts.linux {
        return vec![mend(
            "only Linux has this layer: run the grader on Linux, in a virtual machine for example",
            "只有 Linux 有这一层：请在 Linux 上（例如虚拟机里）运行评测",
            [],
        )];
    }
    match layer {
        Layer::UserNamespace
        | Layer::OuterUid
        | Layer::PidNamespace
        | Layer::NetworkNamespace
        | Layer::IpcNamespace
        | Layer::UtsNamespace
        | Layer::NoCapabilities => namespaces(facts),
        Layer::MountNamespace | Layer::ReadOnlyRoot => too_old(facts, [5, 12], "mount_setattr")
            .map_or_else(|| namespaces(facts), |it| vec![it]),
        Layer::Proc => proc(facts),
        Layer::Landlock => landlock(hold, facts),
        Layer::ProcessCount | Layer::MemoryCgroup => groups(facts),
        Layer::CpuClock => clock(facts),
        // The kernel has these wherever it has the others: the detail is all that is known.
        Layer::NoNewPrivileges | Layer::ResourceLimits | Layer::Seccomp => Vec::new(),
    }
}

fn mend<const N: usize>(
    en: impl Into<String>,
    zh: impl Into<String>,
    commands: [String; N],
) -> Mend {
    Mend {
        why: Text::new(en, zh),
        commands: commands.into(),
    }
}

/// What stands in the way of namespaces and of mounts in them.
fn namespaces(facts: &Facts) -> Vec<Mend> {
    // A container has the same setting: it is read only there, and written on its host.
    if facts.most_namespaces == Some(0) {
        let (place, place_zh) = match facts.container {
            None => ("this machine allows", "这台机器"),
            Some(_) => ("the machine of this container allows", "此容器所在的机器"),
        };
        return vec![mend(
            format!("{place} no user namespaces at all (user.max_user_namespaces is 0)"),
            format!("{place_zh}完全不允许用户命名空间（user.max_user_namespaces 为 0）"),
            [sysctl("user.max_user_namespaces=15000")],
        )];
    }
    if let Some(kind) = facts.container {
        return container(kind, facts);
    }
    if facts.filtered {
        return vec![mend(
            "whatever started the grader (a service, an editor, a sandbox) filters its system calls: start it from \
             a plain shell",
            "启动评测程序的进程（服务、编辑器、沙箱）过滤了它的系统调用：请从普通的终端启动",
            [],
        )];
    }
    if facts.admin {
        return Vec::new();
    }
    let as_root = mend(
        "run the grader as root, who may; programs still run as an ordinary user",
        "用 root 运行评测（root 不受此限）；被评测的程序仍以普通用户运行",
        [format!("sudo {} {}", facts.program, facts.arguments)],
    );
    if facts.userns_clone == Some(0) {
        return vec![
            as_root,
            mend(
                "allow namespaces to all users (kernel.unprivileged_userns_clone is 0)",
                "允许所有用户使用命名空间（kernel.unprivileged_userns_clone 为 0）",
                [sysctl("kernel.unprivileged_userns_clone=1")],
            ),
        ];
    }
    if facts.apparmor_restricts {
        return vec![
            as_root,
            mend(
                "AppArmor takes all rights in namespaces from programs without a profile (Ubuntu 23.10 and newer): \
                 give the grader one",
                "AppArmor 不让没有配置文件的程序使用命名空间里的权限（Ubuntu 23.10 及以后）：给评测程序写一个",
                profile(&facts.program),
            ),
            mend(
                "turn that off for all programs",
                "对所有程序关闭这一限制",
                [sysctl("kernel.apparmor_restrict_unprivileged_userns=0")],
            ),
        ];
    }
    vec![as_root]
}

/// A profile that confines nothing and allows user namespaces.
fn profile(program: &str) -> [String; 2] {
    let program = program.replace('\'', "");
    [
        format!(
            "printf '%s\\n' 'abi <abi/4.0>,' 'include <tunables/global>' \\\n  \
             'profile grader \"{program}\" flags=(unconfined) {{ userns, }}' |\n  \
             sudo tee /etc/apparmor.d/grader"
        ),
        "sudo apparmor_parser --replace /etc/apparmor.d/grader".to_owned(),
    ]
}

/// What a container must be started with: only what it lacks, and why.
fn container(kind: Container, facts: &Facts) -> Vec<Mend> {
    let (tool, unmask_proc, writable_groups) = match kind {
        Container::Docker => ("docker", "systempaths=unconfined", "writable-cgroups=true"),
        Container::Podman => ("podman", "unmask=ALL", "unmask=/sys/fs/cgroup"),
        Container::Kubernetes => {
            return vec![mend(
                "the pod is confined: set `privileged: true` in the `securityContext` of its container, on a node \
                 that does nothing else",
                "容器组受到限制：在其容器的 `securityContext` 中设置 `privileged: true`，并且该节点不作他用",
                [],
            )];
        }
        Container::Other => {
            return vec![mend(
                "the container is confined: let it make namespaces, mounts and control groups, or run the grader \
                 outside of it",
                "容器受到限制：允许它建立命名空间、挂载和控制组，或者在容器之外运行评测",
                [],
            )];
        }
    };
    let mut options = Vec::new();
    let mut why = Vec::new();
    let mut why_zh = Vec::new();
    if facts.filtered {
        options.push("seccomp=unconfined");
        why.push("seccomp=unconfined for namespaces and for the CPU clock");
        why_zh.push("seccomp=unconfined 用于命名空间和 CPU 计时");
    }
    if facts.confined.is_some() {
        options.push("apparmor=unconfined");
        why.push("apparmor=unconfined for mounts");
        why_zh.push("apparmor=unconfined 用于挂载");
    }
    if facts.masked_proc {
        options.push(unmask_proc);
        why.push("an unmasked /proc for a /proc of their own");
        why_zh.push("不遮盖的 /proc 用于程序自己的 /proc");
    }
    if facts.cgroups == Cgroups::ReadOnly {
        options.push(writable_groups);
        why.push("writable control groups for memory and CPU time");
        why_zh.push("可写的控制组用于内存和 CPU 时间");
    }
    let mut all = Vec::new();
    if !options.is_empty() {
        let options: Vec<String> = options
            .iter()
            .map(|option| format!("--security-opt {option}"))
            .collect();
        all.push(mend(
            format!(
                "the container is confined; start it with {}",
                why.join(", ")
            ),
            format!("容器受到限制；启动时加上：{}", why_zh.join("，")),
            [format!("{tool} run {} …", options.join(" "))],
        ));
    }
    if kind == Container::Docker && facts.cgroups == Cgroups::ReadOnly {
        all.push(mend(
            "before Docker 28 there is no `writable-cgroups`: show it the control groups of its host instead",
            "Docker 28 之前没有 `writable-cgroups`：改为让容器看到宿主机的控制组",
            ["docker run --cgroupns=host -v /sys/fs/cgroup:/sys/fs/cgroup:rw …".to_owned()],
        ));
    }
    if !facts.admin {
        all.push(mend(
            "lift all of its confinement, on a machine that does nothing else",
            "解除它的全部限制；该机器不应再作他用",
            [format!("{tool} run --privileged …")],
        ));
    }
    all
}

fn proc(facts: &Facts) -> Vec<Mend> {
    if facts.container.is_some() || !facts.masked_proc {
        return namespaces(facts);
    }
    vec![mend(
        "something is mounted over a part of /proc, and who sees less may not show more: unmount it",
        "/proc 的一部分被别的挂载遮盖，而看得少的不能显示更多：请卸下那个挂载",
        ["grep ' /proc/' /proc/self/mountinfo".to_owned()],
    )]
}

fn too_old(facts: &Facts, needed: [u32; 2], what: &str) -> Option<Mend> {
    let kernel = facts.kernel.filter(|kernel| *kernel < needed)?;
    let ([major, minor], [least, patch]) = (kernel, needed);
    Some(mend(
        format!(
            "{what} came with Linux {least}.{patch}, and this is {major}.{minor}: use a newer kernel"
        ),
        format!(
            "{what} 从 Linux {least}.{patch} 起才有，而这里是 {major}.{minor}：请换用更新的内核"
        ),
        [],
    ))
}

fn landlock(hold: Hold, facts: &Facts) -> Vec<Mend> {
    if let Some(old) = too_old(facts, [5, 13], "Landlock") {
        return vec![old];
    }
    if hold == Hold::Weaker {
        return too_old(facts, [6, 12], "the whole of Landlock")
            .into_iter()
            .collect();
    }
    if facts.landlock_built == Some(false) {
        return vec![mend(
            "this kernel was built without CONFIG_SECURITY_LANDLOCK: use another one",
            "这个内核编译时没有 CONFIG_SECURITY_LANDLOCK：请换用别的内核",
            [],
        )];
    }
    match &facts.modules {
        Some(modules) if !modules.split(',').any(|module| module == "landlock") => vec![mend(
            "Landlock is built in and not turned on: name it at boot, before the others (on Debian and Ubuntu)",
            "Landlock 已编入内核但没有启用：在启动参数中把它写在最前面（Debian 和 Ubuntu）",
            [
                format!(
                    "echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX lsm=landlock,{modules}\"' |\n  \
                     sudo tee /etc/default/grub.d/landlock.cfg"
                ),
                "sudo update-grub".to_owned(),
                "sudo reboot".to_owned(),
            ],
        )],
        _ => facts
            .container
            .map_or_else(Vec::new, |kind| container(kind, facts)),
    }
}

/// What stands in the way of control groups that count memory and processes.
fn groups(facts: &Facts) -> Vec<Mend> {
    if let Some(kind) = facts.container {
        return container(kind, facts);
    }
    if facts.cgroups == Cgroups::Absent {
        return vec![mend(
            "no control groups are mounted",
            "没有挂载控制组",
            ["sudo mount -t cgroup2 none /sys/fs/cgroup".to_owned()],
        )];
    }
    if facts.cgroups == Cgroups::WithoutMemory && facts.admin {
        return vec![mend(
            "the kernel does not count memory: boot it with `cgroup_enable=memory` and without \
             `cgroup_disable=memory`",
            "内核没有启用内存计量：启动参数要有 `cgroup_enable=memory`，不能有 `cgroup_disable=memory`",
            ["cat /proc/cmdline".to_owned()],
        )];
    }
    let as_root = if facts.systemd {
        // A login or a service of root's is not delegated: other processes live in its group.
        format!(
            "sudo systemd-run --scope -p Delegate=yes -- {} {}",
            facts.program, facts.arguments
        )
    } else {
        format!("sudo {} {}", facts.program, facts.arguments)
    };
    if facts.admin {
        if !facts.systemd {
            return Vec::new();
        }
        let command = as_root.trim_start_matches("sudo ").to_owned();
        return vec![mend(
            "the control group of this login or service is not the grader's own; systemd gives it one",
            "当前登录会话或服务的控制组不归评测程序所有；systemd 可以分配一个",
            [command],
        )];
    }
    let mut all = Vec::new();
    if facts.systemd {
        all.push(mend(
            "an ordinary user has no control groups; systemd hands some out",
            "普通用户没有控制组；systemd 可以分配",
            [format!(
                "systemd-run --user --scope -p Delegate=yes -- {} {}",
                facts.program, facts.arguments
            )],
        ));
    }
    all.push(mend(
        "run the grader as root, who has them; programs still run as an ordinary user",
        "用 root 运行评测（root 有控制组）；被评测的程序仍以普通用户运行",
        [as_root],
    ));
    all
}

/// The clock is a control group, or a counter of the kernel.
fn clock(facts: &Facts) -> Vec<Mend> {
    let mut all = groups(facts);
    if facts.perf_paranoid.is_some_and(|level| level > PERF_ALLOWS) && facts.container.is_none() {
        all.push(mend(
            "let users count the time of their own processes (kernel.perf_event_paranoid is above 2)",
            "允许用户统计自己进程的时间（kernel.perf_event_paranoid 大于 2）",
            [sysctl("kernel.perf_event_paranoid=2")],
        ));
    }
    all
}

fn sysctl(setting: &str) -> String {
    format!("sudo sysctl -w {setting}")
}

#[cfg(test)]
mod tests;
