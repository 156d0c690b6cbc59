//! What each layer is for, in words for people.

use grader_model::Text;
use grader_report::doctor::{LayerFinding, LayerHold};
use grader_sandbox::{Finding, Hold, Layer};

use super::facts::Facts;
use super::mend::mends;

/// What was found of a layer, with its purpose and what would mend it here.
pub(crate) fn finding(finding: &Finding, facts: &Facts) -> LayerFinding {
    let untried = finding.hold == Hold::Missing && finding.detail.is_none();
    LayerFinding {
        name: finding.layer.name().to_owned(),
        required: finding.layer.is_required(),
        hold: match finding.hold {
            Hold::Held => LayerHold::Held,
            Hold::Weaker => LayerHold::Weaker,
            Hold::Missing if untried => LayerHold::Untried,
            Hold::Missing => LayerHold::Missing,
        },
        purpose: purpose(finding.layer),
        detail: finding.detail.clone(),
        mends: if untried {
            Vec::new()
        } else {
            mends(finding.layer, finding.hold, facts)
        },
    }
}

fn purpose(layer: Layer) -> Text {
    let (en, zh) = match layer {
        Layer::UserNamespace => (
            "Whatever rights a program has inside mean nothing outside.",
            "程序在里面的任何权限，到外面都无效。",
        ),
        Layer::OuterUid => (
            "For the machine a program is never root.",
            "对这台机器来说，程序绝不是 root。",
        ),
        Layer::MountNamespace => (
            "A program sees only the files that are put there for it.",
            "程序只能看到为它准备的文件。",
        ),
        Layer::PidNamespace => (
            "A program sees and signals only its own processes, and all of them end with it.",
            "程序只能看到自己的进程、只能给它们发信号，它们都随程序结束。",
        ),
        Layer::NetworkNamespace => (
            "There is no network, not even this machine's own.",
            "没有网络，连本机网络也没有。",
        ),
        Layer::IpcNamespace => (
            "Nothing left in shared memory or queues reaches another run.",
            "共享内存和消息队列里的东西不会传到下一次运行。",
        ),
        Layer::UtsNamespace => (
            "The host name says nothing about this machine.",
            "主机名不会透露这台机器的信息。",
        ),
        Layer::ReadOnlyRoot => (
            "A program can write only to its own folder and to /tmp.",
            "程序只能写自己的文件夹和 /tmp。",
        ),
        Layer::Proc => (
            "Programs find a /proc of their own; most do without.",
            "程序有自己的 /proc；大多数程序不需要它。",
        ),
        Layer::NoCapabilities => (
            "A program holds none of the powers that root is made of.",
            "程序不持有任何 root 特权。",
        ),
        Layer::NoNewPrivileges => (
            "No program that it starts gives it more rights (sudo, su).",
            "它启动的任何程序（sudo、su）都不能给它更多权限。",
        ),
        Layer::Seccomp => (
            "System calls that no honest program needs are refused.",
            "正当程序用不到的系统调用一律被拒绝。",
        ),
        Layer::Landlock => (
            "Foreign files, TCP and signals to outside are refused a second time.",
            "对外部文件、TCP 和外部进程信号再设一道拦截。",
        ),
        Layer::ResourceLimits => (
            "Open files, file sizes, core dumps and locked memory are bounded.",
            "打开的文件数、文件大小、核心转储和锁定内存都有上限。",
        ),
        Layer::ProcessCount => (
            "The number of processes and threads is bounded: no fork bombs.",
            "进程和线程的数目有上限：不怕 fork 炸弹。",
        ),
        Layer::MemoryCgroup => (
            "The memory of all processes of a run is counted and bounded together.",
            "一次运行的所有进程的内存合在一起计量和限制。",
        ),
        Layer::CpuClock => (
            "The CPU time of all processes of a run is counted; none can hide.",
            "一次运行的所有进程的 CPU 时间都计入，无法隐藏。",
        ),
    };
    Text::new(en, zh)
}

#[cfg(test)]
mod tests {
    use grader_model::Lang;
    use grader_report::Style;
    use grader_report::doctor::refusal;

    use super::*;
    use crate::host::facts::Cgroups;

    /// What an ordinary user of Ubuntu 24.04 is told.
    fn refused(lang: Lang) -> String {
        let facts = Facts {
            linux: true,
            systemd: true,
            kernel: Some([6, 8]),
            apparmor_restricts: true,
            most_namespaces: Some(96365),
            perf_paranoid: Some(4),
            cgroups: Cgroups::Whole,
            program: "/opt/grader".to_owned(),
            arguments: "grade class".to_owned(),
            ..Facts::default()
        };
        let missing = [
            (Layer::UserNamespace, "mount in a new user namespace: EPERM"),
            (Layer::MountNamespace, "there is no user namespace"),
            (
                Layer::MemoryCgroup,
                "mkdir /sys/fs/cgroup/user.slice/grader: EACCES",
            ),
            (Layer::CpuClock, "perf_event_open: EACCES"),
        ];
        let layers = missing.map(|(layer, detail)| {
            let found = Finding {
                layer,
                hold: Hold::Missing,
                detail: Some(detail.to_owned()),
            };
            finding(&found, &facts)
        });
        let style = Style {
            lang,
            ..Style::default()
        };
        refusal(&layers, &[], true, lang.pick("error: ", "错误："), &style)
    }

    #[test]
    fn a_refusal_is_whole_in_english() {
        assert_eq!(
            refused(Lang::En),
            "error: strict isolation cannot be had here: 4 layers are missing

  user-namespace: Whatever rights a program has inside mean nothing outside.
    tried: mount in a new user namespace: EPERM
    mend: run the grader as root, who may; programs still run as an ordinary
          user
        sudo /opt/grader grade class
    or: AppArmor takes all rights in namespaces from programs without a profile
        (Ubuntu 23.10 and newer): give the grader one
        printf '%s\\n' 'abi <abi/4.0>,' 'include <tunables/global>' \\
          'profile grader \"/opt/grader\" flags=(unconfined) { userns, }' |
          sudo tee /etc/apparmor.d/grader
        sudo apparmor_parser --replace /etc/apparmor.d/grader
    or: turn that off for all programs
        sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0

  mount-namespace: A program sees only the files that are put there for it.
    tried: there is no user namespace
    mend: as for `user-namespace`

  memory-cgroup: The memory of all processes of a run is counted and bounded
  together.
    tried: mkdir /sys/fs/cgroup/user.slice/grader: EACCES
    mend: an ordinary user has no control groups; systemd hands some out
        systemd-run --user --scope -p Delegate=yes -- /opt/grader grade class
    or: run the grader as root, who has them; programs still run as an ordinary
        user
        sudo systemd-run --scope -p Delegate=yes -- /opt/grader grade class

  cpu-clock: The CPU time of all processes of a run is counted; none can hide.
    tried: perf_event_open: EACCES
    mend: an ordinary user has no control groups; systemd hands some out
        systemd-run --user --scope -p Delegate=yes -- /opt/grader grade class
    or: run the grader as root, who has them; programs still run as an ordinary
        user
        sudo systemd-run --scope -p Delegate=yes -- /opt/grader grade class
    or: let users count the time of their own processes
        (kernel.perf_event_paranoid is above 2)
        sudo sysctl -w kernel.perf_event_paranoid=2

to continue anyway:
  --allow-missing user-namespace --allow-missing mount-namespace --allow-missing memory-cgroup --allow-missing cpu-clock
      strict isolation without these layers; every report says so
  --isolation auto
      use the layers this machine has, and print what is missing
  --isolation basic
      not a sandbox: only for programs that you trust
`grader doctor` tries every layer and says more.
"
        );
    }

    #[test]
    fn a_refusal_is_whole_in_chinese() {
        assert_eq!(
            refused(Lang::Zh),
            "错误：这台机器无法提供严格隔离：缺少 4 层

  user-namespace：程序在里面的任何权限，到外面都无效。
    尝试：mount in a new user namespace: EPERM
    办法：用 root 运行评测（root 不受此限）；被评测的程序仍以普通用户运行
        sudo /opt/grader grade class
    或者：AppArmor 不让没有配置文件的程序使用命名空间里的权限（Ubuntu 23.10 及以
          后）：给评测程序写一个
        printf '%s\\n' 'abi <abi/4.0>,' 'include <tunables/global>' \\
          'profile grader \"/opt/grader\" flags=(unconfined) { userns, }' |
          sudo tee /etc/apparmor.d/grader
        sudo apparmor_parser --replace /etc/apparmor.d/grader
    或者：对所有程序关闭这一限制
        sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0

  mount-namespace：程序只能看到为它准备的文件。
    尝试：there is no user namespace
    办法：同 `user-namespace`

  memory-cgroup：一次运行的所有进程的内存合在一起计量和限制。
    尝试：mkdir /sys/fs/cgroup/user.slice/grader: EACCES
    办法：普通用户没有控制组；systemd 可以分配
        systemd-run --user --scope -p Delegate=yes -- /opt/grader grade class
    或者：用 root 运行评测（root 有控制组）；被评测的程序仍以普通用户运行
        sudo systemd-run --scope -p Delegate=yes -- /opt/grader grade class

  cpu-clock：一次运行的所有进程的 CPU 时间都计入，无法隐藏。
    尝试：perf_event_open: EACCES
    办法：普通用户没有控制组；systemd 可以分配
        systemd-run --user --scope -p Delegate=yes -- /opt/grader grade class
    或者：用 root 运行评测（root 有控制组）；被评测的程序仍以普通用户运行
        sudo systemd-run --scope -p Delegate=yes -- /opt/grader grade class
    或者：允许用户统计自己进程的时间（kernel.perf_event_paranoid 大于 2）
        sudo sysctl -w kernel.perf_event_paranoid=2

如果仍要继续：
  --allow-missing user-namespace --allow-missing mount-namespace --allow-missing memory-cgroup --allow-missing cpu-clock
      没有这些层的严格隔离；每份报告都会说明
  --isolation auto
      使用这台机器具备的隔离层，并说明缺少什么
  --isolation basic
      不是沙箱：只用于可以信任的程序
`grader doctor` 会逐层试验，并给出更多说明。
"
        );
    }
}
